"""Public pages are cached per change and language, and contain nothing about any reader."""

import gzip
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import caches
from django.db import connection, transaction
from django.db.models import F, Sum
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse
from django.utils import timezone

from engine.bots.chance import SEED, count
from scoring.models import Sheet
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import finished_heat, make_event, make_heats, play_game
from tournaments.core import page_cache
from tournaments.core.log import record
from tournaments.models import (
    Event,
    EventVersion,
    HeatResult,
    Person,
    Registration,
    SimulatedHands,
)
from tournaments.models.enums import EventStatus, LogAction, Role
from tournaments.results.commands import add_simulated
from tournaments.statistics.queries.rating import changed_organisers

pytestmark = pytest.mark.django_db

#: Every address that is cached, for a reader without an account.
NAMES = [
    "home", "event", "event_now", "standings", "qualified", "player_standings", "result",
    "champion", "hands", "playoffs", "playoffs_now", "playoffs_svg", "draws", "draw", "heat",
    "heat_live", "heat_game", "heat_deals", "games_export", "deals_export", "event_calendar",
    "event_feed", "embed_standings", "embed_playoffs", "embed_heat", "embed_timetable",
]  # fmt: skip


def path(name: str, event: Event) -> str:
    more: dict[str, list[Any]] = {
        "heat": [1],
        "heat_live": [1],
        "heat_game": [1, 1],
        "heat_deals": [1, 1],
        "draw": [1],
        "games_export": ["csv"],
        "deals_export": ["csv"],
        "embed_heat": [1],
    }
    arguments = [] if name == "home" else [event.slug, *more.get(name, [])]
    return reverse(f"tournaments:{name}", args=arguments)


def queries(client: Client, address: str, **headers: str) -> tuple[Any, int]:
    with CaptureQueriesContext(connection) as found:
        response = client.get(address, headers=headers)
    return response, len(found)


def kept_pages() -> list[str]:
    """Return the keys of the pages that this process keeps; it keeps events there, too."""
    return [key for key in caches["pages"]._cache if ":event:" not in key]


def version(event: Event) -> tuple[int, int]:
    row = EventVersion.objects.get(event=event)
    return row.number, row.directed


@pytest.fixture
def played(event: Event) -> Event:
    finished_heat(event)
    return event


# --- what is cached -----------------------------------------------------------------------------


def test_the_second_reader_costs_one_query(played: Event) -> None:
    for name in NAMES:
        address = path(name, played)
        first = Client().get(address)
        assert first.status_code == 200
        assert not first.cookies
        second, count = queries(Client(), address)
        assert (second.content, count) == (first.content, 1)
        assert second["ETag"] == first["ETag"]
        assert second["Content-Security-Policy"] == first["Content-Security-Policy"]
        again, count = queries(Client(), address, if_none_match=first["ETag"])
        assert (again.status_code, again.content, count) == (304, b"", 1)
        small, _count = queries(Client(), address, accept_encoding="gzip")
        assert small["Content-Encoding"] == "gzip"
        assert gzip.decompress(small.content) == first.content
        assert Client().head(address).content == b""


@pytest.mark.parametrize("host", ["testserver:1", "TestServer", "testserver."])
def test_no_spelling_of_the_host_fills_the_cache(played: Event, host: str) -> None:
    address = path("event", played)
    assert Client().get(address, headers={"host": host}).status_code == 200
    assert queries(Client(), address, host=host)[1] > 1


def test_the_port_on_which_we_listen_is_cached(played: Event) -> None:
    address = path("event", played)
    assert Client().get(address, headers={"host": "testserver:80"}).status_code == 200
    assert queries(Client(), address, host="testserver:80")[1] == 1


def test_every_cached_view_is_listed(played: Event) -> None:
    """Readers without an account get exactly these pages from the cache."""
    from tournaments.urls import _SUBJECTS

    marked = {
        pattern.name
        for subject in _SUBJECTS
        for kind in ("site", "event", "desk", "heat", "player")
        for pattern in getattr(subject, f"{kind}_patterns", ())
        if getattr(pattern.callback, "cached_query", None) is not None
    }
    # Pages with more in their address: playoffs/test_views_bracket.py, screens and results; of
    # several events: series/test_cached.py.
    more = {"overlay", "overlay_now", "player", "playoffs_round", "screen_part"}
    more |= {"series", "series_statistics", "series_document", "series_export"}
    more |= {"organiser_statistics", "ratings", "career"}
    assert marked == {*NAMES, *more}


