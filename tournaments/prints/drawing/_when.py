"""When a print is needed, in the order of the page."""

from django.utils.translation import gettext_lazy as _

BEFORE, DAY, AFTER = "before", "day", "after"

NAMES = {BEFORE: _("Before the day"), DAY: _("On the day"), AFTER: _("Afterwards")}
