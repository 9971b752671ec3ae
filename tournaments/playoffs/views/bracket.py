"""The public pages of the play-offs: the bracket as page, picture and print."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from ...core.access import Request, of_playoffs, public_view
from ...core.kept import Part, kept, part
from ...models import Event
from ..drawing import bracket as layout
from ..drawing.sheet import address_of, bracket_sheet, title_of
from ..drawing.svg import svg
from ..queries.bracket import Bracket, bracket_of

#: The background of the picture on its own.
PAPER = "#f7f4ec"
LAYOUTS = {"wide": layout.wide, "tall": layout.tall}


def _now(request: Request, event: Event, found: Bracket) -> Part:
    drawings = {}
    if found.rounds:
        for name, lay_out in LAYOUTS.items():
            picture = lay_out(found, title_of(event), address_of(event))
            # Safe: our own writer escapes all text.
            drawings[name] = mark_safe(svg(picture, name=name))
    context = {
        "event": event,
        "bracket": found,
        "drawings": drawings,
        "marks": layout.used_marks(found),
        "signs": {mark: both[1] for mark, both in layout.marks().items()},
    }
    path = reverse("tournaments:playoffs_now", args=[event.slug])
    return part(request, path, "tournaments/playoffs/_playoffs_now.html", context)


@require_safe
@public_view
@of_playoffs
@kept()
def playoffs(request: Request, event: Event) -> HttpResponse:
    """Show the bracket, as a picture and as a table."""
    found = bracket_of(event)
    return render(
        request,
        "tournaments/playoffs/playoffs.html",
        {"event": event, "bracket": found, "now": _now(request, event, found)},
    )


@require_safe
@public_view
@of_playoffs
@kept()
def playoffs_now(request: Request, event: Event) -> HttpResponse:
    """Return the bracket if it has changed, otherwise 304."""
    return HttpResponse(_now(request, event, bracket_of(event)).html)


@require_safe
@public_view
@of_playoffs
@kept("layout")
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
    response["Content-Disposition"] = f'inline; filename="{event.slug}-play-offs.pdf"'
    return response
