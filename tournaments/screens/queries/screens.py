"""Screens, what they are to show, and what interrupts them."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from ...core.expiry import expire_at
from ...models import Event, Screen
from ...models.enums import Audience, EventStatus, ScreenPart, TakesOver
from ...models.screen import LETTERS
from ...notices.queries.announcements import in_force
from .lists import last_draw
from .play import AFTER_THE_FINAL, last_final

#: How long a draw's seats interrupt what screens show.
AFTER_A_DRAW = timedelta(minutes=10)
#: How long an announcement to all interrupts what screens show.
CALLED_FOR = timedelta(minutes=1)
#: A screen speaks up every half minute.
LATE = timedelta(seconds=90)


@dataclass(frozen=True)
class Interruption:
    """What takes over for a while: the kind of reason, the part, and until when if that is known.

    ``mark`` tells one from the next.
    """

    kind: TakesOver
    part: ScreenPart
    mark: str
    until: datetime | None = None

    def as_json(self) -> dict[str, Any]:
        """Return it as the screen's script reads it."""
        until = round(self.until.timestamp() * 1000) if self.until else None
        return {"kind": self.kind, "part": self.part, "mark": self.mark, "until": until}


def interruptions(event: Event) -> list[Interruption]:
    """Return what interrupts programmes now, most urgent first (three queries)."""
    now = timezone.now()
    found = []
    called = in_force(event).filter(audience=Audience.ALL, made_at__gt=now - CALLED_FOR).first()
    if called is not None:
        until = min(filter(None, (called.made_at + CALLED_FOR, called.ends_at)))
        found.append(Interruption(TakesOver.CALL, ScreenPart.NOTICES, f"call {called.pk}", until))
    drawn = last_draw(event)
    if drawn is not None and drawn[1] + AFTER_A_DRAW > now:
        until = drawn[1] + AFTER_A_DRAW
        mark = f"draw {drawn[0].number}"
        found.append(Interruption(TakesOver.DRAW, ScreenPart.SEATS, mark, until))
    heat = last_final(event)
    if heat is not None and heat.finished_at is not None:
        until = heat.finished_at + AFTER_THE_FINAL
        mark = f"champion {heat.number}"
        found.append(Interruption(TakesOver.FINAL, ScreenPart.CHAMPION, mark, until))
    elif heat is not None:
        mark = f"final {heat.number}"
        found.append(Interruption(TakesOver.FINAL, ScreenPart.FINAL, mark))
    for each in found:
        expire_at(each.until)
    return found


def orders_of(event: Event) -> str:
    """Return a mark that changes when any screen of the event is to do something else."""
    rows = event.screens.order_by("pk").values_list(
        "pk", "name", "language", "dark", "programme", "takes_over", "shows"
    )
    text = json.dumps([*rows, event.status], default=str)
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def digest_of(secret: str) -> str:
    """Return what is stored of a screen's secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def read_letters(text: str) -> str:
    """Return typed letters as they are stored.

    >>> read_letters(" abc-def ")
    'ABCDEF'
    """
    return "".join(letter for letter in text.upper() if letter in LETTERS)


def screen_by(secret: str) -> Screen | None:
    """Return the screen with this secret, if there is one."""
    if not secret:
        return None
    return Screen.objects.select_related("event").filter(digest=digest_of(secret)).first()


def languages_of(screen: Screen) -> list[str]:
    """Return the languages that a screen shows in turns."""
    known = [code for code, _name in settings.LANGUAGES]
    return [screen.language] if screen.language in known else known


def path_of(event: Event, language: str, part: str) -> str:
    """Return the address of a part."""
    return reverse("tournaments:screen_part", args=[event.slug, language, part])


def programme_of(screen: Screen) -> list[tuple[ScreenPart, int]]:
    """Return a screen's programme: parts with their seconds."""
    return [(ScreenPart(part), int(seconds)) for part, seconds in screen.programme]


def is_open(event: Event) -> bool:
    """Return whether its public pages can be seen."""
    return event.status != EventStatus.DRAFT


@dataclass(frozen=True)
class AtDesk:
    """A screen as the desk sees it."""

    screen: Screen
    heard_at: datetime | None
    shows: str
    programme: str
    choices: Sequence[tuple[str, Any]]

    @property
    def is_lost(self) -> bool:
        """Whether it has not been heard for long."""
        if self.heard_at is None:
            return True
        return timezone.now() - self.heard_at > LATE


def at_desk(event: Event) -> list[AtDesk]:
    """Return the event's screens (one query)."""
    screens: QuerySet[Screen] = event.screens.select_related("contact").order_by("number")
    return [_at_desk(screen) for screen in screens]


def _at_desk(screen: Screen) -> AtDesk:
    contact = getattr(screen, "contact", None)
    shows = contact.shows if contact is not None else ""
    return AtDesk(
        screen,
        contact.heard_at if contact is not None else None,
        str(ScreenPart(shows).label) if shows in ScreenPart.values else "",
        ", ".join(f"{part.label} {seconds} s" for part, seconds in programme_of(screen)),
        parts_for(screen.event),
    )


def parts_for(event: Event | None) -> list[tuple[str, Any]]:
    """Return the parts that screens of an event can show."""
    of_playoffs: Iterable[str] = {ScreenPart.QUALIFIED, ScreenPart.BRACKET, ScreenPart.FINAL}
    left_out = of_playoffs if event is not None and event.ends_with_heats else ()
    return [(part, label) for part, label in ScreenPart.choices if part not in left_out]
