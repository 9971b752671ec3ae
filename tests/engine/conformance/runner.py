"""The thin runner under the conformance tables.

A case is one line of a ``.cases`` table: a title that names the paragraph, a rule set, a sheet in
shorthand and the expected outcome. The runner expands the shorthand to a game record, passes it to
``python -m engine replay -`` and compares the printed document. Only the engine's command is used,
so the tables can test any other implementation as well.

Shorthand, one word per entry, seats are a to f:

=============  ======================================================================
``1a:fl``      hand of phase 1 by seat a; p 2p 3k st fl fh 4k sf rf
``1a:4k!``     the same with ``"reset": true``
``1a:4k!b``    the same with ``"reset_seat"``; ``1a:4kb`` without ``"reset"``
``1a:rf@H``    the hand with a suit
``1-``         nobody scores phase 1
``Ca+``        Chicago by a, won; ``Ca-`` broken by nobody, ``Ca-b`` broken by b
``Ba+``        Blind Chicago, likewise; ``Ba+2`` won with a deuce
``Ta`` ``Ta2`` last trick to a, with a deuce
``Ra`` ``Da``  revoke, discard while discardless
``a+5`` ``a-5``  ruling: points
``a~deal`` ``a~next`` ``a~game`` ``a~dq`` ``~redeal`` ``~end``  the other rulings
``S:9,0,3,0``  rulings that give those points (no entry for a 0)
``X:a``        a deal in which a, on 0, declares a Chicago, loses it and is at 0 again
=============  ======================================================================
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

NAMES = ("Anna", "Bo", "Cia", "Dag")
SIX = (*NAMES, "Eva", "Fia")
CATEGORIES = {
    "p": "pair",
    "2p": "two_pair",
    "3k": "three_of_a_kind",
    "st": "straight",
    "fl": "flush",
    "fh": "full_house",
    "4k": "four_of_a_kind",
    "sf": "straight_flush",
    "rf": "royal_flush",
}
ACTIONS = {
    "deal": "sit_out_deal",
    "next": "sit_out_next_deal",
    "game": "sit_out_game",
    "dq": "disqualify",
}
SEAT = "abcdef".index
_HAND = re.compile(r"(\d)([a-f]):(p|2p|3k|st|fl|fh|4k|sf|rf)(!?)([a-f]?)(?:@([A-Z]))?")
_CHICAGO = re.compile(r"([CB])([a-f])(?:(\+)(2?)|-([a-f])?)")

Json = Any


def spell(sheet: str) -> list[dict[str, Json]]:
    """Return the entries of a sheet in shorthand."""
    entries: list[dict[str, Json]] = []
    for word in sheet.split():
        entries.extend(_word(word))
    return entries


def _word(word: str) -> list[dict[str, Json]]:
    if word.startswith("S:"):
        points = [int(part) for part in word[2:].split(",")]
        return [_ruling("points", seat, n) for seat, n in enumerate(points) if n]
    if word.startswith("X:"):
        seat = word[2]
        return spell(f"{seat}+15 1- 2- C{seat}-")
    if match := _HAND.fullmatch(word):
        phase, seat, category, reset, other, suit = match.groups()
        entry: dict[str, Json] = {
            "kind": "hand",
            "phase": int(phase),
            "seat": SEAT(seat),
            "category": CATEGORIES[category],
        }
        if reset:
            entry["reset"] = True
        if other:
            entry["reset_seat"] = SEAT(other)
        if suit:
            entry["suit"] = suit
        return [entry]
    if match := re.fullmatch(r"(\d)-", word):
        return [{"kind": "none", "phase": int(match[1])}]
    if match := _CHICAGO.fullmatch(word):
        letter, seat, won, deuce, breaker = match.groups()
        entry = {"kind": "chicago", "seat": SEAT(seat), "won": bool(won)}
        if letter == "B":
            entry["blind"] = True
        if deuce:
            entry["deuce"] = True
        if breaker:
            entry["breaker"] = SEAT(breaker)
        return [entry]
    if match := re.fullmatch(r"T([a-f])(2?)", word):
        entry = {"kind": "last_trick", "seat": SEAT(match[1])}
        return [entry | {"deuce": True}] if match[2] else [entry]
    if match := re.fullmatch(r"([RD])([a-f])", word):
        kind = "revoke" if match[1] == "R" else "illegal_discard"
        return [{"kind": kind, "seat": SEAT(match[2])}]
    if match := re.fullmatch(r"([a-f])([+-]\d+)", word):
        return [_ruling("points", SEAT(match[1]), int(match[2]))]
    if match := re.fullmatch(r"([a-f])~(deal|next|game|dq)", word):
        return [_ruling(ACTIONS[match[2]], SEAT(match[1]))]
    if word in ("~end", "~redeal"):
        return [_ruling({"~end": "end_game"}.get(word, "redeal"))]
    raise ValueError(f"no such shorthand: {word}")


def _ruling(action: str, seat: int | None = None, points: int | None = None) -> dict[str, Json]:
    entry: dict[str, Json] = {"kind": "ruling", "action": action, "reason": "as the case asks"}
    if seat is not None:
        entry["seat"] = seat
    if points is not None:
        entry["points"] = points
    return entry


def record(
    rules: str = "festival",
    entries: str | Sequence[Json] = (),
    seats: int | Sequence[str] = 4,
    **more: Json,
) -> dict[str, Json]:
    """Return a game record; ``more`` replaces or adds header fields."""
    names = list(SIX[:seats]) if isinstance(seats, int) else list(seats)
    return {
        "format": "chicago-game-record",
        "version": 1,
        "rules": rules,
        "seats": names,
        "entries": spell(entries) if isinstance(entries, str) else list(entries),
    } | more


@dataclass(frozen=True)
class Ran:
    """The outcome of running the command."""

    code: int
    out: str
    err: str

    @property
    def doc(self) -> Json:
        """Return the single document on standard output."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[Json]:
        """Return the documents on standard output, one per line."""
        return [json.loads(line) for line in self.out.splitlines()]


