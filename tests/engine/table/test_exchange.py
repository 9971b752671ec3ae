"""Dealing and exchanging at the card table: rulebook §2 (exchanges, open card, discardless)."""

import random

import pytest

from engine.cards.cards import DECK
from engine.sheet.entries import Ruling
from engine.table.actions import Discard, Redeal, Reshuffle, Rule, Take
from engine.table.state import Stage
from engine.table.table import legal_actions
from tests.engine.table.helpers import Deck, Table, parse_card, parse_cards

LOW = "2c 3d 5h 7s 9c"
JUNK_A, JUNK_B, JUNK_C = "2c 4d 6h 8s Tc", "3c 5d 7h 9s Jc", "2d 4h 6s 8c Td"


# --- the deal ---------------------------------------------------------------------------------


def test_cards_are_dealt_one_at_a_time_from_forehand():
    table = Table("festival", seats=3, dealer=0).do(Deck(DECK))
    assert table.state.hands[1] == (DECK[0], DECK[3], DECK[6], DECK[9], DECK[12])
    assert table.state.hands[0] == (DECK[2], DECK[5], DECK[8], DECK[11], DECK[14])
    assert table.state.order == (1, 2, 0)
    assert table.turn == 1


def test_a_seat_that_is_out_gets_no_cards():
    table = Table("festival", seats=3).do(Rule(Ruling("sit_out_game", 0, reason="late")))
    table.do(Deck(DECK))
    assert table.state.order == (1, 2)
    assert table.state.hands[0] == ()


@pytest.mark.parametrize("cards", [DECK[:51], (*DECK[:51], DECK[0]), (*DECK, DECK[0]), ()])
def test_only_the_whole_pack_can_be_dealt(cards):
    assert Table("festival").refusal(Deck(tuple(cards))) == "bad_cards"


# --- how many cards ---------------------------------------------------------------------------


def test_festival_exchanges_at_most_four_svensk_five():
    five = parse_cards(JUNK_A)
    festival = Table("festival").deal(JUNK_A, JUNK_B, JUNK_C)
    assert festival.refusal(Discard(0, five)) == "too_many_cards"
    assert festival.refusal(Discard(0, five[:4])) is None
    svensk = Table("svensk").deal(JUNK_A, JUNK_B, JUNK_C)
    assert svensk.refusal(Discard(0, five)) is None
    assert Table("svensk+H").deal(JUNK_A, JUNK_B, JUNK_C).refusal(Discard(0, five)) == (
        "too_many_cards"
    )


def test_only_own_cards_each_once_and_in_turn():
    table = Table("festival").deal(JUNK_A, JUNK_B, JUNK_C)
    assert table.refusal(Discard(0, parse_cards("3c"))) == "card_not_in_hand"
    assert table.refusal(Discard(0, parse_cards("2c") * 2)) == "card_not_in_hand"
    assert table.refusal(Discard(1, ())) == "not_your_turn"
    assert table.refusal(Take(0, True)) == "unexpected_action"


def test_all_lay_their_cards_down_before_the_first_new_one_is_dealt():
    table = Table("festival").deal(JUNK_A, JUNK_B, JUNK_C, stub="Ah Kh Qh Jh")
    table.discards("2c 4d", "3c 5d")
    assert [len(hand) for hand in table.state.hands] == [3, 3, 5]
    table.discards("")
    assert table.state.hands[0][3:] == parse_cards("Ah Kh")
    assert table.state.hands[1][3:] == parse_cards("Qh Jh")
    assert table.state.muck == parse_cards("2c 4d 3c 5d")


# --- one card, open ---------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["festival", "sm", "basic", "wikipedia", "svensk+G", "pagat+G"])
def test_a_single_card_is_dealt_open_and_may_be_refused(rules):
    table = Table(rules).deal(JUNK_A, JUNK_B, JUNK_C, stub="Ah Kh").no_blind()
    table.do(Discard(0, parse_cards("2c"), open=rules not in ("festival", "sm")))
    while table.stage == "discard":
        table.discards("")
    assert table.stage == "take"
    assert table.state.offered == parse_card("Ah")
    assert table.observations("open") == [{"do": "open", "seat": 0, "cards": "Ah"}]
    table.take(False).stand()
    assert parse_card("Kh") in table.state.hands[0]
    assert parse_card("Ah") in table.state.muck


