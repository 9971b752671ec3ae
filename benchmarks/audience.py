"""What a hall's screens, open pages and phones that are told cost the tables; part of the hall.

40 screens that show all tables, 400 open pages of the event, and 1,000 push subscriptions at a
push service of its own. Then 120 people are drawn: until every screen has shown where they sit, and
until every message to them has been handed over.
"""

import asyncio
import html
import json
import re
import time
import zlib
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from benchmarks.phone import Phone, stream_of

SCREENS, PAGES, SUBSCRIPTIONS, DRAWN = 40, 400, 1000, 120
#: Messages of a draw that come later than this are lost.
PATIENCE = 30

#: After the hall's own tables: those who wait, screens, phones, and a director who is signed in.
AUDIENCE = """
import base64, os
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.contrib.auth.models import User
from django.test import Client
from tournaments.draws.commands.drafts import draft_heats
from tournaments.events.commands.events import set_role
from tournaments.models import PushSubscription
from tournaments.models.enums import PushKind
from tournaments.screens.commands import adopt, make_screen
waiting = []
for number in range({drawn}):
    player = register_person(event=event, by=None, legal_name=f"Waiting Number {{number}}")
    waiting.append(check_in(registration=player, by=None))
draft = draft_heats(event=event, by=None, seed="audience")
screens = []
for number in range({screens}):
    screen, secret = make_screen()
    adopt(event=event, letters=screen.letters, name=f"Screen {{number}}", by=None)
    screens.append(secret)
players = [*waiting, *event.registrations.exclude(pk__in=[each.pk for each in waiting])]
told = 0
for number in range({subscriptions}):
    player = players[number % len(players)]
    told += number % len(players) < {drawn}
    point = ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(
        Encoding.X962, PublicFormat.UncompressedPoint)
    text = lambda data: base64.urlsafe_b64encode(data).rstrip(b"=").decode()
    PushSubscription.objects.create(
        registration=player, endpoint=f"http://127.0.0.1:{service}/push/{{number}}",
        p256dh=text(point), auth=text(os.urandom(16)), kinds=PushKind.values, language="sv")
director = User.objects.create(username="director")
set_role(event=event, user=director, role="director", by=None)
client = Client()
client.force_login(director)
print(json.dumps({{"screens": screens, "session": client.cookies["sessionid"].value, "told": told,
             "draft": f"/e/{{event.slug}}/desk/draws/{{draft.number}}/"}}))
"""


def audience_script(service: int) -> str:
    """Return what makes the audience; ``service`` is the port of the push service."""
    return AUDIENCE.format(
        screens=SCREENS, subscriptions=SUBSCRIPTIONS, drawn=DRAWN, service=service
    )


class Service:
    """A push service that counts: when each message was handed over."""

    def __init__(self) -> None:
        self.at: list[float] = []

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take messages on one connection."""
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                found = re.search(r"(?im)^content-length: *(\d+)", head)
                await reader.readexactly(int(found[1]) if found else 0)
                self.at.append(time.time())
                writer.write(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            writer.close()


async def parts(url: str, port: int, hear: Callable[[str], Awaitable[None]] | None) -> None:
    """Hold a stream open, compressed as browsers ask for it; hand on the text of each event.

    ``hear`` None: throw away what comes, as another device's processor would read it.
    """
    address = urlsplit(html.unescape(url))
    reader, writer = await asyncio.open_connection("127.0.0.1", address.port or port)
    asked = f"GET {address.path}?{address.query} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    writer.write(f"{asked}Accept-Encoding: gzip\r\n\r\n".encode())
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    assert b"content-encoding: gzip" in head, head
    assert b"transfer-encoding: chunked" in head, head
    unpacker = zlib.decompressobj(wbits=31)
    text = b""
    while size := int(await reader.readline() or b"0", 16):
        piece = await reader.readexactly(size + 2)
        if hear is not None:
            *whole, text = (text + unpacker.decompress(piece[:-2])).split(b"\n\n")
            for event in whole:
                if b"data: " in event:
                    await hear(event.decode())


class Television:
    """A screen that shows all tables until a draw takes over."""

    def __init__(self, port: int, secret: str) -> None:
        self.phone = Phone(port)
        self.secret = secret
        self.shown_at = 0.0

    async def begins(self) -> str:
        """Ask what to do, show the first part, and return its stream."""
        # A browser sends the secret only there.
        asking = Phone(self.phone.port)
        asking.cookies["screen"] = self.secret
        _status, text = await asking.sends("/screen/now/", {"shows": ""})
        state = json.loads(text)
        [language, *_others] = state["languages"]
        self.paths = {part: here[language]["path"] for part, here in state["parts"].items()}
        await self.phone.asks("GET", self.paths["tables"])
        stream: str = state["parts"]["tables"][language]["stream"]
        return stream

    async def hears(self, part: str) -> None:
        """Show the seats as soon as a part says that there was a draw."""
        if not self.shown_at and "&quot;draw 2&quot;" in part:
            _status, seats = await self.phone.asks("GET", self.paths["seats"])
            if seats.count('class="row-name') == DRAWN:
                self.shown_at = time.time()


async def audience(port: int, service: int, found: dict[str, Any], ready: str) -> Any:
    """Open screens and pages, draw when told to, and return how long it took."""
    pushes = Service()
    server = await asyncio.start_server(pushes.answer, "127.0.0.1", service)
    televisions = [Television(port, secret) for secret in found["screens"]]
    jobs = []
    for television in televisions:
        jobs.append(asyncio.create_task(parts(await television.begins(), port, television.hears)))

    page = (await Phone(port).asks("GET", "/e/hall/"))[1]
    jobs += [asyncio.create_task(parts(stream_of(page), port, None)) for _one in range(PAGES)]
    await asyncio.sleep(5)
    print(ready, end="", flush=True)
    await asyncio.to_thread(input)
    began = await _publish(port, found)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and (
        len(pushes.at) < found["told"] or not all(each.shown_at for each in televisions)
    ):
        await asyncio.sleep(0.05)
    for job in jobs:
        # A stream that ended would have told nobody anything, and cost nothing.
        assert not job.done(), job
        job.cancel()
    await asyncio.gather(*jobs, return_exceptions=True)
    server.close()
    return {
        "screens": [each.shown_at - began for each in televisions if each.shown_at],
        "pushes": [at - began for at in pushes.at],
        "dark": sum(not each.shown_at for each in televisions),
        "untold": found["told"] - len(pushes.at),
    }


async def _publish(port: int, found: dict[str, Any]) -> float:
    """Publish the draft as the desk does; return when the desk had its answer."""
    desk = Phone(port)
    desk.cookies["sessionid"] = found["session"]
    _status, page = await desk.asks("GET", found["draft"])
    form = re.search(r'<form[^>]*action="[^"]*/publish/".*?</form>', page, re.DOTALL)
    assert form, page[:500]
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[0])
    body = "&".join(f"{name}={value}" for name, value in fields).encode()
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    status, text = await desk.asks("POST", f"{found['draft']}publish/", body, **kind)
    assert status in (302, 303), (status, text[:500])
    return time.time()
