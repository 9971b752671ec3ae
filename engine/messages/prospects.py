"""What a table wants to know, in words: turns, needs, what scored, and its rules.

A phone fills the words in by itself (:func:`prospect_words`, :func:`scored_words`;
static/scoring/tell.js).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..cards.cards import SuitOrder
from ..cards.categories import SCORING
from ..rules.ruleset import RuleSet
from ..rules.variants import rules_of
from ..sheet.prospects import NEVER, WinNeed, exchange_due, needs, turns
from ..sheet.state import State
from .languages import Texts, texts_in
from .numbers import SUITS
from .reminder import reminder_lines
from .render import category_text, hand_text, preset_text, seat_name, variant_text


def prospect_words(lang: str = "en") -> Texts:
    """Return the words of the sentences on turns and needs, for a phone.

    >>> prospect_words("sv")["points"]
    '{name} behöver {points}'
    """
    return texts_in(lang).prospects


def turn_text(state: State, lang: str = "en", names: Sequence[str] | None = None) -> str:
    """Return which exchange it is and who speaks first; empty where none is due.

    >>> from engine import parse_rules, start
    >>> turn_text(start(parse_rules("festival"), seats=3), names=["Anna", "Bo", "Cia"])
    'First exchange: Bo speaks first'
    """
    exchange, order = exchange_due(state), turns(state)
    if exchange is None or not order:
        return ""
    words = texts_in(lang).prospects
    name = seat_name(order[0], lang, names)
    return words["turn"].format(exchange=words[f"exchange.{exchange}"], name=name)


def need_key(need: WinNeed) -> str:
    """Return the key of the sentence for what a seat needs.

    >>> need_key(WinNeed(0, 12, "executed")), need_key(WinNeed(0, 12, "executed", enough=True))
    ('points.executed', 'executed')
    """
    if need.chicago == NEVER:
        return NEVER
    if need.chicago and (need.enough or not need.points):
        return need.chicago
    more = need.chicago or ("later" if need.later else "trick" if need.trick else "")
    if not need.points:
        return more or "there"
    return f"points.{more}" if more else "points"


def needs_text(state: State, lang: str = "en", names: Sequence[str] | None = None) -> str:
    """Return what the players need to win who could do so with one Chicago's points.

    >>> from engine import Ruling, parse_rules, start, step
    >>> state = start(parse_rules("svensk"), seats=3)
    >>> for seat, points in enumerate((47, 40, 8)):
    ...     state = step(state, Ruling("points", seat, points, "seat change"))
    >>> needs_text(state, names=["Anna", "Bo", "Cia"])
    'Anna needs a Chicago; Bo needs a Chicago'
    """
    words = texts_in(lang).prospects
    return "; ".join(
        words[need_key(need)].format(
            name=seat_name(need.seat, lang, names),
            points=need.points,
            score=state.scores[need.seat],
        )
        for need in needs(state)
        if need.points <= state.rules.chicago_won
    )


def minimum_text(rules: RuleSet | str, lang: str = "en") -> str:
    """Return how many points a Chicago needs.

    >>> minimum_text("festival"), minimum_text("basic", "sv")
    ('A Chicago needs 15 points', 'Chicago får bjudas på vilken ställning som helst')
    """
    minimum = rules_of(rules).chicago_minimum
    words = texts_in(lang).prospects
    return words["minimum.none"] if minimum is None else words["minimum"].format(points=minimum)


def equal_key(rules: RuleSet) -> str:
    """Return the key of the sentence on equal hands."""
    if rules.suit_order is SuitOrder.ALWAYS:
        return "equal.always"
    return "equal.alone" if rules.alone_of_category else f"equal.{rules.suit_order}"


def equal_text(rules: RuleSet | str, lang: str = "en") -> str:
    """Return what equal best hands score.

    >>> equal_text("pagat"), equal_text("pagat+A", "sv")
    ('Equal best hands score nothing', 'Mellan lika händer avgör färgen')
    """
    return texts_in(lang).prospects[equal_key(rules_of(rules))]


def rules_lines(rules: RuleSet | str, seats: int, lang: str = "en") -> list[str]:
    """Return a table's rules as sentences: the rule set, its variants, and what scores how much.

    >>> for line in rules_lines("pagat+N", 3)[:3]:
    ...     print(line)
    The international description: a straight flush is worth 8 and a royal flush 52, nobody is set \
to zero, and no Chicago is needed to win.
    The last trick is worth 10 if it is taken with a deuce.
    Equal best hands score nothing.
    """
    rules = rules_of(rules)
    return [
        preset_text(rules.preset, lang),
        *(variant_text(name, lang) for name in rules.variants),
        f"{equal_text(rules, lang)}.",
        *(f"{label}: {text}." for label, text in reminder_lines(rules, seats, lang)),
    ]


def scored_key(document: Mapping[str, object]) -> str:
    """Return the key of what scored; empty for entries that score no phase.

    >>> scored_key({"kind": "chicago", "seat": 0, "won": False, "breaker": 1})
    'chicago.broken'
    """
    kind = document["kind"]
    if kind == "hand":
        if not document.get("reset"):
            return "hand"
        return "reset" if document.get("reset_seat") is None else "reset.one"
    if kind == "chicago":
        if document.get("won"):
            return "chicago.deuce" if document.get("deuce") else "chicago.won"
        return "chicago.lost" if document.get("breaker") is None else "chicago.broken"
    if kind == "last_trick":
        return "last_trick.deuce" if document.get("deuce") else "last_trick"
    return "none" if kind == "none" else ""


def scored_text(
    document: Mapping[str, object], lang: str = "en", names: Sequence[str] | None = None
) -> str:
    """Return what an entry's document says that scored, for a field of its deal.

    >>> scored_text({"kind": "hand", "seat": 1, "category": "two_pair"}, names=["Anna", "Elif"])
    'Elif, two pair'
    """
    key = scored_key(document)
    if not key:
        return ""
    seat, other = document.get("seat"), document.get("breaker", document.get("reset_seat"))
    return (
        texts_in(lang)
        .scored[key]
        .format(
            who=seat_name(seat, lang, names) if isinstance(seat, int) else "",
            other=seat_name(other, lang, names) if isinstance(other, int) else "",
            hand=hand_text(document, lang) if document["kind"] == "hand" else "",
        )
    )


def scored_words(lang: str = "en") -> dict[str, str]:
    """Return the words for what scored, of each hand and each suit, for a phone.

    >>> words = scored_words("sv")
    >>> words["hand"], words["two_pair"], words["suit.H"]
    ('{who}, {hand}', 'två par', '♥')
    """
    hands = {category.key: category_text(category.key, lang) for category in SCORING}
    suits = {f"suit.{suit}": sign for suit, sign in SUITS.items()}
    return {**texts_in(lang).scored, **hands, **suits}
