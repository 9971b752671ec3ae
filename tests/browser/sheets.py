"""Sheets for comparing the device's scoring with the engine's, attempt by attempt.

A sheet is a list of attempts to write something, legal or not, each with the engine's response.
Most are drawn at random: close enough to a real table to end, wild enough to exercise every rule.
Refusals count as much as entries.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from engine.cards.categories import SCORING
from engine.errors import ChicagoError, EntryError
from engine.rules.presets import PRESETS
from engine.rules.ruleset import QuadsReset, RuleSet
from engine.rules.variants import VARIANTS, parse_rules
from engine.sheet.entries import ACTIONS, WITHOUT_SEAT, entry_from_json
from engine.sheet.legality import candidates, find_fault
from engine.sheet.losses import losses, near_target
from engine.sheet.prospects import exchange_due, needs, turns
from engine.sheet.sheet import can, legal_entries, start, step, warnings
from engine.sheet.state import EXCHANGE, FINAL_HAND, IN, State
from scoring.reading.rules import resolve
from tests.engine.conformance.runner import load

Json = Any
CASES = Path(__file__).parent.parent / "engine" / "conformance"
#: Of structural refusals only the code is compared, as their parameters show Python values.
STRUCTURAL = ("malformed", "unknown_kind", "unknown_field", "missing_field", "bad_value")
_KEYS = [category.key for category in SCORING]
_ODD: Sequence[Json] = (None, True, False, -1, 0, 1, 4, 7, 1.5, 10**9 + 1, "", "pair", "H", [], {})


class Sheet:
    """A sheet being written; every attempt is recorded with its outcome."""

    def __init__(self, rules: RuleSet, seats: int, dealer: int = 0) -> None:
        self.rules = rules
        self.begun = self.state = start(rules, seats, dealer)
        self.dealer = dealer
        self.attempts: list[Json] = []

    def attempt(self, entry: Json) -> None:
        """Try to write an entry; record the refusal, or warnings, facts and the next state."""
        try:
            parsed = entry_from_json(entry, self.rules)
        except EntryError as error:
            self.attempts.append([entry, {"code": error.code}])
            return
        fault = find_fault(self.state, parsed)
        if fault is not None:
            code, params = fault
            told = {"code": code} if code in STRUCTURAL else {"code": code, "params": params}
            self.attempts.append([entry, told])
            return
        warned = [
            {"code": found.code, "params": found.params} for found in warnings(self.state, parsed)
        ]
        self.state = step(self.state, parsed)
        did = {
            "warnings": warned,
            "facts": [fact.as_json() for fact in self.state.facts],
            "losses": [asdict(loss) for loss in losses(self.state.facts)],
            "near": near_target(self.state),
            "exchange": exchange_due(self.state),
            "turns": list(turns(self.state)),
            "needs": [asdict(need) for need in needs(self.state)],
            "state": self.state.as_json(),
        }
        self.attempts.append([entry, did])

    def ask(self, rng: random.Random) -> None:
        """Record what may be written now, and some of what may not."""
        state = self.state
        every = list(candidates(state.rules, state.seats))
        tried = [*legal_entries(state), *rng.sample(every, 20)]
        found = {
            "legal": [entry.as_json() for entry in tried if can(state, entry)],
            "tried": [entry.as_json() for entry in tried],
        }
        self.attempts.append([None, found])

    def document(self) -> Json:
        """Return the sheet for the browser."""
        return {
            "rules": self.rules.as_json(),
            "seats": self.state.seats,
            "dealer": self.dealer,
            "attempts": self.attempts,
        }


def conformance() -> Iterable[Sheet]:
    """Yield every conformance case's sheet."""
    rng = random.Random("conformance")
    for path in sorted(CASES.glob("*.cases")):
        for case in load(path):
            sheet = Sheet(parse_rules(case.rules), case.seats, int(case.want.get("first", 0)))
            for entry in case.document()["entries"]:
                sheet.attempt(entry)
                sheet.ask(rng)
            yield sheet


@cache
def fitting() -> tuple[str, ...]:
    """Return every preset with each variant that fits it."""
    return tuple(
        spec for preset in PRESETS for name in VARIANTS if fits(spec := f"{preset}+{name}")
    )


def fits(spec: str) -> bool:
    """Return whether such a rule set exists."""
    try:
        parse_rules(spec)
    except ChicagoError:
        return False
    return True


