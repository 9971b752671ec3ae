"""A standing, a bracket, a heat or a timetable, without menu, session and cookies.

Only these pages may be framed, by any site. They are public and cached like the pages they are of.
"""

from collections.abc import Callable
from typing import Any

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from scoring.pictures.svg import svg

from ..core.access import Request, heat_view, of_playoffs, public_view
from ..core.days import times_of
from ..core.page_cache import cached_page
from ..heats.views import heat_now
from ..models import Event, Heat
from ..playoffs.drawing import bracket as layout
from ..playoffs.drawing.sheet import address_of, title_of
from ..playoffs.queries.bracket import bracket_of
from ..results.queries.player_standings import STATES, player_standings_of

#: Rows of a framed standing; the whole one is a link away.
MOST = 60


def framed(view: Callable[..., HttpResponseBase]) -> Callable[..., Any]:
    """Let a public page be framed by any site."""
    shown: Any = require_safe(public_view(cached_page()(view)))
    return xframe_options_exempt(csp_replace({"frame-ancestors": ["*"]})(shown))


def _page(request: HttpRequest, event: Event, piece: str, title: str, **more: Any) -> HttpResponse:
    context = {"event": event, "title": title, "piece": f"tournaments/embed/_{piece}.html", **more}
    return render(request, "tournaments/embed/piece.html", context)


@framed
def embed_standings(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the first of the standing."""
    rows = player_standings_of(event)
    shown = [(row, STATES[row.state]) for row in rows[:MOST]]
    more = len(rows) - len(shown)
    return _page(request, event, "standings", _("Standings"), rows=shown, more=more)


@framed
@of_playoffs
def embed_playoffs(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the bracket's picture, and for narrow frames another."""
    found = bracket_of(event)
    drawings = {}
    if found.rounds:
        title, address = title_of(event), address_of(event)
        for name, lay_out in (("wide", layout.wide), ("tall", layout.tall)):
            drawings[name] = svg(lay_out(found, title, address), name=f"bracket-{name}")
    return _page(request, event, "playoffs", _("Play-offs"), drawings=drawings)


@framed
@heat_view
def embed_heat(request: Request, heat: Heat) -> HttpResponse:
    """Show a heat's protocol."""
    part, _shared = heat_now(request, heat)
    return _page(request, heat.event, "heat", str(heat), heat=heat, now=part)


@framed
def embed_timetable(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the days."""
    days = [(day, times_of(day)) for day in event.timetable.all()]
    return _page(request, event, "timetable", _("Timetable"), days=days)
