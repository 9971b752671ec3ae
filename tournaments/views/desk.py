"""The director's main page: who is here, who waits, what happens at the tables."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from ..domain.draws import draw_heats
from ..domain.results import catch_up
from ..forms.people import PlayerSearchForm, RegisterForm
from ..models import Event
from ..names import distinct_names
from ..queries.heats import open_heats
from ..queries.live import event_mark
from ..queries.players import in_standing, players_of, search, standing
from ..queries.queue import queue_of
from ..queries.standings import qualified_of
from ..rules import DIRECT, VIEW_DESK
from .access import Request, staff_view
from .answers import NO, said, sentence

PAGE = 30


@require_safe
@staff_view(VIEW_DESK)
def desk(request: Request, event: Event) -> HttpResponse:
    """Show the whole desk."""
    return render(
        request,
        "tournaments/desk.html",
        {
            **_now(event),
            **_players(request, event),
            "mark": event_mark(event),
            "register_form": RegisterForm(),
        },
    )


@require_safe
@staff_view(VIEW_DESK)
def desk_now(request: Request, event: Event) -> HttpResponse:
    """Return queue, open heats and the qualified, or 304."""
    mark = event_mark(event)
    unchanged = get_conditional_response(request, etag=mark)
    if unchanged is not None:
        return unchanged
    response = render(request, "tournaments/_desk_now.html", _now(event))
    response["ETag"] = mark
    return response


@require_safe
@staff_view(VIEW_DESK)
def desk_players(request: Request, event: Event) -> HttpResponse:
    """Return the players' table for the search and page asked for."""
    template = "tournaments/_desk_players.html" if request.htmx else "tournaments/desk_players.html"
    return render(request, template, _players(request, event))


def _now(event: Event) -> dict[str, Any]:
    catch_up(event=event)
    qualified = list(qualified_of(event))
    return {
        "event": event,
        "queue": queue_of(event, staff=True),
        "cards": open_heats(event, by_need=True, staff=True),
        "qualified": qualified,
        "names": distinct_names(row.registration for row in qualified),
    }


def _players(request: Request, event: Event) -> dict[str, Any]:
    form = PlayerSearchForm(request.GET)
    text, state = form.values()
    rows = in_standing(search(players_of(event), text, staff=True), state)
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    return {
        "event": event,
        "search_form": form,
        "q": text,
        "state": state,
        "page": page,
        "rows": [(row, standing(row)) for row in page],
        "here": request.get_full_path(),
    }


@require_POST
@staff_view(DIRECT)
def desk_draw(request: Request, event: Event) -> HttpResponse:
    """Draw heats from those who wait: the one button."""
    back = reverse("tournaments:desk", args=[event.slug])
    try:
        drawn = draw_heats(event=event, by=request.user, seed=request.POST.get("seed") or None)
    except NO as error:
        return said(request, sentence(error), back, error=True)
    text = ngettext("Drawn: heat %(numbers)s.", "Drawn: heats %(numbers)s.", len(drawn.heats)) % {
        "numbers": ", ".join(str(heat.number) for heat in drawn.heats)
    }
    if drawn.left:
        text += " " + _("%(name)s waits on, first in the queue.") % {
            "name": drawn.left[0].registration.person
        }
    return said(request, text, back)
