"""Announcements at the card table: no more information than the rules require (svensk, pagat)."""

import pytest

from engine.cards.cards import Suit
from engine.table.actions import Announce, Discard, Quads, Specify
from engine.table.state import Stage
from engine.table.table import legal_actions, why_not
from tests.engine.table.helpers import Category, Table, parse_cards

JUNK = ("2c 4d 6h 8s Tc", "3c 5d 7h 8d Jc", "2d 4h 6s 8c Td", "3h 5s 7d 9c Jd")


def words(table: Table) -> list[tuple[object, ...]]:
    announced = []
    for seen in table.observations("announce", "specify"):
        announced.append(
            (seen["seat"], seen.get("category") or seen.get("rank") or seen.get("suit"))
        )
    return announced


def test_pagat_example_three_pairs_told_apart_in_stages():
    a, b, c, d = "9c 9d Kc 7s 2h", "5c 5d Ac Qs Jh", "9h 9s Kd Ts 3h", "Ah Qd 8s 6c 4d"
    table = Table("pagat", seats=4).deal(a, b, c, d).discards("", "", "", "").forced()
    assert words(table) == [
        (0, "pair"),
        (1, "pair"),
        (2, "pair"),
        (3, None),
        (0, 9),
        (1, None),  # Fives are worse: only "pass".
        (2, 9),
        (0, 13),
        (2, 13),
        (0, 7),
        (2, 10),
    ]
    assert table.entries == [{"kind": "hand", "phase": 1, "seat": 2, "category": "pair"}]


def test_a_weaker_hand_passes_and_an_equal_category_must_be_named():
    table = Table("festival").deal("9c 9d Kc 7s 2h", "5c 5d Ac Ah Jh", "4h 4s Kd Ts 3h")
    table.discards("", "", "")
    assert table.refusal(Announce(0)) == "false_announcement"
    assert table.refusal(Announce(0, Category.TWO_PAIR)) == "false_announcement"
    table.do(Announce(0, Category.PAIR), Announce(1, Category.TWO_PAIR))
    assert table.refusal(Announce(2, Category.PAIR)) == "false_announcement"
    assert legal_actions(table.state) == (Announce(2),)


def test_a_required_announcement_is_reported():
    table = Table("festival").deal("9c 9d Kc 7s 2h", "5c 5d Ac Ah Jh", "4h 4s Kd Ts 3h").stand()
    assert why_not(table.state, Announce(0)).params == {"seat": 0, "right": "pair"}
    table = Table("festival", seats=2).deal("9s 8s 7s 6s 5s", "9h 8h 7h 6h 5h").stand()
    table.do(*(Announce(seat, Category.STRAIGHT_FLUSH) for seat in (0, 1)))
    table.do(Specify(0, rank=9), Specify(1, rank=9))
    assert why_not(table.state, Specify(0)).params == {"seat": 0, "right": "s"}


def test_ranks_are_named_truthfully_and_in_stages():
    table = Table("svensk", seats=2, dealer=1).deal("9c 9d Kc 7s 2h", "9h 9s Ac Qs Jh")
    table.discards("", "").do(Announce(0, Category.PAIR), Announce(1, Category.PAIR))
    assert table.refusal(Specify(0)) == "false_announcement"
    assert table.refusal(Specify(0, rank=13)) == "false_announcement"
    table.do(Specify(0, rank=9), Specify(1, rank=9))
    table.do(Specify(0, rank=13))
    assert legal_actions(table.state) == (Specify(1, rank=14),)


def test_two_pair_are_compared_by_higher_pair_lower_pair_last_card():
    table = Table("svensk", seats=2, dealer=1).deal("Kd Kc 6h 6d 9d", "Ks Kh 6s 6c Th")
    table.discards("", "").forced()
    assert words(table)[2:] == [(0, 13), (1, 13), (0, 6), (1, 6), (0, 9), (1, 10)]
    assert table.scores == (0, 2)


