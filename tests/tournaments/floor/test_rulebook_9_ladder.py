"""Rulebook §9, an event's penalty ladder: cases written by hand from the text, one line each.

A line: the event's format, the penalties so far (each an offence, its step in brackets), the
offence now, and the step that follows.
"""

import re
from fractions import Fraction

import pytest

from tournaments.events.queries.formats import FORMATS
from tournaments.floor.queries.penalties import next_step
from tournaments.models import Event, Penalty
from tournaments.models.enums import PenaltyLevel
from tournaments.models.ladder import Step

CASES = """
# Festival: warning, −5, misses the next deal, misses the game, disqualified
festival: slow -> warning
festival: slow (warning), slow -> points 5
festival: slow (warning), slow (points 5), slow -> miss_next
festival: slow (points 5), slow (miss_next), slow -> miss_game
festival: slow (miss_game), slow -> disqualified
festival: slow (disqualified), slow -> disqualified

# sm: begins with −5, no warning
sm: slow -> points 5
sm: slow (points 5), slow -> miss_next
sm: slow (miss_next), slow -> miss_game
sm: slow (miss_game), slow -> disqualified

# counted per offence by default
festival: slow (warning), language -> warning
festival: slow (points 5), language (warning), language -> points 5
festival: slow (warning), language (points 5), slow -> points 5
sm: slow (miss_game), absent -> points 5

# over all offences by setting
festival over all: slow (warning), language -> points 5
festival over all: slow (warning), language (points 5), absent -> miss_next
sm over all: slow (points 5), language -> miss_next

# Collusion: disqualified at once
festival: collusion -> disqualified
sm: collusion -> disqualified
festival over all: collusion -> disqualified

# a warning, n points, misses the deal, n game points: a director may give another step
festival: slow (miss_deal), slow -> miss_next
festival: slow (points 9), slow -> miss_next
# Game points that the ladder does not have, however few, are one step.
festival: slow (game_points 5/2), slow -> points 5
festival: slow (points 5), slow (game_points 1/12), slow -> miss_game
sm: slow (game_points 20), slow (game_points 20), slow -> miss_game
festival: slow (miss_game), slow (game_points 1), slow (game_points 1), slow -> disqualified
"""
_GIVEN = re.compile(r"(\w+) \((\w+)(?: (\S+))?\)")


def cases() -> list[str]:
    return [line for line in CASES.splitlines() if line and not line.startswith("#")]


def step(text: str) -> Step:
    level, _, points = text.partition(" ")
    return Step(PenaltyLevel(level), int(points or 0))


@pytest.mark.parametrize("case", cases())
def test_case(case: str) -> None:
    form, sheet, follows = re.split(": | -> ", case)
    name, _, over_all = form.partition(" ")
    event = Event(**FORMATS[name].fields, penalties_per_offence=not over_all)
    *given, offence = sheet.split(", ")
    rows = []
    for each in given:
        found = _GIVEN.fullmatch(each)
        assert found, each
        points = Fraction(found[3] or 0)
        rows.append(Penalty(offence=found[1], level=PenaltyLevel(found[2]), points=points))
    assert next_step(event, rows, offence) == step(follows)
