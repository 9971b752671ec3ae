"""The Chicago at the card table: who may, who is asked, who leads, who breaks it (rulebook §2)."""

import pytest

from engine.cards.cards import DECK
from engine.table.actions import Bid, Blind, Concede, Correct, Outrank, Play, Quads, Show
from engine.table.state import Stage
from engine.table.table import legal_actions
from tests.engine.table.helpers import Table, parse_card, parse_cards

STRONG = "Ah Kh Qh Jh 9h"  # A flush that takes every trick.
WEAK = ("8s 6d 4c 3d 2c", "8d 6s 4h 3s 2d", "Tc 8c 6c 5d 4s")


def before_bids(rules: str, *hands: str, points: tuple[int, ...]) -> Table:
    table = Table(rules, seats=len(hands)).points(*points).deal(*hands).no_blind()
    while table.state.stage not in (Stage.BID, Stage.PLAY):
        table.pass_on()
    return table


# --- who is asked ---------------------------------------------------------------------------------


def test_only_those_with_15_are_asked_clockwise_from_forehand():
    table = before_bids("festival", STRONG, *WEAK, points=(3, 15, 14, 30))
    assert table.stage == "chicago"
    assert table.state.queue == (1, 3)
    assert table.refusal(Bid(3, True)) == "not_your_turn"
    table.do(Bid(1, False), Bid(3, False))
    assert table.stage == "play"
    assert table.turn == 0


def test_nobody_is_asked_when_nobody_has_15():
    assert before_bids("festival", STRONG, *WEAK, points=(0, 0, 0, 14)).stage == "play"


def test_the_first_yes_ends_the_questions_and_the_declarer_leads():
    table = before_bids("festival", WEAK[0], STRONG, WEAK[1], WEAK[2], points=(20, 20, 20, 20))
    table.do(Bid(0, False), Bid(1, True))
    assert table.stage == "play"
    assert table.state.declarer == 1
    assert table.turn == 1


@pytest.mark.parametrize("rules", ["svensk+M", "pagat", "basic", "wikipedia"])
def test_forehand_leads_even_in_a_chicago_in_some_rule_sets(rules):
    table = before_bids(rules, WEAK[0], STRONG, WEAK[1], points=(20, 20, 20))
    table.do(Bid(0, False), Bid(1, True))
    assert table.turn == 0


@pytest.mark.parametrize("rules", ["pagat", "basic", "wikipedia"])
def test_variant_declarer_leads(rules):
    table = before_bids(f"{rules}+declarer-leads", WEAK[0], STRONG, WEAK[1], points=(20, 20, 20))
    table.do(Bid(0, False), Bid(1, True))
    assert table.turn == 1


@pytest.mark.parametrize(("rules", "leads"), [("wikipedia", 0), ("wikipedia+declarer-leads", 2)])
def test_variant_declarer_leads_a_blind_chicago_too(rules, leads):
    table = Table(rules).deal(WEAK[0], WEAK[1], STRONG)
    table.do(Blind(0, False), Blind(1, False), Blind(2, True))
    while table.state.stage is not Stage.PLAY:
        table.pass_on()
    assert (table.state.declarer, table.turn) == (2, leads)


def test_basic_asks_everybody_as_there_is_no_minimum():
    table = before_bids("basic", WEAK[0], STRONG, WEAK[1], points=())
    assert table.state.queue == (0, 1, 2)


def test_variant_s_a_seat_that_has_declared_once_is_not_asked_again():
    table = before_bids("svensk+S", STRONG, *WEAK, points=(20, 20))
    table.do(Bid(0, True)).play("Ah")
    while table.state.stage is Stage.PLAY:
        table.pass_on()
    assert table.state.sheet.executed[0]
    deal = ("8s 6d 4c 3d 2c", STRONG, "8d 6s 4h 3s 2d", "Tc 8c 6c 5d 4s")
    table.deal(*deal)
    while table.state.stage not in (Stage.BID, Stage.PLAY):
        table.pass_on()
    assert 0 not in table.state.queue


