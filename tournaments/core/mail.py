"""Queue mail; a worker writes and sends it (``tournaments/mail``)."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language

from engine.messages import language

from ..models import Job, Registration
from ..models.enums import MailKind
from .queue import ask

#: The kind of job that sends one.
MAIL = "mail"
#: How long its sending is tried.
TRIED_FOR = timedelta(days=5)
#: Whoever signs up may have typed anybody's address; it gets so many of these in a day.
_TO_ANYBODY = (MailKind.SIGNED_UP, MailKind.WAIT_LISTED)
#: The mails that confirm a sign-up.
CONFIRMS = (*_TO_ANYBODY, MailKind.PROMOTED)
MAX_TO_ADDRESS = 3
#: And anybody may ask for a player's link to be sent to the player.
MAX_LINKS = 3


def site_of(registration: Registration) -> str:
    """Return the base address for links in a mail."""
    return settings.PUBLIC_URL or registration.event.mail_site


def ask_for_mail(
    registration: Registration, kind: MailKind, *, mark: str = "", **parameters: str
) -> Job | None:
    """Queue a mail to a player; return None if the event sends none or there is no address.

    None, too, if strangers have had enough sign-ups confirmed to this address, or the player's link
    sent often enough today.

    ``mark`` tells one of a kind from another. It is written in the language the player signed up
    in, otherwise in the current one.
    """
    event = registration.event
    if not event.mails_players or not registration.email:
        return None
    since = timezone.now() - timedelta(days=1)
    if kind == MailKind.LINK:
        sent = registration.jobs.filter(kind=MAIL, what=kind, made_at__gt=since)
        if sent.count() >= MAX_LINKS:
            return None
    if kind in _TO_ANYBODY:
        sent = event.jobs.filter(kind=MAIL, what__in=_TO_ANYBODY, made_at__gt=since)
        if sent.filter(parameters__address__iexact=registration.email).count() >= MAX_TO_ADDRESS:
            return None
    return ask(
        MAIL,
        key=f"{registration.pk} {kind} {mark}".rstrip(),
        what=kind,
        event=event,
        registration=registration,
        language=_language_of(registration),
        site=site_of(registration),
        parameters={"address": registration.email, **parameters},
        expires_at=timezone.now() + TRIED_FOR,
        nudge=False,
    )


def ask_to_write(address: str, subject: str, text: str) -> Job:
    """Queue a mail to somebody who is no player."""
    return ask(
        MAIL,
        parameters={"address": address, "subject": subject, "text": text},
        expires_at=timezone.now() + TRIED_FOR,
        nudge=False,
    )


def _language_of(registration: Registration) -> str:
    mails = registration.jobs.filter(kind=MAIL).order_by("pk")
    first = mails.values_list("language", flat=True).first()
    return first or language(get_language())
