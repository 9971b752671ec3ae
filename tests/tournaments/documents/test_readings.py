"""Which rules a document's tables are drawn with, and which documents are refused."""

import json

import pytest

from engine.rules.variants import parse_rules
from engine.sheet.record import read_record
from scoring.models import Sheet
from scoring.reading.rules import rules_of
from tests.tournaments.factories import make_event, make_heats, write
from tournaments.documents import BadDocument, event_document, import_event
from tournaments.models import Heat

pytestmark = pytest.mark.django_db


def test_a_table_stores_the_rules_that_it_was_drawn_with_imported_or_not() -> None:
    event = make_event(rules="svensk+D")
    make_heats(event)
    document = json.loads(json.dumps(event_document(event)))
    assert document["rules_digest"] == parse_rules("svensk+D").digest()
    import_event({**document, "slug": "again"})
    for heat in Heat.objects.all():
        assert rules_of(heat.table) == parse_rules("svensk+D")
        assert heat.table.ruleset == parse_rules("svensk+D").as_json()
    assert Heat.objects.count() == 2


def test_an_event_of_other_rules_of_that_name_is_refused() -> None:
    document = event_document(make_event(rules="svensk+D"))
    with pytest.raises(BadDocument):
        import_event({**document, "slug": "another", "rules_digest": "0" * 64})


def test_games_with_own_points_are_exported_and_imported() -> None:
    event = make_event(rules="svensk+D", game_points={"3": [9, 5, 1], "4": [9, 5, 3, 1]})
    sheet = Sheet.objects.get(table=make_heats(event, 4).heats[0].table, number=1)
    write(sheet, {"kind": "none", "phase": 1})
    document = json.loads(json.dumps(event_document(event)))
    game = document["stages"][0]["heats"][0]["games"][0]
    assert game["meta"]["rules_digest"] == sheet.rules_digest
    assert read_record(game).rules == parse_rules("svensk+D")
    made = import_event({**document, "slug": "again"})
    assert json.loads(json.dumps(event_document(made))) == document | {"slug": "again"}
