"""What robots, and programs that show a link, are told of pages."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import finished_heat, make_heats, write
from tournaments.models import Event
from tournaments.models.enums import Role, Visibility
from tournaments.registration.commands.people import change_person
from tournaments.registration.queries.player_links import token_of

pytestmark = pytest.mark.django_db


def head(path: str, client: Client | None = None) -> str:
    answer = (client or Client()).get(path)
    assert answer.status_code == 200, path
    return answer.content.decode().partition("</head>")[0]


def meta(text: str, name: str) -> str:
    found = re.search(rf'<meta (?:name|property)="{re.escape(name)}" content="([^"]*)"', text)
    return found[1] if found else ""


def test_a_heat_says_who_plays_and_who_leads(event: Event) -> None:
    heat = make_heats(event, 3).heats[0]
    sheet = heat.table.sheets.get(number=1)
    text = head(f"/e/{event.slug}/heats/1/")
    assert meta(text, "og:title") == f"Heat 1 · {event.name}"
    assert " · " not in meta(text, "og:description")
    write(sheet, {"kind": "hand", "phase": 1, "seat": 1, "category": "flush"})
    leader = event.registrations.get(number=int(sheet.seats[1])).person.legal_name
    described = meta(head(f"/e/{event.slug}/heats/1/"), "og:description")
    assert described.endswith(f" · {leader} 5")
    assert described.count(",") == 2


def test_public_pages_have_one_address_for_each_language(event: Event) -> None:
    finished_heat(event)
    for path in ("", "heats/1/", "players/1/", "standings/", "result/"):
        text = head(f"/e/{event.slug}/{path}?lang=sv")
        address = f"http://testserver/e/{event.slug}/{path}"
        assert f'<link rel="canonical" href="{address}?lang=sv">' in text
        assert f'hreflang="en" href="{address}?lang=en"' in text
        assert f'hreflang="x-default" href="{address}"' in text
        assert meta(text, "og:image").startswith("http://testserver/")


def test_every_page_is_shared_under_its_own_name(event: Event) -> None:
    finished_heat(event)
    event.name = "Bo & Co’s <cup>"
    event.save()
    name = "Bo &amp; Co’s &lt;cup&gt;"
    for path, title in (
        (f"/e/{event.slug}/", name),
        (f"/e/{event.slug}/standings/", f"Standings · {name}"),
        (f"/e/{event.slug}/result/", f"Ranking so far · {name}"),
        (f"/e/{event.slug}/draws/1/", f"Draw 1 · {name}"),
        ("/", "Events · Chicago"),
    ):
        text = head(path)
        assert meta(text, "og:title") == title
        assert meta(text, "og:image").startswith("http://testserver/")


def test_an_event_is_one_for_search_programs(event: Event) -> None:
    event.name = "</script><b>"
    event.save()
    text = head(f"/e/{event.slug}/")
    data = text.partition('application/ld+json">')[2].partition("</script>")[0]
    assert json.loads(data)["name"] == "</script><b>"
    assert json.loads(data)["@type"] == "Event"


def test_a_hidden_name_is_in_no_shared_link(event: Event) -> None:
    finished_heat(event)
    player = event.registrations.order_by("number")[0]
    name = player.person.legal_name
    change_person(person=player.person, by=None, event=event, visibility=Visibility.HIDDEN)
    assert name not in head(f"/e/{event.slug}/heats/1/")


def test_private_pages_carry_none_of_it(event: Event) -> None:
    finished_heat(event)
    path = f"/p/{token_of(event.registrations.order_by('number')[0])}/"
    desk = client_of(event, Role.DIRECTOR)
    for address, client in ((path, Client()), (f"/e/{event.slug}/desk/", desk)):
        answer = client.get(address)
        assert answer["X-Robots-Tag"] == "noindex"
        text = head(address, client)
        assert "canonical" not in text
        assert "og:" not in text
    assert "X-Robots-Tag" not in Client().get(f"/e/{event.slug}/")


def test_robots_are_told_where_the_pages_are(event: Event) -> None:
    robots = Client().get("/robots.txt").content.decode()
    assert "Disallow: /p/\n" in robots
    sitemap = Client().get("/sitemap.xml").content.decode()
    assert robots.endswith("Sitemap: http://testserver/sitemap.xml\n")
    assert f"<loc>http://testserver/e/{event.slug}/?lang=sv</loc>" in sitemap
    assert Client().get("/app.webmanifest").json()["start_url"] == "/"
