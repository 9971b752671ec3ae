"""Events older than a change in a rule set's meaning keep their rules, imported or not."""

import json

import pytest

from engine.rules.variants import first_reading, parse_rules
from engine.sheet.record import read_record
from scoring.models import Sheet
from scoring.reading.rules import rules_of
from tests.tournaments.factories import make_event, make_heats, write
from tournaments.documents import BadDocument, event_document, import_event
from tournaments.models import Heat

pytestmark = pytest.mark.django_db


def test_an_event_of_a_first_reading_draws_exports_and_imports_with_it() -> None:
    event = make_event(rules="svensk+D")
    assert event.rules_digest == parse_rules("svensk+D").digest()
    event.rules_digest = first_reading("svensk+D").digest()
    event.save()
    make_heats(event)
    document = json.loads(json.dumps(event_document(event)))
    again = import_event({**document, "slug": "again"})
    assert again.rules_digest == event.rules_digest
    for heat in Heat.objects.all():
        assert rules_of(heat.table) == first_reading("svensk+D")
    assert Heat.objects.count() == 2
    with pytest.raises(BadDocument):
        import_event({**document, "slug": "another", "rules_digest": "0" * 64})


def test_records_of_a_first_reading_with_own_points_are_read_by_it() -> None:
    event = make_event(rules="svensk+D", game_points={"3": [9, 5, 1], "4": [9, 5, 3, 1]})
    event.rules_digest = first_reading("svensk+D").digest()
    event.save()
    sheet = Sheet.objects.get(table=make_heats(event, 4).heats[0].table, number=1)
    write(sheet, {"kind": "none", "phase": 1})
    document = json.loads(json.dumps(event_document(event)))
    game = document["stages"][0]["heats"][0]["games"][0]
    assert read_record(game).rules == first_reading("svensk+D")
    made = import_event({**document, "slug": "again"})
    assert json.loads(json.dumps(event_document(made))) == document | {"slug": "again"}
