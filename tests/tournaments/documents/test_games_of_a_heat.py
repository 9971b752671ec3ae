"""A heat's games in an event document say what they are, and an import holds them to it."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from engine.rules.variants import parse_rules
from tests.tournaments.factories import finished_heat, make_event
from tournaments.documents import BadDocument, event_document, import_event
from tournaments.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def document() -> Any:
    event = make_event(games_per_heat=2)
    finished_heat(event, 3)
    return {**json.loads(json.dumps(event_document(event))), "slug": "again"}


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
def test_game_of_another_sort_is_refused_and_named(
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
def test_heat_of_another_sort_is_refused(document: Any, change: dict[str, Any], code: str) -> None:
    document["stages"][0]["heats"][0].update(change)
    with pytest.raises(BadDocument, match="heat 1: ") as bad:
        import_event(document)
    assert bad.value.code == code


def test_command_says_the_code_and_the_place(document: Any, tmp_path: Path) -> None:
    document["stages"][0]["heats"][0]["games"][0]["rules"] = "sm"
    path = tmp_path / "event.json"
    path.write_text(json.dumps(document))
    with pytest.raises(CommandError, match=r"\(other_rules\).* heat 1: game 1: "):
        call_command("import_event", str(path), slug="again")


def test_what_may_be_left_out_of_a_game_is_as_it_was(document: Any) -> None:
    first = copy.deepcopy(document)
    for game in document["stages"][0]["heats"][0]["games"]:
        del game["dealer"], game["meta"]
    assert json.loads(json.dumps(event_document(import_event(document)))) == first


def test_games_of_an_event_with_its_own_points_are_its_own() -> None:
    event = make_event(games_per_heat=1, game_points={"3": [9, 5, 1], "4": [9, 5, 3, 1]})
    finished_heat(event, 3)
    document = event_document(event)
    assert (
        event_document(import_event({**document, "slug": "again"})) | {"slug": event.slug}
        == document
    )
