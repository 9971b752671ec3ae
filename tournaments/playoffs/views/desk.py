"""The director's page of the play-offs: prepare a round, mark players present, draw, take back."""

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ...core.access import Request, of_playoffs, registration_of, staff_view
from ...core.answers import form_errors, staff_action, valid
from ...core.errors import Refused
from ...core.names import staff_name
from ...core.permissions import DIRECT, VIEW_DESK
from ...core.seen import check_seen
from ...draws.commands.drafts import draft_round
from ...draws.views.drafts import draft_path
from ...models import Event, Stage
from ...models.enums import StageStatus
from .. import commands as domain
from ..forms import PlaceForm, ReasonForm, RoundDraftForm, TakeInForm
from ..queries.desk import playoff_desk


@require_safe
@staff_view(VIEW_DESK)
@of_playoffs
def rounds(request: Request, event: Event) -> HttpResponse:
    """Show the next round and those so far."""
    return _page(request, event)


def _page(request: Request, event: Event, *, status: int = 200, **forms: Any) -> HttpResponse:
    shown = playoff_desk(event)
    context: dict[str, Any] = {
        "event": event,
        "page": shown,
        "take_in_form": TakeInForm(free=shown.prepared.free if shown.prepared else ()),
        "draft_form": RoundDraftForm(initial={"grouping": event.playoff_grouping}),
        "discard_form": ReasonForm(prefix="discard"),
    }
    return render(request, "tournaments/playoffs/rounds.html", context | forms, status=status)


_action = partial(staff_action, DIRECT, back="rounds", page=_page)
#: Refusals after which the page no longer has the forms of a planned round: somebody was faster.
_GONE = ("draft_exists", "round_drawn")


def _planned(request: Request, event: Event) -> Stage:
    """Return the round that is prepared but not drawn, if the page showed that one."""
    stage = event.stages.playoffs().filter(status=StageStatus.PLANNED).order_by("-number").first()
    if stage is None:
        raise _nothing_prepared()
    check_seen(request, stage.pk)
    stage.event = event
    return stage


def _nothing_prepared() -> Refused:
    text = _("No round is prepared just now. Reload the page.")
    return Refused("nothing_prepared", text)


@_action()
def round_prepare(request: Request, event: Event) -> str:
    """Create the next round from those who advanced."""
    coming = playoff_desk(event).coming
    check_seen(request, coming.title if coming else "")
    stage = domain.prepare_round(event=event, by=request.user)
    return _("Prepared: %(stage)s. See who is here, then draw.") % {"stage": stage}


def _tapped(request: Request, event: Event) -> dict[str, Any]:
    """Return the player tapped, the account, and the reason."""
    stage, form = _planned(request, event), PlaceForm(request.POST)
    if not form.is_valid():
        raise _nothing_prepared()
    player = get_object_or_404(
        stage.players.select_related("registration__person"),
        registration__number=form.cleaned_data["number"],
    )
    player.stage = stage
    return {"player": player, "by": request.user, "reason": form.cleaned_data["reason"]}


@_action()
def round_absent(request: Request, event: Event) -> str:
    """Mark a no-show; a replacement comes in by the event's rule."""
    tapped = _tapped(request, event)
    instead = domain.mark_absent(**tapped)
    names = {"name": staff_name(tapped["player"].registration.person)}
    if instead is None:
        return _("%(name)s does not play.") % names
    names["other"] = staff_name(instead.registration.person)
    return _("%(name)s does not play; %(other)s plays instead.") % names


@_action()
def round_present(request: Request, event: Event) -> str:
    """Mark a player present, or undo a no-show; ``?here=0`` undoes the mark."""
    tapped = _tapped(request, event)
    player = tapped["player"]
    name = {"name": staff_name(player.registration.person)}
    if player.absent:
        domain.mark_present(**tapped)
        return _("%(name)s is here and plays.") % name
    here = request.GET.get("here") != "0"
    domain.check_in_to_round(player=player, here=here, by=request.user)
    return _("%(name)s is here.") % name if here else _("%(name)s has not arrived yet.") % name


@_action()
def round_take_in(request: Request, event: Event) -> str:
    """Take in a player whom the rule does not choose."""
    stage = _planned(request, event)
    shown = playoff_desk(event).prepared
    form = TakeInForm(request.POST, free=shown.free if shown else ())
    with form_errors(take_in_form=form, gone=_GONE) as data:
        player = registration_of(event, data["player"])
        domain.take_in_by_hand(
            stage=stage, registration=player, by=request.user, reason=data["reason"]
        )
    return _("%(name)s is in the round.") % {"name": staff_name(player.person)}


@_action()
def round_draft(request: Request, event: Event) -> HttpResponse:
    """Make the draft of the round's tables."""
    stage = _planned(request, event)
    with form_errors(draft_form=RoundDraftForm(request.POST), gone=_GONE) as data:
        draw = draft_round(
            stage=stage,
            by=request.user,
            seed=data["seed"] or None,
            grouping=data["grouping"],
        )
    return redirect(draft_path(draw))


@_action()
def round_discard(request: Request, event: Event) -> str:
    """Take back the planned round, so that the stage before can go on."""
    stage = _planned(request, event)
    name = str(stage)
    data = valid(discard_form=ReasonForm(request.POST, prefix="discard"))
    domain.discard_round(stage=stage, by=request.user, reason=data["reason"])
    return _("Taken back: %(stage)s. The stage before it goes on.") % {"stage": name}
