"""The evaluator: rulebook §2 (hands, suits) and §7 (the numbers)."""

import random
from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import hands
from engine.cards.cards import DECK, RANKS, parse_cards
from engine.cards.categories import Category
from engine.cards.hands import best_hands, category_of, compare, named_ranks, strength
from engine.errors import ChicagoError
from engine.rules.ruleset import SuitOrder
from tests.engine.cards.slow_evaluator import ORDER, judge

EXACT = {
    "royal_flush": 4,
    "straight_flush": 36,
    "four_of_a_kind": 624,
    "full_house": 3744,
    "flush": 5108,
    "straight": 10200,
    "three_of_a_kind": 54912,
    "two_pair": 123552,
    "pair": 1098240,
    "nothing": 1302540,
}


def test_section_7_category_counts_over_all_hands():
    counts = hands.count_categories()
    assert {category.key: count for category, count in counts.items()} == EXACT


@pytest.mark.slow
def test_an_independent_evaluator_agrees_on_all_hands_their_order_and_ties():
    found: dict[tuple[int, ...], int] = {}
    known: dict[tuple[tuple[int, ...], bool], tuple[int, ...]] = {}
    pairs = [(number // 4 + 2, number % 4) for number in range(52)]
    total = 0
    codes = combinations([hands.CODES[card] for card in DECK], 5)
    for hand, five in zip(combinations(pairs, 5), codes, strict=True):
        value = hands.strength_of_codes(*five)
        (a, s), (b, t), (c, u), (d, v), (e, w) = hand
        ranks, one_suit = (a, b, c, d, e), s == t == u == v == w
        slow = known.get((ranks, one_suit))
        if slow is None:
            slow = known[ranks, one_suit] = judge(ranks, one_suit)
        assert found.setdefault(slow, value) == value
        total += 1
    assert total == 2_598_960
    assert [found[slow] for slow in sorted(found)] == list(range(1, 7463))
    for slow, value in found.items():
        assert hands.category_of_strength(value).key == ORDER[slow[0]]


def test_the_public_call_is_the_same_as_the_fast_loop():
    rng = random.Random(5)
    for _ in range(20_000):
        hand = rng.sample(DECK, 5)
        slow = judge([card.rank for card in hand], len({card.suit for card in hand}) == 1)
        assert category_of(hand).key == ORDER[slow[0]]
        assert strength(hand) == hands.strength_of_codes(*(hands.CODES[card] for card in hand))
        assert set(named_ranks(hand)) <= {card.rank for card in hand}


def test_rank_sums_and_suit_sums_tell_hands_apart():
    parts = hands._RANK_PART
    sums: dict[int, tuple[int, ...]] = {}
    for choice in combinations_with_replacement(range(13), 5):
        if len(set(choice)) > 1:
            assert sums.setdefault(sum(parts[i] for i in choice), choice) == choice
    flush_sums = {5 * part for part in hands._SUIT_PART}
    for choice in combinations_with_replacement(range(4), 5):
        alike = len(set(choice)) == 1
        assert (sum(hands._SUIT_PART[i] for i in choice) in flush_sums) == alike


@pytest.mark.parametrize(
    ("text", "category", "value"),
    [
        ("Ah Kh Qh Jh Th", "royal_flush", 7462),
        ("Kc Qc Jc Tc 9c", "straight_flush", 7461),
        ("5s 4s 3s 2s As", "straight_flush", 7453),
        ("As Ah Ad Ac Kd", "four_of_a_kind", 7452),
        ("2s 2h 2d 2c 3d", "four_of_a_kind", 7297),
        ("2s 2h 2d 3c 3d", "full_house", 7141),
        ("7d 5d 4d 3d 2d", "flush", 5864),
        ("5s 4h 3s 2s As", "straight", 5854),
        ("2s 2h 2d 3c 4d", "three_of_a_kind", 4996),
        ("3s 3h 2d 2c 4d", "two_pair", 4138),
        ("2s 2h 3d 4c 5d", "pair", 1278),
        ("Ac Kd Qh Js 9c", "nothing", 1277),
        ("7c 5d 4h 3s 2c", "nothing", 1),
    ],
)
def test_strengths_at_the_edges_of_every_category(text, category, value):
    assert category_of(parse_cards(text)) is Category[category.upper()]
    assert strength(parse_cards(text)) == value


def test_an_ace_does_not_wrap_around():
    assert category_of(parse_cards("2c Ad Kh Qs Jc")) is Category.NOTHING


# --- the sources' own examples -------------------------------------------------------------------


def test_pagat_pair_of_nines_with_king_ten_beats_king_seven_and_the_fives():
    a = parse_cards("9c 9d Kc 7s 2h")
    b = parse_cards("5c 5d Ac Qs Jh")
    c = parse_cards("9h 9s Kd Ts 3h")
    assert best_hands([a, b, c, parse_cards("Ah Qd 8s 6c 4d")]) == (2,)


def test_pagat_odd_cards_decide_between_equal_combinations():
    # No pack holds two hands with the same trips; the source compares them nevertheless.
    assert judge([8, 8, 8, 13, 2], False) > judge([8, 8, 8, 12, 11], False)
    assert compare(parse_cards("8c 8d 8h Kc 2d"), parse_cards("8c 8d 8h Qc Jd")) == 1
    assert compare(parse_cards("7c 7d Tc 6d 2h"), parse_cards("7h 7s Td 5d 4h")) == 1


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Qc Qd Kh 5h 2d", "pair"),
        ("Kd Kc 6h 6d 9d", "two_pair"),
        ("Th Td Ts As 2c", "three_of_a_kind"),
        ("Jc Td 9s 8h 7h", "straight"),
        ("As Ks Js 4s 3s", "flush"),
        ("Jh Jd Js 2d 2s", "full_house"),
        ("3h 3d 3s 3c Kd", "four_of_a_kind"),
        ("8d 7d 6d 5d 4d", "straight_flush"),
        ("As Ks Qs Js Ts", "royal_flush"),
    ],
)
def test_svensk_examples_of_the_nine_hands(text, category):
    assert category_of(parse_cards(text)).key == category


