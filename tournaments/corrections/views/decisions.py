"""Decisions about a player: what follows is shown first, then they are made."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from ...core import once, seen
from ...core.access import Request, registration_of
from ...core.answers import form_errors, staff_action, valid
from ...core.permissions import DIRECT, JUDGE
from ...core.seen import check_seen
from ...floor.commands import penalties as domain
from ...floor.forms import TakeBackForm
from ...floor.queries.penalties import active_penalties, last_penalty, next_step, set_points_taken
from ...floor.views.heat import heat_action
from ...floor.views.heat_parts import penalty_form
from ...floor.views.penalties import (
    disqualify_form_of,
    penalties_page,
    penalty_now,
    penalty_of,
    refused_take_back,
)
from ...heats.queries.cards import heat_cards
from ...models import Event, Heat, Penalty, Registration
from ...models.enums import PenaltyLevel
from ...models.ladder import COUNTED, Step
from ...registration.commands.people import withdraw
from ..commands.follows import preview_decision

#: Sent by the buttons that first ask what would follow.
ASK = "ask"
_OWN = {ASK, once.FIELD, seen.FIELD, "csrfmiddlewaretoken"}


def shown_first(
    request: Request, event: Event, change: Callable[[], Any], *, title: str, button: str, back: str
) -> HttpResponse | None:
    """Return the page of what would follow, if the button asks for it.

    Once that was seen, refuse with ``changed_since`` if something else would follow now.
    """
    if ASK not in request.POST and seen.FIELD not in request.POST:
        return None
    effects = preview_decision(event=event, change=change).effects
    mark = (*effects.changes, *effects.places)
    if ASK not in request.POST:
        check_seen(request, *mark)
        return None
    context = {
        "event": event,
        "title": title,
        "button": button,
        "back": back,
        "effects": effects,
        "mark": seen.seen_mark(*mark),
        "seen_field": seen.FIELD,
        "sent": [(key, value) for key, value in request.POST.items() if key not in _OWN],
    }
    return render(request, "tournaments/corrections/decision.html", context)


@staff_action(DIRECT, of=registration_of, back="desk")
def player_withdraw(request: Request, player: Registration) -> HttpResponse | str:
    """Take a player out of the event."""
    words = {"name": player.person}
    change = partial(withdraw, registration=player, by=request.user)
    page = shown_first(
        request,
        player.event,
        change,
        title=_("Withdraw %(name)s from the event") % words,
        button=_("Withdraw from the event"),
        back=reverse("tournaments:player_edit", args=[player.event.slug, player.number]),
    )
    if page is not None:
        return page
    change()
    return _("%(name)s is withdrawn.") % words


@staff_action(DIRECT, back="penalties", page=penalties_page)
def disqualify(request: Request, event: Event) -> HttpResponse | str:
    """Put a player who sits at no table out of the event."""
    form = disqualify_form_of(event, request.POST)
    given: list[Penalty] = []
    with form_errors(disqualify_form=form, now=lambda: {"last": last_penalty(event)}) as data:
        player = registration_of(event, int(data["player"]))

        def change() -> None:
            given[:] = [
                domain.disqualify(
                    registration=player,
                    offence=data["offence"],
                    by=request.user,
                    client_id=data["client_id"],
                    reason=data["reason"],
                    last_seen=data["last"],
                )
            ]

        page = shown_first(
            request,
            event,
            change,
            title=_("Disqualify %(name)s") % {"name": player.person},
            button=_("Disqualify"),
            back=reverse("tournaments:penalties", args=[event.slug]),
        )
        if page is not None:
            return page
        change()
    return _text(given[0])


def _text(penalty: Penalty) -> str:
    return _("%(name)s: %(penalty)s.") % {
        "name": penalty.registration.person,
        "penalty": penalty.text,
    }


@staff_action(DIRECT, of=penalty_of, back="penalties", page=refused_take_back)
def penalty_take_back(request: Request, penalty: Penalty) -> HttpResponse | str:
    """Take a penalty back, with its ruling on the sheet."""
    words = {"name": penalty.registration.person}
    with form_errors(form=TakeBackForm(request.POST)) as data:
        change = partial(
            domain.take_back_penalty, penalty=penalty, by=request.user, reason=data["reason"]
        )
        page = shown_first(
            request,
            penalty.event,
            change,
            title=_("Take back the penalty of %(name)s") % words,
            button=_("Take the penalty back"),
            back=reverse("tournaments:penalties", args=[penalty.event.slug]),
        )
        if page is not None:
            return page
        change()
    return _("The penalty of %(name)s is taken back.") % words


@heat_action(JUDGE)
def heat_penalty(request: Request, heat: Heat) -> str:
    """Give a player a penalty: the next step unless the director chooses another."""
    card = heat_cards([heat], staff=True)[0]
    given = active_penalties(heat.event, card.names)
    form = penalty_form(card, given, request.POST)
    data = valid(penalty_form=form)
    player = registration_of(heat.event, int(data["player"]))
    known = Penalty.objects.filter(client_id=data["client_id"]).first()
    if known is not None:
        step = known.step
    elif data["level"]:
        level = PenaltyLevel(data["level"])
        step = Step(level, data["points"] or 0 if level in COUNTED else 0)
    else:
        own = [row for row in given if row.registration_id == player.pk]
        step = next_step(heat.event, own, data["offence"])
    if data["sure"] or step.level == PenaltyLevel.DISQUALIFIED:
        form = penalty_form(card, given, request.POST, ask=True)

    def change() -> Penalty:
        return domain.give_penalty(
            heat=heat,
            registration=player,
            level=step.level,
            offence=data["offence"],
            by=request.user,
            client_id=data["client_id"],
            game_seen=data["game"],
            seen_version=data["version"],
            last_seen=data["last"],
            points=step.points,
            reason=data["reason"],
        )

    out = step.level == PenaltyLevel.DISQUALIFIED and not data["sure"] and known is None
    with form_errors(penalty_form=form, now=partial(penalty_now, heat)):
        if not out:
            penalty = change()
        else:
            effects = preview_decision(event=heat.event, change=change).effects
    if out:
        text = _(
            "This puts %(name)s out of the whole event, without a refund. Tick the box to confirm."
        )
        form.add_error("sure", text % {"name": player.person})
        form.add_error("sure", list(effects.changes)) if effects.changes else None
        valid(penalty_form=form)
    set_points_taken([penalty])
    return _text(penalty)
