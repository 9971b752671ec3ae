"""Doors, start and end of play of a day, a draft or a heat."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext_lazy as _

from ..models import Day, Planned

TIMES = ("doors_at", "starts_at", "ends_at")


def moments_of(wall: datetime) -> list[datetime]:
    """Return the moments at which the clocks here show this time: none, one or two.

    None in the hour that is left out when clocks are put forward, two in the one that comes twice
    when they are put back.
    """
    zone = timezone.get_current_timezone()
    both = [wall.replace(tzinfo=zone, fold=fold) for fold in (0, 1)]
    real = [each for each in both if each.astimezone(UTC).astimezone(zone) == each]
    return real if len({each.utcoffset() for each in real}) > 1 else real[:1]


def no_such_time(wall: datetime) -> ValidationError:
    """Return why a time cannot be meant that no clock here shows."""
    zone = timezone.get_current_timezone()
    later = wall.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)
    return ValidationError(
        _(
            "There is no %(time)s on %(date)s: the clocks are put forward that night. What would "
            "be %(time)s is %(later)s."
        ),
        "no_such_time",
        {
            "time": time_format(wall, "H:i"),
            "date": date_format(wall, "j F Y"),
            "later": time_format(later, "H:i"),
        },
    )


def which_time(wall: datetime) -> ValidationError:
    """Return the question which of the two moments is meant."""
    return ValidationError(
        _(
            "%(time)s comes twice on %(date)s: the clocks are put back that night. Choose which "
            "one is meant."
        ),
        "comes_twice",
        {"time": time_format(wall, "H:i"), "date": date_format(wall, "j F Y")},
    )


def times(row: Planned) -> dict[str, Any]:
    """Return the row's times by name, None where there is none."""
    return {name: getattr(row, name) for name in TIMES}


def set_times(row: Planned, given: Mapping[str, Any]) -> None:
    """Put these times and no others into the row, which the caller saves.

    Raises ``ValidationError`` for times in the wrong order.
    """
    for name in TIMES:
        setattr(row, name, given.get(name))
    if given:
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
