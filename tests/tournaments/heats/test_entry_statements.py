"""Which statements one entry at a heat's table sends to the database."""

import json
import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.scoring.factories import auditor_link, hand, none, trick
from tests.scoring.web.phone import told_by
from tests.tournaments.factories import make_event, make_heats, make_players


@pytest.mark.django_db(transaction=True)
def test_an_entry_is_one_transaction_of_ten_statements(client: Client) -> None:
    event = make_event()
    make_players(event, 4)
    heat = make_heats(event).heats[0]
    assert heat.table is not None
    address = auditor_link(heat.table)
    version, last = told_by(client, address)["version"], None
    asked = []
    deal = [none(1), hand(2, 1, "pair"), trick(2), hand(3, 0, "two_pair")]
    for row, entry in enumerate(deal * 2):
        tap = {"id": str(uuid.uuid4()), "act": "entry", "at": 1, "game": 1, "entry": entry}
        have = {"1": {"rows": row, "last": last}}
        fields = {"version": version, "have": have, "taps": [tap | {"follows": last}]}
        with CaptureQueriesContext(connection) as sent:
            answer = client.post(
                f"{address}sync/", json.dumps(fields), content_type="application/json"
            ).json()
        asked.append([query["sql"].split()[0] for query in sent.captured_queries])
        [last] = answer["took"]
        if answer.get("more"):
            have = {"1": {"rows": row + 1, "last": last}}
            answer = client.post(
                f"{address}sync/", json.dumps({"have": have}), content_type="application/json"
            ).json()
        assert answer["version"] != version
        version = answer["version"]
    # The first takes the lease.
    assert max(len(each) for each in asked[1:]) <= 10
    for each in asked:
        writes = [at for at, word in enumerate(each) if word in {"INSERT", "UPDATE", "DELETE"}]
        began, ended = each.index("BEGIN"), each.index("COMMIT")
        assert each.count("BEGIN") == each.count("COMMIT") == 1
        assert began < min(writes) <= max(writes) < ended
