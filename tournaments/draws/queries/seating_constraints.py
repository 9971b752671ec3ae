"""Constraints on draws, for the staff: pairs to keep apart, fixed tables, and the room."""

from dataclasses import dataclass

from django.core.exceptions import ValidationError

from ...core.names import by_staff_name, family_name_first, staff_name
from ...models import Event, KeepApart, Registration
from ...models.enums import GONE
from ...models.search import plain
from ...models.titles import heat_title
from ...models.validators import room_tables


@dataclass(frozen=True)
class SeatingTable:
    """A table of the room, the heat played there, and whose fixed table it is."""

    number: int
    heat: int | None
    heat_name: str
    fixed: tuple[str, ...]


def players_to_choose(event: Event) -> list[tuple[int, str]]:
    """Return (number, name) of all who may still play, by name (one query).

    The last name comes first, so that typing it finds the player.
    """
    rows = (
        event.registrations.select_related("person")
        .exclude(status__in=GONE)
        .order_by(by_staff_name(), "number")
    )
    return [
        (row.number, f"{family_name_first(staff_name(row.person), row)} ({row.number})")
        for row in rows
    ]


def of_one_name(event: Event, typed: str) -> list[Registration]:
    """Return the players with this last name or of this club (one query)."""
    wanted = plain(typed)
    rows = _who_may_play(event)
    return [
        row for row in rows if wanted in {plain(row.person.family_name), plain(row.person.club)}
    ]


def clubs(event: Event) -> list[list[Registration]]:
    """Return the players of each club (one query)."""
    found: dict[str, list[Registration]] = {}
    for row in _who_may_play(event):
        if row.person.club:
            found.setdefault(plain(row.person.club), []).append(row)
    return list(found.values())


def _who_may_play(event: Event) -> list[Registration]:
    rows = event.registrations.select_related("person").exclude(status__in=GONE)
    return list(rows.order_by("number"))


def apart_pairs(event: Event) -> list[KeepApart]:
    """Return the pairs to keep apart, with their persons (one query)."""
    return list(
        KeepApart.objects.filter(event=event)
        .select_related("one__person", "other__person")
        .order_by(by_staff_name("one__"), "pk")
    )


def fixed_tables(event: Event) -> list[Registration]:
    """Return the players with a fixed table (one query)."""
    return list(
        event.registrations.filter(fixed_table__isnull=False)
        .select_related("person")
        .order_by("fixed_table", "number")
    )


def room(event: Event) -> list[SeatingTable]:
    """Return the tables of the room and how they are used now (two queries).

    These are the room plan's tables, then others that are in use or fixed.
    """
    heats = {
        table: (heat, heat_title(title, heat))
        for table, heat, title in event.heats.open()
        .order_by("table_number")
        .values_list("table_number", "number", "title")
        if table is not None
    }
    fixed: dict[int, list[str]] = {}
    for row in fixed_tables(event):
        fixed.setdefault(row.fixed_table or 0, []).append(staff_name(row.person))
    try:
        plan = room_tables(event.room_plan)
    except ValidationError:
        plan = []
    numbers = [*plan, *sorted({*heats, *fixed} - set(plan))]
    found = []
    for number in numbers:
        heat, name = heats.get(number, (None, ""))
        found.append(SeatingTable(number, heat, name, tuple(fixed.get(number, ()))))
    return found
