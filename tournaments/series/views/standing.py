"""The pages of series that readers see."""

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from engine.ranking.series import PointRules

from ...core.listing import file_name, send
from ...core.organisers import where_owner
from ...core.page_cache import cached_page
from ...core.shared_links import Shared
from ...core.versions import series_version
from ...core.workbook import Sheet
from ...models import Series
from ...models.enums import SeriesTie
from ..drawing import course_of
from ..queries.document import document_of
from ..queries.standing import Standing, champions_of, named, rows_of, standing_of
from ..tables import standing_sheet
from .access import series_view

PER_PAGE = 60
#: Places in the table of what a place is worth.
SHOWN_PLACES = 40


def after_in(request: HttpRequest) -> int | None:
    """Return as of which event the standing is asked for."""
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
@cached_page("after", "page", empty="q")
def series(request: HttpRequest, series: Series) -> HttpResponse:
    """Show the standing, what each event gave, and the rules behind it."""
    standing = standing_of(series, after_in(request))
    text = request.GET.get("q", "")
    page = Paginator(named(standing, text), PER_PAGE).get_page(request.GET.get("page"))
    rows = rows_of(standing, list(page))
    return render(
        request,
        "tournaments/series/series.html",
        {
            "series": series,
            "shared": _shared(series),
            "standing": standing,
            "page": page,
            "rows": rows,
            "course": course_of(standing, rows),
            "q": text,
            "champions": champions_of(standing),
            "worth": worth_of(standing),
            "ties": [SeriesTie(step).label for step in standing.rules.ties],
            "owns": where_owner(request.user).filter(pk=series.organiser_id).exists(),
        },
    )


@require_safe
@series_view
@cached_page("after")
def series_export(request: HttpRequest, series: Series, fmt: str) -> HttpResponse:
    """Return the standing as CSV or XLSX."""

    def made() -> Sheet:
        standing = standing_of(series, after_in(request))
        return standing_sheet(
            standing, rows_of(standing, named(standing, request.GET.get("q", "")))
        )

    return send(request, fmt, series, _("Standing"), made)


@require_safe
@series_view
@cached_page()
def series_document(request: HttpRequest, series: Series) -> HttpResponse:
    """Return the whole series as a document that ``engine check`` verifies."""
    name = file_name(series, _("Series"), "json")
    response = JsonResponse(document_of(series), json_dumps_params={"ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_safe
@series_view
def picture(request: HttpRequest, series: Series, language: str) -> HttpResponse:
    """Return a picture to share, or the program's own one while the worker has none as of now."""
    row = series.pictures.filter(language=language).first()
    if row is None or row.version != series_version(series):
        return redirect(static("site/share.png"))
    response = HttpResponse(bytes(row.content), content_type="image/png")
    response["Cache-Control"] = "no-cache"
    etag = response["ETag"] = f'"{row.digest}"'
    return get_conditional_response(request, etag=etag, response=response) or response


def _shared(series: Series) -> Shared | None:
    """Return how a link to a series is shown; None for one that not everybody sees."""
    if not series.is_public:
        return None
    language = get_language() or settings.LANGUAGE_CODE
    drawn = reverse("tournaments:series_picture", args=[series.slug, language])
    return Shared(series.name, str(series.organiser), drawn)


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
