#!/usr/bin/env python3
"""Repeat one draw of a Chicago tournament and compare it with what was published.

Run it with Python 3.10 or later:  python3 repeat-draw.py It reads no files, uses no network and
needs no packages. The draw's data stand below; read them, change a letter of the seed and see what
happens. The comments describe the method.
"""

import hashlib
import json
import sys
from collections.abc import Iterable
from itertools import combinations
from typing import Any

Tables = list[list[str]]
Numbers = tuple[int, ...]

# Everything that went into the draw, and its outcome.
DRAW = json.loads("{}")


def lot(seed: str, label: str, player: str) -> str:
    """Return the SHA-256 of three lines of text, in hexadecimal."""
    return hashlib.sha256(f"{seed}\n{label}\n{player}".encode("utf-8", "surrogatepass")).hexdigest()


def plain_draw(seed: str, label: str, players: list[str], sizes: list[int]) -> Tables:
    """Sort the players by their lots and cut that order into tables."""
    order = sorted(players, key=lambda player: lot(seed, label, player))
    tables = []
    for size in sizes:
        tables.append(order[:size])
        order = order[size:]
    return tables


def against(
    table: list[str],
    meetings: dict[tuple[str, ...], int],
    tables_of_three: dict[str, int],
    kept_apart: set[tuple[str, ...]],
) -> Numbers:
    """Count what speaks against a table; the first number weighs most, and less is better.

    The numbers are: pairs to be kept apart, earlier meetings of all pairs, and, at a table of
    three, its players' earlier tables of three.
    """
    pairs = [tuple(sorted(pair)) for pair in combinations(table, 2)]
    return (
        sum(1 for pair in pairs if pair in kept_apart),
        sum(meetings.get(pair, 0) for pair in pairs),
        sum(tables_of_three.get(player, 0) for player in table) if len(table) == 3 else 0,
    )


def add(costs: Iterable[Numbers]) -> Numbers:
    """Add up such counts."""
    return tuple(sum(numbers) for numbers in zip((0, 0, 0), *costs, strict=True))


def fair_draw(
    seed: str, label: str, players: list[str], sizes: list[int], history: dict[str, Any]
) -> Tables:
    """Make up to 200 plain draws, take the best one, and improve it by swaps."""
    meetings = {tuple(sorted((a, b))): times for a, b, times in history.get("met", [])}
    tables_of_three = history.get("threes", {})
    kept_apart = {tuple(sorted(pair)) for pair in history.get("apart", [])}

    def cost(tables: Tables) -> Numbers:
        return add(against(table, meetings, tables_of_three, kept_apart) for table in tables)

    # 1. The draw with the plain label, then with "label 1", "label 2" … "label 199".
    best: Tables = []
    for attempt in range(200):
        name = f"{label} {attempt}" if attempt else label
        tables = plain_draw(seed, name, players, sizes)
        if not best or cost(tables) < cost(best):
            best = tables
        if cost(best) == (0, 0, 0):
            return best
    # 2. Go through all pairs of seats and swap two players wherever that helps; repeat until a
    # whole round changes nothing.
    seats = [(table, seat) for table, size in enumerate(sizes) for seat in range(size)]
    changed = True
    while changed:
        changed = False
        for (table, seat), (other, there) in combinations(seats, 2):
            if table == other:
                continue
            before = add(
                against(best[t], meetings, tables_of_three, kept_apart) for t in (table, other)
            )
            best[table][seat], best[other][there] = best[other][there], best[table][seat]
            after = add(
                against(best[t], meetings, tables_of_three, kept_apart) for t in (table, other)
            )
            if after < before:
                changed = True
            else:
                best[table][seat], best[other][there] = best[other][there], best[table][seat]
    return best


def snake(players: list[str], sizes: list[int]) -> Tables:
    """Deal out a ranking: to the last table, back to the first, and so on, skipping full tables."""
    tables: Tables = [[] for _ in sizes]
    path: list[int] = []
    for turn in range(max(sizes)):
        row = range(len(sizes)) if turn % 2 == 0 else range(len(sizes) - 1, -1, -1)
        path += [table for table in row if sizes[table] > turn]
    for table, player in zip(path, players, strict=True):
        tables[table].append(player)
    return tables


def repeat(draw: dict[str, Any]) -> Tables:
    """Repeat the draw with the method it names."""
    method, players, sizes = draw["method"], draw["players"], draw["sizes"]
    if method == "sha256-lots-1":
        return plain_draw(draw["seed"], draw["label"], players, sizes)
    if method == "sha256-lots-fair-1":
        return fair_draw(draw["seed"], draw["label"], players, sizes, draw["history"])
    if method == "snake-1":
        return snake(players, sizes)
    sys.exit(f"This script does not know the method {method}.")


def main() -> int:
    """Print the tables and say whether they match the published ones."""
    tables = repeat(DRAW)
    print(f"{DRAW['title']}: seed {DRAW['seed']}, method {DRAW['method']}")
    for number, table in enumerate(tables, start=1):
        print(f"{number}: {' '.join(table)}")
    if tables == DRAW["drawn"]:
        print("The same as published.")
        return 0
    print("NOT what was published:")
    for number, table in enumerate(DRAW["drawn"], start=1):
        print(f"{number}: {' '.join(table)}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
