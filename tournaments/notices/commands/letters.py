"""Write a letter to players, by mail."""

import hashlib

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from ...core.errors import Refused
from ...core.locks import lock_event
from ...core.log import By, record
from ...core.mail import ask_for_mail
from ...core.permissions import CHANGE_EVENT, needs
from ...models import Day, Event
from ...models.enums import Audience, LogAction, MailKind
from ..queries.letters import recipients

MAX_SUBJECT, MAX_TEXT = 100, 5000


@transaction.atomic
@needs(CHANGE_EVENT)
def write_letter(
    *,
    event: Event,
    audience: Audience,
    subject: str,
    text: str,
    by: By,
    part: Day | None = None,
) -> int:
    """Queue a letter to each player who is meant and has an address; return how many.

    ``part``: only to those who play in it, or in any.

    Refused with ``no_mail`` if the event sends none, and with ``nobody``.
    """
    event = lock_event(event)
    if not event.mails_players:
        raise Refused("no_mail", _("This event sends no mail. Turn it on first."))
    letter = {"subject": subject, "text": text}
    mark = hashlib.sha256(f"{subject}\n{text}".encode()).hexdigest()[:16]
    asked = [
        ask_for_mail(player, MailKind.LETTER, mark=mark, **letter)
        for player in recipients(event, audience, part)
    ]
    count = sum(mail is not None for mail in asked)
    if not count:
        raise Refused("nobody", _("Nobody of these has an e-mail address."))
    after = {"kind": MailKind.LETTER, "audience": audience, "count": count, **letter}
    if part is not None:
        after["part"] = part.title
    record(LogAction.MAIL_ASKED, event, by, after=after)
    return count
