"""The warnings that players got at a table."""

from scoring.host import Warned
from scoring.reasons import coded, with_words

from ...models import Penalty
from ...models.enums import PenaltyLevel


def warned_at(table_id: int) -> tuple[Warned, ...]:
    """Return a table's warnings that have not been taken back, oldest first (one query)."""
    given = Penalty.objects.in_force().filter(level=PenaltyLevel.WARNING)
    rows = given.filter(game__heat__table=table_id)
    return tuple(
        Warned(
            game=row.game.number,
            player_id=row.registration.player_id,
            reason=with_words(coded(f"offence.{row.offence}"), row.reason),
            at=row.given_at,
            client_id=row.client_id,
        )
        for row in rows.select_related("game", "registration").order_by("pk")
        if row.game
    )
