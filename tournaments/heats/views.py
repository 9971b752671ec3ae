"""A heat's page for everybody: the protocol, live."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.reading.protocol import protocol_of

from ..core.access import Request, heat_view, public_view
from ..core.kept import Part, kept, part
from ..models import Heat
from ..models.enums import HeatStatus
from .queries import flip_flops_of, heat_cards


@require_safe
@public_view
@heat_view
@kept()
def heat(request: Request, heat: Heat) -> HttpResponse:
    """Show a heat's protocol, live while it is played."""
    return render(
        request,
        "tournaments/heats/heat_detail.html",
        {
            "event": heat.event,
            "heat": heat,
            "live": heat.status == HeatStatus.OPEN,
            "now": _now(request, heat),
        },
    )


@require_safe
@public_view
@heat_view
@kept()
def heat_live(request: Request, heat: Heat) -> HttpResponse:
    """Return the protocol's moving part, or 304."""
    return HttpResponse(_now(request, heat).html)


def _now(request: Request, heat: Heat) -> Part:
    card = heat_cards([heat])[0]
    context = {
        "event": heat.event,
        "heat": heat,
        "card": card,
        "flip_flops": flip_flops_of(heat, card.names),
        "live": heat.status == HeatStatus.OPEN,
        "protocol": protocol_of(heat.table_id) if heat.table_id else None,
    }
    return part(request, "tournaments/heats/_heat_protocol.html", context)
