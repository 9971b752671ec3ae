"""Replaying leaks no memory; its speed is measured by `make bench`."""

from __future__ import annotations

import gc
import json
import tracemalloc

from engine.cli.answers import replay_record
from tests.engine.sheet.test_sheet_properties import random_game

ENTRIES = 60


def long_game() -> tuple[str, int, int, list[dict[str, object]]]:
    """Return a festival game of sixty entries: spec, seats, dealer, entries."""
    for seed in range(1000):
        first, entries, _ = random_game("festival", 4, seed, rulings=0.02, most=ENTRIES)
        if len(entries) == ENTRIES:
            return "festival", 4, first.dealer, [entry.as_json() for entry in entries]
    raise AssertionError("no game of sixty entries found")


SPEC, SEATS, DEALER, DOCUMENTS = long_game()


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


def test_replaying_leaks_no_memory():
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
