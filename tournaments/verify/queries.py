"""What the last check found."""

from dataclasses import dataclass
from datetime import datetime

from ..models import Chore, Event
from .texts import Sentence, sentences

#: The name of the chore that checks.
CHECK = "check"


@dataclass(frozen=True, slots=True)
class LastCheck:
    """When the worker last looked (None: never), and what did not hold."""

    at: datetime | None
    failed: bool
    found: list[Sentence]


def last_check(event: Event) -> LastCheck:
    """Return the last check as far as it is about an event (one query)."""
    chore = Chore.objects.filter(name=CHECK).first()
    if chore is None:
        return LastCheck(None, False, [])
    of_event = [each for each in chore.found if each["event"] in {"", event.slug}]
    return LastCheck(chore.ended_at, bool(chore.failure), sentences(of_event))
