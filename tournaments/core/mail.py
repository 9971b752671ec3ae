"""Queue mail to a player; the worker writes and sends it (``tournaments/mail``)."""

from django.conf import settings
from django.utils.translation import get_language

from ..models import Mail, Registration
from ..models.enums import MailKind, MailStatus


def site_of(registration: Registration) -> str:
    """Return the base address for links in a mail."""
    return settings.PUBLIC_URL or registration.event.mail_site


def ask_for_mail(registration: Registration, kind: MailKind) -> Mail | None:
    """Queue a mail to a player; return None if the event sends none or there is no address.

    It is written in the language the player signed up in, otherwise in the current one.
    """
    event = registration.event
    if not event.mails_players or not registration.email:
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
    return first or (get_language() or "en").split("-")[0]
