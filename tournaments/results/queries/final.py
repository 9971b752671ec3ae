"""The final ranking of all players, each place with its reason, and the champion."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import overload

from django.db.models import Count, Q, Sum
from django.utils.translation import gettext as _

from engine.messages import rank_text
from engine.ranking.overall import Result
from scoring.models import AskedOften, Blank
from scoring.pictures.shapes import Picture
from scoring.words import lang, ruling_name

from ...core.names import (
    ShownPlayer,
    club_of,
    registration_name,
    shown_columns,
    told_apart,
)
from ...models import Event, GameResult, Heat, HeatResult, Registration, Stage, StagePlayer
from ...models.enums import (
    GONE,
    EventStatus,
    HeatStatus,
    RegistrationStatus,
    StageKind,
    StageStatus,
)
from ...models.search import plain
from ...models.titles import heat_title
from .ranking import (
    FinalPlace,
    FinishedRow,
    absent_players,
    final_ranking,
    finished_rows,
    shown_players,
    stages_of,
)
from .road import road_of
from .standings import reason_text

#: Sections of the ranking, best first.
FINAL, ROUND, ABSENT, HEATS, LAST, STILL_IN = (
    "final",
    "round",
    "absent",
    "heats",
    "last",
    "still_in",
)


@dataclass(frozen=True)
class RankedPlayer:
    """A row of the final ranking.

    ``place`` is None while the player is still in; ``shared``: others have the same. ``section``
    and ``how_far`` tell how far the player came, ``why`` what put the player ahead of the next one
    in the section. The numbers are those of the heat that counted.
    """

    place: int | None
    shared: bool
    player_id: str
    name: str
    club: str
    section: str
    how_far: str
    why: str
    points: Fraction | None
    seats: int
    share: Fraction | None
    score_points: int | None
    asterisks: int | None
    heat: int | None
    #: Empty for a heat of day 1, which has a number only.
    heat_name: str = ""


@dataclass(frozen=True)
class Ranking:
    """The whole ranking; ``is_final`` once the event is over, and it has ``winners`` then."""

    rows: "RankedPlayers"
    is_final: bool
    winners: tuple[ShownPlayer, ...] = ()


@dataclass(frozen=True)
class RankedPlayers(Sequence[RankedPlayer]):
    """The rows of a ranking, made when they are asked for: a page shows a few of hundreds."""

    order: Sequence[FinalPlace]
    #: The first so many are still in.
    ahead: int
    places: Mapping[str, int]
    counted: Mapping[str, FinishedRow]
    #: A row of each player's, for what is the same in all.
    played: Mapping[str, FinishedRow]
    people: Mapping[str, ShownPlayer]
    names: Mapping[str, str]
    absent: Collection[str]
    with_playoffs: bool
    #: Which of ``order`` they are.
    indices: Sequence[int]

    def __len__(self) -> int:
        return len(self.indices)

    @overload
    def __getitem__(self, index: int) -> RankedPlayer: ...
    @overload
    def __getitem__(self, index: slice) -> list[RankedPlayer]: ...
    def __getitem__(self, index: int | slice) -> RankedPlayer | list[RankedPlayer]:
        if isinstance(index, slice):
            return [self._row(each) for each in self.indices[index]]
        return self._row(self.indices[index])

    def named(self, text: str) -> "RankedPlayers":
        """Return those whose shown name has every word of the text."""
        words = plain(text[:100]).split()
        if not words:
            return self
        names = {player_id: plain(name) for player_id, name in self.names.items()}
        found = [
            index
            for index in self.indices
            if all(word in names[self.order[index].player_id] for word in words)
        ]
        return replace(self, indices=found)

    def _row(self, index: int) -> RankedPlayer:
        each = self.order[index]
        player_id, still_in = each.player_id, index < self.ahead
        following = self.order[index + 1] if index + 1 < len(self.order) else None
        beside = (self.order[index - 1] if index else None, following)
        row = self.counted.get(player_id)
        section = STILL_IN if still_in else _section(each, self.played[player_id], self.absent)
        why = ""
        if section not in (STILL_IN, LAST):
            why = _why(each, following, row, self.counted, self.names, self.played, self.absent)
        return _ranked(
            each,
            place=None if still_in else self.places[player_id],
            shared=not still_in and any(other and other.place == each.place for other in beside),
            section=section,
            name=self.names[player_id],
            club=self.people[player_id].club,
            row=row,
            why=why,
            with_playoffs=self.with_playoffs,
        )


def full_ranking(event: Event) -> Ranking:
    """Return everybody who played a heat, with reasons (6 queries, whatever the size)."""
    stages = stages_of(event)
    over = is_over(event, stages)
    rows = finished_rows(event)
    absent = absent_players(event)
    places = final_ranking(event, rows, stages, absent)
    played = {row.player_id: row for row in rows}
    people = shown_players(event)
    people = {player_id: people[player_id] for player_id in people if player_id in played}
    still_in = set() if over else _still_in(event, stages)
    ahead = [each for each in places if each.player_id in still_in]
    behind = [each for each in places if each.player_id not in still_in]
    heats = dict.fromkeys((row.heat_id, row.stage_id) for row in reversed(rows))
    decided = _deciding(stages, list(heats))
    counted = _counted(places, rows)
    first = [counted[each.player_id] for each in places if each.place == 1]
    best = [row for row in rows if row.heat_id == decided and row.place == 1 and not _is_last(row)]
    best = best or [row for row in first if not _is_last(row)]
    winners = tuple(people[row.player_id] for row in best) if over else ()
    ranked = RankedPlayers(
        order=[*ahead, *behind],
        ahead=len(ahead),
        places=_places_behind(ahead, behind),
        counted=counted,
        played=played,
        people=people,
        names=told_apart(people.values()),
        absent=absent,
        with_playoffs=any(stage.kind != StageKind.QUALIFYING for stage in stages),
        indices=range(len(places)),
    )
    return Ranking(ranked, over, winners)


def is_over(event: Event, stages: Sequence[Stage] | None = None) -> bool:
    """Return whether the result is final: the final is played, or the event is finished.

    ``stages`` are all of the event's in their order, if they have been read.
    """
    stages = stages_of(event) if stages is None else stages
    if stages and stages[-1].kind == StageKind.FINAL:
        return bool(stages[-1].status == StageStatus.FINISHED)
    return bool(event.status == EventStatus.FINISHED)


def _still_in(event: Event, stages: Sequence[Stage]) -> set[str]:
    """Return who can still win: in the current round, or qualified for the next."""
    if not stages:
        return set()
    last = stages[-1]
    if last.kind == StageKind.QUALIFYING:
        numbers = (
            event.qualifications.valid()
            .exclude(registration__status__in=GONE)
            .values_list("registration__number", flat=True)
        )
        return {str(number) for number in numbers}
    here = {
        row.registration.player_id
        for row in StagePlayer.objects.filter(stage=last, absent=False).select_related(
            "registration"
        )
        if row.registration.status not in GONE
    }
    ends = [
        (str(number), advances)
        for number, advances in HeatResult.objects.filter(
            heat__stage=last, heat__status=HeatStatus.FINISHED
        ).values_list("entry__registration__number", "advances")
    ]
    # Somebody who was registered twice may have lost at one table and won at another.
    out = {number for number, advances in ends if not advances}
    out -= {number for number, advances in ends if advances}
    return here - out


def _places_behind(ahead: Sequence[FinalPlace], behind: Sequence[FinalPlace]) -> dict[str, int]:
    """Return the places of players who are out, counted after all who are still in."""
    places: dict[str, int] = {}
    before: tuple[int, int] | None = None
    for index, each in enumerate(behind):
        place = len(ahead) + index + 1
        if before is not None and before[0] == each.place:
            place = before[1]
        before = (each.place, place)
        places[each.player_id] = place
    return places


def _counted(places: Sequence[FinalPlace], rows: Sequence[FinishedRow]) -> dict[str, FinishedRow]:
    """Return the heat that decided each player's place: the best of the furthest stage."""
    reached = {each.player_id: each.stage.pk if each.stage else None for each in places}
    counted: dict[str, FinishedRow] = {}
    for row in rows:
        player_id = row.player_id
        stage = reached.get(player_id)
        fits = row.stage_id == stage if stage else row.stage_kind == StageKind.QUALIFYING
        if not fits or player_id not in reached:
            continue
        known = counted.get(player_id)
        if known is None or known.disqualified or _better(row, known):
            counted[player_id] = row
    return counted


