"""The director's page of a heat."""

from functools import partial
from typing import Any

import segno
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import etag, require_safe

from scoring.enums import SheetStatus
from scoring.reading.acceptance import NO_ACCEPTANCE

from ...core.access import Request, heat_of, heat_view, staff_view
from ...core.addresses import opens_here_only, public_address
from ...core.answers import staff_action
from ...core.permissions import DIRECT, JUDGE, RUN_FLOOR, VIEW_DESK
from ...core.queries import log_lines
from ...core.versions import heat_etag
from ...heats.forms import (
    AuditorForm,
    FlipFlopForm,
    ProtestForm,
    ReasonForm,
    RulingForm,
    StandInForm,
    TableForm,
)
from ...heats.queries.cards import heat_cards, protocol_for
from ...heats.queries.closing import closing_text, flip_flops_of, going_on, stand_ins
from ...heats.queries.codes import heats_with_blocked_codes
from ...heats.queries.links import current_link, scoring_path
from ...models import Event, Heat, LogEntry
from ...models.enums import HeatStatus, StageKind
from ...results.queries.from_sheets import values_of
from ...results.queries.stood import stood_of
from ..queries.ending import why_not_ended
from ..queries.open_tables import clock_button
from .heat_parts import floor_parts, players_by_name


@require_safe
@never_cache
@staff_view(VIEW_DESK)
@heat_view
def heat_desk(request: Request, heat: Heat) -> HttpResponse:
    return heat_page(request, heat)


def heat_page(request: Request, heat: Heat, *, status: int = 200, **forms: Any) -> HttpResponse:
    """Render the page; ``forms`` replaces forms that were refused, with their input."""
    event = heat.event
    if forms:
        heat = heat_of(event, heat.number)
    context = heat_context(event, heat)
    card, protocol = context["card"], context["protocol"]
    context |= floor_parts(event, heat, card, protocol) | forms
    context["codes_blocked"] = heat.pk in heats_with_blocked_codes([heat])
    may_direct = request.user.has_perm(DIRECT, event)
    may_judge = request.user.has_perm(JUDGE, event)
    may_floor = request.user.has_perm(RUN_FLOOR, event)
    # Only the director may change the sheets of a closed heat.
    may_enter = {HeatStatus.OPEN: may_floor, HeatStatus.FINISHED: may_direct}
    context |= {
        "may_direct": may_direct,
        "may_judge": may_judge,
        "may_floor": may_floor,
        # The floor alone has nothing to do where no game is running.
        "has_actions": context["is_open"]
        and (may_judge or (may_floor and "missing_form" in context)),
        "correctable": [game for game in protocol.games if game.deals]
        if protocol and may_direct and heat.status != HeatStatus.VOID
        else [],
        "takes_paper": protocol and may_enter.get(HeatStatus(heat.status)),
    }
    if context["link_path"]:
        context["link_address"] = public_address(request, context["link_path"])
        context["link_here_only"] = opens_here_only(context["link_address"])
    return render(request, "tournaments/floor/heat_desk.html", context, status=status)


def path_of_heat(heat: Heat) -> str:
    return reverse("tournaments:heat_desk", args=[heat.event.slug, heat.number])


#: Wraps an action on one heat: a refusal is shown on the heat's page, in the form it came from.
heat_action = partial(staff_action, of=heat_of, back=path_of_heat, page=heat_page)


@require_safe
@staff_view(VIEW_DESK)
@heat_view
@etag(lambda request, heat: heat_etag(heat))
def heat_desk_live(request: Request, heat: Heat) -> HttpResponse:
    """Return the running scores, or 304; a page that still shows the heat as open loads anew."""
    context = heat_context(heat.event, heat)
    if "ruling" in request.GET and "ruling_form" in context:
        context["gone_on"] = request.GET["ruling"] != str(context["running"].number)
    response = render(request, "tournaments/floor/_heat_desk_live.html", context)
    if not context["is_open"]:
        response["HX-Refresh"] = "true"
    return response


