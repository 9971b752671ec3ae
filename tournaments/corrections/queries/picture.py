"""What an event says at one moment, and how two moments differ.

A preview does the change, compares, and takes it back; the change itself compares in the same way.
So the two cannot differ, and nothing is listed that did not happen.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from ...cash.queries.ledger import balances_of
from ...cash.queries.prizes import prizes_at
from ...draws.queries.drafts import is_stale
from ...models import Event, Heat, HeatEntry, HeatResult, StagePlayer
from ...models.enums import EntryStatus, HeatStatus
from ...results.queries.ranking import final_ranking


@dataclass(frozen=True)
class Picture:
    """Everything in an event that a correction can change, besides the corrected heat's sheets.

    Players are given by reference, heats, rounds and drafts by number; money in minor units.
    ``round_players`` says how each present player got into a round, ``round_absent`` who is
    missing. ``drafts`` are the open ones and whether each has to be drawn again. A difference has
    the same fields, with the changed keys only, and pairs of the values before and after (None
    where there is nothing).
    """

    qualified: Mapping[str, Any]
    going_on: Mapping[int, Any]
    statuses: Mapping[str, Any]
    waiting: Mapping[str, Any]
    heats: Mapping[int, Any]
    tables: Mapping[int, Any]
    rounds: Mapping[int, Any]
    round_players: Mapping[tuple[int, str], Any]
    round_absent: Mapping[tuple[int, str], Any]
    drafts: Mapping[int, Any]
    places: Mapping[str, Any]
    prizes: Mapping[str, Any]
    owed: Mapping[str, Any]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it: of a difference, that nothing differs."""
        return not any(getattr(self, each.name) for each in fields(self))


def picture_of(event: Event) -> Picture:
    """Return what the event says now (a fixed number of queries, and one for each open draft)."""
    registrations = list(event.registrations.all())
    numbers = {row.pk: row.player_id for row in registrations}
    balances = balances_of(event, registrations)
    rows = StagePlayer.objects.filter(stage__event=event).values_list(
        "stage__number", "registration", "source", "absent"
    )
    in_rounds = [
        (stage, numbers[registration], source, absent)
        for stage, registration, source, absent in rows
    ]
    heats = Heat.objects.filter(event=event).order_by("number")
    waiting = HeatEntry.objects.waiting().filter(registration__event=event)
    return Picture(
        qualified={
            numbers[pk]: True
            for pk in event.qualifications.valid().values_list("registration", flat=True)
        },
        going_on=_going_on(event),
        statuses={row.player_id: row.status for row in registrations},
        waiting={numbers[pk]: True for pk in waiting.values_list("registration", flat=True)},
        heats=dict(heats.values_list("number", "status")),
        tables=_tables(event),
        rounds=dict(event.stages.playoffs().values_list("number", "status")),
        round_players={
            (stage, player): source for stage, player, source, absent in in_rounds if not absent
        },
        round_absent={
            (stage, player): True for stage, player, _source, absent in in_rounds if absent
        },
        drafts={draw.number: is_stale(draw) for draw in _drafts(event)},
        places={each.player_id: each.place for each in final_ranking(event)},
        prizes={str(row.number): row.amount for row in prizes_at(event).rows if row.amount},
        owed={numbers[row.registration.pk]: row.owes for row in balances if row.owes},
    )


def _drafts(event: Event) -> list[Any]:
    drafts = list(event.draws.drafts().select_related("stage").order_by("number"))
    for draw in drafts:
        draw.event = draw.stage.event = event
    return drafts


def _going_on(event: Event) -> dict[int, tuple[str, ...]]:
    found: dict[int, tuple[str, ...]] = {}
    for heat, number in (
        HeatResult.objects.filter(
            heat__event=event, heat__status=HeatStatus.FINISHED, advances=True
        )
        .order_by("heat__number", "entry__registration__number")
        .values_list("heat__number", "entry__registration__number")
    ):
        found[heat] = (*found.get(heat, ()), str(number))
    return found


def _tables(event: Event) -> dict[int, tuple[str, ...]]:
    """Return who sits in each heat, by its number; void heats have nobody left."""
    found: dict[int, tuple[str, ...]] = {}
    for heat, number in (
        HeatEntry.objects.filter(heat__event=event)
        .exclude(status=EntryStatus.VOID)
        .order_by("heat__number", "registration__number")
        .values_list("heat__number", "registration__number")
    ):
        found[heat] = (*found.get(heat, ()), str(number))
    return found


def difference(before: Picture, after: Picture) -> Picture:
    """Return what differs, with both values."""
    return Picture(
        **{
            each.name: _changed(getattr(before, each.name), getattr(after, each.name))
            for each in fields(Picture)
        }
    )


def _changed(before: Mapping[Any, Hashable], after: Mapping[Any, Hashable]) -> dict[Any, Any]:
    return {
        key: (before.get(key), after.get(key))
        for key in [*before, *(key for key in after if key not in before)]
        if before.get(key) != after.get(key)
    }
