"""A phone that scores a casual table over whatever network lies between it and the program."""

import json
import re
import threading
import time
import uuid
from collections import Counter

from engine.cards.categories import Category
from engine.sheet.entries import Entry, Hand, LastTrick, NoHand
from engine.sheet.sheet import legal_entries, start, step
from engine.sheet.state import State
from tests.config.server import Browser, Server

PLAYERS = 3
#: The most games that a table can have.
MAX_GAMES = 20


def new_table(server: Server) -> str:
    """Start a casual table of many games; return the path of its scoring link."""
    players = [f"Player {seat}" for seat in range(PLAYERS)]
    out = server.manage("new_table", "--games", str(MAX_GAMES), "--players", *players)
    return re.findall(r"https?://[^/]+(/s/\w+/)", out)[0]


def send_tap(browser: Browser, path: str, act: str, **about: object) -> tuple[int, str]:
    """Send one tap as the Auditor's page does; return status and text, 409 for one not taken."""
    tap = {"id": str(uuid.uuid4()), "act": act, "at": 1, **about}
    status, text = browser.post_json(f"{path}sync/", json.dumps({"taps": [tap]}).encode())
    if status == 200 and json.loads(text)["took"] != [tap["id"]]:
        status = 409
    return status, text


def stored(server: Server) -> dict[str, list[str]]:
    """Return the ids of all entries behind a scoring link, in the order of the sheets."""
    out = server.manage("shell", "--no-imports", "-c", _STORED)
    found: dict[str, list[str]] = json.loads(out)
    return found


_STORED = """
import json
from scoring.models import Link, SheetEntry
from scoring.reading.links import show_token
print(json.dumps({
    f"/s/{show_token(link=link)}/": [
        str(mark)
        for mark in SheetEntry.objects.filter(sheet__table=link.table)
        .order_by("sheet__number", "sequence")
        .values_list("client_id", flat=True)
    ]
    for link in Link.objects.filter(role="auditor")
}))
"""


class Phone(threading.Thread):
    """Writes game after game; sends each entry, unchanged, until it is acknowledged."""

    def __init__(
        self,
        browser: Browser,
        path: str,
        *,
        entries: int = 10**6,
    ) -> None:
        """``entries``: after this many, a straight flush ends the game."""
        super().__init__(daemon=True)
        self.browser, self.path = browser, path
        self.entries = entries
        #: The ids of the acknowledged entries, in order.
        self.acknowledged: list[str] = []
        self.statuses: Counter[int] = Counter()
        self.over = threading.Event()

    def run(self) -> None:
        """Play until all games are over, or until stopped."""
        while self.browser.get(self.path)[0] != 200:
            time.sleep(0.2)
        for game in range(1, MAX_GAMES + 1):
            if game > 1:
                self._until_done("next", {"game": game})
            self._play(game)
            if self.over.is_set():
                return

    def _play(self, game: int) -> None:
        state, version = start("festival", PLAYERS), 0
        while not state.finished and not self.over.is_set():
            entry, mark = self._entry(state, version), str(uuid.uuid4())
            follows = self.acknowledged[-1] if version else None
            sent = {"id": mark, "game": game, "follows": follows, "entry": entry.as_json()}
            self._until_done("entry", sent | {"confirmed": True})
            state, version = step(state, entry), version + 1
            self.acknowledged.append(mark)
            time.sleep(0.05)

    def _entry(self, state: State, written: int) -> Entry:
        """Return "no hand", a straight flush when due, or a last trick for the lowest score."""
        wanted = Category.STRAIGHT_FLUSH if written >= self.entries else None
        tricks = []
        for entry in legal_entries(state):
            if isinstance(entry, NoHand) and not wanted:
                return entry
            if isinstance(entry, Hand) and entry.category == wanted:
                return entry
            if isinstance(entry, LastTrick):
                tricks.append(entry)
        return min(tricks, key=lambda entry: state.scores[entry.seat])

    def _until_done(self, act: str, fields: dict[str, object]) -> None:
        while True:
            status, text = send_tap(self.browser, self.path, act, **fields)
            if status == 200:
                return
            self.statuses[status] += 1
            assert status == 0 or status >= 500, f"{status}: {text[:300]}"
            time.sleep(0.1)
