"""Which statements one entry at a heat's table sends to the database."""

import json
import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.sheet.entries import entry_from_json
from engine.sheet.sheet import step
from scoring.models import Sheet
from scoring.reading.rows import state_of
from tests.scoring.factories import auditor_link, hand, none, trick
from tests.tournaments.factories import make_event, make_heats, make_players


@pytest.mark.django_db(transaction=True)
def test_an_entry_is_one_transaction_of_at_most_fifteen_statements(client: Client) -> None:
    event = make_event()
    make_players(event, 4)
    heat = make_heats(event).heats[0]
    assert heat.table is not None
    address = auditor_link(heat.table)
    mark = client.get(address + "live/")["ETag"]
    asked = []
    deal = [none(1), hand(2, 1, "pair"), trick(2), hand(3, 0, "two_pair")]
    for version, entry in enumerate(deal * 2):
        sheet = Sheet.objects.select_related("table").get(table=heat.table, number=1)
        after = step(state_of(sheet), entry_from_json(entry)).as_json()
        with CaptureQueriesContext(connection) as sent:
            answer = client.post(
                address + "entry/",
                data=json.dumps(
                    {
                        "id": str(uuid.uuid4()),
                        "game": 1,
                        "version": version,
                        "entry": entry,
                        "seen": mark,
                        "counted": after,
                        "confirmed": True,
                    }
                ),
                content_type="application/json",
                headers={"accept": "application/json"},
            ).json()
        assert answer["etag"] != mark
        mark = answer["etag"]
        asked.append([query["sql"].split()[0] for query in sent.captured_queries])
    # The first takes the lease, and the first deal's end takes the offer of PINs off the page.
    assert max(len(each) for each in asked[4:]) <= 15
    for each in asked:
        writes = [at for at, word in enumerate(each) if word in {"INSERT", "UPDATE", "DELETE"}]
        began, ended = each.index("BEGIN"), each.index("COMMIT")
        assert each.count("BEGIN") == each.count("COMMIT") == 1
        assert began < min(writes) <= max(writes) < ended
