"""Public pages of draws: how each was made, and how anybody can repeat it."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ...core.access import Request, may, public_view
from ...core.listing import file_name
from ...core.page_cache import cached_page
from ...core.permissions import DIRECT, VIEW_DESK
from ...models import Draw, Event
from ...models.enums import DrawStatus
from ..queries.published import can_be_taken_back, draw_view, draws_of
from ..queries.verification import script_of


def _public_draw(request: Request, event: Event, number: int) -> Draw:
    """Return the draw, or raise 404; only the event's staff may see a draft."""
    draw = get_object_or_404(Draw.objects.select_related("stage"), event=event, number=number)
    draw.event = draw.stage.event = event
    if draw.status == DrawStatus.DRAFT and not may(request, VIEW_DESK, event):
        raise Http404(_("There is no such draw."))
    return draw


@require_safe
@public_view
@cached_page()
def draws(request: Request, event: Event) -> HttpResponse:
    rows = draws_of(event, staff=may(request, VIEW_DESK, event))
    return render(request, "tournaments/draws/draws.html", {"event": event, "draws": rows})


@require_safe
@public_view
@cached_page()
def draw(request: Request, event: Event, number: int) -> HttpResponse:
    """Show a draw with everything needed to repeat it, and the outcome of repeating it here."""
    shown = _public_draw(request, event, number)
    context = {
        "event": event,
        "draw": shown,
        "view": draw_view(shown),
        "can_take_back": may(request, DIRECT, event) and can_be_taken_back(shown),
    }
    return render(request, "tournaments/draws/draw_detail.html", context)


@require_safe
@public_view
def draw_script(request: Request, event: Event, number: int) -> HttpResponse:
    shown = _public_draw(request, event, number)
    response = HttpResponse(script_of(shown), content_type="text/x-python; charset=utf-8")
    name = file_name(event, str(shown), "py")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
