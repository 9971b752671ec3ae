"""Game and heat documents for tests, made by writing entries, never results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Entry = dict[str, Any]


def hand(phase: int, seat: int, category: str, **more: object) -> Entry:
    return {"kind": "hand", "phase": phase, "seat": seat, "category": category, **more}


def flush_win(seat: int) -> list[Entry]:
    return [hand(1, seat, "straight_flush")]


def royal_win(seat: int) -> list[Entry]:
    return [hand(1, seat, "royal_flush")]


def plain_deal(
    seat: int, *, first: Entry | None = None, last: Entry | None = None, exchanges: int = 3
) -> list[Entry]:
    """Return a deal in which a seat takes the last trick, with hands only if given."""
    phases = [{"kind": "none", "phase": phase} for phase in range(1, exchanges)]
    if first is not None:
        phases[0] = first
    return [
        *phases,
        {"kind": "last_trick", "seat": seat},
        last or {"kind": "none", "phase": exchanges},
    ]


def scores(wanted: Sequence[int], exchanges: int = 3) -> list[Entry]:
    """Return deals that bring the seats to these scores, each 0 or at least 5."""
    entries: list[Entry] = []
    names = [None, "pair", "two_pair", "three_of_a_kind", "straight"]
    for seat, score in enumerate(wanted):
        for trick in range(score // 5):
            extra = names[score % 5] if trick == 0 else None
            last = hand(exchanges, seat, extra) if extra else None
            entries += plain_deal(seat, last=last, exchanges=exchanges)
    return entries


def game(
    seats: Sequence[str], entries: Sequence[Entry], rules: str = "festival", **more: object
) -> Entry:
    return {
        "format": "chicago-game-record",
        "version": 1,
        "rules": rules,
        "seats": list(seats),
        "entries": list(entries),
        **more,
    }


def heat(players: Sequence[str], games: Sequence[object], /, **more: object) -> Entry:
    return {
        "format": "chicago-heat",
        "version": 1,
        "rules": "festival",
        "players": list(players),
        "games": list(games),
        "games_planned": 3,
        "advance": 1,
        **more,
    }
