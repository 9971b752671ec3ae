"""Finding and showing a table's links."""

from __future__ import annotations

import hashlib
import secrets

from django.utils.crypto import salted_hmac

from ..errors import ScoringError
from ..models import Link

#: A token is a random part and a signature of the same length: 26 characters of base 32, short
#: enough for a QR code, far too long to guess.
_HALF = 13
_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"


def new_nonce() -> str:
    """Return the random part of a new link's token."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_HALF))


def token_of(nonce: str) -> str:
    """Return the token of the link with this random part, under the site's secret key."""
    digest = salted_hmac("scoring.link", nonce, algorithm="sha256").digest()
    number = int.from_bytes(digest, "big")
    signs = []
    for _ in range(_HALF):
        number, index = divmod(number, 32)
        signs.append(_ALPHABET[index])
    return nonce + "".join(signs)


def is_genuine(token: str) -> bool:
    """Return whether the token was made here, without asking the database.

    A genuine one's link may have been revoked since, and one made under an earlier secret key
    still works though it is not called genuine.
    """
    return len(token) == 2 * _HALF and secrets.compare_digest(
        token_of(token[:_HALF]).encode(), token.encode("utf-8", "replace")
    )


def digest_of(token: str) -> str:
    """Return what is stored of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def show_token(*, link: Link) -> str:
    """Return the link's token, for its address or a QR code.

    Raises ``ScoringError("link_unknown")`` if the site's secret key has changed since. Existing
    copies of the link still work then, but it cannot be shown again.
    """
    token = token_of(link.nonce)
    if not secrets.compare_digest(digest_of(token), link.digest):
        raise ScoringError("link_unknown")
    return token


def find_link(*, token: str) -> Link:
    """Return the valid link with this token, with its table (one query).

    Raises ``ScoringError`` ``link_unknown`` or ``link_revoked``.
    """
    link = Link.objects.select_related("table").filter(digest=digest_of(token)).first()
    if link is None:
        raise ScoringError("link_unknown")
    if link.revoked_at:
        raise ScoringError("link_revoked")
    return link
