"""The live stream's topics and listeners, and the pages that it sends."""

import asyncio
import socket
import zlib
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import uvicorn
from django.test import Client, RequestFactory, override_settings
from django.utils import timezone

from scoring.live import Topic, read_topic, stream_url
from scoring.models import Sheet
from tests.scoring.web.phone import told_by
from tests.tournaments.factories import make_event, make_heats, play_game
from tournaments.casual.commands import start_table
from tournaments.heats.commands import make_link
from tournaments.heats.queries.links import scoring_path
from tournaments.live import stream
from tournaments.live.parts import GZIP_HEAD, Pages, gzip_piece
from tournaments.live.stream import MAX_PER_ACCOUNT, Hub, Listener, versions
from tournaments.models import Event


def test_topics_are_signed() -> None:
    topic = Topic("event", 5, "account 7", "/e/x/now/", "sv")
    assert read_topic(topic.signed()) == topic
    assert read_topic(topic.signed().replace("5", "6", 1)) is None
    assert read_topic("") is None


@pytest.mark.parametrize(
    ("setting", "begins"),
    [
        (":8001", "http://chicago.example.org:8001/live/?topic=event%7C5%7C"),
        ("/live/", "/live/?topic=event%7C5%7C"),
        ("https://live.example.org/x/", "https://live.example.org/x/?topic=event%7C5%7C"),
    ],
)
def test_the_address_of_the_stream(setting: str, begins: str) -> None:
    request = RequestFactory().get("/", headers={"host": "chicago.example.org:8000"})
    with override_settings(LIVE_URL=setting, ALLOWED_HOSTS=["chicago.example.org"]):
        url = stream_url(request, Topic("event", 5), 17)
        assert url.startswith(begins)
        assert url.endswith("&seen=17")
    with override_settings(LIVE_URL=""):
        assert stream_url(request, Topic("event", 5)) == ""


def test_unknown_topics_have_no_version(db: None) -> None:
    assert versions([("table", 1), ("tournament", 1)]) == {}


HERE, THERE, ELSEWHERE = "192.0.2.1", "192.0.2.2", "192.0.2.3"


@pytest.mark.parametrize(
    ("who", "taken", "full"),
    [
        # An address gets half of the strangers' ninety places.
        ("", [("", HERE, 44)], False),
        ("", [("", HERE, 45)], True),
        ("", [("", THERE, 45), ("", ELSEWHERE, 44)], False),
        ("", [("", THERE, 45), ("", ELSEWHERE, 45)], True),
        # Whom the program knows takes none of them.
        ("", [("link 1", HERE, 40), ("link 2", HERE, 40)], False),
        ("", [("", HERE, 20), ("link 1", HERE, 40), ("link 2", HERE, 40)], True),
        ("link 1", [("", HERE, 99)], False),
        ("link 1", [("", HERE, 100)], True),
        ("link 1", [("link 1", HERE, MAX_PER_ACCOUNT - 1)], False),
        ("link 1", [("link 1", HERE, MAX_PER_ACCOUNT)], True),
        ("link 2", [("link 1", HERE, MAX_PER_ACCOUNT)], False),
    ],
)
def test_places_are_shared_by_link_account_and_address(
    monkeypatch: pytest.MonkeyPatch, who: str, taken: list[tuple[str, str, int]], full: bool
) -> None:
    monkeypatch.setattr("tournaments.live.stream.capacity", lambda: 100)
    hub = Hub()
    for name, address, count in taken:
        topic = Topic("event", 5, name)
        hub.listeners |= {Listener(topic, "", address=address) for _ in range(count)}
    assert hub.is_full_for(who, HERE) is full


def listener_of(path: str) -> str:
    """Return who listens to the stream that an Auditor's page is told of."""
    address = told_by(Client(), path)["document"]["live"]
    topic = read_topic(parse_qs(urlsplit(address).query)["topic"][0])
    assert topic is not None
    return topic.who


@override_settings(LIVE_URL="/live/")
def test_kitchen_tables_share_the_public_places(db: None) -> None:
    token = start_table(players=["Anna", "Bo", "Cia"], rules="festival", games=1)
    assert listener_of(f"/s/{token}/") == ""
    (heat,) = make_heats(make_event(slug="fest"), 4).heats
    make_link(heat=heat, by=None)
    assert listener_of(scoring_path(heat)).startswith("link ")


@pytest.mark.parametrize("path", ["/e/fest/desk/", "/e/fest/sign-up/", "/nothing/", "/admin/"])
def test_the_stream_sends_public_parts_only(db: None, path: str) -> None:
    make_event(slug="fest", sign_up_opens_at=timezone.now())
    pages = Pages()
    assert pages.get(path, "en") is None
    found = pages.get("/e/fest/now/", "sv")
    assert found is not None
    assert Client().get("/e/fest/now/", headers={"accept-language": "sv"})["ETag"] == found[0]


def test_each_piece_of_a_compressed_stream_is_independent() -> None:
    text = GZIP_HEAD + gzip_piece("one") + gzip_piece("two") + gzip_piece("one")
    assert zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(text) == b"onetwoone"


@pytest.mark.django_db(transaction=True)
def test_a_part_rests_while_only_play_changes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    event = make_event(slug="fest")
    one, other = (
        Sheet.objects.get(table=heat.table, number=1) for heat in make_heats(event, 8).heats
    )
    hub = Hub()
    public = Listener(Topic("event", event.pk, "", "/e/fest/now/", "en"), "")
    desk = Listener(Topic("event", event.pk, "account 1"), "")
    hub.listeners = {public, desk}

    def told() -> list[bool]:
        """Look for changes; return whether those listeners were told of any."""
        asyncio.run(hub._push())
        found = [each.told.is_set() for each in (public, desk)]
        for each in (public, desk):
            each.told.clear()
        return found

    monkeypatch.setattr(stream, "REST", 10_000)
    assert told() == [True, True]
    assert told() == [False, False]
    play_game(one)
    assert told() == [False, True]
    # A director's act is told at once.
    monkeypatch.setattr(stream, "REST", 0)
    Event.objects.filter(pk=event.pk).update(venue="Folkets hus")
    assert told() == [True, True]
    play_game(other)
    assert told() == [True, True]


def test_a_listener_that_reads_nothing_loses_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "SEND_TIMEOUT", 0.5)
    sent = 0

    async def talk(scope: Any, receive: Any, send: Any) -> None:
        nonlocal sent
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while True:
            await stream._send_chunk(send, b"x" * 1000)
            sent += 1000

    async def serve() -> None:
        config = uvicorn.Config(
            talk, host="127.0.0.1", port=0, http=stream.protocol(), log_config=None, lifespan="off"
        )
        config.load()
        server = uvicorn.Server(config)
        server.lifespan = config.lifespan_class(config)
        await server.startup()
        address = server.servers[0].sockets[0].getsockname()
        with socket.create_connection(address) as silent:
            silent.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            while not server.server_state.tasks:
                await asyncio.sleep(0.01)
            while server.server_state.tasks:
                await asyncio.sleep(0.05)
        server.should_exit = True
        await server.shutdown()

    asyncio.run(serve())
    # What the system takes for somebody who reads nothing, at this end and at the other.
    assert 0 < sent < 1_000_000
