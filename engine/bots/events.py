"""Heats and whole festivals played by bots (rulebook §5, §6).

A heat is a heat file (docs/formats/heat.md), which ``python -m engine heat`` ranks. A festival is
one document with all its heats: qualifying waves, play-off rounds and the final table.

>>> heat = simulate_heat("festival", ["Anna", "Bo", "Cia"], "doc", games=1)
>>> heat["format"], len(heat["games"]), heat["players"]
('chicago-heat', 1, ['Anna', 'Bo', 'Cia'])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..documents import FestivalDocument, HeatDocument
from ..draws.draw import TABLE_MAX, TABLE_MIN, heat_sizes, seat_order, shuffled, split_heats
from ..errors import ChicagoError
from ..ranking.heat import Ranking
from ..ranking.heat_record import play, ranking_of, read_heat
from ..ranking.overall import Result, lucky_losers
from ..ranking.playoff import drawn_groups, plan
from ..rules.ruleset import RuleSet
from ..rules.variants import rules_of
from .players import Bot, Player
from .simulation import DEFAULT_BOT, MAX_DEALS, simulate_game

FESTIVAL_FORMAT: Final = "chicago-simulated-festival"


def simulate_heat(
    rules: RuleSet | str,
    players: Sequence[str],
    seed: str | int,
    *,
    games: int = 3,
    advance: int = 1,
    bots: Mapping[str, str | Bot | Player] | None = None,
    max_deals: int = MAX_DEALS,
) -> HeatDocument:
    """Play a heat of ``games`` games, with new seats for each, and a flip-flop if it needs one.

    ``bots`` maps a player to a strength, a bot or a function (default ``"regular"``). The flip-flop
    is drawn with the heat's seed. Raises :class:`~engine.errors.ChicagoError` for unknown rules,
    players or bots.

    >>> heat = simulate_heat("festival", ["Anna", "Bo", "Cia"], "friday", games=2, max_deals=2)
    >>> heat["format"], len(heat["games"])
    ('chicago-heat', 2)
    """
    rules = rules_of(rules)
    strength = dict(bots or {})
    records = []
    for number in range(1, games + 1):
        seats = seat_order(str(seed), number, players)
        records.append(
            simulate_game(
                rules,
                seats,
                f"{seed}/game {number}",
                bots=[strength.get(name, DEFAULT_BOT) for name in seats],
                max_deals=max_deals,
            )
        )
    heat: HeatDocument = {
        "format": "chicago-heat",
        "version": 1,
        "rules": rules.spec,
        "players": list(players),
        "games": records,
        "games_planned": games,
        "advance": advance,
    }
    needed = rank_simulated(heat).needs_flip_flop
    if needed:
        heat["flip_flops"] = [
            shuffled(str(seed), f"flip-flop {index}", group) for index, group in enumerate(needed)
        ]
    return heat


def rank_simulated(heat: HeatDocument) -> Ranking:
    """Rank a heat that :func:`simulate_heat` made."""
    return ranking_of(play(read_heat(heat)))


def simulate_festival(
    rules: RuleSet | str,
    players: Sequence[str],
    seed: str | int,
    *,
    waves: int = 3,
    games: int = 3,
    bots: Mapping[str, str | Bot | Player] | None = None,
    max_deals: int = MAX_DEALS,
) -> FestivalDocument:
    """Play an event: ``waves`` qualifying waves of heats, then play-offs.

    In each wave the players who have not yet qualified are drawn into heats of three and four, and
    the best of each heat qualifies. If five are left, one of them waits. Waves continue until three
    have qualified. The play-offs follow the plan, with two advancing from each table and lucky
    losers where the plan needs them. Three or four players go straight to a final table.

    Raises :class:`~engine.errors.ChicagoError` like :func:`simulate_heat`, and ``cannot_split`` for
    fewer than three players.
    """
    rules = rules_of(rules)
    options: dict[str, Any] = {"games": games, "bots": bots, "max_deals": max_deals}
    event = _Event(rules, str(seed), options)
    heat_sizes(len(players) if len(players) != 5 else 4)  # raises if no table can be filled
    qualified = list(players) if len(players) <= TABLE_MAX else []
    wave = 0
    while wave < waves or len(qualified) < TABLE_MIN:
        wave += 1
        waiting = [name for name in players if name not in qualified]
        if len(waiting) < TABLE_MIN:
            break
        seated = shuffled(event.seed, f"wave {wave} seats", waiting)[: _seatable(len(waiting))]
        for group in split_heats(event.seed, seated, label=f"wave {wave}"):
            qualified += event.play(f"wave {wave}", group, 1)
    rounds, final = _playoffs(event, qualified)
    return {
        "format": FESTIVAL_FORMAT,
        "version": 1,
        "rules": rules.spec,
        "seed": event.seed,
        "players": list(players),
        "qualified": qualified,
        "rounds": rounds,
        "heats": event.heats,
        "ranking": final,
    }


def _seatable(waiting: int) -> int:
    try:
        heat_sizes(waiting)
    except ChicagoError:
        return waiting - 1  # five cannot be split, so one waits
    return waiting


class _Event:
    """The heats of a festival played so far, and the results of their players."""

    def __init__(self, rules: RuleSet, seed: str, options: Mapping[str, Any]) -> None:
        self.rules = rules
        self.seed = seed
        self.options = options
        self.heats: list[HeatDocument] = []
        self.results: list[Result] = []
        self.ranking: list[str] = []

    def play(self, stage: str, group: Sequence[str], advance: int) -> list[str]:
        """Play one heat and return who advances; ``ranking`` is then that heat's ranking."""
        number = len(self.heats) + 1
        heat = simulate_heat(
            self.rules, group, f"{self.seed}/heat {number}", advance=advance, **self.options
        )
        ranking = rank_simulated(heat)
        self.ranking = [row.player for row in ranking.rows]
        games, points = len(heat["games"]), self.rules.game_points[: len(group)]
        self.results += [
            Result(row.player, row.game_points, row.score_points, row.asterisks, games, points)
            for row in ranking.rows
        ]
        self.heats.append({**heat, "heat": number, "label": stage})
        return list(ranking.advances)


def _playoffs(event: _Event, qualified: Sequence[str]) -> tuple[list[list[int]], list[str]]:
    """Play the rounds down to the final table; return the table sizes and the final ranking."""
    left = list(qualified)
    sizes: list[list[int]] = []
    number = 0
    while True:
        number += 1
        extra = plan(len(left)).lucky_losers[0]
        found = lucky_losers(event.results, left, extra, event.seed)
        left += [result.player for result in found]
        groups = drawn_groups(event.seed, number, left)
        sizes.append([len(group) for group in groups])
        if len(groups) == 1:
            event.play("final", groups[0], 1)
            return sizes, event.ranking
        left = [name for group in groups for name in event.play(f"round {number}", group, 2)]
