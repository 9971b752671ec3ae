"""Rulings and penalties while cards are on the table: the deal goes on without the seat."""

import random

import pytest

from engine.cards.cards import DECK
from engine.rules.variants import parse_rules
from engine.sheet.entries import Ruling
from engine.sheet.sheet import replay
from engine.table.actions import Bid, Blind, Correct, Deck, Outrank, Play, Reshuffle, Rule, Show
from engine.table.state import Stage, TableState
from engine.table.table import apply, can, legal_actions, start_table
from tests.engine.table.helpers import Table, cards_in, parse_card

HANDS = ("9c 9d Kc 7s 2h", "Tc Td 5d 7h 3s", "2d 4h 6s 8c Qd")


def ruling(action: str, seat: int | None = None) -> Rule:
    return Rule(Ruling(action, seat, reason="as the case asks"))


def test_a_seat_that_sits_out_the_deal_is_asked_nothing_more():
    table = Table("festival").deal(*HANDS).discards("")
    table.do(ruling("sit_out_deal", 1))
    assert table.state.order == (0, 2)
    assert table.turn == 2
    table.discards("").forced()
    assert table.entries == [{"kind": "hand", "phase": 1, "seat": 0, "category": "pair"}]


def test_it_plays_again_in_the_next_deal():
    table = Table("festival").do(ruling("sit_out_deal", 1)).do(Deck(DECK))
    assert table.state.order == (0, 2)
    table.to_tricks()
    while table.stage != "deck":
        table.pass_on()
    table.do(Deck(DECK))
    assert table.state.order == (1, 2, 0)


def test_a_deal_without_players_closes_and_nobody_scores():
    table = Table("festival").deal(*HANDS)
    table.do(*(ruling("sit_out_deal", seat) for seat in range(3)))
    assert (table.stage, table.state.sheet.deal, table.scores) == ("deck", 1, (0, 0, 0))


def test_the_last_one_in_the_game_has_won():
    table = Table("festival", seats=2).deal(*HANDS[:2]).do(ruling("disqualify", 0))
    assert table.stage == "finished"
    assert table.state.sheet.win == "last_standing"


def test_end_game_ends_it_anywhere():
    table = Table("festival").deal(*HANDS).discards("").do(ruling("end_game"))
    assert table.stage == "finished"
    assert table.refusal(ruling("end_game")) == "game_finished"
    assert legal_actions(table.state) == ()


