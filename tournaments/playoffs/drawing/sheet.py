"""The bracket as a file: one sheet of A4, in colour or in black."""

from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from ...models import Event
from ..queries.bracket import bracket_of
from . import bracket as layout
from .pdf import Page, bracket_pdf


def title_of(event: Event) -> str:
    """Return the picture's title."""
    return _("Play-offs of %(event)s") % {"event": event.name}


def address_of(event: Event) -> layout.Address:
    """Return a function that gives the address of a heat by number."""
    return lambda number: reverse("tournaments:heat", args=[event.slug, number])


def bracket_sheet(event: Event, *, plain: bool = False) -> bytes:
    """Return the event's bracket as of now."""
    found = bracket_of(event)
    signs = [f"{sign} = {meaning}" for sign, meaning in layout.used_marks(found)]
    now = date_format(timezone.localtime(), "DATETIME_FORMAT")
    pages = _("Page %(page)s of %(pages)s") % {"page": 1, "pages": 1}
    page = Page(
        title=title_of(event),
        subtitle=event.venue,
        foot=" · ".join([_("Bold: goes on"), *signs, _("Printed %(when)s") % {"when": now}, pages]),
        language=(translation.get_language() or "en").split("-")[0],
        plain=plain,
    )
    return bracket_pdf(
        lambda fold: layout.wide(found, title_of(event), address_of(event), fold), page
    )
