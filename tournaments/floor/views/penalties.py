"""Penalties: given on a heat's page, listed for the event, taken back."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ...core.access import Request, staff_view
from ...core.answers import number_in
from ...core.permissions import JUDGE, VIEW_DESK
from ...core.seen import check_seen
from ...heats.queries.cards import heat_cards
from ...models import Event, Heat, Penalty
from ...models.enums import EventStatus
from ..commands.shot_clock import give_slow_penalty
from ..forms import DisqualifyForm, TakeBackForm
from ..queries.penalties import active_penalties, last_penalty, set_points_taken
from ..queries.players import at_no_table
from .heat import heat_action
from .heat_actions import heat_version


def penalty_now(heat: Heat) -> dict[str, int]:
    """Return the hidden fields of the form for a penalty, as they are now."""
    return {
        "game": heat_cards([heat])[0].game_now,
        "version": heat_version(heat),
        "last": last_penalty(heat.event),
    }


@heat_action(JUDGE)
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
    return penalties_page(request, event)


def penalties_page(
    request: Request,
    event: Event,
    *,
    status: int = 200,
    bad: TakeBackForm | None = None,
    pk: int = 0,
    disqualify_form: DisqualifyForm | None = None,
) -> HttpResponse:
    """Show the event's penalties, with forms that were refused."""
    rows = list(
        Penalty.objects.filter(event=event)
        .select_related("registration__person", "game__heat", "given_by")
        .order_by("-pk")
    )
    set_points_taken(rows)
    if disqualify_form is None and event.status == EventStatus.OPEN:
        disqualify_form = disqualify_form_of(event)
    context = {
        "event": event,
        "rows": rows,
        "bad": bad,
        "bad_pk": pk,
        "disqualify_form": disqualify_form,
    }
    return render(request, "tournaments/floor/penalties.html", context, status=status)


def disqualify_form_of(event: Event, data: Any = None) -> DisqualifyForm:
    """Return the form that puts somebody out who sits at no table."""
    # What was sent may name somebody who has been put out meanwhile: the command says so.
    players = at_no_table(event, disqualified=data is not None)
    return DisqualifyForm(data, players=players, last=last_penalty(event))


def penalty_of(event: Event, pk: int) -> Penalty:
    """Return the event's penalty, or raise 404."""
    penalty = get_object_or_404(
        Penalty.objects.select_related("registration__person"), event=event, pk=pk
    )
    penalty.event = event
    return penalty


def refused_take_back(
    request: Request, penalty: Penalty, *, status: int, form: TakeBackForm
) -> HttpResponse:
    """Show the penalties with the refused form of this one."""
    return penalties_page(request, penalty.event, status=status, bad=form, pk=penalty.pk)
