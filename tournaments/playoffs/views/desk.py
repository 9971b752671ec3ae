"""The director's page of the play-offs: prepare a round, who is there, draw it, take it back."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from ...core.access import Request, registration_of, staff_view
from ...core.answers import NO, said, sentence
from ...core.errors import Refused
from ...core.names import staff_name
from ...core.permissions import DIRECT, VIEW_DESK
from ...draws.commands.drafts import draft_round
from ...draws.views.drafts import draft_path
from ...models import Event, Stage, StagePlayer
from ...models.enums import StageKind, StageStatus
from .. import commands as domain
from ..forms import PlaceForm, ReasonForm, RoundDraftForm, TakeInForm
from ..queries.desk import playoff_desk


@require_safe
@staff_view(VIEW_DESK)
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


def _back(event: Event) -> str:
    return reverse("tournaments:rounds", args=[event.slug])


def _planned(event: Event) -> Stage | None:
    """Return the round that is prepared and not drawn yet."""
    stage = (
        event.stages.exclude(kind=StageKind.QUALIFYING)
        .filter(status=StageStatus.PLANNED)
        .order_by("-number")
        .first()
    )
    if stage is not None:
        stage.event = event
    return stage


def _nothing_prepared(request: Request, event: Event) -> HttpResponse:
    text = _("No round is prepared just now. Look at the page again.")
    return said(request, text, _back(event), error=True)


def _too_late(error: Exception) -> bool:
    """Whether somebody was faster, so that the page no longer has the form to speak above."""
    return isinstance(error, Refused) and error.code in {"draft_exists", "round_drawn"}


@require_POST
@staff_view(DIRECT)
def round_prepare(request: Request, event: Event) -> HttpResponse:
    """Make the next round of those who went on."""
    try:
        stage = domain.prepare_round(event=event, by=request.user)
    except NO as error:
        return said(request, sentence(error), _back(event), error=True)
    text = _("%(stage)s is prepared. See who is here, then draw.") % {"stage": stage}
    return said(request, text, _back(event))


def _place(event: Event, stage: Stage, number: int) -> StagePlayer:
    place = get_object_or_404(
        stage.players.select_related("registration__person"), registration__number=number
    )
    place.stage = stage
    return place


@require_POST
@staff_view(DIRECT)
def round_absent(request: Request, event: Event) -> HttpResponse:
    """Note a no-show; somebody comes in by the event's rule."""
    stage, form = _planned(event), PlaceForm(request.POST)
    if stage is None or not form.is_valid():
        return _nothing_prepared(request, event)
    place = _place(event, stage, form.cleaned_data["number"])
    try:
        instead = domain.mark_absent(
            place=place, by=request.user, reason=form.cleaned_data["reason"]
        )
    except NO as error:
        return said(request, sentence(error), _back(event), error=True)
    names = {"name": staff_name(place.registration.person)}
    if instead is None:
        return said(request, _("%(name)s is marked absent.") % names, _back(event))
    names["other"] = staff_name(instead.registration.person)
    text = _("%(name)s is marked absent; %(other)s plays instead.") % names
    return said(request, text, _back(event))


@require_POST
@staff_view(DIRECT)
def round_present(request: Request, event: Event) -> HttpResponse:
    """Take a no-show back."""
    stage, form = _planned(event), PlaceForm(request.POST)
    if stage is None or not form.is_valid():
        return _nothing_prepared(request, event)
    place = _place(event, stage, form.cleaned_data["number"])
    try:
        domain.mark_present(place=place, by=request.user, reason=form.cleaned_data["reason"])
    except NO as error:
        return said(request, sentence(error), _back(event), error=True)
    text = _("%(name)s is here and plays.") % {"name": staff_name(place.registration.person)}
    return said(request, text, _back(event))


@require_POST
@staff_view(DIRECT)
def round_take_in(request: Request, event: Event) -> HttpResponse:
    """Take somebody in whom the rule does not name."""
    stage = _planned(event)
    if stage is None:
        return _nothing_prepared(request, event)
    shown = playoff_desk(event).prepared
    form = TakeInForm(request.POST, free=shown.free if shown else ())
    if not form.is_valid():
        return _page(request, event, status=422, take_in_form=form)
    player = registration_of(event, form.cleaned_data["player"])
    try:
        domain.take_in_by_hand(
            stage=stage,
            registration=player,
            by=request.user,
            reason=form.cleaned_data["reason"],
        )
    except NO as error:
        if _too_late(error):
            return said(request, sentence(error), _back(event), error=True)
        form.add_error(None, sentence(error))
        return _page(request, event, status=409, take_in_form=form)
    text = _("%(name)s is in the round.") % {"name": staff_name(player.person)}
    return said(request, text, _back(event))


@require_POST
@staff_view(DIRECT)
def round_draft(request: Request, event: Event) -> HttpResponse:
    """Make the draft of the round's tables."""
    stage = _planned(event)
    if stage is None:
        return _nothing_prepared(request, event)
    form = RoundDraftForm(request.POST)
    if not form.is_valid():
        return _page(request, event, status=422, draft_form=form)
    try:
        draw = draft_round(
            stage=stage,
            by=request.user,
            seed=form.cleaned_data["seed"] or None,
            grouping=form.cleaned_data["grouping"],
        )
    except NO as error:
        if _too_late(error):
            return said(request, sentence(error), _back(event), error=True)
        form.add_error(None, sentence(error))
        return _page(request, event, status=409, draft_form=form)
    return redirect(draft_path(draw))


@require_POST
@staff_view(DIRECT)
def round_discard(request: Request, event: Event) -> HttpResponse:
    """Take the prepared round back, so that the stage before goes on."""
    stage = _planned(event)
    if stage is None:
        return _nothing_prepared(request, event)
    form = ReasonForm(request.POST, prefix="discard")
    if not form.is_valid():
        return _page(request, event, status=422, discard_form=form)
    name = str(stage)
    try:
        domain.discard_round(stage=stage, by=request.user, reason=form.cleaned_data["reason"])
    except NO as error:
        return said(request, sentence(error), _back(event), error=True)
    text = _("%(stage)s is taken back; what was before it goes on.") % {"stage": name}
    return said(request, text, _back(event))
