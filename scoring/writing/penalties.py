"""Game points that a director deducts from a player, or gives back."""

from __future__ import annotations

import uuid
from fractions import Fraction

from django.db import transaction
from django.utils import timezone

from ..errors import ScoringError
from ..models import Author, HeatPenalty, Table, author_fields
from ..models.penalty import TWELFTHS
from .announce import change_table
from .locks import locked_sheets


@transaction.atomic
def give_heat_penalty(
    *,
    table_id: int,
    player_id: str,
    game_points: Fraction | int,
    reason: str,
    by: Author,
    client_id: uuid.UUID,
) -> HeatPenalty:
    """Deduct game points from a player's sum; the ranking of the table's games includes this.

    The same ``client_id`` again returns the same penalty. Raises ``ScoringError``
    ``unknown_player``, ``bad_penalty`` (not positive, or not a whole number of twelfths),
    ``missing_reason`` and ``client_id_reused``.
    """
    table = _locked(table_id)
    known: HeatPenalty | None = HeatPenalty.objects.filter(client_id=client_id).first()
    if known is not None:
        if (known.table_id, known.player) != (table_id, player_id):
            raise ScoringError("client_id_reused")
        return known
    if player_id not in table.players:
        raise ScoringError("unknown_player")
    twelfths = Fraction(game_points) * TWELFTHS
    if twelfths.denominator != 1 or twelfths < 1:
        raise ScoringError("bad_penalty")
    if not reason.strip():
        raise ScoringError("missing_reason")
    row = HeatPenalty(
        table=table,
        player=player_id,
        twelfths=int(twelfths),
        reason=reason.strip()[:200],
        client_id=client_id,
        **author_fields(by),
        created_at=timezone.now(),
    )
    row.save()
    change_table(table)
    return row


@transaction.atomic
def take_back_heat_penalty(
    *, penalty: HeatPenalty, reason: str, by: Author, client_id: uuid.UUID
) -> HeatPenalty:
    """Give back the game points of a penalty by adding a row.

    Raises ``ScoringError`` ``missing_reason``, ``client_id_reused``, and ``already_void`` for a
    penalty that was taken back or is itself such a row.
    """
    if not reason.strip():
        raise ScoringError("missing_reason")
    table = _locked(penalty.table_id)
    known: HeatPenalty | None = HeatPenalty.objects.filter(client_id=client_id).first()
    if known is not None:
        if known.takes_back_id != penalty.pk:
            raise ScoringError("client_id_reused")
        return known
    if not HeatPenalty.objects.in_force().filter(pk=penalty.pk).exists():
        raise ScoringError("already_void")
    row = HeatPenalty(
        table=table,
        player=penalty.player,
        twelfths=penalty.twelfths,
        reason=reason.strip()[:200],
        client_id=client_id,
        takes_back=penalty,
        **author_fields(by),
        created_at=timezone.now(),
    )
    row.save()
    change_table(table)
    return row


def _locked(table_id: int) -> Table:
    return locked_sheets(table_id)[0].table
