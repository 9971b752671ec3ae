"""The bracket as a file: landscape sheets, in colour or in black."""

from dataclasses import replace
from functools import partial

from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.messages import texts_in
from scoring.pictures.shapes import Picture

from ...models import Event
from ..queries.bracket import Bracket, Round, bracket_of
from . import bracket as layout
from .parts import part_pages
from .pdf import Page, best_fold, bracket_pdf, scale_of

#: The smallest type of names, in points: of a whole bracket, and of the last rounds of a split one.
MIN_WHOLE, MIN_SPLIT = 6.5, 8


def title_of(event: Event) -> str:
    """Return the picture's title."""
    return _("Play-offs of %(event)s") % {"event": event.name}


def address_of(event: Event) -> layout.Address:
    """Return a function that gives the address of a heat by number."""
    return lambda number: reverse("tournaments:heat", args=[event.slug, number])


def bracket_sheet(event: Event, *, plain: bool = False) -> bytes:
    """Return the event's bracket as of now.

    One page, unless its names would be too small to read: then each of the first rounds that has
    been made has pages of its own.
    """
    found = bracket_of(event)
    pictures, left_out = pages_of(found, title_of(event), address_of(event))
    around = [
        *(_left_out(each) for each in left_out),
        _("Bold: advances"),
        *(f"{sign} = {meaning}" for sign, meaning in layout.used_marks(found.rounds)),
        _("Printed %(when)s") % {"when": date_format(timezone.localtime(), "DATETIME_FORMAT")},
    ]

    def foot(page: int, pages: int) -> str:
        number = _("Page %(page)s of %(pages)s") % {"page": page, "pages": pages}
        return " · ".join([*around, number])

    page = Page(
        title=title_of(event),
        subtitle=event.venue,
        foot=foot,
        language=texts_in(translation.get_language()).locale,
        plain=plain,
        sheet=event.paper_size,
    )
    return bracket_pdf(pictures, page)


def pages_of(
    bracket: Bracket, title: str, address: layout.Address
) -> tuple[list[Picture], list[Round]]:
    """Return the bracket's pages, and the planned rounds that a large one leaves out.

    As many last rounds as can be read share the last page.
    """
    first = 0
    while True:
        rounds = bracket.rounds[first:]
        last = best_fold(partial(layout.wide, replace(bracket, rounds=rounds), title, address))
        least = MIN_SPLIT if first else MIN_WHOLE
        if len(rounds) < 2 or scale_of(last) * layout.NAME >= least:
            break
        first += 1
    made = [index for index in range(first) if not bracket.rounds[index].is_planned]
    parts = [page for index in made for page in part_pages(bracket, index, title, address)]
    return [*parts, last], [each for each in bracket.rounds[:first] if each.is_planned]


def _left_out(each: Round) -> str:
    tables = ngettext("%(count)s table", "%(count)s tables", len(each.tables))
    return f"{each.title}: {tables % {'count': len(each.tables)}}"
