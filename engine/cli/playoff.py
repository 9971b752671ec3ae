"""``python -m engine playoff``: tables per round for a number of qualifiers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from ..errors import ChicagoError
from ..ranking.playoff import plan
from .files import misused

USAGE: Final = """usage: python -m engine playoff N [--advance K[,K...]]

Prints the tables of every play-off round for N qualifiers (0 to 1000000) as one JSON document.
  --advance  how many of each table go on (default 2); a list gives one number per round,
             the last one holds for all later rounds (each 1 to 3)
"""


def main(argv: Sequence[str]) -> int:
    """Print the plan; exit 2 and a usage text if misused."""
    words = list(argv)
    if words in (["-h"], ["--help"]):
        print(USAGE, end="")
        return 0
    steps: tuple[int, ...] | None = (2,)
    if len(words) == 3 and "--advance" in words[:2]:
        at = words.index("--advance")
        steps = _advance(words[at + 1])
        del words[at : at + 2]
    if len(words) != 1 or steps is None:
        return misused(USAGE)
    text = words[0]
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        return misused(USAGE)
    try:
        found = plan(int(text), steps)
    except ChicagoError:
        return misused(USAGE)
    print(json.dumps(found.as_json()))
    return 0


def _advance(text: str) -> tuple[int, ...] | None:
    steps = text.split(",")
    if all(step.isascii() and step.isdigit() and len(step) == 1 for step in steps):
        return tuple(int(step) for step in steps)
    return None
