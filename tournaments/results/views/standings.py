"""Standings and qualified list: sortable, filterable, downloadable."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe
from django_tables2 import RequestConfig

from engine.messages import mixed_text
from scoring.reading.words import points_text

from ...core.access import public_event
from ...core.listing import export
from ...core.names import club_of, registration_name
from ...core.permissions import role_of
from ...models import Event
from ..filters import QualifiedFilter, StandingsFilter
from ..queries.standings import outcome, qualified_of, reason, standings_of
from ..tables import QualifiedTable, StandingsTable

PER_PAGE = 60
_OUTCOMES = {
    "playing": gettext_lazy("playing"),
    "through": gettext_lazy("through"),
    "disqualified": gettext_lazy("disqualified"),
    "out": gettext_lazy("out"),
}


@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every player of every heat."""
    event = public_event(request, slug)
    filtered = StandingsFilter(request.GET, queryset=standings_of(event))
    table = StandingsTable(filtered.qs, event=event)
    RequestConfig(request, paginate={"per_page": PER_PAGE, "silent": True}).configure(table)
    return _page(request, event, table, filtered, "standings", _("Standings"))


@require_safe
def qualified(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who is through."""
    event = public_event(request, slug)
    filtered = QualifiedFilter(request.GET, queryset=qualified_of(event))
    table = QualifiedTable(filtered.qs, event=event)
    RequestConfig(request, paginate={"per_page": PER_PAGE, "silent": True}).configure(table)
    return _page(request, event, table, filtered, "qualified", _("Qualified"))


def _page(
    request: HttpRequest, event: Event, table: Any, filtered: Any, name: str, title: str
) -> HttpResponse:
    return render(
        request,
        "tournaments/results/table_page.html",
        {
            "event": event,
            "table": table,
            "filter": filtered,
            "title": title,
            "tab": name,
            "export_name": f"tournaments:{name}_export",
            "role": role_of(request.user, event),
        },
    )


@require_safe
def standings_export(request: HttpRequest, slug: str, fmt: str) -> HttpResponse:
    """Return the filtered standings as CSV or XLSX."""
    event = public_event(request, slug)
    rows = StandingsFilter(request.GET, queryset=standings_of(event)).qs
    return export(
        fmt,
        f"{event.slug}-standings",
        [
            _("Heat"),
            _("Place"),
            _("Player"),
            _("Game points"),
            _("Game points, exactly"),
            _("Sheet points"),
            _("Chicagos"),
            _("Why"),
            _("Now"),
        ],
        (
            [
                row.heat.number,
                row.place,
                registration_name(row.entry.registration),
                points_text(row.game_points),
                mixed_text(row.game_points),
                row.score_points,
                row.asterisks,
                reason(row),
                str(_OUTCOMES[outcome(row)]),
            ]
            for row in rows
        ),
    )


@require_safe
def qualified_export(request: HttpRequest, slug: str, fmt: str) -> HttpResponse:
    """Return the qualified list as CSV or XLSX."""
    event = public_event(request, slug)
    rows = QualifiedFilter(request.GET, queryset=qualified_of(event)).qs
    return export(
        fmt,
        f"{event.slug}-qualified",
        ["№", _("Player"), _("Club"), _("Heat")],
        (
            [
                row.order,
                registration_name(row.registration),
                club_of(row.registration.person),
                row.heat.number if row.heat else "",
            ]
            for row in rows
        ),
    )
