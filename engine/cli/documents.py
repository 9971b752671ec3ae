"""The commands that answer a document read from a file: replay, heat, outlook, totals, settle."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Final

from ..errors import ChicagoError
from ..ranking.settle import read_stake
from ..sheet.record import load_json
from .answers import (
    check_totals,
    outlook_of,
    rank_heat,
    replay_card_record,
    replay_record,
    settle_record,
    unreadable,
)
from .files import misused, run_on_file

REPLAY_USAGE: Final = """usage: python -m engine replay RECORD.json | -  [--facts] [--lines]

Prints what a game record, or a card record, comes to as one JSON document.
  --facts  and what each entry did
"""

HEAT_USAGE: Final = """usage: python -m engine heat HEAT.json | -  [--lines]

Prints the ranking of a heat's finished games as one JSON document.
"""

OUTLOOK_USAGE: Final = """usage: python -m engine outlook HEAT.json | -  [--lines]

Prints who has clinched, who is out and who needs what, one object per player.
"""

TOTALS_USAGE: Final = """usage: python -m engine totals TOTALS.json | -  [--lines]

Tells whether the totals of a paper sheet could come from any game, as one JSON document.
"""

SETTLE_USAGE: Final = """usage: python -m engine settle RECORD.json | -  [--stake N] [--lines]

Prints what each seat wins or pays, exactly, as one JSON document.
  --stake  the worth of one point, above 0: 1 (the default), 0.50 or 1/2
"""


def replay(argv: Sequence[str]) -> int:
    """Exit 0 for a legal record, 1 for an illegal entry, 2 if it cannot be read."""
    words = list(argv)
    facts = words.count("--facts") == 1
    if facts:
        words.remove("--facts")
    return run_on_file(words, REPLAY_USAGE, partial(_replayed, facts=facts))


def _replayed(text: bytes, *, facts: bool) -> tuple[object, int]:
    """Replay a game record, or a card record, which says so in its ``format``."""
    try:
        document = load_json(text)
    except ChicagoError as error:
        result = unreadable(error)
    else:
        if isinstance(document, dict) and document.get("format") == "chicago-card-record":
            result = replay_card_record(document, facts=facts)
        else:
            result = replay_record(document, facts=facts)
    if result["valid"]:
        return result, 0
    return result, 2 if result["state"] is None else 1


def heat(argv: Sequence[str]) -> int:
    """Exit 0 with the ranking, 1 for invalid games, 2 if the file cannot be read."""
    return run_on_file(argv, HEAT_USAGE, rank_heat)


def outlook(argv: Sequence[str]) -> int:
    """Exit 0 with everybody's outlook, 1 for invalid games, 2 if the file cannot be read."""
    return run_on_file(argv, OUTLOOK_USAGE, outlook_of)


def totals(argv: Sequence[str]) -> int:
    """Exit 0 with the answer, 2 if the file cannot be read."""
    return run_on_file(argv, TOTALS_USAGE, check_totals)


def settle(argv: Sequence[str]) -> int:
    """Exit 0 with the balance, 1 for a game that cannot be settled, 2 if it cannot be read."""
    words = list(argv)
    stake = Fraction(1)
    for at, word in enumerate(words):
        if word == "--stake" or word.startswith("--stake="):
            taken = 1 if "=" in word else 2
            text = word.partition("=")[2] if taken == 1 else "".join(words[at + 1 : at + 2])
            try:
                stake = read_stake(text)
            except ChicagoError:
                return misused(SETTLE_USAGE)
            del words[at : at + taken]
            break
    return run_on_file(words, SETTLE_USAGE, lambda text: settle_record(text, stake))
