"""The pages of series that readers see."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ...core.listing import export
from ...core.organisers import where_owner
from ...models import Series
from ...models.enums import SeriesTie
from ..queries.points import PointRules
from ..queries.standing import Standing, champions_of, named, rows_of, standing_of
from ..tables import StandingTable
from .access import series_view

PER_PAGE = 60
#: Places in the table of what a place is worth.
SHOWN_PLACES = 20


def _after(request: HttpRequest) -> int | None:
    text = request.GET.get("after", "")
    return int(text) if text.isascii() and text.isdigit() and 0 < len(text) < 4 else None


@require_safe
def series_list(request: HttpRequest) -> HttpResponse:
    """List the series that everybody sees."""
    found = Series.objects.filter(is_public=True).select_related("organiser")
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "tournaments/series/series_list.html", {"page": page})


@require_safe
@series_view
def series(request: HttpRequest, series: Series) -> HttpResponse:
    """Show the standing, what each event gave, and the rules behind it."""
    standing = standing_of(series, _after(request))
    text = request.GET.get("q", "")
    page = Paginator(named(standing, text), PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "tournaments/series/series.html",
        {
            "series": series,
            "standing": standing,
            "page": page,
            "rows": rows_of(standing, list(page)),
            "q": text,
            "champions": champions_of(standing),
            "worth": worth_of(standing),
            "ties": [SeriesTie(step).label for step in standing.rules.ties],
            "owns": where_owner(request.user).filter(pk=series.organiser_id).exists(),
        },
    )


@require_safe
@series_view
def series_export(request: HttpRequest, series: Series, fmt: str) -> HttpResponse:
    """Return the standing as CSV or XLSX."""
    standing = standing_of(series, _after(request))
    rows = rows_of(standing, named(standing, request.GET.get("q", "")))
    return export(fmt, series, _("Standing"), StandingTable(standing, rows))


def worth_of(standing: Standing) -> dict[str, object]:
    """Return what each place is worth: a column for each size of an event, a row for each place."""
    rules: PointRules = standing.rules
    steps = rules.factors if rules.size_by != "none" and rules.factors else ((0, 1),)
    places = min(len(rules.points), SHOWN_PLACES)
    rows = [
        (place, [rules.of_place(place) * factor for _size, factor in steps])
        for place in range(1, places + 1)
    ]
    return {
        "sizes": [size for size, _factor in steps] if len(steps) > 1 else [],
        "rows": rows,
        "more": len(rules.points) > places,
    }
