"""What a player has to pay, how, and whether the sign-up was confirmed by mail."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from ...cash.queries.ledger import balances_of
from ...cash.queries.swish import message_of
from ...core.mail import CONFIRMS, MAIL
from ...models import Registration
from ...models.enums import GONE, EventStatus, JobStatus, RegistrationStatus
from ...models.money import show_amount
from .about import Detail, details_of, when_and_where


@dataclass(frozen=True)
class SignedUp:
    """What the player's own page says after the sign-up: when, where, money, contact, mail."""

    details: tuple[Detail, ...]
    mail: str
    #: Whether the mail is known not to have arrived.
    failed: bool = False


def signed_up(player: Registration) -> SignedUp | None:
    """Return what a player who is expected wants to know; None once they are here or gone."""
    expected = (RegistrationStatus.REGISTERED, RegistrationStatus.WAIT_LISTED)
    event = player.event
    if player.status not in expected or event.status == EventStatus.FINISHED:
        return None
    details = [*when_and_where(event), *how_to_pay(player), *details_of(event)]
    if not event.contact:
        details.append(Detail(_("Contact"), _("The desk at the event")))
    job = player.jobs.filter(kind=MAIL, what__in=CONFIRMS).order_by("-pk").first()
    failed = job is not None and job.status == JobStatus.FAILED
    if job is None:
        mail = _("No e-mail has been sent. Keep the link below.")
    else:
        text = {
            JobStatus.DONE: _("An e-mail with your link was sent to %(address)s."),
            JobStatus.FAILED: _(
                "The e-mail to %(address)s could not be sent. Keep the link below."
            ),
        }.get(JobStatus(job.status), _("An e-mail with your link is on its way to %(address)s."))
        mail = text % {"address": job.parameters["address"]}
    return SignedUp(tuple(details), mail, failed)


def how_to_pay(player: Registration) -> list[Detail]:
    """Return what a player owes now and how it can be paid; nothing where nothing is owed."""
    event = player.event
    if player.status in GONE or player.status == RegistrationStatus.WAIT_LISTED:
        return []
    [balance] = balances_of(event, [player])
    if balance.owes <= 0:
        return [Detail(_("You owe"), balance.label)] if balance.label else []
    how = _("At the desk when you come.")
    if event.swish_number and event.currency == "SEK":
        message = message_of(f"{event.name}, {player.number} {player.person}")
        how = _("By Swish to %(number)s with the message “%(message)s”, or at the desk.") % {
            "number": event.swish_number,
            "message": message,
        }
    return [
        Detail(_("You owe"), show_amount(balance.owes, event.currency)),
        Detail(_("How to pay"), how),
    ]
