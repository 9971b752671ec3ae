"""Penalties: given at a heat's page, listed for the event, taken back."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from ...core.access import Request, heat_of, registration_of, staff_view
from ...core.answers import NO, said, sentence
from ...core.permissions import DIRECT, VIEW_DESK
from ...heats.queries import cards_of
from ...models import Event, Penalty
from ...models.enums import PenaltyLevel
from ..commands import penalties as domain
from ..forms import TakeBackForm
from ..queries import standing_penalties
from .floor import page_of, refused
from .heat import heat_page
from .heat_actions import heat_version
from .heat_parts import penalty_form, step_text


@require_POST
@staff_view(DIRECT)
def heat_penalty(request: Request, event: Event, number: int) -> HttpResponse:
    """Give a player of the heat a penalty: the next step unless the director says another."""
    heat = heat_of(event, number)
    card = cards_of([heat], staff=True)[0]
    given = standing_penalties(event, card.names)
    form = penalty_form(card, given, request.POST)
    if not form.is_valid():
        return heat_page(request, event, heat, status=422, penalty_form=form)
    data = form.cleaned_data
    player = registration_of(event, int(data["player"]))
    known = Penalty.objects.filter(client_id=data["client_id"]).first()
    level = known.level if known else data["level"] or domain.next_level(player, data["offence"])
    if level == PenaltyLevel.DISQUALIFIED and not data["sure"] and known is None:
        form = penalty_form(card, given, request.POST, ask=True)
        form.is_valid()
        text = _(
            "This puts %(name)s out of the whole event, without a refund. Tick that you mean it."
        )
        form.add_error("sure", text % {"name": player.person})
        return heat_page(request, event, heat, status=422, penalty_form=form)
    try:
        penalty = domain.give_penalty(
            heat=heat,
            registration=player,
            level=level,
            offence=data["offence"],
            by=request.user,
            client_id=data["client_id"],
            seen_version=data["version"],
            points=data["points"] or domain.DEFAULT_POINTS,
            reason=data["reason"],
        )
    except NO as error:
        # What was typed stays; it is shown against the sheet as it is now.
        typed = request.POST.copy()
        typed["penalty-version"] = str(heat_version(heat))
        form = penalty_form(card, given, typed, ask=bool(data["sure"]))
        return refused(request, event, heat, error, "penalty_form", form)
    text = _("%(name)s: %(penalty)s.") % {
        "name": player.person,
        "penalty": step_text(penalty.level, penalty.points),
    }
    return said(request, text, page_of(heat))


@require_safe
@never_cache
@staff_view(VIEW_DESK)
def penalties(request: Request, event: Event) -> HttpResponse:
    """Show every penalty of the event."""
    return _page(request, event)


def _page(
    request: Request,
    event: Event,
    *,
    status: int = 200,
    bad: TakeBackForm | None = None,
    pk: int = 0,
) -> HttpResponse:
    rows = list(
        Penalty.objects.filter(event=event)
        .select_related("registration__person", "game__heat", "given_by")
        .order_by("-pk")
    )
    context = {"event": event, "rows": rows, "bad": bad, "bad_pk": pk}
    return render(request, "tournaments/floor/penalties.html", context, status=status)


@require_POST
@staff_view(DIRECT)
def penalty_take_back(request: Request, event: Event, pk: int) -> HttpResponse:
    """Take a penalty back, with its ruling on the sheet."""
    penalty = get_object_or_404(
        Penalty.objects.select_related("registration__person"), event=event, pk=pk
    )
    penalty.event = event
    form = TakeBackForm(request.POST)
    if not form.is_valid():
        return _page(request, event, status=422, bad=form, pk=pk)
    try:
        domain.take_back_penalty(
            penalty=penalty, by=request.user, reason=form.cleaned_data["reason"]
        )
    except NO as error:
        form.add_error(None, sentence(error))
        return _page(request, event, status=409, bad=form, pk=pk)
    text = _("The penalty of %(name)s is taken back.") % {"name": penalty.registration.person}
    return said(request, text, reverse("tournaments:penalties", args=[event.slug]))
