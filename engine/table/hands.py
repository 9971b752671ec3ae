"""Hands at the card table: what players must announce, and whose hand is best.

Announcements are truthful and as short as the rules allow: the category first, then among equals
one rank after another, finally the suit where suits count (rulebook §2, seed svensk).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ..cards.cards import SuitOrder
from ..cards.categories import Category
from ..cards.hands import category_of as _category_of
from ..cards.hands import deciding_suit, hand_key, named_ranks
from ..rules.ruleset import QuadsReset, Redeal, RuleSet
from ..sheet.entries import Hand
from ..sheet.sheet import can
from ..sheet.state import State
from .state import HAND_SIZE, Cards, Claim, TableState, combination, remaining

#: Cached, since one hand is asked about several times in a deal.
category_of = lru_cache(maxsize=1024)(_category_of)

# Looking up an enum's member costs more than the comparison.
_NOTHING, _PAIR = Category.NOTHING, Category.PAIR
_QUADS, _ROYAL = Category.FOUR_OF_A_KIND, Category.ROYAL_FLUSH
_ALWAYS, _FLUSHES = SuitOrder.ALWAYS, SuitOrder.FLUSHES
_REDEAL_TOP = {Redeal.BELOW_TEN: 9, Redeal.UP_TO_TEN: 10}


def called(rules: RuleSet, cards: Cards) -> Category:
    """Return the category under this rule set, where a royal flush may be just a straight flush.

    >>> from engine.cards.cards import parse_cards
    >>> from engine.rules.presets import BASIC
    >>> called(BASIC, parse_cards("Ah Kh Qh Jh Th")).key
    'straight_flush'
    """
    category = category_of(cards)
    if category is _ROYAL and rules.royal_as_straight_flush:
        return Category.STRAIGHT_FLUSH
    return category


def details(rules: RuleSet, cards: Cards) -> tuple[int, ...]:
    """Return what is named, in order, to set the hand apart in its category.

    Ranks (2–14), then the suit (0–3) if suits decide between such hands. For a royal flush only the
    suit.

    >>> from engine.cards.cards import parse_cards
    >>> from engine.rules.presets import SVENSK
    >>> details(SVENSK, parse_cards("Kd Kc 6h 6d 9d"))
    (13, 6, 9)
    >>> details(SVENSK, parse_cards("9s 8s 7s 6s 5s"))           # nine high, spades
    (9, 2)
    """
    category = called(rules, cards)
    ranks = () if category is _ROYAL else named_ranks(cards)
    return (*ranks, deciding_suit(cards)) if _suits_count(rules, category) else ranks


def _suits_count(rules: RuleSet, category: Category) -> bool:
    if rules.suit_order is _ALWAYS:
        return True
    return rules.suit_order is _FLUSHES and category >= Category.STRAIGHT_FLUSH


def is_suit_detail(rules: RuleSet, category: Category, index: int, count: int) -> bool:
    """True if the detail with this index of ``count`` details is a suit, not a rank."""
    return _suits_count(rules, category) and index == count - 1


def due_category(state: TableState, seat: int) -> Category | None:
    """Return the category the seat must announce, or ``None`` if a better one is announced."""
    category = called(state.sheet.rules, state.hands[seat])
    best = state.spoken[-1][1] if state.spoken else _PAIR  # who speaks later has no less
    return category if category >= best else None


def due_detail(state: TableState, seat: int) -> int | None:
    """Return the rank or suit the seat must name now, or ``None`` (pass) if another's is better."""
    value = details(state.rules, state.hands[seat])[state.detail]
    best = max((named for _, named in state.values), default=value)
    return value if value >= best else None


def best_seats(state: TableState, seats: Iterable[int], hands: tuple[Cards, ...]) -> list[int]:
    """Return the seats with the best scoring hand: none, one, or all that tie.

    With ``alone_of_category`` (I), all seats with the best category tie, whatever their ranks.
    """
    rules = state.rules
    keys = []
    for seat in seats:
        category = called(rules, hands[seat])
        if category is not _NOTHING:
            keys.append((category, hand_key(hands[seat], rules.suit_order), seat))
    if not keys:
        return []
    top, key, _ = max(keys)
    if rules.alone_of_category:
        return [seat for category, _, seat in keys if category is top]
    return [seat for _, other, seat in keys if other == key]


def hand_entry(
    state: TableState,
    seat: int,
    cards: Cards,
    phase: int,
    reset: bool | None = None,
    reset_seat: int | None = None,
) -> Hand:
    """Return the sheet entry for the best hand of a phase, with a suit only where it matters."""
    category = called(state.rules, cards)
    suit = None
    if category is _ROYAL and state.rules.royal_hearts_only:
        suit = cards[0].suit.letter.upper()
    return Hand(phase, seat, category, reset, suit, reset_seat)


