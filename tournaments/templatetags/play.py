"""Who has won, for pages that mention it in passing."""

from django import template

from ..core.names import registration_name
from ..models import Event, HeatResult
from ..models.enums import HeatStatus, StageKind, StageStatus
from ..results.queries.final import winners_of

register = template.Library()


@register.simple_tag
def winners(event: Event) -> list[str]:
    """Return the names of who won the final, once it is over (one query), or an evening's heat."""
    if event.ends_with_heats:
        return winners_of(event)
    rows = HeatResult.objects.filter(
        heat__event=event,
        heat__status=HeatStatus.FINISHED,
        heat__stage__kind=StageKind.FINAL,
        heat__stage__status=StageStatus.FINISHED,
        place=1,
        disqualified=False,
    ).select_related("entry__registration__person")
    return [registration_name(row.entry.registration) for row in rows.order_by("order")]
