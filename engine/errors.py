"""Coded problems: what went wrong, as data (rulebook §3, game-record.md).

Every refusal of the engine is a :class:`Problem` (about one entry of a score sheet) or a
:class:`ChicagoError` (about anything else). Both carry a stable ``code`` and the ``params`` of its
sentence; :func:`engine.messages.say` makes the sentence, in English or Swedish.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from .documents import ProblemDocument

#: Error codes of a game record, in the order in which they are checked (game-record.md).
ERROR_CODES: tuple[str, ...] = (
    "malformed",
    "unknown_rules",
    "bad_seats",
    "unknown_kind",
    "unknown_field",
    "missing_field",
    "bad_value",
    "game_finished",
    "wrong_phase",
    "unexpected_kind",
    "seat_out",
    "chicago_below_minimum",
    "chicago_limit",
    "reset_not_allowed",
    "reset_bound",
    "dead_hand",
    "not_discardless",
    "self_break",
    "missing_suit",
    "missing_reason",
)

#: Codes of warnings: the entry is accepted, but the scorekeeper should check it.
WARNING_CODES: tuple[str, ...] = ("rare_hand", "standing_hand", "unreachable_total")


@dataclass(frozen=True, slots=True)
class Problem:
    """One error or warning about a record or one of its entries.

    ``entry`` is the index of the entry in its record, ``None`` for the header or outside a replay.
    ``params`` holds what the sentence needs, with seats as indices. ``expected`` lists, as entry
    documents, what would be legal instead (empty for warnings).

    >>> Problem("dead_hand", params={"seat": 1}).is_error
    True
    """

    code: str
    severity: str = "error"
    entry: int | None = None
    params: Mapping[str, object] = field(default_factory=dict)
    expected: tuple[Mapping[str, object], ...] = ()

    @property
    def is_error(self) -> bool:
        """True for errors, False for warnings."""
        return self.severity == "error"

    def at(self, index: int) -> Problem:
        """Return the same problem with the index of its entry."""
        return replace(self, entry=index)

    def as_json(self) -> ProblemDocument:
        """Return the problem as a document, without a sentence.

        >>> sorted(Problem("missing_reason", entry=3).as_json())
        ['code', 'entry', 'expected', 'severity']
        """
        document: ProblemDocument = {
            "code": self.code,
            "severity": self.severity,
            "entry": self.entry,
        }
        if isinstance(seat := self.params.get("seat"), int):
            document["seat"] = seat
        if self.is_error:
            document["expected"] = [dict(item) for item in self.expected]
        return document


def shown_value(value: object, most: int = 40) -> str:
    """Return any value as text short enough for a sentence.

    >>> shown_value("x" * 41), shown_value("x" * 40) == "x" * 40, shown_value(None)
    ('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…', True, 'None')
    """
    try:
        text = value if isinstance(value, str) else repr(value)
    except (RecursionError, ValueError):
        text = type(value).__name__
    return text if len(text) <= most else text[: most - 3] + "…"


class ChicagoError(Exception):
    """A refusal by the engine, with a stable ``code`` and the ``params`` of its sentence.

    >>> str(ChicagoError("bad_seats", reason="repeated", name="Bo"))
    "bad_seats (reason='repeated', name='Bo')"
    """

    code: str
    params: dict[str, object]

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        details = ", ".join(f"{key}={value!r}" for key, value in self.params.items())
        return f"{self.code} ({details})" if details else self.code

    def as_problem(self) -> Problem:
        """Return the refusal as a :class:`Problem` of a record's header."""
        return Problem(self.code, params=self.params)


class EntryError(ChicagoError):
    """An entry that may not be written; ``problem`` says why and what is possible instead.

    >>> from engine import EntryError, LastTrick, parse_rules, start, step
    >>> try:
    ...     step(start(parse_rules("festival"), 3), LastTrick(0))
    ... except EntryError as error:
    ...     error.code, error.problem.expected[0]
    ('unexpected_kind', {'kind': 'hand', 'phase': 1, 'seat': 0, 'category': 'pair'})
    """

    problem: Problem

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code, **dict(problem.params))
        self.problem = problem

    def __reduce__(self) -> tuple[type[EntryError], tuple[Problem]]:
        return (type(self), (self.problem,))
