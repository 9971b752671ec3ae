"""The facts of an entry in words (rulebook §3; docs/formats/facts.md)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..sheet.facts import Fact, ScoreChanged
from .numbers import number_text, signed
from .words import language

_ZEROED: Final = {"en": "set to zero at {score}", "sv": "nollad på {score}"}


def changes_text(facts: Iterable[Fact], lang: str = "en") -> dict[int, str]:
    """Return what an entry did to the scores, by seat.

    A player who reached the target without the needed Chicago did not lose points, but was set to
    zero.

    >>> from engine.sheet.facts import ScoreChanged
    >>> changes_text([ScoreChanged(0, 46, 54, "hand"), ScoreChanged(0, 54, 0, "no_chicago"),
    ...               ScoreChanged(2, 20, 5, "chicago_lost")])
    {0: 'set to zero at 54', 2: '−15'}
    """
    zeroed = _ZEROED[language(lang)]
    return {
        fact.seat: zeroed.format(score=number_text(fact.before))
        if fact.cause == "no_chicago"
        else signed(fact.gain)
        for fact in facts
        if isinstance(fact, ScoreChanged)
    }
