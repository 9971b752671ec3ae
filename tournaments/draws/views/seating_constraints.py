"""Whom to keep apart, who always sits at one table, which tables the room has."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from ...core.access import Request, registration_of, staff_view
from ...core.answers import NO, said, sentence
from ...core.permissions import REGISTER, VIEW_DESK
from ...models import Event
from ..commands import seating_constraints as domain
from ..forms import ApartForm, FixedTableForm, RoomPlanForm
from ..queries.seating_constraints import apart_pairs, fixed_tables, players_to_choose, room


@require_safe
@staff_view(VIEW_DESK)
def wishes(request: Request, event: Event) -> HttpResponse:
    """Show everything that a draw respects."""
    return _page(request, event)


def _page(request: Request, event: Event, *, status: int = 200, **forms: Any) -> HttpResponse:
    players = players_to_choose(event)
    context: dict[str, Any] = {
        "event": event,
        "pairs": apart_pairs(event),
        "fixed": fixed_tables(event),
        "room": room(event),
        "apart_form": ApartForm(players=players),
        "fixed_form": FixedTableForm(players=players),
        "room_form": RoomPlanForm(instance=Event.objects.get(pk=event.pk)),
    }
    return render(request, "tournaments/draws/wishes.html", context | forms, status=status)


def _back(event: Event) -> str:
    return reverse("tournaments:wishes", args=[event.slug])


@require_POST
@staff_view(REGISTER)
def wish_apart(request: Request, event: Event) -> HttpResponse:
    """Keep two players apart."""
    form = ApartForm(request.POST, players=players_to_choose(event))
    if not form.is_valid():
        return _page(request, event, status=422, apart_form=form)
    data = form.cleaned_data
    one, other = (registration_of(event, data[name]) for name in ("one", "other"))
    try:
        domain.keep_apart(event=event, one=one, other=other, by=request.user, reason=data["reason"])
    except NO as error:
        form.add_error(None, sentence(error))
        return _page(request, event, status=409, apart_form=form)
    text = _("%(one)s and %(other)s are kept apart from now on.") % {
        "one": one.person,
        "other": other.person,
    }
    return said(request, text, _back(event))


@require_POST
@staff_view(REGISTER)
def wish_together(request: Request, event: Event) -> HttpResponse:
    """Let two players share a table again."""
    key = request.POST.get("pair", "")
    pair = next((each for each in apart_pairs(event) if str(each.pk) == key), None)
    if pair is None:
        text = _("They are not kept apart any more.")
        return said(request, text, _back(event), error=True)
    try:
        domain.let_together(pair=pair, by=request.user)
    except NO as error:
        return said(request, sentence(error), _back(event), error=True)
    text = _("%(one)s and %(other)s may share a table again.") % {
        "one": pair.one.person,
        "other": pair.other.person,
    }
    return said(request, text, _back(event))


@require_POST
@staff_view(REGISTER)
def wish_table(request: Request, event: Event) -> HttpResponse:
    """Give a player a fixed table, or take it."""
    form = FixedTableForm(request.POST, players=players_to_choose(event))
    if not form.is_valid():
        return _page(request, event, status=422, fixed_form=form)
    player = registration_of(event, form.cleaned_data["player"])
    table = form.cleaned_data["table"]
    try:
        domain.set_fixed_table(registration=player, table=table, by=request.user)
    except NO as error:
        form.add_error("table", sentence(error))
        return _page(request, event, status=409, fixed_form=form)
    text = (
        _("%(name)s always sits at table %(table)s.") % {"name": player.person, "table": table}
        if table
        else _("%(name)s has no fixed table any more.") % {"name": player.person}
    )
    return said(request, text, _back(event))