def _better(row: FinishedRow, known: FinishedRow) -> bool:
    return not row.disqualified and row.result.beats(known.result)


def _is_last(row: FinishedRow) -> bool:
    return row.disqualified or row.status == RegistrationStatus.DISQUALIFIED


def _section(each: FinalPlace, player: FinishedRow, absent: Collection[str]) -> str:
    if player.status == RegistrationStatus.DISQUALIFIED:
        return LAST
    if each.stage is not None:
        return FINAL if each.stage.kind == StageKind.FINAL else ROUND
    if each.player_id in absent:
        return ABSENT
    return HEATS


def _how_far(each: FinalPlace, section: str, *, with_playoffs: bool) -> str:
    if section == LAST:
        return str(ruling_name("disqualify"))
    if section == STILL_IN:
        return _("Still in")
    if section == ABSENT:
        return _("Qualified, did not come")
    if each.stage is not None:
        return str(each.stage)
    return _("Qualified") if each.qualified and with_playoffs else _("Heats")


def _ranked(
    each: FinalPlace,
    *,
    place: int | None,
    shared: bool,
    section: str,
    name: str,
    club: str,
    row: FinishedRow | None,
    why: str,
    with_playoffs: bool,
) -> RankedPlayer:
    result = row.result if row is not None else None
    return RankedPlayer(
        place=place,
        shared=shared,
        player_id=each.player_id,
        name=name,
        club=club,
        section=section,
        how_far=_how_far(each, section, with_playoffs=with_playoffs),
        why=why,
        points=result.game_points if result is not None else None,
        seats=len(result.place_points) if result is not None else 0,
        share=result.share if result is not None else None,
        score_points=result.score_points if result is not None else None,
        asterisks=result.asterisks if result is not None else None,
        heat=row.heat_number if row is not None else None,
        heat_name=heat_title(row.heat_title, row.heat_number) if row and row.heat_title else "",
    )


