"""Everything that is kept of a player at an event, as one document for the player."""

from typing import Any

from django.db.models import Q

from ...cash.queries.ledger import payments_of
from ...core.names import shown_text_of
from ...models import Job, LogEntry, Registration
from ...results.queries.standings import history_of

Document = dict[str, Any]


def my_data(registration: Registration) -> Document:
    """Return the player's names, contacts, results, payments, mails, devices and log (10 queries).

    Results are the points that count; how they came is on the public pages of the heats.
    """
    person, event = registration.person, registration.event
    # Reasons may name others.
    text = shown_text_of(event)
    return {
        "event": {"name": event.name, "starts_on": event.starts_on, "ends_on": event.ends_on},
        "organiser": str(event.organiser),
        "person": {
            "given_name": person.given_name,
            "family_name": person.family_name,
            "name": person.legal_name,
            "nickname": person.display_name,
            "club": person.club,
            "visibility": person.visibility,
            "since": person.created_at,
        },
        "registration": {
            "number": registration.number,
            "status": registration.status,
            "registered_at": registration.registered_at,
            "checked_in_at": registration.checked_in_at,
            "email": registration.email,
            "phone": registration.phone,
            "note": registration.note,
            "visibility_here": registration.visibility,
            "pictures_may_be_published": registration.pictures,
            "part": registration.part.name if registration.part else None,
            "free_starts": registration.free_starts,
            "has_pin": bool(registration.pin),
        },
        "heats": [
            {
                "heat": row.heat.number,
                "place": row.place,
                "game_points": str(row.game_points),
                "score_points": row.score_points,
                "chicagos": row.asterisks,
            }
            for row in history_of(registration)
        ],
        "payments": [
            {
                "at": row.booked_at,
                "kind": row.kind,
                "amount": row.amount,
                "currency": row.currency,
                "method": row.payment_method,
                "note": text(row.note),
            }
            for payment in payments_of(registration)
            for row in payment.rows
        ],
        "mails": [
            {"what": row.what, "to": row.parameters.get("address", ""), "at": row.made_at}
            for row in Job.objects.filter(registration=registration).order_by("pk")
        ],
        "devices": [
            {"service": row.endpoint.split("/")[2], "kinds": row.kinds, "since": row.made_at}
            for row in registration.push_subscriptions.order_by("pk")
        ],
        "log": [
            {
                "at": row.at,
                "action": row.action,
                "before": row.before,
                "after": row.after,
                "reason": text(row.reason),
            }
            for row in _log_of(registration)
        ],
    }


def _log_of(registration: Registration) -> list[LogEntry]:
    """Return what the log holds of the player and the person at this event, oldest first."""
    about = Q(object_type="registration", object_id=str(registration.pk)) | Q(
        object_type="person", object_id=str(registration.person_id)
    )
    return list(LogEntry.objects.filter(about, event=registration.event_id).order_by("at", "pk"))
