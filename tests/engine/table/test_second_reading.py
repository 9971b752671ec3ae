"""Card play after the second reading of the sources (rulebook §9)."""

import random

import pytest

from engine.bots.players import BOTS
from engine.bots.simulation import next_action
from engine.cards.cards import DECK, format_cards
from engine.sheet.entries import Ruling
from engine.table.actions import Bid, Discard, Exposed, Quads, Rule
from engine.table.state import Stage
from engine.table.table import apply, legal_actions, start_table
from tests.engine.table.helpers import Table, cards_in, parse_card, parse_cards

A, B, C = "2c 4d 6h 8s Tc", "3c 5d 7h 9s Jc", "2d 4h 6s 8c Td"


# --- one after the other, an open card on request -------------------------------------------------


@pytest.mark.parametrize(("rules", "held"), [("svensk", 5), ("pagat", 5), ("basic", 3)])
def test_one_by_one_each_player_is_dealt_cards_before_the_next_decides(rules, held):
    table = Table(rules).deal(A, B, C, stub="Ah Kh").discards("2c 4d")
    assert (table.stage, table.turn, len(table.state.hands[0])) == ("discard", 1, held)


@pytest.mark.parametrize("rules", ["basic", "wikipedia", "svensk+G"])
def test_an_open_card_is_dealt_on_request_only(rules):
    def table():
        return Table(rules).deal(A, B, C, stub="Ah Kh").no_blind()

    one = parse_cards("2c")
    closed = table().do(Discard(0, one)).stand()
    assert parse_card("Ah") in closed.state.hands[0]
    asked = table().do(Discard(0, one, open=True))
    while asked.stage == "discard":
        asked.discards("")
    assert (asked.stage, asked.state.offered) == ("take", parse_card("Ah"))
    assert Discard(0, one, open=True) in legal_actions(table().state)
    assert table().refusal(Discard(0, parse_cards("2c 4d"), open=True)) == "no_open_card"


@pytest.mark.parametrize("rules", ["festival", "svensk", "basic+no-open"])
def test_an_open_card_cannot_be_requested_under_these_rules(rules):
    table = Table(rules).deal(A, B, C)
    assert table.refusal(Discard(0, parse_cards("2c"), open=True)) == "no_open_card"


# --- the stub is used up --------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "again"), [("svensk", 8), ("basic", 6)])
def test_what_is_reshuffled_when_the_stub_is_used_up(rules, again):
    """Every discard; if all exchange together, the earlier muck, if that is enough."""
    table = Table(rules).deal(A, B, C).discards("2c", "3c", "2d").forced()
    stub, rest = table.state.stub[:1], table.state.stub[1:]
    table.state = table.state._replace(stub=stub, muck=(*table.state.muck, *rest[:3]))
    table.state = table.state._replace(aside=(rest[3:], *table.state.aside[1:]))
    seats = [table.turn, (table.turn + 1) % 3]
    for seat in seats:
        if table.stage == "discard":
            table.do(Discard(seat, table.state.hands[seat][:2]))
    if table.stage == "discard":
        table.discards("")
    assert table.stage == "reshuffle"
    assert len(table.state.muck) == again


def test_if_that_is_too_little_the_others_new_discards_are_included():
    table = Table("basic").deal(A, B, C)
    rest = table.state.stub
    table.state = table.state._replace(stub=rest[:3], aside=(rest[3:], (), ()))
    table.discards("2c 4d", "3c 5d", "")
    assert table.stage == "reshuffle"
    assert format_cards(table.state.muck) == "2c 4d"  # Not the seat's own discards.
    assert format_cards(table.state.laid[1]) == "3c 5d"


# --- a card shown by mistake ----------------------------------------------------------------------


def test_a_card_exposed_by_mistake_is_shuffled_back_and_the_next_one_dealt():
    table = Table("festival").deal(A, B, C, stub="Ah Kh Qh Jh Th")
    table.discards("2c 4d", "3c 5d", "")
    assert format_cards(table.state.hands[1][3:]) == "Qh Jh"
    stub = (parse_card("Jh"), *table.state.stub[::-1], parse_card("Qh"))
    mistake = Exposed(1, parse_card("Qh"), stub)
    assert table.refusal(Exposed(0, parse_card("Qh"), stub)) == "not_exposed"
    assert table.refusal(Exposed(1, parse_card("Qh"), stub[1:])) == "bad_cards"
    table.do(mistake)
    assert table.stage == "announce"
    assert format_cards(table.state.hands[0][3:]) == "Ah Kh"  # Dealt before the mistake.
    assert table.state.hands[1][3:] == stub[:2]
    assert table.observations("exposed") == [{"do": "exposed", "seat": 1, "cards": "Qh"}]
    table.pass_on()
    assert table.refusal(mistake) == "not_exposed"  # Too late.


