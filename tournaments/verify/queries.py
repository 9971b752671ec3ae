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
    """When an event was last checked (None: never), and what did not match."""

    at: datetime | None
    failed: bool
    found: list[Sentence]


def chore_of(event: Event) -> str:
    """Return the name under which the last check of an event is kept."""
    return f"{CHECK} {event.pk}"


def last_check(event: Event) -> LastCheck:
    """Return the last check's outcome for an event (one query, two with findings)."""
    kept = {each.name: each for each in Chore.objects.filter(name__in=[CHECK, chore_of(event)])}
    the_round, own = kept.get(CHECK), kept.get(chore_of(event))
    # Of the whole database: safeguards, and what no event has.
    found = [each for each in the_round.found if not each["event"]] if the_round else []
    return LastCheck(
        own.ended_at if own else None,
        bool(the_round and the_round.failure),
        sentences_of(event, found + own.found if own else found),
    )


def sentences_of(event: Event, found: Sequence[Mapping[str, Any]]) -> list[Sentence]:
    """Return findings of an event in words (one query if there are any)."""
    if not found:
        return []
    return sentences(found, dict(event.heats.exclude(title="").values_list("number", "title")))