def drawn(number: int, rng: random.Random) -> RuleSet:
    """Return the rule set of a generated game: a preset, or with one variant, or with some."""
    if number % 3 == 0:
        return parse_rules(fitting()[number // 3 % len(fitting())])
    preset = list(PRESETS)[number // 3 % len(PRESETS)]
    if number % 3 == 1:
        own: Json = {}
        if rng.random() < 0.4:
            own["game_points"] = [rng.randint(0, 30) for _place in range(rng.randint(2, 6))]
        if rng.random() < 0.3:
            own["out_points"] = "zero"
        return resolve(preset, own)
    while True:
        spec = "+".join((preset, *rng.sample(list(VARIANTS), rng.randint(2, 5))))
        if fits(spec):
            return parse_rules(spec)


def generated(number: int) -> Sheet:
    """Return the sheet with this number; always the same one."""
    rng = random.Random(f"count {number}")
    rules = drawn(number, rng)
    seats = rng.randint(rules.players_min, rules.players_max)
    sheet = Sheet(rules, seats, rng.randrange(seats))
    rulings = rng.choice((0.0, 0.03, 0.2))
    slips = rng.choice((0.02, 0.1, 0.3))
    # Games that go on long after somebody has reached the target are cut off.
    while not sheet.state.finished and len(sheet.attempts) < 200:
        entry = _ruling(rng, seats) if rng.random() < rulings else _entry(rng, sheet.state, slips)
        sheet.attempt(_damaged(rng, entry) if rng.random() < 0.03 else entry)
        if rng.random() < 0.02:
            sheet.ask(rng)
    sheet.attempt(_entry(rng, sheet.state, 1))
    sheet.attempt(_ruling(rng, seats))
    sheet.ask(rng)
    return sheet


def _entry(rng: random.Random, state: State, slips: float) -> Json:
    """Return a plausible entry at this point of a deal; with ``slips`` possibly anything at all."""
    slip = rng.random() < slips
    seat = rng.choice([s for s in range(state.seats) if slip or state.status[s] == IN] or [0])
    phase = rng.randint(0, 4) if slip or state.phase is None else state.phase
    stage = rng.choice((EXCHANGE, "tricks", FINAL_HAND)) if slip else state.stage
    if rng.random() < 0.03:
        return {"kind": rng.choice(("revoke", "illegal_discard")), "seat": seat}
    if state.rules.blind_chicago and (stage, phase) == (EXCHANGE, 1) and rng.random() < 0.1:
        return _chicago(rng, state, seat) | {"blind": True}
    if stage != "tricks":
        if rng.random() < 0.15:
            return {"kind": "none", "phase": phase}
        return _hand(rng, state, phase, seat, (30, 25, 15, 8, 8, 8, 8, 1, 1))
    if rng.random() < 0.08:
        return _hand(rng, state, phase, seat, (1, 1, 1, 1, 1, 1, 9, 2, 2))
    if rng.random() < 0.4:
        return _chicago(rng, state, seat)
    entry: Json = {"kind": "last_trick", "seat": seat}
    return entry | {"deuce": rng.random() < 0.5} if rng.random() < 0.5 else entry


def _chicago(rng: random.Random, state: State, seat: int) -> Json:
    entry: Json = {"kind": "chicago", "seat": seat, "won": rng.random() < 0.5}
    if not entry["won"] and rng.random() < 0.8:
        entry["breaker"] = rng.randrange(state.seats)
    if state.rules.blind_chicago and entry["won"] and rng.random() < 0.1:
        entry["deuce"] = True
    return entry


def _hand(rng: random.Random, state: State, phase: int, seat: int, weights: Sequence[int]) -> Json:
    (category,) = rng.choices(_KEYS, weights)
    rules = state.rules
    entry: Json = {"kind": "hand", "phase": phase, "seat": seat, "category": category}
    if category == "four_of_a_kind" and rng.random() < 0.5:
        entry["reset"] = rng.random() < 0.8
        if rules.quads_reset is QuadsReset.ONE and rng.random() < 0.9:
            entry["reset_seat"] = rng.randrange(state.seats)
    hearts = rules.royal_hearts_only and category == "royal_flush"
    if rng.random() < (0.9 if hearts else 0.05):
        entry["suit"] = rng.choice("SHDC")
    return entry


def _ruling(rng: random.Random, seats: int) -> Json:
    (action,) = rng.choices(ACTIONS, (12, 4, 4, 2, 1, 4, 1))
    entry: Json = {"kind": "ruling", "action": action, "reason": rng.choice(("late", "slow", " "))}
    if action not in WITHOUT_SEAT:
        entry["seat"] = rng.randrange(seats)
    if action == "points":
        entry["points"] = rng.randint(-30, 30)
    return entry


def _damaged(rng: random.Random, entry: Json) -> Json:
    """Return the entry damaged in one field, or something that is no entry at all."""
    names = (*entry, "seat", "breaker", "blind", "deuce", "reset", "reset_seat", "suit", "note")
    entry = dict(entry)
    how = rng.random()
    if how < 0.1:
        return rng.choice(_ODD)
    if how < 0.3:
        del entry[rng.choice(list(entry))]
    else:
        entry[rng.choice((*names, "who"))] = rng.choice(_ODD)
    return entry
