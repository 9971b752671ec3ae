"""Who a heat's Auditor is, by whose word, and on which devices."""

import hashlib

from scoring.models import Table

from ...models import Heat, LogEntry, Registration
from ...models.enums import GONE, LogAction


def can_be_auditor(table: Table, registration: Registration) -> bool:
    """Return whether a player is still there to be the table's Auditor."""
    return registration.status not in GONE and registration.player_id not in table.absent


def has_auditor(heat: Heat) -> bool:
    """Return whether the heat has an Auditor who is still there."""
    table = heat.table
    if table is None or not table.auditor:
        return False
    player = Registration.objects.filter(event=heat.event_id, number=table.auditor).first()
    return player is not None and can_be_auditor(table, player)


def named_by_staff(heat: Heat) -> bool:
    """Return whether an account was the last to name the heat's Auditor, or nobody."""
    row = _last(heat, LogAction.AUDITOR_SET)
    return row is not None and row.user_id is not None


def named_by_page(heat: Heat) -> bool:
    """Return whether a player's own page was the last to name the heat's Auditor."""
    row = _last(heat, LogAction.AUDITOR_SET)
    return row is not None and row.user_id is None


def device_key(device: str) -> str:
    """Return what the log keeps of a device's mark, which nobody can write with."""
    return hashlib.sha256(device.encode()).hexdigest()[:16] if device else ""


def is_auditors(heat: Heat, device: str) -> bool:
    """Return whether what a device at the table says is the Auditor's own word.

    A device opened from a player's own page speaks for that player. Any other speaks for the
    Auditor if the staff or an imported document named them, but not if a player's page did.
    """
    if not device:
        return False
    row = _last(heat, LogAction.SCORE_TAKEN, LogAction.CODE_USED, device=device_key(device))
    number = (row.after or {}).get("player") if row else None
    if number is None:
        return not named_by_page(heat)
    return heat.table is not None and heat.table.auditor == str(number)


def _last(heat: Heat, *actions: LogAction, device: str | None = None) -> LogEntry | None:
    rows = LogEntry.objects.filter(
        event=heat.event_id, action__in=actions, object_type="heat", object_id=str(heat.pk)
    )
    if device is not None:
        rows = rows.filter(after__device=device)
    return rows.order_by("-pk").first()
