"""Speed and memory of replaying, as issue and documents promise; measured in CPU time, best of
many, so that a busy machine does not matter."""

from __future__ import annotations

import gc
import json
import time
import tracemalloc
from collections.abc import Callable

from engine.cli.answers import replay_record
from engine.sheet.record import dump_json
from engine.sheet.sheet import replay
from tests.engine.sheet.test_sheet_properties import random_game

ENTRIES = 60


def long_game() -> tuple[str, int, int, list[dict[str, object]]]:
    """A festival game of sixty entries: spec, seats, dealer, entries."""
    for seed in range(1000):
        first, entries, _ = random_game("festival", 4, seed, rulings=0.02, most=ENTRIES)
        if len(entries) == ENTRIES:
            return "festival", 4, first.dealer, [entry.as_json() for entry in entries]
    raise AssertionError("no game of sixty entries found")


SPEC, SEATS, DEALER, DOCUMENTS = long_game()


def best(action: Callable[[], object], rounds: int = 200) -> float:
    """The shortest CPU time of one call, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def play() -> None:
    from engine.rules.variants import parse_rules

    assert replay(parse_rules(SPEC), SEATS, DOCUMENTS, DEALER).valid


def record_text() -> str:
    return json.dumps(
        {
            "format": "chicago-game-record",
            "version": 1,
            "rules": SPEC,
            "seats": ["Anna", "Bo", "Cia", "Dag"],
            "dealer": DEALER,
            "entries": DOCUMENTS,
        }
    )


def test_a_game_of_sixty_entries_is_replayed_in_less_than_a_millisecond():
    assert best(play) < 0.001


def test_ten_thousand_games_take_less_than_ten_seconds_from_text_to_text():
    text = record_text()
    assert best(lambda: dump_json(replay_record(text))) < 0.001


def test_replaying_does_not_grow_memory():
    text = record_text()
    for _ in range(20):
        replay_record(text)
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(100):
            replay_record(text)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 50_000
