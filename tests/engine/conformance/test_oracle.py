"""Random sheets under random rule sets: the engine's command against the second implementation."""

import itertools
import json
import random

import pytest

from .oracle import Sheet
from .oracle_rules import ORDER, VARIANTS
from .runner import record, run

ALWAYS = [
    *("B2", "B3", "B4", "C", "D", "F", "J", "K", "N", "O", "P", "P10", "Q", "R", "S", "U"),
    *("W", "X", "Z", "quads-end", "need-chicago-3", "three-exchanges", "breaker8", "Voff"),
    *("A", "E", "G", "H", "I", "L", "M", "T", "redeal-ten"),
    *("no-open", "final-hand-never", "royal-wins", "declarer-leads"),
]
ONLY = {
    "reset": {"pagat", "basic", "wikipedia"},
    **{key: {"pagat", "basic", "wikipedia"} for key in ("quads52", "reset-one", "sf52", "sf10")},
    "sf-wins": {"pagat", "basic", "wikipedia"},
    "win-again": {"svensk", "pagat", "basic", "wikipedia"},
    "Y": {"svensk", "pagat", "basic", "wikipedia"},
    "V40": {"festival", "sm", "svensk", "pagat", "wikipedia"},
    "V48": {"festival", "sm", "svensk", "pagat", "wikipedia"},
    "limit42": {"festival", "sm", "svensk", "pagat", "wikipedia"},
}
#: Clashes, and pairs whose interaction the rulebook leaves open.
APART = [
    {"B2", "B3", "B4", "sf10", "sf-wins", "sf52"},
    {"B2", "B3", "B4", "quads52"},
    {"B2", "B3", "B4", "reset-one"},
    *({"reset-one", x} for x in ("reset", "quads-end", "J", "C", "D")),
    *({"quads52", x} for x in "CD"),
    {"final-hand-never", "Q"},
    {"no-open", "G"},
    {"declarer-leads", "M"},
    {"quads-end", "K"},
    {"C", "D", "reset"},
    {"B2", "C", "reset"},
    {"B3", "C", "D"},
    {"P", "P10", "breaker8"},
    {"V40", "V48", "Voff", "limit42"},
    {"W", "X"},
    {"need-chicago-3", "X"},
    {"F", "three-exchanges"},
    {"Z", "win-again"},
    {"Z", "Y"},
    {"Y", "win-again"},
    {"D", "quads-end"},
    *({"B2", x} for x in "CD"),
    *({"B3", x} for x in "CD"),
    *({"B4", x} for x in "CD"),
]
SPECS = ["festival", "sm", "svensk", "pagat", "basic", "wikipedia"]


def some_rules(rng):
    preset = rng.choice(SPECS)
    pool = ALWAYS + [name for name, presets in ONLY.items() if preset in presets]
    if preset == "basic":
        pool = [name for name in pool if name != "Voff"]
    chosen = set()
    for name in rng.sample(pool, rng.choice((0, 0, 1, 1, 2, 3, 4))):
        if all(len(apart & (chosen | {name})) < 2 for apart in APART if name in apart):
            chosen.add(name)
    return "+".join([preset, *rng.sample(sorted(chosen), len(chosen))])


def some_entry(rng, sheet):
    """Return an entry, legal or not, preferably of the kind that comes next."""
    seat, phases = rng.randrange(sheet.n), sheet.rules["exchanges"]
    phase = sheet.phase if rng.random() < 0.97 else rng.randint(1, phases)
    kinds = {
        "hand": ["hand"] * 10 + ["none"] * 3 + ["illegal_discard"],
        "tricks": ["last_trick"] * 5 + ["chicago"] * 6 + ["hand"] * 4 + ["revoke"] * 2
        + ["illegal_discard"],
        "last": ["hand"] * 3 + ["none"],
        "chicago": ["hand"] * 3 + ["none"],
    }[sheet.stage]  # fmt: skip
    kind = rng.choice([*kinds, "ruling"]) if rng.random() < 0.97 else rng.choice(
        ["hand", "none", "chicago", "last_trick", "revoke", "illegal_discard"])  # fmt: skip
    entry = {"kind": kind}
    if kind == "none":
        return entry | {"phase": phase}
    entry["seat"] = seat
    if kind == "hand":
        category = rng.choice([*ORDER[1:8], "four_of_a_kind", "four_of_a_kind"])
        if rng.random() < 0.04 or (sheet.stage == "tricks" and rng.random() < 0.2):
            category = rng.choice(ORDER[8:])
        entry |= {"phase": phase, "category": category}
        if category == "four_of_a_kind" and rng.random() < 0.5:
            entry["reset"] = rng.random() < 0.7
            if sheet.rules["one"] and entry["reset"]:
                entry["reset_seat"] = rng.choice([s for s in sheet.seats if s != seat])
        if category == "royal_flush" and (sheet.stage == "tricks" or rng.random() < 0.9):
            entry["suit"] = rng.choice("SHDC")
    elif kind == "chicago":
        entry["won"] = rng.random() < 0.6
        if not entry["won"] and rng.random() < 0.8:
            entry["breaker"] = rng.randrange(sheet.n)
    elif kind == "last_trick" and rng.random() < 0.4:
        entry["deuce"] = True
    elif kind == "ruling":
        entry |= {"action": "points", "points": rng.choice([-20, -5, 3, 10, 20, 40]), "reason": "x"}
        if rng.random() < 0.12:
            del entry["points"]
            entry["action"] = rng.choice(["sit_out_game", "disqualify", "end_game"])
        elif rng.random() < 0.3:
            del entry["points"]
            entry["action"] = rng.choice(["sit_out_deal", "sit_out_next_deal", "redeal"])
        if entry["action"] in ("end_game", "redeal"):
            del entry["seat"]
    if sheet.rules["blind"] and sheet.stage == "hand" and rng.random() < 0.1:
        entry = {"kind": "chicago", "seat": seat, "won": rng.random() < 0.6, "blind": True}
        if entry["won"]:
            entry["deuce"] = rng.random() < 0.2
    return entry


