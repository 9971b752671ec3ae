"""The page on which one player of a heat is exchanged: chosen, previewed, then done."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from ...core.access import Request, heat_view, registration_of, staff_view
from ...core.answers import action, form_errors, reply
from ...core.names import staff_name
from ...core.permissions import DIRECT
from ...draws.queries.plan import drawable
from ...floor.commands.exchange import Exchange
from ...floor.queries.players import not_begun
from ...floor.views.heat import path_of_heat
from ...floor.views.heat_parts import players_by_name
from ...heats.queries.cards import heat_cards
from ...models import Heat, Registration
from ...models.enums import HeatStatus, StageKind
from ...playoffs.queries.rounds import next_ones
from ..commands.exchange import exchange, preview_exchange
from ..forms import ExchangeForm
from ..queries.consequences import deals_begun

#: How many of those who are next are offered.
MAX_NEXT = 12


def _who_can_come_in(heat: Heat) -> list[tuple[str, str]]:
    """Return reference and name of those who can come in, who is next first."""
    if heat.stage.kind == StageKind.QUALIFYING:
        rows = [entry.registration for entry in drawable(heat.event, heat.stage)]
    else:
        heat.stage.event = heat.event
        order = [each.player for each in next_ones(heat.stage, MAX_NEXT)]
        found: dict[str, Registration] = {
            row.player_id: row
            for row in heat.event.registrations.filter(
                number__in=[int(each) for each in order]
            ).select_related("person")
        }
        rows = [found[each] for each in order]
    return [(row.player_id, staff_name(row.person)) for row in rows]


def _form(heat: Heat, data: Any = None) -> ExchangeForm:
    return ExchangeForm(
        data,
        players=players_by_name(heat_cards([heat], staff=True)[0]),
        coming=_who_can_come_in(heat),
        waits=heat.stage.kind == StageKind.QUALIFYING,
    )


def _page(
    request: Request,
    heat: Heat,
    *,
    form: ExchangeForm | None = None,
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    context = {
        "event": heat.event,
        "heat": heat,
        "form": form or _form(heat),
        "is_open": heat.status == HeatStatus.OPEN,
        "begun": not not_begun(heat),
        "deals": sum(deals_begun([heat]).values()),
        **more,
    }
    return render(request, "tournaments/corrections/exchange.html", context, status=status)


@require_safe
@never_cache
@staff_view(DIRECT)
@heat_view
def exchange_page(request: Request, heat: Heat) -> HttpResponse:
    """Ask who goes out and who comes in."""
    return _page(request, heat)


@require_POST
@staff_view(DIRECT)
@heat_view
@action(back=lambda heat: path_of_heat(heat), page=_page)
def exchange_do(request: Request, heat: Heat) -> HttpResponse:
    """Show what the exchange changes; once that was confirmed, do it."""
    form = _form(heat, request.POST)
    with form_errors(form=form) as data:
        wanted = Exchange(
            heat=heat,
            out=registration_of(heat.event, int(data["out"])),
            into=registration_of(heat.event, int(data["into"])),
            reason=data["reason"],
            here=bool(data.get("here")),
        )
        seen = f"{data['out']}|{data['into']}|{bool(data.get('here'))}"
        if request.POST.get("seen") != seen:
            found = preview_exchange(wanted=wanted, by=request.user)
            return _page(request, heat, form=form, effects=found.effects, seen=seen)
        done = exchange(wanted=wanted, by=request.user)
    text = _("Table %(table)s: %(into)s plays in the place of %(out)s.") % {
        "table": done.heat.table_number,
        "into": wanted.into.person,
        "out": wanted.out.person,
    }
    args = [heat.event.slug, done.heat.number]
    return reply(request, text, reverse("tournaments:heat_desk", args=args))
