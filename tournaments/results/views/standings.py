"""Standings and qualified players: sortable, filterable, downloadable."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_tables2 import RequestConfig

from ...core.access import Request, of_playoffs, public_view
from ...core.listing import export
from ...core.page_cache import cached_page
from ...core.permissions import role_of
from ...models import Event
from ..filters import QualifiedFilter, StandingsFilter
from ..queries.standings import qualified_of, standings_of
from ..tables import QualifiedTable, StandingsTable

PER_PAGE = 60


def _standings(request: Request, event: Event, paginate: Any) -> tuple[Any, Any]:
    """Return the filter and the filtered table, sorted as requested."""
    filtered = StandingsFilter(request.GET, queryset=standings_of(event), event=event)
    table = StandingsTable(filtered.qs, event=event)
    return filtered, RequestConfig(request, paginate=paginate).configure(table)


def _qualified(request: Request, event: Event, paginate: Any) -> tuple[Any, Any]:
    filtered = QualifiedFilter(request.GET, queryset=qualified_of(event))
    table = QualifiedTable(filtered.qs, event=event)
    return filtered, RequestConfig(request, paginate=paginate).configure(table)


_PAGES: Any = {"per_page": PER_PAGE, "silent": True}


@require_safe
@public_view
@cached_page("sort", "page", "heat", "state")
def standings(request: Request, event: Event) -> HttpResponse:
    """Show every player of every heat."""
    shown = _standings(request, event, _PAGES)
    return _page(request, event, *shown, "standings", _("Standings by heat"))


@require_safe
@public_view
@of_playoffs
@cached_page("sort", "page")
def qualified(request: Request, event: Event) -> HttpResponse:
    """Show the qualified players."""
    shown = _qualified(request, event, _PAGES)
    return _page(request, event, *shown, "qualified", _("Qualified"))


def _page(
    request: Request, event: Event, filtered: Any, table: Any, name: str, title: str
) -> HttpResponse:
    return render(
        request,
        "tournaments/results/table_page.html",
        {
            "event": event,
            "table": table,
            "filter": filtered,
            "title": title,
            "own_name": True,
            "tab": name,
            "export_name": f"tournaments:{name}_export",
            "role": role_of(request.user, event),
        },
    )


@require_safe
@public_view
def standings_export(request: Request, event: Event, fmt: str) -> HttpResponse:
    """Return the filtered standings as CSV or XLSX, sorted as on the page."""
    return export(request, fmt, event, _("Heats"), _standings(request, event, False)[1])


@require_safe
@public_view
@of_playoffs
def qualified_export(request: Request, event: Event, fmt: str) -> HttpResponse:
    """Return the qualified players as CSV or XLSX."""
    return export(request, fmt, event, _("Qualified"), _qualified(request, event, False)[1])
