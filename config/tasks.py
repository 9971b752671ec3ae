"""The installation's periodic tasks, and all kinds of work that a worker does."""

import os
from datetime import timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import call_command

from tournaments.core.queue import Kind
from tournaments.mail import tasks as mail
from tournaments.models import Job
from tournaments.notices import tasks as notices
from tournaments.prints import tasks as prints
from tournaments.prints.commands import forget_old as forget_old_prints
from tournaments.privacy import tasks as privacy
from tournaments.registration import tasks as registration
from tournaments.registration.commands.spreadsheets import forget_old as forget_old_lists
from tournaments.rehearsal import tasks as rehearsal
from tournaments.results import tasks as results
from tournaments.screens.commands import forget_unadopted
from tournaments.series import tasks as series
from tournaments.statistics import tasks as statistics
from tournaments.verify import tasks as verify
from tournaments.webhooks import tasks as webhooks

from .backup import backup_if_changed, tidy


def purge(job: Job) -> None:
    """Delete what nobody needs any more."""
    with open(os.devnull, "w") as nowhere:
        call_command("purge_casual_tables", stdout=nowhere)
    call_command("clearsessions")
    # What "where you are signed in" keeps of them: address and browser.
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()
    forget_old_lists()
    forget_old_prints()
    forget_unadopted()
    tidy()


def backup(job: Job) -> list[dict[str, Any]]:
    """Make a backup, if backups are made and something was written; return its findings."""
    return backup_if_changed() if settings.BACKUP_HOURS > 0 else []


KINDS = (
    *prints.KINDS,
    *mail.KINDS,
    *notices.KINDS,
    *privacy.KINDS,
    *registration.KINDS,
    *verify.KINDS,
    *series.KINDS,
    *webhooks.KINDS,
    *results.KINDS,
    *statistics.KINDS,
    *rehearsal.KINDS,
    Kind("purge", purge, every=timedelta(hours=1)),
    Kind("backup", backup, every=timedelta(hours=settings.BACKUP_HOURS or 1)),
)
