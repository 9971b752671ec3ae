"""Bots: fair (they see only their seat's view), seeded, of different strength."""

import copy
import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from engine.bots import players as bots
from engine.bots.cards import (
    four_to_a_flush,
    four_to_a_straight,
    high_card_estimate,
    keep_for_points,
    keep_for_tricks,
)
from engine.bots.imagined import bits, cards_in, clockwise, play_out
from engine.bots.knowledge import Knowledge, chicago_chance
from engine.bots.players import BOTS
from engine.bots.series import Series
from engine.bots.simulation import TIME_IS_UP, next_action, play_game, shuffled_pack
from engine.bots.tournament import interval, tournament
from engine.cards.cards import DECK, format_cards, parse_cards
from engine.errors import ChicagoError
from engine.rules.presets import PRESETS
from engine.rules.variants import parse_rules
from engine.table.actions import Deck, Discard, Play, Quads, Reshuffle, Rule, Show
from engine.table.errors import ActionError
from engine.table.record import read_card_record, replay_cards
from engine.table.state import Stage
from engine.table.table import apply, legal_actions, start_table
from engine.table.view import view_of
from tests.engine.table.helpers import Table
from tests.engine.table.test_invariants import disguised


@pytest.mark.parametrize("name", list(BOTS))
@pytest.mark.parametrize("rules", ["festival", "svensk+E+L+T", "pagat+reset", "wikipedia"])
def test_a_bot_decides_by_its_view_and_seed_alone(name, rules):
    """Same decision on a table where all cards hidden from the seat have changed places."""
    rng = random.Random(rules)
    table = start_table(parse_rules(rules), 3)
    for number in range(120):
        if table.stage is Stage.DECK:
            table = apply(table, Deck(shuffled_pack(rng)))
            continue
        if table.stage is Stage.RESHUFFLE:
            table = apply(table, Reshuffle(shuffled_pack(rng, table.muck)))
            continue
        view = view_of(table, table.turn)
        other = view_of(disguised(table, table.turn, rng), table.turn)
        action = BOTS[name].act(view, random.Random(number))
        assert action == BOTS[name].act(other, random.Random(number))
        offences = legal_actions(table, with_offences=True)
        if isinstance(action, Discard):
            assert {*action.cards} in [{*a.cards} for a in offences if isinstance(a, Discard)]
        else:
            assert action in offences
        table = apply(table, action)


def test_bots_get_a_view_not_the_table():
    view = view_of(start_table(parse_rules("festival"), 2), 0)
    assert not hasattr(view, "stub")
    assert not hasattr(view, "hands")
    for seat in (2, -1):
        with pytest.raises(ChicagoError) as error:
            view_of(start_table("festival", 2), seat)
        assert error.value.code == "bad_value"


DOCUMENTED = ["novice", "regular", "expert", "regular"]


@pytest.mark.slow
def test_a_novice_is_weaker_than_the_others():
    assert tournament(DOCUMENTED, 40, "quick").standings[-1].name == "novice"


def test_a_tournament_needs_game_points_for_every_seat():
    with pytest.raises(ChicagoError) as error:
        tournament(["novice"] * 5, 1, "quick", rules="svensk")
    assert error.value.code == "bad_seats"


def test_a_series_takes_bots_and_functions_as_well_as_names():
    seated = ("novice", BOTS["novice"], lambda view: view.legal[0])
    for kind in ("games", "heats"):
        assert len(list(Series(kind, PRESETS["svensk"].rules, 3, bots=seated).records(1))) == 1


def test_an_executor_plays_the_same_tournament():
    with ThreadPoolExecutor(2) as executor:
        away = tournament(DOCUMENTED, 4, 1, max_deals=2, executor=executor)
    assert away == tournament(DOCUMENTED, 4, 1, max_deals=2)
    assert [row.games for row in away.standings] == [4, 4, 4]


def documented_strengths():
    """Return the rows of the table in docs/simulation.md, by rule set."""
    page = Path(__file__).resolve().parents[3] / "docs" / "simulation.md"
    _, _, rest = page.read_text("utf-8").partition("| rules | novice |")
    rows = (line for line in rest.partition("\n\n")[0].splitlines()[2:])
    return {line.split("|")[1].strip(): line for line in rows}


