"""The director's page of the play-offs: the next round, its players, and why they play."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.draws.draw import heat_sizes
from engine.messages import percent_text
from engine.ranking.overall import Result, best_first, best_of_each, lucky_losers
from scoring.reading.words import points_text

from ...core.days import day_for, start_of
from ...core.names import staff_name
from ...draws.queries.pace import hours_of_rounds
from ...draws.queries.plan import missing_players, sizes_text
from ...models import Draw, Event, Heat, HeatEntry, HeatResult, Registration, Stage, StagePlayer
from ...models.enums import (
    GONE,
    EntryStatus,
    StageKind,
    StagePlayerSource,
    StageStatus,
)
from ...models.titles import heat_title, round_title
from ...results.queries.ranking import finished_rows, results_of, stages_of
from .rounds import (
    Blocker,
    NextRound,
    free_results,
    lot_seed,
    next_round,
    players_of_round,
    rounds_after,
    rounds_to_come,
    with_players,
)


@dataclass(frozen=True)
class BlockerLink:
    """A blocker with links (label and address) to pages where it can be resolved."""

    text: str
    code: str
    pages: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Candidate:
    """A player in a list, with the deciding result in words."""

    registration: Registration
    name: str
    basis: str


@dataclass(frozen=True)
class UpcomingRound:
    """The round that can be prepared next, or what blocks it.

    ``expected`` is how many will advance: more than ``players`` while tables of a round are still
    being played. ``so_far``: heats of the day are still to come, so the number is unknown.
    """

    round: NextRound
    expected: int
    so_far: bool
    title: str
    when: str
    players: tuple[Candidate, ...]
    lucky: tuple[Candidate, ...]
    ways: tuple[BlockerLink, ...]
    later: tuple[str, ...]
    #: How many players there are, through how many rounds, and about how long that takes.
    way: str = ""

    @property
    def sizes(self) -> str:
        """Return the tables in short form."""
        return sizes_text(self.round.sizes) if self.round.sizes else ""

    @property
    def heading(self) -> str:
        """What is known of the round, in a few words."""
        if not self.round.sizes:
            return _("No play-off yet")
        if self.so_far:
            return _("The play-offs to come")
        return _("Next: %(title)s") % {"title": self.title}

    @property
    def summary(self) -> str:
        """How many players there are, at which tables, and how many advance from each."""
        count, sizes = len(self.players), self.sizes
        if self.so_far:
            text = ngettext(
                "%(count)s player has qualified so far; with no more: %(title)s, %(sizes)s.",
                "%(count)s players have qualified so far; with no more: %(title)s, %(sizes)s.",
                self.expected,
            ) % {"count": self.expected, "title": self.title, "sizes": sizes}
        elif self.expected != count:
            words = {"now": count, "all": self.expected, "sizes": sizes}
            text = _("%(now)s have advanced so far, %(all)s will: %(sizes)s.") % words
        else:
            text = ngettext(
                "%(count)s player advances: %(sizes)s.",
                "%(count)s players advance: %(sizes)s.",
                count,
            ) % {"count": count, "sizes": sizes}
        if self.round.is_final:
            return text
        on = ngettext(
            "The best one of each table advances from there.",
            "The best %(count)s of each table advance from there.",
            self.round.advance,
        )
        return f"{text} {on % {'count': self.round.advance}}"


@dataclass(frozen=True)
class PlannedSeat:
    """A player of a planned round."""

    row: StagePlayer
    name: str
    why: str
    gone: bool
    instead: str

    @property
    def came_as(self) -> str:
        """How the player came in, empty if by advancing."""
        return {
            StagePlayerSource.LUCKY_LOSER: _("lucky loser"),
            StagePlayerSource.REPLACEMENT: _("replacement"),
        }.get(StagePlayerSource(self.row.source), "")

    @property
    def away(self) -> str:
        """Why the player does not play."""
        if self.row.absent:
            return _("is not coming")
        return self.row.registration.get_status_display() if self.gone else ""


@dataclass(frozen=True)
class Prepared:
    """A round that is prepared but not drawn."""

    stage: Stage
    seats: tuple[PlannedSeat, ...]
    present: int
    here: int
    draft: Draw | None
    free: tuple[tuple[int, str], ...]
    sizes: str


@dataclass(frozen=True)
class RoundTables:
    """A round that is or was played, with its tables."""

    stage: Stage
    heats: tuple[tuple[Heat, tuple[str, ...]], ...]
    draws: tuple[Draw, ...]


@dataclass(frozen=True)
class PlayoffDesk:
    """Everything on the director's page of the play-offs."""

    coming: UpcomingRound | None
    prepared: Prepared | None
    rounds: tuple[RoundTables, ...]
    is_over: bool


