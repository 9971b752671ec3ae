"""``python -m engine evaluate``: categories and strengths of five-card hands (game-record.md).

Hands as arguments give one document, best hand first, equal hands in the order given; with
``--lines FILE`` (``-`` for standard input) one document per line comes out for each line read.
A hand that cannot be read gives the ``bad_value`` document of game-record.md and exit code 2.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from ..cards.cards import format_cards, parse_cards
from ..cards.hands import category_of_strength, strength
from ..errors import ChicagoError
from ..sheet.record import dump_json
from .answers import unreadable
from .files import Unread, texts

_USAGE = "python -m engine evaluate"


def evaluate(text: str) -> dict[str, object]:
    """The hand written in ``text`` as a document with its category and strength.

    Raises :class:`~engine.errors.ChicagoError` (``bad_value``) unless it is five different cards.

    >>> evaluate("10H 9h 8h 7h 6h")
    {'hand': 'Th 9h 8h 7h 6h', 'category': 'straight_flush', 'strength': 7458}
    """
    cards = parse_cards(text)
    value = strength(cards)
    return {
        "hand": format_cards(cards),
        "category": category_of_strength(value).key,
        "strength": value,
    }


def evaluate_all(hands: Sequence[str]) -> dict[str, object]:
    """All hands in one document, best first; equal ones stay in the order given.

    >>> [hand["strength"] for hand in evaluate_all(["7c 5d 4h 3s 2c", "2c 2d 4h 3s 7c"])["hands"]]
    [1282, 1]
    """
    found = [(evaluate(text), strength(parse_cards(text))) for text in hands]
    return {"hands": [hand for hand, _ in sorted(found, key=lambda pair: -pair[1])]}


def _refusal(text: str) -> dict[str, object]:
    shown = text if len(text) <= 80 else text[:79] + "…"
    return unreadable(ChicagoError("bad_value", field="hand", kind=None, value=shown))


def _each_line(source: str) -> int:
    worst = 0
    for line in texts(source, lines=True):
        text = line.decode("utf-8", "replace").strip()
        if not text:
            continue
        try:
            document = evaluate(text)
        except ChicagoError:
            document, worst = _refusal(text), 2
        print(json.dumps(document))
    return worst


def main(argv: Sequence[str]) -> int:
    """Run the command; 0 if every hand was read, 2 if one was not or the command line is wrong."""
    parser = argparse.ArgumentParser(
        prog=_USAGE, description="Category and strength (1-7462) of five-card hands, best first."
    )
    parser.add_argument("hands", nargs="*", metavar="HAND", help='such as "Ah Kh Qh Jh Th"')
    parser.add_argument(
        "--lines", metavar="FILE", help="read one hand per line from FILE, - for standard input"
    )
    try:
        options = parser.parse_args(argv)
        if (options.lines is None) == (not options.hands):
            parser.error("give hands as arguments, or --lines FILE, not both and not neither")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    if options.lines is not None:
        try:
            return _each_line(options.lines)
        except Unread:
            error = ChicagoError("malformed", reason="file", name=options.lines)
            print(dump_json(unreadable(error)))
            return 2
    text = ""
    try:
        for text in options.hands:
            evaluate(text)
    except ChicagoError:
        print(json.dumps(_refusal(text)))
        return 2
    print(json.dumps(evaluate_all(options.hands)))
    return 0
