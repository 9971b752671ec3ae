"""What everybody may read through the interface, and how."""

from __future__ import annotations

import json
from datetime import datetime
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from tests.tournaments.factories import finished_heat, make_event, make_heats, make_players, write
from tests.tournaments.playoffs.factories import played_round, qualified_event
from tournaments.draws.commands.drafts import draft_heats
from tournaments.models import Event, HeatResult
from tournaments.models.enums import EventStatus, Visibility
from tournaments.registration.commands.people import change_person

pytestmark = pytest.mark.django_db
PARTS = ("", "players", "heats", "draws", "standings", "qualified", "play-offs", "result",
         "statistics", "document")  # fmt: skip


def read(path: str, status: int = 200, **headers: str) -> Any:
    answer = Client().get(f"/api/v1/{path}", headers=headers)
    assert answer.status_code == status, (path, answer.content)
    return answer.json()


@pytest.fixture
def played(event: Event) -> Event:
    finished_heat(event)
    return event


@pytest.mark.parametrize("part", PARTS)
def test_every_document_of_an_event_is_read(played: Event, part: str) -> None:
    assert read(f"events/{played.slug}/{part}/".replace("//", "/"))


def test_the_lists_lead_to_the_event(played: Event) -> None:
    assert read("organisers/")["items"][0]["slug"] == played.organiser.slug
    [found] = read(f"events/?organiser={played.organiser.slug}")["items"]
    assert found["slug"] == played.slug
    assert read(found["address"].partition("/api/v1/")[2])["parts"]["result"].endswith("/result/")
    assert read("series/")["items"] == []


def test_points_are_exact_and_rounded(played: Event) -> None:
    row = HeatResult.objects.filter(heat__event=played).order_by("order")[0]
    row.game_points = Fraction(35, 3)
    row.save()
    [first, *_] = read(f"events/{played.slug}/heats/1/")["players"]
    assert first["game_points"] == {"exact": "35/3", "decimal": "11.67"}


def test_a_game_tells_what_each_line_did(played: Event) -> None:
    game = read(f"events/{played.slug}/heats/1/games/1/")
    facts = [fact for deal in game["deals"] for row in deal["entries"] for fact in row["facts"]]
    assert {"score", "game"} <= {fact["fact"] for fact in facts}
    assert len({seat["number"] for seat in game["seats"]}) == 4
    at = datetime.fromisoformat(game["last_entry_at"])
    assert at.tzinfo is not None
    assert at.microsecond
    assert read(f"events/{played.slug}/heats/1/games/9/", 404)["code"] == "no_game"


def test_play_offs_and_their_names() -> None:
    event = qualified_event(6)
    played_round(event)
    bracket = read(f"events/{event.slug}/play-offs/")
    assert bracket["has_begun"]
    assert bracket["rounds"][0]["tables"][0]["seats"][0]["name"]


def test_a_hidden_name_is_nowhere(played: Event) -> None:
    player = played.registrations.order_by("number")[0]
    name = player.person.legal_name
    change_person(person=player.person, by=None, event=played, visibility=Visibility.HIDDEN)
    for part in (*PARTS, "heats/1", "heats/1/games/1", "draws/1"):
        text = str(read(f"events/{played.slug}/{part}/".replace("//", "/")))
        assert name not in text, part


def test_a_draft_is_for_its_staff(played: Event) -> None:
    make_event(slug="secret", status=EventStatus.DRAFT)
    assert read("events/secret/", 404)["code"] == "no_event"
    assert [each["slug"] for each in read("events/")["items"]] == [played.slug]


def test_a_drafted_draw_is_in_no_document(event: Event) -> None:
    make_players(event, 8)
    draft_heats(event=event, by=None, seed="secret seed")
    for part in ("document", "draws", "heats"):
        assert "secret seed" not in json.dumps(read(f"events/{event.slug}/{part}/"))


def test_pages_by_cursor_give_everybody_once(event: Event) -> None:
    make_players(event, 7)
    path: str | None = f"events/{event.slug}/players/?limit=3"
    numbers, pages = [], 0
    while path:
        page = read(path)
        numbers += [row["number"] for row in page["items"]]
        path = page["next"] and page["next"].partition("/api/v1/")[2]
        pages += 1
    assert (numbers, pages) == ([1, 2, 3, 4, 5, 6, 7], 3)