def test_the_documented_table_has_every_rule_set():
    assert documented_strengths().keys() == PRESETS.keys() - {"sm"}  # It plays like festival.


@pytest.mark.slow
@pytest.mark.parametrize("rules", documented_strengths())
def test_the_documented_strengths(rules):
    """The page's numbers; each strength is ahead of the next with 95 % confidence."""
    with ProcessPoolExecutor() as executor:
        outcome = tournament(DOCUMENTED, 800, "strengths", rules=rules, executor=executor)
    row = {each.name: each for each in outcome.standings}
    novice, regular, expert = (row[name] for name in ("novice", "regular", "expert"))
    to_regular, to_expert = outcome.gaps["regular", "novice"], outcome.gaps["expert", "regular"]
    assert to_regular.low > 0
    assert to_expert.low > 0
    won, declared = expert.chicagos_won, expert.chicagos
    assert interval([1.0] * won + [0.0] * (declared - won)).low > 0.3
    cells = (
        rules,
        f"{novice.game_points.mean:.2f}",
        f"{regular.game_points.mean:.2f}",
        f"{to_regular.low:.2f}–{to_regular.high:.2f}",
        f"{expert.game_points.mean:.2f}",
        f"{to_expert.low:.2f}–{to_expert.high:.2f}",
        f"{100 * won / declared:.0f} % of {declared}",
    )
    assert documented_strengths()[rules] == f"| {' | '.join(cells)} |"


def test_an_unknown_strength_is_refused():
    with pytest.raises(ChicagoError) as error:
        bots.bot("wizard")
    assert error.value.code == "bad_value"


# --- bad calls ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(BOTS))
def test_a_bot_asked_out_of_turn_refuses_with_a_code(name):
    hands = ("9c 9d Kc Kd 2h", "3c 5d 7h 8d Jc")
    table = Table("festival", seats=2).deal(*hands).state
    empty = start_table("festival", 2)
    over = apply(empty, Rule(TIME_IS_UP))
    codes = []
    for state, seat in ((table, 1 - table.turn), (empty, 0), (over, 0)):
        with pytest.raises(ActionError) as error:
            BOTS[name].act(view_of(state, seat), random.Random(1))
        codes.append(error.value.code)
    assert codes == ["not_your_turn", "unexpected_action", "game_finished"]


def test_a_seats_player_may_be_given_by_name():
    table = start_table("festival", 3)
    for _ in range(12):
        named = next_action(table, ["expert"] * 3, random.Random(1))
        assert named == next_action(table, [BOTS["expert"]] * 3, random.Random(1))
        table = apply(table, named)
    with pytest.raises(ChicagoError) as refused:
        next_action(table, ["wizard"] * 3, random.Random(1))
    assert refused.value.code == "bad_value"


def test_no_action_follows_on_a_finished_table():
    over = apply(start_table("festival", 2), Rule(TIME_IS_UP))
    with pytest.raises(ActionError) as error:
        next_action(over, [BOTS["novice"]] * 2, random.Random(1))
    assert error.value.code == "game_finished"


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Discard(1, None), "bad_value"),
        (Discard(1, "7c"), "bad_value"),
        (Discard(1, (7,)), "bad_value"),
        (None, "unknown_kind"),
    ],
)
def test_a_malformed_action_is_refused_with_a_code(action, code):
    table = Table("festival", seats=2, dealer=0).deal("9c 9d Kc Kd 2h", "3c 5d 7h 8d Jc")
    assert table.refusal(action) == code


def test_a_function_from_view_to_action_is_a_player_and_so_is_a_bot():
    def cautious(view):
        return view.legal[0]

    mine = ["regular", BOTS["regular"], cautious]
    played = play_game("festival", ["A", "B", "C"], 1, bots=mine, max_deals=2)
    again = play_game("festival", ["A", "B", "C"], 1, bots=[*mine[1::-1], cautious], max_deals=2)
    assert played.actions == again.actions
    assert bots.bot("tests.engine.table.helpers:deck_for").__name__ == "deck_for"


