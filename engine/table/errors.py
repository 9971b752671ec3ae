"""Refusals of card-level play, in the form of the score sheet's (rulebook §2, §3).

An :class:`ActionProblem` is a :class:`~engine.errors.Problem` about one action of a card record.
Codes of the score sheet that also occur at the table (a Chicago below the minimum, say) keep their
sentences.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..documents import ProblemDocument
from ..errors import ChicagoError, Problem


@dataclass(frozen=True, slots=True)
class ActionProblem(Problem):
    """A problem with one action of a card record; ``action`` is its index there.

    >>> ActionProblem("cannot_exchange", params={"seat": 1}, action=7).as_json()["action"]
    7
    """

    action: int | None = None

    @property
    def about_action(self) -> bool:
        """False if the problem is with a score sheet entry instead."""
        return self.entry is None or self.code == "contradicts_cards"

    def as_json(self) -> ProblemDocument:
        """Return the problem's document, with the index of its action."""
        document: ProblemDocument = {
            "code": self.code,
            "severity": self.severity,
            "entry": self.entry,
            "action": self.action,
        }
        if isinstance(seat := self.params.get("seat"), int):
            document["seat"] = seat
        document["expected"] = [dict(item) for item in self.expected]
        return document


class ActionError(ChicagoError):
    """An action that is not possible now; ``problem`` says why and what would be."""

    problem: ActionProblem

    def __init__(self, problem: ActionProblem) -> None:
        super().__init__(problem.code, **dict(problem.params))
        self.problem = problem

    def __reduce__(self) -> tuple[type[ActionError], tuple[ActionProblem]]:
        return (type(self), (self.problem,))
