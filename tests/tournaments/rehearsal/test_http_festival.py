"""Whole events, played through the pages alone, without calling the program's functions.

The people are in ``http_people``, the event in ``http_event``. The owner makes the event and names
the staff, the cashier registers, the director draws, the floor hands out links, Auditors score on
phones without accounts, and the public reads.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import tablib
from django.test import Client
from pytest_django import Settings

from engine.draws.draw import heat_sizes
from tests.tournaments.rehearsal.http_event import Event
from tests.tournaments.rehearsal.http_people import (
    Page,
    draw_now,
    names,
    publish,
    sit_down,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def installation(tmp_path: Path, settings: Settings) -> None:
    """Give every test an empty installation, with its own setup code."""
    settings.DATA_DIR = tmp_path


# --- the festival ------------------------------------------------------------------------------


def absent(event: Event, page: Page, name: str) -> Page:
    """Mark a no-show with the button beside the name."""
    number = event.numbers[name]
    return event.director.does(page, "round_absent", number=number, reason="not there at noon")


def the_end(event: Event, players: int) -> str:
    """Finish the event; everybody can read the winner and the ranking. Return the champion."""
    settings = event.director.opens("event_settings")
    path = event.director.url("event_status")
    form = next(form for form in settings.forms() if form.fields.get("to") == ["finished"])
    done = event.director.client.post(path, form.filled(), follow=True)
    assert "Finished" in done.content.decode()
    rows = event.table("result_export")
    assert len(rows) == len({row["Number"] for row in rows}) == players
    assert [int(row["Place"]) for row in rows] == sorted(int(row["Place"]) for row in rows)
    best = rows[0]["Player"]
    assert [row["Place"] for row in rows].count("1") == 1
    for page in ("champion", "event", "result"):
        assert best in event.public.opens(page).text
    standings = event.table("standings_export")
    answer = event.public.client.get(event.public.url("standings_export", fmt="xlsx"))
    book = tablib.Dataset().load(answer.content, format="xlsx")
    assert [row["Player"] for row in book.dict] == [row["Player"] for row in standings]
    assert {row["Player"] for row in standings} == {row["Player"] for row in rows}
    assert event.public.client.get(event.public.url("playoffs_pdf")).content[:4] == b"%PDF"
    return best


# --- five qualifiers ---------------------------------------------------------------------------


# --- the Swedish Championship ------------------------------------------------------------------


@pytest.mark.slow
def test_the_championship_through_settings_only() -> None:
    event = Event(name="SM", slug="sm", format="sm")
    settings = event.director.opens("event_settings")
    form = next(form for form in settings.forms() if "rules" in form.fields)
    assert form.fields["points_4"] == ["20 12 8 5"]
    assert form.fields["playoff_advance"] == ["2 1"]
    event.registers(names(33))
    heats = draw_now(event.director)
    tables = [event.plays(heat) for heat in heats]
    assert [len(table.players) for table in tables] == heat_sizes(33)
    qualified = event.qualified()
    assert qualified == [name for table in tables for name in sorted(table.players)[:2]]
    # The championship's points: two games won and one second place.
    page = event.public.opens("heat", number=heats[0])
    assert "48.33" in page.text
    # Everybody may enter once.
    loser = max(tables[0].players)
    refused = event.cashier.taps("player_enter", 409, number=event.numbers[loser])
    assert 'data-code="no_entries_left"' in refused.html
    rounds = []
    while not (page := event.director.opens("rounds")).links(event.director.url("champion")):
        page = event.director.does(page, "round_prepare")
        if len(rounds) == 1:
            # Day 2: somebody stays away, and the next of the same heat plays instead.
            missed = page.form(event.director.url("round_absent")).choices["number"][0]
            page = absent(event, page, event.known_as(int(missed)))
        draft = event.director.does(page, "round_draft", grouping="snake" if rounds else "draw")
        played = [event.plays(heat) for heat in publish(event.director, draft)]
        rounds.append([len(table.players) for table in played])
    # Two of each table go on to a session of the same day, from day 2 on just one.
    assert rounds == [heat_sizes(18), heat_sizes(10), [3]]
    champion = the_end(event, players=33)
    document = event.document()
    assert document["game_points"] == {"3": [20, 12, 8], "4": [20, 12, 8, 5]}
    assert [stage["advance"] for stage in document["stages"]] == [2, 2, 1, 1]
    seated = [row for stage in document["stages"] for row in stage.get("players", ())]
    assert [row["replaces"] for row in seated if row["replaces"]] == [missed]
    assert document["result"][0]["id"] == str(event.numbers[champion])


# --- a club evening ----------------------------------------------------------------------------


def test_a_club_evening_of_one_table() -> None:
    event = Event(name="Tisdag", slug="tisdag", format="club")
    event.registers(names(4))
    (heat,) = draw_now(event.director)
    auditor = sit_down(event.director, heat)
    one, two, three, four = sorted(auditor.players)
    auditor.hand(two, "pair")
    auditor.hand(three, "full_house")
    auditor.trick(three)
    auditor.nobody()
    auditor.win(one)
    auditor.games([two, one])
    # Everybody follows on their own phone; only the Auditor writes.
    shared = auditor.client.post(f"{auditor.link}share/").content.decode()
    links = re.findall(r"/s/[\w.~-]+/", shared)
    reading = next(link for link in links if link != auditor.link)
    watching = Client().get(reading)
    assert watching.status_code == 200
    assert Client().post(f"{reading}sign/").status_code == 403
    auditor.sign()
    # There are no play-offs and nobody may enter again, so the evening ends by itself.
    event.public.opens("qualified", 404)
    rows = event.table("standings_export")
    assert [row["Player"] for row in rows][:3] == [one, two, three]
    assert one in event.public.opens("champion").text
    places = {row["Player"]: row["Place"] for row in event.table("result_export")}
    assert places == {one: "1", two: "2", three: "3", four: "4"}
    event.document()
