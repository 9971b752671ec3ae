"""Sheets for comparing the device's scoring with the engine's, attempt by attempt.

A sheet is a list of attempts to write something, legal or not, each with the engine's response.
Most are drawn at random: close enough to a real table to end, wild enough to exercise every rule.
Refusals count as much as entries.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine.cards.categories import SCORING
from engine.errors import EntryError
from engine.sheet.entries import ACTIONS, WITHOUT_SEAT, entry_from_json
from engine.sheet.legality import find_fault
from engine.sheet.losses import losses, near_target
from engine.sheet.sheet import legal_entries, start, step, warnings
from engine.sheet.state import EXCHANGE, FINAL_HAND, State
from scoring.reading.rules import COUNTED, resolve
from tests.engine.conformance.runner import load

Json = Any
CLAIMED = COUNTED
#: Rule sets with an event's own game points.
OWN: dict[str, tuple[str, Json]] = {
    "festival, own": ("festival", {"game_points": [10, 6, 3, 1]}),
    "festival, nothing for who is out": ("festival", {"out_points": "zero"}),
    "sm, own": ("sm", {"game_points": [7, 5], "out_points": "zero"}),
}
CASES = Path(__file__).parent.parent / "engine" / "conformance"
#: Of structural refusals only the code is compared, as their parameters show Python values.
STRUCTURAL = ("malformed", "unknown_kind", "unknown_field", "missing_field", "bad_value")
_KEYS = [category.key for category in SCORING]
_ODD: Sequence[Json] = (None, True, False, -1, 0, 1, 4, 7, 1.5, 10**9 + 1, "", "pair", "H", [], {})


class Sheet:
    """A sheet being written; every attempt is recorded with its outcome."""

    def __init__(self, rules: str, seats: int, dealer: int = 0) -> None:
        spec, own = OWN.get(rules, (rules, {}))
        self.state: State = start(resolve(spec, own), seats, dealer)
        self.head = {"rules": rules, "seats": seats, "dealer": dealer}
        self.attempts: list[Json] = []

    def attempt(self, entry: Json) -> None:
        """Try to write an entry; record the refusal, or warnings, facts and the next state."""
        try:
            parsed = entry_from_json(entry)
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
            "state": self.state.as_json(),
        }
        self.attempts.append([entry, did])

    def ask_for_all(self) -> None:
        """Record all entries that are legal now."""
        self.attempts.append([None, [entry.as_json() for entry in legal_entries(self.state)]])

    def document(self) -> Json:
        """Return the sheet for the browser."""
        return {**self.head, "attempts": self.attempts}


def conformance() -> Iterable[Sheet]:
    """Yield every conformance case's sheet whose rule set the script supports."""
    for path in sorted(CASES.glob("*.cases")):
        for case in load(path):
            if case.rules in CLAIMED:
                sheet = Sheet(case.rules, case.seats, int(case.want.get("first", 0)))
                for entry in case.document()["entries"]:
                    sheet.attempt(entry)
                    sheet.ask_for_all()
                yield sheet


def generated(number: int, among: Sequence[str] = CLAIMED) -> Sheet:
    """Return the sheet with this number under one of these rule sets; always the same one."""
    rng = random.Random(f"count {number}")
    seats = 2 + number % 3
    sheet = Sheet(among[number // 3 % len(among)], seats, rng.randrange(seats))
    rulings = rng.choice((0.0, 0.03, 0.2))
    slips = rng.choice((0.02, 0.1, 0.3))
    while not sheet.state.finished and len(sheet.attempts) < 600:
        entry = _ruling(rng, seats) if rng.random() < rulings else _entry(rng, sheet.state, slips)
        sheet.attempt(_damaged(rng, entry) if rng.random() < 0.03 else entry)
        if rng.random() < 0.02:
            sheet.ask_for_all()
    sheet.attempt(_entry(rng, sheet.state, 1))
    sheet.attempt(_ruling(rng, seats))
    return sheet


def _entry(rng: random.Random, state: State, slips: float) -> Json:
    """Return a plausible entry at this point of a deal; with ``slips`` possibly anything at all."""
    slip = rng.random() < slips
    seat = rng.randrange(state.seats)
    phase = rng.randint(0, 4) if slip or state.phase is None else state.phase
    stage = rng.choice((EXCHANGE, "tricks", FINAL_HAND)) if slip else state.stage
    if rng.random() < 0.03:
        return {"kind": rng.choice(("revoke", "illegal_discard")), "seat": seat}
    if stage in (EXCHANGE, FINAL_HAND):
        if rng.random() < 0.15:
            return {"kind": "none", "phase": phase}
        return _hand(rng, phase, seat, (30, 25, 15, 8, 8, 8, 8, 1, 1))
    if rng.random() < 0.05:
        return _hand(rng, phase, seat, (1, 1, 1, 1, 1, 1, 9, 2, 2))
    if rng.random() < 0.4:
        entry: Json = {"kind": "chicago", "seat": seat, "won": rng.random() < 0.5}
        if not entry["won"] and rng.random() < 0.8:
            entry["breaker"] = rng.randrange(state.seats)
        return entry
    entry = {"kind": "last_trick", "seat": seat}
    return entry | {"deuce": rng.random() < 0.5} if rng.random() < 0.5 else entry


def _hand(rng: random.Random, phase: int, seat: int, weights: Sequence[int]) -> Json:
    (category,) = rng.choices(_KEYS, weights)
    entry: Json = {"kind": "hand", "phase": phase, "seat": seat, "category": category}
    if category == "four_of_a_kind" and rng.random() < 0.5:
        entry["reset"] = rng.random() < 0.8
    if rng.random() < 0.05:
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
