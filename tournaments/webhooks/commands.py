"""Add and end addresses, and note what they are to be told."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from engine.messages import language
from scoring.models import AskedOften, Blank

from ..core.errors import Refused
from ..core.locks import lock_event
from ..core.log import record
from ..core.permissions import CHANGE_EVENT, needs
from ..core.queue import ask
from ..models import Draw, Event, LogEntry, Webhook, WebhookMessage
from ..models.enums import EventStatus, LogAction, StageKind, WebhookKind
from .queries import WEBHOOK, may_be_told, waiting

#: Addresses of one event, and messages that wait for one address.
MAX_HOOKS, MAX_WAITING = 10, 500

_HOOKS = AskedOften(lambda: Webhook.objects.filter(event=Blank(), ended_at=None))


@needs(CHANGE_EVENT)
@transaction.atomic
def add_webhook(*, event: Event, address: str, site: str, by: User) -> Webhook:
    """Let an address be told what happens; the same one again stays as it is.

    Refused with ``bad_address`` and ``too_many_webhooks``.
    """
    event = lock_event(event)
    address = address.strip()
    if len(address) > 500 or not address.isprintable() or not may_be_told(address):
        raise Refused("bad_address", _("Give an address that begins with https://."))
    hooks = event.webhooks.filter(ended_at=None)
    known = hooks.filter(address=address).first()
    if known is not None:
        return known
    if hooks.count() >= MAX_HOOKS:
        raise Refused(
            "too_many_webhooks",
            _("This event tells %(count)s addresses already. End one first."),
            count=MAX_HOOKS,
        )
    hook = Webhook.objects.create(
        event=event, address=address, site=site, language=language(get_language()), made_by=by
    )
    record(LogAction.WEBHOOK_MADE, hook, by)
    return hook


@needs(CHANGE_EVENT)
@transaction.atomic
def end_webhook(*, hook: Webhook, by: User) -> None:
    """Tell an address nothing more, not even what it was to be told."""
    lock_event(hook.event)
    hook = Webhook.objects.select_for_update().get(pk=hook.pk)
    if hook.ended_at is None:
        hook.ended_at = timezone.now()
        hook.save(update_fields=["ended_at"])
        record(LogAction.WEBHOOK_ENDED, hook, by)


@transaction.atomic
def send_again(*, message: WebhookMessage) -> WebhookMessage:
    """Tell an address once more what it was told, or was given up; what waits is tried now."""
    hook = Webhook.objects.select_for_update().get(pk=message.hook_id)
    if message.done_at is not None:
        message = WebhookMessage.objects.create(hook=hook, kind=message.kind, number=message.number)
    Webhook.objects.filter(pk=hook.pk).update(next_try_at=None)
    deliver_soon(hook)
    return message


def deliver_soon(hook: Webhook) -> None:
    """Ask for what waits for an address to be sent: of an address, one job is open at a time."""
    ask(WEBHOOK, key=f"webhook {hook.pk}", event_id=hook.event_id, parameters={"hook": hook.pk})


def note(entry: LogEntry) -> None:
    """Note what the addresses of an event are to be told of an entry of the log."""
    found = _kind_of(entry) if entry.event_id else None
    if found is None:
        return
    kind, number = found
    now = timezone.now()
    for hook in _HOOKS.rows(entry.event_id):
        WebhookMessage.objects.create(hook=hook, kind=kind, number=number)
        most = waiting(hook).values_list("pk", flat=True).reverse()[MAX_WAITING:]
        hook.messages.filter(pk__in=list(most)).update(done_at=now, was_given_up=True)
        if hook.next_try_at is None or hook.next_try_at <= now:
            deliver_soon(hook)


def _kind_of(entry: LogEntry) -> tuple[WebhookKind, int | None] | None:
    after = entry.after if isinstance(entry.after, dict) else {}
    match entry.action:
        case LogAction.HEAT_CLOSED:
            return WebhookKind.HEAT_CLOSED, entry.heat_number
        case LogAction.CORRECTED if entry.heat_number:
            return WebhookKind.CORRECTED, entry.heat_number
        case LogAction.EVENT_STATUS if after.get("status") == EventStatus.FINISHED:
            return WebhookKind.ENDED, None
        case LogAction.DRAWN if entry.object_type == "draw":
            draw = Draw.objects.select_related("stage").get(pk=entry.object_id)
            first = draw.stage.kind == StageKind.QUALIFYING
            return WebhookKind.DRAWN if first else WebhookKind.ROUND_DRAWN, draw.number
    return None
