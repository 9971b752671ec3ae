"""Sends what addresses are to be told: each in order, at least once, for a day."""

import logging
from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from requests import RequestException, Session

from ..core.public_web import private_session, public_session
from ..core.queue import Kind
from ..models import Job, Webhook, WebhookMessage
from .commands import deliver_soon
from .queries import WEBHOOK, WORTH, body_of, due_hooks, secret_of, signature, waiting

logger = logging.getLogger(__name__)

#: The pauses after failures in a row, the last one from then on.
PAUSES = [timedelta(seconds=each) for each in (15, 60, 300, 900, 1800, 3600)]
#: Seconds that an address may take, messages of one job, and what is kept of an address.
PATIENCE, AT_ONCE, KEPT = 10, 100, 200


def deliver(job: Job) -> dict[str, int]:
    """Send what waits for an address, in order, until it is all sent or one is not taken."""
    rows = Webhook.objects.select_related("event").filter(ended_at=None)
    hook = rows.filter(pk=job.parameters["hook"]).first()
    if hook is None:
        return {}
    session = private_session() if settings.PRIVATE_WEBHOOKS else public_session()
    sent = 0
    with session:
        for message in waiting(hook)[:AT_ONCE]:
            message.hook = hook
            if not _tell(session, message):
                return {"sent": sent, "failed": 1}
            sent += 1
    _forget(hook)
    return {"sent": sent}


def _tell(session: Session, message: WebhookMessage) -> bool:
    """Send one message; return whether the next one may follow."""
    hook, now = message.hook, timezone.now()
    body = body_of(message)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Chicago",
        "Chicago-Message": str(message.public_id),
        "Chicago-Signature": signature(secret_of(hook), int(now.timestamp()), body),
    }
    try:
        with session.post(
            hook.address,
            body,
            headers=headers,
            timeout=PATIENCE,
            stream=True,
            allow_redirects=False,
        ) as response:
            message.answer, taken = str(response.status_code), response.ok
    except (RequestException, OSError, ValueError) as error:
        message.answer, taken = type(error).__name__, False
    taken = taken and not message.answer.startswith("3")
    message.attempts += 1
    message.tried_at = now
    if taken or now - message.made_at > WORTH:
        message.done_at, message.was_given_up = now, not taken
    message.save(update_fields=["attempts", "tried_at", "answer", "done_at", "was_given_up"])
    hook.tries = 0 if taken else hook.tries + 1
    hook.next_try_at = None if taken else now + PAUSES[min(hook.tries, len(PAUSES)) - 1]
    hook.save(update_fields=["tries", "next_try_at"])
    return taken


def _forget(hook: Webhook) -> None:
    """Delete the oldest of what an address was told."""
    told = hook.messages.exclude(done_at=None).order_by("-pk").values_list("pk", flat=True)
    hook.messages.filter(pk__in=list(told[KEPT:])).delete()


def look(job: Job) -> int:
    """Ask for what can be tried again now; return for how many addresses."""
    found = list(due_hooks())
    for hook in found:
        deliver_soon(hook)
    return len(found)


KINDS = (
    Kind(WEBHOOK, deliver),
    Kind("webhooks", look, every=timedelta(seconds=15)),
)
