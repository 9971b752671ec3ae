"""The commands that read a document from a file: replay, heat, outlook, totals, settle."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from fractions import Fraction

from ..answers import (
    check_totals,
    outlook_of,
    rank_heat,
    replay_card_record,
    replay_record,
    settle_record,
    unreadable,
)
from ..errors import ChicagoError
from ..ranking.settle import read_stake
from ..sheet.record import load_json
from . import readable
from .files import file_command, run_on_file


def replay(argv: Sequence[str]) -> int:
    """Exit 0 for a legal record, 1 for an illegal entry, 2 if it cannot be read."""
    parser = file_command("replay", "RECORD.json", "Replay a game record or a card record.")
    parser.add_argument("--facts", action="store_true", help="also print what each entry did")
    options = parser.parse_args(argv)
    return run_on_file(
        options,
        lambda text: replayed(text, options.lang, facts=options.facts),
        lambda document, text: readable.replayed(document, text, options.lang),
    )


def replayed(text: bytes, lang: str = "en", *, facts: bool = False) -> tuple[object, int]:
    """Replay a game record or a card record, depending on its ``format``."""
    try:
        document = load_json(text)
    except ChicagoError as error:
        result = unreadable(error, lang)
    else:
        cards = isinstance(document, dict) and document.get("format") == "chicago-card-record"
        result = (replay_card_record if cards else replay_record)(document, facts=facts, lang=lang)
    if result["valid"]:
        return result, 0
    return result, 2 if result["state"] is None else 1


def heat(argv: Sequence[str]) -> int:
    """Exit 0 with the ranking, 1 for invalid games, 2 if the file cannot be read."""
    options = file_command("heat", "HEAT.json", "The ranking of a heat.").parse_args(argv)
    return run_on_file(
        options,
        lambda text: rank_heat(text, options.lang),
        lambda document, _: readable.ranked(document, options.lang),
    )


def outlook(argv: Sequence[str]) -> int:
    """Exit 0 with everybody's outlook, 1 for invalid games, 2 if the file cannot be read."""
    parser = file_command("outlook", "HEAT.json", "Who has clinched, who is out, who needs what.")
    options = parser.parse_args(argv)
    return run_on_file(
        options,
        lambda text: outlook_of(text, options.lang),
        lambda document, text: readable.outlooks(document, text, options.lang),
    )


def totals(argv: Sequence[str]) -> int:
    """Exit 0 with the answer, 2 if the file cannot be read."""
    parser = file_command(
        "totals", "TOTALS.json", "Could the totals of a paper sheet come from any game?"
    )
    options = parser.parse_args(argv)
    return run_on_file(
        options,
        lambda text: check_totals(text, options.lang),
        lambda document, _: readable.totals(document, options.lang),
    )


def settle(argv: Sequence[str]) -> int:
    """Exit 0 with the balance, 1 for a game that cannot be settled, 2 if it cannot be read."""
    parser = file_command("settle", "RECORD.json", "What each seat wins or pays, exactly.")
    parser.add_argument(
        "--stake",
        type=_stake,
        default=Fraction(1),
        metavar="N",
        help="the worth of one point, above 0: 1 (the default), 0.50 or 1/2",
    )
    options = parser.parse_args(argv)
    return run_on_file(
        options,
        lambda text: settle_record(text, options.stake, options.lang),
        lambda document, text: readable.settled(document, text, options.lang),
    )


def _stake(text: str) -> Fraction:
    try:
        return read_stake(text)
    except ChicagoError as error:
        raise argparse.ArgumentTypeError(f"not a stake: {text!a}") from error
