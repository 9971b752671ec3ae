"""The home page: the list of events."""

from typing import cast

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from ...core.access import Request
from ...core.expiry import expire_at, midnight_after
from ...core.page_cache import cached_page
from ...core.permissions import ADD_EVENT, OWN_ORGANISER, VIEW_DESK, events_where
from ...models import Event
from ...models.enums import EventStatus
from ..queries.accounts import first_run_needed

#: Finished events, and the account's own, per page.
PAGE = 20


@cached_page("page")
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """List the events: the account's own first, then the others: today's, coming and past."""
    user = cast(Request, request).user
    public = Event.objects.exclude(status=EventStatus.DRAFT).select_related("organiser")
    own: Page[Event] | None = None
    if user.is_authenticated:
        mine = events_where(user)
        own = Paginator(mine.select_related("organiser"), PAGE).get_page(request.GET.get("own"))
        # An event of one's own is listed once.
        public = public.exclude(pk__in=mine.order_by().values("pk"))
        desks = set(events_where(user, VIEW_DESK).values_list("pk", flat=True))
        for event in own:
            page = "desk" if event.pk in desks else "floor"
            # Only for the template, so the model does not declare it.
            event.staff_page = f"tournaments:{page}"  # type: ignore[attr-defined]
    elif not public.exists() and first_run_needed():
        return redirect("first_run")
    today = timezone.localdate()
    expire_at(midnight_after(today))
    opened = list(public.filter(status=EventStatus.OPEN))
    past = Paginator(public.filter(status=EventStatus.FINISHED), PAGE)
    past_page = past.get_page(request.GET.get("page"))
    return render(
        request,
        "tournaments/events/home.html",
        {
            "own": own,
            "running": [event for event in opened if event.starts_on <= today],
            "coming": sorted(
                (event for event in opened if event.starts_on > today),
                key=lambda event: event.starts_on,
            ),
            "past": past_page,
            "can_create": user.has_perm(ADD_EVENT),
            "owns_organiser": user.has_perm(OWN_ORGANISER),
            # With only one, nobody needs to know about organisers.
            "several_organisers": len(
                {event.organiser_id for event in [*opened, *past_page, *(own or ())]}
            )
            > 1,
        },
    )