def test_languages_hosts_and_query_strings_are_cached_apart(played: Event) -> None:
    address = path("standings", played)
    swedish = Client().get(address, headers={"accept-language": "sv"})
    english = Client().get(address, headers={"accept-language": "en"})
    client = Client()
    client.cookies["django_language"] = "sv"
    assert b'lang="sv"' in swedish.content
    assert b'lang="en"' in english.content
    assert queries(client, address)[0].content == swedish.content
    other = Client().get(address, headers={"host": "127.0.0.1"})
    assert kept_pages()
    local = Client().get(address, headers={"host": "localhost"})
    # Each names itself in its addresses.
    assert b"http://127.0.0.1/e/" in other.content
    assert other.content.replace(b"127.0.0.1", b"localhost") == local.content
    assert Client().get(address + "?sort=-place").content != Client().get(address).content
    # Pages with free-text parameters are never cached.
    assert queries(Client(), address + "?q=anna")[1] > 1
    assert queries(Client(), address + "?q=anna")[1] > 1


def test_signed_in_readers_neither_use_nor_fill_the_cache(played: Event) -> None:
    director = client_of(played, Role.DIRECTOR)
    name = User.objects.get(tournament_roles__event=played, tournament_roles__role="director")
    address = path("event_now", played)
    mark = director.get(address)["ETag"]
    assert director.get(address, headers={"if-none-match": mark}).status_code == 304
    for each in NAMES:
        caches["pages"].clear()
        director.get(path(each, played))
        assert not kept_pages(), each
        public = Client().get(path(each, played))
        for secret in (name.username, "csrfmiddlewaretoken", "account_logout", "/desk/"):
            assert secret not in public.content.decode(), (each, secret)


@pytest.mark.parametrize("cookie", ["sessionid", "messages", "remembered"])
def test_readers_with_certain_cookies_bypass_the_cache(played: Event, cookie: str) -> None:
    client = Client()
    client.cookies[cookie] = "anything"
    client.get(path("event", played))
    assert not kept_pages()


def test_an_event_is_read_again_after_a_director_has_changed_it(played: Event) -> None:
    director = client_of(played, Role.DIRECTOR)
    first, asked_first = queries(director, path("event_now", played))
    again, asked_again = queries(director, path("event_now", played))
    assert (again.content, asked_again) == (first.content, asked_first - 1)
    Event.objects.filter(pk=played.pk).update(name="Another name")
    assert "Another name" in director.get(path("event", played)).content.decode()


def test_a_cached_page_contains_nothing_of_its_first_readers_request(played: Event) -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
    page = client.get(
        path("event", played),
        headers={"referer": "http://testserver/s/secret/", "user-agent": "Anna's phone"},
    )
    assert page.status_code == 200
    assert not page.cookies
    for trace in (b"secret", b"Anna's phone", b"a" * 32, b"token"):
        assert trace not in page.content


def test_a_draft_event_is_not_cached(event: Event) -> None:
    draft = make_event(status=EventStatus.DRAFT)
    assert Client().get(path("event", draft)).status_code == 404
    assert client_of(draft, Role.DIRECTOR).get(path("event", draft)).status_code == 200
    assert Client().get(path("event", draft)).status_code == 404


def test_forms_are_not_cached(event: Event) -> None:
    event.sign_up_opens_at = timezone.now()
    event.save()
    address = reverse("tournaments:sign_up", args=[event.slug])
    assert getattr(resolve(address).func, "cached_query", None) is None
    assert Client().get(address).cookies != Client().get(address).cookies


# --- what changes the version -------------------------------------------------------------------


def test_every_write_invalidates_the_page(event: Event) -> None:
    heat = make_heats(event).heats[0]
    sheet = Sheet.objects.get(table=heat.table, number=1)
    address = path("event", event)
    Client().get(address)

    def write_log() -> None:
        record(LogAction.EVENT_CHANGED, event, None)

    def rename() -> None:
        Person.objects.filter(registrations__event=event).update(display_name="X Y")

    writes = [
        write_log,
        rename,
        lambda: play_game(sheet),
        lambda: Event.objects.filter(pk=event.pk).update(venue="Folkets hus"),
        lambda: Registration.objects.filter(event=event).update(status="withdrawn"),
        lambda: event.stages.update(games=5),
        lambda: heat.results.update(score_points=1),
    ]
    for write in writes:
        before = version(event)
        assert queries(Client(), address)[1] == 1
        write()
        assert version(event)[0] > before[0]
        assert queries(Client(), address)[1] > 1


def test_play_at_one_table_does_not_invalidate_other_tables_pages(event: Event) -> None:
    one, other = (make_heats(event, 4, seed=str(number)).heats[0] for number in range(2))
    sheet = Sheet.objects.get(table=one.table, number=1)
    addresses = [reverse("tournaments:heat", args=[event.slug, h.number]) for h in (one, other)]
    for address in addresses:
        Client().get(address)
    before = version(event)
    play_game(sheet)
    assert version(event)[0] > before[0]
    assert [queries(Client(), address)[1] == 1 for address in addresses] == [False, True]


