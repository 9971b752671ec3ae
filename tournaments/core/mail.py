"""Queue mail to a player; the worker writes and sends it (``tournaments/mail``)."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language

from engine.messages import language

from ..models import Mail, Registration
from ..models.enums import MailKind, MailStatus

#: Whoever signs up may have typed anybody's address; it gets so many of these in a day.
_TO_ANYBODY = (MailKind.SIGNED_UP, MailKind.WAIT_LISTED)
MAX_TO_ADDRESS = 3


def site_of(registration: Registration) -> str:
    """Return the base address for links in a mail."""
    return settings.PUBLIC_URL or registration.event.mail_site


def ask_for_mail(registration: Registration, kind: MailKind) -> Mail | None:
    """Queue a mail to a player; return None if the event sends none or there is no address.

    None, too, if strangers have had enough sign-ups confirmed to this address.

    It is written in the language the player signed up in, otherwise in the current one.
    """
    event = registration.event
    if not event.mails_players or not registration.email:
        return None
    if kind in _TO_ANYBODY:
        since = timezone.now() - timedelta(days=1)
        sent = event.mails.filter(
            kind__in=_TO_ANYBODY, address__iexact=registration.email, made_at__gt=since
        )
        if sent.count() >= MAX_TO_ADDRESS:
            return None
    mail, _made = Mail.objects.get_or_create(
        registration=registration,
        kind=kind,
        status=MailStatus.WAITING,
        defaults={
            "event": event,
            "address": registration.email,
            "language": _language_of(registration),
            "site": site_of(registration),
        },
    )
    return mail


def _language_of(registration: Registration) -> str:
    first = registration.mails.order_by("pk").values_list("language", flat=True).first()
    return first or language(get_language())
