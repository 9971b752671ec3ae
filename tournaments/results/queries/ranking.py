"""Results of finished heats for the engine's comparison, and the ranking of a whole event."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import QuerySet

from engine.ranking.overall import Result, equal_groups, overall
from scoring.models import AskedOften, Blank

from ...core.names import NAME_COLUMNS, ShownPlayer, shown_player
from ...models import Event, HeatResult, Qualification, Registration, Stage, StagePlayer
from ...models.enums import HeatStatus, RegistrationStatus, StageKind


class FinishedRow(NamedTuple):
    """A player's result in a finished heat: plain values, as a ranking reads hundreds.

    From ``order`` on the fields have the names of ``HeatResult``; ``status`` is the player's now.
    """

    heat_id: int
    heat_number: int
    heat_title: str
    stage_id: int
    stage_kind: str
    registration_id: int
    status: str
    result: Result
    order: int
    place: int
    disqualified: bool
    advances: bool
    decided_by: str
    ahead_of_id: int | None
    own_value: str
    next_value: str

    @property
    def player_id(self) -> str:
        """The player's reference."""
        return self.result.player


_COLUMNS = (
    "heat",
    "heat__number",
    "heat__title",
    "heat__stage",
    "heat__stage__kind",
    "entry__registration",
    "entry__registration__status",
    "entry__registration__number",
    "game_points",
    "score_points",
    "asterisks",
    "games",
    "order",
    "place",
    "disqualified",
    "advances",
    "decided_by",
    "ahead_of",
    "own_value",
    "next_value",
)


_STAGES = AskedOften(lambda: Stage.objects.filter(event=Blank()).order_by("number"))


def stages_of(event: Event) -> list[Stage]:
    """Return the event's stages in their order (one query)."""
    stages = _STAGES.rows(event.pk)
    for stage in stages:
        stage.event = event
    return stages


def _finished(**stages: Any) -> QuerySet[HeatResult, Any]:
    found = HeatResult.objects.filter(heat__event=Blank(), heat__status=HeatStatus.FINISHED)
    return found.filter(**stages).order_by("heat__number", "order").values_list(*_COLUMNS)


_FINISHED = AskedOften(_finished)
_FINISHED_THERE = AskedOften(lambda: _finished(heat__stage__in=Blank(1, several=True)))


def finished_rows(event: Event, stages: Iterable[Stage] | None = None) -> list[FinishedRow]:
    """Return the results in the event's finished heats, or those of ``stages``, in the heats' order
    (one query)."""
    if stages is None:
        rows = _FINISHED.rows(event.pk)
    else:
        rows = _FINISHED_THERE.rows(event.pk, [stage.pk for stage in stages])
    seats = Counter(row[0] for row in rows)
    shares = {number: tuple(event.points_for(number)) for number in set(seats.values())}
    made = []
    for row in rows:
        number, points, score_points, asterisks, games = row[7:12]
        share = shares[seats[row[0]]]
        result = Result(str(number), points, score_points, asterisks, games, share)
        made.append(FinishedRow._make((*row[:7], result, *row[12:])))
    return made


_SHOWN: AskedOften[Any] = AskedOften(
    lambda: Registration.objects.filter(event=Blank()).values_list(*NAME_COLUMNS)
)


def shown_players(event: Event) -> dict[str, ShownPlayer]:
    """Return what lists show of the event's players, by reference (one query)."""
    found = (shown_player(*row) for row in _SHOWN.rows(event.pk))
    return {player.player_id: player for player in found}


def results_of(rows: Iterable[FinishedRow]) -> list[Result]:
    """Return the rows for the engine's comparison, without disqualified players."""
    return [row.result for row in rows if not row.disqualified]


@dataclass(frozen=True)
class FinalPlace:
    """A place in the event; ``stage`` is the last play-off round the player reached."""

    place: int
    player_id: str
    stage: Stage | None
    qualified: bool


_QUALIFIED: AskedOften[int] = AskedOften(
    lambda: (
        Qualification.objects.filter(event=Blank())
        .valid()
        .values_list("registration__number", flat=True)
    )
)
_ABSENT: AskedOften[int] = AskedOften(
    lambda: StagePlayer.objects.filter(stage__event=Blank(), absent=True).values_list(
        "registration__number", flat=True
    )
)


def final_ranking(
    event: Event,
    rows: Sequence[FinishedRow] | None = None,
    stages: Sequence[Stage] | None = None,
    absent: Collection[str] | None = None,
) -> list[FinalPlace]:
    """Rank everybody who played a heat, once; what has been loaded already can be given.

    ``rows`` are the event's finished ones, ``stages`` all in their order, ``absent`` the
    references of the play-offs' no-shows (:func:`absent_players`).

    First the final in its order, then round by round backwards the players who went out there, then
    qualified players who did not come, then all others by their best heat. Within a section they
    are ordered by share, sheet points and Chicagos won per game, and equal ones share the place.
    Who is disqualified in the final is the last of it (rulebook §6: its ranking is the event's).
    Any other heat in which a player was disqualified does not count; who is thrown out of a round
    before the final stands where the earlier heats put them. Last, together, come players
    disqualified from the event or in every heat they played.
    """
    stages = stages_of(event) if stages is None else stages
    rows = finished_rows(event, stages) if rows is None else rows
    absent = absent_players(event) if absent is None else absent
    barred = {row.player_id for row in rows if row.status == RegistrationStatus.DISQUALIFIED}
    by_stage: dict[int, list[FinishedRow]] = {stage.pk: [] for stage in stages}
    for row in rows:
        by_stage[row.stage_id].append(row)
    reached: dict[str, Stage] = {}
    sections: list[list[list[str]]] = []
    for stage in reversed(stages):
        if stage.kind == StageKind.QUALIFYING:
            continue
        here = by_stage[stage.pk]
        groups = (
            _by_place(here) if stage.kind == StageKind.FINAL else equal_groups(results_of(here))
        )
        sections.append(_without(groups, barred))
        for row in here:
            reached.setdefault(row.player_id, stage)
    qualifying = [stage for stage in stages if stage.kind == StageKind.QUALIFYING]
    qualified = {str(number) for number in _QUALIFIED.rows(event.pk)}
    day_1 = equal_groups(results_of(row for stage in qualifying for row in by_stage[stage.pk]))
    sections += [
        _without(_only(day_1, qualified.difference(absent, reached)), barred),
        _without(_only(day_1, set(absent).difference(reached)), barred),
        _without(day_1, barred),
    ]
    placed = {player for section in sections for group in section for player in group}
    played = [row.player_id for row in rows]
    last = [player for player in dict.fromkeys(played) if player not in placed]
    sections.append([last])
    return [
        FinalPlace(
            place, player_id, reached.get(player_id), player_id in qualified or player_id in reached
        )
        for place, player_id in overall(sections)
    ]


def absent_players(event: Event) -> set[str]:
    """Return the references of those who did not come to a play-off round."""
    return {str(number) for number in _ABSENT.rows(event.pk)}


def _by_place(rows: Sequence[FinishedRow]) -> list[list[str]]:
    groups: dict[int, list[str]] = {}
    for row in sorted(rows, key=lambda row: row.order):
        groups.setdefault(row.place, []).append(row.player_id)
    return list(groups.values())


def _without(groups: Iterable[Iterable[str]], left_out: Collection[str]) -> list[list[str]]:
    return [[player for player in group if player not in left_out] for group in groups]


def _only(groups: Iterable[Iterable[str]], these: Collection[str]) -> list[list[str]]:
    return [[player for player in group if player in these] for group in groups]
