"""The card record: a game record with every card in it (rulebook §3, docs/formats/card-record.md).

Its ``actions`` are replayed on a table, and the entries that the table writes on the sheet are the
result. If the record also has ``entries`` by the Auditor, they must agree with the cards.

>>> from engine.cards.cards import DECK, format_cards
>>> record = {"format": "chicago-card-record", "version": 1, "rules": "festival",
...           "seats": ["Anna", "Bo"], "actions": [{"do": "deck", "cards": format_cards(DECK)},
...                                                {"do": "discard", "seat": 0, "cards": ""}]}
>>> played = replay_cards(read_card_record(record))
>>> played.valid, played.error.code
(False, 'not_your_turn')
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from ..cards.categories import Category
from ..errors import ChicagoError, EntryError, Problem
from ..rules.ruleset import QuadsReset, RuleSet
from ..sheet.entries import Chicago, Entry, Hand, LastTrick, Ruling, entry_from_json
from ..sheet.record import FORMAT as GAME_FORMAT
from ..sheet.record import VERSION, Record, load_json, read_record
from .actions import Action, action_from_json
from .errors import ActionError, ActionProblem
from .state import TableState
from .table import apply, legal_actions, start_table

FORMAT = "chicago-card-record"


@dataclass(frozen=True, slots=True)
class CardRecord:
    """A card record with a valid header; its actions and entries are not checked yet.

    ``record.entries`` are the Auditor's; ``checked`` is whether the record has such a list at all.
    """

    record: Record
    actions: tuple[object, ...] = field(repr=False)
    checked: bool


@dataclass(frozen=True, slots=True)
class CardReplay:
    """How far a card record could be replayed: the table there, and the first error, if any."""

    table: TableState
    error: Problem | None

    @property
    def valid(self) -> bool:
        """True if every action was possible and every entry agrees with the cards."""
        return self.error is None


def read_card_record(source: object) -> CardRecord:
    """Read a card record's header; raise :class:`~engine.errors.ChicagoError` for a bad one.

    The codes and their order are those of :func:`engine.sheet.record.read_record`.
    """
    document = load_json(source) if isinstance(source, str | bytes) else source
    if not isinstance(document, Mapping):
        raise ChicagoError("malformed", reason="object")
    if document.get("format") != FORMAT:
        raise ChicagoError("malformed", reason="format", name=FORMAT)
    header = {key: value for key, value in document.items() if key != "actions"}
    record = read_record({"entries": [], **header, "format": GAME_FORMAT})
    if "actions" not in document:
        raise ChicagoError("missing_field", field="actions", kind=None)
    actions = document["actions"]
    if not isinstance(actions, list | tuple):
        raise ChicagoError("bad_value", field="actions", kind=None, value=str(actions)[:40])
    return CardRecord(record, tuple(actions), "entries" in document)


def replay_cards(record: CardRecord) -> CardReplay:
    """Replay the actions and compare the Auditor's entries with what the cards give."""
    head = record.record
    table = start_table(head.rules, len(head.seats), head.dealer)
    for index, raw in enumerate(record.actions):
        try:
            after = apply(table, _action(table, raw))
        except ActionError as error:
            return CardReplay(table, replace(error.problem, action=index))
        if record.checked:
            for number in range(len(table.entries), len(after.entries)):
                problem = _disagreement(head, number, after.entries[number])
                if problem is not None:
                    return CardReplay(table, replace(problem, action=index))
        table = after
    if record.checked and len(head.entries) > len(table.entries):
        problem = ActionProblem(
            "contradicts_cards", entry=len(table.entries), params={"why": "over"}
        )
        return CardReplay(table, problem)
    return CardReplay(table, None)


def _action(table: TableState, raw: object) -> Action:
    try:
        return action_from_json(raw)
    except ActionError as error:
        expected = tuple(item.as_json() for item in legal_actions(table))
        raise ActionError(replace(error.problem, expected=expected)) from None


def _disagreement(head: Record, number: int, right: Entry) -> ActionProblem | None:
    """Return a problem if the Auditor's entry is missing, unreadable or different."""
    if number < len(head.entries):
        try:
            given = entry_from_json(head.entries[number], head.rules)
        except EntryError as error:
            problem = error.problem
            return ActionProblem(
                problem.code, entry=number, params=problem.params, expected=(right.as_json(),)
            )
        if same_entry(head.rules, given, right):
            return None
    document = right.as_json()
    return ActionProblem(
        "contradicts_cards", entry=number, params={"right": document}, expected=(document,)
    )


def same_entry(rules: RuleSet, given: Entry, right: Entry) -> bool:
    """True if an Auditor's entry agrees with the cards.

    Details that a rule set does not pay for may be missing: a deuce, a breaker, the suit of a royal
    flush, ``reset`` where four of a kind always does both (D). A ruling may have any reason.

    >>> from engine.rules.presets import FESTIVAL, SVENSK
    >>> given, right = LastTrick(1), LastTrick(1, deuce=True)
    >>> same_entry(SVENSK, given, right), same_entry(FESTIVAL, given, right)
    (True, False)
    """
    if isinstance(given, Hand) and isinstance(right, Hand):
        return _same_hand(rules, given, right)
    if isinstance(given, LastTrick) and isinstance(right, LastTrick):
        silent = rules.last_trick_deuce == rules.last_trick and not given.deuce
        return given.seat == right.seat and (given.deuce == right.deuce or silent)
    if isinstance(given, Chicago) and isinstance(right, Chicago):
        if given.breaker is None and not rules.breaker_points:
            right = replace(right, breaker=None)
        return given == right
    if isinstance(given, Ruling) and isinstance(right, Ruling):
        return replace(given, reason="") == replace(right, reason="")
    return given == right


def _same_hand(rules: RuleSet, given: Hand, right: Hand) -> bool:
    category = given.category
    if category is Category.ROYAL_FLUSH and rules.royal_as_straight_flush:
        category = Category.STRAIGHT_FLUSH
    reset, due = bool(given.reset), bool(right.reset)
    if rules.quads_reset is QuadsReset.BOTH and given.reset is None:
        reset = due
    same = (given.phase, given.seat, category, reset, given.reset_seat) == (
        right.phase,
        right.seat,
        right.category,
        due,
        right.reset_seat,
    )
    return same and (right.suit is None or given.suit == right.suit)


def iter_tables(source: object) -> Iterator[tuple[Action | None, TableState]]:
    """Yield every action of a card record with the table after it; first ``None`` and the start.

    Raises :class:`~engine.errors.ChicagoError` where the record becomes invalid.
    """
    record = read_card_record(source)
    head = record.record
    table = start_table(head.rules, len(head.seats), head.dealer)
    yield None, table
    for raw in record.actions:
        action = action_from_json(raw)
        table = apply(table, action)
        yield action, table


__all__ = [
    "FORMAT",
    "VERSION",
    "CardRecord",
    "CardReplay",
    "iter_tables",
    "read_card_record",
    "replay_cards",
    "same_entry",
]
