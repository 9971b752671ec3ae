"""When a print is wanted: the page lists them in this order."""

from django.utils.translation import gettext_lazy as _

BEFORE, DAY, AFTER = "before", "day", "after"

NAMES = {BEFORE: _("Before the day"), DAY: _("On the day"), AFTER: _("Afterwards")}
