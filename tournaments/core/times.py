"""Doors, start and end of play of a day, a draft or a heat."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..models import Day, Planned

TIMES = ("doors_at", "starts_at", "ends_at")


def times(row: Planned) -> dict[str, Any]:
    """Return the row's times by name, None where there is none."""
    return {name: getattr(row, name) for name in TIMES}


def set_times(row: Planned, given: Mapping[str, Any]) -> None:
    """Put these times and no others into the row, which the caller saves.

    Raises ``ValidationError`` for times in the wrong order.
    """
    for name in TIMES:
        setattr(row, name, given.get(name))
    row.validate_constraints()


def stored_times(row: Planned) -> dict[str, str]:
    """Return the times that are set, as stored in the log and in event documents."""
    return {name: value.isoformat() for name, value in times(row).items() if value}


def stored_days(days: Iterable[Day]) -> list[dict[str, Any]]:
    """Return days of a timetable as stored in the log and in event documents."""
    return [
        {"name": day.name}
        | ({"session_kind": day.session_kind} if day.session_kind else {})
        | ({"places": day.places} if day.places else {})
        | stored_times(day)
        for day in days
    ]
