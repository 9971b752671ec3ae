"""A heat's page for everybody: the protocol, live."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import etag, require_safe

from scoring.reading.protocol import protocol_of

from ..core.access import Request, heat_view, public_view
from ..core.permissions import role_of
from ..core.versions import heat_etag
from ..models import Heat
from ..models.enums import HeatStatus
from .queries import flip_flops_of, heat_cards


@require_safe
@public_view
@heat_view
def heat(request: Request, heat: Heat) -> HttpResponse:
    """Show a heat's protocol, live while it is played."""
    return render(
        request,
        "tournaments/heats/heat_detail.html",
        _heat(request, heat),
    )


@require_safe
@public_view
@heat_view
@etag(lambda request, heat: heat_etag(heat))
def heat_live(request: Request, heat: Heat) -> HttpResponse:
    """Return the protocol's moving part, or 304."""
    return render(request, "tournaments/heats/_heat_protocol.html", _heat(request, heat))


def _heat(request: Request, heat: Heat) -> dict[str, object]:
    mark = heat_etag(heat)
    card = heat_cards([heat])[0]
    return {
        "event": heat.event,
        "heat": heat,
        "card": card,
        "flip_flops": flip_flops_of(heat, card.names),
        "mark": mark,
        "live": heat.status == HeatStatus.OPEN,
        "protocol": protocol_of(heat.table_id) if heat.table_id else None,
        "role": role_of(request.user, heat.event),
    }
