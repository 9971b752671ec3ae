"""The public sign-up of an event."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from ...core.access import Request, public_view, staff_view
from ...core.answers import (
    SHOWN,
    FormRejected,
    action,
    form_errors,
    is_number,
    line_in,
    reply,
    staff_action,
)
from ...core.contacts import contacts_until
from ...core.errors import Refused
from ...core.limits import client_address, count, counted, too_often
from ...core.permissions import DIRECT
from ...models import Event
from ...models.enums import RegistrationStatus
from ...models.search import plain
from ..commands import sign_up as domain
from ..forms import SignUpForm
from ..queries import sign_up as queries
from ..queries.about import details_of, picture_of, when_and_where
from ..queries.player_links import token_of
from ..queries.waiting_list import room_of

#: Sign-ups (not attempts) from one address; a whole hall behind one router signs up within minutes.
MAX_PER_ADDRESS = 200
WITHIN = 600
#: Tries with one name from one address within a day: the answer reveals, to somebody who claims to
#: be another person of that name, whether a contact is right.
MAX_PER_NAME = 10


def _page(
    request: Request, event: Event, *, form: SignUpForm | None = None, status: int = 200
) -> HttpResponse:
    waiting = event.registrations.wait_listed().count()
    state = queries.sign_up_state(event)
    return render(
        request,
        "tournaments/registration/sign_up.html",
        {
            "event": event,
            "form": form or SignUpForm(event=event),
            "state": state,
            "closed": queries.closed_text(event, state),
            "left": room_of(event).left,
            "waiting": waiting,
            "details": [*when_and_where(event), *details_of(event)],
            "picture": picture_of(event),
            "sends_links": event.mails_players,
            "contacts_until": contacts_until(event),
        },
        status=status,
    )


@never_cache
@require_http_methods(SHOWN)
@public_view
def sign_up(request: Request, event: Event) -> HttpResponseBase:
    """Show and process the form, then redirect to the player's private page."""
    if request.method == "POST":
        # Counted here, because a refusal rolls back what is written while the form is processed.
        name = plain(request.POST.get("legal_name", "").strip()[:120])
        whom = f"{event.pk} {client_address(request)} {name}"
        if counted("sign-up-name", whom, most=MAX_PER_NAME, seconds=24 * 3600) is None:
            form = SignUpForm(request.POST, event=event)
            text = _("Too many tries with this name from here. Ask the desk to sign you up.")
            form.add_error(None, ValidationError(text, "too_often"))
            return _page(request, event, form=form, status=429)
    return _sign_up(request, event)


@action(back="event", page=_page)
def _sign_up(request: Request, event: Event) -> HttpResponse:
    form = SignUpForm(request.POST, event=event)
    if form.is_valid() and form.is_trap:
        text = _("Leave the last field empty: it is there for programs.")
        form.add_error(None, ValidationError(text, "trap"))
    what, address = f"sign-up-{event.pk}", client_address(request)

    def check_limit() -> None:
        if too_often(what, address, most=MAX_PER_ADDRESS, seconds=WITHIN):
            text = _("Too many have signed up from here just now. Try again in ten minutes.")
            form.add_error(None, ValidationError(text, "too_often"))
            raise FormRejected(429, form=form)

    check_limit()
    with form_errors(form=form), transaction.atomic():
        registration = domain.sign_up(event=event, address=address, **form.values())
        # Under the event's lock, taken above, sign-ups sent at once see each other.
        check_limit()
        count(what, address)
    if registration.status == RegistrationStatus.WAIT_LISTED:
        text = _("The event is full. You are on the waiting list.")
    else:
        text = _("You are signed up as number %(number)s.") % {"number": registration.number}
    return reply(request, text, reverse("tournaments:player_page", args=[token_of(registration)]))


@require_safe
@staff_view(DIRECT)
def sign_up_sources(request: Request, event: Event) -> HttpResponse:
    """List public sign-ups by the address that they came from."""
    context = {"event": event, "sources": queries.sign_up_sources(event)}
    return render(request, "tournaments/registration/sign_up_sources.html", context)


@staff_action(DIRECT, back="sign_up_sources")
def sign_ups_undo(request: Request, event: Event) -> str:
    """Undo the ticked sign-ups."""
    numbers = {int(text) for text in request.POST.getlist("player") if is_number(text)}
    if not numbers:
        raise Refused("nobody_chosen", _("Tick the sign-ups to undo."))
    reason = line_in(request, "reason")
    undone = domain.undo_sign_ups(event=event, numbers=numbers, by=request.user, reason=reason)
    return ngettext("%(count)s sign-up is undone.", "%(count)s sign-ups are undone.", undone) % {
        "count": undone
    }