def test_festival_round_two_pair_beats_pairs_in_both_phases():
    first = ["Ah As Kd Kc Qh", "Jh 9c 7d 4s 4h", "Tc Td As 7h 4c"]
    assert best_hands([parse_cards(hand) for hand in first]) == (0,)


def test_suits_between_straight_flushes_hearts_spades_diamonds_clubs():
    rows = [parse_cards(f"9{s} 8{s} 7{s} 6{s} 5{s}") for s in "hsdc"]
    for better, worse in combinations(rows, 2):
        assert compare(better, worse) == 0
        assert compare(better, worse, SuitOrder.FLUSHES) == 1
        assert compare(worse, better, SuitOrder.ALWAYS) == -1
    royal = [parse_cards(f"A{s} K{s} Q{s} J{s} T{s}") for s in "dhcs"]
    assert best_hands(royal, SuitOrder.FLUSHES) == (1,)
    assert best_hands(royal, SuitOrder.NEVER) == (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("9h 9c Kc 7s 2d", "9s 9d Kh 7h 2h"),  # The pair with the heart.
        ("9s 9c Kc 7s 2d", "9d 9h Kh 7h 2h"),
        ("Kh Kc 6s 6d 9d", "Ks Kd 6h 6c 9h"),  # The higher pair with the heart.
        ("Jh Td 9s 8c 7d", "Js Th 9h 8h 7h"),  # The straight with the better top card.
        ("5h 4c 3c 2c As", "5d 4h 3h 2h Ah"),  # The top card of a low straight is the five.
        ("Ah Kh 8h 5h 2h", "As Ks 8s 5s 2s"),  # The flush in the better suit.
    ],
)
def test_variant_a_suits_break_every_tie(better, worse):
    order = compare(parse_cards(better), parse_cards(worse), SuitOrder.ALWAYS)
    if (better, worse) == ("9s 9c Kc 7s 2d", "9d 9h Kh 7h 2h"):
        order = -order  # Here the second hand holds the heart.
    assert order == 1
    assert compare(parse_cards(better), parse_cards(worse), SuitOrder.FLUSHES) == 0


def test_ranks_are_named_in_the_order_that_players_name_them():
    assert named_ranks(parse_cards("6d Kc 9s 6h Kd")) == (13, 6, 9)
    assert named_ranks(parse_cards("6d 6c 6s 9h 9d")) == (6, 9)
    assert named_ranks(parse_cards("2d Kc 9s 2h Ad")) == (2, 14, 13, 9)
    assert named_ranks(parse_cards("4d 5c 2s 3h Ad")) == (5,)


@pytest.mark.parametrize(
    "cards", [[], list(DECK[:4]), list(DECK[:6]), [DECK[0]] * 5, None, 5, "Ah", [1, 2, 3, 4, None]]
)
def test_anything_but_five_different_cards_is_bad_value(cards):
    with pytest.raises(ChicagoError) as error:
        strength(cards)
    assert error.value.code == "bad_value"


@given(st.permutations(list(DECK)).map(lambda deck: (deck[:5], deck[5:10])))
def test_comparison_is_an_order_and_ignores_the_order_of_cards(two):
    first, second = two
    for suits in SuitOrder:
        assert compare(first, second, suits) == -compare(second, first, suits)
        assert compare(first, list(reversed(first)), suits) == 0
    if compare(first, second) != 0:
        assert compare(first, second, SuitOrder.ALWAYS) == compare(first, second)


def test_rank_letters_and_numbers_agree():
    assert [parse_cards(f"{letter}c")[0].rank for letter in RANKS] == list(range(2, 15))
