"""Statistics of simulated games and heats, for arguments about the rules (rulebook §2–§5).

A :class:`Tally` counts records one by one. Tallies can be added up, so that processes can count
separately. :meth:`Tally.as_json` gives plain numbers, :func:`report` text for a terminal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..documents import GameRecordDocument, HeatDocument, StatisticsDocument
from ..messages import texts_in
from ..rules.variants import parse_rules
from ..sheet.entries import Chicago, Entry, Hand, LastTrick, entry_from_json
from ..sheet.facts import ScoreChanged
from ..sheet.sheet import start, step
from ..sheet.state import State
from .events import rank_simulated


def _walk(record: GameRecordDocument) -> Iterator[tuple[Entry, State]]:
    """Yield every entry of a game record with the state after it."""
    state = start(parse_rules(record["rules"]), len(record["seats"]), record.get("dealer", 0))
    for raw in record["entries"]:
        entry = entry_from_json(raw)
        state = step(state, entry)
        yield entry, state


@dataclass
class Tally:
    """Counts over games and heats. Positions count from the first dealer (0), clockwise."""

    games: int = 0
    seats: int = 0
    deals: Counter[int] = field(default_factory=Counter)
    wins: Counter[str] = field(default_factory=Counter)
    positions: Counter[tuple[int, int]] = field(default_factory=Counter)
    won_at: Counter[tuple[int, int]] = field(default_factory=Counter)
    points_at: dict[tuple[int, int], Fraction] = field(default_factory=dict)
    chicagos: Counter[bool] = field(default_factory=Counter)
    phases: int = 0
    hands: Counter[str] = field(default_factory=Counter)
    deuces: int = 0
    last_tricks: int = 0
    resets: int = 0
    zeroed: int = 0
    games_with_zeroed: int = 0
    heats: int = 0
    heat_steps: Counter[str] = field(default_factory=Counter)
    flip_flops: int = 0

    def game(self, record: GameRecordDocument) -> None:
        """Count one finished game record."""
        players = len(record["seats"])
        dealer = record.get("dealer", 0)
        zeroed = 0
        last: State | None = None
        for entry, last in _walk(record):
            zeroed += sum(
                isinstance(fact, ScoreChanged) and fact.cause == "no_chicago" for fact in last.facts
            )
            self._entry(entry)
        assert last is not None
        self.games += 1
        self.seats += players
        self.deals[last.deal + 1] += 1
        self.wins[str(last.win)] += 1
        self.zeroed += zeroed
        self.games_with_zeroed += zeroed > 0
        for seat in range(players):
            key = players, (seat - dealer) % players
            self.positions[key] += 1
            self.won_at[key] += seat in last.winners
            earned = Fraction() if last.game_points is None else last.game_points[seat]
            self.points_at[key] = self.points_at.get(key, Fraction()) + earned

    def _entry(self, entry: Entry) -> None:
        if isinstance(entry, Hand):
            self.phases += 1
            self.hands[entry.category.key] += 1
            self.resets += bool(entry.reset)
        elif isinstance(entry, Chicago):
            self.chicagos[entry.won] += 1
        elif isinstance(entry, LastTrick):
            self.last_tricks += 1
            self.deuces += entry.deuce
        elif entry.kind == "none":
            self.phases += 1
            self.hands["nobody"] += 1

    def heat(self, heat: HeatDocument) -> None:
        """Count a heat file with all its games."""
        for game in heat["games"]:
            self.game(game)
        ranking = rank_simulated(heat)
        self.heats += 1
        self.flip_flops += bool(heat.get("flip_flops"))
        line = heat["advance"] - 1
        if line < len(ranking.rows) - 1:
            self.heat_steps[str(ranking.rows[line].decided_by)] += 1

    def add(self, other: Tally) -> None:
        """Add another tally's counts to this one."""
        for name, value in vars(other).items():
            mine = getattr(self, name)
            if isinstance(value, Counter):
                mine.update(value)
            elif isinstance(value, dict):
                for key, points in value.items():
                    mine[key] = mine.get(key, Fraction()) + points
            else:
                setattr(self, name, mine + value)

    def as_json(self) -> StatisticsDocument:
        """Return the statistics as plain numbers; shares are rounded to four decimals."""
        games = self.games or 1
        document: StatisticsDocument = {
            "games": self.games,
            "deals_per_game": _spread(self.deals),
            "ways_to_win": _shares(self.wins, games),
            "positions": [
                {
                    "players": players,
                    "position": position,
                    "first_dealer": position == 0,
                    "wins": round(self.won_at[players, position] / count, 4),
                    "game_points": round(float(self.points_at[players, position]) / count, 4),
                }
                for (players, position), count in sorted(self.positions.items())
            ],
            "chicagos_per_game": round(sum(self.chicagos.values()) / games, 4),
            "chicagos_won": _share(self.chicagos[True], sum(self.chicagos.values())),
            "best_hands": _shares(self.hands, self.phases or 1),
            "last_trick_with_a_deuce": _share(self.deuces, self.last_tricks),
            "resets_per_game": round(self.resets / games, 4),
            "target_without_chicago_per_game": round(self.zeroed / games, 4),
            "games_with_target_without_chicago": _share(self.games_with_zeroed, self.games),
        }
        if self.heats:
            document["heats"] = self.heats
            document["heats_decided_by"] = _shares(self.heat_steps, self.heats)
            document["heats_with_flip_flop"] = _share(self.flip_flops, self.heats)
        return document


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _shares(counts: Counter[str], whole: int) -> dict[str, float]:
    return {name: round(count / whole, 4) for name, count in counts.most_common()}