def test_variant_t_a_better_seat_may_wait_and_overbid():
    hands = (WEAK[0], WEAK[1], STRONG)
    table = before_bids("svensk+T", *hands, points=(20, 20, 20))
    table.do(Bid(0, False), Bid(1, False), Bid(2, True))
    assert table.state.queue == (1, 0)  # Both have a better right and may still speak.
    table.do(Bid(1, True))
    assert table.state.queue == (0,)
    table.do(Bid(0, False))
    assert table.state.declarer == 1
    table = before_bids("svensk", *hands, points=(20, 20, 20))
    table.do(Bid(0, False), Bid(1, False), Bid(2, True))
    assert (table.stage, table.state.declarer) == ("play", 2)


# --- won and broken -------------------------------------------------------------------------------


def test_all_five_tricks_score_15_points_and_nothing_else_scores():
    table = before_bids("festival", STRONG, WEAK[0], WEAK[1], points=(20, 0, 0))
    before = table.scores[0]
    table.do(Bid(0, True))
    while table.state.stage is Stage.PLAY:
        table.do(legal_actions(table.state)[0])
    assert table.entries[-1] == {"kind": "chicago", "seat": 0, "won": True}
    assert table.scores[0] == before + 15
    assert table.stage == "deck"


def test_festival_the_first_to_overtake_breaks_it_and_the_tricks_end_at_once():
    table = before_bids(
        "festival", "Js 9d 7c 5s 3h", "Qs 8d 6c 4s 2h", "As Td 8c 6s 4h", points=(20, 0, 0)
    )
    table.do(Bid(0, True)).play("Js Qs")
    assert table.entries[-1] == {"kind": "chicago", "seat": 0, "won": False, "breaker": 1}
    assert table.scores == (5, 10, 0)
    assert table.stage == "deck"  # The third seat need not play its ace.


def test_variant_p_eight_points_go_to_the_queen_not_to_the_ace():
    """Svensk's example: the declarer leads a jack, the queen overtakes, the ace takes the trick."""
    table = before_bids(
        "svensk+P", "Js 9d 7c 5s 3h", "Qs 8d 6c 4s 2h", "As Td 8c 6s 4h", points=(20, 0, 0)
    )
    table.do(Bid(0, True)).play("Js Qs")
    assert table.scores == (5, 8, 0)


FOUR = ("Js 9d 7c 5s 3h", "Ts 8d 6c 4s 2h", "Qs Td 8c 6s 4h", "As Kd Qc 7d 5h")


@pytest.mark.parametrize(
    ("rules", "declarer", "plays", "breaker"),
    [
        ("pagat+breaker8", 1, "Js Ts Qs As", 3),  # Who takes the trick, played to its end.
        ("svensk+M+P", 1, "Js Ts Qs", 2),  # The first to overtake after the declarer, at once.
        ("svensk+M+P", 3, "Js Ts Qs 7d", 2),  # Already beaten before: whoever takes the trick.
        ("pagat+breaker8", 2, "Js Ts Qs As", 3),
        ("svensk+P", 0, "Js Ts Qs", 2),
        ("svensk+P10", 0, "Js Ts Qs", 2),
        ("festival", 0, "Js Ts Qs", 2),
        ("sm", 0, "Js Ts Qs", 2),
        ("pagat", 1, "Js Ts Qs", 2),
    ],
)
def test_who_breaks_a_chicago(rules, declarer, plays, breaker):
    hands = list(FOUR)
    if plays.endswith("7d"):
        hands[3] = "2s Kd Qc 7d 5h".replace("2s", "Ad")
    table = before_bids(rules, *hands, points=tuple(20 * (seat == declarer) for seat in range(4)))
    table.do(Bid(declarer, True)).play(plays)
    assert table.entries[-1] == {
        "kind": "chicago", "seat": declarer, "won": False, "breaker": breaker,
    }  # fmt: skip
    assert table.stage == "deck"


