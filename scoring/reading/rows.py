"""A sheet's stored rows, and the state after them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.sheet.state import State

from ..enums import SheetStatus
from ..models import Sheet
from .history import Row, Step, play, slots_of
from .rules import rules_of

#: States by chain: the hash of a sheet's last row stands for all its rows, seats and rules, so the
#: next entry need not replay them.
_STATES: dict[str, State] = {}
_MAX_STATES = 1000
#: The steps of games that were written at once, by chain likewise: their results come next.
_STEPS: dict[str, tuple[Step, ...]] = {}
_MAX_STEPS = 20


def rows_of(sheet: Sheet) -> list[Row]:
    """Return the sheet's rows for a replay (one query)."""
    found = sheet.entries.order_by("sequence").values_list(
        "sequence", "kind", "entry", "target__sequence"
    )
    return [Row(*values) for values in found]


def state_of(sheet: Sheet) -> State:
    """Return the state after a locked sheet's rows, cached or replayed."""
    state = _STATES.get(sheet.chain)
    if state is None:
        rows = rows_of(sheet) if sheet.version else ()
        slots, seats = slots_of(rows, sheet.drawn_seats)
        state = play(rules_of(sheet.table), len(seats), sheet.dealer, slots).state
    return state


def keep_state(sheet: Sheet, state: State) -> None:
    """Keep the state after a locked sheet's last row for its next reader."""
    if len(_STATES) >= _MAX_STATES:
        _STATES.clear()
    _STATES[sheet.chain] = state


def keep_steps(sheet: Sheet, steps: Sequence[Step]) -> None:
    """Keep the steps of all of a locked sheet's rows, which are entries that count."""
    if len(_STEPS) >= _MAX_STEPS:
        _STEPS.clear()
    _STEPS[sheet.chain] = tuple(steps)


def kept_steps(sheet: Sheet) -> Sequence[Step] | None:
    """Return the steps of a sheet as it is now if they have been kept."""
    return _STEPS.get(sheet.chain)


def has_entries(sheet: Sheet) -> bool:
    """Return whether a sheet has entries that totals would replace, besides players sitting out."""
    slots, _seats = slots_of(rows_of(sheet), sheet.drawn_seats)
    return any(not s.voided and s.entry.get("action") != "sit_out_game" for s in slots)


def is_dealt(sheet: Sheet) -> bool:
    """Return whether a sheet has entries of a deal; rulings may stand before the first."""
    slots, _seats = slots_of(rows_of(sheet), sheet.drawn_seats)
    return any(not s.voided and s.entry.get("kind") != "ruling" for s in slots)


def later_begun(sheet: Sheet) -> bool:
    """Return whether a later game of the table has begun."""
    begun = {SheetStatus.RUNNING, SheetStatus.FINISHED}
    later = Sheet.objects.filter(table=sheet.table_id, number__gt=sheet.number)
    return later.filter(status__in=begun).exists()
