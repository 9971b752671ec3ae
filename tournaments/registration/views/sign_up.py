"""The public sign-up of an event."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ...core.access import public_event
from ...core.answers import REFUSALS, put_errors, said, sentence
from ...core.limits import too_often
from ...models import Event
from ...models.enums import RegistrationStatus
from ..commands import sign_up as domain
from ..commands.player_links import token_of
from ..forms import SignUpForm
from ..queries.waiting_list import places_left

#: From one address: a whole club behind one router signs up within some minutes.
MOST_PER_ADDRESS = 30
WITHIN = 600


@never_cache
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest, slug: str) -> HttpResponse:
    """Show and take the form; afterwards lead to the player's private page."""
    event = public_event(request, slug)
    if request.method != "POST":
        return _page(request, event, SignUpForm(), 200)
    form = SignUpForm(request.POST)
    address = str(request.META.get("REMOTE_ADDR", ""))
    if too_often(f"sign-up-{event.pk}", address, most=MOST_PER_ADDRESS, seconds=WITHIN):
        form.add_error(None, _("Many have signed up from here just now. Try again in ten minutes."))
        return _page(request, event, form, 429)
    if not form.is_valid():
        return _page(request, event, form, 422)
    if form.is_trap:
        form.add_error(None, _("Leave the last field empty: it is there for programs."))
        return _page(request, event, form, 422)
    try:
        registration = domain.sign_up(event=event, **form.values())
    except REFUSALS as error:
        put_errors(form, error) if hasattr(error, "error_dict") else form.add_error(
            None, sentence(error)
        )
        return _page(request, event, form, 409)
    if registration.status == RegistrationStatus.WAIT_LISTED:
        text = _("All places are taken. You are on the waiting list.")
    else:
        text = _("You are signed up as number %(number)s.") % {"number": registration.number}
    said(request, text, "/")  # type: ignore[arg-type]
    return redirect("tournaments:player_page", token_of(registration))


def _page(request: HttpRequest, event: Event, form: SignUpForm, status: int) -> HttpResponse:
    waiting = event.registrations.filter(status=RegistrationStatus.WAIT_LISTED).count()
    return render(
        request,
        "tournaments/registration/sign_up.html",
        {
            "event": event,
            "form": form,
            "state": domain.sign_up_state(event),
            "left": places_left(event),
            "waiting": waiting,
        },
        status=status,
    )
