"""``chicago-engine evaluate``: categories and strengths of five-card hands.

Hands as arguments give one document, best hand first, equal hands in the order given. With
``--lines FILE`` (``-`` for standard input) each line gives a document of its own. A hand that
cannot be read gives a ``bad_value`` document and exit status 2.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any

from ..answers import unreadable
from ..cards.cards import SuitOrder, format_cards, parse_cards
from ..cards.hands import category_of_strength, hand_key, strength
from ..documents import HandDocument, HandsDocument, ReplayDocument
from ..errors import ChicagoError
from ..messages import category_text
from ..rules.ruleset import RuleSet
from ..rules.variants import parse_rules, rules_of
from .files import Unread, command, show, texts
from .readable import sentences


def evaluate(text: str) -> HandDocument:
    """Return a document with the category and strength of the hand in ``text``.

    Raises :class:`~engine.errors.ChicagoError` (``bad_value``) unless it holds five different
    cards.

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


def evaluate_all(hands: Sequence[str], rules: RuleSet | str | None = None) -> HandsDocument:
    """Return all hands in one document, best first; equal hands stay in the order given.

    With ``rules``, suits break ties where that rule set says so.

    >>> [hand["strength"] for hand in evaluate_all(["7c 5d 4h 3s 2c", "2c 2d 4h 3s 7c"])["hands"]]
    [1282, 1]
    """
    order = SuitOrder.NEVER if rules is None else rules_of(rules).suit_order
    found = sorted(hands, key=lambda text: hand_key(parse_cards(text), order), reverse=True)
    return {"hands": [evaluate(text) for text in found]}


def _refusal(text: str, lang: str) -> ReplayDocument:
    shown = text if len(text) <= 80 else text[:79] + "…"
    return unreadable(ChicagoError("bad_value", field="hand", kind=None, value=shown), lang)


def _readable(document: Any, lang: str) -> list[str]:
    if "hands" in document:
        return [line for hand in document["hands"] for line in _readable(hand, lang)]
    if "hand" not in document:
        return sentences(document)
    name = category_text(document["category"], lang)
    return [f"{document['hand']:14}  {document['strength']:4}  {name}"]


def _each_line(options: argparse.Namespace) -> int:
    worst = 0
    document: HandDocument | ReplayDocument
    for line in texts(options.lines, lines=True):
        text = line.decode("utf-8", "replace").strip()
        if not text:
            continue
        try:
            document = evaluate(text)
        except ChicagoError:
            document, worst = _refusal(text, options.lang), 2
        show(document, options, partial(_readable, document, options.lang))
    return worst


def main(argv: Sequence[str]) -> int:
    """Run the command; return 0 if every hand was read, 2 if not or for a wrong command line."""
    parser = command("evaluate", "Category and strength (1-7462) of five-card hands, best first.")
    parser.add_argument("hands", nargs="*", metavar="HAND", help='such as "Ah Kh Qh Jh Th"')
    parser.add_argument(
        "--lines", metavar="FILE", help="read one hand per line from FILE, - for standard input"
    )
    parser.add_argument(
        "--rules", metavar="NAME", help="a rule set, whose suits decide between equal hands"
    )
    options = parser.parse_args(argv)
    if (options.lines is None) == (not options.hands):
        parser.error("give either hands as arguments or --lines FILE")
    if options.lines is not None and options.rules is not None:
        parser.error("--rules is only for hands given as arguments; --lines keeps their order")
    status, text = 0, ""
    document: HandsDocument | ReplayDocument
    try:
        if options.lines is not None:
            return _each_line(options)
        for text in options.hands:
            evaluate(text)
        rules = None if options.rules is None else parse_rules(options.rules)
        document = evaluate_all(options.hands, rules)
    except Unread:
        error = ChicagoError("malformed", reason="file", name=options.lines)
        document, status = unreadable(error, options.lang), 2
    except ChicagoError as refused:
        hand = refused.code == "bad_value"
        document = _refusal(text, options.lang) if hand else unreadable(refused, options.lang)
        status = 2
    show(document, options, partial(_readable, document, options.lang))
    return status