def _why(
    each: FinalPlace,
    following: FinalPlace | None,
    row: FinishedRow | None,
    counted: Mapping[str, FinishedRow],
    names: Mapping[str, str],
    played: Mapping[str, FinishedRow],
    absent: Collection[str],
) -> str:
    """Return what puts a player ahead of the next one in the list."""
    if following is None or row is None:
        return ""
    name = names[following.player_id]
    if each.place == following.place:
        return rank_text("level", name, lang=lang())
    if row.ahead_of_id == played[following.player_id].registration_id:
        # Both played the same heat, so its own tie-break tells, even a Flip Flop.
        return reason_text(row.decided_by, name=name, own=row.own_value, other=row.next_value)
    section = _section(each, played[each.player_id], absent)
    other = counted.get(following.player_id)
    if other is not None and other.disqualified:
        # In a later round, perhaps: that heat does not count, so nobody got further than they did.
        return rank_text("disqualified", name, lang=lang())
    same = (
        other is not None
        and section == _section(following, played[following.player_id], absent)
        and each.stage == following.stage
        and each.qualified == following.qualified
    )
    if not same or other is None:
        return rank_text("further", name, lang=lang())
    return compare_text(row.result, other.result, name)


def compare_text(own: Result, other: Result, name: str) -> str:
    """Return in words what makes one result better than another from a different table."""
    steps = (("share", 100), ("score_points_per_game", 1), ("asterisks_per_game", 1))
    for (step, factor), mine, theirs in zip(steps, own.key, other.key, strict=True):
        if mine != theirs:
            return rank_text(step, name, mine * factor, theirs * factor, lang())
    return rank_text("level", name, lang=lang())


# --- the champion ------------------------------------------------------------------------------


@dataclass(frozen=True)
class WayStation:
    """A heat on a champion's way."""

    heat: Heat
    stage: str
    place: int
    points: Fraction
    score_points: int
    asterisks: int
    advances: bool


