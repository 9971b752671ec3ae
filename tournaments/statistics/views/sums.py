"""The public pages of records and statistics of a series and of an organiser."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ...core.page_cache import cached_page
from ...models import Organiser, Series
from ...results.queries.records import statistics_of
from ...series.views.access import series_view
from ..queries.sums import Summed, of_organiser, of_series, shown_organiser


def organiser_or_404(slug: str) -> Organiser:
    """Return an organiser of events that everybody sees."""
    found = shown_organiser(slug)
    if found is None:
        raise Http404(_("There is no such organiser."))
    return found


def _page(request: HttpRequest, of: Series | Organiser, summed: Summed) -> HttpResponse:
    context = {
        "of": of,
        "series": of if isinstance(of, Series) else None,
        "organiser": of if isinstance(of, Organiser) else None,
        "summed": summed,
        "found": statistics_of(summed.tally, with_events=True),
    }
    return render(request, "tournaments/statistics/statistics.html", context)


@require_safe
@series_view
@cached_page()
def series_statistics(request: HttpRequest, series: Series) -> HttpResponse:
    """Show the records and statistics of a series."""
    return _page(request, series, of_series(series))


@require_safe
@cached_page()
def organiser_statistics(request: HttpRequest, organiser: str) -> HttpResponse:
    """Show the records and statistics of an organiser's events."""
    found = organiser_or_404(organiser)
    return _page(request, found, of_organiser(found))