def basis_text(points: Fraction, seats: int, share: Fraction) -> str:
    """Return a result in words, comparable between tables of three and of four."""
    return _("%(points)s game points at a table of %(seats)s: %(share)s of the table average") % {
        "points": points_text(points),
        "seats": seats,
        "share": percent_text(share),
    }


def result_text(result: Result | None) -> str:
    """Return a result of the engine's comparison in words."""
    if result is None:
        return ""
    return basis_text(result.game_points, len(result.place_points), result.share)


def stored_basis(basis: Mapping[str, Any]) -> str:
    """Return in words the numbers stored when a player was taken in."""
    if not basis:
        return ""
    return basis_text(Fraction(basis["game_points"]), basis["seats"], Fraction(basis["share"]))


def playoff_desk(event: Event) -> PlayoffDesk:
    """Return the director's page of the play-offs (a fixed number of queries)."""
    stages = stages_of(event)
    for stage in stages:
        stage.event = event
    last = stages[-1] if stages else None
    prepared = None
    if last and last.kind != StageKind.QUALIFYING and last.status == StageStatus.PLANNED:
        prepared = _prepared(last)
    coming = None if prepared else _coming(event)
    return PlayoffDesk(
        coming=coming,
        prepared=prepared,
        rounds=tuple(_rounds(event, [s for s in stages if s.kind != StageKind.QUALIFYING])),
        is_over=bool(last and last.kind == StageKind.FINAL and last.status == StageStatus.FINISHED),
    )


def _coming(event: Event) -> UpcomingRound | None:
    found = next_round(event)
    if found is None:
        return None
    expected = _expected(found)
    so_far = found.previous.kind == StageKind.QUALIFYING and any(
        blocker.code in ("open_heats", "waiting") for blocker in found.blockers
    )
    if so_far or expected != len(found.candidates):
        # Lucky losers are not known before all tables are closed.
        found = with_players(event, found, expected)
    taken = {each.registration.player_id for each in found.candidates}
    lucky: list[Candidate] = []
    if found.lucky_losers:
        rows = finished_rows(event, _stages_before(event, found.previous))
        taken |= {row.player_id for row in rows if row.status in GONE}
        # The seed is that of the stage to be created, so that the lot will be the same.
        seed = lot_seed(Stage(event=event, number=found.previous.number + 1))
        best = lucky_losers(results_of(rows), taken, found.lucky_losers, seed)
        lucky = _lines(event, best)
    left = _rounds_after(found)
    days = list(event.timetable.all())
    day = day_for(days, left)
    previous = found.previous
    follows = (
        previous.kind != StageKind.QUALIFYING
        and previous.status != StageStatus.FINISHED
        and day_for(days, previous.rounds_left) == day
    )
    return UpcomingRound(
        round=found,
        expected=expected,
        so_far=so_far,
        title=round_title(left, _number(found)),
        when=start_of(day, timed=not follows) if day else "",
        players=tuple(_named(event, found)),
        lucky=tuple(lucky),
        ways=tuple(_way(event, found, blocker) for blocker in found.blockers),
        later=tuple(_later(event, found)),
        way=_whole_way(event, found),
    )