#: Pages of closed heats only.
CLOSED = ["player_standings", "qualified", "result", "champion"]


#: What screens show besides play in open heats.
SCREENS = [
    "seats", "clock", "standings", "qualified", "champion", "notices", "sponsors", "sign_up",
    "black",
]  # fmt: skip


def test_play_does_not_invalidate_pages_of_closed_heats(played: Event) -> None:
    table = make_heats(played, 4).heats[0].table
    addresses = [path(name, played) for name in CLOSED]
    addresses += [
        reverse("tournaments:screen_part", args=[played.slug, "sv", code]) for code in SCREENS
    ]
    before = [Client().get(address).content for address in addresses]
    was = version(played)
    play_game(Sheet.objects.get(table=table, number=1))
    assert version(played)[0] > was[0]
    assert [queries(Client(), address)[1] for address in addresses] == [1] * len(addresses)
    # Made anew they would say the same.
    caches["pages"].clear()
    assert [Client().get(address).content for address in addresses] == before


def test_play_invalidates_screens_that_show_it(played: Event) -> None:
    table = make_heats(played, 4).heats[0].table
    address = reverse("tournaments:screen_part", args=[played.slug, "sv", "tables"])
    before = Client().get(address).content
    play_game(Sheet.objects.get(table=table, number=1))
    assert Client().get(address).content != before


@pytest.mark.parametrize("name", CLOSED)
def test_a_closed_heats_results_invalidate_its_pages(played: Event, name: str) -> None:
    writes: list[Callable[[], object]] = [
        lambda: finished_heat(played),
        lambda: HeatResult.objects.update(score_points=F("score_points") + 1),
        lambda: played.stages.update(games=5),
    ]
    for write in writes:
        Client().get(path(name, played))
        write()
        assert queries(Client(), path(name, played))[1] > 1


def test_the_versions_of_thousands_of_events_add_up(played: Event) -> None:
    organiser = played.organiser
    more = [Event(organiser=organiser, slug=f"e{n}", name="Fest") for n in range(5300)]
    Event.objects.bulk_create(more)
    assert EventVersion.objects.count() > 5300
    assert [each.pk for each in changed_organisers()] == [organiser.pk]
    for address in ("/", reverse("tournaments:ratings", args=[organiser.slug])):
        assert Client().get(address).status_code == 200
    before = queries(Client(), "/")[1]
    Event.objects.filter(pk=played.pk).update(venue="Folkets hus")
    assert before == 1 < queries(Client(), "/")[1]


def test_simulated_games_invalidate_what_is_compared_with_chance(played: Event) -> None:
    Event.objects.update(rules="festival+A")
    paths = [path("hands", played), f"/api/v1/events/{played.slug}/statistics/"]
    for games in (2, 1):
        before = [Client().get(each).content for each in paths]
        found = count(4, games, SEED, "festival+A", 0)
        first = SimulatedHands.objects.aggregate(sum=Sum("games"))["sum"] or 0
        add_simulated(rules="festival+A", players=4, first=first, games=games, came=found)
        for each, content in zip(paths, before, strict=True):
            assert Client().get(each).content != content, (each, games)


def test_a_rolled_back_write_does_not_change_the_version(event: Event) -> None:
    before = version(event)
    with transaction.atomic():
        Event.objects.filter(pk=event.pk).update(venue="Folkets hus")
        transaction.set_rollback(True)
    assert version(event) == before


def test_pages_that_change_with_time_expire(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    event.sign_up_opens_at = timezone.now() + timedelta(minutes=5)
    event.save()
    address = path("event", event)
    first = Client().get(address)
    assert queries(Client(), address)[1] == 1
    later = timezone.now() + timedelta(minutes=6)
    monkeypatch.setattr(timezone, "now", lambda: later)
    monkeypatch.setattr(page_cache.time, "time", later.timestamp)
    second, count = queries(Client(), address)
    assert count > 1
    assert second["ETag"] != first["ETag"]


# --- one rendering ----------------------------------------------------------------------------


def test_simultaneous_requests_cause_one_rendering(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests just the middleware, as other threads cannot see this test's database."""
    monkeypatch.setattr(page_cache, "_version", lambda *asked: "1")
    made = []
    begin = threading.Barrier(24)

    def view(request: Any) -> Any:
        made.append(request)
        return HttpResponse(b"page")

    middleware = page_cache.CachePages(view)
    answers: list[bytes] = []

    def ask() -> None:
        request = RequestFactory().get(path("event", event))
        begin.wait()
        answers.append(middleware(request).content)

    threads = [threading.Thread(target=ask) for _ in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (answers, len(made)) == ([b"page"] * 24, 1)
