"""The outcome of the last check."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from ..models import Event, Job
from .texts import Sentence, sentences

#: The periodic task that checks.
CHECK = "check"


@dataclass(frozen=True, slots=True)
class LastCheck:
    """When an event was last checked (None: never), and what did not match."""

    at: datetime | None
    failed: bool
    found: list[Sentence]


def checks() -> QuerySet[Job]:
    """Return the last check of each event, and the periodic task, which belongs to none."""
    return Job.objects.filter(kind=CHECK)


def last_check(event: Event) -> LastCheck:
    """Return the last check's outcome for an event (one query, two with findings)."""
    kept = {each.event_id: each for each in checks().filter(Q(event=None) | Q(event=event))}
    the_round, own = kept.get(None), kept.get(event.pk)
    # Of the whole database: safeguards, and what no event has.
    found = [each for each in the_round.result or [] if not each["event"]] if the_round else []
    return LastCheck(
        own.ended_at if own else None,
        bool(the_round and the_round.failure),
        sentences_of(event, found + own.result if own else found),
    )


def sentences_of(event: Event, found: Sequence[Mapping[str, Any]]) -> list[Sentence]:
    """Return findings of an event in words (one query if there are any)."""
    if not found:
        return []
    return sentences(found, dict(event.heats.exclude(title="").values_list("number", "title")))
