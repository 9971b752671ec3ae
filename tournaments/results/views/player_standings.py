"""Day 1 by player: sortable, filterable, downloadable."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_tables2 import RequestConfig

from ...core.access import Request, public_view
from ...core.listing import export
from ...core.page_cache import cached_page
from ...core.permissions import role_of
from ...models import Event
from ..filters import PlayerStandingsFilter
from ..queries.player_standings import player_standings_of, standings_title
from ..tables import PlayerStandingsTable

PER_PAGE = 60


@require_safe
@public_view
@cached_page("sort", "page", "state")
def players(request: Request, event: Event) -> HttpResponse:
    """Show every player of day 1 once: qualified, playing, or could enter again."""
    form = PlayerStandingsFilter(request.GET, event=event)
    table = PlayerStandingsTable(player_standings_of(event, *form.values()), event=event)
    RequestConfig(request, paginate={"per_page": PER_PAGE, "silent": True}).configure(table)
    return render(
        request,
        "tournaments/results/player_standings.html",
        {
            "event": event,
            "table": table,
            "filter": {"form": form},
            "title": standings_title(has_rounds=getattr(event, "has_rounds", False)),
            "own_name": True,
            "tab": "standings",
            "export_name": "tournaments:player_standings_export",
            "role": role_of(request.user, event),
        },
    )


@require_safe
@public_view
def players_export(request: Request, event: Event, fmt: str) -> HttpResponse:
    """Return the filtered table as CSV or XLSX, sorted as on the page."""
    rows = player_standings_of(event, *PlayerStandingsFilter(request.GET, event=event).values())
    table = RequestConfig(request, paginate=False).configure(
        PlayerStandingsTable(rows, event=event)
    )
    return export(request, fmt, event, _("Standings"), table)
