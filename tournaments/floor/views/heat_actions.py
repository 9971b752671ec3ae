"""The buttons and forms of the director's page of a heat."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from scoring.enums import SheetStatus
from scoring.models import Sheet
from scoring.reading.protocol import ProtocolData

from ...core.access import Request, heat_of, staff_view
from ...core.answers import NO, said, sentence
from ...core.permissions import DIRECT, RUN_FLOOR
from ...heats import commands as domain
from ...heats.forms import AuditorForm, ReasonForm, RulingForm, TableForm
from ...heats.queries import HeatCard, cards_of, protocol_for
from ...models import Event, Heat
from .heat import flip_flop_forms, heat_page, players_of_heat


def _page(heat: Heat) -> str:
    return reverse("tournaments:heat_desk", args=[heat.event.slug, heat.number])


def _do(
    request: Request, heat: Heat, text: str, does: Callable[..., Any], **what: Any
) -> HttpResponse:
    """Run a domain function; say what came of it."""
    try:
        does(heat=heat, by=request.user, **what)
    except NO as error:
        return said(request, sentence(error), _page(heat), error=True)
    return said(request, text, _page(heat))


def _card(heat: Heat) -> HeatCard:
    return cards_of([heat], staff=True)[0]


def _protocol(heat: Heat) -> ProtocolData | None:
    return protocol_for(heat, _card(heat).names)


@require_POST
@staff_view(RUN_FLOOR)
def heat_auditor(request: Request, event: Event, number: int) -> HttpResponse:
    """Name the Auditor."""
    heat = heat_of(event, number)
    form = AuditorForm(request.POST, players=players_of_heat(_card(heat)))
    if not form.is_valid():
        return heat_page(request, event, heat, status=422, auditor_form=form)
    ref = form.cleaned_data["auditor"]
    player = event.registrations.select_related("person").get(number=ref) if ref else None
    text = (
        _("%(name)s keeps the score of %(heat)s.") % {"name": player.person, "heat": heat}
        if player
        else _("Nobody is named as Auditor of %(heat)s.") % {"heat": heat}
    )
    return _do(request, heat, text, domain.set_auditor, registration=player)


@require_POST
@staff_view(RUN_FLOOR)
def heat_table(request: Request, event: Event, number: int) -> HttpResponse:
    """Move the heat to another table."""
    heat = heat_of(event, number)
    form = TableForm(request.POST)
    if not form.is_valid():
        return heat_page(request, event, heat, status=422, table_form=form)
    table = form.cleaned_data["table_number"]
    text = _("%(heat)s sits at table %(table)s.") % {"heat": heat, "table": table}
    return _do(request, heat, text, domain.set_table_number, table_number=table)


@require_POST
@staff_view(RUN_FLOOR)
def heat_link(request: Request, event: Event, number: int) -> HttpResponse:
    """Make the scoring link, or a new one in the place of the old."""
    heat = heat_of(event, number)
    new = bool(request.POST.get("new"))
    text = (
        _("There is a new scoring link; the old one is dead.")
        if new
        else _("Here is the scoring link.")
    )
    return _do(request, heat, text, domain.replace_link if new else domain.make_link)


@require_POST
@staff_view(RUN_FLOOR)
def heat_link_revoke(request: Request, event: Event, number: int) -> HttpResponse:
    """End the scoring link."""
    heat = heat_of(event, number)
    return _do(request, heat, _("The scoring link is dead."), domain.revoke_link)


@require_POST
@staff_view(RUN_FLOOR)
def heat_call_clear(request: Request, event: Event, number: int) -> HttpResponse:
    """Note that somebody has been at the table."""
    heat = heat_of(event, number)
    return _do(request, heat, _("The call is answered."), domain.clear_call)


@require_POST
@staff_view(DIRECT)
def heat_ruling(request: Request, event: Event, number: int) -> HttpResponse:
    """Enter a ruling on the running game."""
    heat = heat_of(event, number)
    protocol = _protocol(heat)
    running = next(
        (g for g in (protocol.games if protocol else ()) if g.status == SheetStatus.RUNNING), None
    )
    if running is None:
        text = _("No game of %(heat)s is running.") % {"heat": heat}
        return said(request, text, _page(heat), error=True)
    form = RulingForm(request.POST, seats=[(seat.seat, seat.name) for seat in running.seats])
    if not form.is_valid():
        return heat_page(request, event, heat, status=422, ruling_form=form)
    try:
        domain.enter_ruling(
            heat=heat,
            ruling=form.ruling(),
            by=request.user,
            client_id=form.cleaned_data["client_id"],
            seen_version=form.cleaned_data["version"],
        )
    except NO as error:
        # What was typed stays; it is shown against the sheet as it is now.
        data = request.POST.copy()
        data["version"] = str(heat_version(heat))
        form = RulingForm(data, seats=[(seat.seat, seat.name) for seat in running.seats])
        form.is_valid()
        form.add_error(None, sentence(error))
        return heat_page(request, event, heat, status=409, ruling_form=form)
    return said(request, _("The ruling stands on the sheet."), _page(heat))


def heat_version(heat: Heat) -> int:
    """Return the version of the running sheet, 0 where none runs."""
    sheet = Sheet.objects.filter(table=heat.table_id, status=SheetStatus.RUNNING).first()
    return sheet.version if sheet else 0


@require_POST
@staff_view(DIRECT)
def heat_flip_flop(request: Request, event: Event, number: int) -> HttpResponse:
    """Record the order that a Flip Flop gave."""
    heat = heat_of(event, number)
    protocol = _protocol(heat)
    forms = flip_flop_forms(_card(heat).names, protocol, request.POST)
    if not forms:
        text = _("No tie of %(heat)s needs a Flip Flop.") % {"heat": heat}
        return said(request, text, _page(heat), error=True)
    if not all(form.is_valid() for form in forms):
        return heat_page(request, event, heat, status=422, flip_flop_forms=forms)
    try:
        for form in forms:
            domain.record_flip_flop(heat=heat, order=form.order(), by=request.user)
    except NO as error:
        return said(request, sentence(error), _page(heat), error=True)
    return said(request, _("The Flip Flop is recorded."), _page(heat))


@require_POST
@staff_view(DIRECT)
def heat_close(request: Request, event: Event, number: int) -> HttpResponse:
    """Close the heat; who goes on is through."""
    heat = heat_of(event, number)
    try:
        through = domain.close_heat(heat=heat, by=request.user)
    except NO as error:
        return said(request, sentence(error), _page(heat), error=True)
    names = ", ".join(str(row.registration.person) for row in through)
    text = _("%(heat)s is closed. Through: %(names)s.") % {"heat": heat, "names": names or "—"}
    return said(request, text, _page(heat))


@require_POST
@staff_view(DIRECT)
def heat_void(request: Request, event: Event, number: int) -> HttpResponse:
    """Void the heat; its players wait again."""
    heat = heat_of(event, number)
    form = ReasonForm(request.POST, prefix="void")
    if not form.is_valid():
        return heat_page(request, event, heat, status=422, void_form=form)
    text = _("%(heat)s is void; its players wait again.") % {"heat": heat}
    return _do(request, heat, text, domain.void_heat, reason=form.cleaned_data["reason"])
