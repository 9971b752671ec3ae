"""The final ranking of everybody, its downloads, and the champion's page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from engine.messages import mixed_text
from scoring.reading.words import points_text

from ...core.access import public_event
from ...core.listing import export
from ..queries.final import champions_of, full_ranking


@require_safe
def result(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the ranking of everybody who played, with the reason of every place."""
    event = public_event(request, slug)
    ranking = full_ranking(event)
    return render(
        request,
        "tournaments/results/result.html",
        {
            "event": event,
            "ranking": ranking,
            "champions": champions_of(event) if ranking.is_final else [],
        },
    )


@require_safe
def result_export(request: HttpRequest, slug: str, fmt: str) -> HttpResponse:
    """Return the ranking as CSV or XLSX."""
    event = public_event(request, slug)
    return export(
        fmt,
        f"{event.slug}-result",
        [
            _("Place"),
            _("Number"),
            _("Player"),
            _("Club"),
            _("Reached"),
            _("Heat that counted"),
            _("Game points"),
            _("Game points, exactly"),
            _("Players at the table"),
            _("Per cent of the average"),
            _("Sheet points"),
            _("Chicagos"),
            _("Why"),
        ],
        (
            [
                "" if row.place is None else row.place,
                int(row.ref),
                row.name,
                row.club,
                row.how_far,
                row.heat,
                points_text(row.points),
                "" if row.points is None else mixed_text(row.points),
                row.seats or "",
                row.share,
                row.score_points,
                row.asterisks,
                row.why,
            ]
            for row in full_ranking(event).rows
        ),
    )


@require_safe
def champion(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who won the event, and how."""
    event = public_event(request, slug)
    return render(
        request,
        "tournaments/results/champion.html",
        {"event": event, "champions": champions_of(event)},
    )
