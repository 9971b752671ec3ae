"""A phone that scores a casual table over whatever lies between it and the program."""

import json
import threading
import time
import uuid
from collections import Counter

from engine.cards.categories import Category
from engine.rules.variants import parse_rules
from engine.sheet.entries import Entry, Hand, LastTrick, NoHand
from engine.sheet.sheet import legal_entries, replay
from tests.config.server import Browser

PLAYERS = 3


class Phone(threading.Thread):
    """Writes game after game; an entry is sent, the same again, until it is acknowledged."""

    def __init__(
        self, browser: Browser, path: str, *, games: int = 1, entries: int = 10**6
    ) -> None:
        """``entries``: after so many a straight flush ends a game."""
        super().__init__(daemon=True)
        self.browser, self.path = browser, path
        self.games, self.entries = games, entries
        #: The ids of what was acknowledged, in order, by game.
        self.acknowledged: dict[int, list[str]] = {}
        self.statuses: Counter[int] = Counter()
        self.over = threading.Event()

    @property
    def count(self) -> int:
        """How many entries were acknowledged."""
        return sum(map(len, self.acknowledged.values()))

    def run(self) -> None:
        """Play until all games are over, or told to stop."""
        while self.browser.get(self.path)[0] != 200:
            time.sleep(0.2)
        for game in range(1, self.games + 1):
            if game > 1:
                self._until_done("next-game", {"game": game})
            self._play(game)

    def _play(self, game: int) -> None:
        written: list[Entry] = []
        marks = self.acknowledged[game] = []
        while not self.over.is_set():
            state = replay(parse_rules("festival"), PLAYERS, written).state
            if state.finished:
                return
            entry, mark = (
                self._entry(legal_entries(state), state.scores, len(written)),
                uuid.uuid4(),
            )
            sent = {"id": str(mark), "game": game, "version": len(written)}
            self._until_done("entry", sent | {"entry": entry.as_json(), "confirmed": True})
            written.append(entry)
            marks.append(str(mark))
            time.sleep(0.05)

    def _entry(self, legal: tuple[Entry, ...], scores: tuple[int, ...], written: int) -> Entry:
        lowest = scores.index(min(scores))
        for entry in legal:
            if written >= self.entries and isinstance(entry, Hand):
                if entry.category == Category.STRAIGHT_FLUSH:
                    return entry
            elif isinstance(entry, NoHand) or entry == LastTrick(lowest):
                return entry
        raise AssertionError(legal)

    def _until_done(self, part: str, fields: dict[str, object]) -> None:
        body = json.dumps(fields).encode()
        while (status := self.browser.post_json(f"{self.path}{part}/", body)[0]) != 200:
            self.statuses[status] += 1
            time.sleep(0.1)
