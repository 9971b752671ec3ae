"""What each player needs to win is what wins (engine/sheet/prospects.py)."""

import random

import pytest

from engine.errors import EntryError
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ending
from engine.rules.variants import parse_rules
from engine.sheet.entries import Chicago, NoHand, Ruling
from engine.sheet.prospects import exchange_due, needs, turns
from engine.sheet.sheet import can, legal_entries, start, step
from engine.sheet.state import CHICAGO_HAND, TRICKS, State

RULES = [*PRESETS, *(f"svensk+{name}" for name in ("S", "W", "X", "Y", "U", "R", "Q", "S+W"))]
RULES += ["pagat+win-again", "basic+win-again", "pagat+need-chicago-3", "wikipedia+Y"]


def played(rules: str, seed: int) -> list[State]:
    """Return the states of a game played at random, with rulings that bring scores near."""
    rng = random.Random(f"{rules} {seed}")
    state = start(parse_rules(rules), rng.choice((3, 4)), 0)
    found = [state]
    while not state.finished and len(found) < 60:
        if rng.random() < 0.15:
            points = rng.randint(-20, 30)
            entry = Ruling("points", rng.randrange(state.seats), points, "x")
        else:
            legal = legal_entries(state)
            kind = rng.choice(sorted({each.kind for each in legal}))
            entry = rng.choice([each for each in legal if each.kind == kind])
        try:
            state = step(state, entry)
        except EntryError:
            continue
        found.append(state)
    return found


STATES = [state for rules in RULES for seed in range(12) for state in played(rules, seed)]


def test_winning_a_chicago_is_enough_exactly_where_it_is_said_to_be() -> None:
    tried = 0
    for state in STATES:
        for need in needs(state):
            entry = Chicago(need.seat, won=True)
            if state.stage != TRICKS or not can(state, entry) or not need.points:
                continue
            after = step(state, entry)
            if after.stage == CHICAGO_HAND:
                after = step(after, NoHand(after.phase))
            # Where the deal decides, somebody else may have more.
            won = after.finished and after.win == "target"
            assert won >= need.enough, (state.as_json(), need)
            if after.finished and need.seat in after.winners:
                assert need.enough, (state.as_json(), need)
            tried += need.enough
    assert tried > 50


def test_the_points_that_lack_are_those_that_win_where_the_target_counts_at_once() -> None:
    tried = 0
    for state in STATES:
        if state.rules.ending is not Ending.AT_ONCE:
            continue
        for need in needs(state):
            enough = step(state, Ruling("points", need.seat, need.points, "x"))
            less = step(state, Ruling("points", need.seat, need.points - 1, "x"))
            # Who lacks the Chicago is out, which may leave one alone.
            assert enough.win in ({None, "last_standing"} if need.chicago else {"target"})
            assert less.win is None
            tried += 1
    assert tried > 100


@pytest.mark.parametrize(
    ("rules", "points", "chicago", "enough", "trick", "later"),
    [
        ("festival", 12, "executed", True, False, False),
        ("pagat", 12, "", True, False, False),
        ("pagat+need-chicago-3", 12, "won", True, False, False),
        ("svensk+W", 12, "won", True, False, False),
        ("svensk+U", 11, "executed", True, False, False),
        ("pagat+Y", 12, "", True, True, False),
        ("pagat+win-again", 12, "", False, True, True),
    ],
)
def test_what_forty_points_lack(
    rules: str, points: int, chicago: str, enough: bool, trick: bool, later: bool
) -> None:
    state = step(start(parse_rules(rules), 3), Ruling("points", 1, 40, "x"))
    found = needs(state)[1]
    told = (found.points, found.chicago, found.enough, found.trick, found.later)
    assert told == (points, chicago, enough, trick, later)


def test_a_lost_chicago_leaves_no_second_one_where_each_has_one() -> None:
    state = start(parse_rules("svensk+S+W"), 3)
    for entry in (NoHand(1), NoHand(2), Ruling("points", 0, 45, "x"), Chicago(0, False)):
        state = step(state, entry)
    first = needs(state)[0]
    assert (first.chicago, first.enough) == ("never", False)


def test_every_exchange_is_due_and_who_sits_out_has_no_turn() -> None:
    state = start(parse_rules("svensk"), 4, dealer=0)
    found = []
    for entry in (NoHand(1), NoHand(2)):
        found.append(exchange_due(state))
        state = step(state, entry)
    assert [*found, exchange_due(state)] == [1, 2, 3]
    state = step(state, Ruling("sit_out_deal", 1, None, "x"))
    assert turns(state) == (2, 3, 0)