def test_a_declarer_who_overtakes_the_lead_goes_on():
    table = before_bids(
        "pagat", "Js 9d 7c 5s 3h", "Qs 8d 6c 4s 2h", "As Kd Kc Kh Ad", points=(0, 0, 20)
    )
    table.do(Bid(2, True)).play("Js Qs As")
    assert table.state.declarer == 2
    assert table.turn == 2
    assert table.state.played == 1


def test_a_declarer_who_revokes_loses_and_nobody_gets_the_bonus():
    table = before_bids(
        "festival", "Ah Kh 7c 5s 3d", "Qh Jd 6c 4s 2h", "Th Td 8c 6s 4h", points=(20, 0, 0)
    )
    table.do(Bid(0, True)).play("Ah 2h 4h Kh Qh Th")
    assert table.turn == 0
    table.state = table.state._replace(  # Somebody else leads: only then can a declarer revoke.
        trick=((1, parse_card("Jd")),), queue=(2, 0)
    )
    table.play("Td")
    table.do(Play(0, parse_card("7c"), offence=True), Correct(0))
    assert table.entries[-2:] == [
        {"kind": "revoke", "seat": 0},
        {"kind": "chicago", "seat": 0, "won": False},
    ]


def test_a_declarer_at_15_who_revokes_keeps_the_chicago():
    """The revoke takes away this deal's points, which counted when it was declared."""
    table = before_bids(
        "festival+M", "8h 6d 4c 3d 2c", "Ah Ad Qh Jh 9s", "8d 6s 4h 3s 2d", points=(0, 13, 0)
    )
    assert table.scores == (0, 15, 0)
    table.do(Bid(1, True)).play("8h")
    table.do(Play(1, parse_card("9s"), offence=True), Correct(1))
    assert table.entries[-2:] == [
        {"kind": "revoke", "seat": 1},
        {"kind": "chicago", "seat": 1, "won": False},
    ]
    assert (table.scores, table.stage) == ((0, 0, 0), "deck")


def test_a_declarer_may_concede_and_nobody_gets_the_bonus():
    table = before_bids("festival", "Ah Kh 7c 5s 3c", *WEAK[:2], points=(20, 0, 0))
    table.do(Bid(0, True))
    assert Concede(0) in legal_actions(table.state)
    table.do(Concede(0))
    assert table.entries[-1] == {"kind": "chicago", "seat": 0, "won": False}
    assert table.scores == (5, 0, 0)


def test_nobody_else_may_concede():
    table = before_bids("festival", "Ah Kh 7c 5s 3c", *WEAK[:2], points=(20, 0, 0))
    table.do(Bid(0, False))
    assert table.refusal(Concede(0)) == "unexpected_action"


@pytest.mark.parametrize(
    ("rules", "won", "hand_due"),
    [
        ("festival", True, False),
        ("svensk+Q", True, True),
        ("svensk+Q", False, True),
        ("pagat", True, True),
        ("pagat", False, False),
    ],
)
def test_the_final_hand_scores_in_a_chicago_deal_where_the_rule_set_says_so(rules, won, hand_due):
    declarer = STRONG if won else "Ts 9d 7c 5s 3h"
    table = before_bids(rules, declarer, "Ks 8d 6c 4s 2h", "As Td 8c 6s 4h", points=(20, 0, 0))
    table.do(Bid(0, True))
    while table.state.stage is Stage.PLAY:
        table.pass_on()
    last = table.entries[-1]["kind"]
    assert last in ("chicago", "hand", "none")
    assert (last != "chicago") is hand_due
    chicago = next(entry for entry in table.entries if entry["kind"] == "chicago")
    assert chicago["won"] is won


# --- the Blind Chicago ----------------------------------------------------------------------------


