"""Mails as jobs of the queue, through one connection for all that are due."""

import logging
import re
from datetime import timedelta
from email import encoders
from email.mime.base import MIMEBase
from email.utils import parseaddr
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import Q

from ..core.mail import MAIL
from ..core.queue import GiveUp, Kind, TryLater
from ..models import Job
from .queries import Calendar, content_of, is_overtaken

logger = logging.getLogger(__name__)

#: The pauses after errors of our own.
PAUSES = (timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6))
#: Mail servers quote it.
_ADDRESS = re.compile(r"[^\s<>'\"]+@[^\s<>'\"]+")


class Outbox:
    """Sends mails, each at least once and always with the same Message-ID."""

    def __init__(self) -> None:
        self._connection: BaseEmailBackend | None = None

    def send(self, job: Job) -> None:
        """Send a mail; delete one that had to wait and no longer applies.

        Raises :class:`TryLater` if the server refuses for the moment or does not answer, and
        :class:`GiveUp` if it refuses this mail for good.
        """
        if is_overtaken(job):
            job.delete()
            return
        content = content_of(job)
        message = EmailMessage(
            content.subject,
            content.text,
            to=[job.parameters["address"]],
            reply_to=[content.reply_to] if content.reply_to else None,
            headers={"Message-ID": message_id(job)},
        )
        for name, pdf in content.attached:
            message.attach(name, pdf, "application/pdf")
        if content.calendar is not None:
            message.attach(_calendar_part(content.calendar))
        in_turn = False
        try:
            connection = self._connection = self._connection or get_connection()
            connection.open()
            in_turn = True
            connection.send_messages([message])
        except (SMTPException, OSError) as error:
            codes = _codes(error)
            # Without its text: mail servers quote the address.
            kind = " ".join([type(error).__name__, *map(str, codes)])
            logger.warning("mail %s could not be sent: %s", job.pk, kind)
            text = f"{type(error).__name__}: {error}"
            # Before its turn the server has refused us, not the mail.
            if in_turn and codes and min(codes) >= 500:
                raise GiveUp(text) from error
            # Kept for all mails together, and longer than this one.
            raise TryLater(_ADDRESS.sub("…", text)) from error

    def close(self) -> None:
        """Close the connection; the server may have done so before."""
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.close()
            except (SMTPException, OSError):
                logger.info("the mail server did not say goodbye", exc_info=True)


def _calendar_part(calendar: Calendar) -> MIMEBase:
    """Return a calendar as mail programs know it (RFC 6047 §2.4); line ends stay as they are."""
    part = MIMEBase("text", "calendar", method=calendar.method, charset="utf-8")
    part.set_payload(calendar.content)
    encoders.encode_base64(part)
    part.add_header("Content-Disposition", "attachment", filename=calendar.name)
    return part


def message_id(job: Job) -> str:
    """Return the mail's Message-ID; numbers alone would repeat after a backup is restored."""
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    return f"<{job.pk}.{job.made_at.timestamp():.6f}@{domain or 'localhost'}>"


def _codes(error: Exception) -> list[int]:
    """Return the codes of the server's replies, [] if it did not reply."""
    refused = getattr(error, "recipients", {}).values()
    return [code for code, _text in refused] or [
        code for code in [getattr(error, "smtp_code", 0)] if code > 0
    ]


_outbox = Outbox()

KINDS = (
    Kind(
        MAIL,
        _outbox.send,
        pauses=PAUSES,
        attempts=len(PAUSES) + 1,
        # Those of an event that has turned mail off wait until it is on again.
        only=Q(event=None) | Q(event__mails_players=True),
        after=_outbox.close,
        per_minute=lambda: int(settings.MAIL_PER_MINUTE),
    ),
)
