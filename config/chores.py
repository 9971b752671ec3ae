"""The worker's regular chores: checks, the daily line, backups, jobs that got lost.

A row of the ``Chore`` table is the claim: of any number of workers, one does a chore when it is
due.
"""

import logging
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import DatabaseError, close_old_connections
from django.db.models import Q
from django.utils import timezone

from .backup import backup_if_changed, tidy

logger = logging.getLogger(__name__)

#: Seconds between two looks for chores that are due.
PAUSE = 15.0


@dataclass(frozen=True)
class Duty:
    """A chore: its interval and its function, whose return value is stored as the findings."""

    every: timedelta
    do: Callable[[], Any]


def _check() -> list[dict[str, Any]]:
    from tournaments.verify.checks import check_in_turn

    return check_in_turn()


def _anchor() -> None:
    from tournaments.verify.anchors import mail, make_anchor

    anchor = make_anchor()
    if anchor is not None:
        mail(anchor)


def _backup() -> list[dict[str, Any]]:
    return backup_if_changed()


def _jobs() -> None:
    from tournaments.prints.commands import take_up

    take_up()


def _purge() -> None:
    from allauth.usersessions.models import UserSession
    from django.contrib.sessions.models import Session
    from django.core.management import call_command

    from tournaments.registration.commands.spreadsheets import forget_old

    with open(os.devnull, "w") as nowhere:
        call_command("purge_casual_tables", stdout=nowhere)
    call_command("clearsessions")
    # What "where you are signed in" keeps of them: address and browser.
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()
    forget_old()
    tidy()


def _mail() -> None:
    from tournaments.mail.commands import send_due

    send_due()


def duties() -> dict[str, Duty]:
    """Return the chores by name."""
    found = {
        "check": Duty(timedelta(minutes=5), _check),
        "anchor": Duty(timedelta(days=1), _anchor),
        "purge": Duty(timedelta(days=1), _purge),
        "jobs": Duty(timedelta(seconds=PAUSE), _jobs),
        "mail": Duty(timedelta(seconds=PAUSE), _mail),
    }
    if settings.BACKUP_HOURS > 0:
        found["backup"] = Duty(timedelta(hours=settings.BACKUP_HOURS), _backup)
    return found


def do_due() -> list[str]:
    """Do what is due, each chore in one worker only; return the names of the chores done."""
    from tournaments.models import Chore

    done = []
    for name, duty in duties().items():
        now = timezone.now()
        Chore.objects.get_or_create(name=name, defaults={"started_at": now - duty.every})
        # A clock that was set back must not stop a chore until it has caught up.
        due = Q(started_at__lte=now - duty.every) | Q(started_at__gt=now + duty.every)
        if Chore.objects.filter(due, name=name).update(started_at=now):
            _do(name, duty)
            done.append(name)
    return done


def _do(name: str, duty: Duty) -> None:
    from tournaments.models import Chore

    try:
        result: dict[str, Any] = {"found": duty.do() or [], "failure": ""}
    except Exception as error:
        logger.exception("the chore %s failed", name)
        result = {"failure": f"{type(error).__name__}: {error}"[:200]}
    if result.get("found"):
        logger.error("%s found: %s", name, result["found"])
    Chore.objects.filter(name=name).update(ended_at=timezone.now(), **result)


def start(stopped: threading.Event | None = None) -> threading.Thread:
    """Do the chores in a thread of this process, until the process ends or ``stopped`` is set."""
    stopped = stopped or threading.Event()

    def keep() -> None:
        while not stopped.wait(PAUSE):
            try:
                do_due()
            except DatabaseError:
                logger.warning("the database does not answer; chores wait", exc_info=True)
            finally:
                close_old_connections()

    thread = threading.Thread(target=keep, name="chores", daemon=True)
    thread.start()
    return thread
