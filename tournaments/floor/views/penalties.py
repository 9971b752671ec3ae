"""Penalties: given on a heat's page, listed for the event, taken back."""

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ...core.access import Request, registration_of, staff_view
from ...core.answers import form_errors, number_in, staff_action, valid
from ...core.permissions import DIRECT, VIEW_DESK
from ...core.seen import check_seen
from ...heats.queries.cards import heat_cards
from ...models import Event, Heat, Penalty
from ...models.enums import EventStatus, PenaltyLevel
from ...models.ladder import COUNTED, Step
from ..commands import penalties as domain
from ..commands.shot_clock import give_slow_penalty
from ..forms import DisqualifyForm, TakeBackForm
from ..queries.penalties import active_penalties, last_penalty, next_step, set_points_taken
from ..queries.players import at_no_table
from .heat import heat_action
from .heat_actions import heat_version
from .heat_parts import penalty_form


def _now(heat: Heat) -> dict[str, int]:
    return {
        "game": heat_cards([heat])[0].game_now,
        "version": heat_version(heat),
        "last": last_penalty(heat.event),
    }


@heat_action(DIRECT)
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
    level = step.level
    if data["sure"] or level == PenaltyLevel.DISQUALIFIED:
        form = penalty_form(card, given, request.POST, ask=True)
    if level == PenaltyLevel.DISQUALIFIED and not data["sure"] and known is None:
        text = _(
            "This puts %(name)s out of the whole event, without a refund. Tick the box to confirm."
        )
        form.add_error("sure", text % {"name": player.person})
    with form_errors(penalty_form=form, now=partial(_now, heat)) as data:
        penalty = domain.give_penalty(
            heat=heat,
            registration=player,
            level=level,
            offence=data["offence"],
            by=request.user,
            client_id=data["client_id"],
            game_seen=data["game"],
            seen_version=data["version"],
            last_seen=data["last"],
            points=step.points,
            reason=data["reason"],
        )
    set_points_taken([penalty])
    return _("%(name)s: %(penalty)s.") % {"name": player.person, "penalty": penalty.text}


@heat_action(DIRECT)
def heat_slow(request: Request, heat: Heat) -> str:
    """Give the step that the table's shot clock called for."""
    game = number_in(request, "game") or None
    (card,) = heat_cards([heat], staff=True)
    given = active_penalties(heat.event, [seat.player_id for seat in card.seats])
    check_seen(request, heat.table.call_mark if heat.table else "", len(given))
    penalty = give_slow_penalty(heat=heat, by=request.user, game_seen=game)
    set_points_taken([penalty])
    return _("%(name)s: %(penalty)s.") % {
        "name": penalty.registration.person,
        "penalty": penalty.text,
    }


@require_safe
@never_cache
@staff_view(VIEW_DESK)
def penalties(request: Request, event: Event) -> HttpResponse:
    """List the event's penalties."""
    return _page(request, event)


def _page(
    request: Request,
    event: Event,
    *,
    status: int = 200,
    bad: TakeBackForm | None = None,
    pk: int = 0,
    disqualify_form: DisqualifyForm | None = None,
) -> HttpResponse:
    rows = list(
        Penalty.objects.filter(event=event)
        .select_related("registration__person", "game__heat", "given_by")
        .order_by("-pk")
    )
    set_points_taken(rows)
    if disqualify_form is None and event.status == EventStatus.OPEN:
        disqualify_form = _disqualify_form(event)
    context = {
        "event": event,
        "rows": rows,
        "bad": bad,
        "bad_pk": pk,
        "disqualify_form": disqualify_form,
    }
    return render(request, "tournaments/floor/penalties.html", context, status=status)


def _disqualify_form(event: Event, data: Any = None) -> DisqualifyForm:
    # What was sent may name somebody who has been put out meanwhile: the command says so.
    players = at_no_table(event, disqualified=data is not None)
    return DisqualifyForm(data, players=players, last=last_penalty(event))


@staff_action(DIRECT, back="penalties", page=_page)
def disqualify(request: Request, event: Event) -> str:
    """Put a player who sits at no table out of the event."""
    form = _disqualify_form(event, request.POST)
    with form_errors(disqualify_form=form, now=lambda: {"last": last_penalty(event)}) as data:
        penalty = domain.disqualify(
            registration=registration_of(event, int(data["player"])),
            offence=data["offence"],
            by=request.user,
            client_id=data["client_id"],
            reason=data["reason"],
            last_seen=data["last"],
        )
    return _("%(name)s: %(penalty)s.") % {
        "name": penalty.registration.person,
        "penalty": penalty.text,
    }


def _penalty_of(event: Event, pk: int) -> Penalty:
    penalty = get_object_or_404(
        Penalty.objects.select_related("registration__person"), event=event, pk=pk
    )
    penalty.event = event
    return penalty


def _again(request: Request, penalty: Penalty, *, status: int, form: TakeBackForm) -> HttpResponse:
    return _page(request, penalty.event, status=status, bad=form, pk=penalty.pk)


@staff_action(DIRECT, of=_penalty_of, back="penalties", page=_again)
def penalty_take_back(request: Request, penalty: Penalty) -> str:
    """Take a penalty back, with its ruling on the sheet."""
    with form_errors(form=TakeBackForm(request.POST)) as data:
        domain.take_back_penalty(penalty=penalty, by=request.user, reason=data["reason"])
    return _("The penalty of %(name)s is taken back.") % {"name": penalty.registration.person}
