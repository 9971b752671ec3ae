"""What a screen itself asks for: its page, what to do, its service worker."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from scoring.errors import ScoringError
from scoring.live import Topic, stream_url
from scoring.web.access import MARK
from scoring.web.forms import read_same_origin
from scoring.web.shell import worker_answer

from ...core.access import Request
from ...core.addresses import code_of, public_address
from ...core.limits import client_address, counted
from ...core.page_cache import release
from ...models import Event, Screen
from ...models.enums import ScreenPart
from .. import commands as domain
from ..queries.screens import (
    is_open,
    languages_of,
    orders_of,
    path_of,
    programme_of,
    screen_by,
)

#: The screen's secret; sent to no other page, so that its parts come from the cache.
COOKIE = "screen"
_YEARS = 3 * 365 * 24 * 3600
#: How many new screens one address may make within how many seconds.
MAX_NEW, WITHIN = 200, 3600


@require_safe
def screen(request: Request) -> HttpResponse:
    """Show the page of every screen: without data, so that a device may keep it."""
    here = reverse("tournaments:screen")
    context = {"now": reverse("tournaments:screen_now"), "base": here, "release": release()[:12]}
    response = render(request, "tournaments/screens/screen.html", context)
    response.headers[MARK] = "1"
    return response


@require_safe
def screen_worker(request: Request) -> HttpResponse:
    """Return the service worker with which a screen starts without network."""
    return worker_answer()


@csrf_exempt
@require_POST
def screen_now(request: Request) -> HttpResponseBase:
    """Tell a screen what it is to do, and note that it has been heard.

    A browser that is no screen yet becomes one, with letters of its own. Only same-origin JSON is
    read: the page is kept and has no token.
    """
    try:
        fields = read_same_origin(request)
    except ScoringError:
        return HttpResponse(status=400)
    found = screen_by(request.COOKIES.get(COOKIE, ""))
    secret = ""
    if found is None:
        address = client_address(request)
        if counted("screen", address, most=MAX_NEW, seconds=WITHIN) is None:
            return HttpResponse(status=429)
        found, secret = domain.make_screen()
    if found.event is not None:
        domain.hear(screen=found, shows=str(fields.get("shows", "")))
    response = JsonResponse(state_of(request, found))
    if secret:
        response.set_cookie(
            COOKIE,
            secret,
            max_age=_YEARS,
            path=reverse("tournaments:screen"),
            httponly=True,
            secure=request.is_secure(),
            samesite="Lax",
        )
    return response


def state_of(request: Request, screen: Screen) -> dict[str, Any]:
    """Return what a screen's script has to know (at most two queries)."""
    state: dict[str, Any] = {
        "mark": MARK,
        "release": release()[:12],
        "now": round(timezone.now().timestamp() * 1000),
        "zone": settings.TIME_ZONE,
        "letters": screen.letters,
        "name": screen.name,
        "dark": screen.dark,
    }
    event = screen.event
    if event is None:
        address = public_address(request, reverse("tournaments:adopt", args=[screen.letters]))
        return state | {"event": "", "code": code_of(address)}
    languages = languages_of(screen)
    return state | {
        "event": event.name,
        "open": is_open(event),
        "orders": orders_of(event),
        "languages": languages,
        "programme": programme_of(screen),
        "shows": screen.shows,
        "takes_over": screen.takes_over,
        "parts": {
            part: {code: _address(request, screen, event, code, part) for code in languages}
            for part in ScreenPart.values
        },
    }


def _address(
    request: Request, screen: Screen, event: Event, language: str, part: str
) -> dict[str, str]:
    """Return where a part is fetched, and where its changes are told."""
    path = path_of(event, language, part)
    topic = Topic("event", event.pk, f"screen {screen.pk}", path, language)
    return {"path": path, "stream": stream_url(request, topic)}
