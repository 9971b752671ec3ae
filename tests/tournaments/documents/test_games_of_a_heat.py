"""Games in an event document state their rules and players, and an import checks them."""

import copy
import json
import uuid
from datetime import datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.core.management import CommandError, call_command

from engine.cli.schemas import schema
from engine.rules.variants import parse_rules
from scoring.enums import AcceptedBy
from scoring.models import Sheet
from scoring.reading.merge import Take, Tap
from scoring.writing import (
    accept_games,
    answer_objection,
    object_to_deal,
    open_next_sheet,
    return_to_previous,
    settle_waiting,
    withdraw_objection,
)
from tests.tournaments.factories import (
    finished_heat,
    make_event,
    make_heats,
    play_game,
    play_heat,
    straight_flush,
)
from tests.tournaments.played_once import played_once
from tournaments.documents import BadDocument, event_document, import_event
from tournaments.models import Event

pytestmark = pytest.mark.django_db

CHECK = jsonschema.Draft202012Validator(schema("event"))
NOON = "2026-03-01T12:00:00+00:00"


@played_once
def heat_of_two_games() -> Event:
    event = make_event(games_per_heat=2)
    finished_heat(event, 3)
    return event


@pytest.fixture
def document() -> Any:
    return {**json.loads(json.dumps(event_document(heat_of_two_games()))), "slug": "again"}


WRONG = [
    ({"format": "chicago-heat"}, "malformed"),
    ({"format": ...}, "malformed"),
    ({"version": 2}, "malformed"),
    ({"rules": "svensk"}, "other_rules"),
    ({"rules": "whist"}, "unknown_rules"),
    ({"rules": ...}, "missing_field"),
    ({"meta": {"rules_digest": parse_rules("svensk").digest()}}, "other_rules"),
    ({"dealer": 1}, "bad_value"),
    ({"dealer": 4}, "bad_value"),
    ({"game": 1}, "bad_value"),
    ({"seats": ["1", "2", "4"]}, "other_players"),
    ({"table": 5}, "unknown_field"),
]


@pytest.mark.parametrize(("change", "code"), WRONG, ids=[str(each[0]) for each in WRONG])
def test_a_game_that_does_not_match_its_heat_is_refused_and_named(
    document: Any, change: dict[str, Any], code: str
) -> None:
    game = document["stages"][0]["heats"][0]["games"][1]
    game.update(change)
    for key in [key for key, value in game.items() if value is ...]:
        del game[key]
    with pytest.raises(BadDocument, match="heat 1: game 2: ") as bad:
        import_event(document)
    assert bad.value.code == code
    assert not Event.objects.filter(slug="again").exists()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"format": "chicago-event"}, "malformed"),
        ({"version": True}, "malformed"),
        ({"rules": "sm"}, "other_rules"),
    ],
)
def test_a_heat_of_another_format_or_rules_is_refused(
    document: Any, change: dict[str, Any], code: str
) -> None:
    document["stages"][0]["heats"][0].update(change)
    with pytest.raises(BadDocument, match="heat 1: ") as bad:
        import_event(document)
    assert bad.value.code == code


def test_the_command_prints_the_code_and_the_place(document: Any, tmp_path: Path) -> None:
    document["stages"][0]["heats"][0]["games"][0]["rules"] = "sm"
    path = tmp_path / "event.json"
    path.write_text(json.dumps(document))
    with pytest.raises(CommandError, match=r"\(other_rules\).* heat 1: game 1: "):
        call_command("import_event", str(path), slug="again")


def test_omitted_fields_of_a_game_mean_the_defaults(document: Any) -> None:
    first = copy.deepcopy(document)
    for game in document["stages"][0]["heats"][0]["games"]:
        del game["dealer"], game["meta"]
    assert json.loads(json.dumps(event_document(import_event(document)))) == first


