"""Results of finished heats for the engine's comparison, and the ranking of a whole event."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from engine.ranking.overall import Result, equal_groups, overall

from ...core.names import shown_columns
from ...models import Event, HeatResult, Registration, Stage, StagePlayer
from ...models.enums import HeatStatus, RegistrationStatus, StageKind


def finished_rows(event: Event, stages: Iterable[Stage] | None = None) -> list[HeatResult]:
    """Return the result rows of the event's finished heats, each with ``seats`` (three queries,
    and one for the stages unless they are given).

    Rows of the same heat share one heat object; players are shared too. Only what rankings need is
    loaded of both.
    """
    by_pk = {stage.pk: stage for stage in (event.stages.all() if stages is None else stages)}
    found = list(
        HeatResult.objects.filter(heat__event=event, heat__status=HeatStatus.FINISHED)
        .select_related("entry")
        # Only the entry's player is loaded, as a page ranks hundreds of rows.
        .only(*(field.name for field in HeatResult._meta.concrete_fields), "entry__registration")
        .filter(heat__stage__in=by_pk)
        .order_by("heat__number", "order")
    )
    # Not by prefetch_related, as on SQLite it asks for "id = 1 OR id = 2 …", a thousand at most.
    heats = {
        heat.pk: heat
        for heat in event.heats.finished()
        .filter(stage__in=by_pk)
        .only("event", "stage", "number", "title", "status")
    }
    for heat in heats.values():
        heat.event, heat.stage = event, by_pk[heat.stage_id]
    players = {
        player.pk: player
        for player in event.registrations.select_related("person").only(*shown_columns())
    }
    seats: dict[int, int] = {}
    for row in found:
        seats[row.heat_id] = seats.get(row.heat_id, 0) + 1
    for row in found:
        row.heat = heats[row.heat_id]
        row.entry.registration = players[row.entry.registration_id]
        row.seats = seats[row.heat_id]  # type: ignore[attr-defined]
        row.result = Result(  # type: ignore[attr-defined]
            player=row.entry.registration.player_id,
            game_points=row.game_points,
            score_points=row.score_points,
            asterisks=row.asterisks,
            games=row.games,
            place_points=tuple(event.points_for(seats[row.heat_id])),
        )
    return found


def result_of(row: HeatResult) -> Result:
    """Return a row of :func:`finished_rows` for the engine's comparison."""
    result: Result = row.result  # type: ignore[attr-defined]
    return result


def results_of(rows: Iterable[HeatResult]) -> list[Result]:
    """Return the rows for the engine's comparison, without disqualified players."""
    return [result_of(row) for row in rows if not row.disqualified]


@dataclass(frozen=True)
class FinalPlace:
    """A place in the event; ``stage`` is the last play-off round the player reached."""

    place: int
    player_id: str
    stage: Stage | None
    qualified: bool


def final_ranking(
    event: Event,
    rows: Sequence[HeatResult] | None = None,
    stages: Sequence[Stage] | None = None,
    absent: Collection[str] | None = None,
) -> list[FinalPlace]:
    """Rank everybody who played a heat, once; what has been loaded already can be given.

    ``rows`` are the event's finished ones, ``stages`` all in their order, ``absent`` the
    references of the play-offs' no-shows (:func:`absent_players`).

    First the final in its order, then round by round backwards the players who went out there, then
    qualified players who did not come, then all others by their best heat. Within a section they
    are ordered by share, sheet points and Chicagos won per game, and equal ones share the place.
    Last, together, come players disqualified from the event or in every heat they played.
    """
    stages = list(event.stages.order_by("number")) if stages is None else stages
    rows = finished_rows(event, stages) if rows is None else rows
    absent = absent_players(event) if absent is None else absent
    barred = {
        str(number)
        for number in Registration.objects.filter(
            event=event, status=RegistrationStatus.DISQUALIFIED
        ).values_list("number", flat=True)
    }
    by_stage: dict[int, list[HeatResult]] = {stage.pk: [] for stage in stages}
    for row in rows:
        by_stage[row.heat.stage_id].append(row)
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
            reached.setdefault(row.entry.registration.player_id, stage)
    qualifying = [stage for stage in stages if stage.kind == StageKind.QUALIFYING]
    qualified = {
        str(number)
        for number in event.qualifications.valid().values_list("registration__number", flat=True)
    }
    day_1 = results_of(row for stage in qualifying for row in by_stage[stage.pk])
    missed = [each for each in day_1 if each.player in absent and each.player not in reached]
    still_in = [each for each in day_1 if each.player in qualified and each.player not in reached]
    sections += [
        _without(equal_groups(still_in), barred.union(absent)),
        _without(equal_groups(missed), barred),
        _without(equal_groups(day_1), barred),
    ]
    placed = {player for section in sections for group in section for player in group}
    played = [row.entry.registration.player_id for row in rows]
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
    rows = StagePlayer.objects.filter(stage__event=event, absent=True)
    return {str(number) for number in rows.values_list("registration__number", flat=True)}


def _by_place(rows: Sequence[HeatResult]) -> list[list[str]]:
    groups: dict[int, list[str]] = {}
    for row in sorted(rows, key=lambda row: row.order):
        if not row.disqualified:
            groups.setdefault(row.place, []).append(row.entry.registration.player_id)
    return list(groups.values())


def _without(groups: Iterable[Iterable[str]], barred: Iterable[str]) -> list[list[str]]:
    left_out = set(barred)
    return [[player for player in group if player not in left_out] for group in groups]
