"""What is told of a page to robots and to programs that show a link: title, text and picture.

Pages that are not for everybody carry none of it, and say that they are in no index.
"""

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from ..models import Event
from ..models.enums import EventStatus, Shares
from .address_language import PARAMETER
from .addresses import public_address
from .days import days_of

#: Addresses that everybody may find; all others are in no index.
_PUBLIC = re.compile(
    r"/(?:e/[-\w]+/(?!desk/).*|series/(?:[-\w]+/(?:share\.\w+\.png)?)?|rules/.*|play/|api/(?:v1/.*|openapi\.yaml)?"
    r"|organisers/[-\w]+/(?:calendar\.ics|feed\.atom)|docs/.*|static/.*"
    r"|robots\.txt|sitemap\.xml|app\.webmanifest)?\Z"
)


def is_public(path: str) -> bool:
    """Return whether robots may find an address.

    >>> [is_public(path) for path in ("/", "/e/sm/heats/1/", "/e/sm/desk/", "/p/x/", "/s/x/")]
    [True, True, False, False, False]
    """
    return _PUBLIC.match(path) is not None


@dataclass(frozen=True, slots=True)
class Shared:
    """A page as a link to it is shown; ``picture`` is a path."""

    title: str
    text: str = ""
    picture: str = ""


def shared_event(event: Event, picture: str = "") -> Shared:
    """Return an event as a link to it is shown; ``picture`` is the path of its own."""
    text = " · ".join(filter(None, (days_of(event), event.venue)))
    return Shared(event.name, text, picture or drawn_picture(event, Shares.EVENT))


def drawn_picture(event: Event, kind: Shares, number: int = 0) -> str:
    """Return the path of what the worker draws of an event, in the active language."""
    language = get_language() or settings.LANGUAGE_CODE
    return reverse("tournaments:shared_picture", args=[event.slug, kind.value, number, language])


def head_of(
    request: HttpRequest, shared: Shared | None, event: Event | None, title: str
) -> dict[str, Any]:
    """Return what the head of a public page shows; empty for any other page.

    A page without a ``shared`` of its own is shown as its ``title``, with the event's picture.
    """
    if not is_public(request.path) or (event and event.status == EventStatus.DRAFT):
        return {}
    if shared is None:
        shared = replace(shared_event(event), title=title) if event else Shared(title)
    address = public_address(request, request.path)
    return {
        "shared": shared,
        "picture": public_address(request, shared.picture or static("site/share.png")),
        "bare": address,
        "canonical": f"{address}?{PARAMETER}={get_language()}",
        "languages": [
            (code, f"{address}?{PARAMETER}={code}") for code, _name in settings.LANGUAGES
        ],
    }


def as_data(event: Event, shared: Shared, address: str, picture: str) -> SafeString:
    """Return an event as schema.org's, for search programs: JSON that can end no script element."""
    document: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": event.name,
        "startDate": event.starts_on.isoformat(),
        "endDate": event.ends_on.isoformat(),
        "url": address,
        "image": picture,
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "eventStatus": "https://schema.org/EventScheduled",
        "organizer": {"@type": "Organization", "name": str(event.organiser)},
    }
    if event.venue:
        document["location"] = {"@type": "Place", "name": event.venue, "address": event.venue}
    text = json.dumps(document, ensure_ascii=False)
    # Safe: no "<", ">" or "&" is left in it.
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return mark_safe(text)
