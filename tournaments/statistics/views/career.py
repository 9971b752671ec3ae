"""A player's page over all events, and the choice, on their own page, to have one."""

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from ...core.access import Request
from ...core.addresses import public_address
from ...core.answers import SHOWN, action
from ...core.page_cache import cached_page
from ...models import Career, Organiser, Registration
from ...models.enums import Visibility
from ...registration.queries.player_links import token_of
from ...registration.views.player_page import by_link
from ..commands.career import show_career
from ..drawing import games_drawn, met_bars, points_chart, rating_chart
from ..queries.career import career_of


@require_safe
@cached_page()
def career(request: HttpRequest, organiser: str, person: uuid.UUID) -> HttpResponse:
    """Show it; whoever has not agreed does not exist."""
    found = Organiser.objects.filter(slug=organiser).first()
    shown = career_of(found, person) if found is not None else None
    if shown is None:
        raise Http404(_("There is no such player, or the name is not shown."))
    context = {
        "organiser": found,
        "found": shown,
        "charts": [each for each in (points_chart(shown), rating_chart(shown)) if each],
        "drawn": {each.name: each for each in games_drawn(shown)},
        "met": met_bars(shown.opponents),
    }
    return render(request, "tournaments/statistics/career.html", context)


def _path(registration: Registration) -> str:
    return reverse("tournaments:player_page_career", args=[token_of(registration)])


def _page(request: Request, registration: Registration, *, status: int = 200) -> HttpResponse:
    person = registration.person
    path = reverse("tournaments:career", args=[person.organiser.slug, person.public_id])
    context = {
        "event": registration.event,
        "token": token_of(registration),
        "shown": Career.objects.filter(person=person).exists(),
        "is_hidden": person.visibility == Visibility.HIDDEN,
        "address": public_address(request, path),
    }
    return render(request, "tournaments/statistics/own_career.html", context, status=status)


@never_cache
@require_http_methods(SHOWN)
@by_link
@action(back=_path, page=_page)
def player_page_career(request: Request, registration: Registration) -> str:
    """Let the player agree to a page over all events, or end it."""
    shown = request.POST.get("shown") == "1"
    show_career(registration=registration, shown=shown)
    if shown:
        return _("Your page over all events can be seen now.")
    return _("Your page over all events is gone.")
