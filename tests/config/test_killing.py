"""Killing the program at any moment loses no acknowledged entry."""

import json
import os
import re
import signal
import sqlite3
import threading
import time
import uuid
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.rules.variants import parse_rules
from engine.sheet.entries import Entry, LastTrick, NoHand
from engine.sheet.sheet import legal_entries, replay
from engine.sheet.state import State
from tests.config.phone import MAX_GAMES, Phone, new_table, send_tap, stored
from tests.config.server import Browser, Server, children

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="signals need a POSIX system")


class Table:
    """The demo's scoring link: what an Auditor's phone sends, and what is in the database."""

    def __init__(self, server: Server) -> None:
        found = re.search(r"Scoring link +\S+(/s/\w+/)", server.output)
        assert found
        self.server = server
        self.path = found[1]
        self.acknowledged: list[uuid.UUID] = []
        self.sent: list[uuid.UUID] = []

    def stored(self) -> list[tuple[uuid.UUID, dict[str, Any]]]:
        """Return the entries on the newest running sheet, read directly from the database."""
        with sqlite3.connect(self.server.folder / "chicago.sqlite3") as database:
            rows = database.execute(
                "SELECT client_id, entry FROM scoring_sheetentry WHERE sheet_id = ("
                " SELECT max(id) FROM scoring_sheet WHERE status = 'running') ORDER BY sequence"
            ).fetchall()
        database.close()
        return [(uuid.UUID(mark), json.loads(entry)) for mark, entry in rows]

    def next_entry(self) -> tuple[int, Entry]:
        """Return the version to write on, and a legal entry that ends nothing."""
        entries = [entry for _mark, entry in self.stored()]
        state: State = replay(parse_rules("festival"), 3, entries).state
        lowest = state.scores.index(min(state.scores))
        legal = legal_entries(state)
        for entry in legal:
            if isinstance(entry, NoHand) or entry == LastTrick(lowest):
                return len(entries), entry
        raise AssertionError(legal)

    def write(self, browser: Browser) -> bool:
        """Write one more entry; return whether it was acknowledged."""
        version, entry = self.next_entry()
        mark = uuid.uuid4()
        self.sent.append(mark)
        follows = str(self.stored()[-1][0]) if version else None
        about = {"game": 1, "follows": follows, "entry": entry.as_json()}
        status, text = send_tap(browser, self.path, "entry", id=str(mark), **about)
        assert status in {0, 200}, text[:300]
        if status == 200:
            self.acknowledged.append(mark)
        return status == 200

    def check(self) -> None:
        """Check that what was acknowledged is stored once and in order, and nothing unsent."""
        marks = [mark for mark, _entry in self.stored()]
        ours = [mark for mark in marks if mark in set(self.sent)]
        assert len(marks) == len(set(marks))
        assert [mark for mark in ours if mark in set(self.acknowledged)] == self.acknowledged
        assert len(ours) <= len(self.acknowledged) + 1


@pytest.mark.slow
def test_killing_the_program_loses_no_acknowledged_entry(demo_data: Path) -> None:
    with Server(demo_data) as server:
        table = Table(server)
        # The same phone throughout: a phone is identified by its cookie.
        browser = Browser(server.address)
        assert browser.get(table.path)[0] == 200
        for _ in range(3):
            assert table.write(browser)
        # Between two entries: a power cut.
        server.kill_everything()
        table.check()
        assert len(table.acknowledged) == 3

        server.start()
        assert "Loading the demo" not in server.output
        assert table.write(browser)
        # The process is asked to stop, as when the machine restarts.
        server.stop(signal.SIGTERM)
        table.check()
        assert len(table.acknowledged) == 4

        # In the middle of writing: an unacknowledged entry may be stored or not.
        server.start()
        enough = threading.Event()

        def write_on() -> None:
            while len(table.acknowledged) < 12 and table.write(browser):
                if len(table.acknowledged) >= 7:
                    enough.set()

        writer = threading.Thread(target=write_on)
        writer.start()
        assert enough.wait(60)
        server.kill_everything()
        writer.join(60)
        table.check()

        server.start()
        assert table.write(browser)
        table.check()
        assert browser.get("/")[0] == 200


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_hundred_killed_web_processes_lose_nothing(served: dict[str, Any]) -> None:
    entries = 6
    with Server(**served, WEB_CONCURRENCY="4") as server:
        phones = [
            Phone(Browser(server.address), new_table(server), entries=entries) for _ in range(5)
        ]
        everything = len(phones) * MAX_GAMES * (entries + 1)
        for phone in phones:
            phone.start()
        # A hundred games, with a hundred kills among them.
        killed, deadline = 0, time.monotonic() + 900
        while (count := sum(len(phone.acknowledged) for phone in phones)) < everything:
            assert time.monotonic() < deadline, f"{killed} killed, {count} entries"
            alive = children(server, "pages")
            if alive and killed < 100 and count > killed * (entries + 1):
                os.kill(min(alive), signal.SIGKILL)
                killed += 1
            time.sleep(0.02)
        failures = sum((phone.statuses for phone in phones), Counter())
    assert killed == 100
    assert failures[0]
    assert set(failures) <= {0, 503}
    assert stored(server) == {phone.path: phone.acknowledged for phone in phones}
