"""A player's lost link, sent again to the address that the event knows."""

from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ...core.access import Request, public_view
from ...core.answers import SHOWN, action, form_errors
from ...core.limits import client_address, counted
from ...models import Event
from ..commands.player_links import send_links_again
from ..forms import LostLinkForm

#: Tries from one place within a day; a whole hall may be behind one router.
MAX_FROM_PLACE = 60


def _page(
    request: Request, event: Event, *, form: LostLinkForm | None = None, status: int = 200
) -> HttpResponse:
    context = {"event": event, "form": form or LostLinkForm(), "sends": event.mails_players}
    return render(request, "tournaments/registration/lost_link.html", context, status=status)


@never_cache
@require_http_methods(SHOWN)
@public_view
def lost_link(request: Request, event: Event) -> HttpResponseBase:
    """Show the form, and send the links of an address.

    The answer is the same whether or not the address is known, or has had its mails of the day.
    """
    if request.method == "POST":
        place = f"{event.pk} {client_address(request)}"
        if counted("lost-link", place, most=MAX_FROM_PLACE, seconds=24 * 3600) is None:
            form = LostLinkForm(request.POST)
            text = _("Too many tries from here today. The desk has your link.")
            form.add_error(None, ValidationError(text, "too_often"))
            return _page(request, event, form=form, status=429)
    return _lost_link(request, event)


@action(back="lost_link", page=_page)
def _lost_link(request: Request, event: Event) -> str:
    with form_errors(form=LostLinkForm(request.POST)) as data:
        send_links_again(event=event, address=data["email"])
    return _(
        "If %(address)s is known here, your link is on its way there. It can be sent three times"
        " a day; the link you had still works."
    ) % {"address": data["email"]}