def _spread(counts: Counter[int]) -> dict[str, float]:
    """Return mean, minimum, median, 90th percentile and maximum of weighted values."""
    if not counts:
        return {}
    size = counts.total()
    return {
        "mean": round(sum(value * times for value, times in counts.items()) / size, 2),
        "least": min(counts),
        "median": _ranked(counts, size // 2),
        "nine_in_ten": _ranked(counts, min(size - 1, size * 9 // 10)),
        "most": max(counts),
    }


def _ranked(counts: Counter[int], rank: int) -> int:
    """Return the value at this index (from 0) of the sorted values."""
    passed = 0
    for value in sorted(counts):
        passed += counts[value]
        if passed > rank:
            break
    return value


def report(numbers: dict[str, Any], lang: str = "en") -> str:
    """Format the statistics as short lines for a terminal.

    >>> print(report({"games": 2, "ways_to_win": {"target": 1.0}}))
    games                              2
    ways to win
      the target was reached           100.0 %
    """
    texts = texts_in(lang)
    words = {**texts.statistics, **texts.categories}
    names = {"ways_to_win": texts.win_names, "heats_decided_by": {**words, **texts.step_names}}
    lines: list[str] = []
    for name, value in numbers.items():
        title = words[name]
        if isinstance(value, dict):
            lines.append(title)
            shares = name != "deals_per_game"
            keys = names.get(name, words)
            lines += [f"  {keys[key]:<33}{_shown(v, shares)}" for key, v in value.items()]
        elif isinstance(value, list):
            lines.append(title)
            for row in value:
                label = words["first_dealer" if row["first_dealer"] else "position"].format(**row)
                earned = words["earned"].format(
                    wins=_shown(row["wins"], True), points=f"{row['game_points']:.2f}"
                )
                lines.append(f"  {label:<33}{earned}")
        else:
            share = isinstance(value, float) and not name.endswith("per_game")
            lines.append(f"{title:<35}{_shown(value, share)}")
    # Nothing else in it has a point.
    return "\n".join(lines).replace(".", texts.decimal_separator)


def _shown(value: float | str, share: bool) -> str:
    if isinstance(value, str):
        return value
    return f"{100 * value:.1f} %" if share else f"{value:g}"
