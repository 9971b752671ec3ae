"""One player's public page at an event."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ...core.access import Request, public_view
from ...core.page_cache import cached_page
from ...core.shared_links import Shared, drawn_picture
from ...models import Event
from ...models.enums import Shares
from ..queries.player import public_player


@require_safe
@public_view
@cached_page()
def player(request: Request, event: Event, number: int) -> HttpResponse:
    """Show a player's heats, games and road; 404 for those who do not show their name."""
    found = public_player(event, number)
    if found is None:
        raise Http404(_("There is no such player, or the name is not shown."))
    picture = drawn_picture(event, Shares.PLAYER, number)
    shared = Shared(f"{found.name} · {event.name}", found.state, picture)
    context = {"event": event, "found": found, "shared": shared}
    return render(request, "tournaments/results/player.html", context)
