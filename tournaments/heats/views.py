"""A heat's public page with its live protocol."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from scoring.enums import SheetStatus
from scoring.pictures.sums import sum_picture
from scoring.reading.games import TableGames, table_games
from scoring.reading.outlook import needs_of
from scoring.reading.protocol import protocol_from
from scoring.reading.race import races_of
from scoring.reading.sums import bars_of
from scoring.web.access import device_of, remember_device

from ..core.access import Request, heat_view, public_view
from ..core.accounts import known_phone, remember_phone
from ..core.clock import clock_of
from ..core.days import day_of
from ..core.errors import Refused
from ..core.limits import client_address
from ..core.page_cache import Part, cached_page, part
from ..core.shared_links import Shared, drawn_picture
from ..draws.queries.plan import tables_with_cards
from ..models import Event, Heat
from ..models.enums import HeatStatus, Shares
from ..results.queries.stood import stood_of
from .commands import keep_score_by_code
from .queries.cards import heat_cards
from .queries.closing import flip_flops_of, going_on
from .queries.codes import Phone


@require_safe
@public_view
@heat_view
@cached_page()
def heat(request: Request, heat: Heat) -> HttpResponse:
    """Show a heat's protocol, live while it is played."""
    now, shared = heat_now(request, heat)
    return render(
        request,
        "tournaments/heats/heat_detail.html",
        {
            "event": heat.event,
            "heat": heat,
            "shared": shared,
            "live": heat.status == HeatStatus.OPEN,
            "day": day_of(heat.event.timetable.all(), heat.starts_at or heat.opened_at),
            "now": now,
        },
    )


@never_cache
@public_view
@require_http_methods(["GET", "HEAD", "POST"])
def room_table(request: Request, event: Event, number: int) -> HttpResponse:
    """Show the heat at a table of the room; the card on the table leads here.

    A phone that enters the heat's code keeps the score.
    """
    heat = event.heats.open().filter(table_number=number).select_related("event", "table").first()
    if heat is None and number not in tables_with_cards(event):
        raise Http404(_("The room has no table %(number)s.") % {"number": number})
    error = ""
    if request.method == "POST" and heat is not None:
        try:
            device = device_of(request)
            phone = Phone(client_address(request), device, known_phone(request, event.pk))
            path = keep_score_by_code(heat=heat, code=request.POST.get("code", ""), phone=phone)
            response: HttpResponse = redirect(path)
            remember_device(request, response, device)
            remember_phone(request, response, event.pk)
            return response
        except Refused as refused:
            error = str(refused)
    context = {
        "event": event,
        "number": number,
        "card": heat_cards([heat])[0] if heat else None,
        "error": error,
    }
    response = render(
        request, "tournaments/heats/room_table.html", context, status=409 if error else 200
    )
    # A phone let in by the desk has tries of its own.
    remember_device(request, response, device_of(request))
    return response


@require_safe
@public_view
@heat_view
@cached_page()
def heat_live(request: Request, heat: Heat) -> HttpResponse:
    """Return the protocol's live part, or 304."""
    return HttpResponse(heat_now(request, heat)[0].html)


@require_safe
@public_view
@heat_view
@cached_page()
def game(request: Request, heat: Heat, game: int) -> HttpResponse:
    """Show one game entry by entry: what its fold on the heat's page shows, without a script."""
    context = {
        "event": heat.event,
        "heat": heat,
        "number": game,
        "live": heat.status == HeatStatus.OPEN,
        "now": _deals(request, heat, game),
    }
    return render(request, "tournaments/heats/game_detail.html", context)


@require_safe
@public_view
@heat_view
@cached_page()
def game_deals(request: Request, heat: Heat, game: int) -> HttpResponse:
    """Return a game's deals, which the heat's page fetches when they are unfolded, or 304."""
    return HttpResponse(_deals(request, heat, game).html)


def _deals(request: Request, heat: Heat, number: int) -> Part:
    games = table_games(heat.table, only=[number]).games if heat.table else ()
    if not games or games[0].status == SheetStatus.VOID:
        raise Http404(_("This heat has no game %(number)s.") % {"number": number})
    path = reverse("tournaments:heat_deals", args=[heat.event.slug, heat.number, number])
    return part(request, path, "tournaments/heats/_game_deals.html", {"game": games[0]})


def heat_now(request: Request, heat: Heat) -> tuple[Part, Shared]:
    """Return the live part, and what a link to the heat shows."""
    read = table_games(heat.table) if heat.table else None
    protocol = protocol_from(read, policy=heat.event.acceptance) if read else None
    clock = clock_of(heat, heat.event)
    context = {
        "acceptance": protocol.acceptance if protocol else None,
        "needs": needs_of(protocol, is_final=heat.nobody_goes_on, clock=clock) if protocol else (),
        "races": races_of(protocol.games, read.rules) if protocol and read else (),
        "bars": [(bar, sum_picture(bar)) for bar in bars_of(protocol.ranking)] if protocol else (),
        "event": heat.event,
        "heat": heat,
        "clock": clock,
        "flip_flops": flip_flops_of(heat, read.names) if read else (),
        "live": heat.status == HeatStatus.OPEN,
        "going_on": going_on(heat, read.names if read else {}),
        "stood": [each.text() for each in stood_of([heat]).values()],
        "protocol": protocol,
    }
    path = reverse("tournaments:heat_live", args=[heat.event.slug, heat.number])
    live = part(request, path, "tournaments/heats/_heat_protocol.html", context)
    picture = drawn_picture(heat.event, Shares.HEAT, heat.number)
    return live, Shared(f"{heat} · {heat.event.name}", _in_short(read) if read else "", picture)


def _in_short(read: TableGames) -> str:
    """Return who plays, and who leads: "Anna, Bo, Cia · Anna 47"."""
    names = ", ".join(read.names.values())
    begun = [game for game in read.games if not game.unwritten and game.status != SheetStatus.VOID]
    if not begun:
        return names
    best = max(begun[-1].seats, key=lambda seat: (seat.winner, seat.score))
    return f"{names} · {best.name} {best.score}"
