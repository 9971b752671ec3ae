"""The first page: which events there are."""

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from ...core.access import Request
from ...core.kept import kept
from ...core.moments import holds_until, midnight_after
from ...core.permissions import ADD_EVENT, OWN_ORGANISER, VIEW_DESK, events_where
from ...models import Event
from ...models.enums import EventStatus
from ..commands import first_run


@kept()
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the events: one's own first, then today's, coming and past ones."""
    user = cast(Request, request).user
    public = list(Event.objects.exclude(status=EventStatus.DRAFT).select_related("organiser"))
    own: list[Event] = []
    if user.is_authenticated:
        own = list(events_where(user).select_related("organiser"))
        desks = set(events_where(user, VIEW_DESK).values_list("pk", flat=True))
        for event in own:
            page = "desk" if event.pk in desks else "floor"
            event.staff_page = f"tournaments:{page}"  # type: ignore[attr-defined]
    elif not public and first_run.is_needed():
        return redirect(first_run.path())
    today = timezone.localdate()
    holds_until(midnight_after(today))
    running = [
        event for event in public if event.status == EventStatus.OPEN and event.starts_on <= today
    ]
    coming = [
        event for event in public if event.status == EventStatus.OPEN and event.starts_on > today
    ]
    past = [event for event in public if event.status == EventStatus.FINISHED]
    return render(
        request,
        "tournaments/events/home.html",
        {
            "own": own,
            "running": running,
            "coming": sorted(coming, key=lambda event: event.starts_on),
            "past": past,
            "can_create": user.has_perm(ADD_EVENT),
            "owns_organiser": user.has_perm(OWN_ORGANISER),
            # Where there is one only, nobody need know.
            "several_organisers": len({event.organiser_id for event in [*public, *own]}) > 1,
        },
    )
