"""Thousands of posts, duplicated, out of order and competing: accepted once or refused."""

from __future__ import annotations

import os
import random
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from engine.cards.categories import Category
from engine.sheet.entries import Entry, Hand, LastTrick, NoHand
from engine.sheet.sheet import legal_entries, start, step
from engine.sheet.state import State
from tests.config.phone import MAX_GAMES, PLAYERS, new_table, send_tap, stored
from tests.config.server import Browser, Server

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3000)]

#: CI sends fewer.
POSTS, TABLES = int(os.environ.get("POSTS", 10_000)), 4


@pytest.fixture
def server(served: dict[str, Any]) -> Iterator[Server]:
    with Server(**served) as server:
        yield server


class Table:
    """A phone whose posts come twice, late and early, and which sends two entries at once."""

    def __init__(self, server: Server, number: int) -> None:
        self.chance = random.Random(f"table {number}")
        self.path = new_table(server)
        # One device: all connections send its cookie.
        self.device = Browser(server.address)
        assert self.device.get(self.path)[0] == 200
        self.posts = 0
        #: The ids of the acknowledged entries, in the order of the sheets.
        self.acknowledged: list[str] = []
        self.sent: list[dict[str, Any]] = []

    def play(self, posts: int) -> None:
        """Score game after game over four connections at a time, until this many posts are sent."""
        with ThreadPoolExecutor(4) as connections:
            for game in range(1, MAX_GAMES + 1):
                if game > 1:
                    opened = connections.map(self._open, [game] * 3)
                    assert set(opened) == {200}
                state, version = start("festival", PLAYERS), 0
                while not state.finished:
                    if self.posts >= posts:
                        return
                    entries = self._race(connections, game, version, state)
                    for entry in entries:
                        state = step(state, entry)
                    version += len(entries)
        raise AssertionError("more games are needed")

    def _race(
        self, connections: ThreadPoolExecutor, game: int, version: int, state: State
    ) -> list[Entry]:
        """Send two entries for the same row and one for the next; return those accepted."""
        first, second = self._choose(state, 2)
        marks = [str(uuid.uuid4()) for _three in range(3)]
        last = self.acknowledged[-1] if version else None
        wave = {marks[0]: (version, first), marks[1]: (version, second)}
        places = [(state, last), (state, last)]
        if not (then := step(state, first)).finished:
            wave[marks[2]] = (version + 1, self._choose(then, 1)[0])
            places.append((then, marks[0]))
        sent = [
            {
                "id": mark,
                "game": game,
                "row": row,
                "place": {"deal": at.deal, "stage": at.stage, "phase": at.phase},
                "follows": follows,
                "entry": entry.as_json(),
                "confirmed": True,
            }
            for (mark, (row, entry)), (at, follows) in zip(wave.items(), places, strict=True)
        ]
        # Rivals are sent twice, and one earlier post once more.
        posts = sent + sent[:2] + self.chance.sample(self.sent, min(1, len(self.sent)))
        self.chance.shuffle(posts)
        answers = dict.fromkeys(wave, 0)
        for tap, status in zip(posts, connections.map(self._post, posts), strict=True):
            mark = tap["id"]
            if mark in wave:
                assert status in {200, 409, 422}
                # A repeated post gets the same answer.
                assert (answers[mark] or status) == status, (mark, answers[mark], status)
                answers[mark] = status
            else:
                assert (status == 200) == (mark in self.acknowledged)
        heard = [mark for mark, status in answers.items() if status == 200]
        rows = [wave[mark][0] for mark in heard]
        assert rows in ([version], [version, version + 1]), answers
        # A post that came too early for the next row may be accepted when sent again.
        written = version + len(heard)
        self.sent += [tap for tap in sent if tap["row"] < written]
        self.acknowledged += heard
        return [wave[mark][1] for mark in heard]

    def _choose(self, state: State, number: int) -> list[Entry]:
        """Choose among entries that do not end a game early."""
        return self.chance.sample(
            [
                entry
                for entry in legal_entries(state)
                if isinstance(entry, NoHand | LastTrick)
                or (isinstance(entry, Hand) and entry.category <= Category.TWO_PAIR)
            ],
            number,
        )

    def _post(self, tap: dict[str, Any]) -> int:
        self.posts += 1
        return send_tap(self.device, self.path, "entry", **tap)[0]

    def _open(self, game: int) -> int:
        return send_tap(self.device, self.path, "next", game=game)[0]


def test_raced_posts_are_accepted_once_or_refused(server: Server) -> None:
    tables = [Table(server, number) for number in range(TABLES)]
    with ThreadPoolExecutor(TABLES) as hall:
        list(hall.map(lambda table: table.play(POSTS // TABLES), tables))
    assert sum(table.posts for table in tables) >= POSTS
    assert stored(server) == {table.path: table.acknowledged for table in tables}