@dataclass(frozen=True)
class Champion:
    """The winner, and the way to the title."""

    player_id: str
    name: str
    club: str
    way: tuple[WayStation, ...]
    games: int
    games_won: int
    chicagos: int
    beaten: tuple[str, ...]
    players: int
    road: Picture | None


def _deciding(stages: Sequence[Stage], heats: Sequence[tuple[int, int]]) -> int | None:
    """Return the key of the heat that decides an event: the final, or a club evening's only heat.

    ``heats`` are the finished ones with their stages, or the last two of them, the latest first.
    None if it ended without a final after several heats.
    """
    if stages and stages[-1].kind == StageKind.FINAL:
        return next((heat for heat, stage in heats if stage == stages[-1].pk), None)
    return heats[0][0] if stages and len(heats) == 1 else None


def winners_of(event: Event, stages: Sequence[Stage] | None = None) -> list[str]:
    """Return the winners' names: several if nothing separates them, none before the end.

    ``stages`` are all of the event's in their order, if they have been read.
    """
    return [registration_name(each) for each in _winners(event, stages)[0]]


_LATEST = AskedOften(
    lambda: (
        Heat.objects.filter(event=Blank())
        .finished()
        .order_by("-number")
        .values_list("pk", "stage")[:2]
    )
)
_RANKED = AskedOften(
    lambda: (
        HeatResult.objects.filter(heat=Blank())
        .select_related("entry__registration__person")
        .only("place", "disqualified", *shown_columns("entry__registration__"))
        .order_by("order")
    )
)


def _winners(
    event: Event, stages: Sequence[Stage] | None = None
) -> tuple[Sequence[Registration], list[Registration]]:
    """Return the winners and the others of the deciding heat, nobody before the end.

    Where no heat decides, or its winner was disqualified later, the first of the ranking win.
    """
    stages = stages_of(event) if stages is None else stages
    if not is_over(event, stages):
        return [], []
    heat = _deciding(stages, _LATEST.rows(event.pk))
    best: list[Registration] = []
    others: list[Registration] = []
    for row in _RANKED.rows(heat) if heat is not None else ():
        player = row.entry.registration
        out = row.disqualified or player.status == RegistrationStatus.DISQUALIFIED
        (best if row.place == 1 and not out else others).append(player)
    if best:
        return best, others
    first = [player.number for player in full_ranking(event).winners]
    return list(event.registrations.filter(number__in=first).select_related("person")), []


def champions_of(event: Event) -> list[Champion]:
    """Return the winners and their ways: several if nothing separates them, none before the end."""
    best, others = _winners(event)
    if not best:
        return []
    beaten = tuple(registration_name(each) for each in others)
    players = (
        HeatResult.objects.filter(heat__event=event, heat__status=HeatStatus.FINISHED)
        .values("entry__registration")
        .distinct()
        .count()
    )
    return [_champion(event, each, beaten, players) for each in best]


def _champion(
    event: Event, player: Registration, beaten: tuple[str, ...], players: int
) -> Champion:
    rows = list(
        HeatResult.objects.filter(
            entry__registration=player, heat__event=event, heat__status=HeatStatus.FINISHED
        )
        .select_related("heat__stage")
        .order_by("heat__number")
    )
    games = GameResult.objects.filter(
        entry__registration=player, game__heat__status=HeatStatus.FINISHED
    ).aggregate(
        games=Count("pk"),
        won=Count("pk", filter=Q(place=1)),
        chicagos=Sum("asterisks"),
    )
    return Champion(
        player_id=player.player_id,
        name=registration_name(player),
        club=club_of(player),
        way=tuple(
            WayStation(
                heat=row.heat,
                stage=str(row.heat.stage),
                place=row.place,
                points=row.game_points,
                score_points=row.score_points,
                asterisks=row.asterisks,
                advances=row.advances,
            )
            for row in rows
        ),
        games=games["games"] or 0,
        games_won=games["won"] or 0,
        chicagos=games["chicagos"] or 0,
        beaten=beaten,
        players=players,
        road=road_of(rows),
    )
