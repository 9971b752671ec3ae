"""What a script is sent after an entry: only what changed, small, and asked about before a loss."""

import gzip
import json
import uuid
import zlib

import pytest

from scoring.models import SheetEntry
from scoring.writing import write_entry

from ..factories import auditor_link, hand, make_table, none, play, running, trick

pytestmark = pytest.mark.django_db


def post(client, address, entry, version, seen, **more):
    fields = {"id": str(uuid.uuid4()), "game": 1, "version": version, "entry": entry}
    return client.post(
        address + "entry/",
        data=json.dumps({**fields, "seen": seen, **more}),
        content_type="application/json",
        headers={"accept": "application/json", "accept-encoding": "gzip"},
    )


def test_an_answer_brings_only_what_changed(client):
    table = make_table()
    address = auditor_link(table)
    response = client.get(address + "live/")
    text, mark = response.content.decode(), response["ETag"]
    deal = [hand(1, 0, "flush"), hand(2, 1, "pair"), trick(2), hand(3, 0, "two_pair"), none(1)]
    for version, entry in enumerate(deal):
        response = post(client, address, entry, version, mark)
        assert response["Content-Encoding"] == "gzip"
        assert len(response.content) < 2500
        answer = json.loads(gzip.decompress(response.content))
        lines = text.split("\n")
        parts = [
            part if isinstance(part, str) else "\n".join(lines[part[0] : part[0] + part[1]])
            for part in answer["changes"]
        ]
        text, mark = "\n".join(parts), answer["etag"]
        assert zlib.adler32(text.encode()) == answer["sum"]
        assert text == client.get(address + "live/").content.decode()


def test_who_shows_another_picture_gets_the_whole_one(client):
    table = make_table()
    address = auditor_link(table)
    response = post(client, address, hand(1, 0), 0, "another")
    answer = json.loads(gzip.decompress(response.content))
    assert 'data-version="1"' in answer["html"]
    assert "changes" not in answer


def near_the_target(table):
    ruled = {"kind": "ruling", "action": "points", "seat": 0, "points": 47, "reason": "x"}
    play(running(table), ruled)
    return auditor_link(table)


def test_who_would_fall_to_zero_is_asked_about_first(client):
    table = make_table()
    address = near_the_target(table)
    assert 'class="news">Anna: ' in " ".join(client.get(address).content.decode().split())
    response = post(client, address, hand(1, 0, "flush"), 1, "")
    assert response.status_code == 422
    [problem] = response.json()["problems"]
    assert problem["code"] == "needs_confirmation"
    assert SheetEntry.objects.count() == 1
    assert post(client, address, hand(1, 0, "flush"), 1, "", confirmed=True).status_code == 200
    assert running(table).state["scores"][0] == 0


def test_the_director_and_the_program_are_not_asked():
    table = make_table()
    near_the_target(table)
    write_entry(
        sheet_id=running(table).pk,
        client_id=uuid.uuid4(),
        seen_version=1,
        entry=hand(1, 0, "flush"),
        author="director",
    )
    assert running(table).state["status"][0] == "out"


def test_a_table_s_page_loads_no_framework(client):
    html = client.get(auditor_link(make_table())).content.decode()
    assert "bootstrap" not in html
    assert "htmx.min" not in html
