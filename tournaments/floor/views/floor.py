"""The floor page, and what the floor does at one table."""

from typing import Any

from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from scoring.models import Sheet, SheetEntry

from ...core.access import Request, heat_of, registration_of, staff_view
from ...core.answers import NO, said, sentence
from ...core.errors import Conflict
from ...core.permissions import DIRECT, RUN_FLOOR, VIEW_DESK
from ...core.versions import event_mark
from ...heats.queries import HeatCard, cards_of
from ...models import Event, Heat
from ...registration.queries.queue import queue_of
from ...results.queries.standings import qualified_of
from ..commands import floor as domain
from ..commands.review import look_at_warning
from ..forms import ExchangeForm, MinutesForm
from ..queries import floor_of, other_players
from .heat import heat_page
from .heat_parts import missing_form, players_by_name, seats_form, shown_sheet


@require_safe
@never_cache
@staff_view(VIEW_DESK)
def floor(request: Request, event: Event) -> HttpResponse:
    """Show every open table, those that need somebody first."""
    return render(
        request, "tournaments/floor/floor.html", {**_floor(event), "mark": event_mark(event)}
    )


@require_safe
@staff_view(VIEW_DESK)
def floor_now(request: Request, event: Event) -> HttpResponse:
    """Return the moving part of the page, or 304."""
    mark = event_mark(event)
    unchanged = get_conditional_response(request, etag=mark)
    if unchanged is not None:
        return unchanged
    response = render(request, "tournaments/floor/_floor_now.html", _floor(event))
    response["ETag"] = mark
    return response


def _floor(event: Event) -> dict[str, Any]:
    return {
        "event": event,
        "floor": floor_of(event),
        "queue": queue_of(event, staff=True),
        "qualified_count": qualified_of(event).count(),
    }


@require_POST
@staff_view(RUN_FLOOR)
def warning_seen(request: Request, event: Event, number: int) -> HttpResponse:
    """Tick an unusual entry off."""
    heat = heat_of(event, number)
    back = reverse("tournaments:floor", args=[event.slug])
    game, sequence = request.POST.get("game", ""), request.POST.get("entry", "")
    if not (game.isdecimal() and sequence.isdecimal() and len(game + sequence) < 12):
        return said(request, _("There is no such warning."), back, error=True)
    try:
        look_at_warning(heat=heat, game=int(game), sequence=int(sequence), by=request.user)
    except NO as error:
        return said(request, sentence(error), back, error=True)
    return said(request, _("Looked at."), back)


# --- one table --------------------------------------------------------------------------------


def page_of(heat: Heat) -> str:
    """Return the address of the director's page of a heat."""
    return reverse("tournaments:heat_desk", args=[heat.event.slug, heat.number])


def refused(
    request: Request, event: Event, heat: Heat, error: Exception, name: str, form: Form
) -> HttpResponse:
    """Answer a refusal with the page, the form as it was typed and the sentence at its head."""
    form.is_valid()
    form.add_error(None, sentence(error))
    return heat_page(request, event, heat_of(event, heat.number), status=409, **{name: form})


def _card(heat: Heat) -> HeatCard:
    return cards_of([heat], staff=True)[0]


@require_POST
@staff_view(DIRECT)
def heat_minutes(request: Request, event: Event, number: int) -> HttpResponse:
    """Give the heat extra time."""
    heat = heat_of(event, number)
    form = MinutesForm(request.POST)
    if not form.is_valid():
        return heat_page(request, event, heat, status=422, minutes_form=form)
    try:
        done = domain.grant_extra_time(
            heat=heat,
            minutes=form.cleaned_data["minutes"],
            by=request.user,
            reason=form.cleaned_data["reason"],
        )
    except NO as error:
        return refused(request, event, heat, error, "minutes_form", form)
    text = ngettext(
        "%(heat)s has %(count)s extra minute.",
        "%(heat)s has %(count)s extra minutes.",
        done.extra_minutes,
    ) % {"heat": heat, "count": done.extra_minutes}
    return said(request, text, page_of(heat))


