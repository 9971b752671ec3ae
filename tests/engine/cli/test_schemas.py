"""The schemas (docs/formats) accept and refuse the same documents as the readers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.answers import replay_record
from engine.bots.series import Series
from engine.cli.schemas import SCHEMAS, schema
from engine.errors import ERROR_CODES, WARNING_CODES, ChicagoError
from engine.ranking.heat_record import read_heat
from engine.ranking.series_record import read_series
from engine.rules.presets import PRESETS
from engine.sheet.entries import ACTIONS, entry_from_json
from engine.sheet.record import read_record
from engine.table.actions import FORMS, action_from_json
from engine.table.record import read_card_record
from engine.totals.totals import read_totals
from tests.engine.conformance.runner import record, run
from tests.engine.table.codes import action_codes

PAGES = Path(__file__).resolve().parents[3] / "docs" / "formats"
CHECKS = {name: jsonschema.Draft202012Validator(schema(name)) for name in SCHEMAS}
CHECKS["six"] = CHECKS["game-record"]

GAME = record(
    "pagat",
    [
        {"kind": "hand", "phase": 1, "seat": 0, "category": "four_of_a_kind", "reset": True},
        {"kind": "hand", "phase": 1, "seat": 0, "category": "four_of_a_kind", "reset": True}
        | {"reset_seat": 2},
        {"kind": "none", "phase": 2, "note": "equal"},
        {"kind": "chicago", "seat": 1, "won": False, "breaker": 0},
        {"kind": "chicago", "seat": 1, "won": True, "blind": True, "deuce": True},
        {"kind": "last_trick", "seat": 2, "deuce": True},
        {"kind": "revoke", "seat": 1},
        {"kind": "illegal_discard", "seat": 1, "by": "Bo"},
        {"kind": "ruling", "action": "points", "seat": 0, "points": -5, "reason": "late"},
        {"kind": "ruling", "action": "redeal", "reason": "a card too many"},
        {"kind": "ruling", "action": "sit_out_next_deal", "seat": 2, "reason": "late again"},
        {"kind": "ruling", "action": "end_game", "reason": "time"},
        {"kind": "hand", "phase": 3, "seat": 2, "category": "royal_flush", "suit": "H"},
    ],
    dealer=1,
    meta={},
    id="x",
)
CARDS = next(Series("games", "svensk+E+G+J", 3, "x", max_deals=4, cards=True).records(1))
TOTALS = {
    "format": "chicago-totals",
    "version": 1,
    "rules": "festival",
    "seats": [
        {"name": name, "score": 53, "executed": True, "asterisks": 0, "out": False, "ruled": -5}
        for name in ("Anna", "Bo")
    ],
    "winner": [0],
    "win": "target",
}
HEAT = {
    "format": "chicago-heat",
    "version": 1,
    "rules": "pagat",
    "players": GAME["seats"],
    "games": [GAME, TOTALS],
    "games_planned": 2,
    "advance": 1,
    "flip_flops": [[]],
}
SERIES = {
    "format": "chicago-series",
    "version": 1,
    "name": "Tour",
    "slug": "tour",
    "starts_on": "2026-01-01",
    "ends_on": "2026-12-31",
    "finished": True,
    "rules": {
        "points": ["10", "20/3"],
        "rest": "0",
        "size_by": "players",
        "factors": [[0, "1/2"], [20, "1"]],
        "best_of": 2,
        "bonus": {"chicago": "1", "heat": "0", "start": "1/2"},
        "ties": ["best", "latest"],
    },
    "players": [{"id": "1", "name": "Anna"}],
    "events": [
        {
            "name": "1998",
            "event": None,
            "day": "1998-05-01",
            "over": True,
            "size": 3,
            "stale": True,
            "results": [
                {
                    "id": "1",
                    "place": 1,
                    "shared": 1,
                    "heats_won": 0,
                    "chicagos": 2,
                    "points": "-3/2",
                }
            ],
        }
    ],
    "standing": [{"place": 1, "id": "1", "points": "-3/2"}],
}


def read_game(document):
    for entry in read_record(document).entries:
        entry_from_json(entry)


def read_cards(document):
    read = read_card_record(document)
    for entry in read.record.entries:
        entry_from_json(entry)
    for action in read.actions:
        action_from_json(action)


def read_heat_and_games(document):
    for game in read_heat(document).games:
        paper = isinstance(game, dict) and game.get("format") == "chicago-totals"
        (read_totals if paper else read_game)(game)


SIX = record("svensk", [], 6, game_points=[20, 15, 12, 8, 6, 4])
READERS = {
    "six": (read_game, SIX),
    "game-record": (read_game, GAME),
    "card-record": (read_cards, CARDS | {"actions": CARDS["actions"][:16]}),
    "totals": (read_totals, TOTALS),
    "heat": (read_heat_and_games, HEAT),
    "series": (read_series, SERIES),
}
JUNK = [None, True, -1, 1.5, 10**10, "", " ", "x", [], {}, [[]], [1, 1]]


def readable(name, document):
    try:
        READERS[name][0](document)
    except ChicagoError:
        return False
    return True


def places(value, path=()):
    """Return every key and index of a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in items:
        yield (*path, key)
        if isinstance(each, dict | list):
            yield from places(each, (*path, key))


