"""The public pages of the play-offs: the bracket as page, picture and print."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.pictures.svg import svg

from ...core.access import Request, of_playoffs, public_view
from ...core.listing import file_name
from ...core.page_cache import Part, cached_page, part
from ...models import Event
from ..drawing import bracket as layout
from ..drawing.sheet import address_of, bracket_sheet, title_of
from ..queries.bracket import Bracket, bracket_of, round_of

#: The background of the picture on its own.
PAPER = "#f7f4ec"
LAYOUTS = {"wide": layout.wide, "tall": layout.tall}
#: A bracket with more tables shows its last rounds; those before have pages of their own.
MAX_TABLES = 30


def _now(request: Request, event: Event, found: Bracket) -> Part:
    drawing = ""
    if found.rounds:
        picture = layout.wide(found, title_of(event), address_of(event))
        drawing = svg(picture, name="bracket")
    current = next((each.number for each in found.earlier if each.is_current), None)
    context = {
        "event": event,
        "bracket": found,
        "drawing": drawing,
        "current": current and _round(event, current),
        "marks": layout.used_marks(found.rounds),
    }
    path = reverse("tournaments:playoffs_now", args=[event.slug])
    return part(request, path, "tournaments/playoffs/_playoffs_now.html", context)


def _round(event: Event, number: int, page: str = "1") -> dict[str, Any]:
    """Return what the template of a large round shows."""
    found = round_of(event, number, page)
    if found is None:
        raise Http404(_("There is no such round."))
    return {
        "round": found[0],
        "page": found[1],
        "path": reverse("tournaments:playoffs_round", args=[event.slug, number]),
    }


@require_safe
@public_view
@of_playoffs
@cached_page()
def playoffs(request: Request, event: Event) -> HttpResponse:
    """Show the bracket, as a picture and as a table."""
    found = bracket_of(event, MAX_TABLES)
    return render(
        request,
        "tournaments/playoffs/playoffs.html",
        {"event": event, "bracket": found, "now": _now(request, event, found)},
    )


@require_safe
@public_view
@of_playoffs
@cached_page()
def playoffs_now(request: Request, event: Event) -> HttpResponse:
    """Return the bracket if it has changed, otherwise 304."""
    return HttpResponse(_now(request, event, bracket_of(event, MAX_TABLES)).html)


@require_safe
@public_view
@of_playoffs
@cached_page("page")
def playoffs_round(request: Request, event: Event, number: int) -> HttpResponse:
    """Show one round, a page of tables at a time."""
    shown = _round(event, number, request.GET.get("page", "1"))
    context = {"event": event, "marks": layout.used_marks([shown["round"]])}
    return render(request, "tournaments/playoffs/round.html", context | shown)


@require_safe
@public_view
@of_playoffs
@cached_page("layout")
def playoffs_svg(request: Request, event: Event) -> HttpResponse:
    """Return the bracket as SVG; ``?layout=tall`` for a narrow one."""
    lay_out = LAYOUTS.get(request.GET.get("layout", "wide"))
    if lay_out is None:
        raise Http404
    picture = lay_out(bracket_of(event), title_of(event), address_of(event))
    text = svg(picture, name="bracket", alone=True, ground=PAPER)
    return HttpResponse(text, content_type="image/svg+xml; charset=utf-8")


@require_safe
@public_view
@of_playoffs
def playoffs_pdf(request: Request, event: Event) -> HttpResponse:
    """Return the bracket on one sheet of A4."""
    content = bracket_sheet(event)
    response = HttpResponse(content, content_type="application/pdf")
    name = file_name(event, _("Bracket"), "pdf")
    response["Content-Disposition"] = f'inline; filename="{name}"'
    return response