def test_equal_hands_score_nothing_and_the_sheet_says_nobody():
    table = Table("festival", seats=2, dealer=1).deal("9c 9d Kc 7s 2h", "9h 9s Kd 7h 2s")
    table.discards("", "").forced()
    assert table.entries == [{"kind": "none", "phase": 1}]


def test_all_pass_when_nobody_has_a_pair():
    table = Table("festival", seats=4).deal(*JUNK).discards("", "", "", "").forced()
    assert table.entries == [{"kind": "none", "phase": 1}]


def test_variant_a_names_the_suit_last():
    table = Table("svensk+A", seats=2, dealer=1).deal("9c 9d Kc 7s 2h", "9h 9s Kd 7h 2s")
    table.discards("", "").forced()
    assert words(table)[-2:] == [(0, "d"), (1, "h")]
    assert table.scores == (0, 1)


def test_straight_flushes_of_equal_height_are_compared_by_suit():
    table = Table("festival", seats=2, dealer=1).deal("9c 8c 7c 6c 5c", "9s 8s 7s 6s 5s")
    table.discards("", "").forced()
    assert words(table)[-2:] == [(0, "c"), (1, "s")]
    assert table.state.sheet.winners == (1,)


def test_two_royal_flushes_need_no_rank_only_the_suit():
    table = Table("svensk", seats=2, dealer=1).deal("Ac Kc Qc Jc Tc", "Ah Kh Qh Jh Th")
    table.discards("", "").forced()
    assert words(table) == [(0, "royal_flush"), (1, "royal_flush"), (0, "c"), (1, "h")]
    assert table.state.sheet.win == "royal_flush"
    assert Specify(1, suit=Suit.HEARTS).as_json()["value"] == "h"


def test_variant_i_the_best_hand_must_be_alone_of_its_category():
    hands = ("9c 9d Kc 7s 2h", "5c 5d Ac Qs Jh")
    table = Table("svensk+I", seats=2, dealer=1).deal(*hands).discards("", "").forced()
    assert words(table) == [(0, "pair"), (1, "pair")]  # No more is given away.
    assert table.entries == [{"kind": "none", "phase": 1}]
    table = Table("svensk", seats=2, dealer=1).deal(*hands).discards("", "").forced()
    assert table.scores == (1, 0)


# --- four of a kind -------------------------------------------------------------------------------


QUADS = "9c 9d 9h 9s 2h"


def test_four_of_a_kind_takes_points_or_resets_and_a_reset_ends_the_deal():
    table = Table("festival").points(20, 30, 40).deal(QUADS, JUNK[1], "2d 4h 6s 8c Td")
    table.discards("", "", "").forced()
    assert legal_actions(table.state) == (Quads(0, False), Quads(0, True))
    table.do(Quads(0, True))
    assert table.scores == (20, 0, 0)
    assert table.stage == "deck"


def test_only_the_higher_four_of_a_kind_chooses():
    table = Table("festival", seats=2, dealer=1).points(20, 30)
    table.deal(QUADS, "Tc Td Th Ts 3h").discards("", "").forced()
    assert table.stage == "quads"
    assert table.turn == 1


def test_festival_quads_are_bound_once_scored():
    table = Table("festival").deal(QUADS, JUNK[1], "2d 4h 6s 8c Td")
    table.discards("", "", "").forced().do(Quads(0, False))
    table.stand().forced()
    assert table.scores[0] == 16  # No second choice: points again.
    assert table.stage == "discard"


def test_svensk_quads_may_reset_later():
    table = Table("svensk").points(0, 9, 9).deal(QUADS, JUNK[1], "2d 4h 6s 8c Td")
    table.discards("", "", "").forced().do(Quads(0, False))
    table.stand().forced().do(Quads(0, True))
    assert table.scores == (8, 0, 0)


