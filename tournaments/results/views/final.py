"""The final ranking, its downloads, the hands that came, and the champion's page."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from ...core.access import Request, public_view
from ...core.listing import export, send
from ...core.page_cache import cached_page
from ...core.shared_links import Shared, drawn_picture
from ...models import Event
from ...models.enums import Shares
from ..filters import NameFilter
from ..queries.final import champions_of, full_ranking
from ..queries.game_files import facts_sheet, games_sheet
from ..queries.records import statistics_of
from ..queries.tally import tally_of
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
    return export(request, fmt, event, _("Result"), RankingTable(full_ranking(event).rows))


@require_safe
@public_view
@cached_page()
def games_export(request: Request, event: Event, fmt: str) -> HttpResponse:
    """Return a row for each player of each finished game."""
    return send(request, fmt, event, _("Games"), lambda: games_sheet(event))


@require_safe
@public_view
@cached_page()
def deals_export(request: Request, event: Event, fmt: str) -> HttpResponse:
    """Return what every line of the finished games' sheets did, deal by deal."""
    return send(request, fmt, event, _("Deals"), lambda: facts_sheet(event))


@require_safe
@public_view
@cached_page()
def champion(request: Request, event: Event) -> HttpResponse:
    """Show who won the event, and how."""
    champions = champions_of(event)
    shared = None
    if champions:
        title = ngettext("Champion", "Champions", len(champions))
        names = ", ".join(each.name for each in champions)
        picture = drawn_picture(event, Shares.CHAMPION)
        shared = Shared(f"{names} · {event.name}", title, picture)
    context = {"event": event, "champions": champions, "shared": shared}
    return render(request, "tournaments/results/champion.html", context)


@require_safe
@public_view
@cached_page()
def hands(request: Request, event: Event) -> HttpResponse:
    """Show records, tables compared, and the hands that came beside what chance would give."""
    context = {"event": event, "found": statistics_of(tally_of(event))}
    return render(request, "tournaments/results/hands.html", context)