def test_tables_and_views_are_not_copied_and_have_short_reprs():
    table = Table("festival").deal("9c 9d Kc Kd 2h", "3c 5d 7h 8d Jc", "2d 4h 6s 8c Td").state
    assert copy.deepcopy(table) is table
    played = play_game("festival", ["A", "B"], 1, max_deals=2)
    record = read_card_record(played.card_record())
    assert max(map(len, map(repr, (played, record, replay_cards(record))))) < 400
    for value in (table, view_of(table, 0), table.sheet, table.rules):
        assert copy.copy(value) is not None
        assert len(repr(value)) < 200


# --- which cards they keep ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "kept"),
    [
        ("9h 8c 7d 6s 5h", "9h 8c 7d 6s 5h"),
        ("9h 9c 9d 6s 5h", "9h 9c 9d"),
        ("9h 9c 6d 6s 5h", "9h 9c 6d 6s"),
        ("9h 9c Kd 6s 5h", "9h 9c"),
        ("Ah 9h 6h 2h 5c", "Ah 9h 6h 2h"),
        ("Kh 9c 8d 7s 6h", "9c 8d 7s 6h"),
        ("Ah 9c 7d 5s 2h", "Ah"),
        ("Kh 9c 7d 5s 2h", ""),
    ],
)
def test_cards_kept_for_points(hand, kept):
    assert format_cards(keep_for_points(parse_cards(hand))) == kept


@pytest.mark.parametrize(
    ("hand", "kept"),
    [
        ("9h 9c Kd 6s 5h", "9h 9c Kd"),
        ("9h 9c 6d 6s Ah", "9h 9c 6d 6s"),
        ("Ah Kc 7d 5s 2h", "Ah Kc"),
        ("Ah 9h 6h 2h 5c", "Ah 9h 6h 2h"),
    ],
)
def test_cards_kept_before_the_tricks(hand, kept):
    assert format_cards(keep_for_tricks(parse_cards(hand))) == kept


def test_draws_are_seen_only_where_there_are_some():
    assert four_to_a_flush(parse_cards("Ah 9h 6h 2c 5c")) == ()
    assert four_to_a_straight(parse_cards("Ah 9h 6h 2c 5c")) == ()
    assert four_to_a_straight(parse_cards("Ac Kd Qs Jh 2c")) == ()  # Only one end is open.


# --- what a Chicago is worth ----------------------------------------------------------------------


def at_the_tricks(hand, points=20):
    others = [card for card in DECK if card not in parse_cards(hand)]
    rest = [format_cards(others[at : at + 5]) for at in (0, 5)]
    return Table("festival").points(points, points, points).deal(hand, *rest).to_tricks()


def test_a_certain_chicago_is_rated_certain_and_a_hopeless_one_hopeless():
    rng = random.Random(1)
    chances = []
    for hand in ("Ah Kh Qh Jh 9h", "Ah Kh Ad Kd 9s", "2h 3d 4c 5s 7h"):
        view = view_of(at_the_tricks(hand).state, 0)
        chances.append(chicago_chance(Knowledge(view), rng, 200))
    sure, middling, hopeless = chances
    assert (sure, hopeless) == (1.0, 0.0)
    assert 0.05 < middling < 0.95
    top, fair, low = map(parse_cards, ("Ah Kh Qh Jh Th", "Ah Kh Ad Kd 9s", "2h 3d 4c 5s 7h"))
    assert high_card_estimate(top) > high_card_estimate(fair) > high_card_estimate(low)


# --- what a seat knows ----------------------------------------------------------------------------


def test_own_discards_are_remembered_until_they_are_reshuffled():
    table = Table("festival", seats=2, dealer=1).deal("Ah 2d 3c 4s 6h", "Kh Qd Jc 9s 8h")
    table.discards("2d 3c", "")
    view = view_of(table.state, 0)
    assert format_cards(view.discards) == format_cards(view.known_muck) == "2d 3c"
    assert view_of(table.state, 1).known_muck == ()
    assert not bits(parse_cards("2d 3c")) & Knowledge(view).hidden
    table.forced()
    state = table.state._replace(stub=(), muck=(*table.state.muck, *table.state.stub))
    state = apply(apply(state, Discard(0, view.hand[:1])), Discard(1))
    state = apply(state, Reshuffle(state.muck))
    view = view_of(state, 0)
    assert (format_cards(view.discards[:2]), view.known_muck) == ("2d 3c", ())
    hidden = cards_in(Knowledge(view).hidden)
    assert set(parse_cards("2d 3c")) <= {*hidden, *view.hand, view.offered}


