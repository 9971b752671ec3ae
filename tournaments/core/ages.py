from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .expiry import expire_at


def age_text(moment: datetime | None) -> str:
    """Return how long ago it was, in short: "<1 min", "4 min", "1 h 5 min"."""
    if moment is None:
        return ""
    minutes = max(0, int((timezone.now() - moment).total_seconds() // 60))
    expire_at(moment + timedelta(minutes=minutes + 1))
    hours, rest = divmod(minutes, 60)
    if hours >= 24:
        days = hours // 24
        return ngettext("%(days)s day", "%(days)s days", days) % {"days": days}
    if hours:
        return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": rest}
    return _("%(minutes)s min") % {"minutes": minutes or "<1"}
