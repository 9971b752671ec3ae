"""Card records (docs/formats/card-record.md): replayed, and the Auditor's entries checked."""

import contextlib
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.answers import replay_card_record
from engine.bots.simulation import play_game
from engine.cards.categories import Category
from engine.cli.main import main
from engine.rules.presets import PRESETS
from engine.rules.variants import parse_rules
from engine.sheet.entries import Chicago, Hand, LastTrick
from engine.table.actions import Announce, Deck, Discard
from engine.table.record import iter_tables, read_card_record, replay_cards, same_entry
from engine.table.table import start_table
from tests.engine.table.helpers import deck_for

NAMES = ["Anna", "Bo", "Cia", "Dag"]


def a_record(rules="festival", seats=3, seed="record", deals=2):
    return play_game(rules, NAMES[:seats], seed, max_deals=deals).card_record()


def codes(result):
    return [problem["code"] for problem in result["problems"] if problem["severity"] == "error"]


@pytest.mark.parametrize("rules", [*PRESETS, "svensk+A+E+G+L+T", "pagat+reset+quads-end"])
def test_a_simulated_game_replays_card_by_card_to_the_same_sheet(rules):
    record = json.loads(json.dumps(a_record(rules, seats=4, deals=5)))
    result = replay_card_record(record)
    assert result["valid"]
    assert result["entries"] == record["entries"]
    assert result["state"]["finished"]
    without = {key: value for key, value in record.items() if key != "entries"}
    assert replay_card_record(without)["entries"] == record["entries"]


def test_the_replay_command_takes_both_kinds_of_records(tmp_path):
    card = a_record()
    game = {key: value for key, value in card.items() if key != "actions"}
    game["format"] = "chicago-game-record"
    path = tmp_path / "records.jsonl"
    path.write_text(json.dumps(card) + "\n" + json.dumps(game) + "\n", "utf-8")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(["replay", "--lines", str(path)]) == 0
    first, second = map(json.loads, out.getvalue().splitlines())
    assert first["state"] == second["state"]
    card["entries"][0] = {"kind": "hand", "phase": 1, "seat": 0, "category": "flush"}
    path.write_text(json.dumps(card), "utf-8")
    with contextlib.redirect_stdout(io.StringIO()):
        assert main(["replay", str(path)]) == 1


# --- the Auditor's entries ------------------------------------------------------------------------


def test_an_entry_that_contradicts_the_cards_is_named_with_the_right_one():
    record = a_record()
    right = dict(record["entries"][1])
    record["entries"][1] = {"kind": "none", "phase": 2}
    result = replay_card_record(record)
    problem = result["problems"][-1]
    assert (problem["code"], problem["entry"]) == ("contradicts_cards", 1)
    assert problem["expected"] == [right]
    assert result["entries"] == record["entries"][:1]


def test_an_extra_or_missing_entry_contradicts_the_cards():
    record = a_record()
    count = len(record["entries"])
    longer = {**record, "entries": [*record["entries"], {"kind": "none", "phase": 1}]}
    assert codes(replay_card_record(longer)) == ["contradicts_cards"]
    assert replay_card_record(longer)["problems"][-1]["entry"] == count
    shorter = {**record, "entries": record["entries"][:-1]}
    assert codes(replay_card_record(shorter)) == ["contradicts_cards"]


def test_a_malformed_entry_keeps_its_own_code():
    record = a_record()
    record["entries"][0] = {"kind": "hand", "phase": 1, "seat": 0}
    problem = replay_card_record(record)["problems"][-1]
    assert (problem["code"], problem["entry"]) == ("missing_field", 0)
    assert problem["expected"][0]["kind"] == "hand"