def test_an_open_card_that_is_taken_is_the_one_dealt():
    table = Table("festival").deal(JUNK_A, JUNK_B, JUNK_C, stub="Ah Kh")
    table.discards("2c", "", "").take(True)
    assert parse_card("Ah") in table.state.hands[0]
    assert table.state.stub[0] == parse_card("Kh")


@pytest.mark.parametrize("rules", ["svensk", "pagat"])
def test_svensk_and_pagat_have_no_open_card(rules):
    table = Table(rules).deal(JUNK_A, JUNK_B, JUNK_C, stub="Ah Kh").discards("2c", "", "")
    assert table.stage == "announce"
    assert parse_card("Ah") in table.state.hands[0]


# --- the stub runs out ------------------------------------------------------------------------


def after_two_big_exchanges() -> Table:
    """Return a festival table of four who exchanged four cards each in the first two exchanges."""
    pack = list(DECK)
    random.Random(4).shuffle(pack)
    table = Table("festival", seats=4).do(Deck(tuple(pack)))
    for _ in range(2):
        while table.state.stage is Stage.DISCARD:
            table.do(Discard(table.turn, table.state.hands[table.turn][:4]))
        table.forced()
    return table


def test_the_muck_is_reshuffled_without_the_discards_still_on_the_table():
    table = after_two_big_exchanges()
    assert (len(table.state.stub), len(table.state.muck)) == (0, 32)
    laid = []
    while table.state.stage is Stage.DISCARD:
        gone = table.state.hands[table.turn][:4]
        laid += gone
        table.do(Discard(table.turn, gone))
    assert table.stage == "reshuffle"
    assert legal_actions(table.state) == ()
    assert not set(laid) & set(table.state.muck)
    muck = tuple(reversed(table.state.muck))
    assert table.refusal(Reshuffle((*muck, laid[0]))) == "bad_cards"
    assert table.refusal(Discard(0)) == "unexpected_action"
    table.do(Reshuffle(muck))
    drawn = {card for hand in table.state.hands for card in hand}
    assert not drawn & set(laid)
    assert table.observations("reshuffle") == [{"do": "reshuffle", "number": 32}]
    assert set(laid) <= set(table.state.muck)


def test_nobody_may_ask_for_more_cards_than_stub_and_muck_hold():
    table = after_two_big_exchanges()
    state = table.state._replace(stub=table.state.muck[:3], muck=())
    table.state = state
    hand = state.hands[table.turn]
    assert table.refusal(Discard(table.turn, hand[:4])) == "not_enough_cards"
    assert table.refusal(Discard(table.turn, hand[:3])) is None
    sizes = {len(action.cards) for action in legal_actions(state)}
    assert sizes == {0, 1, 2, 3}


def test_an_open_card_may_take_two():
    """It can be refused, so with one card left nobody may ask for an open one."""
    table = after_two_big_exchanges()
    left = table.state.muck[:3]
    table.state = table.state._replace(stub=left, muck=())
    first, second = table.turn, table.state.queue[1]
    table.state = table.state._replace(
        owed=tuple(-1 if seat == first else 0 for seat in range(4)), queue=table.state.queue[1:]
    )
    one = table.state.hands[second][:1]
    assert table.refusal(Discard(second, one)) == "not_enough_cards"
    table.state = table.state._replace(owed=(0, 0, 0, 0))
    assert table.refusal(Discard(second, one)) is None


# --- discardless ------------------------------------------------------------------------------


def test_discardless_at_45_stands_in_every_exchange():
    table = Table("festival").points(45).deal(JUNK_A, JUNK_B, JUNK_C)
    assert table.state.sheet.discardless == (True, False, False)
    assert table.refusal(Discard(0, parse_cards("2c"))) == "cannot_exchange"
    assert legal_actions(table.state) == (Discard(0),)


