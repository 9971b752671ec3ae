"""Pages for players to keep apart, fixed tables and the room plan."""

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from ...core.access import Request, registration_of, staff_view
from ...core.answers import form_errors, number_in, staff_action
from ...core.errors import Refused
from ...core.permissions import REGISTER, VIEW_DESK
from ...models import Event
from ..commands import seating_constraints as domain
from ..forms import ApartForm, FixedTableForm, GroupApartForm, RoomPlanForm
from ..queries.seating_constraints import (
    apart_pairs,
    clubs,
    fixed_tables,
    of_one_name,
    players_to_choose,
    room,
)


@require_safe
@staff_view(VIEW_DESK)
def seating_constraints(request: Request, event: Event) -> HttpResponse:
    """Show all constraints on draws."""
    return _page(request, event)


def _page(request: Request, event: Event, *, status: int = 200, **forms: Any) -> HttpResponse:
    players = players_to_choose(event)
    context: dict[str, Any] = {
        "event": event,
        "pairs": apart_pairs(event),
        "fixed": fixed_tables(event),
        "room": room(event),
        "apart_form": ApartForm(players=players),
        "group_form": GroupApartForm(auto_id="id_group_%s"),
        "fixed_form": FixedTableForm(players=players),
        "room_form": RoomPlanForm(instance=Event.objects.get(pk=event.pk)),
    }
    return render(
        request, "tournaments/draws/seating_constraints.html", context | forms, status=status
    )


_action = partial(staff_action, back="seating_constraints", page=_page)


@_action(REGISTER)
def seating_apart(request: Request, event: Event) -> str:
    """Keep two players apart."""
    form = ApartForm(request.POST, players=players_to_choose(event))
    with form_errors(apart_form=form) as data:
        pair = domain.keep_apart(
            event=event,
            one=registration_of(event, data["one"]),
            other=registration_of(event, data["other"]),
            by=request.user,
            reason=data["reason"],
        )
    return _("%(one)s and %(other)s are kept apart from now on.") % {
        "one": pair.one.person,
        "other": pair.other.person,
    }


@_action(REGISTER)
def seating_group(request: Request, event: Event) -> str:
    """Keep a whole family or club apart, or every club."""
    with form_errors(
        group_form=GroupApartForm(request.POST, auto_id="id_group_%s"), field="name"
    ) as data:
        groups = clubs(event) if data["clubs"] else [of_one_name(event, data["name"])]
        count = domain.keep_all_apart(
            event=event, groups=groups, by=request.user, reason=data["reason"]
        )
    return ngettext(
        "%(count)s new pair is kept apart.", "%(count)s new pairs are kept apart.", count
    ) % {"count": count}


@_action(REGISTER)
def seating_together(request: Request, event: Event) -> str:
    """Let two players share a table again."""
    key = number_in(request, "pair")
    pair = next((each for each in apart_pairs(event) if each.pk == key), None)
    if pair is None:
        raise Refused("not_apart", _("They are no longer kept apart."))
    domain.let_together(pair=pair, by=request.user)
    return _("%(one)s and %(other)s may share a table again.") % {
        "one": pair.one.person,
        "other": pair.other.person,
    }


@_action(REGISTER)
def seating_table(request: Request, event: Event) -> str:
    """Set or remove a player's fixed table."""
    form = FixedTableForm(request.POST, players=players_to_choose(event))
    with form_errors(fixed_form=form, field="table") as data:
        player, table = registration_of(event, data["player"]), data["table"]
        domain.set_fixed_table(registration=player, table=table, by=request.user)
    if not table:
        return _("%(name)s no longer has a fixed table.") % {"name": player.person}
    return _("%(name)s always sits at table %(table)s.") % {"name": player.person, "table": table}
