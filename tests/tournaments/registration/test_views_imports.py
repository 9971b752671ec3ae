"""Importing a list in two steps, and the registrations as a file."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone, translation
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tablib import Dataset

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_players
from tests.tournaments.jobs import KIND, run
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.core.queue import LOST, claim
from tournaments.models import Event, JobFile
from tournaments.models.enums import JobStatus, Role
from tournaments.registration.commands.people import change_person, register_person
from tournaments.registration.queries.import_preview import RowAction
from tournaments.registration.queries.player_list import Note
from tournaments.registration.queries.sheets.book import MAX_ROWS, PROBLEMS


@pytest.fixture
def cashier(event: Event) -> Client:
    return client_of(event, Role.CASHIER)


def signed_of(answer: object) -> str:
    found = re.search(r'name="signed" value="([^"]*)"', text_of(answer))
    assert found is not None
    return unescape(found.group(1))


def test_exactly_the_previewed_rows_are_imported(event: Event, cashier: Client) -> None:
    register_person(event=event, by=None, legal_name="Här Hansson")
    answer = cashier.post(
        url(event, "import_players"), {"text": "Anna Ek\nHär Hansson\nAnna Ek\n???"}
    )
    assert answer.status_code == 200
    assert [row.action for row in answer.context["preview"].rows] == [
        RowAction.NEW, RowAction.REGISTERED, RowAction.DUPLICATE, RowAction.UNREADABLE
    ]  # fmt: skip
    assert event.registrations.count() == 1
    cashier.post(url(event, "import_do"), {"signed": signed_of(answer)})
    assert event.registrations.count() == 2


def test_an_equal_name_is_asked_about_and_the_fate_shown_is_chosen(
    event: Event, cashier: Client
) -> None:
    here = register_person(event=event, by=None, legal_name="Bo Berg")
    answer = cashier.post(url(event, "import_players"), {"text": "Bo Berg\nBo Berg\nAnna Ek"})
    text = text_of(answer)
    assert re.findall(r'<select [^>]*name="is-(\d)"', text) == ["1", "2"]
    chosen = re.findall(r'<option value="([^"]*)" selected', text)
    assert chosen == ["0", str(here.person.public_id)]
    form = {"signed": signed_of(answer), "is-1": str(here.person.public_id), "is-2": ""}
    cashier.post(url(event, "import_do"), form)
    assert event.registrations.count() == 2
    again = cashier.post(url(event, "import_players"), {"text": "Bo Berg"})
    cashier.post(url(event, "import_do"), {"signed": signed_of(again), "is-1": "new"})
    assert event.registrations.filter(person__legal_name="Bo Berg").count() == 2


def sent_in(cashier: Client, event: Event, content: bytes) -> str:
    """Upload a file; return the address of its preview."""
    file = SimpleUploadedFile("a.csv", content)
    answer = cashier.post(url(event, "import_players"), {"file": file})
    assert answer.status_code == 302
    return str(answer["Location"])


def read(cashier: Client, event: Event, content: bytes) -> Any:
    """Upload a file, have it read, and return its preview."""
    page = sent_in(cashier, event, content)
    assert run("spreadsheet") == [1]
    return cashier.get(page)


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8", "utf-16"])
def test_text_file_is_read(event: Event, cashier: Client, encoding: str) -> None:
    answer = read(cashier, event, "namn;klubb\nÅsa Öberg;Ö".encode(encoding))
    assert [each.row.legal_name for each in answer.context["preview"].rows] == ["Åsa Öberg"]


SPREADSHEET = Dataset(("Namn", "Klubb"), ("Åsa Öberg", "Ö")).export("xlsx")


def test_spreadsheet_is_read_by_the_worker(event: Event, cashier: Client) -> None:
    page = sent_in(cashier, event, SPREADSHEET)
    assert "Åsa Öberg" not in text_of(cashier.get(page))
    assert [run("spreadsheet"), run("spreadsheet")] == [[1], [0]]
    job = event.jobs.get()
    assert not JobFile.objects.exists()
    answer = cashier.get(page)
    assert [each.row.legal_name for each in answer.context["preview"].rows] == ["Åsa Öberg"]
    cashier.post(url(event, "import_do"), {"signed": signed_of(answer)})
    assert event.registrations.count() == 1
    other = make_event()
    theirs = url(other, "import_spreadsheet", number=job.pk)
    assert client_of(other, Role.OWNER).get(theirs).status_code == 404


def test_an_unreadable_spreadsheet_says_so(event: Event, cashier: Client) -> None:
    for content, code in ((b"PK\x03\x04x", "unreadable"), (b"\xd0\xcf\x11\xe0", "old_format")):
        assert codes_in(read(cashier, event, content)) == {code}


def test_a_readers_own_language_tells_what_is_wrong_with_a_file(
    event: Event, cashier: Client
) -> None:
    page = sent_in(cashier, event, b"a\n" * 1_001)
    run("spreadsheet")
    for language in ("sv", "en"):
        cashier.cookies["django_language"] = language
        told = text_of(cashier.get(page))
        with translation.override(language):
            assert str(PROBLEMS["too_much"]) % {"rows": MAX_ROWS} in told


def test_a_readers_own_language_tells_what_is_wrong_with_a_row(
    event: Event, cashier: Client
) -> None:
    page = sent_in(cashier, event, b"name;e-mail\nAnna Ek;nobody\n123;")
    run("spreadsheet")
    for language in ("sv", "en"):
        cashier.cookies["django_language"] = language
        told = text_of(cashier.get(page))
        with translation.override(language):
            assert str(Note("no_mail", {"text": "nobody"})) in told
            assert str(Note("no_name")) in told


def test_a_spreadsheet_that_kills_the_worker_is_given_up(event: Event, cashier: Client) -> None:
    page = sent_in(cashier, event, SPREADSHEET)
    assert claim(KIND["spreadsheet"], "killed")
    assert run("spreadsheet") == [0]
    assert codes_in(cashier.get(page)) == set()
    event.jobs.update(claimed_at=timezone.now() - LOST)
    assert run("spreadsheet") == [0]
    assert event.jobs.get().status == JobStatus.FAILED
    assert codes_in(cashier.get(page)) == {"not_read"}


def test_nobody_waits_for_ever_for_a_list_to_be_read(event: Event, cashier: Client) -> None:
    page = sent_in(cashier, event, SPREADSHEET)
    event.jobs.update(expires_at=timezone.now())
    assert codes_in(cashier.get(page)) == {"not_read"}
    assert run("spreadsheet") == [0]
    assert codes_in(cashier.get(page)) == {"not_read"}


def test_old_spreadsheets_are_deleted(event: Event, cashier: Client) -> None:
    sent_in(cashier, event, SPREADSHEET)
    event.jobs.update(made_at=timezone.now() - timedelta(hours=7))
    sent_in(cashier, event, SPREADSHEET)
    assert event.jobs.count() == 1


def test_a_player_registered_since_the_preview(event: Event, cashier: Client) -> None:
    answer = cashier.post(url(event, "import_players"), {"text": "Anna Ek\nBo Ek"})
    register_person(event=event, by=None, legal_name="Bo Ek")
    again = cashier.post(url(event, "import_do"), {"signed": signed_of(answer)})
    assert again.status_code == 409
    assert codes_in(again) == {"changed"}
    assert [row.action for row in again.context["preview"].rows] == [
        RowAction.NEW, RowAction.REGISTERED
    ]  # fmt: skip
    cashier.post(url(event, "import_do"), {"signed": signed_of(again)})
    assert event.registrations.count() == 2


@pytest.mark.parametrize("text", ["", " \n ", "namn;klubb", "a" * 200_001])
def test_nothing_to_read(event: Event, cashier: Client, text: str) -> None:
    assert cashier.post(url(event, "import_players"), {"text": text}).status_code == 422


def test_a_file_that_is_too_large_or_missing(event: Event, cashier: Client) -> None:
    for data, code in ((b"a" * 1_100_000, "too_much"), (b"", "nothing_there")):
        answer = cashier.post(
            url(event, "import_players"), {"file": SimpleUploadedFile("x.xlsx", data)}
        )
        assert answer.status_code == 422
        assert codes_in(answer) == {code}


def test_every_row_of_the_longest_list_can_be_answered(event: Event, cashier: Client) -> None:
    answer = cashier.post(url(event, "import_players"), {"text": "Anna Ek"})
    answers = {f"is-{number}": "" for number in range(1, MAX_ROWS + 1)}
    form = {"signed": signed_of(answer), "once": "1", "next": "", **answers}
    assert cashier.post(url(event, "import_do"), form).status_code == 303
    assert event.registrations.count() == 1


@pytest.mark.parametrize("signed", ["", "x", "\x00", "a:b:c"])
def test_forged_preview_does_nothing(event: Event, cashier: Client, signed: str) -> None:
    answer = cashier.post(url(event, "import_do"), {"signed": signed}, follow=True)
    assert codes_in(answer) == {"bad_preview"}
    assert not event.registrations.exists()


def test_another_events_preview_does_nothing(event: Event, cashier: Client) -> None:
    other = make_event()
    answer = client_of(other, Role.OWNER).post(url(other, "import_players"), {"text": "Anna Ek"})
    cashier.post(url(event, "import_do"), {"signed": signed_of(answer)})
    assert not event.registrations.exists()


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.binary(min_size=1, max_size=200))
def test_any_file_gets_an_answer(event: Event, cashier: Client, content: bytes) -> None:
    assert read(cashier, event, content).status_code == 200


def test_export_is_safe_to_open(event: Event, cashier: Client) -> None:
    player = register_person(event=event, by=None, legal_name="=1+1", club="＝x", phone="+46 1")
    change_person(person=player.person, by=None, visibility="hidden")
    csv = text_of(cashier.get(url(event, "registrations_export", fmt="csv")))
    first = event.registrations.order_by("number")[0]
    assert f"{timezone.localtime(first.registered_at):%Y-%m-%d %H:%M}" in csv
    for cell in ("'=1+1", "'＝x", "'+46 1", "Player 1"):
        assert cell in csv
    # As a person reads it: nothing before the sign.
    data = cashier.get(url(event, "registrations_export", fmt="xlsx")).content
    [row] = Dataset().load(BytesIO(data), format="xlsx").dict
    assert (row["Name"], row["Club"], row["Telephone"]) == ("=1+1", "＝x", "+46 1")
    local = timezone.localtime(first.registered_at).replace(second=0, microsecond=0, tzinfo=None)
    assert row["Registered"] == local
    assert cashier.get(url(event, "registrations_export", fmt="exe")).status_code == 404


@pytest.mark.parametrize("fmt", ["csv", "xlsx"])
def test_an_export_can_be_imported(event: Event, cashier: Client, fmt: str) -> None:
    make_players(event, 5, here=False)
    content = cashier.get(url(event, "registrations_export", fmt=fmt)).content
    answer = read(cashier, event, content)
    assert {row.action for row in answer.context["preview"].rows} == {RowAction.REGISTERED}
