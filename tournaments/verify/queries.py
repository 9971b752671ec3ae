"""The outcome of the last check."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..models import Chore, Event
from .texts import Sentence, sentences

#: The chore that checks.
CHECK = "check"


@dataclass(frozen=True, slots=True)
class LastCheck:
    """When the worker last checked (None: never), and what did not match."""

    at: datetime | None
    failed: bool
    found: list[Sentence]


def last_check(event: Event) -> LastCheck:
    """Return the last check's outcome for an event (one query, two with findings)."""
    chore = Chore.objects.filter(name=CHECK).first()
    if chore is None:
        return LastCheck(None, False, [])
    of_event = [each for each in chore.found if each["event"] in {"", event.slug}]
    return LastCheck(chore.ended_at, bool(chore.failure), said(event, of_event))


def said(event: Event, found: Sequence[Mapping[str, Any]]) -> list[Sentence]:
    """Return findings of an event in words (one query if there are any)."""
    if not found:
        return []
    return sentences(found, dict(event.heats.exclude(title="").values_list("number", "title")))
