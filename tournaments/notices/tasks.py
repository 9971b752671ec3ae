"""Ends announcements on time, and hands messages to push services."""

import logging
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone, translation
from requests import RequestException, Session

from ..core.public_web import public_session
from ..core.queue import Kind, ask
from ..models import Event, Job, PushSubscription
from .commands.announcements import end_due
from .commands.push import AHEAD, PUSH
from .queries.push import (
    MAX_PAYLOAD,
    URGENCY,
    Message,
    is_on,
    message_for,
    push_key,
    subscriptions_for,
)

logger = logging.getLogger(__name__)

#: Messages handed over at once, and the seconds that a push service may take.
AT_ONCE, PATIENCE = 8, 10
#: The first pause after a failure, doubled each time, unless a service asks for a longer one.
PAUSE = timedelta(seconds=30)
#: What an answer means.
DONE, GONE, LATER, REFUSED = "done", "gone", "later", "refused"


def announcements(job: Job) -> int:
    """End the announcements whose time has come; return how many."""
    return end_due()


class Sender:
    """Hands messages to push services, on connections that are kept."""

    def __init__(self) -> None:
        self._sessions = threading.local()

    def send(self, job: Job) -> dict[str, int]:
        """Hand a job's messages over; devices to be tried later get a job of their own.

        Run twice it says the same again: its topic replaces the first.
        """
        event, what = job.event, job.parameters
        if event is None or not is_on() or job.expires_at is None:
            return {}
        waiting = []
        for row in subscriptions_for(event, what):
            with translation.override(row.language):
                message = message_for(event, what, row.registration)
            if message is not None:
                waiting.append((row, message))
        ttl = max(0, int((job.expires_at - timezone.now()).total_seconds()))
        with ThreadPoolExecutor(AT_ONCE) as pool:
            answers = list(
                pool.map(lambda each: self._hand_over(each[0], each[1], what, ttl), waiting)
            )
        return self._note(event, job, [row for row, _message in waiting], answers)

    def _hand_over(
        self, row: PushSubscription, message: Message, what: Mapping[str, Any], ttl: int
    ) -> tuple[str, int]:
        """Return what came of a message, and after how many seconds to try again."""
        # Brings a whole second client for HTTP along, which a hall without push need not load.
        from pywebpush import WebPushException, webpush

        payload = message.payload
        if len(payload.encode()) > MAX_PAYLOAD:
            return REFUSED, 0
        session: Session | None = getattr(self._sessions, "session", None)
        if session is None:
            session = self._sessions.session = public_session()
        keys = {"p256dh": row.p256dh, "auth": row.auth}
        try:
            webpush(
                {"endpoint": row.endpoint, "keys": keys},
                payload,
                vapid_private_key=push_key(),
                # Fresh for each message: the library writes into it.
                vapid_claims={"sub": settings.PUSH_CONTACT},
                ttl=ttl,
                timeout=PATIENCE,
                headers={
                    "Topic": message.short_topic,
                    "Urgency": URGENCY.get(what["kind"], "normal"),
                },
                requests_session=session,
            )
        except WebPushException as error:
            return _meaning(error.response)
        except (RequestException, OSError, ValueError) as error:
            # Without its text, which has the device's address.
            logger.warning("a push service could not be reached: %s", type(error).__name__)
            return LATER, 0
        return DONE, 0

    def _note(
        self,
        event: Event,
        job: Job,
        rows: list[PushSubscription],
        answers: list[tuple[str, int]],
    ) -> dict[str, int]:
        now = timezone.now()
        by: dict[str, list[int]] = {DONE: [], GONE: [], LATER: [], REFUSED: []}
        pause = 0
        for row, (answer, seconds) in zip(rows, answers, strict=True):
            by[answer].append(row.pk)
            pause = max(pause, seconds)
        known = PushSubscription.objects
        known.filter(pk__in=by[DONE]).update(told_at=now, failed_at=None)
        known.filter(pk__in=[*by[LATER], *by[REFUSED]]).update(failed_at=now)
        known.filter(pk__in=by[GONE]).delete()
        tries = job.parameters.get("tries", 0)
        wait = max(PAUSE * 2**tries, timedelta(seconds=pause))
        if by[LATER] and job.expires_at is not None and now + wait < job.expires_at:
            ask(
                PUSH,
                event=event,
                parameters=job.parameters | {"only": by[LATER], "tries": tries + 1},
                due_at=now + wait,
                expires_at=job.expires_at,
                nudge=False,
            )
        return {answer: len(keys) for answer, keys in by.items() if keys}


def _meaning(response: Any) -> tuple[str, int]:
    """Return what a push service's refusal means (RFC 8030)."""
    if response is None:
        return REFUSED, 0
    status = response.status_code
    if status in (404, 410):
        return GONE, 0
    if status == 429 or status >= 500:
        after = str(response.headers.get("Retry-After", ""))
        seconds = int(after) if after.isascii() and after.isdigit() and len(after) < 7 else 0
        return LATER, seconds
    logger.warning("a push service refused a message: %s", status)
    return REFUSED, 0


KINDS = (
    Kind("announcements", announcements, every=timedelta(seconds=15)),
    Kind(PUSH, Sender().send, ahead=AHEAD),
)