@pytest.mark.parametrize(
    ("entries", "params"),
    [
        (
            [{"kind": "none", "phase": 1}],
            {"right": {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"}},
        ),
        ([{"kind": "hand", "phase": 1, "seat": 0, "category": "pair"}] * 2, {"why": "over"}),
    ],
)
def test_the_entries_given_by_the_cards_are_reported(entries, params):
    hands = {0: "9c 9d Kc 7s 2h", 1: "5c 4d Ac Kh Jh", 2: "4h 2s Kd Ts 3h"}
    actions = [Deck(deck_for(start_table(parse_rules("festival"), 3, 2), hands))]
    actions += [Discard(0), Discard(1), Discard(2)]
    actions += [Announce(0, Category.PAIR), Announce(1), Announce(2)]
    record = {
        "format": "chicago-card-record",
        "version": 1,
        "rules": "festival",
        "dealer": 2,
        "seats": ["Anna", "Bo", "Cia"],
        "actions": [action.as_json() for action in actions],
        "entries": entries,
    }
    problem = replay_cards(read_card_record(record)).error
    assert (problem.code, problem.params) == ("contradicts_cards", params)


def test_entries_that_the_rule_set_does_not_pay_may_be_left_out():
    svensk, festival = parse_rules("svensk"), parse_rules("festival")
    assert same_entry(svensk, LastTrick(1), LastTrick(1, deuce=True))
    assert not same_entry(festival, LastTrick(1), LastTrick(1, deuce=True))
    assert not same_entry(svensk, LastTrick(1, deuce=True), LastTrick(1))
    assert same_entry(svensk, Chicago(0, False), Chicago(0, False, 2))
    assert not same_entry(festival, Chicago(0, False), Chicago(0, False, 2))
    quads = Category.FOUR_OF_A_KIND
    assert same_entry(festival, Hand(1, 0, quads, False), Hand(1, 0, quads))
    assert not same_entry(festival, Hand(1, 0, quads, True), Hand(1, 0, quads))
    both = parse_rules("svensk+D")
    assert same_entry(both, Hand(1, 0, quads), Hand(1, 0, quads, True))
    basic = parse_rules("basic")
    royal, straight = Category.ROYAL_FLUSH, Category.STRAIGHT_FLUSH
    hearts = parse_rules("svensk+B4")
    assert same_entry(hearts, Hand(1, 0, royal, None, "S"), Hand(1, 0, royal, None, "S"))
    assert not same_entry(hearts, Hand(1, 0, royal, None, "H"), Hand(1, 0, royal, None, "S"))
    assert same_entry(svensk, Hand(1, 0, royal, None, "S"), Hand(1, 0, royal))
    assert same_entry(basic, Hand(1, 0, royal), Hand(1, 0, straight))


# --- impossible actions ---------------------------------------------------------------------------


def test_an_impossible_action_is_named_with_its_index_and_what_is_possible():
    record = a_record()
    del record["entries"]
    record["actions"][1] = {"do": "play", "seat": 0, "card": "Ah"}
    result = replay_card_record(record)
    problem = result["problems"][-1]
    assert (problem["code"], problem["action"]) == ("unexpected_action", 1)
    assert len(problem["expected"]) == 31
    assert result["awaits"] == "discard"
    assert result["state"]["scores"] == [0, 0, 0]


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (None, "malformed"),
        ([], "malformed"),
        ({}, "missing_field"),
        ({"do": 5}, "unknown_kind"),
        ({"do": "hand"}, "unknown_kind"),
        ({"do": "deck"}, "missing_field"),
        ({"do": "deck", "cards": "Ah", "x": 1}, "unknown_field"),
        ({"do": "deck", "cards": "Ah Ah"}, "bad_value"),
        ({"do": "deck", "cards": 5}, "bad_value"),
        ({"do": "deck", "cards": "Ah"}, "bad_cards"),
        ({"do": "discard", "seat": "0", "cards": ""}, "bad_value"),
        ({"do": "discard", "seat": True, "cards": ""}, "bad_value"),
        ({"do": "discard", "seat": 9, "cards": ""}, "bad_value"),
        ({"do": "discard", "seat": 0, "cards": "", "offence": 1}, "bad_value"),
        ({"do": "announce", "seat": 0, "category": "nothing"}, "bad_value"),
        ({"do": "specify", "seat": 0, "value": "10"}, "bad_value"),
        ({"do": "show", "seat": 0, "claim": "x"}, "bad_value"),
        ({"do": "play", "seat": 0, "card": "1h"}, "bad_value"),
        ({"do": "correct", "seat": 0, "card": 3}, "bad_value"),
        ({"do": "ruling", "action": "points", "seat": 0, "reason": "x"}, "missing_field"),
        ({"do": "ruling", "action": "points", "seat": 0, "points": 3}, "missing_reason"),
        ({"do": "ruling", "action": "x", "seat": 0, "reason": "x"}, "bad_value"),
        ({"do": "take", "seat": 0, "take": True}, "unexpected_action"),
    ],
)
def test_malformed_actions_have_codes_and_sentences(action, code):
    record = {**a_record(), "actions": [action]}
    del record["entries"]
    result = replay_card_record(record)
    assert codes(result) == [code]
    assert result["problems"][-1]["action"] == 0
    assert result["problems"][-1]["message"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"format": "chicago-game"}, "malformed"),
        ({"version": 2}, "malformed"),
        ({"rules": "festival+nothing"}, "unknown_rules"),
        ({"seats": ["Anna"]}, "bad_seats"),
        ({"dealer": 7}, "bad_value"),
        ({"extra": 1}, "unknown_field"),
        ({"actions": {}}, "bad_value"),
        ({"entries": 5}, "bad_value"),
    ],
)
def test_a_bad_header_leaves_no_state(change, code):
    result = replay_card_record({**a_record(), **change})
    assert (result["valid"], result["state"], codes(result)) == (False, None, [code])


def test_without_actions_it_is_no_card_record():
    record = a_record()
    del record["actions"]
    assert codes(replay_card_record(record)) == ["missing_field"]
    for source in ("", "[]", "{", b"\xff", "null", 5, None):
        assert codes(replay_card_record(source)) == ["malformed"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
ACTION_LIKE = st.fixed_dictionaries(
    {"do": st.sampled_from(["deck", "discard", "announce", "play", "ruling", "chicago"])},
    optional={
        "seat": st.integers(-1, 4) | JSON,
        "cards": st.sampled_from(["", "Ah", "Ah Kd"]) | JSON,
        "card": st.sampled_from(["Ah", "2c"]) | JSON,
        "category": st.sampled_from(["pair", None]) | JSON,
        "action": st.sampled_from(["points", "end_game", "disqualify"]) | JSON,
        "points": st.integers(-99, 99) | JSON,
        "reason": st.text(max_size=3) | JSON,
        "call": st.booleans() | JSON,
    },
)


@given(st.integers(0, 40), st.lists(ACTION_LIKE | JSON, max_size=4))
def test_damaged_actions_cause_only_coded_problems(keep, damage):
    record = a_record()
    del record["entries"]
    result = replay_card_record({**record, "actions": [*record["actions"][:keep], *damage]})
    for problem in result["problems"]:
        assert problem["code"]
        assert problem["message"]
    assert json.dumps(result)


def test_a_record_can_be_stepped_through():
    record = a_record()
    steps = list(iter_tables(record))
    assert len(steps) == len(record["actions"]) + 1
    assert steps[0][0] is None
    assert steps[-1][1].finished
