"""Many games, heats or festivals from one seed, on any number of processes (rulebook §6).

Each has its own seed, made of the series' seed and its number. So the same series gives the same
records on any machine and in any order of completion.

>>> from concurrent.futures import ThreadPoolExecutor
>>> series = Series("games", players=3, seed="doc", max_deals=2)
>>> alone = list(series.records(3))
>>> with ThreadPoolExecutor(2) as executor:
...     alone == list(series.records(3, executor))
True
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import islice
from typing import Final

from ..documents import FestivalDocument, GameRecordDocument, HeatDocument
from ..rules.ruleset import RuleSet
from .events import simulate_festival, simulate_heat
from .players import Bot, Player
from .simulation import DEFAULT_BOT, MAX_DEALS, play_game
from .statistics import Tally

NAMES: Final = (
    *("Anna", "Bo", "Cia", "Dag", "Eva", "Folke", "Greta", "Hugo", "Ines", "Jan", "Karin", "Leo"),
    *("Maja", "Nils", "Olga", "Per", "Rut", "Sven", "Tyra", "Ulf", "Vera", "Wille", "Ylva", "Zeb"),
    *("Åsa", "Ärla", "Örjan"),
)
"""Names of the bots."""

Simulated = GameRecordDocument | HeatDocument | FestivalDocument
"""A record of a series."""

_CHUNK: Final = 8  # records per chunk, fewer for short series
_AHEAD: Final = 64  # chunks submitted ahead of the reader


@dataclass(frozen=True, slots=True)
class Series:
    """What to play: one game, heat or festival (``kind``) per number.

    ``games`` and ``waves`` are settings of heats and festivals; ``cards`` asks for card records.
    """

    kind: str
    rules: RuleSet | str = "festival"
    players: int = 4
    seed: str = "1"
    bots: tuple[str | Bot | Player, ...] = (DEFAULT_BOT,)
    max_deals: int = MAX_DEALS
    games: int = 3
    waves: int = 3
    cards: bool = False

    def play(self, number: int) -> tuple[Simulated, Tally]:
        """Return the record with this number and its statistics; they depend on nothing else."""
        seed = f"{self.seed}/{self.kind} {number}"
        names = [
            NAMES[at] if at < len(NAMES) else f"{NAMES[at % len(NAMES)]} {at}"
            for at in range(self.players)
        ]
        tally = Tally()
        if self.kind == "games":
            bots = [self.bots[seat % len(self.bots)] for seat in range(self.players)]
            played = play_game(
                self.rules,
                names,
                seed,
                dealer=number % self.players,
                bots=bots,
                max_deals=self.max_deals,
            )
            tally.game(played.game_record())
            return played.card_record() if self.cards else played.game_record(), tally
        strengths = {name: self.bots[at % len(self.bots)] for at, name in enumerate(names)}
        if self.kind == "heats":
            heat = simulate_heat(
                self.rules,
                names,
                seed,
                games=self.games,
                bots=strengths,
                max_deals=self.max_deals,
            )
            tally.heat(heat)
            return heat, tally
        festival = simulate_festival(
            self.rules,
            names,
            seed,
            waves=self.waves,
            games=self.games,
            bots=strengths,
            max_deals=self.max_deals,
        )
        for heat in festival["heats"]:
            tally.heat(heat)
        return festival, tally

    def records(self, count: int, executor: Executor | None = None) -> Iterator[Simulated]:
        """Yield the first ``count`` records in order; see :meth:`results`."""
        return (record for record, _ in self.results(count, executor))

    def results(
        self, count: int, executor: Executor | None = None
    ) -> Iterator[tuple[Simulated, Tally]]:
        """Yield records with their statistics, played here or by ``executor``.

        Only a limited number are played ahead of the reader, so memory use does not grow with the
        count.
        """
        if executor is None:
            yield from map(self.play, range(count))
            return
        size = max(1, min(_CHUNK, count // _AHEAD))
        chunks = (range(first, min(first + size, count)) for first in range(0, count, size))
        begun = deque(executor.submit(_play, self, chunk) for chunk in islice(chunks, _AHEAD))
        while begun:
            done = begun.popleft().result()
            begun.extend(executor.submit(_play, self, chunk) for chunk in islice(chunks, 1))
            yield from done


def _play(series: Series, numbers: range) -> list[tuple[Simulated, Tally]]:
    return [series.play(number) for number in numbers]
