"""Registrations as the staff sees them, without contacts."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from ...cash.queries.ledger import owed_by
from ...core.names import staff_name
from ...models import Event, Registration
from .events import Document


def registrations(event: Event) -> QuerySet[Registration]:
    rows = event.registrations.filter(merged_into__isnull=True)
    return rows.select_related("person", "part")


def registration_document(event: Event, rows: Sequence[Any]) -> list[Document]:
    """Return rows of :func:`registrations` (four queries, however many)."""
    owed = owed_by(event, [row.pk for row in rows])
    return [
        {
            "number": row.number,
            "person": row.person.public_id,
            "name": staff_name(row.person),
            "given_name": row.person.given_name,
            "family_name": row.person.family_name,
            "nickname": row.person.display_name,
            "club": row.person.club,
            "visibility": row.shown_as,
            "status": row.status,
            "part": row.part.name if row.part else None,
            "checked_in_at": row.checked_in_at,
            "owes": owed.get(row.pk, 0),
            "currency": event.currency,
        }
        for row in rows
    ]
