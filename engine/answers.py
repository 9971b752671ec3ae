"""Documents about a record: its outcome, with a sentence for every problem.

None of these functions raises for a bad document: they answer with its problems.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar, cast

from .documents import (
    BalanceDocument,
    OutlookDocument,
    ProblemDocument,
    RankingDocument,
    ReplayDocument,
    SeatProblemDocument,
    StateDocument,
    StepDocument,
    TotalsDocument,
)
from .errors import ChicagoError, Problem
from .messages import say
from .ranking.event import check_event
from .ranking.heat_record import (
    HeatGamesError,
    PlayedHeat,
    outlooks_of,
    play,
    ranking_of,
    read_heat,
)
from .ranking.series_record import check_series
from .ranking.settle import settle
from .sheet.record import read_record
from .sheet.sheet import Replay, replay
from .totals.totals import problems_of, read_totals

T = TypeVar("T")


def problem_json(
    problem: Problem, names: Sequence[str] | None = None, lang: str = "en"
) -> ProblemDocument:
    """Return a problem's document with its sentence; ``names`` are by seat.

    >>> problem_json(Problem("missing_reason"))["message"]
    'A ruling needs a reason that stays on the sheet.'
    """
    return {**problem.as_json(), "message": say(problem, lang, names)}


def unreadable(error: ChicagoError, lang: str = "en") -> ReplayDocument:
    """Return the document for a record that could not be read at all.

    >>> unreadable(ChicagoError("malformed"))["state"] is None
    True
    """
    return _invalid([problem_json(error.as_problem(), lang=lang)])


def _invalid(
    problems: Sequence[ProblemDocument], state: StateDocument | None = None
) -> ReplayDocument:
    return {"valid": False, "problems": list(problems), "state": state}


def replay_record(source: object, *, facts: bool = False, lang: str = "en") -> ReplayDocument:
    """Replay a record; an unreadable header gives ``"state": None``.

    With ``facts`` the answer has ``steps``: what each accepted entry did.

    >>> replay_record("[]")["problems"][0]["code"]
    'malformed'
    """
    try:
        record = read_record(source)
    except ChicagoError as error:
        return unreadable(error, lang)
    return _replayed(record.replay(), record.seats, lang, facts=facts)


def _replayed(
    played: Replay, names: Sequence[str], lang: str, *, facts: bool = False
) -> ReplayDocument:
    document: ReplayDocument = {
        "valid": played.valid,
        "problems": [problem_json(problem, names, lang) for problem in played.problems],
        "state": played.state.as_json(),
    }
    if facts:
        document["steps"] = _steps(played)
    return document


def _steps(played: Replay) -> list[StepDocument]:
    return [
        {"entry": index, "facts": [fact.as_json() for fact in state.facts]}
        for index, state in enumerate(played.states)
    ]


def replay_card_record(source: object, *, facts: bool = False, lang: str = "en") -> ReplayDocument:
    """Replay a card record.

    The result has the fields of a game record's, plus ``entries``, the score sheet that follows
    from the cards, and ``awaits`` and ``turn``, what the table waits for. A problem with an action
    has its index as ``action``.
    """
    # Most programs never replay cards, and the card table takes long to load.
    from .table.record import read_card_record, replay_cards

    try:
        record = read_card_record(source)
    except ChicagoError as error:
        return unreadable(error, lang)
    played = replay_cards(record)
    table = played.table
    sheet = replay(table.rules, table.seats, table.entries, record.record.dealer)
    problems = [*sheet.problems, *((played.error,) if played.error else ())]
    document: ReplayDocument = {
        "valid": played.valid,
        "problems": [problem_json(problem, record.record.seats, lang) for problem in problems],
        "state": table.sheet.as_json(),
        "entries": [entry.as_json() for entry in table.entries],
        "awaits": table.stage.value,
        "turn": table.turn,
    }
    if facts:
        document["steps"] = _steps(sheet)
    return document


def rank_heat(source: object, lang: str = "en") -> tuple[RankingDocument | ReplayDocument, int]:
    """Rank the finished games of a heat file; the second value is the exit status."""
    return _of_heat(source, _ranking, lang)


def _ranking(heat: PlayedHeat) -> RankingDocument:
    return {**ranking_of(heat).as_json(), "unfinished": list(heat.unfinished)}


def outlook_of(
    source: object, lang: str = "en"
) -> tuple[list[OutlookDocument] | ReplayDocument, int]:
    """Return what each player of a heat file can still reach, and the exit status."""
    return _of_heat(source, lambda heat: [found.as_json() for found in outlooks_of(heat)], lang)


def _of_heat(
    source: object, answer: Callable[[PlayedHeat], T], lang: str
) -> tuple[T | ReplayDocument, int]:
    try:
        return answer(play(read_heat(source))), 0
    except HeatGamesError as error:
        problems: list[ProblemDocument] = [
            {**problem_json(each.problem, each.names, lang), "game": each.game}
            for each in error.problems
        ]
        return _invalid(problems), error.status
    except ChicagoError as error:
        return unreadable(error, lang), 2


def check_event_document(source: object, lang: str = "en") -> ReplayDocument | dict[str, bool]:
    """Say whether an event document's qualifiers, rounds and result follow from its games.

    What it takes as it stands is in :data:`engine.ranking.event.NOT_CHECKED`.
    """
    try:
        check_event(source)
    except ChicagoError as error:
        return unreadable(error, lang)
    return {"valid": True}


def check_series_document(source: object, lang: str = "en") -> ReplayDocument | dict[str, bool]:
    """Say whether a series document's standing follows from what its events gave."""
    try:
        check_series(source)
    except ChicagoError as error:
        return unreadable(error, lang)
    return {"valid": True}


def check_totals(source: object, lang: str = "en") -> tuple[TotalsDocument | ReplayDocument, int]:
    """Check whether a totals file could come from any game; if not, name the impossible seats."""
    try:
        totals = read_totals(source)
    except ChicagoError as error:
        return unreadable(error, lang), 2
    problems: list[SeatProblemDocument] = [
        {
            "code": problem.code,
            "seat": cast(int, problem.params["seat"]),
            "message": say(problem, lang, totals.names),
        }
        for problem in problems_of(totals)
    ]
    return {"possible": not problems, "problems": problems}, 0


def settle_record(
    source: object, stake: Fraction | int = 1, lang: str = "en"
) -> tuple[BalanceDocument | ReplayDocument, int]:
    """Return what each seat wins or pays, and the exit status: 1 if the game cannot be settled."""
    try:
        record = read_record(source)
    except ChicagoError as error:
        return unreadable(error, lang), 2
    played = record.replay()
    if not played.valid:
        return _replayed(played, record.seats, lang), 1
    state = played.state
    if not state.finished:
        return _invalid([problem_json(Problem("game_unfinished"), lang=lang)], state.as_json()), 1
    balance = settle(state.scores, state.winners, stake)
    return {"balance": [str(amount) for amount in balance]}, 0