def test_a_blind_chicago_is_declared_before_anybody_looks_and_no_hand_scores():
    table = Table("wikipedia", seats=3).deal(STRONG, WEAK[0], WEAK[1])
    assert table.stage == "blind"
    table.do(Blind(0, True))
    assert table.stage == "discard"
    table.stand()
    assert table.state.exchange == 2  # Exchanges as usual, no announcements.
    table.stand()
    assert table.stage == "play"
    assert table.turn == 0
    while table.state.stage is Stage.PLAY:
        table.pass_on()
    assert table.entries == [{"kind": "chicago", "seat": 0, "won": True, "blind": True}]
    assert table.scores == (30, 0, 0)


def test_a_blind_chicago_won_with_a_deuce_is_60_and_the_game():
    table = Table("wikipedia", seats=2, dealer=1).deal("Ah Kh Qh Jh 2c", "Th 9h 8h 7h 5d")
    table.do(Blind(0, True)).stand().stand()
    table.play("Ah Th Kh 9h Qh 8h Jh 7h 2c 5d")
    assert table.entries[-1]["deuce"] is True
    assert table.scores == (60, 0)
    assert table.state.sheet.win == "blind_chicago"
    assert table.stage == "finished"


def test_a_lost_blind_chicago_costs_20():
    table = Table("wikipedia", seats=2, dealer=1).deal("9h 8h 7h 6h 2c", "Th 9d 8d 7d 5d")
    table.do(Blind(0, True)).stand().stand().play("9h Th")
    assert table.scores == (-20, 0)


@pytest.mark.parametrize("rules", ["festival", "svensk", "pagat", "basic"])
def test_only_wikipedia_has_blind_chicagos(rules):
    assert Table(rules).deal(STRONG, WEAK[0], WEAK[1]).stage == "discard"


# --- hands shown before the tricks --------------------------------------------------------------

QUADS = "9c 9d 9h 9s 3h"
BETTER = "Tc Td Th Ts 4h"


def at_shows(rules: str, *hands: str, points: tuple[int, ...] = ()) -> Table:
    table = Table(rules, seats=len(hands)).points(*points)
    table.deal(*("2c 4d 6h 8s Jc", "3c 5d 7h Qs Kd", "2d 5h 7s 8c Qd")[: len(hands)])
    while table.state.exchange < 3 or table.state.stage is Stage.DISCARD:
        table.pass_on()
    assert table.stage == "show"
    return table


def with_hands(table: Table, *hands: str) -> Table:
    """Replace the hands by these, as if they had been drawn in the last exchange."""
    new = tuple(parse_cards(hand) for hand in hands)
    rest = [card for card in DECK if card not in {card for hand in new for card in hand}]
    stub = tuple(rest[: len(table.state.stub)])
    muck = tuple(rest[len(table.state.stub) :])
    table.state = table.state._replace(hands=new, stub=stub, muck=muck)
    return table


def test_a_reset_must_be_shown_before_the_tricks_and_ends_the_deal():
    table = with_hands(at_shows("festival", "", "", "", points=(0, 30, 9)), QUADS, *WEAK[1:3])
    assert legal_actions(table.state) == (Show(0), Show(0, "reset"))
    table.do(Show(0, "reset"), Show(1), Show(2))
    assert table.observations("show") == [
        {"do": "show", "seat": 0, "cards": QUADS, "claim": "reset"},
        {"do": "show", "seat": 1},  # A player who does not show a hand shows no cards.
        {"do": "show", "seat": 2},
    ]
    assert table.stage == "outrank"
    table.pass_on().pass_on()
    assert table.scores == (0, 0, 0)
    assert table.stage == "deck"


def test_a_higher_four_of_a_kind_that_takes_its_points_prevents_the_reset():
    """Svensk, footnote: the higher one has priority, and the deal is played on."""
    table = with_hands(at_shows("svensk", "", "", "", points=(0, 30, 9)), QUADS, BETTER, WEAK[0])
    table.do(Show(0, "reset"), Show(1), Show(2))
    assert table.turn == 1
    assert table.refusal(Outrank(1, True)) is None
    table.do(Outrank(1, True))
    assert table.scores == (0, 30, 9)
    assert table.stage in ("chicago", "play")