def _expected(found: NextRound) -> int:
    """Return how many will advance once all tables of a play-off round are closed."""
    if found.previous.kind == StageKind.QUALIFYING or found.previous.status == StageStatus.PLANNED:
        return len(found.candidates)
    advancing = found.previous.heats.open().values_list("advance", flat=True)
    return len(found.candidates) + sum(advancing)


def _named(event: Event, found: NextRound) -> list[Candidate]:
    persons = {
        row.pk: row
        for row in event.registrations.filter(
            pk__in=[each.registration.pk for each in found.candidates]
        ).select_related("person")
    }
    return [
        Candidate(
            persons[each.registration.pk],
            staff_name(persons[each.registration.pk].person),
            result_text(each.result),
        )
        for each in found.candidates
    ]


def _lines(event: Event, results: Iterable[Result]) -> list[Candidate]:
    results = list(results)
    rows = {
        row.player_id: row
        for row in event.registrations.filter(
            number__in=[int(each.player) for each in results]
        ).select_related("person")
    }
    return [
        Candidate(rows[each.player], staff_name(rows[each.player].person), result_text(each))
        for each in results
    ]


def _stages_before(event: Event, previous: Stage) -> list[Stage]:
    if previous.kind == StageKind.QUALIFYING:
        return list(event.stages.qualifying())
    return [previous]


def _number(found: NextRound) -> int:
    """Return the round's number among the play-off rounds."""
    return found.previous.round + 1 if found.previous.kind == StageKind.PLAYOFF else 1


def _rounds_after(found: NextRound) -> int | None:
    if found.is_final:
        return 0
    stage = Stage(event=found.previous.event, number=found.previous.number + 1)
    return rounds_after(stage, sum(found.sizes))


def _whole_way(event: Event, found: NextRound) -> str:
    """Return "38 through five rounds, about 6 h"."""
    players = sum(found.sizes)
    coming = rounds_to_come(event, done=event.stages.playoffs().count(), players=players)
    if not found.sizes or coming is None:
        return ""
    rounds = len(coming.rounds)
    hours = number_format(hours_of_rounds(event, rounds))
    text = ngettext(
        "%(players)s through %(count)s round, about %(hours)s h",
        "%(players)s through %(count)s rounds, about %(hours)s h",
        rounds,
    )
    return text % {"players": players, "count": rounds, "hours": hours}


def _later(event: Event, found: NextRound) -> list[str]:
    """Return the table sizes of the rounds after this one, as they will be if nothing changes."""
    if not found.sizes or found.is_final:
        return []
    done = event.stages.playoffs().count()
    coming = rounds_to_come(event, done=done, players=sum(found.sizes))
    return [sizes_text(sizes) for sizes in coming.rounds[1:]] if coming else []


def _way(event: Event, found: NextRound, blocker: Blocker) -> BlockerLink:
    def page(label: str, name: str, *number: int) -> tuple[str, str]:
        return label, reverse(f"tournaments:{name}", args=[event.slug, *number])

    pages: list[tuple[str, str]] = []
    match blocker.code:
        case "open_heats":
            heats = event.heats.open().order_by("table_number", "number")
            pages = [page(heat.at_table, "heat_desk", heat.number) for heat in heats]
        case "draft":
            drafts = found.previous.draws.drafts().values_list("number", flat=True)[:1]
            pages = [page(_("To the draft"), "draft", number) for number in drafts]
        case "waiting" | "few":
            pages = [page(_("To the desk"), "desk")]
    return BlockerLink(str(blocker), blocker.code, tuple(pages))


# --- a prepared round ------------------------------------------------------------------------


