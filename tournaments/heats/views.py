"""A heat's page for everybody: the protocol, live."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from scoring.reading.protocol import protocol_of

from ..core.access import heat_of, public_event
from ..core.permissions import role_of
from ..core.versions import heat_mark
from ..models import Event, Heat
from ..models.enums import HeatStatus
from .queries import cards_of, flip_flops_of


@require_safe
def heat(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a heat's protocol, live while it is played."""
    found = public_event(request, slug)
    return render(
        request,
        "tournaments/heats/heat_detail.html",
        _heat(request, found, heat_of(found, number)),
    )


@require_safe
def heat_live(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return the protocol's moving part, or 304."""
    found = public_event(request, slug)
    shown = heat_of(found, number)
    unchanged = get_conditional_response(request, etag=heat_mark(shown))
    if unchanged is not None:
        return unchanged
    context = _heat(request, found, shown)
    response = render(request, "tournaments/heats/_heat_protocol.html", context)
    response["ETag"] = str(context["mark"])
    return response


def _heat(request: HttpRequest, event: Event, heat: Heat) -> dict[str, object]:
    mark = heat_mark(heat)
    card = cards_of([heat])[0]
    return {
        "event": event,
        "heat": heat,
        "card": card,
        "flip_flops": flip_flops_of(heat, card.names),
        "mark": mark,
        "live": heat.status == HeatStatus.OPEN,
        "protocol": protocol_of(heat.table_id) if heat.table_id else None,
        "role": role_of(request.user, event),
    }