@require_POST
@staff_view(DIRECT)
def heat_missing(request: Request, event: Event, number: int) -> HttpResponse:
    """Note that a player is gone or back, or begin without one who did not come."""
    heat = heat_of(event, number)
    card = _card(heat)
    form = missing_form(heat, card, not domain.not_begun(heat), request.POST)
    if not form.is_valid():
        return heat_page(request, event, heat, status=422, missing_form=form)
    data = form.cleaned_data
    player = registration_of(event, int(data["player"]))
    common: dict[str, Any] = {"heat": heat, "registration": player, "by": request.user}
    try:
        if data["what"] == "without":
            new = domain.begin_without(**common, reason=data["reason"])
            text = _("%(heat)s begins with three, with new seats.") % {"heat": new}
            return said(request, text, page_of(new))
        gone = data["what"] == "missing"
        domain.set_missing(**common, missing=gone, reason=data["reason"])
    except NO as error:
        return refused(request, event, heat, error, "missing_form", form)
    name = {"name": player.person}
    text = (
        _("%(name)s sits out this game and all later ones.") % name
        if gone
        else _("%(name)s plays again from the next game on.") % name
    )
    return said(request, text, page_of(heat))


@require_POST
@staff_view(DIRECT)
def heat_exchange(request: Request, event: Event, number: int) -> HttpResponse:
    """Exchange two players who sat down at each other's tables."""
    heat = heat_of(event, number)
    form = ExchangeForm(
        request.POST, players=players_by_name(_card(heat)), others=other_players(event, heat)
    )
    if not form.is_valid():
        return heat_page(request, event, heat, status=422, exchange_form=form)
    here, other_heat, there = form.chosen()
    one = domain.Place(heat, registration_of(event, here))
    other = domain.Place(heat_of(event, other_heat), registration_of(event, there))
    try:
        domain.exchange_players(
            one=one, other=other, by=request.user, reason=form.cleaned_data["reason"]
        )
    except NO as error:
        return refused(request, event, heat, error, "exchange_form", form)
    text = _("%(one)s now plays in %(there)s, %(other)s in %(here)s.") % {
        "one": one.registration.person,
        "there": other.heat,
        "other": other.registration.person,
        "here": heat,
    }
    return said(request, text, page_of(heat))


@require_POST
@staff_view(DIRECT)
def heat_seats(request: Request, event: Event, number: int) -> HttpResponse:
    """Put the players of a game on the seats where they really sit."""
    heat = heat_of(event, number)
    game = request.POST.get("seats-game", "")
    sheet = (
        Sheet.objects.filter(table=heat.table_id, number=int(game)).first()
        if game.isdecimal() and len(game) < 4
        else None
    ) or shown_sheet(heat)
    if sheet is None:
        text = _("No game of %(heat)s is running.") % {"heat": heat}
        return said(request, text, page_of(heat), error=True)
    card = _card(heat)
    form = seats_form(card, sheet, request.POST)
    if not form.is_valid():
        # Pressed twice: what it asked for has been done by the first.
        known = form.cleaned_data.get("client_id")
        if known and SheetEntry.objects.filter(client_id=known, sheet=sheet).exists():
            return said(request, _("The players sit right now."), page_of(heat))
        return heat_page(request, event, heat, status=422, seats_form=form)
    data = form.cleaned_data
    try:
        domain.reseat(
            heat=heat,
            sheet=sheet,
            seats=form.order(),
            follow=data["follow"],
            by=request.user,
            client_id=data["client_id"],
            seen_version=data["version"],
            reason=data["reason"],
        )
    except NO as error:
        if isinstance(error, Conflict):
            # What was chosen stays; it is shown against the sheet as it is now.
            typed = request.POST.copy()
            typed["seats-version"] = str(get_object_or_404(Sheet, pk=sheet.pk).version)
            form = seats_form(card, sheet, typed)
        return refused(request, event, heat, error, "seats_form", form)
    return said(request, _("The players sit right now."), page_of(heat))


@require_POST
@staff_view(DIRECT)
def heat_review(request: Request, event: Event, number: int) -> HttpResponse:
    """Note that a director has looked at the closed heat's results."""
    heat = heat_of(event, number)
    try:
        domain.review_heat(heat=heat, by=request.user)
    except NO as error:
        return said(request, sentence(error), page_of(heat), error=True)
    text = _("The results of %(heat)s have been looked at.") % {"heat": heat}
    return said(request, text, page_of(heat))