@pytest.mark.parametrize(
    "others", [("9c 9d Kc 7s 2h", "Jc Jd 5d 7h 3s"), ("9c Kc 7s 2h 4d", HANDS[2])]
)
def test_the_deal_goes_on_without_a_seat_choosing_for_its_four_of_a_kind(others):
    table = Table("svensk").deal(others[0], "Tc Td Th Ts 8d", others[1]).stand().forced()
    assert (table.stage, table.turn) == ("quads", 1)
    table.do(ruling("sit_out_deal", 1))
    assert (table.stage, table.state.exchange) == ("discard", 2)
    best = {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"}
    assert table.entries == [best if "9d" in others[0] else {"kind": "none", "phase": 1}]


def test_the_deal_ends_without_a_seat_choosing_after_the_tricks():
    table = Table("svensk+K").deal(HANDS[0], "Tc Td Th Ts 8d", HANDS[2])
    while table.stage != "quads" or table.state.exchange < 3:
        table.pass_on()
    table.do(ruling("sit_out_deal", 1))
    assert table.stage == "deck"
    assert table.entries[-1] == {"kind": "hand", "phase": 3, "seat": 0, "category": "pair"}


def test_a_lower_four_of_a_kind_stands_when_the_higher_one_leaves_the_deal():
    table = Table("svensk").points(5, 5, 5)
    table.deal("9c 9d 9h 9s 2h", "Tc Td Th Ts 8d", "2d 4h 6s 8c Qd")
    while table.stage != "show":
        table.pass_on()
    table.do(Show(0, "reset"), Show(1, "reset"), Show(2, None))
    assert (table.stage, table.turn, table.state.best) == ("outrank", 2, 1)
    table.do(ruling("sit_out_deal", 1))
    assert (table.stage, table.turn, table.state.best) == ("outrank", 2, 0)
    table.do(Outrank(2, False))
    assert table.scores == (5, 0, 0)


def revoking(spec: str, *hands: str) -> Table:
    """Let seat 0 lead a spade; the others hold spades too."""
    return Table(spec, seats=len(hands)).deal(*hands).to_tricks().play("Js")


def test_a_revoke_is_cancelled_when_the_led_card_leaves_the_deal():
    table = revoking("festival", "Js 9c 7d 4h 2c", "Ts 8h 6c 5d 3d", "9s 8d 6h 4c 2h")
    table.do(Play(1, parse_card("8h"), offence=True))
    table.do(ruling("sit_out_deal", 2), ruling("sit_out_deal", 0))
    assert (table.stage, table.turn) == ("play", 1)
    assert "revoke" not in [entry["kind"] for entry in table.entries]
    while table.stage == "play":
        table.pass_on()
    assert table.entries[-2] == {"kind": "last_trick", "seat": 1}


def test_a_dead_hands_card_never_becomes_the_lead():
    table = revoking(
        "festival", "Js 9c 7d 4h 2c", "Ts 8h 6c 5d 3d", "9s 8d 6h 4c 2h", "8s 7h 5c 3c 2d"
    )
    table.do(Play(1, parse_card("8h"), offence=True), Correct(1))
    table.do(ruling("sit_out_deal", 0))
    assert table.state.trick == ()
    assert table.turn == 2
    table.play("9s 8s")
    assert table.state.leader == 2


def test_a_chicago_lapses_with_its_declarer():
    table = Table("festival").points(20, 20, 20).deal(*HANDS)
    while table.stage != "chicago":
        table.pass_on()
    table.do(Bid(0, True), ruling("sit_out_deal", 0))
    assert table.state.declarer is None
    assert table.turn == 1
    while table.stage == "play":
        table.pass_on()
    assert table.entries[-2]["kind"] == "last_trick"


def test_a_blind_chicago_lapses_too_and_skipped_phases_stay_unscored():
    table = Table("wikipedia").deal(*HANDS).do(Blind(0, True)).stand().stand()
    table.do(ruling("sit_out_deal", 0))
    assert table.entries == [{"kind": "none", "phase": 1}]
    while table.stage == "play":
        table.pass_on()
    assert [entry["kind"] for entry in table.entries[1:]] == ["last_trick", "hand"]


def test_a_chicago_lapses_if_a_ruling_takes_the_score_below_the_minimum():
    table = Table("festival").points(20, 20, 20).deal(*HANDS)
    while table.stage != "chicago":
        table.pass_on()
    table.do(Bid(0, True), Rule(Ruling("points", 0, -15, "a penalty")))
    assert table.state.declarer is None
    while table.stage == "play":
        table.pass_on()
    assert table.entries[-2]["kind"] == "last_trick"


def test_a_player_who_falls_below_the_minimum_while_asked_must_say_no():
    table = Table("festival").points(20, 20, 20).deal(*HANDS)
    while table.stage != "chicago":
        table.pass_on()
    table.do(Rule(Ruling("points", 0, -15, "a penalty")))
    assert table.refusal(Bid(0, True)) == "chicago_below_minimum"
    assert legal_actions(table.state) == (Bid(0, False),)


def random_table(rules: str, seats: int, seed: int) -> TableState:
    """Play random legal actions, offences and rulings for four deals, or to the end of the game."""
    rng = random.Random(seed)
    state = start_table(parse_rules(rules), seats)
    while not state.finished and state.sheet.deal < 4:
        if rng.random() < 0.04:
            seat = rng.randrange(seats)
            kind = rng.choice(["sit_out_deal", "sit_out_game", "disqualify", "points", "points"])
            points = rng.randrange(-30, 30) if kind == "points" else None
            action = Rule(Ruling(kind, seat, points, "as the case asks"))
            if not can(state, action):
                continue
        elif state.stage is Stage.DECK:
            action = Deck(tuple(rng.sample(DECK, 52)))
        elif state.stage is Stage.RESHUFFLE:
            action = Reshuffle(tuple(rng.sample(state.muck, len(state.muck))))
        else:
            action = rng.choice(legal_actions(state, with_offences=rng.random() < 0.1))
        state = apply(state, action)
        if state.stage not in (Stage.DECK, Stage.FINISHED):
            assert cards_in(state) == list(DECK)
    return state


@pytest.mark.parametrize(
    "rules", ["festival", "svensk+E+G+L+T", "pagat+reset+quads-end", "wikipedia", "svensk+K+Q+R"]
)
def test_after_rulings_at_any_moment_the_table_goes_on(rules):
    for seed in range(20):
        for seats in (2, 3, 4):
            state = random_table(rules, seats, seed)
            played = replay(state.rules, seats, state.entries, 0)
            assert played.valid
            assert played.state == state.sheet
