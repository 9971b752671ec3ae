"""docs/formats/README.md, ``evaluate``: categories, the 7,462 classes, order, refusals."""

import itertools
import json
import random

import pytest

from .runner import run

RANKS = "23456789TJQKA"
SIZES = {
    "nothing": 1277,
    "pair": 2860,
    "two_pair": 858,
    "three_of_a_kind": 858,
    "straight": 10,
    "flush": 1277,
    "full_house": 156,
    "four_of_a_kind": 156,
    "straight_flush": 9,
    "royal_flush": 1,
}
STRAIGHTS = [{12, 0, 1, 2, 3}, *({n, n + 1, n + 2, n + 3, n + 4} for n in range(9))]


def classes():
    """Yield one hand of each class, weakest first, with its category."""
    plain = [
        sorted(c, reverse=True) for c in itertools.combinations(range(13), 5)
        if set(c) not in STRAIGHTS
    ]  # fmt: skip
    plain.sort()
    tops = [[3, 2, 1, 0, 12], *([n + 4, n + 3, n + 2, n + 1, n] for n in range(9))]
    kinds = {"nothing": plain}
    kinds["pair"] = [
        [a, a, *reversed(rest)]
        for a in range(13)
        for rest in sorted(
            itertools.combinations([n for n in range(13) if n != a], 3), key=lambda c: c[::-1]
        )
    ]
    kinds["two_pair"] = [
        [a, a, b, b, c] for a in range(13) for b in range(a) for c in range(13) if c not in (a, b)
    ]
    kinds["three_of_a_kind"] = [
        [a, a, a, b, c] for a in range(13) for b in range(13) for c in range(b) if a not in (b, c)
    ]
    kinds["straight"] = tops
    kinds["flush"] = plain
    kinds["full_house"] = [[a, a, a, b, b] for a in range(13) for b in range(13) if a != b]
    kinds["four_of_a_kind"] = [[a, a, a, a, b] for a in range(13) for b in range(13) if a != b]
    kinds["straight_flush"] = tops[:-1]
    kinds["royal_flush"] = tops[-1:]
    for kind in SIZES:
        for ranks in kinds[kind]:
            yield kind, ranks


def deal(ranks, kind, rng):
    """Return cards of these ranks in suits that make the category, in any order."""
    if kind in ("flush", "straight_flush", "royal_flush"):
        suits = [rng.choice("cdhs")] * 5
    else:
        suits = ["c", "c", "c", "c", "c"]
        while len({*zip(ranks, suits, strict=True)}) < 5 or len(set(suits)) == 1:
            suits = [rng.choice("cdhs") for _ in ranks]
    cards = [RANKS[rank] + suit for rank, suit in zip(ranks, suits, strict=True)]
    rng.shuffle(cards)
    return " ".join(cards)


def test_evaluate_all_classes():
    rng = random.Random(52)
    hands = [(deal(ranks, kind, rng), kind) for kind, ranks in classes()]
    assert len(hands) == 7462
    assert {kind: sum(k == kind for _, k in hands) for kind in SIZES} == SIZES
    want = {hand: (kind, n) for n, (hand, kind) in enumerate(hands, 1)}
    shuffled = [hand for hand, _ in hands]
    rng.shuffle(shuffled)
    ran = run("evaluate", "--lines", "-", stdin="\n".join(shuffled))
    assert ran.code == 0
    assert [doc["hand"] for doc in ran.lines] == shuffled
    got = {doc["hand"]: (doc["category"], doc["strength"]) for doc in ran.lines}
    assert got == want


def test_evaluate_best_first_and_equal_ones_in_the_order_given():
    hands = ["2c 2d 5h 6s 7c", "Ah Kh Qh Jh Th", "2h 2s 5c 6d 7h", "7c 5d 4h 3s 2c"]
    ran = run("evaluate", *hands)
    assert ran.code == 0
    assert [row["hand"] for row in ran.doc["hands"]] == [hands[1], hands[0], hands[2], hands[3]]
    assert [row["category"] for row in ran.doc["hands"]] == [
        "royal_flush",
        "pair",
        "pair",
        "nothing",
    ]
    ran = run("evaluate", hands[2], hands[0])
    assert [row["hand"] for row in ran.doc["hands"]] == [hands[2], hands[0]]
    assert len({row["strength"] for row in ran.doc["hands"]}) == 1


