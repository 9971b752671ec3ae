"""Rows become entries: those of before new seats are turned to them."""

import pytest

from engine.rules.variants import parse_rules
from engine.sheet.entries import Hand, entry_from_json
from engine.sheet.sheet import legal_entries, start, step
from scoring.enums import RowKind
from scoring.reading.history import Row, play, slots_of

PLAYERS = ["anna", "bo", "cia", "dan"]
#: Everybody has points to lose, and a Chicago may be declared.
EARLIER = [
    {"kind": "ruling", "action": "points", "seat": seat, "points": 20 + seat, "reason": "start"}
    for seat in range(len(PLAYERS))
]


@pytest.mark.parametrize("spec", ["basic+reset-one", "wikipedia"])
def test_points_follow_the_players_to_their_new_seats(spec) -> None:
    rules = parse_rules(spec)
    new = ["cia", "anna", "dan", "bo"]
    state = start(rules, len(PLAYERS), 0)
    for document in EARLIER:
        state = step(state, entry_from_json(document, rules))
    to_tricks = [{"kind": "none", "phase": phase} for phase in range(1, rules.exchanges)]
    before_tricks = state
    for document in to_tricks:
        before_tricks = step(before_tricks, entry_from_json(document, rules))
    tried = [([], entry) for entry in legal_entries(state) if isinstance(entry, Hand)]
    tried += [(to_tricks, entry) for entry in legal_entries(before_tricks)]
    for quiet, entry in tried:
        documents = [*EARLIER, *quiet, entry.as_json()]
        rows = [Row(number, RowKind.ENTRY, each) for number, each in enumerate(documents)]
        then = play(rules, 4, 0, slots_of(rows, PLAYERS)[0])
        rows.append(Row(len(rows), RowKind.RESEAT, {"seats": new, "follow": "player"}))
        slots, seats = slots_of(rows, PLAYERS)
        after = play(rules, 4, new.index("anna"), slots)
        assert then.problem is after.problem is None, entry
        scores = dict(zip(PLAYERS, then.state.scores, strict=True))
        assert dict(zip(seats, after.state.scores, strict=True)) == scores, entry
