"""Creating, finding, showing and revoking a table's links."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from scoring.enums import LinkRole
from scoring.errors import ScoringError
from scoring.live import wake
from scoring.models import Author, Link, Table, author_text

#: 26 characters of base 32 are 130 bits: short enough for a QR code, far too long to guess.
_TOKEN_LENGTH = 26
_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"


def _token(nonce: str) -> str:
    digest = salted_hmac("scoring.link", nonce, algorithm="sha256").digest()
    number = int.from_bytes(digest, "big")
    signs = []
    for _ in range(_TOKEN_LENGTH):
        number, index = divmod(number, 32)
        signs.append(_ALPHABET[index])
    return "".join(signs)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def create_link(
    *, table_id: int, role: LinkRole | str, by: Author, expires_at: datetime | None = None
) -> Link:
    """Create a link for a table; :func:`show_token` returns the token for its address."""
    nonce = secrets.token_hex(16)
    return Link.objects.create(
        table_id=table_id,
        role=LinkRole(role),
        nonce=nonce,
        digest=_digest(_token(nonce)),
        created_at=timezone.now(),
        created_by=author_text(by),
        expires_at=expires_at,
    )


def reader_link(*, table_id: int, by: Author) -> Link:
    """Return a valid reading link that can be shown, creating one if necessary."""
    with transaction.atomic():
        Table.objects.select_for_update().get(pk=table_id)
        links = Link.objects.filter(
            table=table_id, role=LinkRole.READER, revoked_at=None, expires_at=None
        )
        for link in links:
            if link.digest == _digest(_token(link.nonce)):
                return link
        return create_link(table_id=table_id, role=LinkRole.READER, by=by)


def show_token(*, link: Link) -> str:
    """Return the link's token, for its address or a QR code.

    Raises ``ScoringError("link_unknown")`` if the site's secret key has changed since. Existing
    copies of the link still work then, but it cannot be shown again.
    """
    token = _token(link.nonce)
    if not secrets.compare_digest(_digest(token), link.digest):
        raise ScoringError("link_unknown")
    return token


def find_link(*, token: str) -> Link:
    """Return the valid link with this token, with its table (one query).

    Raises ``ScoringError`` ``link_unknown`` or ``link_revoked`` (revoked or expired).
    """
    link = Link.objects.select_related("table").filter(digest=_digest(token)).first()
    if link is None:
        raise ScoringError("link_unknown")
    if link.revoked_at or (link.expires_at and link.expires_at <= timezone.now()):
        raise ScoringError("link_revoked")
    return link


def revoke_link(*, link_id: int, by: Author) -> Link:
    """Revoke a link for good; revoking it again changes nothing."""
    with transaction.atomic():
        link = Link.objects.select_for_update().get(pk=link_id)
        if link.revoked_at is None:
            link.revoked_at = timezone.now()
            link.revoked_by = author_text(by)
            link.save(update_fields=["revoked_at", "revoked_by"])
            transaction.on_commit(wake)
    return link
