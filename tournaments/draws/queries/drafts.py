"""A draft as shown on its page: tables, reasons, and whether it is stale."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine.draws.draw import TABLE_MAX
from engine.draws.pairing import Cost, History, pair_of

from ...cash.queries.ledger import owed_by
from ...core.errors import Refused
from ...core.names import staff_name
from ...models import (
    Draw,
    Event,
    HeatEntry,
    KeepApart,
    Registration,
)
from ...models.enums import (
    StageKind,
)
from ...models.money import show_amount
from .history import tables_so_far
from .plan import (
    STAYS,
    drawable,
    free_count,
    free_tables,
    present,
    tables_in_use,
    why_waits_on,
)
from .reasons import ERROR, NOTE, WARNING, Past, SeatingReason, past_of, seating_reasons


@dataclass(frozen=True)
class DraftPlayer:
    """A player of a draft; ``gone`` cannot be seated any more, ``moved`` was put here by hand.

    ``waits_on`` says why the player is not seated, ``owes`` what is still to be paid.
    """

    player_id: str
    name: str
    tables_of_three: int
    fixed_table: int | None
    moved: bool = False
    gone: bool = False
    waits_on: str = ""
    owes: str = ""


@dataclass(frozen=True)
class DraftTable:
    """A table of a draft: its players, its table in the room, and what speaks for or against it."""

    index: int
    title: str
    number: int | None
    players: tuple[DraftPlayer, ...]
    reasons: tuple[SeatingReason, ...]

    @property
    def refused(self) -> bool:
        """Whether one of its reasons keeps it from being published."""
        return any(reason.level == ERROR for reason in self.reasons)

    @property
    def can_take(self) -> bool:
        """Whether there is room for one more player."""
        return len(self.players) < TABLE_MAX


@dataclass(frozen=True)
class DraftView:
    """Everything on a draft's page."""

    draw: Draw
    tables: tuple[DraftTable, ...]
    waiting: tuple[DraftPlayer, ...]
    came: tuple[str, ...]
    left: tuple[str, ...]
    missing: tuple[str, ...]
    reordered: bool
    refusal: str
    cost: Cost
    cost_as_drawn: Cost

    @property
    def is_stale(self) -> bool:
        """Whether the players who can be drawn have changed since."""
        return bool(self.came or self.left or self.reordered)

    @property
    def can_publish(self) -> bool:
        """Whether all its players can still be seated, and every group has a table in the room."""
        return not self.missing and not self.refusal

    @property
    def changed(self) -> bool:
        """Whether players were moved by hand."""
        return bool(self.draw.groups != self.draw.drawn)


def who_can_be_drawn(draw: Draw) -> list[Registration]:
    """Return who can be drawn in the draft's stage now, in order of queue or ranking."""
    if draw.stage.kind == StageKind.QUALIFYING:
        return [
            entry.registration
            for entry in drawable(draw.event, draw.stage, draw.wanted.get("part"))
        ]
    return present(draw.stage)


def draft_view(draw: Draw) -> DraftView:
    """Return a draft as shown on its page (at most ten queries, whatever its size)."""
    event = draw.event
    now = who_can_be_drawn(draw)
    current = [registration.player_id for registration in now]
    everybody = {*draw.queue, *current}
    rows = {
        row.player_id: row
        for row in event.registrations.filter(number__in=map(int, everybody)).select_related(
            "person"
        )
    }
    names = staff_names(rows)
    past = past_of(tables_so_far(event), reasons_apart(event), everybody)
    numbers, refusal = _room(event, draw, rows)
    taken = tables_in_use(event)
    first_places = {
        player_id: index for index, group in enumerate(draw.drawn) for player_id in group
    }
    seated = {player_id for group in draw.groups for player_id in group}
    fixed_seated = {rows[player_id].fixed_table for player_id in seated}
    missing = seated - set(current)

    owed = owed_by(event) if event.price else {}
    why = why_waits_on(
        len(draw.groups),
        free_count(event, taken, len(draw.queue)),
        draw.wanted.get("tables"),
        draw.wanted.get("full", False),
    )

    def waits_on(player_id: str) -> str:
        fixed = rows[player_id].fixed_table
        if fixed in taken - {None}:
            return str(STAYS["fixed_taken"])
        shared = len(draw.groups) > 1 and fixed in fixed_seated - {None}
        return str(STAYS["fixed_shared" if shared else why])

    def player(player_id: str, table: int | None) -> DraftPlayer:
        return DraftPlayer(
            player_id=player_id,
            name=names[player_id],
            tables_of_three=past.tables_of_three.get(player_id, 0),
            fixed_table=rows[player_id].fixed_table,
            moved=first_places.get(player_id) != table,
            gone=player_id not in current,
            waits_on=waits_on(player_id) if table is None else "",
            owes=show_amount(amount, event.currency)
            if (amount := owed.get(rows[player_id].pk, 0)) > 0
            else "",
        )

    wanted_twice = _wanted_twice(draw.groups, rows)
    tables = tuple(
        DraftTable(
            index=index,
            title=draw.table_title(index),
            number=numbers[index] if numbers else None,
            players=tuple(player(player_id, index) for player_id in group),
            reasons=(
                *_fixed_reasons(group, rows, names, numbers, index, taken, wanted_twice),
                *seating_reasons(group, past, names),
            ),
        )
        for index, group in enumerate(draw.groups)
    )
    history = _history(past)
    return DraftView(
        draw=draw,
        tables=tables,
        waiting=tuple(
            player(player_id, None) for player_id in draw.queue if player_id not in seated
        ),
        came=tuple(names[player_id] for player_id in current if player_id not in draw.queue),
        left=tuple(names[player_id] for player_id in draw.queue if player_id not in current),
        missing=tuple(names[player_id] for player_id in draw.queue if player_id in missing),
        reordered=set(current) == set(draw.queue) and current != draw.queue,
        refusal=refusal,
        cost=history.total(draw.groups),
        cost_as_drawn=history.total(draw.drawn),
    )


