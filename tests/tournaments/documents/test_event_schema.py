"""The event document's schema accepts and refuses the same damaged documents as the import."""

import copy
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.db import transaction

from engine.cli.schemas import schema
from tests.tournaments.factories import finished_heat, make_event
from tournaments.documents import event_document
from tournaments.documents.reading import BadDocument, import_event
from tournaments.documents.writing import SETTINGS
from tournaments.models.enums import (
    DrawStatus,
    EventStatus,
    Grouping,
    HeatStatus,
    NoShowRule,
    OutPoints,
    RegistrationStatus,
    SessionKind,
    StageKind,
    StagePlayerSource,
    StageStatus,
)

SCHEMA = schema("event")
CHECK = jsonschema.Draft202012Validator(SCHEMA)
#: As a fraction it would fill the memory.
ENDLESS = {"share": "1e99999999", "game_points": "1", "seats": 4}
JUNK = [None, True, -1, "x", [], {}]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Return every key and index of a document that says something about the event."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in items:
        yield (*path, key)
        if isinstance(each, dict | list):
            yield from places(each, (*path, key))


def readable(document: Any) -> bool:
    """Import it and roll back."""
    try:
        with transaction.atomic():
            import_event(document, slug="again")
            transaction.set_rollback(True)
    except BadDocument:
        return False
    return True


def damaged(document: Any, path: tuple[Any, ...], junk: Any) -> Any:
    """Return the document with one value removed or replaced."""
    changed = copy.deepcopy(document)
    inside = changed
    for key in path[:-1]:
        inside = inside[key]
    if junk is ...:
        del inside[path[-1]]
    else:
        inside[path[-1]] = junk
    return changed


#: What only the import can check: references between parts, and the draws.
BETWEEN = re.compile(r"players|seats|registrations(/\d+)?$|draws(/\d+)?$|auditor|level|qualifiers")


def example() -> Any:
    """Return the page's example without its heading and result, which are for human readers."""
    page = Path(__file__).parents[3] / "docs" / "formats" / "event.md"
    found = re.search(r"```json\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return json.loads(found[1])


@pytest.mark.django_db
def test_the_example_of_the_page_can_be_imported() -> None:
    document = example()
    CHECK.validate(document)
    assert readable(document)


@pytest.mark.django_db
def test_documents_that_fit_the_schema_can_be_imported() -> None:
    """Documents damaged anywhere; the import may still accept what the schema refuses."""
    document = example()
    chance = random.Random(1)
    places_of = [path for path in places(document) if not BETWEEN.search("/".join(map(str, path)))]
    for path in chance.sample(places_of, 40):
        for junk in (..., chance.choice(JUNK)):
            changed = damaged(document, path, junk)
            if CHECK.is_valid(changed):
                assert readable(changed), (path, junk)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "junk"),
    [
        ("candidates", ["99"]),
        ("candidates", 5),
        ("drawn", [[{}]]),
        ("groups", "x"),
        ("queue", [None]),
        ("history", []),
        ("history", {"met": [["1", "2"]]}),
        ("adjustments", "x"),
        ("label", "\ud800"),
        ("label", "\0"),
    ],
)
def test_a_draw_that_its_page_could_not_show_is_refused(name: str, junk: object) -> None:
    assert not readable(damaged(example(), ("stages", 0, "draws", 0, name), junk))


@pytest.mark.django_db
@pytest.mark.parametrize("path", [("round",), ("advance",), ("heats", 0, "meta", "table")])
def test_a_number_that_no_database_holds_is_refused(path: tuple[Any, ...]) -> None:
    assert not readable(damaged(example(), ("stages", 0, *path), 10**30))


@pytest.mark.django_db
@pytest.mark.parametrize("basis", ["x", {"share": "1"}, {"by_hand": 5}, ENDLESS])
def test_a_reason_for_taking_in_that_no_page_could_say_is_refused(basis: object) -> None:
    player = {"id": "1", "source": "qualified", "absent": False, "replaces": None, "basis": basis}
    assert not readable(damaged(example(), ("stages", 0, "players"), [player]))


@pytest.mark.django_db
def test_an_export_fits_the_schema() -> None:
    event = make_event(games_per_heat=1)
    finished_heat(event, 3)
    CHECK.validate(json.loads(json.dumps(event_document(event, history=True))))


def test_the_schemas_values_match_the_program() -> None:
    """The engine does not know tournaments, but its schema lists their statuses."""
    fields = SCHEMA["properties"]
    stage = fields["stages"]["items"]["properties"]
    heat, draw = (stage[name]["items"]["properties"] for name in ("heats", "draws"))
    settings = fields["settings"]["properties"]
    for values, choices in (
        (fields["status"], EventStatus),
        (fields["registrations"]["items"]["properties"]["status"], RegistrationStatus),
        (stage["kind"], StageKind),
        (stage["status"], StageStatus),
        (stage["players"]["items"]["properties"]["source"], StagePlayerSource),
        (draw["status"], DrawStatus),
        (heat["status"], HeatStatus),
        (settings["playoff_grouping"], Grouping),
        (settings["no_show_rule"], NoShowRule),
        (settings["out_points"], OutPoints),
    ):
        assert set(values["enum"]) == set(choices.values)
    days = fields["timetable"]["items"]["properties"]
    assert set(days["session_kind"]["enum"]) == {"", *SessionKind.values}
    assert settings.keys() == set(SETTINGS)
