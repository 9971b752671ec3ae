"""Protocols as PDF."""

from typing import Any

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from scoring import paper as pdf

from ...core.access import Request, heat_view, public_view
from ...core.addresses import public_address
from ...core.versions import heat_etag
from ...models import Heat
from ..drawing._lists import heat_label
from ..drawing.protocols import day_of_play


def _head(heat: Heat) -> dict[str, Any]:
    """Return the heading of both prints."""
    return {
        "language": (translation.get_language() or "en").split("-")[0],
        "event_name": heat.event.name,
        "day": day_of_play(heat, heat.event.timetable.all()),
        "heat_label": heat_label(heat),
        "table_label": str(heat.table_number or ""),
    }


def _answer(content: bytes, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}"'
    return response


@require_safe
@public_view
@heat_view
def protocol_pdf(request: Request, heat: Heat) -> HttpResponse:
    """Return the heat's protocol on A4, or 304; ``?deals=1`` adds every deal.

    Its QR code leads to the heat's page.
    """
    if heat.table_id is None:
        raise Http404
    mark = heat_etag(heat)
    unchanged = get_conditional_response(request, etag=mark)
    if unchanged is not None:
        return unchanged
    page = public_address(request, reverse("tournaments:heat", args=[heat.event.slug, heat.number]))
    content = pdf.protocol_pdf(
        heat.table_id,
        public_url=page,
        with_deals=request.GET.get("deals") == "1",
        **_head(heat),
    )
    response = _answer(content, f"{heat.event.slug}-heat-{heat.number}.pdf")
    response["ETag"] = mark
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
@public_view
@heat_view
def empty_protocol_pdf(request: Request, heat: Heat) -> HttpResponse:
    """Return the heat's empty protocol with its seats as drawn, to be filled in with a pencil."""
    if heat.table_id is None:
        raise Http404
    head = _head(heat)
    language = head.pop("language")
    paper = pdf.paper_heat_of(heat.table_id, pdf.Labels(**head))
    content = pdf.empty_protocols_pdf([paper], language=language)
    return _answer(content, f"{heat.event.slug}-heat-{heat.number}-empty.pdf")
