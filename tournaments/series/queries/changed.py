"""Events that are not as series and statistics took them in."""

from django.db.models import F, Q, QuerySet

from ...models import Event
from ...models.enums import EventStatus


def changed_events() -> QuerySet[Event]:
    """Return events of series, and finished ones, whose summary is not of them as they are now."""
    old = Q(summary__isnull=True) | ~Q(summary__version=F("version__directed"))
    kept = Q(in_series__agreed_at__isnull=False) | Q(status=EventStatus.FINISHED)
    events = Event.objects.exclude(status=EventStatus.DRAFT).filter(kept, old)
    return events.distinct().order_by("pk")
