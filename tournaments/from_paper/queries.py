"""Who can compare a sheet with its paper."""

from ..models import Heat, HeatEntry, Registration


def players_with_pin(heat: Heat) -> dict[str, Registration]:
    """Return the heat's players who have chosen a PIN, by player id (one query)."""
    rows = HeatEntry.objects.filter(heat=heat).exclude(registration__pin="")
    found = [row.registration for row in rows.select_related("registration__person")]
    return {player.player_id: player for player in found}
