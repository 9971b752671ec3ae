"""The ranking of a table's finished games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from engine.draws.draw import new_seed, shuffled
from engine.ranking.heat import (
    DEFAULT_CHAIN,
    FLIP_FLOP,
    GAMES_WON,
    PlayerResult,
    Ranking,
    player_results,
    rank,
)

from ..enums import SheetStatus
from ..models import AskedOften, Blank, FlipFlop, HeatPenalty, Sheet, Table
from .records import one_per_group
from .rules import rules_of

_IN_FORCE = AskedOften(lambda: HeatPenalty.objects.filter(table=Blank()).in_force())
_FLIP_FLOPS = AskedOften(lambda: FlipFlop.objects.filter(table=Blank()).order_by("pk"))


def penalties_in_force(table: Table) -> list[HeatPenalty]:
    """Return the game points deducted at a table that no later row takes back (one query)."""
    return _IN_FORCE.rows(table.pk)


def flip_flops_at(table: Table) -> list[FlipFlop]:
    """Return all Flip Flops recorded at a table, oldest first (one query)."""
    return _FLIP_FLOPS.rows(table.pk)


def heat_ranking(
    *,
    table: Table,
    sheets: Iterable[Sheet],
    flip_flops: Sequence[Sequence[str]] | None = None,
    penalties: Iterable[HeatPenalty] | None = None,
    replaced: Mapping[int, Mapping[str, Any]] | None = None,
) -> Ranking:
    """Rank the table's players by its finished games (rulebook §5); players are references.

    ``flip_flops`` are the recorded orders, ``penalties`` the game point penalties in force; by
    default they are read (one query each). Orders whose group is no longer tied after a correction
    are ignored. ``replaced`` maps sheet ids to state documents to use instead of the stored ones,
    to preview a correction.
    """
    if penalties is None:
        penalties = penalties_in_force(table)
    results = _results(table, sheets, penalties, replaced)
    if flip_flops is None:
        flip_flops = [row.order for row in one_per_group(flip_flops_at(table))]
    chain = chain_of(table)
    counted = _in_force(results, chain, table.advance, flip_flops)
    return rank(results, chain, table.advance, counted)


def counted_flip_flops(
    *,
    table: Table,
    sheets: Iterable[Sheet],
    flip_flops: Sequence[Sequence[str]],
    penalties: Iterable[HeatPenalty],
) -> list[Sequence[str]]:
    """Return the recorded orders that still count: those of groups that are tied now."""
    chain = chain_of(table)
    return _in_force(_results(table, sheets, penalties), chain, table.advance, flip_flops)


def chain_of(table: Table) -> tuple[str, ...]:
    """Return the chain; without game points (five or six players) it begins with games won."""
    if table.ties:
        return tuple(table.ties)
    if not rules_of(table).place_points(len(table.players)):
        return (GAMES_WON, *DEFAULT_CHAIN[1:])
    return DEFAULT_CHAIN


def _in_force(
    results: Sequence[PlayerResult],
    chain: tuple[str, ...],
    advance: int,
    flip_flops: Sequence[Sequence[str]],
) -> list[Sequence[str]]:
    if chain[-1] != FLIP_FLOP or not flip_flops:
        return []
    tied = _tied_groups(rank(results, chain, advance))
    return [order for order in flip_flops if frozenset(order) in tied]


def _results(
    table: Table,
    sheets: Iterable[Sheet],
    penalties: Iterable[HeatPenalty],
    replaced: Mapping[int, Mapping[str, Any]] | None = None,
) -> list[PlayerResult]:
    replaced = replaced or {}
    taken: dict[str, Fraction] = {}
    for row in penalties:
        taken[row.player] = taken.get(row.player, Fraction()) + row.game_points
    results = player_results(
        table.players,
        [
            (sheet.seats, replaced.get(sheet.pk, sheet.state))
            for sheet in sheets
            if sheet.status != SheetStatus.VOID
            and (
                replaced[sheet.pk]["finished"]
                if sheet.pk in replaced
                else sheet.status == SheetStatus.FINISHED
            )
        ],
    )
    return [replace(each, penalty=taken.get(each.player, Fraction())) for each in results]


def _tied_groups(ranking: Ranking) -> set[frozenset[str]]:
    groups: dict[int, set[str]] = {}
    for row in ranking.rows:
        groups.setdefault(row.place, set()).add(row.player)
    return {frozenset(group) for group in groups.values() if len(group) > 1}


def draw_lots(player_ids: Sequence[str]) -> tuple[str, list[str]]:
    """Draw lots instead of a flip-flop; return a new seed and the order that follows from it."""
    seed = new_seed()
    return seed, order_by_lots(seed, player_ids)


def order_by_lots(seed: str, player_ids: Sequence[str]) -> list[str]:
    """Return the order of tied players for the lots of a seed."""
    return shuffled(seed, "flip flop", player_ids)
