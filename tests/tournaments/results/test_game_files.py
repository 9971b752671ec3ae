"""Games and deals as files, which join with the lists by the player's number."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.text import capfirst

from engine.sheet.record import read_record
from scoring.words import step_name
from tests.tournaments.factories import finished_heat, make_event
from tournaments.documents import event_document
from tournaments.models import Event
from tournaments.models.enums import HeatStatus
from tournaments.registration.commands.people import change_person


@pytest.fixture
def event(db: None) -> Event:
    event = make_event(games_per_heat=2)
    finished_heat(event)
    person = event.registrations.get(number=2).person
    change_person(person=person, by=None, club="Nord")
    change_person(
        person=event.registrations.get(number=3).person, by=None, club="Syd", visibility="hidden"
    )
    return event


def rows_of(client: Client, event: Event, name: str) -> list[dict[str, Any]]:
    address = reverse(f"tournaments:{name}", args=[event.slug, "csv"])
    text = client.get(address, {"lang": "en"}).text.removeprefix("\ufeff")
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize(
    "name",
    ["standings_export", "player_standings_export", "qualified_export", "result_export",
     "games_export", "deals_export"],
)  # fmt: skip
def test_every_file_has_the_players_number_and_club(
    event: Event, client: Client, name: str
) -> None:
    rows = rows_of(client, event, name)
    assert rows
    clubs = {row["Player's number"]: row["Club"] for row in rows}
    assert set(clubs) <= {"1", "2", "3", "4"}
    # A hidden player's club is hidden with the name.
    assert all(club == ("Nord" if number == "2" else "") for number, club in clubs.items())


def test_the_games_add_up_to_the_heat(event: Event, client: Client) -> None:
    games = rows_of(client, event, "games_export")
    assert len(games) == 2 * 4
    with translation.override("en"):
        score = capfirst(str(step_name("score_points")))
    for heat in rows_of(client, event, "standings_export"):
        own = [row for row in games if row["Player's number"] == heat["Player's number"]]
        assert {row["Heat"] for row in own} == {heat["Heat"]}
        assert sum(int(row[score]) for row in own) == int(heat[score])
        assert sum(float(row["Game points"]) for row in own) == float(heat["Game points"])


def test_the_deals_give_each_score(event: Event, client: Client) -> None:
    rows = rows_of(client, event, "deals_export")
    last: dict[tuple[str, str], str] = {}
    for row in rows:
        assert row["Fact"] in {"score", "executed", "asterisk", "discardless", "status"}
        if row["Fact"] == "score":
            last[row["Game"], row["Player's number"]] = row["To"]
    [stage] = event_document(event)["stages"]
    for game in stage["heats"][0]["games"]:
        record = read_record(game)
        for seat, score in enumerate(record.replay().state.scores):
            assert int(last.get((str(game["game"]), record.seats[seat]), 0)) == score


def test_a_void_heat_is_in_no_file(event: Event, client: Client) -> None:
    event.heats.update(status=HeatStatus.VOID)
    assert not rows_of(client, event, "games_export")
    assert not rows_of(client, event, "deals_export")
