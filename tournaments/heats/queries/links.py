"""The scoring page of a heat, and the heat at whose table a player sits."""

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.enums import LinkRole
from scoring.errors import ScoringError
from scoring.models import AskedOften, Blank, Link
from scoring.reading.links import show_token

from ...core.errors import Refused
from ...models import Heat, Registration

_LINK = AskedOften(
    lambda: Link.objects.filter(
        table=Blank(), role=LinkRole.AUDITOR, revoked_at__isnull=True
    ).order_by("-pk")[:1]
)


def current_link(heat: Heat) -> Link | None:
    """Return the heat's newest valid scoring link, or None."""
    if heat.table_id is None:
        return None
    return next(iter(_LINK.rows(heat.table_id)), None)


def scoring_path(heat: Heat) -> str:
    """Return the path of the heat's scoring page; empty without a valid link."""
    link = current_link(heat)
    if link is None:
        return ""
    try:
        return reverse("scoring:table_detail", args=[show_token(link=link)])
    except ScoringError:
        return ""


def heat_of_player(registration: Registration) -> Heat:
    """Return the heat at whose table a player sits; refused with ``not_at_table``."""
    entry = registration.entries.seated().select_related("heat__event").first()
    if entry is None or entry.heat is None:
        raise Refused("not_at_table", _("You do not sit at a table now."))
    return entry.heat
