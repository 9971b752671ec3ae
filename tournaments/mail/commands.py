"""Turn mail on, and queue mails to all players."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ..core.errors import Refused
from ..core.locks import lock_event
from ..core.log import By, record
from ..core.mail import MAIL, TRIED_FOR, ask_for_mail
from ..core.permissions import CHANGE_EVENT, needs
from ..core.queue import OPEN
from ..core.transitions import transition_job
from ..models import Event, Job
from ..models.enums import JobStatus, LogAction, MailKind
from .queries import is_overtaken, mails_of, mails_to_all, players_of


@transaction.atomic
@needs(CHANGE_EVENT)
def set_mail(*, event: Event, on: bool, site: str, by: By) -> None:
    """Turn the event's mail on or off; ``site`` is the base address of its links."""
    event = lock_event(event)
    before = {"mails_players": event.mails_players}
    event.mails_players, event.mail_site = on, site
    event.save(update_fields=["mails_players", "mail_site"])
    record(LogAction.MAIL_SET, event, by, before=before, after={"mails_players": on})


@transaction.atomic
@needs(CHANGE_EVENT)
def write_to_all(*, event: Event, kind: MailKind, by: By) -> int:
    """Queue a mail to every player; return how many.

    Refused with ``no_mail`` if the event sends none, with ``not_over`` for results before the end,
    and with ``over`` for times after it.
    """
    event = lock_event(event)
    if not event.mails_players:
        raise Refused("no_mail", _("This event sends no mail. Turn it on first."))
    if kind not in mails_to_all(event):
        if kind == MailKind.TIMES:
            raise Refused("over", _("The event is over."))
        raise Refused("not_over", _("The event is not finished; there is no result yet."))
    asked = [ask_for_mail(player, kind) for player in players_of(event, kind)]
    count = sum(mail is not None for mail in asked)
    record(LogAction.MAIL_ASKED, event, by, after={"kind": kind, "count": count})
    return count


@transaction.atomic
@needs(CHANGE_EVENT)
def try_again(*, event: Event, number: int, by: By) -> Job:
    """Queue a failed mail again; refused with ``no_mail``, ``overtaken`` or ``waits_already``."""
    failed = mails_of(event).select_for_update(of=("self",)).filter(status=JobStatus.FAILED)
    job = failed.filter(pk=number).first()
    if job is None or job.registration is None:
        raise Refused("no_mail", _("There is no such failed mail."))
    if is_overtaken(job):
        raise Refused(
            "overtaken",
            _("What this e-mail says no longer applies to %(name)s, so it is not sent."),
            name=job.registration.person,
        )
    if Job.objects.filter(kind=MAIL, key=job.key, status__in=OPEN).exists():
        raise Refused("waits_already", _("The same mail to this player is waiting to be sent."))
    transition_job(job, JobStatus.WAITING)
    job.attempts, job.failure, job.ended_at = 0, "", None
    job.due_at = timezone.now()
    job.expires_at = job.due_at + TRIED_FOR
    # The address may have been corrected meanwhile.
    job.parameters["address"] = job.registration.email or job.parameters["address"]
    job.save()
    record(LogAction.MAIL_AGAIN, job.registration, by, after={"kind": job.what})
    return job
