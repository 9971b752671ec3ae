"""The next round of the play-offs, and what blocks it."""

from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.draws.draw import TABLE_MIN, heat_sizes
from engine.errors import ChicagoError
from engine.ranking.overall import Result, best_first, lucky_losers
from engine.ranking.playoff import Plan, plan, sent_on

from ...core.names import shown_columns
from ...draws.queries.plan import CANNOT_SPLIT, missing_players, waiting_entries
from ...models import Event, Registration, Stage, StagePlayer
from ...models.enums import (
    GONE,
    StageKind,
    StageStatus,
)
from ...results.queries.ranking import finished_rows, results_of, stages_of


class Blocker(str):
    """What blocks the next round, as a sentence with a code.

    The codes: ``open_heats``, ``waiting``, ``few``, ``not_drawn``, ``draft``.
    """

    __slots__ = ("code",)
    code: str

    def __new__(cls, code: str, text: str) -> "Blocker":
        made = super().__new__(cls, text)
        made.code = code
        return made


@dataclass(frozen=True)
class Candidate:
    """A player of the next round, with the deciding result."""

    registration: Registration
    result: Result | None


@dataclass(frozen=True)
class NextRound:
    """The round that can be prepared after ``previous``, or what blocks it."""

    previous: Stage
    candidates: tuple[Candidate, ...] = ()
    lucky_losers: int = 0
    sizes: tuple[int, ...] = ()
    advance: int = 0
    blockers: tuple[Blocker, ...] = field(default=())

    @property
    def is_final(self) -> bool:
        """Whether it is played at one table."""
        return len(self.sizes) == 1


def advance_of_round(event: Event, number: int) -> int:
    """Return how many advance from each table in this play-off round (counted from 1)."""
    counts: list[int] = event.playoff_advance
    return counts[min(number, len(counts)) - 1]


def rounds_to_come(event: Event, *, done: int, players: int) -> Plan | None:
    """Return the rounds after the ``done`` first ones, as they will be if nothing changes.

    None if they never reach a final, as where all of a table of three advance.
    """
    steps = [advance_of_round(event, done + 1 + step) for step in range(12)]
    try:
        return plan(players, steps)
    except ChicagoError:
        return None


def who_went_on(stage: Stage) -> list[Candidate]:
    """Return who advances from a stage into the next round, best result first.

    From the qualifying stages those with a valid qualification, otherwise those who advance by
    their tables' rankings. Leaves out players who have withdrawn or been disqualified since.
    """
    event = stage.event
    qualifying = stage.kind == StageKind.QUALIFYING
    stages = list(event.stages.qualifying()) if qualifying else [stage]
    rows = finished_rows(event, stages)
    if qualifying:
        qualified = set(event.qualifications.valid().values_list("registration", "heat"))
        rows = [row for row in rows if (row.registration_id, row.heat_id) in qualified]
    else:
        rows = [row for row in rows if row.advances]
    here = {row.player_id: row.registration_id for row in rows if row.status not in GONE}
    results = {each.player: each for each in results_of(rows) if each.player in here}
    people = (
        event.registrations.select_related("person").only(*shown_columns()).in_bulk(here.values())
        if results
        else {}
    )
    return [Candidate(people[here[each.player]], each) for each in best_first(results.values())]


def next_round(event: Event) -> NextRound | None:
    """Return the next round; None before the first stage and after the final."""
    stages = stages_of(event)
    if not stages or stages[-1].kind == StageKind.FINAL:
        return None
    previous = stages[-1]
    previous.event = event
    blockers = _blockers(event, previous)
    candidates = who_went_on(previous)
    number = len([stage for stage in stages if stage.kind != StageKind.QUALIFYING]) + 1
    missing = missing_players(len(candidates))
    if previous.kind == StageKind.QUALIFYING and len(candidates) < TABLE_MIN:
        text = _("Qualified so far: %(count)s. A play-off needs three: play more heats.")
        blockers.append(Blocker("few", text % {"count": len(candidates)}))
        missing = 0
    sizes = _sizes(len(candidates) + missing)
    final = len(sizes) == 1
    return NextRound(
        previous=previous,
        candidates=tuple(candidates),
        lucky_losers=missing,
        sizes=tuple(sizes),
        advance=1 if final else sent_on(len(sizes), advance_of_round(event, number)),
        blockers=tuple(blockers),
    )