def test_hidden_cards_are_dealt_by_what_was_announced_taken_and_not_followed():
    rng = random.Random(1)
    table = Table("festival", dealer=2).deal(
        "9c 9d 9h 7s 2h", "3c 5d 7h 8d Jc", "Kd Ks 6h 6s Tc", stub="4c Qh"
    )
    table.discards("7s 2h", "", "").forced()
    table.discards("", "", "Tc").take(True)
    view = view_of(table.state, 1)
    for _ in range(20):
        hands = list(map(cards_in, Knowledge(view).deal(rng)))
        assert [len(hand) for hand in hands] == [5, 5, 5]
        assert max(Counter(card.rank for card in hands[0]).values()) >= 3
        assert len({card for hand in hands for card in hand}) == 15
        assert table.state.hands[2][-1] in hands[2]


def test_a_suit_not_followed_is_a_suit_not_held():
    table = Table("festival", dealer=2).deal("9c 8c 7d 6s 2h", "3c 5d 7h 8d Jh", "Kd Qd Ts 6h Td")
    table.to_tricks().play("9c 3c Td")
    rng = random.Random(1)
    for _ in range(20):
        hands = Knowledge(view_of(table.state, table.turn)).deal(rng)
        assert not [card for card in cards_in(hands[2]) if card & 3 == 0]


def test_an_imagined_game_ends_with_the_last_trick():
    hands = [bits(parse_cards(cards)) for cards in ("2c", "Kh 3c", "Qh 4d")]
    ace = bits(parse_cards("Ah"))
    assert play_out(hands, [1, 2], clockwise([0, 1, 2]), ace, 0, True) == (1, False)
    assert hands == [0, 0, 0]


# --- decisions by the score -----------------------------------------------------------------------


def test_an_expert_would_rather_fall_to_zero_than_pass_52_without_a_chicago():
    hands = ("9c 9d Kc Kd 2h", "3c 5d 7h 8d Jc", "2d 4h 6s 8c Td")
    table = Table("festival").points(50).deal(*hands)
    action = BOTS["expert"].act(view_of(table.state, 0), random.Random(1))
    assert isinstance(action, Discard)
    assert action.offence
    assert BOTS["regular"].act(view_of(table.state, 0), random.Random(1)) == Discard(0)


@pytest.mark.parametrize("name", ["regular", "expert"])
def test_four_of_a_kind_resets_if_others_are_ahead_and_scores_if_not(name):
    hands = ("9c 9d 9h 9s 2h", "3c 5d 7h 8d Jc", "2d 4h 6s 8c Td")
    behind = Table("festival").points(5, 40, 40).deal(*hands).discards("", "", "").forced()
    assert BOTS[name].act(view_of(behind.state, 0), random.Random(1)) == Quads(0, True)
    ahead = Table("festival").points(40, 5, 5).deal(*hands).discards("", "", "").forced()
    assert BOTS[name].act(view_of(ahead.state, 0), random.Random(1)) == Quads(0, False)


def test_a_winning_flush_is_shown():
    table = Table("festival").deal("9c 9d Kc 7s 2h", "3c 5d 7h 8d Jc", "2d 4h 6s 8c Td")
    while table.stage != "show":
        table.pass_on()
    hands = (parse_cards("9s 8s 7s 6s 5s"), *table.state.hands[1:])
    table.state = table.state._replace(hands=hands)
    action = BOTS["novice"].act(view_of(table.state, 0), random.Random(1))
    assert action == Show(0, "hand")


def test_a_novice_sometimes_makes_mistakes():
    """Only in rule sets that define the penalty."""
    hands = ("Ah 9d 7c 5s 3h", "Kh Qd Jc Ts 2h", "8s 6s 4s 3s 2s")
    for rules, slips in (("festival", True), ("svensk", False)):
        table = Table(rules).deal(*hands).to_tricks().play("Ah")
        view = view_of(table.state, 1)
        rng = random.Random(1)
        played = [BOTS["novice"].act(view, rng) for _ in range(4000)]
        offences = sum(isinstance(action, Play) and action.offence for action in played)
        assert (0 < offences < 40) is slips


def test_the_whole_pack_is_dealt_whatever_the_seed():
    assert sorted(shuffled_pack(random.Random(3))) == list(DECK)
