"""The hash chain that reveals changed or removed rows.

A row's hash is SHA-256 over the canonical JSON (keys sorted, no blanks, UTF-8) of
``{"previous": hash of the row before, "row": content of the row}``. The first row is chained to the
hash of the sheet's head. Anybody can recompute the chain from an export.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

_CANONICAL = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
)


def canonical(value: object) -> bytes:
    """Return the canonical JSON of ``value``, for hashing."""
    return _CANONICAL.encode(value).encode("utf-8", "surrogatepass")


def stamp(moment: datetime) -> str:
    """Return a time as it is hashed: UTC, to the microsecond."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def head_hash(
    *, sheet: str, number: int, rules_digest: str, seats: Sequence[str], dealer: int
) -> str:
    """Return the hash of the sheet's unchanging head, which the first row is chained to."""
    head = {
        "dealer": dealer,
        "number": number,
        "rules": rules_digest,
        "seats": list(seats),
        "sheet": sheet,
    }
    return hashlib.sha256(canonical(head)).hexdigest()


def row_hash(previous: str, row: Mapping[str, Any]) -> str:
    """Return the hash of a row chained to ``previous``."""
    return hashlib.sha256(canonical({"previous": previous, "row": row})).hexdigest()


def row_body(
    *,
    sequence: int,
    client_id: uuid.UUID,
    kind: str,
    target: int | None,
    entry: Mapping[str, Any] | None,
    author: str,
    reason: str,
    confirmed: bool,
    at: datetime,
) -> dict[str, Any]:
    """Return the hashed content of a row: everything it says."""
    return {
        "at": stamp(at),
        "author": author,
        "client_id": str(client_id),
        "confirmed": confirmed,
        "entry": entry,
        "kind": str(kind),
        "reason": reason,
        "sequence": sequence,
        "target": target,
    }
