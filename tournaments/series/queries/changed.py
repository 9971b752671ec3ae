"""Events that are no longer as series took them in."""

from django.db.models import F, Q, QuerySet

from ...models import Event
from ...models.enums import EventStatus


def changed_events() -> QuerySet[Event]:
    """Return the events of series whose summary is not of the event as it is now."""
    old = Q(summary__isnull=True) | ~Q(summary__version=F("version__directed"))
    joined = Event.objects.filter(in_series__agreed_at__isnull=False)
    return joined.exclude(status=EventStatus.DRAFT).filter(old).distinct().order_by("pk")
