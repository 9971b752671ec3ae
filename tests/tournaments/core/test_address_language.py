"""A language in the address: of pages, and of files with their separators."""

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import finished_heat, make_event
from tournaments.models import Event

COOKIE = settings.LANGUAGE_COOKIE_NAME


@pytest.fixture
def event(db: None) -> Event:
    event = make_event()
    finished_heat(event)
    return event


def page(event: Event, name: str = "standings", **more: str) -> str:
    return reverse(f"tournaments:{name}", args=[event.slug, *more.values()])


@pytest.mark.parametrize(("asked", "told"), [("sv", "sv"), ("en", "en"), ("sv-FI", "sv")])
def test_the_address_comes_before_the_readers_own_language(
    event: Event, client: Client, asked: str, told: str
) -> None:
    client.cookies[COOKIE] = "en" if told == "sv" else "sv"
    answer = client.get(page(event), {"lang": asked, "sort": "place"})
    assert f'<html lang="{told}"' in answer.text
    # What the page fetches and leads to goes on in it.
    assert client.cookies[COOKIE].value == told
    assert f'<html lang="{told}"' in client.get(page(event)).text


@pytest.mark.parametrize("asked", ["", "xx", "../sv", "\0", "sv" * 400])
def test_an_unknown_language_is_passed_over(event: Event, client: Client, asked: str) -> None:
    answer = client.get(page(event), {"lang": asked}, headers={"Accept-Language": "sv"})
    assert '<html lang="sv"' in answer.text
    assert COOKIE not in client.cookies


def test_an_address_without_its_last_slash_keeps_the_language(event: Event) -> None:
    path = f"/embed/{event.slug}/standings"
    answer = Client().get(f"{path}?lang=sv", headers={"Accept-Language": "en"})
    assert (answer.status_code, answer["Location"]) == (301, f"{path}/?lang=sv")
    sorted_page = Client().get(page(event)[:-1], {"sort": "place", "lang": "sv"})
    assert sorted_page["Location"] == f"{page(event)}?sort=place&lang=sv"


def test_one_cached_page_for_each_language(event: Event, client: Client) -> None:
    own = client.get(page(event), headers={"Accept-Language": "sv"})
    client.cookies.clear()
    given = client.get(page(event), {"lang": "sv"})
    assert given.content == own.content
    assert given["ETag"] == own["ETag"]
    same = client.get(page(event), {"lang": "sv"}, headers={"If-None-Match": given["ETag"]})
    assert same.status_code == 304
    sorted_page = client.get(page(event), {"lang": "sv", "sort": "-place"}).text
    # Its head names the page's other languages.
    shown = sorted_page.partition("<body")[2].partition('<div class="downloads">')[0]
    assert 'sort=place"' in shown
    assert "lang=sv" not in shown


def test_a_files_separators_are_those_of_its_address(event: Event, client: Client) -> None:
    client.cookies[COOKIE] = "en"
    address = page(event, "result_export", fmt="csv")
    swedish, english = (client.get(address, {"lang": code}).text for code in ("sv", "en"))
    assert swedish.startswith("\ufeffPlacering;Spelarens nummer;")
    assert english.startswith("\ufeffPlace,Player's number,")
    assert client.cookies[COOKIE].value == "en"
    assert "?lang=en" in client.get(page(event, "result")).text


@pytest.mark.parametrize("fmt", ["csv", "xlsx"])
def test_a_file_is_sent_once(event: Event, client: Client, fmt: str) -> None:
    address = page(event, "result_export", fmt=fmt)
    mark = client.get(address, {"lang": "sv"})["ETag"]
    again = client.get(address, {"lang": "sv"}, headers={"If-None-Match": mark})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get(address, {"lang": "en"}, headers={"If-None-Match": mark})
    assert other.status_code == 200
    person = event.registrations.get(number=1).person
    person.legal_name = person.given_name = "Zoë"
    person.save()
    assert client.get(address, {"lang": "sv"}, headers={"If-None-Match": mark}).status_code == 200
