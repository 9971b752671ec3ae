"""Find the event and check the account's rights: the first step of every view.

An event without a role for this account is a 404, a missing right a 403; visitors who are not
signed in are sent to the sign-in page.
"""

from collections.abc import Callable
from functools import cache, wraps
from typing import Any, cast

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.cache import caches
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails

from scoring.models import AskedOften, Blank

from ..models import Event, Heat, Registration
from ..models.enums import EventStatus
from . import two_factor
from .permissions import role_of

View = Callable[..., HttpResponseBase]


class Request(HttpRequest):
    """A request with what the middleware adds."""

    htmx: HtmxDetails
    user: User


def staff_view(permission: str) -> Callable[[View], View]:
    """Wrap a view for an event's staff; it receives the event instead of the slug."""

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapper(request: Request, slug: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return _ask_to_sign_in(request)
            event = _events().filter(slug=slug).first()
            role = role_of(request.user, event) if event is not None else None
            if event is None or role is None:
                raise Http404(_("There is no such event."))
            if two_factor.is_missing(request, event, role):
                return _lead(request, two_factor.setup_url(request))
            if not request.user.has_perm(permission, event):
                raise PermissionDenied
            return view(request, event, *args, **kwargs)

        return wrapper

    return decorate


def _ask_to_sign_in(request: Request) -> HttpResponse:
    """Redirect to the sign-in page, and back afterwards."""
    page = request.htmx.current_url_abs_path if request.htmx else None
    return _lead(request, redirect_to_login(page or request.get_full_path())["Location"])


def _lead(request: Request, where: str) -> HttpResponse:
    """Redirect; for an HTMX request, redirect the whole page."""
    if not request.htmx:
        return HttpResponseRedirect(where)
    answer = HttpResponse(status=401)
    answer["HX-Redirect"] = where
    return answer


_VERSIONS = (
    "SELECT v.number, v.directed FROM tournaments_event e "
    "JOIN tournaments_eventversion v ON v.event_id = e.id WHERE e.slug = %s"
)


@cache
def _events() -> QuerySet[Event]:
    """Return the question for events with their menus, put together once per process."""
    return Event.objects.with_menu().select_related("version", "organiser")


def _event_with_menu(slug: str) -> Event:
    """Return an event as it was last read, unless a director has changed it since; or raise 404."""
    with connection.cursor() as cursor:
        cursor.execute(_VERSIONS, [slug])
        row: tuple[int, int] | None = cursor.fetchone()
    if row is None:
        return get_object_or_404(_events(), slug=slug)
    number, directed = row
    key = f"event:{slug}:{directed}"
    event: Event | None = caches["pages"].get(key)
    if event is None:
        event = get_object_or_404(_events(), slug=slug)
        caches["pages"].set(key, event)
    event.version.number = number
    return event


def public_event(request: HttpRequest, slug: str) -> Event:
    """Return the event if it is public; a draft is 404 except for its staff."""
    event = _event_with_menu(slug)
    if event.status != EventStatus.DRAFT:
        return event
    role = role_of(cast(User, request.user), event)
    if role is None or two_factor.is_missing(request, event, role):
        raise Http404(_("There is no such event."))
    return event


def may(request: HttpRequest, permission: str, event: Event) -> bool:
    """Return whether the reader has this right here and now (with two factors if required).

    For public pages that show more, or do more, for the event's staff.
    """
    user = cast(User, request.user)
    return user.has_perm(permission, event) and not two_factor.is_missing(
        request, event, role_of(user, event)
    )


def public_view(view: View) -> View:
    """Wrap a public view; it receives the event instead of the slug."""

    @wraps(view)
    def wrapper(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return view(request, public_event(request, slug), *args, **kwargs)

    return wrapper


def of_playoffs(view: View) -> View:
    """Return 404 for an event without play-offs."""

    @wraps(view)
    def wrapper(request: HttpRequest, event: Event, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if event.ends_with_heats:
            raise Http404(_("This event ends with its heats; it has no play-offs."))
        return view(request, event, *args, **kwargs)

    return wrapper


#: What repeats a draw; a heat's pages only link to it.
_OF_DRAW = ("candidates", "sizes", "history", "queue", "wanted", "drawn", "groups", "adjustments")


_HEAT = AskedOften(
    lambda: (
        Heat.objects.filter(event=Blank(), number=Blank(1))
        .select_related("stage", "table", "draw")
        .defer(*(f"draw__{name}" for name in _OF_DRAW))
    )
)


def heat_of(event: Event, number: int) -> Heat:
    """Return the event's heat with this number, or raise 404."""
    for heat in _HEAT.rows(event.pk, number):
        heat.event = event
        return heat
    raise Http404(_("This event has no heat with that number."))


def heat_view(view: View) -> View:
    """Wrap a view of one heat; it receives the heat instead of event and number."""

    @wraps(view)
    def wrapper(request: Request, event: Event, number: int, **kwargs: Any) -> HttpResponseBase:
        return view(request, heat_of(event, number), **kwargs)

    return wrapper


def registration_of(event: Event, number: int) -> Registration:
    """Return the event's player with this number, or raise 404."""
    registration = get_object_or_404(
        Registration.objects.select_related("person"),
        event=event,
        number=number,
        merged_into__isnull=True,
    )
    registration.event = event
    return registration