def changes(event: Event, since: str) -> tuple[list[int], str]:
    page = read(f"events/{event.slug}/heats/?since={since}&limit=2")
    numbers = [row["number"] for row in page["items"]]
    while page["next"]:
        page = read(page["next"].partition("/api/v1/")[2])
        numbers += [row["number"] for row in page["items"]]
    return numbers, page["since"]


def test_since_tells_each_change_once_and_comes_to_rest(event: Event) -> None:
    drawn = make_heats(event, 12)
    numbers, since = changes(event, "0")
    assert sorted(numbers) == [1, 2, 3]
    assert changes(event, since) == ([], since)
    sheet = drawn.heats[1].table.sheets.get(number=1)
    write(sheet, {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"})
    numbers, later = changes(event, since)
    assert numbers == [drawn.heats[1].number]
    assert changes(event, later) == ([], later)
    # A name that changes changes the heats in which it stands.
    person = drawn.heats[0].entries.first().registration.person
    change_person(person=person, by=None, event=event, club="Kortet")
    assert changes(event, later)[0] == [drawn.heats[0].number]


def test_the_whole_list_says_since_when(event: Event) -> None:
    make_heats(event, 8)
    since = read(f"events/{event.slug}/heats/")["since"]
    assert changes(event, since) == ([], since)


@pytest.mark.parametrize("query", ["after=x", "limit=0", "limit=201", "limit=-1", "wrong=1",
                                   "since=x", "since=1-2-3", "after=1&after=2", "limit=", "after=",
                                   "after=%00"])  # fmt: skip
def test_a_wrong_query_is_a_problem(event: Event, query: str) -> None:
    problem = read(f"events/{event.slug}/heats/?{query}", 400)
    assert problem["code"] == "bad_query"
    assert problem["status"] == 400


def test_problems_are_in_the_readers_language(event: Event) -> None:
    answer = Client().get("/api/v1/nowhere/", headers={"accept-language": "sv"})
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"
    assert answer["Access-Control-Allow-Origin"] == "*"
    swedish, english = answer.json(), read("nowhere/", 404)
    assert swedish["code"] == english["code"] == "not_found"
    assert swedish["detail"] != english["detail"]


def test_an_address_without_its_last_slash_leads_to_the_right_one(played: Event) -> None:
    path = f"/api/v1/events/{played.slug}/standings"
    answer = Client().get(f"{path}?lang=sv")
    assert (answer.status_code, answer["Location"]) == (301, f"{path}/?lang=sv")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert Client().head(path).status_code == 301
    for other in (f"{path}x", "/api/v1/nothing", f"{path}/x\n"):
        assert Client().get(other).json()["code"] == "not_found"
    assert Client().post(path).status_code == 404


def test_what_has_not_changed_is_not_sent_again(played: Event) -> None:
    path, client = f"/api/v1/events/{played.slug}/heats/", Client()
    first = client.get(path)
    assert client.head(path)["ETag"] == first["ETag"]
    again = client.get(path, headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    for name in ("Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Vary"):
        assert again[name] == first[name]
    mine = {"if-none-match": first["ETag"], "cookie": "sessionid=x"}
    own = client.get(path, headers=mine)
    assert (own.status_code, own["Access-Control-Allow-Origin"]) == (304, "*")
    change_person(
        person=played.registrations.first().person, by=None, event=played, display_name="Kortet"
    )
    assert client.get(path, headers={"if-none-match": first["ETag"]}).status_code == 200


def test_scripts_of_other_sites_may_read(played: Event) -> None:
    path = f"/api/v1/events/{played.slug}/"
    asked = Client().options(path, headers={"origin": "https://club.example"})
    assert asked.status_code == 204
    assert asked["Access-Control-Allow-Methods"] == "GET, HEAD"
    read_ = Client().get(path, headers={"origin": "https://club.example"})
    assert read_["Access-Control-Allow-Origin"] == "*"
    assert not read_.cookies
    assert Client().post(path, {}, content_type="application/json").status_code == 405
