"""A phone at a table: a client so small that one process can run thousands."""

import asyncio
import json
import re
import time
import uuid
from collections.abc import Awaitable, Callable
from html import unescape
from typing import Any
from urllib.parse import urlsplit

from engine.sheet.entries import entry_from_json
from engine.sheet.sheet import start, step


class Phone:
    """Cookies and one request per connection."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self.port, self.host = port, host
        self.cookies: dict[str, str] = {}

    async def asks(self, method: str, path: str, body: bytes = b"", **more: str) -> tuple[int, str]:
        """Request a page; return status and text."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            headers = {
                "Host": f"{self.host}:{self.port}",
                "Connection": "close",
                "Content-Length": str(len(body)),
                "Cookie": cookie,
                "X-CSRFToken": self.cookies.get("csrftoken", ""),
            }
            lines = [f"{name}: {value}" for name, value in (headers | more).items() if value]
            writer.write("\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode() + body)
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            for name, value in re.findall(r"(?im)^set-cookie: *([^=\s]+)=([^;\r]*)", head):
                self.cookies[name] = value
            text = (await reader.read()).decode("utf-8", "replace")
            return int(head.split()[1]), text
        finally:
            writer.close()

    async def sends(self, path: str, fields: dict[str, Any]) -> tuple[int, str]:
        """Post JSON, as the page's script does."""
        kind = {"Content-Type": "application/json", "Accept": "application/json"}
        return await self.asks("POST", path, json.dumps(fields).encode(), **kind)


async def events(url: str, port: int, hear: Callable[[str], Awaitable[None]]) -> None:
    """Hold a stream open and yield each event's kind."""
    parts = urlsplit(unescape(url))
    reader, writer = await asyncio.open_connection("127.0.0.1", parts.port or port)
    target = f"{parts.path}?{parts.query}"
    writer.write(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    await reader.readuntil(b"\r\n\r\n")
    kind = ""
    while line := await reader.readline():
        if line.startswith(b"event: "):
            kind = line[7:].decode().strip()
        elif line.startswith(b"data: ") and kind != "heard":
            await hear(kind)
            kind = "heard"
        elif line in (b"\n", b"\r\n"):
            kind = ""


def stream_of(page: str) -> str:
    """Return the stream that a page names."""
    found = re.search(r'<meta name="live" content="([^"]+)"', page)
    assert found, page[:300]
    return found[1]


def version_of(page: str) -> int:
    """Return the sheet version shown on a table's page."""
    found = re.search(r'data-version="(\d+)"', page)
    return int(found[1]) if found else -1


class Sheet:
    """What an Auditor's phone knows: the sheet, its last line, and the document's mark."""

    def __init__(self, phone: Phone, path: str, told: str) -> None:
        self.phone, self.path = phone, path
        known = json.loads(told)
        lines = known.get("lines", {}).get("1", [])
        game = known["document"]["games"][0]
        self.version = len(lines)
        self.last: str | None = lines[-1]["id"] if lines else None
        self.mark: str = known["version"]
        self.asking: asyncio.Task[None] | None = None
        self.state = start("festival", len(game["seats"]), game["dealer"])
        for row in lines:
            self.state = step(self.state, entry_from_json(row["entry"]))

    @classmethod
    async def opened(cls, phone: Phone, path: str) -> "Sheet":
        """Open the page and ask for all that a phone is told which has nothing yet."""
        await phone.asks("GET", path)
        return cls(phone, path, (await phone.sends(f"{path}sync/", {}))[1])

    async def write(self) -> tuple[int, str]:
        """Write the next entry of a deal: sometimes a pair, and a last trick.

        Where the answer says that there is more, the page asks for it at once; no tap waits.
        """
        if self.asking is not None:
            await self.asking
        turn = self.version // 4 % self.state.seats
        if self.state.stage == "tricks":
            entry: dict[str, Any] = {"kind": "last_trick", "seat": turn}
        else:
            entry = {"kind": "none", "phase": self.state.phase}
        state = step(self.state, entry_from_json(entry))
        at = self.state
        tap = {
            "id": str(uuid.uuid4()),
            "act": "entry",
            "at": round(time.time() * 1000),
            "game": 1,
            "place": {"deal": at.deal, "stage": at.stage, "phase": at.phase},
            "follows": self.last,
            "entry": entry,
            "confirmed": True,
        }
        have = {"1": {"rows": self.version, "last": self.last}}
        sent = {"version": self.mark, "have": have, "taps": [tap]}
        status, text = await self.phone.sends(f"{self.path}sync/", sent)
        answer = json.loads(text) if status == 200 else {"took": []}
        if answer["took"] == [tap["id"]]:
            self.version += 1
            self.state, self.last = state, str(tap["id"])
            self.mark = answer.get("version", self.mark)
            self.asking = asyncio.create_task(self._ask()) if "more" in answer else None
            return status, text
        return status if status != 200 else 409, text

    async def _ask(self) -> None:
        have = {"1": {"rows": self.version, "last": self.last}}
        _status, text = await self.phone.sends(
            f"{self.path}sync/", {"version": self.mark, "have": have}
        )
        self.mark = json.loads(text)["version"]