@pytest.mark.parametrize(
    ("hand", "category", "strength"),
    [
        ("Ah Kh Qh Jh Th", "royal_flush", 7462),
        ("AH KH QH JH TH", "royal_flush", 7462),
        ("10h Jh Qh Kh Ah", "royal_flush", 7462),
        ("7c 5d 4h 3s 2c", "nothing", 1),
        ("5c 4c 3c 2c Ac", "straight_flush", 7453),
        ("5c 4c 3c 2c Ad", "straight", 5854),
        ("10c 10d 10h 10s 2c", "four_of_a_kind", None),
    ],
)
def test_evaluate_notation(hand, category, strength):
    (row,) = run("evaluate", hand).doc["hands"]
    assert row["category"] == category
    assert strength is None or row["strength"] == strength


BAD = [
    *("", "Ah", "Ah Kh Qh Jh", "Ah Kh Qh Jh Th 9h", "Ah Ah Kh Qh Jh", "Ah Kh Qh Jh Tx"),
    *("1h Kh Qh Jh Th", "Ah Kh Qh Jh 11h", "A♥ K♥ Q♥ J♥ T♥ X", "Anna", "Th 10h 9h 8h 7h"),
    *("Ah Kh Qh Jh 0h", "Ah Kh Qh Jh T", "\ud800"),
]


@pytest.mark.parametrize("hand", BAD, ids=ascii)
def test_evaluate_refuses(hand):
    ran = run("evaluate", "7c 5d 4h 3s 2c", hand)
    assert ran.code == 2
    assert [p["code"] for p in ran.doc["problems"]] == ["bad_value"]
    assert ran.doc["valid"] is False


def test_evaluate_lines_worst_code_and_blank_lines_skipped():
    text = "Ah Kh Qh Jh Th\n\n  \nAh Ah Ah Ah Ah\n7c 5d 4h 3s 2c\n"
    ran = run("evaluate", "--lines", "-", stdin=text)
    assert ran.code == 2
    assert len(ran.lines) == 3
    assert [doc.get("strength") for doc in ran.lines] == [7462, None, 1]
    assert ran.lines[1]["problems"][0]["code"] == "bad_value"


def test_evaluate_no_lines():
    ran = run("evaluate", "--lines", "-", stdin="")
    assert (ran.code, ran.out) == (0, "")


def test_evaluate_prints_every_document_on_one_line():
    ran = run("evaluate", "Ah Kh Qh Jh Th")
    assert ran.out.count("\n") == 1
    assert json.loads(ran.out)


SPADES, HEARTS = "9s 8s 7s 6s 5s", "9h 8h 7h 6h 5h"
CLUB_PAIR, HEART_PAIR = "8c 8d Kc 7s 2h", "8h 8s Kd 7c 2s"


@pytest.mark.parametrize(
    ("rules", "flushes", "pairs"),
    [
        ("festival", [HEARTS, SPADES], [CLUB_PAIR, HEART_PAIR]),
        ("svensk", [HEARTS, SPADES], [CLUB_PAIR, HEART_PAIR]),
        ("svensk+A", [HEARTS, SPADES], [HEART_PAIR, CLUB_PAIR]),
        ("pagat", [SPADES, HEARTS], [CLUB_PAIR, HEART_PAIR]),
        ("pagat+A", [HEARTS, SPADES], [HEART_PAIR, CLUB_PAIR]),
        ("wikipedia", [SPADES, HEARTS], [CLUB_PAIR, HEART_PAIR]),
    ],
)
def test_s2_evaluate_by_the_suits_of_a_rule_set(rules, flushes, pairs):
    for order in (flushes, pairs):
        ran = run("evaluate", *sorted(order, key=lambda hand: "h" in hand[:2]), "--rules", rules)
        assert ran.code == 0
        assert [hand["hand"] for hand in ran.doc["hands"]] == order
        first, second = ran.doc["hands"]
        assert first["strength"] == second["strength"]


def test_evaluate_refuses_unknown_rules_and_those_without_an_order():
    ran = run("evaluate", SPADES, "--rules", "whist")
    assert (ran.code, ran.doc["problems"][0]["code"]) == (2, "unknown_rules")
    ran = run("evaluate", "--lines", "-", "--rules", "festival", stdin=SPADES)
    assert (ran.code, ran.out) == (2, "")
