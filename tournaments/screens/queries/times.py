"""Times as screens show them."""

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format, time_format


def when(at: datetime) -> str:
    """Return the time of day, with the weekday unless it is today."""
    local = timezone.localtime(at)
    time = time_format(local, "H:i")
    return time if local.date() == timezone.localdate() else f"{date_format(local, 'l')} {time}"