def test_games_keep_an_events_own_game_points() -> None:
    event = make_event(games_per_heat=1, game_points={"3": [9, 5, 1], "4": [9, 5, 3, 1]})
    finished_heat(event, 3)
    document = event_document(event)
    assert (
        event_document(import_event({**document, "slug": "again"})) | {"slug": event.slug}
        == document
    )


def test_acceptances_and_objections_are_included() -> None:
    event = make_event(games_per_heat=2)
    heat = make_heats(event, 3).heats[0]
    assert heat.table is not None
    play_heat(heat)
    table = heat.table.pk
    sheets = Sheet.objects.filter(table=table)
    seen = {sheet.number: sheet.version for sheet in sheets}
    for player, means in (("1", AcceptedBy.OWN_PAGE), ("2", AcceptedBy.PIN)):
        accept_games(table_id=table, player_id=player, seen=seen, by="test", means=means)
    objections = [
        object_to_deal(
            table_id=table,
            game=game,
            deal=1,
            player_id="3",
            text="two pair",
            client_id=uuid.uuid4(),
            by="test",
        )
        for game in (1, 2, 2)
    ]
    answer_objection(
        table_id=table, objection_id=objections[0].pk, reason="it was a pair", by="test"
    )
    withdraw_objection(table_id=table, objection_id=objections[1].pk, player_id="3", by="test")
    document = json.loads(json.dumps(event_document(event)))
    heads = document["stages"][0]["heats"][0]
    words = {name: heads[name] for name in ("acceptances", "objections")}
    assert [(row["game"], row["player"], row["means"]) for row in words["acceptances"]] == [
        (1, "1", "own"),
        (2, "1", "own"),
        (1, "2", "pin"),
        (2, "2", "pin"),
    ]
    assert [row.get("answer", {}).get("reason") for row in words["objections"]] == [
        "it was a pair",
        None,
        None,
    ]
    assert ["answer" in row for row in words["objections"]] == [True, True, False]
    CHECK.validate(document)
    again = import_event({**document, "slug": "again"})
    read = json.loads(json.dumps(event_document(again)))["stages"][0]["heats"][0]
    assert {name: read[name] for name in words} == words


@pytest.mark.parametrize(
    "wrong",
    [
        {"acceptances": [{"game": 1, "player": "1", "means": "own", "at": "yesterday"}]},
        {"acceptances": [{"game": 1, "player": "1", "means": "shouting", "at": NOON}]},
        {"acceptances": [{"game": 9, "player": "1", "means": "own", "at": NOON}]},
        {"objections": [{"game": 1, "player": "9", "deal": 1, "text": "", "at": NOON}]},
        {"objections": [{"game": 1, "player": "1", "deal": 0, "text": "", "at": NOON}]},
        {"objections": [{"game": 1, "player": "1", "deal": 1, "at": NOON}]},
    ],
)
def test_impossible_acceptances_are_refused(document: Any, wrong: dict[str, Any]) -> None:
    document["stages"][0]["heats"][0].update(wrong)
    with pytest.raises(BadDocument):
        import_event(document)


def test_the_history_has_the_rows_of_a_game_that_never_began() -> None:
    heat = make_heats(make_event(), 4).heats[0]
    play_game(Sheet.objects.get(table=heat.table, number=1))
    second = open_next_sheet(table_id=heat.table_id or 0, by="test")
    return_to_previous(table_id=heat.table_id or 0)
    late = Tap(uuid.uuid4(), straight_flush(1), datetime.fromisoformat(NOON))
    settle_waiting(
        sheet_id=second.pk,
        seen_version=0,
        base=0,
        taps=[late],
        take=Take.THEIRS,
        author="test",
        device="phone",
    )
    document = json.loads(json.dumps(event_document(heat.event, history=True, heads=True)))
    CHECK.validate(document)
    rows = {each["game"]: [row["kind"] for row in each["rows"]] for each in document["history"]}
    assert rows == {1: ["entry"], 2: ["entry", "void"]}
    assert document["heads"][str(second.public_id)][0] == 2