def quads_choices(sheet: State, seat: int, phase: int) -> tuple[bool | None, ...]:
    """Return the ways four of a kind may score here: ``None`` points, ``True`` reset.

    With variant D it always does both.
    """
    if sheet.rules.quads_reset is QuadsReset.ONE:
        reset = bool(reset_targets(sheet, seat, phase))
    else:
        reset = can(sheet, Hand(phase, seat, _QUADS, True))
    if reset and sheet.rules.quads_reset is QuadsReset.BOTH:
        return (True,)
    points = can(sheet, Hand(phase, seat, _QUADS))
    return (*((None,) if points else ()), *((True,) if reset else ()))


def reset_targets(sheet: State, seat: int, phase: int) -> list[int]:
    """Return the seats that four of a kind may reset, where it resets one (``reset-one``)."""
    return [
        other
        for other in range(sheet.seats)
        if can(sheet, Hand(phase, seat, _QUADS, True, None, other))
    ]


def scored_phase(state: TableState) -> int:
    """Return the phase that a hand scores in now: the final one once the tricks have begun."""
    return state.rules.exchanges if any(state.full) else state.phase


def showable(state: TableState, seat: int) -> tuple[str | None, ...]:
    """Return what the seat may answer before the tricks: ``None``, ``"hand"``, ``"reset"``.

    A winning flush must be shown; four of a kind may be shown where that ends the deal or resets.
    """
    cards = state.hands[seat]
    category = called(state.rules, cards)
    if category < _QUADS:
        return (None,)
    phase = state.rules.exchanges
    if category is _QUADS:
        claims = {None: "hand", True: "reset"}
        return (None, *(claims[way] for way in quads_choices(state.sheet, seat, phase)))
    entry = hand_entry(state, seat, cards, phase)
    return ("hand",) if can(state.sheet, entry) else (None,)


def may_redeal(rules: RuleSet, cards: Cards) -> bool:
    """True if all cards are low enough to ask for a new hand (E, ``redeal-ten``).

    >>> from engine.cards.cards import parse_cards
    >>> from engine.rules.variants import parse_rules
    >>> may_redeal(parse_rules("svensk+E"), parse_cards("2c 3d 5h 7s 9c"))
    True
    """
    top = _REDEAL_TOP.get(rules.redeal, 0)
    return all(card.rank <= top for card in cards)


# --- claims: combinations that scored and must not be broken silently -------------------------


def claim_for(rules: RuleSet, cards: Cards, named: int) -> Claim:
    """Return what the seat has promised by scoring, or tying for best, with this hand.

    ``named`` is the number of ranks it had to name.

    >>> from engine.cards.cards import parse_cards
    >>> from engine.rules.presets import FESTIVAL
    >>> claim_for(FESTIVAL, parse_cards("9c 9d Kc 7s 2h"), 0).cards
    (Card('9c'), Card('9d'))
    """
    category = called(rules, cards)
    return Claim(category, combination(cards, category), named_ranks(cards)[:named])


def breaks(claim: Claim, hand: Cards, gone: Cards) -> bool:
    """True if the hand no longer holds the claimed combination without the cards ``gone``.

    >>> from engine.cards.cards import parse_cards
    >>> from engine.rules.presets import FESTIVAL
    >>> hand = parse_cards("9c 9d Kc 7s 2h")
    >>> pair = claim_for(FESTIVAL, hand, 0)
    >>> breaks(pair, hand, parse_cards("Kc 7s")), breaks(pair, hand, parse_cards("9d"))
    (False, True)
    """
    kept = [card.rank for card in remaining(hand, gone)]
    need = [card.rank for card in claim.cards]
    return any(kept.count(rank) < need.count(rank) for rank in set(need))


def proof(claim: Claim, hand: Cards) -> Cards:
    """Return the cards that prove a claim: the combination and any other ranks named.

    >>> from engine.cards.cards import parse_cards
    >>> from engine.rules.presets import FESTIVAL
    >>> hand = parse_cards("9c 9d Kc 7s 2h")
    >>> proof(claim_for(FESTIVAL, hand, 2), hand)                # nines, then a king, were named
    (Card('9c'), Card('9d'), Card('Kc'))
    """
    need = [card.rank for card in claim.cards]
    extra = [rank for rank in claim.named if rank not in need]
    shown = []
    for card in hand:
        for ranks in (need, extra):
            if card.rank in ranks:
                ranks.remove(card.rank)
                shown.append(card)
                break
    return tuple(shown)


def whole_hand(state: TableState, seat: int) -> Cards:
    """Return the five cards that the seat had when the tricks began."""
    full = state.full[seat]
    return full if len(full) == HAND_SIZE else (*state.piles[seat], *state.hands[seat])
