"""Send queued mails, and queue mails to all players."""

import logging
from datetime import timedelta

from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from ..core.errors import Refused
from ..core.locks import lock_event
from ..core.log import By, record
from ..core.mail import ask_for_mail
from ..core.transitions import transition_mail
from ..models import Event, Mail
from ..models.enums import GONE, LogAction, MailKind, MailStatus, RegistrationStatus
from ..results.queries.final import is_over
from .queries import content_of, mails_to_all, players_of

logger = logging.getLogger(__name__)

#: The pause before each further attempt; after the last one the mail has failed.
PAUSES = (timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6))
#: How many mails are sent before the worker turns to its other chores.
AT_ONCE = 50


def send_due() -> None:
    """Send the mails that are due; a mail that cannot be sent is tried again later.

    Those of an event that has turned mail off wait until it is on again.
    """
    due = _due().order_by("try_at", "pk")
    for number in due.values_list("pk", flat=True)[:AT_ONCE]:
        send(mail_id=number)


def _due() -> QuerySet[Mail]:
    return Mail.objects.filter(
        status=MailStatus.WAITING, try_at__lte=timezone.now(), event__mails_players=True
    )


def send(*, mail_id: int) -> Mail | None:
    """Try to send a mail that is due; a second worker leaves it alone.

    One that had to wait is deleted if it no longer applies.
    """
    now = timezone.now()
    with transaction.atomic():
        mail = (
            _due()
            .select_for_update(of=("self",))
            .select_related("event__organiser", "registration__person")
            .filter(pk=mail_id)
            .first()
        )
        if mail is None:
            return None
        if _overtaken(mail):
            mail.delete()
            return None
        # Claims the mail until then, even if this worker is killed.
        mail.try_at = now + PAUSES[min(mail.attempts, len(PAUSES) - 1)]
        mail.attempts += 1
        mail.save(update_fields=["try_at", "attempts"])
    try:
        with translation.override(mail.language):
            content = content_of(mail)
        message = EmailMessage(content.subject, content.text, to=[mail.address])
        for name, pdf in content.attached:
            message.attach(name, pdf, "application/pdf")
        message.send()
    except Exception as error:  # noqa: BLE001 - the staff read on their page what it was
        # Without its text: mail servers quote the address.
        refused = getattr(error, "recipients", {}).values()
        replies = [str(code) for code, _text in refused] or [str(getattr(error, "smtp_code", ""))]
        kind = " ".join([type(error).__name__, *replies])
        logger.warning("mail %s could not be sent: %s", mail_id, kind)
        mail.failure = f"{type(error).__name__}: {error}"[:200]
        if mail.attempts > len(PAUSES):
            transition_mail(mail, MailStatus.FAILED)
    else:
        transition_mail(mail, MailStatus.SENT)
        mail.sent_at, mail.failure = timezone.now(), ""
    mail.save(update_fields=["status", "sent_at", "failure"])
    return mail


def _overtaken(mail: Mail) -> bool:
    """Whether the player has got a place, lost it or withdrawn since, or the event is over."""
    status = mail.registration.status
    waits = status == RegistrationStatus.WAIT_LISTED
    if mail.kind == MailKind.WAIT_LISTED:
        return not waits
    if mail.kind in {MailKind.SIGNED_UP, MailKind.PROMOTED} and waits:
        return True
    if mail.kind == MailKind.TIMES and is_over(mail.event):
        return True
    return mail.kind != MailKind.RESULT and status in GONE


@transaction.atomic
def set_mail(*, event: Event, on: bool, site: str, by: By) -> None:
    """Turn the event's mail on or off; ``site`` is the base address of its links."""
    event = lock_event(event)
    before = {"mails_players": event.mails_players}
    event.mails_players, event.mail_site = on, site
    event.save(update_fields=["mails_players", "mail_site"])
    record(LogAction.MAIL_SET, event, by, before=before, after={"mails_players": on})


@transaction.atomic
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
def try_again(*, event: Event, number: int, by: By) -> Mail:
    """Queue a failed mail again; refused with ``no_mail``, ``overtaken`` or ``waits_already``."""
    mail = event.mails.select_for_update().filter(pk=number, status=MailStatus.FAILED).first()
    if mail is None:
        raise Refused("no_mail", _("There is no such failed mail."))
    if _overtaken(mail):
        raise Refused(
            "overtaken",
            _("What this e-mail says no longer applies to %(name)s, so it is not sent."),
            name=mail.registration.person,
        )
    waiting = event.mails.filter(
        registration=mail.registration_id, kind=mail.kind, status=MailStatus.WAITING
    )
    if waiting.exists():
        raise Refused("waits_already", _("The same mail to this player is waiting to be sent."))
    transition_mail(mail, MailStatus.WAITING)
    mail.attempts, mail.try_at = 0, timezone.now()
    # The address may have been corrected meanwhile.
    mail.address = mail.registration.email or mail.address
    mail.save(update_fields=["status", "attempts", "try_at", "address"])
    record(LogAction.MAIL_AGAIN, mail.registration, by, after={"kind": mail.kind})
    return mail
