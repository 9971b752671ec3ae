"""Damaged records by the thousand: whatever a document contains, only coded problems come out.

The inputs are valid records with pieces cut out, duplicated, swapped or replaced, in their text and
in their values; ``make test-slow`` runs a million of them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator

import pytest

from engine.cli.answers import replay_record
from engine.errors import ERROR_CODES, WARNING_CODES
from engine.rules.presets import PRESETS
from engine.sheet.record import dump_json
from tests.engine.sheet.test_sheet_properties import random_game

ATOMS: tuple[object, ...] = (
    *(None, True, False, 0, 1, 2, 3, 4, -1, 52, 10**9, 10**9 + 1, -(10**9), 10**30),
    *(0.5, 1e308, "", " ", "pair", "royal_flush", "hand", "none", "H", "points", "end_game"),
    *("festival", "svensk+K", "wikipedia", "\ud800", "\x00", "é", "♥", "x" * 500),
    *([], {}, [1], {"kind": "none"}, [[[]]], {"a": {}}),
)
KEYS = (
    *("kind", "phase", "seat", "category", "reset", "suit", "won", "breaker", "blind", "deuce"),
    *("action", "points", "reason", "id", "at", "by", "note", "rules", "seats", "dealer", "meta"),
    *("entries", "format", "version", "\ud800", ""),
)
SCRAPS = (
    *('"', "{", "}", "[", "]", ",", ":", "\\", "\\u", "\\ud800", "e", "E", "-", "+", ".", "0", "1"),
    *("NaN", "Infinity", "-Infinity", "null", "true", "1e400", "9" * 30, "\x00", "\ufeff", "é"),
    *("\n", "//", "/**/", "'", '"kind":', '"kind":"hand",', "[[[[", "}}}}"),
)


def good_records() -> list[dict[str, object]]:
    """Return a few games of every preset, as documents."""
    records: list[dict[str, object]] = []
    for number, spec in enumerate([*PRESETS, "svensk+K+Q+B4", "wikipedia+S+W", "festival+D"]):
        seats = 2 + number % 3
        first, entries, _ = random_game(spec, seats, number, rulings=0.2, most=12)
        records.append(
            {
                "format": "chicago-game-record",
                "version": 1,
                "rules": spec,
                "seats": ["Anna", "Bo", "Cia", "Dag"][:seats],
                "dealer": first.dealer,
                "entries": [entry.as_json() for entry in entries],
            }
        )
    return records


def change_value(rng: random.Random, value: object) -> object:
    """Return a copy of a JSON value with one thing changed somewhere."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        changed = dict(value)
        key = rng.choice(list(changed))
        how = rng.random()
        if how < 0.6:
            changed[key] = change_value(rng, changed[key])
        elif how < 0.75:
            del changed[key]
        elif how < 0.9:
            changed[rng.choice(KEYS)] = rng.choice(ATOMS)
        else:
            other = rng.choice(list(changed))
            changed[key], changed[other] = changed[other], changed[key]
        return changed
    if isinstance(value, list) and value and rng.random() < 0.9:
        items = list(value)
        where = rng.randrange(len(items))
        how = rng.random()
        if how < 0.6:
            items[where] = change_value(rng, items[where])
        elif how < 0.75:
            del items[where]
        elif how < 0.9:
            items.insert(where, rng.choice(items))
        else:
            rng.shuffle(items)
        return items
    if type(value) is int and rng.random() < 0.5:
        return value + rng.choice((-1, 1, 2, 15, -40))
    return rng.choice(ATOMS)


def change_text(rng: random.Random, text: str) -> str:
    """Return a text with a piece cut out, duplicated or replaced by a scrap."""
    start = rng.randrange(len(text) + 1)
    end = min(len(text), start + rng.choice((0, 0, 1, 1, 2, 5, 30)))
    middle = rng.choice((*SCRAPS, "", text[start:end] * 2))
    return text[:start] + middle + text[end:]


def inputs(seed: int, number: int) -> Iterator[object]:
    """Yield damaged records, as documents, texts and bytes."""
    rng = random.Random(seed)
    records = good_records()
    for _ in range(number):
        document: object = rng.choice(records)
        for _ in range(rng.choice((1, 1, 2, 5))):
            document = change_value(rng, document)
        how = rng.random()
        if how < 0.6:
            yield document
            continue
        text = json.dumps(document, ensure_ascii=rng.random() < 0.5)
        if how < 0.9:
            for _ in range(rng.choice((0, 1, 1, 3))):
                text = change_text(rng, text)
            yield text
        else:
            data = bytearray(text.encode("utf-8", "surrogatepass"))
            data[rng.randrange(len(data))] = rng.randrange(256)
            yield bytes(data)


def survives(source: object, run: Callable[[object], dict[str, object]] = replay_record) -> bool:
    """Return whether the input was valid; fail unless the answer is well-formed."""
    result = run(source)
    problems = result["problems"]
    assert isinstance(problems, list)
    errors = [problem for problem in problems if problem["severity"] == "error"]
    assert len(errors) == (0 if result["valid"] else 1)
    assert errors == problems[len(problems) - len(errors) :]
    for problem in problems:
        assert problem["code"] in ERROR_CODES + WARNING_CODES
        assert problem["message"]
    if result["state"] is None:
        assert len(problems) == 1
        assert problems[0]["entry"] is None
    return bool(result["valid"])


@pytest.mark.parametrize("seed", range(4))
def test_damaged_records_give_coded_problems_only(seed):
    outcomes = [survives(source) for source in inputs(seed, 2_000)]
    assert 0 < sum(outcomes) < len(outcomes)


def test_output_about_them_is_utf_8():
    for source in inputs(99, 500):
        assert dump_json(replay_record(source)).encode("utf-8")


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(20))
def test_a_million_damaged_records(seed):
    for source in inputs(1_000 + seed, 50_000):
        survives(source)
