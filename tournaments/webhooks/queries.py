"""What is sent to an address, and what has come of it."""

import hashlib
import hmac
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.crypto import salted_hmac

from ..core.public_addresses import may_be_asked
from ..models import Webhook, WebhookMessage
from ..models.enums import WebhookKind

#: The kind of job, and how long a message is tried.
WEBHOOK, WORTH = "webhook", timedelta(days=1)


def may_be_told(address: str) -> bool:
    """Return whether an address may be one of a webhook: https, unless the operator allows more."""
    if may_be_asked(address):
        return True
    try:
        parts = urlsplit(address)
        return settings.PRIVATE_WEBHOOKS and parts.scheme == "http" and bool(parts.hostname)
    except ValueError:
        return False


def secret_of(hook: Webhook) -> str:
    """Return the key with which messages are signed: made from the installation's own."""
    return salted_hmac("tournaments.webhook", str(hook.public_id), algorithm="sha256").hexdigest()


def signature(secret: str, seconds: int, body: bytes) -> str:
    """Return the header that proves who sent a body, and when.

    >>> signature("key", 1, b"{}")[:12]
    't=1,v1=68ff0'
    """
    signed = hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256)
    return f"t={seconds},v1={signed.hexdigest()}"


def waiting(hook: Webhook) -> QuerySet[WebhookMessage]:
    """Return what an address has not been told yet, in order."""
    return hook.messages.filter(done_at=None).order_by("pk")


def due_hooks() -> QuerySet[Webhook]:
    """Return the addresses to which something can be sent now."""
    rows = Webhook.objects.filter(ended_at=None, messages__done_at=None, messages__isnull=False)
    return rows.filter(Q(next_try_at=None) | Q(next_try_at__lte=timezone.now())).distinct()


def body_of(message: WebhookMessage) -> bytes:
    """Return what is sent: the thing as the interface gives it, as it is now."""
    # Here and below: what makes documents loads a quarter of what any other command line needs.
    from rest_framework.renderers import JSONRenderer

    hook = message.hook
    with translation.override(hook.language):
        body: bytes = JSONRenderer().render(
            {
                "id": str(message.public_id),
                "kind": message.kind,
                "at": message.made_at.isoformat(),
                "event": hook.event.slug,
                "document": _document(message),
            }
        )
        return body


def _document(message: WebhookMessage) -> Any:
    from ..api.queries import events, play
    from ..api.shapes.events import WholeEventShape
    from ..api.shapes.play import HeatShape, WholeDrawShape

    event, root = message.hook.event, message.hook.site
    if message.kind in (WebhookKind.DRAWN, WebhookKind.ROUND_DRAWN):
        draw = play.draws(event).filter(number=message.number or 0).first()
        return WholeDrawShape(play.whole_draw_document(draw, root)).data if draw else None
    if message.kind == WebhookKind.ENDED:
        return WholeEventShape(events.whole_event_document(event, root)).data
    heats = list(play.heats(event).filter(number=message.number or 0))
    return HeatShape(play.heat_documents(event, heats, root)[0]).data if heats else None