def heat_context(event: Event, heat: Heat) -> dict[str, Any]:
    """Return the template context of the director's page of a heat."""
    card = heat_cards([heat], staff=True)[0]
    protocol = protocol_for(heat, card.names)
    running = (
        next((g for g in protocol.games if g.status == SheetStatus.RUNNING), None)
        if protocol
        else None
    )
    link = current_link(heat)
    acceptance = protocol.acceptance if protocol else NO_ACCEPTANCE
    context: dict[str, Any] = {
        "clock_button": clock_button(card.clock),
        "not_ended": why_not_ended(heat, [game.sheet for game in protocol.games])
        if protocol
        else None,
        "acceptance": acceptance,
        "protest_form": ProtestForm() if card.call_since or acceptance.open_objections else None,
        "event": event,
        "heat": heat,
        "card": card,
        "mark": heat_etag(heat),
        "is_open": heat.status == HeatStatus.OPEN,
        "closing": closing_text(heat),
        "going_on": going_on(heat, card.names),
        "stood": [each.text(staff=True) for each in stood_of([heat]).values()],
        "protocol": protocol,
        "running": running,
        "lease_since": running.sheet.scored_since if running else None,
        "flip_flops": flip_flops_of(heat, card.names),
        "link": link,
        "link_path": scoring_path(heat) if link else "",
        "auditor_form": AuditorForm(
            players=players_by_name(card),
            initial={"auditor": heat.table.auditor if heat.table else ""},
        ),
        "table_form": TableForm(initial={"table_number": heat.table_number}),
        "void_form": ReasonForm(prefix="void"),
        "flip_flop_forms": flip_flop_forms(card.names, protocol),
        "stand_in_form": stand_in_form(heat, card.names, protocol),
        "results": results_shown(heat),
        "log": log_lines(event, LogEntry.objects.filter(event=event, heat_number=heat.number)[:15]),
    }
    if running is not None:
        context["ruling_form"] = RulingForm(
            seats=[(seat.seat, seat.name) for seat in running.seats],
            game=running.number,
            version=running.sheet.version,
        )
    return context


def results_shown(heat: Heat) -> list[tuple[object, ...]]:
    """Return the results by which a heat is closed or reviewed."""
    return [values_of(row) for row in heat.results.order_by("order")]


def flip_flop_forms(names: dict[str, str], protocol: Any, data: Any = None) -> list[FlipFlopForm]:
    """Return a form for each tie that needs a Flip Flop."""
    groups = protocol.needs_flip_flop if protocol else ()
    return [
        FlipFlopForm(
            data,
            group=[(player_id, names.get(player_id, player_id)) for player_id in group],
            prefix=f"tie{n}",
        )
        for n, group in enumerate(groups)
    ]


def stand_in_form(
    heat: Heat, names: dict[str, str], protocol: Any, data: Any = None
) -> StandInForm | None:
    """Return the form on who advances if a winner has qualified from another heat, or None."""
    if heat.status != HeatStatus.OPEN or heat.stage.kind != StageKind.QUALIFYING:
        return None
    advances = [row.player_id for row in protocol.ranking if row.advances] if protocol else []
    if not advances or protocol.needs_flip_flop:
        return None
    taken, possible = stand_ins(heat, advances)
    if not taken:
        return None
    return StandInForm(
        data,
        taken=[(player_id, names[player_id]) for player_id in taken],
        possible=[(player_id, names[player_id]) for player_id in possible],
    )


@require_safe
@never_cache
@staff_view(RUN_FLOOR)
@heat_view
def heat_qr(request: Request, heat: Heat) -> HttpResponse:
    """Return the scoring link's QR code as an SVG image."""
    path = scoring_path(heat)
    if not path:
        raise Http404
    code = segno.make(public_address(request, path), error="m")
    svg = code.svg_inline(scale=8, border=3, dark="#000", light="#fff", omitsize=True)
    namespace = '<svg xmlns="http://www.w3.org/2000/svg" '
    text = svg if "xmlns=" in svg else svg.replace("<svg ", namespace, 1)
    return HttpResponse(text, content_type="image/svg+xml")