class Terminal(io.BytesIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def run(*argv: str, stdin: str | bytes = "", terminal: bool = False) -> Ran:
    """Run ``python -m engine …`` in this process, with real text streams over bytes."""
    from engine.cli.main import main

    data = stdin if isinstance(stdin, bytes) else stdin.encode("utf-8", "surrogatepass")
    out = io.TextIOWrapper(Terminal() if terminal else io.BytesIO(), encoding="utf-8", newline="\n")
    err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n")
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = main(list(argv))
            except SystemExit as stop:
                code = stop.code if isinstance(stop.code, int) else (stop.code is not None)
    finally:
        sys.stdin = before
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8"))
    return Ran(int(code or 0), texts[0], texts[1])


def replay(document: Json, *options: str) -> Ran:
    text = document if isinstance(document, str | bytes) else json.dumps(document)
    return run("replay", *options, "-", stdin=text)


# --- cases ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A sheet and its expected outcome; only the values named in ``want`` are compared."""

    title: str
    rules: str
    seats: int
    sheet: str
    want: dict[str, str]

    def __str__(self) -> str:
        return f"{self.title} [{self.rules}: {self.sheet}]"

    def document(self) -> dict[str, Json]:
        """Return the case's record."""
        header = {"dealer": int(self.want["first"])} if "first" in self.want else {}
        return record(self.rules, self.sheet, self.seats, **header)


def load(path: Path) -> list[Case]:
    """Read a table: titles start at the margin, their cases follow.

    ``rules rules/3: sheet -> name value, name value`` is one case for each rule set named, with
    four seats unless ``/2`` to ``/6`` says otherwise; ``-`` stands for an empty value.
    """
    cases: list[Case] = []
    title = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if not line.startswith(" "):
            title = line.strip()
            continue
        head, arrow, tail = line.partition("->")
        specs, colon, sheet = head.partition(":")
        if not (title and arrow and colon):
            raise ValueError(f"not a case: {line}")
        pairs = [part.strip().partition(" ") for part in tail.split(",")]
        want = {name: "" if value == "-" else value for name, _, value in pairs}
        if unknown := set(want) - WANTED:
            raise ValueError(f"nothing is known of {unknown}: {line}")
        for spec in specs.split():
            rules, _, seats = spec.partition("/")
            cases.append(Case(title, rules, int(seats or 4), sheet.strip(), want))
    return cases


def _letters(flags: Sequence[bool]) -> str:
    return "".join(letter for letter, flag in zip("abcdef", flags, strict=False) if flag)


def _places(groups: Sequence[Sequence[int]] | None) -> str:
    return "|".join("".join("abcdef"[seat] for seat in sorted(group)) for group in groups or ())


WANTED = {
    *("scores", "executed", "asterisks", "discardless", "out", "dq", "winners", "win"),
    *("places", "gp", "deal", "phase", "dealer", "live", "finished", "facts"),
    *("first", "error", "warn", "says"),
}


def shorten(state: dict[str, Json]) -> dict[str, str]:
    """Return a state in the tables' shorthand."""
    return {
        "scores": " ".join(map(str, state["scores"])),
        "executed": _letters(state["executed"]),
        "asterisks": " ".join(map(str, state["asterisks"])),
        "discardless": _letters(state["discardless"]),
        "out": _letters([status == "out" for status in state["status"]]),
        "dq": _letters([status == "disqualified" for status in state["status"]]),
        "winners": "".join("abcdef"[seat] for seat in sorted(state["winners"])),
        "win": str(state["win"]),
        "places": _places(state["places"]),
        "gp": " ".join(state["game_points"] or ()),
        "live": "no" if state["finished"] else "",
        "finished": "" if state["finished"] else "no",
        "deal": str(state["deal"]),
        "phase": str(state["phase"]),
        "dealer": str(state["dealer"]),
    }


POINTS = {"sm": {4: (20, 12, 8, 5), 3: (20, 12, 8), 2: (20, 12)}}
USUAL = {4: (20, 15, 12, 8), 3: (20, 15, 12), 2: (20, 15)}


def check_shape(state: dict[str, Json], rules: str, seats: int) -> None:
    """Check what is true of every printed state (docs/formats/facts.md)."""
    for name in ("scores", "executed", "asterisks", "discardless", "status"):
        assert len(state[name]) == seats, name
    assert all(type(n) is int for n in state["scores"] + state["asterisks"])
    assert all(type(flag) is bool for flag in state["executed"] + state["discardless"])
    assert set(state["status"]) <= {"in", "out", "disqualified"}
    assert 0 <= state["dealer"] < seats
    assert state["deal"] >= 0
    if not state["finished"]:
        assert state["phase"] in (1, 2, 3)
        assert (state["winners"], state["win"]) == ([], None)
        assert (state["places"], state["game_points"]) == (None, None)
        return
    assert state["phase"] is None
    assert state["discardless"] == [False] * seats
    assert state["winners"]
    assert state["win"] in {
        "target",
        "straight_flush",
        "royal_flush",
        "blind_chicago",
        "last_standing",
        "ended",
    }
    assert sorted(seat for group in state["places"] for seat in group) == list(range(seats))
    if seats > 4:
        assert state["game_points"] is None
        return
    points = [Fraction(text) for text in state["game_points"]]
    assert [str(n) for n in points] == state["game_points"]
    disqualified = state["status"].count("disqualified")
    table = POINTS.get(rules.split("+")[0], USUAL)[seats]
    assert sum(points) == sum(table[: seats - disqualified])


def _fact(fact: dict[str, Json]) -> str:
    """Return a fact as one word.

    ``a7>0:reset``, ``a-executed``, ``a=out``, ``deal1``, ``game:target``.
    """
    seat = "abcdef"[fact["seat"]] if "seat" in fact else ""
    kind, on = fact["fact"], fact.get("on", True)
    match kind:
        case "score":
            return f"{seat}{fact['from']}>{fact['to']}:{fact['cause']}"
        case "status":
            return f"{seat}={fact['to']}"
        case "deal":
            return f"deal{fact['deal']}"
        case "game":
            return f"game:{fact['win']}"
    return f"{seat}{'+' if on else '-'}{kind}"


def check(case: Case) -> None:
    """Replay the case and compare."""
    want = dict(case.want)
    want.pop("first", None)
    code = want.pop("error", None)
    warn = want.pop("warn", None)
    says = want.pop("says", None)
    facts = want.pop("facts", None)
    document = case.document()
    ran = replay(document)
    doc = ran.doc
    problems = doc["problems"]
    errors = [problem for problem in problems if problem["severity"] == "error"]
    warned = [(p["code"], p["entry"]) for p in problems if p["severity"] == "warning"]
    last = len(document["entries"]) - 1
    if code is None:
        assert errors == []
        assert (ran.code, doc["valid"]) == (0, True)
    else:
        assert [(p["code"], p["entry"]) for p in errors] == [(code, last)]
        assert (ran.code, doc["valid"]) == (1, False)
        assert problems[-1] == errors[0]
        assert errors[0]["message"].strip()
        assert isinstance(errors[0]["expected"], list)
        if says:
            assert says in errors[0]["message"]
        before = replay(document | {"entries": document["entries"][:-1]}).doc
        assert before["valid"]
        assert doc["state"] == before["state"]
    assert all(problem["message"].strip() for problem in problems)
    if facts is not None:
        told = replay(document, "--facts").doc["steps"][-1]["facts"]
        assert " ".join(map(_fact, told)) == facts
    if warn is not None:
        marks = [word.partition("@") for word in warn.split()]
        assert sorted(warned) == sorted((name, int(at) if at else last) for name, _, at in marks)
    check_shape(doc["state"], case.rules, case.seats)
    got = shorten(doc["state"])
    assert {name: got[name] for name in want} == want
    assert ran.err == ""
