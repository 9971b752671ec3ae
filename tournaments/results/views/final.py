"""The final ranking, its downloads, the hands that came, and the champion's page."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ...core.access import Request, public_view
from ...core.listing import export
from ...core.page_cache import cached_page
from ...models import Event
from ..filters import NameFilter
from ..queries.final import champions_of, full_ranking
from ..queries.hands import hands_of
from ..tables import RankingTable, ranking_sections

PER_PAGE = 60


@require_safe
@public_view
@cached_page("page")
def result(request: Request, event: Event) -> HttpResponse:
    """Show everybody who played, with the reason for each place."""
    ranking = full_ranking(event)
    form = NameFilter(request.GET)
    page = Paginator(ranking.rows.named(form.text), PER_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "tournaments/results/result.html",
        {
            "event": event,
            "ranking": ranking,
            "form": form if page.has_other_pages() or form.text else None,
            "page": page,
            "sections": ranking_sections(event, list(page)),
            "winners": [player.name for player in ranking.winners],
        },
    )


@require_safe
@public_view
def result_export(request: Request, event: Event, fmt: str) -> HttpResponse:
    """Return the ranking as CSV or XLSX."""
    return export(fmt, event, _("Result"), RankingTable(full_ranking(event).rows))


@require_safe
@public_view
@cached_page()
def champion(request: Request, event: Event) -> HttpResponse:
    """Show who won the event, and how."""
    return render(
        request,
        "tournaments/results/champion.html",
        {"event": event, "champions": champions_of(event)},
    )


@require_safe
@public_view
@cached_page()
def hands(request: Request, event: Event) -> HttpResponse:
    """Show the hands and Chicagos that came, beside what chance would have given."""
    return render(
        request, "tournaments/results/hands.html", {"event": event, "found": hands_of(event)}
    )