def with_players(event: Event, found: NextRound, players: int) -> NextRound:
    """Return the round as it would be with this many players; names no lucky losers."""
    number = event.stages.playoffs().count() + 1
    sizes = _sizes(players + missing_players(players) if players >= TABLE_MIN else players)
    return replace(
        found,
        lucky_losers=0,
        sizes=tuple(sizes),
        advance=1 if len(sizes) == 1 else sent_on(len(sizes), advance_of_round(event, number)),
    )


def _sizes(players: int) -> list[int]:
    return heat_sizes(players) if players >= TABLE_MIN and players != CANNOT_SPLIT else []


def _blockers(event: Event, previous: Stage) -> list[Blocker]:
    blockers: list[Blocker] = []
    open_heats = event.heats.open().count()
    if open_heats:
        text = ngettext(
            "%(count)s heat is still being played.",
            "%(count)s heats are still being played.",
            open_heats,
        )
        blockers.append(Blocker("open_heats", text % {"count": open_heats}))
    if previous.kind == StageKind.QUALIFYING:
        waiting = waiting_entries(event, previous).count()
        if waiting:
            text = ngettext(
                "%(count)s player is still waiting for a heat.",
                "%(count)s players are still waiting for a heat.",
                waiting,
            )
            blockers.append(Blocker("waiting", text % {"count": waiting}))
    elif previous.status == StageStatus.PLANNED:
        text = _("Not drawn yet: %(stage)s.") % {"stage": previous}
        blockers.append(Blocker("not_drawn", text))
    if previous.draws.drafts().exists():
        text = _("There is a draft of a draw. Publish it or throw it away.")
        blockers.append(Blocker("draft", text))
    return blockers


def players_of_round(stage: Stage) -> list[StagePlayer]:
    """Return a round's players in order, including no-shows, with their persons."""
    return list(
        stage.players.select_related("registration__person", "replaces__registration__person")
    )


def basis_of(result: Result | None) -> dict[str, Any]:
    """Return the deciding numbers as a round stores them."""
    if result is None:
        return {}
    return {
        "share": str(result.share),
        "game_points": str(result.game_points),
        "score_points": result.score_points,
        "asterisks": result.asterisks,
        "games": result.games,
        "seats": len(result.place_points),
    }


def source_stages(stage: Stage) -> list[Stage]:
    """Return the stages whose results decide who gets into this round."""
    before = list(stage.event.stages.filter(number__lt=stage.number).order_by("number"))
    if before[-1].kind == StageKind.QUALIFYING:
        return [each for each in before if each.kind == StageKind.QUALIFYING]
    return before[-1:]


def free_results(stage: Stage) -> tuple[list[Result], set[str]]:
    """Return the results of the stages before, and the players who cannot come in."""
    rows = finished_rows(stage.event, source_stages(stage))
    # A no-show of the round stays out of it; withdrawn and disqualified players cannot come in.
    taken = {
        str(number) for number in stage.players.values_list("registration__number", flat=True)
    } | {row.player_id for row in rows if row.status in GONE}
    return results_of(rows), taken


def next_ones(stage: Stage, count: int) -> list[Result]:
    """Return who would come into this round next, best first."""
    results, taken = free_results(stage)
    return lucky_losers(results, taken, count, lot_seed(stage))


def rounds_after(stage: Stage, players: int) -> int | None:
    """Return how many rounds follow one with this many players, or None if the plan never ends."""
    done = stage.event.stages.playoffs().filter(number__lt=stage.number).count()
    coming = rounds_to_come(stage.event, done=done, players=players)
    return None if coming is None else len(coming.rounds) - 1


def lot_seed(stage: Stage) -> str:
    """Return the seed for ties between lucky losers.

    It is public before anybody could choose it.
    """
    return f"event {stage.event.slug} stage {stage.number}"
