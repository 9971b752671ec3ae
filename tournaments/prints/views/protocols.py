"""Protocols as PDF."""

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring import paper as pdf
from scoring.words import lang

from ...core.access import Request, heat_view, public_view
from ...core.addresses import public_address
from ...core.listing import file_name
from ...core.versions import heat_etag
from ...models import Heat
from ..drawing.protocols import heading


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
        heading(heat.event, heat, heat.event.timetable.all(), page),
        language=lang(),
        with_deals=request.GET.get("deals") == "1",
        policy=heat.event.acceptance,
    )
    response = _answer(content, file_name(heat.event, str(heat), "pdf"))
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
    head = heading(heat.event, heat, heat.event.timetable.all())
    content = pdf.empty_protocols_pdf([pdf.paper_heat_of(heat.table_id, head)], language=lang())
    return _answer(content, file_name(heat.event, f"{heat} {_('Empty protocol')}", "pdf"))
