"""The score sheet: start, step, and the questions around it (rulebook §3).

:func:`step` is the only place where an entry takes effect. States are immutable, so a page can keep
any of them; replaying a prefix and then the rest is the same as replaying everything.

>>> from engine.rules.presets import FESTIVAL
>>> from engine.sheet.entries import Hand, LastTrick, NoHand
>>> from engine.cards.categories import Category
>>> state = start(FESTIVAL, seats=3)
>>> for entry in (Hand(1, 0, Category.TWO_PAIR), Hand(2, 0, Category.TWO_PAIR),
...               LastTrick(2), Hand(3, 2, Category.THREE_OF_A_KIND)):
...     state = step(state, entry)
>>> state.scores, state.deal, state.dealer
((4, 0, 8), 1, 1)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast

from ..errors import ChicagoError, EntryError, Problem
from ..rules.ruleset import RuleSet
from ..rules.variants import rules_of
from .effects import apply
from .entries import ENTRY_TYPES, Entry, Hand, NoHand, Ruling, entry_from_json
from .facts import Fact, GameEnded, ScoreChanged
from .legality import Fault, find_fault, legal_now, legal_rulings_now
from .state import IN, State
from .warnings import find_warnings


def start(rules: RuleSet | str, seats: int, dealer: int = 0) -> State:
    """Return the state of an empty sheet; ``rules`` is a rule set or its name.

    Raise ``ChicagoError("unknown_rules")`` for an unknown name, ``"bad_seats"`` for a number of
    seats that the rule set does not allow, ``"bad_value"`` for a dealer that is not a seat.

    >>> from engine.rules.presets import FESTIVAL
    >>> start(FESTIVAL, 4).scores
    (0, 0, 0, 0)
    """
    rules = rules_of(rules)
    if type(seats) is not int or not rules.players_min <= seats <= rules.players_max:
        raise ChicagoError("bad_seats", reason="number", number=seats)
    if type(dealer) is not int or not 0 <= dealer < seats:
        raise ChicagoError("bad_value", field="dealer", value=str(dealer)[:40])
    no, none = (False,) * seats, (0,) * seats
    return State(
        rules,
        seats,
        dealer,
        scores=none,
        executed=no,
        asterisks=none,
        discardless=no,
        status=(IN,) * seats,
        deal_points=none,
        standing_hands=none,
    )


def step(state: State, entry: Entry) -> State:
    """Return the state after ``entry``; raise :class:`EntryError` if it may not be written.

    The new state's ``facts`` say what the entry did. To learn what an entry would do, call this and
    discard the state.

    >>> from engine.rules.presets import FESTIVAL
    >>> from engine.sheet.entries import Chicago, NoHand, Ruling
    >>> state = start(FESTIVAL, 3)
    >>> for entry in (NoHand(1), NoHand(2), Ruling("points", 0, 17, "seat change")):
    ...     state = step(state, entry)
    >>> for fact in step(state, Chicago(0, won=False, breaker=2)).facts:
    ...     print(fact.as_json())
    {'fact': 'executed', 'seat': 0, 'on': True}
    {'fact': 'score', 'seat': 0, 'from': 17, 'to': 2, 'cause': 'chicago_lost'}
    {'fact': 'score', 'seat': 2, 'from': 0, 'to': 10, 'cause': 'breaker'}
    {'fact': 'deal', 'deal': 1, 'dealer': 1}

    >>> from engine.rules.presets import FESTIVAL
    >>> from engine.sheet.entries import LastTrick
    >>> step(start(FESTIVAL, 3), LastTrick(0))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    engine.errors.EntryError: unexpected_kind (...)
    """
    fault = find_fault(state, entry)
    if fault is not None:
        raise EntryError(_problem(state, fault))
    return apply(state, entry)


@dataclass(frozen=True, slots=True)
class Worth:
    """What an entry gives and takes, whatever the scores are, read from a dry step's facts.

    ``gains`` are points by cause; ``lifts_to`` is the score that it lifts its player to; ``zeroed``
    are the others that it sets to zero; ``wins`` is whether the hand itself wins the game.
    """

    gains: Mapping[str, int]
    lifts_to: int | None = None
    zeroed: tuple[int, ...] = ()
    wins: bool = False


def worth(state: State, entry: Entry) -> Worth:
    """Return what an entry is worth at this point of a deal.

    For the buttons of a page and the reminder on a printed sheet. The entry is tried on a level
    sheet, where everybody has enough for any Chicago; a hand, under rules without a floor, where
    everybody is far below zero, so that a hand is said to win only if it always does. Empty if the
    entry does not fit at this point.

    >>> from engine.rules.presets import FESTIVAL
    >>> from engine.cards.categories import Category
    >>> from engine.sheet.entries import Chicago, Hand
    >>> worth(tricks_of(FESTIVAL, 3), Chicago(0, won=False, breaker=1)).gains
    {'chicago_lost': -15, 'breaker': 10}
    >>> worth(start(FESTIVAL, 3), Hand(1, 0, Category.FOUR_OF_A_KIND, reset=True)).zeroed
    (1, 2)
    >>> worth(start(FESTIVAL, 3), Hand(1, 0, Category.STRAIGHT_FLUSH)).wins
    True
    """
    rules = state.rules
    level = max(rules.chicago_minimum or 0, rules.chicago_lost, rules.blind_lost)
    if isinstance(entry, Hand) and not rules.floor:
        level = -2 * rules.target
    even = replace(
        start(rules, state.seats),
        scores=(level,) * state.seats,
        phase=state.phase,
        stage=state.stage,
    )
    if not can(even, entry):
        return Worth({})
    facts = apply(even, entry).facts
    changed = [fact for fact in facts if isinstance(fact, ScoreChanged)]
    own = getattr(entry, "seat", None)
    return Worth(
        {fact.cause: fact.gain for fact in changed if fact.cause in _GAINS},
        next((fact.after for fact in changed if fact.cause == "lift"), None),
        tuple(fact.seat for fact in changed if fact.zeroed and fact.seat != own),
        isinstance(entry, Hand)
        and any(isinstance(fact, GameEnded) and fact.win == entry.category.key for fact in facts),
    )


#: What costs or gives the same whatever the scores are.
_GAINS = frozenset({"hand", "last_trick", "chicago_won", "chicago_lost", "breaker"})


def tricks_of(rules: RuleSet | str, seats: int) -> State:
    """Return the state before the first deal's tricks, with no scores so far.

    >>> from engine.rules.presets import FESTIVAL
    >>> tricks_of(FESTIVAL, 3).phase
    3
    """
    state = start(rules, seats)
    for phase in range(1, state.rules.exchanges):
        state = step(state, NoHand(phase))
    return state


def why_not(state: State, entry: Entry) -> Problem | None:
    """Return why ``entry`` may not be written now, or ``None`` if it may.

    >>> from engine.rules.presets import FESTIVAL
    >>> from engine.sheet.entries import NoHand
    >>> why_not(start(FESTIVAL, 3), NoHand(2)).code
    'wrong_phase'
    """
    fault = find_fault(state, entry)
    return None if fault is None else _problem(state, fault)


def can(state: State, entry: Entry) -> bool:
    """True if ``entry`` may be written now.

    >>> from engine.rules.presets import FESTIVAL
    >>> from engine.sheet.entries import NoHand
    >>> can(start(FESTIVAL, 3), NoHand(1)), can(start(FESTIVAL, 3), NoHand(2))
    (True, False)
    """
    return find_fault(state, entry) is None


def warnings(state: State, entry: Entry) -> tuple[Problem, ...]:
    """Return what a scorekeeper should confirm before writing a legal ``entry``.

    >>> from engine.rules.presets import FESTIVAL
    >>> from engine.cards.categories import Category
    >>> from engine.sheet.entries import Hand
    >>> [problem.code for problem in warnings(start(FESTIVAL, 3),
    ...                                       Hand(1, 0, Category.ROYAL_FLUSH))]
    ['rare_hand']
    """
    if find_fault(state, entry) is not None:
        return ()
    return find_warnings(state, entry)


def legal_entries(state: State) -> tuple[Entry, ...]:
    """Return all legal entries except rulings, with all parameters.

    ``reset`` is ``None`` or true, and a suit appears only where the rule set needs it. Anything
    else that :func:`why_not` accepts means the same as one of these.

    >>> from engine.rules.presets import FESTIVAL
    >>> len(legal_entries(start(FESTIVAL, 3)))
    31
    """
    return legal_now(state)


def legal_rulings(state: State) -> tuple[tuple[str, int | None], ...]:
    """Return the (action, seat) pairs that the tournament director may rule now.

    >>> from engine.rules.presets import FESTIVAL
    >>> legal_rulings(start(FESTIVAL, 2))[:3]
    (('points', 0), ('points', 1), ('sit_out_deal', 0))
    """
    return legal_rulings_now(state)


def _problem(state: State, fault: Fault) -> Problem:
    code, params = fault
    expected = tuple(entry.as_json() for entry in legal_now(state))
    return Problem(code, params=params, expected=expected)


# ------------------------------------------------------------------ replay

_ENTRY_TYPES = frozenset(ENTRY_TYPES)


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One accepted entry: the states around it and what it did.

    >>> from engine.rules.presets import FESTIVAL
    >>> from engine.cards.categories import Category
    >>> from engine.sheet.entries import Hand
    >>> (record,) = replay(FESTIVAL, 3, [Hand(1, 0, Category.FLUSH)]).steps
    >>> record.facts, record.after.scores
    ((ScoreChanged(seat=0, before=0, after=5, cause='hand'),), (5, 0, 0))
    """

    index: int
    entry: Entry
    before: State
    after: State
    warnings: tuple[Problem, ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What the entry did, in the order in which things happened."""
        return self.after.facts


@dataclass(frozen=True)
class Replay:
    """A replayed sheet: the state after its good prefix, and any problems.

    >>> from engine.rules.presets import FESTIVAL
    >>> game = replay(FESTIVAL, 3, [{"kind": "none", "phase": 1}])
    >>> game.valid, game.error, game.state.phase
    (True, None, 2)

    ``problems`` holds the warnings in order and, last, the first error if there is one. In that
    case ``valid`` is false and ``state`` is the state before the illegal entry.
    """

    start: State
    state: State
    entries: tuple[Entry, ...] = field(repr=False)
    states: tuple[State, ...] = field(repr=False)
    problems: tuple[Problem, ...]
    valid: bool

    @cached_property
    def steps(self) -> tuple[StepRecord, ...]:
        """One record per accepted entry: facts, warnings, states before and after."""
        by_entry: dict[int, list[Problem]] = {}
        for problem in self.problems:
            if problem.entry is not None and not problem.is_error:
                by_entry.setdefault(problem.entry, []).append(problem)
        before = (self.start, *self.states)
        return tuple(
            StepRecord(index, entry, before[index], after, tuple(by_entry.get(index, ())))
            for index, (entry, after) in enumerate(zip(self.entries, self.states, strict=True))
        )

    @property
    def error(self) -> Problem | None:
        """The error that stopped the replay, if any."""
        return None if self.valid else self.problems[-1]

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """The warnings in order."""
        return tuple(problem for problem in self.problems if not problem.is_error)


def replay(rules: RuleSet | str, seats: int, entries: Iterable[object], dealer: int = 0) -> Replay:
    """Replay entries (objects or documents) from an empty sheet.

    It stops at the first illegal entry. Raise :class:`ChicagoError` like :func:`start`.

    >>> from engine.rules.presets import FESTIVAL
    >>> result = replay(FESTIVAL, 3, [{"kind": "none", "phase": 1}, {"kind": "none", "phase": 1}])
    >>> result.valid, result.state.phase, result.problems[0].code, result.problems[0].entry
    (False, 2, 'wrong_phase', 1)
    """
    return resume(start(rules, seats, dealer), entries)


def resume(state: State, entries: Iterable[object]) -> Replay:
    """Replay further entries from any state; indices start from the first of these entries.

    >>> from engine.rules.presets import FESTIVAL
    >>> resume(start(FESTIVAL, 3), [{"kind": "none", "phase": 1}]).state.phase
    2
    """
    first = state
    accepted: list[Entry] = []
    states: list[State] = []
    problems: list[Problem] = []
    valid = True
    index = 0
    try:
        for index, raw in enumerate(entries):
            entry = (
                cast(Entry, raw) if type(raw) in _ENTRY_TYPES else entry_from_json(raw, state.rules)
            )
            following = step(state, entry)
            for problem in find_warnings(state, entry):
                problems.append(problem.at(index))
            state = following
            accepted.append(entry)
            states.append(state)
    except EntryError as error:
        valid = False
        problem = error.problem
        if not problem.expected:
            problem = Problem(
                problem.code,
                params=problem.params,
                expected=tuple(entry.as_json() for entry in legal_now(state)),
            )
        problems.append(problem.at(index))
    return Replay(first, state, tuple(accepted), tuple(states), tuple(problems), valid)


__all__ = [
    "Replay",
    "Ruling",
    "State",
    "StepRecord",
    "can",
    "legal_entries",
    "legal_rulings",
    "replay",
    "resume",
    "start",
    "step",
    "tricks_of",
    "warnings",
    "why_not",
    "worth",
]
