"""The first page: which events there are."""

from datetime import datetime, time, timedelta
from typing import cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from ...core.access import Request
from ...core.kept import kept
from ...core.moments import holds_until
from ...core.permissions import ADD_EVENT
from ...models import Event
from ...models.enums import EventStatus, Role
from ..commands import first_run


@kept()
def home(request: HttpRequest) -> HttpResponse:
    """Show the events: one's own first, then today's, coming and past ones."""
    user = cast(Request, request).user
    public = list(Event.objects.exclude(status=EventStatus.DRAFT))
    own: list[Event] = []
    if user.is_authenticated:
        own = list(
            Event.objects.all() if user.is_superuser else Event.objects.filter(roles__user=user)
        )
        at_the_desk = user.tournament_roles.filter(
            role__in=[role for role in Role if "view_desk" in role.rights]
        )
        desks = set(at_the_desk.values_list("event", flat=True))
        for event in own:
            page = "desk" if user.is_superuser or event.pk in desks else "floor"
            event.staff_page = f"tournaments:{page}"  # type: ignore[attr-defined]
    elif not public and first_run.is_needed():
        return redirect(first_run.path())
    today = timezone.localdate()
    midnight = datetime.combine(today + timedelta(days=1), time.min)
    holds_until(timezone.make_aware(midnight))
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
        },
    )
