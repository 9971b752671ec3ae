"""One signed line a day that covers all hash chains, kept where this database's owner cannot write.

Anybody who can write to the database can rewrite a chain from any row on. A line mailed or
published earlier proves what the chains' heads were: it is signed with a key derived from the
secret key, and contains the digest of the line before.
"""

import base64
import hashlib
import hmac
import logging
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from scoring.chain import canonical, stamp
from scoring.models import Sheet, SheetEntry

from ..core.mail import ask_to_write
from ..models import Anchor, Booking, LogEntry

logger = logging.getLogger(__name__)

_NAME = "chicago-heads"


class BadLine(Exception):
    """Not a line of this installation; the text says why."""


@transaction.atomic
def make_anchor() -> Anchor | None:
    """Write the next line; None if nothing has been written since the last."""
    last = Anchor.objects.last()
    # Tables without a director may expire, with their rows.
    sheets = Sheet.objects.filter(table__directed=True, version__gt=0).order_by("pk")
    fields: dict[str, Any] = {
        "heads": {
            str(public_id): [version, chain]
            for public_id, version, chain in sheets.values_list("public_id", "version", "chain")
        },
        "log_rows": LogEntry.objects.count(),
        "ledger_rows": Booking.objects.count(),
    }
    if last is not None and all(getattr(last, name) == value for name, value in fields.items()):
        return None
    at = timezone.now()
    previous = last.digest if last else ""
    digest = _digest(at=at, previous=previous, **fields)
    text = " ".join(
        [
            _NAME,
            stamp(at),
            f"{len(fields['heads'])} sheets",
            f"{sum(version for version, _chain in fields['heads'].values())} rows",
            f"{fields['log_rows']} log",
            f"{fields['ledger_rows']} ledger",
            digest,
        ]
    )
    line = f"{text} {_text(_key().sign(text.encode()))}"
    return Anchor.objects.create(at=at, previous=previous, digest=digest, line=line, **fields)


def mail(anchor: Anchor) -> None:
    """Send the line to those who keep it (``ANCHOR_MAIL``); without a mail server it is logged."""
    if settings.ANCHOR_MAIL and settings.PRINTS_EMAIL:
        logger.info("%s key %s", anchor.line, public_key())
    elif settings.ANCHOR_MAIL:
        text = f"{anchor.line}\n\nkey {public_key()}\n"
        for address in settings.ANCHOR_MAIL:
            ask_to_write(address, f"Chicago {anchor.at:%Y-%m-%d}", text)


def public_key() -> str:
    """Return the public key for checking signatures (Ed25519, base64url)."""
    raw = serialization.Encoding.Raw, serialization.PublicFormat.Raw
    return _text(_key().public_key().public_bytes(*raw))


def check_line(line: str) -> Anchor:
    """Return the anchor of a line from elsewhere.

    Raises ``BadLine`` if it was signed elsewhere, or its anchor is gone from the database.
    """
    text, _blank, signature = line.strip().rpartition(" ")
    try:
        signer = Ed25519PublicKey.from_public_bytes(_bytes(public_key()))
        signer.verify(_bytes(signature), text.encode())
    except (InvalidSignature, ValueError) as error:
        raise BadLine("This line was not signed with this installation's key.") from error
    anchor = Anchor.objects.filter(digest=text.split()[-1]).first()
    if anchor is None:
        raise BadLine("The line is genuine, but no longer in the database.")
    return anchor


def broken_in(anchor: Anchor) -> Iterator[tuple[str, str]]:
    """Yield what no longer matches the database: a code, and the sheet's public id."""
    digest = _digest(
        at=anchor.at,
        previous=anchor.previous,
        heads=anchor.heads,
        log_rows=anchor.log_rows,
        ledger_rows=anchor.ledger_rows,
    )
    if digest != anchor.digest:
        yield "anchor_changed", ""
    rows = SheetEntry.objects.filter(sheet__public_id__in=anchor.heads)
    here = {
        (str(public_id), sequence): found
        for public_id, sequence, found in rows.values_list(
            "sheet__public_id", "sequence", "hash"
        ).iterator()
    }
    for public_id, (version, head) in anchor.heads.items():
        if here.get((public_id, version)) != head:
            yield "head", public_id
    if LogEntry.objects.count() < anchor.log_rows:
        yield "log_rows", ""
    if Booking.objects.count() < anchor.ledger_rows:
        yield "ledger_rows", ""


def _digest(*, at: datetime, **fields: Any) -> str:
    return hashlib.sha256(canonical({"at": stamp(at), **fields})).hexdigest()


def _key() -> Ed25519PrivateKey:
    seed = hmac.new(settings.SECRET_KEY.encode(), b"chicago heads", hashlib.sha256).digest()
    return Ed25519PrivateKey.from_private_bytes(seed)


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