# --- Chicago at any time --------------------------------------------------------------------------


def test_wikipedia_a_player_declares_at_any_time_and_nobody_is_asked_later():
    table = Table("wikipedia").deal("9c 9d 6h 8s Tc", B, C)
    assert table.refusal(Bid(2, True)) == "unexpected_action"  # Before the first exchange.
    table.no_blind().discards("")
    table.do(Bid(2, True))
    assert (table.stage, table.turn, table.state.declarer) == ("discard", 1, 2)
    assert table.refusal(Bid(0, True)) == "unexpected_action"
    seen = set()
    while table.state.stage is not Stage.PLAY:
        seen.add(table.stage)
        table.pass_on()
    assert "chicago" not in seen
    assert table.entries == [{"kind": "hand", "phase": 1, "seat": 0, "category": "pair"}]
    while len(table.entries) < 2:
        table.pass_on()
    assert table.entries[1]["kind"] == "chicago"
    assert table.entries[1]["seat"] == 2


def test_elsewhere_a_chicago_waits_for_the_question():
    table = Table("basic").deal(A, B, C)
    assert table.refusal(Bid(0, True)) == "unexpected_action"


# --- the variants at the table --------------------------------------------------------------------


def test_reset_one_asks_which_seat():
    table = (
        Table("basic+reset-one").points(5, 9, 20).deal("9c 9d 9h 9s 2h", B.replace("9s", "Qs"), C)
    )
    table.stand().forced()
    assert legal_actions(table.state) == (
        Quads(0, False), Quads(0, True, 1), Quads(0, True, 2),
    )  # fmt: skip
    assert table.refusal(Quads(0, True)) == "bad_value"
    table.do(Quads(0, True, 2))
    assert table.scores == (5, 9, 0)
    assert table.entries[-1]["reset_seat"] == 2


@pytest.mark.parametrize(("rules", "shown"), [("basic+royal-wins", True), ("basic+sf52", False)])
def test_only_immediate_wins_are_shown_before_the_tricks(rules, shown):
    table = Table(rules).deal(A, B, C)
    seen = set()
    while table.state.stage is not Stage.PLAY:
        seen.add(table.stage)
        table.pass_on()
    assert ("show" in seen) is shown


# --- rulings --------------------------------------------------------------------------------------


def test_a_deal_ruled_void_is_dealt_again_by_the_same_dealer():
    table = Table("festival").deal("9c 9d 6h 8s Tc", B, C)
    again = Rule(Ruling("redeal", reason="a card on the floor"))
    assert table.refusal(again) == "wrong_phase"  # Nothing has been written yet.
    table.stand().forced()
    assert table.scores == (1, 0, 0)
    table.do(again)
    assert (table.stage, table.state.sheet.deal, table.scores) == ("deck", 0, (0, 0, 0))
    table.deal(A, B, C).to_tricks()
    assert table.stage == "play"


def test_a_player_who_misses_the_next_deal_gets_no_cards_in_it():
    table = Table("festival").deal(A, B, C)
    table.stand().forced()
    table.do(Rule(Ruling("sit_out_next_deal", 1, reason="late")))
    assert table.state.order == (0, 1, 2)
    deal = table.state.deal
    while table.state.deal == deal:
        table.pass_on()
    table.deal(A, "", C)
    assert table.state.order == (2, 0)


# --- five and six seats ---------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["svensk", "basic", "wikipedia"])
@pytest.mark.parametrize("seats", [5, 6])
def test_five_and_six_play_a_game(rules, seats):
    rng = random.Random(f"{rules} {seats}")
    table = start_table(rules, seats)
    players = [BOTS["expert"], *[BOTS["novice"]] * (seats - 1)]
    while table.sheet.deal < 3 and not table.finished:
        table = apply(table, next_action(table, players, rng))
        if table.order:
            assert cards_in(table) == list(DECK)
    assert len(table.entries) >= 6
