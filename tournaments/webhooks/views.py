"""The desk's page of webhooks: the addresses, what they were told, and what came of it."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from ..core.access import Request
from ..core.addresses import public_address
from ..core.answers import SHOWN, form_errors, number_in, staff_action
from ..core.permissions import CHANGE_EVENT
from ..models import Event, Webhook, WebhookMessage
from .commands import add_webhook, end_webhook, send_again
from .forms import WebhookForm
from .queries import secret_of

#: Of each address, the latest messages.
LATEST = 50


def _page(
    request: Request, event: Event, *, form: WebhookForm | None = None, status: int = 200
) -> HttpResponse:
    hooks = [
        (hook, secret_of(hook), list(hook.messages.order_by("-pk")[:LATEST]))
        for hook in event.webhooks.filter(ended_at=None)
    ]
    context = {"event": event, "form": form or WebhookForm(), "hooks": hooks}
    return render(request, "tournaments/webhooks/webhooks.html", context, status=status)


@staff_action(CHANGE_EVENT, back="webhooks", page=_page, methods=SHOWN)
def webhooks(request: Request, event: Event) -> str:
    """Show the addresses, and add one."""
    form = WebhookForm(request.POST)
    site = public_address(request, "/").rstrip("/")
    with form_errors(field="address", form=form) as data:
        add_webhook(event=event, address=data["address"], site=site, by=request.user)
    return _("The address is told what happens from now on.")


@staff_action(CHANGE_EVENT, back="webhooks")
def webhook_end(request: Request, event: Event) -> str:
    hook = get_object_or_404(Webhook, event=event, pk=number_in(request, "hook"))
    end_webhook(hook=hook, by=request.user)
    return _("The address is told nothing more.")


@staff_action(CHANGE_EVENT, back="webhooks")
def webhook_again(request: Request, event: Event) -> str:
    rows = WebhookMessage.objects.filter(hook__event=event, hook__ended_at=None)
    send_again(message=get_object_or_404(rows, pk=number_in(request, "message")))
    return _("It is sent again.")
