"""Responses to the script after an entry: only what changed, small, and questions before a loss."""

import gzip
import json
import random
import re
import uuid
import zlib

import pytest
from django.db import connection
from django.templatetags.static import static
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.sheet.entries import entry_from_json
from engine.sheet.sheet import legal_entries, step
from scoring.models import SheetEntry, Table
from scoring.reading.rows import state_of
from scoring.web.fragment import undrawn
from scoring.writing import call_td, write_entry

from ..factories import auditor_link, hand, make_table, none, play, running, sheet_of, trick

pytestmark = pytest.mark.django_db


def post(client, address, entry, version, seen, **more):
    fields = {"id": str(uuid.uuid4()), "game": 1, "version": version, "entry": entry}
    return client.post(
        address + "entry/",
        data=json.dumps({**fields, "seen": seen, **more}),
        content_type="application/json",
        headers={"accept": "application/json", "accept-encoding": "gzip"},
    )


def applied(text, changes):
    """Return the text that a page makes of these changes (static/scoring/text.js)."""
    lines, ended, parts = text.split("\n"), 0, []
    for part in changes:
        if isinstance(part, str):
            parts.append(part)
        else:
            start, ended = ended + part[0], ended + sum(part)
            parts += lines[start:ended]
    return "\n".join(parts)


def test_a_response_contains_only_what_changed(client):
    table = make_table()
    address = auditor_link(table)
    response = client.get(address + "live/")
    text, mark = response.content.decode(), response["ETag"]
    deal = [hand(1, 0, "flush"), hand(2, 1, "pair"), trick(2), hand(3, 0, "two_pair"), none(1)]
    for version, entry in enumerate(deal):
        response = post(client, address, entry, version, mark)
        assert response["Content-Encoding"] == "gzip"
        answer = json.loads(gzip.decompress(response.content))
        text, mark = applied(text, answer["changes"]), answer["etag"]
        assert zlib.adler32(text.encode()) == answer["sum"]
        assert text == client.get(address + "live/").content.decode()


def test_the_page_and_what_it_stores_are_sent_without_indentation(client):
    address = auditor_link(make_table())
    for path in ("", "device/"):
        assert not re.search(r"\n\s", client.get(address + path).content.decode().strip())


@pytest.mark.parametrize("rules", ["festival", "svensk"])
def test_a_games_end_is_answered_without_pictures_and_prospects(client, rules):
    table = make_table(rules=rules, games=2)
    address = auditor_link(table)
    play(running(table), hand(1, 1), none(2), trick(1), none(3))
    mark = client.get(address + "live/")["ETag"]
    last = hand(1, 0, "straight_flush")
    claimed = counted(table, last)
    answer = told(post(client, address, last, 4, mark, confirmed=True, counted=claimed))
    page = client.get(address + "live/")
    text, mark = page.content.decode(), page["ETag"]
    part = re.sub(r"\n<!--later-->.*?<!--/later-->", "", text, flags=re.DOTALL)
    assert 'class="race"' in text
    assert answer["etag"] == f'{mark[:-1]}~"'
    assert answer["counted"]
    # The page may go on before it has asked for the rest.
    fields = {"id": str(uuid.uuid4()), "game": 1, "version": 5, "seen": answer["etag"]}
    back = client.post(
        address + "take-back/", fields, "application/json", headers={"accept": "application/json"}
    )
    assert applied(part, told(back)["changes"]) == client.get(address + "live/").content.decode()


def test_going_from_one_game_to_another_is_answered_shortly(client):
    """Taking a game's end back, opening the next one and going back: the device draws them all."""
    table = make_table(games=2)
    address = auditor_link(table)
    play(running(table), hand(1, 1), none(2), trick(1), none(3))
    before = state_of(running(table)).as_json()
    play(running(table), hand(1, 0, "straight_flush"))
    over = sheet_of(table).state

    def goes(where, claim, **fields):
        fields |= {"id": str(uuid.uuid4()), "counted": claim}
        fields["seen"] = client.get(address + "live/")["ETag"]
        answer = client.post(
            address + where, fields, "application/json", headers={"accept": "application/json"}
        )
        assert len(packed(answer)) < 1000
        assert told(answer)["counted"]
        # What stands around it is asked for.
        assert told(answer)["etag"] == f'{client.get(address + "live/")["ETag"][:-1]}~"'

    goes("next-game/", {"game": 2, "state": sheet_of(table, 2).state})
    assert sheet_of(table, 2).status == "running"
    goes("last-game/", {"game": 1, "state": over})
    goes("take-back/", before, game=1, version=5)


def told(response):
    """Return a JSON response, which is compressed if that makes it shorter."""
    is_packed = response.headers.get("Content-Encoding") == "gzip"
    return json.loads(gzip.decompress(response.content) if is_packed else response.content)


def packed(response):
    """Return a response's bytes as sent, without Django's random padding."""
    if response.headers.get("Content-Encoding") != "gzip":
        return response.content
    return gzip.compress(gzip.decompress(response.content), 6)


def counted(table, entry):
    """Return the state that a device computes for the next entry."""
    return step(state_of(running(table)), entry_from_json(entry)).as_json()


