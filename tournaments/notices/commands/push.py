"""Devices that want to be told: subscribe, end, ask for messages."""

import base64
import binascii
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from engine.messages import language

from ...core.errors import Refused
from ...core.locks import lock_event
from ...core.public_addresses import may_be_asked
from ...core.queue import ask
from ...models import Event, Job, PushSubscription, Registration
from ...models.enums import PushKind
from ..queries.push import LIFE, TRIAL, TRIAL_LIFE, is_on

#: The kind of job.
PUSH = "push"
#: So many devices of one player are told.
MAX_DEVICES = 5
#: Players are reminded of heats that are planned no further ahead.
AHEAD = timedelta(days=30)


@transaction.atomic
def subscribe(
    *, registration: Registration, endpoint: str, p256dh: str, auth: str, kinds: Collection[str]
) -> PushSubscription:
    """Let a device be told; the same one again only changes what it wants to hear.

    Refused with ``push_off``, ``bad_endpoint`` and ``nothing_wanted``.
    """
    lock_event(registration.event)
    if not is_on():
        raise Refused("push_off", _("This server tells phones nothing."))
    wanted = [kind.value for kind in PushKind if kind in kinds]
    if not wanted:
        raise Refused("nothing_wanted", _("Choose what you want to be told."))
    too_long = len(endpoint) > 1000 or not endpoint.isprintable()
    if too_long or not may_be_asked(endpoint) or not _fits(p256dh, 65) or not _fits(auth, 16):
        raise Refused("bad_endpoint", _("This browser gave no address that can be told."))
    row, _made = PushSubscription.objects.update_or_create(
        registration=registration,
        endpoint=endpoint,
        defaults={
            "p256dh": p256dh,
            "auth": auth,
            "kinds": wanted,
            "language": language(get_language()),
            "failed_at": None,
        },
    )
    devices = registration.push_subscriptions.order_by("-made_at", "-pk")
    kept = list(devices.values_list("pk", flat=True)[:MAX_DEVICES])
    registration.push_subscriptions.exclude(pk__in=kept).delete()
    return row


def _fits(text: str, length: int) -> bool:
    """Return whether a text is so many bytes, as browsers write them."""
    if len(text) > 2 * length:
        return False
    try:
        return len(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))) == length
    except (binascii.Error, ValueError):
        return False


@transaction.atomic
def unsubscribe(*, registration: Registration) -> int:
    """Tell the player's devices nothing more; return how many there were."""
    lock_event(registration.event)
    return registration.push_subscriptions.all().delete()[0]


@transaction.atomic
def ask_for_trial(*, registration: Registration) -> Job:
    """Ask for a trial message to all of a player's devices; refused with ``no_device``."""
    lock_event(registration.event)
    devices = list(registration.push_subscriptions.values_list("pk", flat=True))
    if not devices:
        raise Refused("no_device", _("No phone of yours is told anything yet."))
    return _ask(
        registration.event,
        f"trial {registration.pk}",
        {"kind": TRIAL, "only": devices},
        timezone.now() + TRIAL_LIFE,
    )


@transaction.atomic
def tell(
    *, event: Event, kind: PushKind, key: str, due_at: datetime | None = None, **what: Any
) -> None:
    """Ask for messages to all devices that something concerns, if there are any."""
    if is_on() and PushSubscription.objects.filter(registration__event=event).exists():
        now = timezone.now()
        begins = due_at or now
        if begins <= now + AHEAD:
            _ask(event, key, {"kind": kind, **what}, begins + LIFE[kind], due_at=due_at)


def _ask(event: Event, key: str, what: dict[str, Any], expires_at: datetime, **more: Any) -> Job:
    times = {name: value for name, value in more.items() if value is not None}
    return ask(
        PUSH, key=f"{event.pk} {key}", event=event, parameters=what, expires_at=expires_at, **times
    )
