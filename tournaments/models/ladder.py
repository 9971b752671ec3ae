"""The ladder of penalties, part of an event's format (rulebook §9)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from engine.messages import mixed_text

from .enums import PenaltyLevel

#: More steps than a player could use up.
MAX_STEPS = 10
#: The levels with a number of points.
COUNTED = (PenaltyLevel.POINTS, PenaltyLevel.GAME_POINTS)


@dataclass(frozen=True)
class Step:
    """A penalty and, where it takes points, how many.

    Steps of a ladder take whole points; game points taken from a player may be fractions.

    >>> Step.read({"level": "points", "points": 5}).as_json()
    {'level': 'points', 'points': 5}
    """

    level: PenaltyLevel
    points: Fraction | int = 0

    @classmethod
    def read(cls, document: Any) -> "Step":
        """Return the step in a document, or raise ``ValueError`` if it breaks the rules."""
        step = cls(PenaltyLevel(document["level"]), document.get("points", 0))
        counted = step.level in COUNTED
        if type(step.points) is not int or not (1 <= step.points <= 52 if counted else True):
            raise ValueError(step)
        if set(document) - {"level", "points"} or bool(step.points) != counted:
            raise ValueError(step)
        return step

    def as_json(self) -> dict[str, Any]:
        """Return the step as stored."""
        points = {"points": int(self.points)} if self.points else {}
        return {"level": str(self.level.value), **points}

    def __str__(self) -> str:
        """Return the step in words, with its points."""
        text = str(self.level.label)
        return f"{text} ({mixed_text(-Fraction(self.points))})" if self.points else text


def festival_ladder() -> list[dict[str, Any]]:
    """Return the festival's ladder."""
    return [
        Step(PenaltyLevel.WARNING).as_json(),
        *sm_ladder(),
    ]


def sm_ladder() -> list[dict[str, Any]]:
    """Return the championship's ladder, which has no warning."""
    return [
        Step(PenaltyLevel.POINTS, 5).as_json(),
        Step(PenaltyLevel.MISS_NEXT_DEAL).as_json(),
        Step(PenaltyLevel.MISS_GAME).as_json(),
        Step(PenaltyLevel.DISQUALIFIED).as_json(),
    ]


def validate_ladder(value: Any) -> None:
    """Accept a list of steps, lightest first."""
    try:
        steps = [Step.read(each) for each in value]
    except (AttributeError, KeyError, TypeError, ValueError):
        steps = []
    levels = list(PenaltyLevel)
    weights = [(levels.index(step.level), step.points) for step in steps]
    if not 1 <= len(steps) <= MAX_STEPS or weights != sorted(weights):
        raise ValidationError(
            _("Enter between 1 and %(most)s steps, each at least as hard as the one before."),
            code="bad_ladder",
            params={"most": MAX_STEPS},
        )


def step_after(ladder: Sequence[Step], given: Iterable[Step]) -> Step:
    """Return the step that follows these penalties, given oldest first.

    Game points that the ladder does not have are one step: they may be a few twelfths of a point.

    >>> ladder = [Step.read(each) for each in festival_ladder()]
    >>> str(step_after(ladder, [ladder[0], ladder[2]]).level)
    'miss_game'
    """
    at = -1
    for step in given:
        rung = at + 1 if _beside(ladder, step) else _rung(ladder, step)
        if rung > at:
            at = rung
        elif ladder[at : at + 2] == [step, step]:  # the ladder has this step twice
            at += 1
    return ladder[min(at + 1, len(ladder) - 1)]


def _beside(ladder: Sequence[Step], step: Step) -> bool:
    levels = {each.level for each in ladder}
    return step.level == PenaltyLevel.GAME_POINTS and step.level not in levels


def _rung(ladder: Sequence[Step], step: Step) -> int:
    """Return the position of a penalty in the ladder; between two steps, the lighter one's."""
    alike = [each for each in ladder if each.level == step.level]
    if alike:
        reached = [each for each in alike if each.points <= step.points]
        return ladder.index(reached[-1] if reached else alike[0])
    levels = list(PenaltyLevel)
    weight = levels.index(step.level)
    return sum(levels.index(each.level) < weight for each in ladder) - 1
