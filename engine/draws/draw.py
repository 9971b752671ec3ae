"""Draws that anyone can repeat: orders, seats and heats from a recorded seed (rulebook §6).

The complete method:

1. Every item in a draw gets a *lot*: the SHA-256 of the text ``seed``, a line feed, ``label``,
   a line feed, ``item`` (UTF-8), written as 64 hexadecimal digits.
2. The items are sorted in ascending order of their lots.

Nothing depends on the order of the items or on earlier draws, so each lot can be checked on its own
with ``printf 'seed\\nlabel\\nitem' | sha256sum``. The seed decides everything, so it must be fixed
(or thrown) by somebody who does not know the list yet;
:func:`new_seed` makes one that nobody can predict.

Labels keep the draws from one seed apart: ``heats`` for the division into heats, ``game 1``,
``game 2``, … for the seats of a heat's games.

>>> shuffled("festival-2026", "heats", ["Anna", "Bo", "Cia", "Dag"])
['Dag', 'Anna', 'Bo', 'Cia']
>>> seat_order("festival-2026", 1, ["Anna", "Bo", "Cia", "Dag"])
['Cia', 'Anna', 'Dag', 'Bo']
>>> heat_sizes(11)
[4, 4, 3]

``docs/draw.md`` explains the method to players, with a self-contained script of ten lines.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

from ..errors import ChicagoError

METHOD = "sha256-lots-1"
"""Name of the method, stored with every draw; a changed method gets a new name."""

TABLE_MIN = 3
"""Smallest heat (rulebook §6)."""

TABLE_MAX = 4
"""Largest heat (rulebook §6)."""

TABLE_SIZES = range(TABLE_MIN, TABLE_MAX + 1)
"""The sizes of a heat's table."""


def new_seed() -> str:
    """Return a fresh, unpredictable seed of 16 hexadecimal digits.

    The only function here that is not repeatable: call it once and store the result.

    >>> len(new_seed())
    16
    """
    return secrets.token_hex(8)


def lot(seed: str, label: str, item: str) -> str:
    """Return the lot of one item: 64 hexadecimal digits, as described in the module's docstring.

    Any text is accepted, even if it is not valid Unicode.

    >>> lot("1", "heats", "Anna")[:8]
    'f0f58215'
    """
    text = f"{seed}\n{label}\n{item}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def shuffled(seed: str, label: str, items: Sequence[str]) -> list[str]:
    """Return the items in the order of their lots.

    ``items`` are distinct texts in any order (names, registration ids). Raises
    :class:`ChicagoError` ``repeated_item`` if one occurs twice, because equal items would have
    equal lots.

    >>> shuffled("s", "l", ["b", "a"]) == shuffled("s", "l", ["a", "b"])
    True
    """
    seen: set[str] = set()
    for item in items:
        if item in seen:
            raise ChicagoError("repeated_item", item=item)
        seen.add(item)
    return sorted(items, key=lambda item: lot(seed, label, item))


def seat_order(seed: str, game_number: int, players: Sequence[str]) -> list[str]:
    """Return the seats of one game of a heat, clockwise; index 0 deals first (rulebook §6).

    ``game_number`` counts from 1. Every game has new seats: its label is ``game N``. Raises
    ``repeated_item`` like :func:`shuffled`.

    >>> [seat_order("friday", game, ["Anna", "Bo", "Cia"]) for game in (1, 2)]
    [['Anna', 'Bo', 'Cia'], ['Bo', 'Cia', 'Anna']]
    """
    return shuffled(seed, f"game {game_number}", players)


def heat_sizes(players: int) -> list[int]:
    """Return the table sizes for so many players: 3 or 4 each, as even as possible, fours first.

    Raises :class:`ChicagoError` ``cannot_split`` for fewer than 3 and for 5, which cannot be
    divided into threes and fours (rulebook §6). The caller decides whether one of five waits or a
    sixth is found.

    >>> [heat_sizes(n) for n in (3, 4, 6, 7, 8, 9, 10)]
    [[3], [4], [3, 3], [4, 3], [4, 4], [3, 3, 3], [4, 3, 3]]
    >>> heat_sizes(5)
    Traceback (most recent call last):
    ...
    engine.errors.ChicagoError: cannot_split (players=5)
    """
    tables = -(-players // TABLE_MAX)
    if players < TABLE_MIN or players < tables * TABLE_MIN:
        raise ChicagoError("cannot_split", players=players)
    small, larger = divmod(players, tables)
    return [small + 1] * larger + [small] * (tables - larger)


def split_heats(
    seed: str, players: Sequence[str], sizes: Sequence[int] | None = None, *, label: str = "heats"
) -> list[list[str]]:
    """Divide the players into heats: draw an order and cut it into groups of the given sizes.

    ``sizes`` defaults to :func:`heat_sizes`. A draw other than a day's heats (a play-off round,
    say) passes its own ``label``. Raises ``cannot_split`` like :func:`heat_sizes`, or if the sizes
    do not add up to the number of players, and ``repeated_item``.

    >>> split_heats("festival-2026", ["Anna", "Bo", "Cia", "Dag", "Eva", "Fia"])
    [['Eva', 'Dag', 'Anna'], ['Bo', 'Cia', 'Fia']]
    """
    if sizes is None:
        sizes = heat_sizes(len(players))
    if sum(sizes) != len(players) or any(size < 1 for size in sizes):
        raise ChicagoError("cannot_split", players=len(players))
    order = shuffled(seed, label, players)
    heats: list[list[str]] = []
    start = 0
    for size in sizes:
        heats.append(order[start : start + size])
        start += size
    return heats