@pytest.mark.parametrize(
    ("rules", "scores"), [("svensk+C", (8, 9, 9)), ("svensk+D", (8, 0, 0)), ("pagat", (7, 9, 9))]
)
def test_without_a_choice_no_question_is_asked(rules, scores):
    table = Table(rules).points(0, 9, 9).deal(QUADS, JUNK[1], "2d 4h 6s 8c Td")
    table.discards("", "", "").forced()
    assert table.scores == scores
    assert table.stage == ("deck" if rules == "svensk+D" else "discard")


def test_variant_k_goes_on_after_a_reset():
    table = Table("svensk+K").points(0, 9, 9).deal(QUADS, JUNK[1], "2d 4h 6s 8c Td")
    table.discards("", "", "").forced().do(Quads(0, True))
    assert table.scores == (0, 0, 0)
    assert table.stage == "discard"


# --- breaking a scored hand -------------------------------------------------------------------


def shown(table: Table) -> list[object]:
    return [(seen["seat"], seen["cards"]) for seen in table.observations("shown")]


def test_a_scored_pair_is_shown_when_it_is_broken_and_only_the_pair():
    table = Table("festival").deal("9c 9d Kc 7s 2h", JUNK[1], "2d 4h 6s 8c Td")
    table.discards("", "", "").forced().discards("9d 7s")
    assert shown(table) == [(0, "9c 9d")]


def test_keeping_the_combination_shows_nothing():
    table = Table("festival").deal("9c 9d Kc 7s 2h", JUNK[1], "2d 4h 6s 8c Td")
    table.discards("", "", "").forced().discards("Kc 7s 2h")
    assert shown(table) == []


def test_announced_ranks_must_be_shown_too():
    table = Table("svensk", seats=2, dealer=1).deal("9c 9d Kc 7s 2h", "9h 9s Qc 7h 3s")
    table.discards("", "").forced()
    table.discards("9d")
    assert shown(table) == [(0, "9c 9d Kc")]


def test_players_who_tied_for_best_must_show_as_well():
    table = Table("svensk", seats=2, dealer=1).deal("9c 9d Kc 7s 2h", "9h 9s Kd 7h 2s")
    table.discards("", "").forced().discards("9d", "9h 9s")
    assert shown(table) == [(0, "9c 9d Kc 7s 2h"), (1, "9h 9s Kd 7h 2s")]


def test_a_hand_that_did_not_score_may_be_broken_without_showing():
    table = Table("festival").deal("9c 9d Kc 7s 2h", "Tc Td 5d 7h 3s", "2d 4h 6s 8c Qd")
    table.discards("", "", "").forced()
    assert table.scores == (0, 1, 0)
    table.discards("9c 9d 7s 2h")
    assert shown(table) == []


def test_with_a_third_nine_one_may_go_without_showing():
    table = Table("festival", seats=2, dealer=1)
    table.deal("9c 9d Kc 7s 2h", "2d 4h 6s 8c Td", stub="9h 3s 3d")
    table.discards("", "").forced().discards("7s 2h", "").forced()
    table.discards("9d", "")
    # After phase 2 the claim is three nines, which discarding one breaks.
    assert shown(table) == [(0, "9c 9d 9h")]


def test_variant_l_sets_broken_cards_aside_and_shows_them_after_the_deal():
    table = Table("svensk+L", seats=2, dealer=1).deal("9c 9d Kc 7s 2h", "2d 4h 6s 8c Td")
    table.discards("", "").forced().discards("9d 7s", "")
    assert shown(table) == []
    assert table.state.aside[0] == parse_cards("9d")
    assert parse_cards("7s")[0] in table.state.muck
    table.forced()
    table.do(Discard(0, parse_cards("9c")))
    assert table.state.aside[0] == parse_cards("9d 9c")
    table.to_tricks()
    observations = []
    while table.state.stage is not Stage.DECK:
        table.pass_on()
        observations = shown(table)
    assert (0, "9d 9c") in observations
