"""game-record: no traceback, whatever the input; only documented codes; one document each."""

import copy
import json
import random
import re

import pytest

from .runner import NAMES, record, run
from .test_heat import heat
from .test_totals import totals

CODES = {
    *("malformed", "unknown_rules", "bad_seats", "unknown_kind", "unknown_field", "missing_field"),
    *("bad_value", "game_finished", "wrong_phase", "unexpected_kind", "seat_out"),
    *("chicago_below_minimum", "chicago_limit", "reset_not_allowed", "reset_bound", "dead_hand"),
    *("not_discardless", "self_break", "missing_suit", "missing_reason"),
}
#: The codes of a bad header; the other codes are about entries.
HEADER_CODES = {
    *("malformed", "unknown_rules", "bad_seats", "unknown_field", "missing_field", "bad_value"),
}
WEIRD = [
    *(None, True, False, 0, -1, 1, 2, 3, 4, 10**9, 10**9 + 1, 10**30, -(10**30), 0.5, 1e308),
    *("", " ", "hand", "none", "points", "Anna", "\ud800", "\0", "é" * 1000, "festival+C+D", "S"),
    *([], {}, [[]], {"a": 1}, [None], ["Anna"], {"kind": "none", "phase": 1}),
]
SHEETS = [
    "a+20 1a:p 2b:4k Tc2 3- 1- 2- Ca-b 1c:4k!",
    "S:46,47,3,2 Da 1b:fl 2b:p Ra Tb 3c:rf",
    "a~deal 1- 2d:4k b~game c~dq Td 3d:2p ~end",
    "X:a a+50 1a:2p",
]


def places(value, path=()):
    """Yield every place in a document."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for n, item in enumerate(value):
            yield from places(item, (*path, n))


def damage(rng, document):
    """Return the document with something replaced, removed, inserted or duplicated."""
    document = copy.deepcopy(document)
    for _ in range(rng.choice((1, 1, 2, 3))):
        path = rng.choice([*places(document)][1:] or [()])
        if not path:
            return rng.choice(WEIRD)
        parent = document
        for step in path[:-1]:
            parent = parent[step]
        what = rng.randrange(4)
        if what == 0:
            del parent[path[-1]]
        elif what == 1 and isinstance(parent, list):
            parent.insert(path[-1], copy.deepcopy(parent[path[-1]]))
        elif what == 2 and isinstance(parent, dict):
            parent[rng.choice(["extra", "", "kind", "seat", "reset", "deuce", "Phase"])] = (
                rng.choice(WEIRD)
            )
        else:
            parent[path[-1]] = rng.choice(WEIRD)
    return document


GAMES = [record("festival", sheet) for sheet in SHEETS]
DOCUMENTS = {
    "replay": GAMES,
    "settle": [record("pagat", "S:49,45,53,47 1- 2- Ta 3-"), record("pagat", "1-")],
    "heat": [
        heat([record("festival", "S:9,9,7,6 ~end")], flip_flops=[list(NAMES[:2])]),
        heat([GAMES[3], GAMES[2]], games_planned=3, advance=2),
    ],
    "outlook": [heat([record("festival", "1a:rf")], games_planned=2)],
    "totals": [totals("pagat", "52 30"), totals("svensk", "53E 53E", [0, 1])],
}


@pytest.mark.parametrize("command", DOCUMENTS)
@pytest.mark.parametrize("seed", range(8))
def test_damaged_documents(command, seed):
    rng = random.Random(f"damage {command} {seed}")
    for _ in range(8 if command in ("totals", "outlook") else 40):
        document = damage(rng, rng.choice(DOCUMENTS[command]))
        ran = run(command, "-", stdin=json.dumps(document))
        assert ran.code in (0, 1, 2), document
        assert ran.err == "", document
        assert ran.out.count("\n") == 1, document
        doc = ran.doc
        if ran.code == 0:
            continue
        assert doc["valid"] is False, document
        errors = [p for p in doc["problems"] if p["severity"] == "error"]
        assert errors, document
        if command == "replay":
            assert {p["code"] for p in errors} <= CODES, document
        assert all(re.fullmatch(r"[a-z_]+", p["code"]) for p in errors), document
        assert all(p["message"].strip() for p in errors), document
        if ran.code == 2:
            if command not in ("heat", "outlook"):  # These also report problems with a game.
                assert {p["code"] for p in errors} <= HEADER_CODES, document
            assert doc["state"] is None, document


@pytest.mark.parametrize("command", ["replay", "settle", "heat", "outlook", "totals", "evaluate"])
@pytest.mark.parametrize("seed", range(6))
def test_damaged_text(command, seed):
    rng = random.Random(f"text {command} {seed}")
    whole = json.dumps(DOCUMENTS.get(command, GAMES)[0], ensure_ascii=False).encode()
    for _ in range(10):
        text = bytearray(whole)
        for _ in range(rng.choice((1, 2, 5))):
            at = rng.randrange(len(text))
            text[at : at + rng.choice((0, 1, 3))] = bytes(
                rng.choice(b'{}[]",:0e\\\xff\xc3 \n\0x') for _ in range(rng.choice((0, 1, 2)))
            )
        argv = [command, "--lines", "-"] if command == "evaluate" else [command, "-"]
        ran = run(*argv, stdin=bytes(text))
        assert ran.code in (0, 1, 2), text
        assert ran.err == "", text
        assert all(isinstance(doc, dict | list) for doc in ran.lines), text
