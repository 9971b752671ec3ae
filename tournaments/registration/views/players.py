"""Staff actions on a player."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ...core.access import Request, View, registration_of
from ...core.answers import SHOWN, form_errors, staff_action
from ...core.contacts import contacts_until, note_look
from ...core.names import registration_name, staff_name
from ...core.permissions import DIRECT, EDIT_PERSON, REGISTER
from ...core.queries import log_lines, log_of
from ...models import Event, Registration
from ...models.enums import ContactsWhere, EventStatus, RegistrationStatus
from ...results.queries.phase import phase_of
from ...results.queries.players import player_of, player_state, playoff_ends
from ...results.queries.stood import told_history
from ..commands import check_in, people, waiting_list
from ..forms import PlayerForm, RegisterForm
from ..queries.similar_names import namesakes_of, other_events_of
from ..queries.waiting_list import waiting_number
from .persons import alike, registered_text


def _register_page(
    request: Request, event: Event, *, form: RegisterForm | None = None, status: int = 200
) -> HttpResponse:
    typed = request.POST or request.GET
    form = form or RegisterForm(
        event=event, initial={"legal_name": typed.get("legal_name", "")[:120]}
    )
    phase = phase_of(event)
    plays = event.status == EventStatus.OPEN and not phase.heats_are_over
    context = {
        **alike(event, {**typed.dict(), "here": plays and form["here"].value()}),
        "register_form": form,
        "phase": phase,
    }
    return render(request, "tournaments/registration/player_register.html", context, status=status)


@staff_action(REGISTER, back="desk", page=_register_page, methods=SHOWN)
def player_register(request: Request, event: Event) -> str:
    """Register a player; show the form again with its input if it is refused."""
    with form_errors(form=RegisterForm(request.POST, event=event)) as data:
        here = data.pop("here")
        player = people.register_typed(event=event, by=request.user, **data)
        if here and player.status == RegistrationStatus.REGISTERED:
            player = check_in.check_in(registration=player, by=request.user)
    return registered_text(player)


def _action(permission: str, does: Callable[..., Any], text: Any) -> View:
    """Return the view of one of a player's buttons."""

    @staff_action(permission, of=registration_of, back="desk")
    def view(request: Request, player: Registration) -> str:
        does(registration=player, by=request.user)
        equal = player.number in namesakes_of(player.event)
        name = f"{player.person} ({player.number})" if equal else player.person
        return str(text % {"name": name})

    return view


player_check_in = _action(REGISTER, check_in.check_in, gettext_lazy("%(name)s is checked in."))
player_undo_check_in = _action(
    REGISTER, check_in.undo_check_in, gettext_lazy("%(name)s is no longer checked in.")
)
player_enter = _action(
    REGISTER, check_in.enter_heat, gettext_lazy("%(name)s is waiting for a heat.")
)
player_leave = _action(
    REGISTER, check_in.leave_queue, gettext_lazy("%(name)s is no longer waiting.")
)
player_reinstate = _action(DIRECT, people.reinstate, gettext_lazy("%(name)s is registered again."))


player_admit = _action(DIRECT, waiting_list.admit, gettext_lazy("%(name)s is in the event now."))


def _edit_page(
    request: Request, player: Registration, *, form: PlayerForm | None = None, status: int = 200
) -> HttpResponse:
    note_look(event=player.event, by=request.user, where=ContactsWhere.PLAYER, registration=player)
    form = form or PlayerForm(player=player)
    context = _edit(player.event, player, form)
    return render(request, "tournaments/registration/player_edit.html", context, status=status)


def _path(player: Registration) -> str:
    return reverse("tournaments:player_edit", args=[player.event.slug, player.number])


@staff_action(EDIT_PERSON, of=registration_of, back=_path, page=_edit_page, methods=SHOWN)
def player_edit(request: Request, player: Registration) -> str:
    """Show and edit a player, with their heats and log."""
    form = PlayerForm(request.POST, player=player)
    with form_errors(form=form) as data:
        if "part" in data:
            waiting_list.choose_part(
                registration=player, part=data.pop("part"), by=request.user, beyond=True
            )
        people.change_player(registration=player, by=request.user, **data)
    text = _("%(name)s is changed.") % {"name": player.person}
    return f"{text} {form.no_mail}" if form.no_mail else text


def _edit(event: Event, player: Registration, form: PlayerForm) -> dict[str, Any]:
    # The form has already changed the instance; the heading must show what is stored.
    stored = player_of(player)
    stored.event = event
    return {
        "event": event,
        "player": stored,
        "title": staff_name(stored.person),
        "shown_as": registration_name(stored),
        "state": player_state(stored),
        "ends": playoff_ends(event),
        "form": form,
        "contacts_until": contacts_until(event),
        "elsewhere": other_events_of(stored),
        "waiting_number": waiting_number(stored),
        "history": told_history(stored, staff=True),
        "log": log_lines(event, log_of(player)[:20]),
    }
