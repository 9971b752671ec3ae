"""``chicago-engine playoff``: tables per round for a number of qualifiers."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial

from ..answers import unreadable
from ..errors import ChicagoError
from ..ranking.playoff import plan
from .files import command, show
from .readable import rounds, sentences


def main(argv: Sequence[str]) -> int:
    """Print the plan; exit 2 for a number without a plan."""
    parser = command("playoff", "Tables of every play-off round.")
    parser.add_argument("qualifiers", type=_number, metavar="N", help="0 to 1000000")
    parser.add_argument(
        "--advance",
        type=_steps,
        default=(2,),
        metavar="K[,K...]",
        help="how many advance from each table, 1 to 3 (default 2); a list gives one number per "
        "round, and the last one holds for all later rounds; a round of two tables always sends "
        "at least two from each",
    )
    options = parser.parse_args(argv)
    try:
        found = plan(options.qualifiers, options.advance).as_json()
    except ChicagoError as error:
        refused = unreadable(error, options.lang)
        show(refused, options, partial(sentences, refused))
        return 2
    show(found, options, partial(rounds, found, options.lang))
    return 0


def _number(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 12:
        return int(text)
    raise argparse.ArgumentTypeError(f"not a number: {text!a}")


def _steps(text: str) -> tuple[int, ...]:
    steps = text.split(",")
    if all(step.isascii() and step.isdigit() and len(step) == 1 for step in steps):
        return tuple(int(step) for step in steps)
    raise argparse.ArgumentTypeError(f"not numbers of players: {text!a}")