def test_festival_discardless_comes_at_once_between_two_exchanges():
    table = Table("festival").points(43).deal("9c 9d 5h 5s 2c", JUNK_B, JUNK_C)
    table.discards("", "", "").forced()
    assert table.scores[0] == 45
    assert legal_actions(table.state) == (Discard(0),)


def test_svensk_discardless_holds_from_the_next_deal_only():
    table = Table("svensk").points(43).deal("9c 9d 5h 5s 2c", JUNK_B, JUNK_C)
    table.discards("", "", "").forced()
    assert table.scores[0] == 45
    assert table.refusal(Discard(0, parse_cards("2c"))) is None


def test_exchanging_while_discardless_costs_the_score_and_ends_it():
    table = Table("festival").points(50, 20).deal(JUNK_A, JUNK_B, JUNK_C, stub="Ah Kh Qh Jh")
    two = parse_cards("2c 4d")
    assert legal_actions(table.state, with_offences=True)[1:]
    table.do(Discard(0, two, offence=True))
    assert table.scores == (0, 20, 0)
    assert table.entries == [{"kind": "illegal_discard", "seat": 0}]
    table.discards("", "")
    assert len(table.state.hands[0]) == 5  # The exchange itself stands.
    table.forced()
    assert table.refusal(Discard(0, table.state.hands[0][:1])) is None


def test_an_exchange_that_breaks_no_rule_is_no_offence():
    table = Table("festival").deal(JUNK_A, JUNK_B, JUNK_C)
    assert table.refusal(Discard(0, parse_cards("2c"), offence=True)) == "no_offence"
    table = Table("svensk").points(50).deal(JUNK_A, JUNK_B, JUNK_C)
    assert table.refusal(Discard(0, parse_cards("2c"), offence=True)) is not None


# --- the six-card stand -----------------------------------------------------------------------


def wikipedia_at_42() -> Table:
    table = Table("wikipedia", seats=2, dealer=1).points(42)
    table.deal("2c 4d 6h 8s Tc", "3c 5d 7h 9s Jc").no_blind().to_tricks()
    while table.state.stage is Stage.PLAY:
        table.do(legal_actions(table.state)[0])
    assert table.state.sheet.discardless[0]
    return table


def test_wikipedia_discardless_players_get_six_cards_and_discard_exactly_one():
    table = wikipedia_at_42()
    table.do(Deck(DECK)).no_blind()
    assert [len(hand) for hand in table.state.hands] == [6, 5]
    if table.turn == 1:
        table.do(Discard(1))
    hand = table.state.hands[0]
    assert table.refusal(Discard(0)) == "one_card"
    assert table.refusal(Discard(0, hand[:2])) == "one_card"
    table.do(Discard(0, hand[:1]))
    if table.turn == 1 and table.state.stage is Stage.DISCARD:
        table.do(Discard(1))
    assert len(table.state.hands[0]) == 5
    table.forced()
    while table.turn != 0:
        table.pass_on()
    assert [a for a in legal_actions(table.state) if isinstance(a, Discard)] == [Discard(0)]


# --- redeals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "hand", "allowed"),
    [
        ("svensk+E", LOW, True),
        ("svensk+E", "2c 3d 5h 7s Tc", False),
        ("basic+redeal-ten", "2c 3d 5h 7s Tc", True),
        ("basic+redeal-ten", "2c 3d 5h 7s Jc", False),
    ],
)
def test_low_hands_may_be_thrown_in_for_a_new_one(rules, hand, allowed):
    table = Table(rules).deal(hand, "Ac Kc Qc Jd 4d", "As Ks Qs Jh 4h", stub="Ah Kh Qh Js 6d")
    assert table.refusal(Redeal(0, True)) == (None if allowed else "redeal_not_allowed")
    table.do(Redeal(0, allowed))
    expected = parse_cards("Ah Kh Qh Js 6d" if allowed else hand)
    assert table.state.hands[0] == expected
    assert bool(table.observations("shown")) is allowed  # The low hand is shown.
    assert table.turn == 1


def test_without_the_variant_no_redeal_is_offered():
    assert Table("svensk").deal(LOW, JUNK_B, JUNK_C).stage == "discard"