def test_a_lower_four_of_a_kind_cannot_prevent_it():
    table = with_hands(at_shows("svensk", "", "", "", points=(0, 30, 9)), BETTER, QUADS, WEAK[0])
    table.do(Show(0, "reset"), Show(1), Show(2))
    assert table.refusal(Outrank(1, True)) == "not_better"


def test_of_two_resets_the_higher_hand_counts():
    table = with_hands(at_shows("festival", "", "", "", points=(9, 9, 9)), QUADS, BETTER, WEAK[0])
    table.do(Show(0, "reset"), Show(1, "reset"), Show(2)).pass_on()
    assert table.scores == (0, 9, 0)


def test_a_flush_that_wins_must_be_shown_at_once():
    flush = "Ks Qs Js Ts 9s"
    table = with_hands(at_shows("festival", "", "", ""), WEAK[1], flush, WEAK[2])
    table.do(Show(0))
    assert legal_actions(table.state) == (Show(1, "hand"),)
    assert table.refusal(Show(1)) == "not_showable"
    table.do(Show(1, "hand"), Show(2))
    assert table.state.sheet.win == "straight_flush"
    assert table.stage == "finished"


def test_what_cannot_be_shown_is_refused():
    table = with_hands(at_shows("festival", "", "", ""), *WEAK[:3])
    assert table.refusal(Show(0, "reset")) == "not_showable"
    assert table.refusal(Show(0, "hand")) == "not_showable"


def test_quads_not_shown_only_score_points_after_the_tricks():
    table = with_hands(at_shows("festival", "", "", "", points=(0, 9, 9)), QUADS, *WEAK[1:3])
    table.do(Show(0), Show(1), Show(2))
    while table.state.stage is Stage.PLAY:
        table.pass_on()
    assert table.entries[-1] == {
        "kind": "hand",
        "phase": 3,
        "seat": 0,
        "category": "four_of_a_kind",
    }


def test_with_quads_end_they_may_be_shown_for_points_and_the_deal_is_over():
    table = with_hands(
        at_shows("pagat+reset+quads-end", "", "", "", points=(0, 9, 9)), QUADS, *WEAK[1:3]
    )
    assert legal_actions(table.state) == (Show(0), Show(0, "hand"), Show(0, "reset"))
    table.do(Show(0, "hand"), Show(1), Show(2)).pass_on().pass_on()
    assert table.scores == (7, 9, 9)
    assert table.stage == "deck"


@pytest.mark.parametrize("claim", [None, "reset"])
def test_variant_k_the_reset_comes_before_the_tricks_and_with_the_final_hand(claim):
    table = Table("svensk+K").points(0, 9, 9).deal("2c 4d 6h 8s Jc", *WEAK[1:3])
    while table.state.exchange < 3 or table.state.stage is Stage.DISCARD:
        table.pass_on()
    assert table.stage == "show"  # Straight flushes still win before the tricks.
    with_hands(table, QUADS, *WEAK[1:3])
    assert legal_actions(table.state) == (Show(0), Show(0, "reset"))
    table.do(Show(0, claim)).to_tricks()
    assert table.scores[1:] == ((0, 0) if claim else (9, 9))
    while table.state.stage is Stage.PLAY:
        table.pass_on()
    assert table.stage == "quads"
    table.do(Quads(0, True))
    assert table.entries[-1]["reset"] is True
    assert table.scores[1:] == (0, 0)


@pytest.mark.parametrize("rules", ["pagat", "basic", "wikipedia", "pagat+C"])
def test_nobody_is_asked_where_nothing_can_be_shown(rules):
    table = Table(rules).deal("2c 4d 6h 8s Jc", *WEAK[1:3])
    seen = set()
    while table.state.stage is not Stage.PLAY:
        seen.add(table.stage)
        table.pass_on()
    assert "show" not in seen
