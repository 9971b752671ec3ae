"""What the staff does with a player."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from ...core.access import Request, View, registration_of, staff_view
from ...core.answers import REFUSALS, said, sentence
from ...core.names import registration_name, staff_name
from ...core.permissions import DIRECT, EDIT_PERSON, REGISTER
from ...models import Event, LogEntry, Registration
from ...models.enums import RegistrationStatus
from ...results.queries.players import players_of, standing
from ...results.queries.standings import history_of, reason
from ..commands import check_in as queue
from ..commands import people
from ..forms import PersonForm, RegisterForm
from ..queries.waiting_list import place_in_line
from .persons import registered_text


def _desk(event: Event) -> str:
    return reverse("tournaments:desk", args=[event.slug])


@require_http_methods(["GET", "POST"])
@staff_view(REGISTER)
def player_register(request: Request, event: Event) -> HttpResponse:
    """Register a player; what was typed stays where it cannot be taken."""
    form = RegisterForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return _register_page(request, event, form, status)
    data = form.cleaned_data
    try:
        player = people.register_person(
            event=event,
            by=request.user,
            legal_name=data["legal_name"],
            club=data["club"],
            beyond=data["beyond"],
        )
        if data["here"] and player.status == RegistrationStatus.REGISTERED:
            player = queue.check_in(registration=player, by=request.user)
    except REFUSALS as error:
        form.add_error(None, sentence(error))
        return _register_page(request, event, form, 409)
    return said(request, registered_text(player), _desk(event))


def _register_page(request: Request, event: Event, form: RegisterForm, status: int) -> HttpResponse:
    return render(
        request,
        "tournaments/registration/player_register.html",
        {"event": event, "register_form": form},
        status=status,
    )


def _action(permission: str, does: Callable[..., Any], text: Any) -> View:
    """Return the view of one button at a player."""

    @require_POST
    @staff_view(permission)
    def view(request: Request, event: Event, number: int) -> HttpResponse:
        player = registration_of(event, number)
        try:
            does(registration=player, by=request.user)
        except REFUSALS as error:
            return said(request, sentence(error), _desk(event), error=True)
        return said(request, text % {"name": player.person}, _desk(event))

    return view


player_check_in = _action(REGISTER, queue.check_in, gettext_lazy("%(name)s is checked in."))
player_undo_check_in = _action(
    REGISTER, queue.undo_check_in, gettext_lazy("%(name)s is not checked in any more.")
)
player_enter = _action(REGISTER, queue.enter_heat, gettext_lazy("%(name)s waits for a heat."))
player_leave = _action(
    REGISTER, queue.leave_queue, gettext_lazy("%(name)s does not wait any more.")
)
player_withdraw = _action(DIRECT, people.withdraw, gettext_lazy("%(name)s is withdrawn."))
player_reinstate = _action(DIRECT, people.reinstate, gettext_lazy("%(name)s is registered again."))


@require_http_methods(["GET", "POST"])
@staff_view(EDIT_PERSON)
def player_edit(request: Request, event: Event, number: int) -> HttpResponse:
    """Show and change a person; beside it the player's heats and log."""
    player = registration_of(event, number)
    form = PersonForm(request.POST or None, instance=player.person)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                people.change_person(
                    person=player.person, by=request.user, event=event, **form.cleaned_data
                )
            except REFUSALS as error:
                form.add_error(None, sentence(error))
            else:
                said(request, _("%(name)s is changed.") % {"name": player.person}, "/")
                return redirect("tournaments:player_edit", event.slug, number)
    return render(
        request,
        "tournaments/registration/player_edit.html",
        _edit(event, player, form),
        status=status,
    )


def _edit(event: Event, player: Registration, form: PersonForm) -> dict[str, Any]:
    # The form has put what was typed into the person; the head shows what is stored.
    stored = players_of(event).get(pk=player.pk)
    stored.event = event
    return {
        "event": event,
        "player": stored,
        "title": staff_name(stored.person),
        "shown_as": registration_name(stored),
        "state": standing(stored),
        "form": form,
        "place_in_line": place_in_line(stored),
        "history": [(row, reason(row)) for row in history_of(stored)],
        "log": LogEntry.objects.filter(
            event=event, object_type="registration", object_id=str(player.pk)
        )[:20],
    }
