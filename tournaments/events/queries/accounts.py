"""Who gets an account here: the first director, and whoever was invited."""

from django.contrib.auth import get_user_model
from django.core import signing
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ...core.errors import Refused
from ...models import Invitation

_signer = signing.Signer(sep=".", salt="tournaments.invitation")


def token_of(invitation: Invitation) -> str:
    """Return the token in the invitation's address."""
    return _signer.sign(invitation.nonce)


def invitation_by_token(token: str) -> Invitation | None:
    """Return the invitation with this token, even if it is used, revoked or expired."""
    try:
        nonce = _signer.unsign(token)
    except signing.BadSignature:
        return None
    return Invitation.objects.select_related("event", "organiser").filter(nonce=nonce).first()


def why_not_usable(invitation: Invitation) -> Refused | None:
    """Return why the invitation can no longer be used, or None."""
    if invitation.used_at is not None:
        return Refused("invitation_used", _("This invitation has been used."))
    if invitation.revoked_at is not None:
        return Refused("invitation_revoked", _("This invitation has been taken back."))
    if timezone.now() >= invitation.expires_at:
        return Refused("invitation_expired", _("This invitation has expired. Ask for a new one."))
    return None


def first_run_needed() -> bool:
    """Return whether nobody has an account yet."""
    return not get_user_model().objects.exists()