def staff_names(rows: Mapping[str, Registration]) -> dict[str, str]:
    """Return staff names by reference; players with the same name also get their number."""
    plain = {player_id: staff_name(row.person) for player_id, row in rows.items()}
    seen: dict[str, int] = {}
    for name in plain.values():
        seen[name] = seen.get(name, 0) + 1
    return {
        player_id: name if seen[name] == 1 else f"{name} ({player_id})"
        for player_id, name in plain.items()
    }


def reasons_apart(event: Event) -> dict[tuple[str, str], str]:
    """Return the pairs to keep apart and the reasons (one query)."""
    return {
        pair_of(str(one), str(other)): reason
        for one, other, reason in KeepApart.objects.filter(event=event).values_list(
            "one__number", "other__number", "reason"
        )
    }


def _history(past: Past) -> History:
    return History(
        {pair: len(heats) for pair, heats in past.meetings.items()},
        past.tables_of_three,
        frozenset(past.kept_apart),
    )


def _room(
    event: Event, draw: Draw, rows: Mapping[str, Registration]
) -> tuple[list[int] | None, str]:
    """Return the groups' tables in the room, or None and the reason why there are none."""
    groups = [
        [HeatEntry(registration=rows[player_id]) for player_id in group] for group in draw.groups
    ]
    try:
        return free_tables(event, groups), ""
    except Refused as refused:
        return None, str(refused)


def _wanted_twice(groups: Sequence[Sequence[str]], rows: Mapping[str, Registration]) -> set[int]:
    """Return the fixed tables that players of different groups share."""
    by_table: dict[int, set[int]] = {}
    for index, group in enumerate(groups):
        for player_id in group:
            table = rows[player_id].fixed_table
            if table is not None:
                by_table.setdefault(table, set()).add(index)
    return {table for table, groups_there in by_table.items() if len(groups_there) > 1}


def _fixed_reasons(
    group: Sequence[str],
    rows: Mapping[str, Registration],
    names: Mapping[str, str],
    numbers: Sequence[int] | None,
    index: int,
    taken: set[int | None],
    wanted_twice: set[int],
) -> list[SeatingReason]:
    """Return the reasons about players with a fixed table."""
    found = []
    for player_id in group:
        table = rows[player_id].fixed_table
        if table is None:
            continue
        what = {"name": names[player_id], "table": table}
        if table in taken:
            text = _("%(name)s always sits at table %(table)s, where a heat is being played.")
            found.append(SeatingReason(ERROR, "fixed_taken", text % what, (player_id,)))
        elif table in wanted_twice:
            text = _("%(name)s always sits at table %(table)s, and so does somebody else here.")
            found.append(SeatingReason(ERROR, "fixed_clash", text % what, (player_id,)))
        elif numbers is not None and numbers[index] != table:
            text = _("%(name)s always sits at table %(table)s, but not in this draft.")
            found.append(SeatingReason(WARNING, "fixed_other", text % what, (player_id,)))
        else:
            text = _("%(name)s always sits at table %(table)s.")
            found.append(SeatingReason(NOTE, "fixed", text % what, (player_id,)))
    return found


def is_stale(draw: Draw) -> bool:
    """Return whether those who can be drawn have changed since the draft was made (one query)."""
    return bool([row.player_id for row in who_can_be_drawn(draw)] != draw.queue)
