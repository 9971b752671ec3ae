"""Tricks at the card table: following suit, the last trick, revokes (rulebook §2, §3, §8)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from engine.cards.cards import Card
from engine.table.actions import Correct, Play
from engine.table.state import Stage, TableState
from engine.table.table import apply, legal_actions
from tests.engine.table.helpers import Table, parse_card, parse_cards

PERFT = [
    json.loads(line)
    for line in Path(__file__).with_name("perft.jsonl").read_text("utf-8").splitlines()
]


def at_tricks(rules: str, *hands: str, points: tuple[int, ...] = ()) -> Table:
    return Table(rules, seats=len(hands)).points(*points).deal(*hands).no_blind().to_tricks()


# --- following suit -------------------------------------------------------------------------------


def test_forehand_leads_and_others_must_follow_if_they_can():
    table = at_tricks("festival", "Ah 9d 7c 5s 3h", "Kh Qd Jc Ts 2h", "8s 6s 4s 3s 2s")
    assert table.turn == 0
    table.play("9d")
    assert legal_actions(table.state) == (Play(1, parse_card("Qd")),)
    assert table.refusal(Play(1, parse_card("Kh"))) == "must_follow_suit"
    assert table.refusal(Play(1, parse_card("Ah"))) == "card_not_in_hand"
    table.play("Qd")
    assert len(legal_actions(table.state)) == 5  # Seat 2 has no diamond.
    table.play("2s")
    assert table.turn == 1  # The highest diamond took it; spades are not trumps.


def test_nobody_has_to_overtake():
    table = at_tricks("svensk", "9h 9d 7c 5s 3d", "Kh Qd Jc Ts 2h")
    table.play("9h")
    assert legal_actions(table.state) == tuple(Play(1, card) for card in parse_cards("Kh 2h"))


def test_cards_stay_in_front_of_the_players():
    table = at_tricks("festival", "Ah 9d 7c 5s 3h", "Kh Qd Jc Ts 2h").play("Ah 2h 9d Qd")
    assert table.state.piles == (parse_cards("Ah 9d"), parse_cards("2h Qd"))


@pytest.mark.parametrize(
    ("rules", "deuce", "plain"),
    [
        ("festival", 10, 5),
        ("svensk", 5, 5),
        ("svensk+N", 10, 5),
        ("svensk+O", 2, 2),
        ("svensk+N+O", 5, 2),
        ("pagat", 5, 5),
    ],
)
def test_the_last_trick_scores_and_a_deuce_more_if_the_rule_set_pays_it(rules, deuce, plain):
    with_deuce = at_tricks(rules, "Ah Kd Qc Js 2h", "Th 9h 8h 7h 5d")
    with_deuce.play("Ah Th Kd 5d Qc 7h Js 8h 2h 9h")
    assert with_deuce.entries[-2] == {"kind": "last_trick", "seat": 1}
    table = at_tricks(rules, "Ah Kd Qc Js 2h", "Th 9c 8h 7h 5d")
    table.play("Ah Th Kd 5d Qc 9c Js 8h 2h 7h")
    assert table.entries[-2]["seat"] == 1
    table = at_tricks(rules, "Ah Kd Qc Js 2h", "Td 9d 8c 7s 5d")
    table.play("Ah Td Kd 9d Qc 8c Js 7s 2h 5d")
    assert table.entries[-2] == {"kind": "last_trick", "seat": 0, "deuce": True}
    assert table.scores == (deuce, 0)
    table = at_tricks(rules, "Ah Kd Qc Js 3h", "Td 9d 8c 7s 5d")
    table.play("Ah Td Kd 9d Qc 8c Js 7s 3h 5d")
    assert table.entries[-2] == {"kind": "last_trick", "seat": 0}
    assert table.scores == (plain, 0)


def test_the_final_hand_is_read_from_the_piles():
    table = at_tricks("festival", "9h 9d 7c 5s 3d", "Kh Qd Jc Ts 2h")
    table.play("9h Kh Jc 7c Ts 5s 2h 3d Qd 9d")
    assert table.entries[-2:] == [
        {"kind": "last_trick", "seat": 1},
        {"kind": "hand", "phase": 3, "seat": 0, "category": "pair"},
    ]
    assert {seen["cards"] for seen in table.observations("shown")} == {
        "9h 9d 7c 5s 3d",
        "Kh Qd Jc Ts 2h",
    }


# --- revokes ------------------------------------------------------------------------------------

REVOKER = ("Ah Ad 7c 5s 3d", "Kh Kd Jc Js 2h", "8h 6d 4s 3c 2c")


def test_a_revoke_is_possible_only_as_an_admitted_offence():
    table = at_tricks("festival", *REVOKER).play("Ah")
    assert table.refusal(Play(1, parse_card("Kd"))) == "must_follow_suit"
    assert table.refusal(Play(1, parse_card("Kh"), offence=True)) == "no_offence"
    table.do(Play(1, parse_card("Kd"), offence=True))
    assert table.stage == "correct"
    assert table.turn == 1


def test_a_revoke_corrected_before_the_next_card_costs_nothing():
    table = at_tricks("festival", *REVOKER).play("Ah")
    before = table.scores
    table.do(Play(1, parse_card("Kd"), offence=True))
    assert table.refusal(Correct(1, parse_card("Jc"))) == "must_follow_suit"
    table.do(Correct(1, parse_card("Kh")))
    assert table.state.trick == ((0, parse_card("Ah")), (1, parse_card("Kh")))
    assert parse_card("Kd") in table.state.hands[1]
    assert table.scores == before
    assert table.turn == 2


def test_a_revoke_makes_the_hand_dead_and_costs_this_deals_points():
    table = at_tricks("festival", *REVOKER)
    assert table.scores == (0, 4, 0)  # Two pair, twice.
    table.play("Ah").do(Play(1, parse_card("Kd"), offence=True), Correct(1))
    assert table.scores == (0, 0, 0)
    assert table.entries[-1] == {"kind": "revoke", "seat": 1}
    table.play("8h Ad 6d 7c")
    assert table.turn == 2  # Seat 1 is passed over.
    table.play("2c 5s 4s 3d 3c")
    assert table.entries[-2:] == [
        {"kind": "last_trick", "seat": 0},
        {"kind": "hand", "phase": 3, "seat": 1, "category": "two_pair"},  # Still scores the hand.
    ]
    assert table.scores == (5, 2, 0)


def test_only_festival_rules_have_revokes():
    table = at_tricks("svensk", *REVOKER).play("Ah")
    assert table.refusal(Play(1, parse_card("Kd"), offence=True)) == "must_follow_suit"


def test_with_one_live_hand_left_it_plays_on_alone():
    table = at_tricks("festival", "Ah Ad 7c 5s 3d", "Kh Kd Jc Js 2h")
    table.play("Ah").do(Play(1, parse_card("Kd"), offence=True), Correct(1))
    table.play("Ad 7c 5s 3d")
    assert table.entries[-2] == {"kind": "last_trick", "seat": 0}


# --- counting every way to play ---------------------------------------------------------------


def count(state: TableState, depth: int, last: Counter[str]) -> int:
    """Count the ways to play ``depth`` more cards, by who takes the last trick."""
    if depth == 0:
        return 1
    total = 0
    for action in legal_actions(state):
        if not isinstance(action, Play):
            continue
        after = apply(state, action)
        if after.stage is not Stage.PLAY:
            taken = next(entry for entry in reversed(after.entries) if entry.kind == "last_trick")
            last[str(taken.seat)] += 1
        total += count(after, depth - 1, last) if after.stage is Stage.PLAY else 1
    return total


def plain_count(
    hands: list[list[Card]],
    trick: list[tuple[int, Card]],
    leader: int,
    depth: int,
    last: Counter[str],
) -> int:
    """Count the same without the engine: whist rules in a dozen lines."""
    seats = len(hands)
    if len(trick) == seats:
        led = trick[0][1].suit
        leader = max((card.rank, seat) for seat, card in trick if card.suit == led)[1]
        trick = []
        if not any(hands):
            last[str(leader)] += 1
            return 1
    if depth == 0:
        return 1
    seat = (leader + len(trick)) % seats
    follow = [card for card in hands[seat] if trick and card.suit == trick[0][1].suit]
    total = 0
    for card in follow or hands[seat]:
        rest = [[own for own in hand if own != card] for hand in hands]
        total += plain_count(rest, [*trick, (seat, card)], leader, depth - 1, last)
    return total


@pytest.mark.parametrize("most", [1_500, pytest.param(20_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("case", PERFT, ids=lambda case: case["name"])
def test_perft_every_way_to_play_is_counted(case, most):
    hands = case["hands"]
    nodes = [count for count in case["nodes"] if count <= most]
    table = at_tricks("pagat", *hands)
    assert table.turn == 0
    last: Counter[str] = Counter()
    assert [count(table.state, depth, last) for depth in range(1, len(nodes) + 1)] == nodes
    if len(nodes) == case["depth"]:
        assert dict(last) == case.get("last_tricks", {})
    plain: Counter[str] = Counter()
    cards = [list(parse_cards(hand)) for hand in hands]
    depth = min(len(nodes), 8)
    assert plain_count(cards, [], 0, depth, plain) == nodes[depth - 1]
