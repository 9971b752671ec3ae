"""``python earlier.py FOLDER MEASURE SIZE``: one measurement of a checkout's engine.

Runs in its own process, so that two engines can alternate in one run (``--before``). Prints the
count and the processor time in seconds, the best of several rounds.
"""

from __future__ import annotations

import gc
import sys
import time
from importlib import import_module

NAMES = ["Anna", "Bo", "Cia", "Dag"]


def deals(bots: str, games: int) -> tuple[int, float]:
    """Play deals with bots; equal seeds give equal games if the bots are the same."""
    play_game = import_module("engine.bots.simulation").play_game
    count, best = 0, float("inf")
    for _ in range(2):
        gc.collect()
        start = time.process_time()
        tables = [
            play_game("festival", NAMES, f"bench {seed}", bots=[bots] * 4).table
            for seed in range(games)
        ]
        best = min(best, time.process_time() - start)
        count = sum(table.sheet.deal + 1 for table in tables)
    return count, best


def replays(rounds: int) -> tuple[int, float]:
    """Replay the first 60 entries of a game."""
    engine, simulation = import_module("engine"), import_module("engine.bots.simulation")
    simulate_game = simulation.simulate_game
    games = (simulate_game("festival", NAMES, f"bench {seed}")["entries"] for seed in range(1000))
    entries = next(game[:60] for game in games if len(game) >= 60)
    rules, best = engine.parse_rules("festival"), float("inf")
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(5):
            engine.replay(rules, 4, entries)
        best = min(best, time.process_time() - start)
    return 5, best


def main(folder: str, measure: str, size: str) -> None:
    """Measure the engine in a folder."""
    sys.path.insert(0, folder)
    if measure == "replays":
        count, seconds = replays(int(size))
    else:
        count, seconds = deals(measure, int(size))
    print(count, seconds)


if __name__ == "__main__":
    main(*sys.argv[1:])
