"""The public list of ratings."""

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ..models import Organiser
from ..models.enums import EventStatus
from .queries import MIN_GAMES, rated_players

PER_PAGE = 60


@require_safe
def ratings(request: HttpRequest, organiser: str) -> HttpResponse:
    """Show the ratings of an organiser's players; an organiser of drafts only is a 404."""
    found = Organiser.objects.filter(slug=organiser).first()
    if found is None or not found.events.exclude(status=EventStatus.DRAFT).exists():
        raise Http404(_("There is no such organiser."))
    page = Paginator(rated_players(found), PER_PAGE).get_page(request.GET.get("page"))
    context = {"organiser": found, "page": page, "least": MIN_GAMES}
    return render(request, "tournaments/statistics/ratings.html", context)