@pytest.mark.parametrize("rules", ["festival", "svensk", "pagat"])
def test_a_device_with_the_same_state_gets_a_short_confirmation(client, rules):
    table = make_table(rules=rules)
    address = auditor_link(table)
    play(running(table), none(1))
    mark = client.get(address + "live/")["ETag"]
    for version, entry in enumerate([hand(2, 1, "pair"), trick(2), hand(3, 0, "two_pair")], 1):
        claim = {"kept": False, "counted": counted(table, entry)}
        response = post(client, address, entry, version, mark, **claim)
        answer = told(response)
        mark = answer["etag"]
        assert answer == {
            "ok": True,
            "etag": client.get(address + "live/")["ETag"],
            "counted": True,
            "script": static("scoring/auditor.js"),
            "revision": Table.objects.get(pk=table.pk).revision,
        }
        assert len(response.content) < 1000


def test_a_device_with_another_state_gets_the_changes(client):
    table = make_table()
    address = auditor_link(table)
    play(running(table), none(1))
    mark = client.get(address + "live/")["ETag"]
    claim = counted(table, hand(2, 1, "pair"))
    response = post(client, address, hand(2, 1, "flush"), 1, mark, counted=claim)
    assert "changes" in told(response)


def test_a_device_with_an_outdated_page_gets_the_whole_page(client):
    table = make_table()
    address = auditor_link(table)
    play(running(table), none(1))
    mark = client.get(address + "live/")["ETag"]
    call_td(table_id=table.pk, reason="")
    entry = hand(2, 1, "pair")
    response = post(client, address, entry, 1, mark, counted=counted(table, entry))
    assert "html" in told(response)


def test_a_device_showing_another_page_gets_the_whole_one(client):
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


def test_an_entry_that_zeroes_a_player_needs_confirmation(client):
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


@pytest.mark.parametrize("rules", ["festival", "svensk"])
def test_a_rare_hand_is_asked_about_together_with_what_it_costs_the_others(client, rules):
    table = make_table(rules=rules)
    address = near_the_target(table)
    response = post(client, address, hand(1, 1, "royal_flush"), 1, "")
    [problem] = json.loads(gzip.decompress(response.content))["problems"]
    assert [each["code"] for each in problem["warnings"]] == ["rare_hand"]
    [rare] = [each["message"] for each in problem["warnings"]]
    assert problem["message"].startswith(f"{rare} Anna ")
    assert "47" in problem["message"]


def test_the_director_and_the_program_need_no_confirmation():
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


def test_a_tables_page_loads_no_framework(client):
    html = client.get(auditor_link(make_table())).content.decode()
    assert "bootstrap" not in html
    assert "htmx.min" not in html


@pytest.mark.parametrize("seed", [1, 2])
def test_after_a_short_confirmation_nothing_else_has_changed(client, seed):
    """If the response just says "counted", the device has drawn everything that changed."""
    chance = random.Random(seed)
    table = make_table()
    address = auditor_link(table)
    before = client.get(address + "live/")
    short = []
    for version in range(30):
        state = state_of(running(table))
        entry = chance.choice(
            [each for each in legal_entries(state) if not step(state, each).finished]
        )
        claim = {"counted": step(state, entry).as_json(), "confirmed": True}
        answer = told(post(client, address, entry.as_json(), version, before["ETag"], **claim))
        after = client.get(address + "live/")
        assert answer["etag"] == after["ETag"]
        if "counted" in answer:
            short.append(state.deal)
            assert undrawn(before.content.decode()) == undrawn(after.content.decode())
        before = after
    assert sum(deal > 0 for deal in short) > 5


def test_an_entry_in_the_first_deal_takes_as_few_queries_as_later(client):
    table = make_table()
    address = auditor_link(table)
    play(running(table), none(1))
    mark = client.get(address + "live/")["ETag"]
    asked = []
    later = [hand(2, 1, "pair"), trick(2), hand(3, 0, "two_pair"), none(1), hand(2, 1, "pair")]
    for version, entry in enumerate(later, 1):
        claim = {"kept": True, "counted": counted(table, entry)}
        with CaptureQueriesContext(connection) as queries:
            answer = told(post(client, address, entry, version, mark, **claim))
        assert answer["counted"]
        mark = answer["etag"]
        asked.append(len(queries))
    # The first takes the lease; the third ends the first deal, after which no PINs are offered.
    assert asked[1] == asked[4] < asked[2]


def test_readers_of_one_link_share_a_rendering(client, django_assert_num_queries):
    address = auditor_link(make_table(), role="reader")
    first = client.get(address + "live/").content.decode()
    other = Client()
    other.cookies["scoring_device"] = str(uuid.uuid4())
    with django_assert_num_queries(1):
        second = other.get(address + "live/").content.decode()
    own = r'name="id" value="([0-9a-f-]{36})"'
    token = r'name="csrfmiddlewaretoken" value="[^"]*"'
    both = f"{own}|{token}"
    assert re.sub(both, "", first) == re.sub(both, "", second)


def test_a_readers_buttons_work_after_an_update_too():
    table = make_table()
    address = auditor_link(table, "reader")
    strict = Client(enforce_csrf_checks=True)
    strict.get(address)
    play(running(table), hand(1, 0))
    fragment = strict.get(address + "live/").content.decode()
    (token, *_others) = re.findall(r'name="csrfmiddlewaretoken" value="([^"]*)"', fragment)
    response = strict.post(address + "call/", {"reason": ""}, headers={"X-CSRFToken": token})
    assert response.status_code == 303
    table.refresh_from_db()
    assert table.call_since is not None
