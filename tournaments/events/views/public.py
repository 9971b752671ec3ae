"""An event's public pages."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from scoring.models import AskedOften, Blank

from ...core.access import Request, public_view
from ...core.days import next_day, times_of
from ...core.names import distinct_names, shown_columns
from ...core.page_cache import Part, cached_page, part
from ...core.shared_links import shared_event
from ...heats.queries.cards import open_heats
from ...models import Event, Heat, HeatResult, Qualification
from ...registration.queries.about import details_of, picture_of
from ...registration.queries.queue import waiting_count
from ...registration.queries.waiting_list import TAKES_UP_CAPACITY
from ...results.queries.phase import Phase, phase_of
from ...results.queries.players import players_of, playoff_ends, search
from ...results.queries.standings import first_qualified, qualified_of

#: More names than anybody reads.
MAX_FOUND = 12
LATEST_HEATS = 8


@require_safe
@public_view
@cached_page()
def event(request: Request, event: Event) -> HttpResponse:
    """Show what happens now, where players sit, and who has qualified."""
    phase = phase_of(event)
    picture = picture_of(event)
    return render(
        request,
        "tournaments/events/event_detail.html",
        {
            "now": _now(request, event, phase),
            "phase": phase,
            # The page itself shows the times, further down.
            "details": details_of(event),
            "picture": picture,
            "shared": shared_event(event, picture.address if picture else ""),
            "is_event_page": True,
            **_found(request, event),
        },
    )


@require_safe
@public_view
@cached_page()
def event_now(request: Request, event: Event) -> HttpResponse:
    """Return the page's live part, or 304."""
    return HttpResponse(_now(request, event, phase_of(event)).html)


@require_safe
@public_view
def event_find(request: Request, event: Event) -> HttpResponse:
    """Return where the players sit whose names match the search."""
    return render(request, "tournaments/events/_event_found.html", _found(request, event))


_LATEST = AskedOften(
    lambda: (
        Heat.objects.filter(event=Blank())
        .finished()
        .order_by("-finished_at", "-number")
        .only("event", "number", "title")[:LATEST_HEATS]
    )
)
_RESULTS = AskedOften(
    lambda: (
        HeatResult.objects.filter(heat__in=Blank(several=True))
        .select_related("entry__registration__person")
        .only("heat", "advances", "game_points", *shown_columns("entry__registration__"))
        .order_by("order")
    )
)


def _now(request: Request, event: Event, phase: Phase) -> Part:
    winners: dict[int, list[HeatResult]] = {}
    heats = _LATEST.rows(event.pk)
    for row in _RESULTS.rows([heat.pk for heat in heats]):
        winners.setdefault(row.heat_id, []).append(row)
    days = list(event.timetable.all())
    qualified: list[Qualification] = []
    qualified_count = 0
    if phase.shows_qualified:
        qualified, qualified_count = first_qualified(qualified_of(event))
    coming = next_day(days)
    open_now = open_heats(event)
    context = {
        "event": event,
        "phase": phase,
        "days": [(day, times_of(day), day == coming) for day in days],
        "coming": coming,
        "registered": event.registrations.filter(status__in=TAKES_UP_CAPACITY).count()
        if phase.is_before
        else 0,
        "cards": [card for card in open_now if not card.is_later],
        "later": [card for card in open_now if card.is_later],
        "finished": [(heat, winners.get(heat.pk, [])) for heat in heats],
        "finished_count": event.heats.finished().count(),
        "qualified": qualified,
        "qualified_count": qualified_count,
        "names": distinct_names(row.registration for row in qualified),
        "waiting": waiting_count(event) if phase.is_played else 0,
    }
    path = reverse("tournaments:event_now", args=[event.slug])
    return part(request, path, "tournaments/events/_event_now.html", context)


def _found(request: Request, event: Event) -> dict[str, object]:
    text = request.GET.get("q", "")[:100]
    rows = list(search(players_of(event), text, staff=False)[:MAX_FOUND]) if text.strip() else []
    return {"event": event, "q": text, "found": rows, "ends": playoff_ends(event) if rows else {}}
