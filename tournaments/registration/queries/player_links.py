"""Signed links to players' private pages, and what a player may do there."""

import re

from django.core import signing
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ...core.errors import Refused
from ...models import Registration
from ...models.enums import GONE, RegistrationStatus

#: Nothing of a token, at its beginning or end.
_STRAY = re.compile(r"^[^0-9A-Za-z]+|[^0-9A-Za-z_-]+$", re.ASCII)
_signer = signing.Signer(sep=".", salt="tournaments.player")


def token_of(registration: Registration) -> str:
    """Return the token in the player's private address."""
    return _signer.sign(f"{registration.pk}-{registration.link_nonce}")


def registration_by_token(token: str) -> Registration | None:
    """Return the registration of a link; None if it is forged or renewed."""
    try:
        key, nonce = _signer.unsign(token).split("-", 1)
        number = int(key)
    except (signing.BadSignature, ValueError):
        return None
    rows = Registration.objects.select_related("person", "event__version")
    found = rows.filter(pk=number, link_nonce=nonce).first()
    if found is not None and found.merged_into_id is not None:
        # A player who was registered twice may have both links.
        return rows.filter(pk=found.merged_into_id).first()
    return found


def mended(token: str) -> str:
    """Return the token without what mail programs and fingers add to a link: “)”, “.”, line breaks.

    Empty if it is then no token that was made here, so that the link was cut short.
    """
    kept = _STRAY.sub("", "".join(token.split()))
    return kept if is_genuine(kept) else ""


def is_genuine(token: str) -> bool:
    """Return whether the token was made here, without asking the database."""
    try:
        _signer.unsign(token)
    except signing.BadSignature:
        return False
    return True


def actor_of(registration: Registration) -> str:
    """Return the log's actor for an action by a player's own link."""
    return f"№ {registration.number}"


def why_not_withdraw(registration: Registration) -> Refused | None:
    """Return why the player cannot withdraw on their own, or None."""
    if registration.status in GONE:
        return Refused("not_registered", _("You are no longer registered."))
    waiting = registration.status == RegistrationStatus.WAIT_LISTED
    if not waiting and timezone.localdate() >= registration.event.starts_on:
        return Refused("event_day", _("The event has begun. Tell the desk that you cannot play."))
    if registration.entries.seated().exists():
        return Refused("in_open_heat", _("You are playing. Tell the desk."))
    return None