def some_game(rng):
    """Return a record, and what the second implementation makes of it."""
    spec, seats = some_rules(rng), rng.choice((2, 3, 3, 4, 4))
    dealer = rng.randrange(seats)
    sheet = Sheet(spec, seats, dealer)
    entries, problems = [], []
    for seat in rng.sample(range(seats), rng.randint(0, seats)):
        points = rng.choice((15, 30, 40, 45, 50))
        entries.append({"kind": "ruling", "action": "points", "seat": seat, "points": points,
                        "reason": "x"})  # fmt: skip
        sheet.enter(entries[-1])
    for _ in range(rng.choice((6, 15, 60))):
        entry = some_entry(rng, sheet)
        code = sheet.why_not(entry)
        if code and rng.random() < 0.93:
            continue
        entries.append(entry)
        if code:
            problems.append((code, len(entries) - 1))
            break
        problems += [(w, len(entries) - 1) for w in sheet.warnings(entry)]
        sheet.enter(entry)
        if sheet.win and rng.random() < 0.9:
            break
    return record(spec, entries, seats, dealer=dealer), sheet, problems


def compare(rng):
    document, sheet, problems = some_game(rng)
    state = sheet.state()
    ran = run("replay", "-", stdin=json.dumps(document))
    got = [(p["code"], p["entry"]) for p in ran.doc["problems"]]
    shown = json.dumps({k: v for k, v in document.items() if k in ("rules", "dealer", "entries")})
    if state["status"].count("disqualified") > 1 and state["finished"]:
        ran.doc["state"]["places"] = state["places"]
    assert sorted(got) == sorted(problems), shown
    printed = ran.doc["state"]
    printed = {name: printed[name] for name in state}
    if printed["places"]:
        printed["places"] = [sorted(group) for group in printed["places"]]
    printed["winners"] = sorted(printed["winners"])
    assert printed == state, shown
    if not sheet.win and ran.code == 0:
        compare_expected(document, sheet)


def every_entry(sheet):
    """Yield everything that could be legal, in its shortest form."""
    rules, seats = sheet.rules, sheet.seats
    for phase in range(1, rules["exchanges"] + 1):
        yield {"kind": "none", "phase": phase}
        for seat, category in itertools.product(seats, ORDER[1:]):
            hand = {"kind": "hand", "phase": phase, "seat": seat, "category": category}
            if category == "royal_flush" and rules["hearts"]:
                yield from (hand | {"suit": suit} for suit in "SHDC")
            else:
                yield hand
            if category != "four_of_a_kind":
                continue
            if rules["one"]:
                others = (s for s in seats if s != seat)
                yield from (hand | {"reset": True, "reset_seat": s} for s in others)
            else:
                yield hand | {"reset": True}
    for seat in seats:
        yield from ({"kind": kind, "seat": seat} for kind in ("revoke", "illegal_discard"))
        yield {"kind": "last_trick", "seat": seat}
        yield {"kind": "last_trick", "seat": seat, "deuce": True}
        for blind in [{}, {"blind": True}] if rules["blind"] else [{}]:
            chicago = {"kind": "chicago", "seat": seat} | blind
            yield chicago | {"won": True}
            yield chicago | {"won": False}
            yield from (chicago | {"won": False, "breaker": s} for s in seats)
            if blind:
                yield chicago | {"won": True, "deuce": True}


def compare_expected(document, sheet):
    """Check that a refusal offers exactly what is legal now, rulings apart."""
    wrong = {"kind": "none", "phase": sheet.phase}
    if sheet.stage != "tricks":
        wrong = {"kind": "last_trick", "seat": 0}
    text = json.dumps(document | {"entries": [*document["entries"], wrong]})
    problem = run("replay", "-", stdin=text).doc["problems"][-1]
    assert problem["code"] == "unexpected_kind"

    def told(entries):
        drop = {"reset"} if sheet.rules["reset"] == "always" else set()
        return {
            tuple(sorted((k, v) for k, v in entry.items() if k not in drop and v is not False))
            for entry in entries
            if entry["kind"] != "ruling"
        }

    legal = told(e for e in every_entry(sheet) if sheet.why_not(e) is None)
    shown = (document["rules"], document["entries"])
    assert told(problem["expected"]) == legal, shown


@pytest.mark.parametrize("seed", range(40))
def test_random_sheets_agree_with_the_second_implementation(seed):
    rng = random.Random(f"conformance {seed}")
    for _ in range(50):
        compare(rng)


def test_every_variant_is_in_the_second_implementation():
    known = set(ALWAYS) | set(ONLY)
    assert known == set(VARIANTS)
    assert all(apart <= known for apart in APART)
    assert all(len(a & b) >= 0 for a, b in itertools.pairwise(APART))
