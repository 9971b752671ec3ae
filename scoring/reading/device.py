"""The questions at every point of a deal, which the Auditor's page asks by itself.

The page's script finds out which buttons are grey, and puts in the players' names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.rules.ruleset import FinalHand
from engine.sheet.sheet import start
from engine.sheet.state import CHICAGO_HAND, EXCHANGE, FINAL_HAND, TRICKS, State

from .pages import TablePage
from .question import Question, device_questions_of
from .rules import rules_of


@dataclass(frozen=True, slots=True)
class StageQuestion:
    """The question at one point of a deal (``exchange-1``, ``tricks``, ``chicago``)."""

    key: str
    question: Question


def device_questions(page: TablePage, names: Sequence[str]) -> list[StageQuestion]:
    """Return the questions at every point of a deal, with every possible button.

    The device itself finds out which of them are grey, and why. ``names`` stand for the players'.
    """
    return [
        StageQuestion("chicago" if question.step == "chicago" else _key(state), question)
        for state in _stages(page)
        for question in device_questions_of(
            state,
            names,
            directed=page.table.directed,
            shot_clock=page.about.shot_seconds is not None,
        )
    ]


def _key(state: State) -> str:
    return f"{state.stage}-{state.phase}" if state.stage == EXCHANGE else state.stage


def _stages(page: TablePage) -> list[State]:
    """Return one state for each point of a deal, in which everybody may do everything."""
    rules = rules_of(page.table)
    seats = len(page.game.seats)
    first = replace(
        start(rules, seats),
        scores=(max(rules.chicago_minimum or 0, 1),) * seats,
        discardless=(True,) * seats,
    )
    last = rules.exchanges
    final = [TRICKS, FINAL_HAND]
    if rules.final_hand_in_chicago is not FinalHand.NEVER:
        final.append(CHICAGO_HAND)
    return [
        *(replace(first, phase=phase) for phase in range(1, last)),
        *(replace(first, phase=last, stage=stage) for stage in final),
    ]
