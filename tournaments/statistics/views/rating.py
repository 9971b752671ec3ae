"""The public list of ratings."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ...core.page_cache import cached_page
from ..queries.rating import MIN_GAMES, rated_players
from .sums import organiser_or_404

PER_PAGE = 60


@require_safe
@cached_page("page")
def ratings(request: HttpRequest, organiser: str) -> HttpResponse:
    """Show the ratings of an organiser's players."""
    found = organiser_or_404(organiser)
    page = Paginator(rated_players(found), PER_PAGE).get_page(request.GET.get("page"))
    context = {"organiser": found, "page": page, "least": MIN_GAMES}
    return render(request, "tournaments/statistics/ratings.html", context)
