"""A player's own data as a file."""

from django.http import HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ...core.access import Request
from ...core.contacts import note_look
from ...models import Registration
from ...models.enums import ContactsWhere
from ..queries.my_data import my_data
from .player_page import by_link


@require_safe
@never_cache
@by_link
def player_page_data(request: Request, registration: Registration) -> HttpResponse:
    """Return everything that is kept of the player at this event; staff with the link is noted."""
    if request.user.is_authenticated:
        note_look(
            event=registration.event,
            by=request.user,
            where=ContactsWhere.OWN,
            registration=registration,
        )
    response = JsonResponse(my_data(registration), json_dumps_params={"indent": 2})
    name = f"{registration.event.slug}-{registration.number}.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