def _prepared(stage: Stage) -> Prepared:
    rows = players_of_round(stage)
    names = {row.pk: staff_name(row.registration.person) for row in rows}
    replaced = {row.replaces_id: names[row.pk] for row in rows if row.replaces_id}
    heat_of = _heats_before(stage)
    free, taken = free_results(stage)
    best = best_first(best_of_each(each for each in free if each.player not in taken))
    seats = tuple(
        PlannedSeat(
            row=row,
            name=names[row.pk],
            why=why_in(row, names, heat_of),
            gone=row.registration.status in GONE,
            instead=replaced.get(row.pk, ""),
        )
        for row in rows
    )
    present = sum(not seat.row.absent and not seat.gone for seat in seats)
    sizes = "" if missing_players(present) else sizes_text(heat_sizes(present))
    return Prepared(
        stage=stage,
        seats=seats,
        present=present,
        here=sum(seat.row.here and not seat.away for seat in seats),
        draft=stage.draws.drafts().first(),
        free=tuple(
            (line.registration.number, f"{line.name} · {line.basis}")
            for line in _lines(stage.event, best)
        ),
        sizes=sizes,
    )


def _heats_before(stage: Stage) -> dict[int, set[tuple[int, str]]]:
    """Return, for each registration, the heats finished before this round: number and title."""
    heats: dict[int, set[tuple[int, str]]] = {}
    for registration, number, title in HeatEntry.objects.filter(
        stage__event=stage.event, stage__number__lt=stage.number, status=EntryStatus.DONE
    ).values_list("registration", "heat__number", "heat__title"):
        heats.setdefault(registration, set()).add((number, title))
    return heats


def why_in(
    row: StagePlayer, names: Mapping[int, str], heats: Mapping[int, set[tuple[int, str]]]
) -> str:
    """Return in words why a player is in a round; ``names`` are by the rows' keys."""
    basis = stored_basis(row.basis)
    if row.source == StagePlayerSource.REPLACEMENT and row.replaces_id is not None:
        what = {"name": names.get(row.replaces_id, ""), "basis": basis}
        shared = heats.get(row.registration_id, set()) & heats.get(
            row.replaces.registration_id if row.replaces else 0, set()
        )
        if shared:
            number, title = max(shared)
            what["heat"] = heat_title(title, number)
            text = _("In place of %(name)s, as the next player there: %(heat)s. %(basis)s")
        else:
            text = _("In place of %(name)s, as the best who did not advance. %(basis)s")
        return text % what
    if row.basis.get("by_hand"):
        text = _("Taken in by the director: %(reason)s. %(basis)s")
        return text % {"reason": row.basis["by_hand"].rstrip("."), "basis": basis}
    if row.source == StagePlayerSource.LUCKY_LOSER:
        return _("Lucky loser, the best who did not advance. %(basis)s") % {"basis": basis}
    return basis


def _rounds(event: Event, stages: Sequence[Stage]) -> list[RoundTables]:
    heats: dict[int, list[Heat]] = {}
    for heat in (
        Heat.objects.filter(stage__in=stages).select_related("stage", "draw").order_by("number")
    ):
        heat.event = event
        heats.setdefault(heat.stage_id, []).append(heat)
    players: dict[int, list[str]] = {}
    qualified = set(
        HeatResult.objects.filter(heat__stage__in=stages, advances=True)
        .exclude(heat__stage__kind=StageKind.FINAL)
        .values_list("entry", flat=True)
    )
    for entry in (
        HeatEntry.objects.filter(heat__stage__in=stages)
        .select_related("registration__person", "result")
        .order_by("heat", "result__order", "pk")
    ):
        name = staff_name(entry.registration.person)
        mark = "✓\N{NO-BREAK SPACE}" if entry.pk in qualified else ""
        players.setdefault(entry.heat_id or 0, []).append(f"{mark}{name}")
    draws: dict[int, list[Draw]] = {}
    for draw in Draw.objects.filter(stage__in=stages).order_by("number"):
        draws.setdefault(draw.stage_id, []).append(draw)
    return [
        RoundTables(
            stage=stage,
            heats=tuple((heat, tuple(players.get(heat.pk, ()))) for heat in heats[stage.pk]),
            draws=tuple(draws.get(stage.pk, ())),
        )
        for stage in stages
        if stage.pk in heats
    ]