@pytest.mark.parametrize("name", READERS)
@given(data=st.data())
def test_a_damaged_document_is_refused_by_schema_and_reader_alike(name, data):
    document = json.loads(json.dumps(READERS[name][1]))
    path = data.draw(st.sampled_from(list(places(document))))
    inside = document
    for key in path[:-1]:
        inside = inside[key]
    match data.draw(st.sampled_from(["replace", "remove", "add"])):
        case "replace":
            inside[path[-1]] = data.draw(st.sampled_from(JUNK))
        case "remove":
            del inside[path[-1]]
        case "add" if isinstance(inside, dict):
            inside["added"] = data.draw(st.sampled_from(JUNK))
    assert CHECKS[name].is_valid(document) is readable(name, document)


POINTS = [
    *JUNK,
    "5",
    "5/2",
    "10/24",
    "007",
    "0",
    "0/5",
    "00/3",
    "1/0",
    "-3",
    "1.5",
    "5/",
    "1234567890",
]
REASONS = [*JUNK, "late"]


@pytest.mark.parametrize(
    "changed",
    [{"game_points": points} for points in POINTS] + [{"reason": reason} for reason in REASONS],
)
def test_a_penalty_is_refused_by_schema_and_reader_alike(changed):
    penalty = {"player": HEAT["players"][0], "game_points": "5", "reason": "late"} | changed
    document = HEAT | {"penalties": [penalty]}
    assert CHECKS["heat"].is_valid(document) is readable("heat", document)


@pytest.mark.parametrize("seats", [4, 5, 6])
@pytest.mark.parametrize("places", [4, 5, 6])
def test_own_game_points_need_one_value_per_place(seats, places):
    document = record("svensk", [], seats, game_points=SIX["game_points"][:places])
    assert CHECKS["game-record"].is_valid(document) is readable("game-record", document)
    assert readable("game-record", document) is (seats == places > 4)


@pytest.mark.parametrize("rules", PRESETS)
def test_the_programs_output_fits_its_schema(rules):
    for kind, name in (("games", "game-record"), ("heats", "heat")):
        (document,) = Series(kind, rules, 3, max_deals=3).records(1)
        CHECKS[name].validate(document)
    (game,) = Series("games", rules, 3, cards=True, max_deals=3).records(1)
    CHECKS["card-record"].validate(game)
    game = {key: game[key] for key in game if key != "actions"}
    CHECKS["facts"].validate(replay_record(game | {"format": "chicago-game-record"}, facts=True))


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_valid_and_its_command_prints_it(name):
    jsonschema.Draft202012Validator.check_schema(schema(name))
    assert run("schema", name).doc == schema(name)


def test_schemas_are_listed_and_unknown_ones_refused():
    assert run("schema").doc == {"schemas": list(SCHEMAS)}
    assert run("schema", "poker").code == 2


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_pages_example_fits_its_schema(name):
    """And the page names every field of the schema."""
    text = (PAGES / f"{name}.md").read_text("utf-8")
    example = re.search(r"```json\n(.*?)```", text, re.DOTALL)
    document = json.loads(example[1])
    CHECKS[name].validate(document)
    if name in READERS:
        READERS[name][0](document)
    for field in schema(name)["properties"]:
        assert f"`{field}`" in text or f'"{field}"' in text, field


def test_the_card_record_pages_short_examples_can_be_read():
    text = (PAGES / "card-record.md").read_text("utf-8")
    actions = [json.loads(line) for line in re.findall(r'^    (\{"do": .*\})$', text, re.MULTILINE)]
    assert {"exposed", "chicago", "discard", "take"} <= {action["do"] for action in actions}
    for action in actions:
        assert action_from_json(action).as_json() == action
    CHECKS["card-record"].validate({**CARDS, "actions": actions})


def test_every_code_is_documented_in_the_formats():
    text = "".join(page.read_text("utf-8") for page in PAGES.glob("*.md"))
    for code in (*ERROR_CODES, *WARNING_CODES, *action_codes(), *ACTIONS, *FORMS):
        assert re.search(rf"\b{code}\b", text), code
