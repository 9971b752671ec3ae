"""Calendars to subscribe to, and Atom feeds."""

from __future__ import annotations

from datetime import datetime
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import icalendar
import pytest
from django.test import Client

from tests.tournaments.factories import finished_heat, make_players
from tournaments.events.commands.events import set_event_status
from tournaments.models import Day, Event
from tournaments.models.enums import EventStatus, Visibility
from tournaments.registration.commands.people import change_person
from tournaments.registration.queries.player_links import token_of

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
ZONE = ZoneInfo("Europe/Stockholm")


def entries(path: str) -> list[icalendar.Event]:
    answer = Client().get(path)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/calendar")
    read: list[icalendar.Event] = icalendar.Calendar.from_ical(answer.content).walk("VEVENT")
    return read


@pytest.fixture
def paths(event: Event) -> list[str]:
    """The addresses of one event's calendars; its day is after the change of the clock."""
    at = datetime(2026, 10, 25, 10, tzinfo=ZONE)
    Day.objects.create(event=event, name="1A", starts_at=at)
    [player] = make_players(event, 1, here=False)
    return [
        f"/e/{event.slug}/calendar.ics",
        f"/organisers/{event.organiser.slug}/calendar.ics",
        f"/p/{token_of(player)}/calendar.ics",
    ]


def test_each_calendar_has_the_day_in_local_time(paths: list[str]) -> None:
    for path in paths:
        [entry] = entries(path)
        assert entry["dtstart"].dt.astimezone(ZONE) == datetime(2026, 10, 25, 10, tzinfo=ZONE)
        assert entry["dtstart"].params["TZID"] == "Europe/Stockholm"


def test_a_calendar_asked_again_costs_nothing(paths: list[str]) -> None:
    for path in paths:
        etag = Client().get(path)["ETag"]
        assert Client().get(path, headers={"if-none-match": etag}).status_code == 304


def test_scripts_of_other_sites_read_what_everybody_may(event: Event, paths: list[str]) -> None:
    *public, own = paths
    for path in (
        *public,
        f"/e/{event.slug}/feed.atom",
        public[1].replace("calendar.ics", "feed.atom"),
    ):
        for _made_then_cached in range(2):
            answer = Client().get(path)
            assert answer["Access-Control-Allow-Origin"] == "*", path
            again = Client().get(path, headers={"if-none-match": answer["ETag"]})
            assert (again.status_code, again["Access-Control-Allow-Origin"]) == (304, "*"), path
    assert "Access-Control-Allow-Origin" not in Client().get(own)


def test_what_is_a_draft_again_is_cancelled_for_subscribers(event: Event, paths: list[str]) -> None:
    set_event_status(event=event, to=EventStatus.DRAFT, by=None)
    [entry] = entries(paths[1])
    assert (entry["status"], "summary" in entry) == ("CANCELLED", False)
    assert Client().get(paths[0]).status_code == 404


def test_the_feed_tells_draws_and_closed_heats_with_shown_names(event: Event) -> None:
    finished_heat(event)
    first = event.registrations.order_by("number")[0].person
    change_person(person=first, by=None, event=event, visibility=Visibility.HIDDEN)
    text = Client().get(f"/e/{event.slug}/feed.atom").content.decode()
    titles = [
        each.findtext(f"{ATOM}title") for each in ElementTree.fromstring(text).iter(f"{ATOM}entry")
    ]
    assert sorted(filter(None, titles)) == ["Draw 1", "Heat 1"]
    assert first.legal_name not in text
    organiser = Client().get(f"/organisers/{event.organiser.slug}/feed.atom").content
    [entry] = ElementTree.fromstring(organiser).iter(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title") == event.name


def test_a_name_is_no_markup_in_a_feed_reader(event: Event) -> None:
    finished_heat(event)
    person = event.registrations.order_by("number")[0].person
    change_person(person=person, by=None, given_name="Bo <b>", family_name="& Co", event=event)
    feed = ElementTree.fromstring(Client().get(f"/e/{event.slug}/feed.atom").content)
    [summary] = [each for each in feed.iter(f"{ATOM}summary") if each.text]
    assert summary.get("type") == "html"
    assert "Bo &lt;b&gt; &amp; Co" in (summary.text or "")
