"""Framed pieces: framed there and nowhere else, without cookies and session."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import finished_heat, make_event
from tests.tournaments.playoffs.factories import played_round, qualified_event
from tournaments.models import Event
from tournaments.models.enums import EventStatus, Role

pytestmark = pytest.mark.django_db
PIECES = ("standings", "play-offs", "heats/1", "timetable")


@pytest.mark.parametrize("piece", PIECES)
def test_a_piece_may_be_framed_and_sets_no_cookie(event: Event, piece: str) -> None:
    finished_heat(event)
    answer = Client().get(f"/embed/{event.slug}/{piece}/?lang=sv", headers={"host": "testserver"})
    assert answer.status_code == 200
    assert "frame-ancestors *" in answer["Content-Security-Policy"]
    assert "X-Frame-Options" not in answer
    assert not answer.cookies
    assert 'lang="sv"' in answer.content.decode()
    assert "<form" not in answer.content.decode()


@pytest.mark.parametrize("path", ["", "standings/", "heats/1/"])
def test_other_pages_are_framed_nowhere(event: Event, path: str) -> None:
    finished_heat(event)
    answer = Client().get(f"/e/{event.slug}/{path}")
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "DENY"


def test_a_piece_is_the_same_for_staff(event: Event) -> None:
    finished_heat(event)
    path = f"/embed/{event.slug}/standings/"
    assert client_of(event, Role.OWNER).get(path).content == Client().get(path).content


def test_the_bracket_is_drawn() -> None:
    event = qualified_event(6)
    played_round(event)
    page = Client().get(f"/embed/{event.slug}/play-offs/").content.decode()
    # One for wide frames, one for narrow ones.
    assert page.count("<svg") == 2
    names = re.findall(r' id="([^"]+)"', page)
    assert len(names) == len(set(names)) > 1


def test_a_draft_is_not_framed() -> None:
    make_event(slug="secret", status=EventStatus.DRAFT)
    assert Client().get("/embed/secret/standings/").status_code == 404


def test_the_desk_gives_the_lines_to_paste(event: Event) -> None:
    page = client_of(event, Role.DIRECTOR).get(f"/e/{event.slug}/desk/tokens/").content.decode()
    assert f"/embed/{event.slug}/play-offs/" in page
    assert "tournaments/embed-size.js" in page
    assert f"/e/{event.slug}/calendar.ics" in page
