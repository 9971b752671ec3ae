"""Which actions are possible at the card table now; engine.table.table carries them out.

:func:`problem_of` alone decides. Things that players can do against the rules (failing to follow
suit, exchanging while discardless) need the action's ``offence`` mark, and a rule set that says
what they cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

from ..cards.cards import DECK, Card, Suit, SuitOrder
from ..cards.hands import hand_key
from ..rules.ruleset import QuadsReset
from ..sheet.entries import Chicago, IllegalDiscard
from ..sheet.sheet import can, step, why_not
from .actions import (
    Action,
    Announce,
    Bid,
    Blind,
    Concede,
    Correct,
    Deck,
    Discard,
    Exposed,
    Outrank,
    Play,
    Quads,
    Redeal,
    Reshuffle,
    Rule,
    Show,
    Specify,
    Take,
    made,
)
from .errors import ActionProblem
from .flow import may_declare, misdealt
from .hands import (
    called,
    details,
    due_category,
    due_detail,
    is_suit_detail,
    may_redeal,
    reset_targets,
    scored_phase,
    showable,
)
from .state import HAND_SIZE, ONE_OPEN, Stage, TableState
from .tricks import must_follow


def _no(code: str, **params: object) -> ActionProblem:
    return ActionProblem(code, params=params)


def problem_of(state: TableState, action: Action) -> ActionProblem | None:
    """Return why the action is not possible now (without alternatives), or ``None`` if it is."""
    if state.stage is Stage.FINISHED:
        return _no("game_finished")
    if isinstance(action, Rule):
        return _rule(state, action)
    if isinstance(action, Exposed):
        return _exposed(state, action)
    if isinstance(action, Bid) and may_bind(state, action.seat) and action.call is True:
        return None
    check = _CHECKS.get(type(action))
    if check is None:
        return _no("unknown_kind", do=type(action).__name__)
    stage, verify = check
    if state.stage is not stage:
        return _no("unexpected_action", awaited=state.stage.value, do=action.do)
    if state.queue:
        seat: object = getattr(action, "seat", None)
        if seat != state.queue[0]:
            return _no("not_your_turn", seat=seat, turn=state.queue[0])
    flag = _FLAGS.get(type(action))
    if flag is not None and type(getattr(action, flag)) is not bool:
        value = str(getattr(action, flag))[:40]
        return _no("bad_value", field=flag, do=action.do, value=value)
    return verify(state, action)


def _no_cards(action: Deck | Reshuffle | Discard | Exposed) -> ActionProblem | None:
    """Refuse anything but a tuple of cards: callers who build actions may get that wrong."""
    cards: object = action.cards
    if isinstance(cards, tuple) and all(isinstance(card, Card) for card in cards):
        return None
    return _no("bad_value", field="cards", do=action.do, value=str(cards)[:40])


def _deck(state: TableState, action: Deck) -> ActionProblem | None:
    wrong = _no_cards(action)
    if wrong is not None:
        return wrong
    if sorted(action.cards) != list(DECK):
        return _no("bad_cards", count=len(DECK))
    return None


def _reshuffle(state: TableState, action: Reshuffle) -> ActionProblem | None:
    wrong = _no_cards(action)
    if wrong is not None:
        return wrong
    if sorted(action.cards) != sorted(state.muck):
        return _no("bad_cards", count=len(state.muck))
    return None


def _blind(state: TableState, action: Blind) -> ActionProblem | None:
    if not action.call:
        return None
    problem = why_not(state.sheet, Chicago(action.seat, True, None, True))
    return None if problem is None else ActionProblem(problem.code, params=problem.params)


def _redeal(state: TableState, action: Redeal) -> ActionProblem | None:
    if action.call and not may_redeal(state.rules, state.hands[action.seat]):
        return _no("redeal_not_allowed", seat=action.seat)
    return None


def _discard(state: TableState, action: Discard) -> ActionProblem | None:
    seat, cards = action.seat, action.cards
    wrong = _no_cards(action)
    if wrong is not None:
        return wrong
    hand = state.hands[seat]
    for index, card in enumerate(cards):
        if card not in hand or card in cards[:index]:
            return _no("card_not_in_hand", seat=seat, card=card)
    count = len(cards)
    discardless = state.sheet.discardless[seat]
    if len(hand) > HAND_SIZE:
        if count != 1:
            return _no("one_card", seat=seat)
    elif discardless and count and not (action.offence and can(state.sheet, IllegalDiscard(seat))):
        return _no("cannot_exchange", seat=seat)
    if action.offence and (not discardless or not count or len(hand) > HAND_SIZE):
        return _no("no_offence", seat=seat)
    if count > state.rules.exchange_max:
        return _no("too_many_cards", seat=seat, limit=state.rules.exchange_max)
    if type(action.open) is not bool:
        return _no("bad_value", field="open", do=action.do, value=str(action.open)[:40])
    if action.open and not (count == 1 and len(hand) == HAND_SIZE and on_request(state)):
        return _no("no_open_card", seat=seat)
    left = cards_left(state)
    taken = 2 if count == 1 and asks_open(state, action) else count
    if count and len(hand) == HAND_SIZE and taken > left:
        return _no("not_enough_cards", seat=seat, left=left)
    return None


def on_request(state: TableState) -> bool:
    """True if the one card asked for is dealt open only on request."""
    return state.rules.open_card and state.rules.open_card_on_request


def asks_open(state: TableState, action: Discard) -> bool:
    """True if one card asked for is dealt open; it may use up two, since it can be refused."""
    return action.open if state.rules.open_card_on_request else state.rules.open_card


def cards_left(state: TableState) -> int:
    """Return how many cards stub, muck and discards can still provide in this exchange."""
    owed = sum(state.owed) + (2 - ONE_OPEN) * state.owed.count(ONE_OPEN)
    laid = sum(map(len, state.laid))
    return len(state.stub) + len(state.muck) + laid - owed


def _exposed(state: TableState, action: Exposed) -> ActionProblem | None:
    before = misdealt(state, action.seat, action.card)
    if before is None:
        return _no("not_exposed", seat=action.seat, card=action.card)
    wrong = _no_cards(action)
    if wrong is not None:
        return wrong
    if sorted(action.cards) != sorted(before.stub):
        return _no("bad_cards", count=len(before.stub))
    return None


def may_bind(state: TableState, seat: int) -> bool:
    """True if the seat may bind itself to a Chicago before anybody is asked (wikipedia)."""
    return (
        state.rules.chicago_any_time
        and state.exchange > 0
        and state.declarer is None
        and state.stage not in _ASKED
        and seat in may_declare(state)
    )


_ASKED = frozenset((Stage.DECK, Stage.BID, Stage.PLAY, Stage.CORRECT, Stage.FINISHED))


def exchange_sizes(state: TableState) -> Sequence[int]:
    """Return how many cards the seat in turn may legally lay down."""
    seat = state.queue[0]
    if len(state.hands[seat]) > HAND_SIZE:
        return (1,)
    if state.sheet.discardless[seat]:
        return (0,)
    return (0, *_affordable(state))


def _affordable(state: TableState) -> range:
    left = cards_left(state)
    always_open = state.rules.open_card and not state.rules.open_card_on_request
    least = 2 if left < 2 and always_open else 1
    return range(least, min(state.rules.exchange_max, left) + 1)


def _take(state: TableState, action: Take) -> ActionProblem | None:
    return None


def _announce(state: TableState, action: Announce) -> ActionProblem | None:
    due = due_category(state, action.seat)
    if action.category is due:
        return None
    right = "pass" if due is None else due.key
    return _no("false_announcement", seat=action.seat, right=right)


def _specify(state: TableState, action: Specify) -> ActionProblem | None:
    due = due_specification(state, action.seat)
    if action == due:
        return None
    return _no("false_announcement", seat=action.seat, right=due.as_json()["value"] or "pass")


def due_specification(state: TableState, seat: int) -> Specify:
    """Return what the seat must name next to set its hand apart in its category."""
    value = due_detail(state, seat)
    if value is None:
        return Specify(seat)
    cards = state.hands[seat]
    count = len(details(state.rules, cards))
    if is_suit_detail(state.rules, called(state.rules, cards), state.detail, count):
        return Specify(seat, suit=Suit(value))
    return Specify(seat, rank=value)


def _quads(state: TableState, action: Quads) -> ActionProblem | None:
    if action.reset_seat in _targets(state, action.seat, action.reset):
        return None
    return _no("bad_value", field="reset_seat", do=action.do, value=str(action.reset_seat)[:40])


def _targets(state: TableState, seat: int, reset: bool) -> list[int] | list[None]:
    """Return the seats that a reset may name, or ``[None]`` if it must name none."""
    if reset and state.rules.quads_reset is QuadsReset.ONE:
        return reset_targets(state.sheet, seat, scored_phase(state))
    return [None]


def _show(state: TableState, action: Show) -> ActionProblem | None:
    if action.claim in showable(state, action.seat):
        return None
    return _no("not_showable", seat=action.seat)


def _outrank(state: TableState, action: Outrank) -> ActionProblem | None:
    if action.claim and not outranks(state, action.seat):
        return _no("not_better", seat=action.seat)
    return None


def outranks(state: TableState, seat: int) -> bool:
    """True if the seat holds a better hand than the four of a kind shown."""
    assert state.best is not None
    never = SuitOrder.NEVER
    return hand_key(state.hands[seat], never) > hand_key(state.hands[state.best], never)


def _bid(state: TableState, action: Bid) -> ActionProblem | None:
    if not action.call:
        return None
    problem = why_not(state.sheet, Chicago(action.seat, True))
    return None if problem is None else ActionProblem(problem.code, params=problem.params)


def _play(state: TableState, action: Play) -> ActionProblem | None:
    seat, card = action.seat, action.card
    if card not in state.hands[seat]:
        return _no("card_not_in_hand", seat=seat, card=card)
    follows = card in must_follow(state, seat)
    if follows and action.offence:
        return _no("no_offence", seat=seat)
    if not follows and not (action.offence and state.rules.offences):
        return _no("must_follow_suit", seat=seat)
    return None


def _correct(state: TableState, action: Correct) -> ActionProblem | None:
    if action.card is None:
        return None
    if action.card not in state.hands[action.seat]:
        return _no("card_not_in_hand", seat=action.seat, card=action.card)
    if action.card & 3 != state.trick[0][1] & 3:
        return _no("must_follow_suit", seat=action.seat)
    return None


def _concede(state: TableState, action: Concede) -> ActionProblem | None:
    if state.declarer != action.seat:
        return _no("unexpected_action", awaited=Stage.PLAY.value, do=action.do)
    return None


def _rule(state: TableState, action: Rule) -> ActionProblem | None:
    problem = why_not(state.sheet, action.ruling)
    if problem is not None:
        return ActionProblem(problem.code, params={**problem.params, "do": "ruling"})
    if action.ruling.action == "redeal":
        return None
    after = step(state.sheet, action.ruling)
    if not after.finished and after.deal == state.sheet.deal:
        dealt = state.order or range(state.seats)
        if not any(after.plays(seat) and seat not in state.dead for seat in dealt):
            return _no("last_seat", seat=action.seat)
    return None


_Check = Callable[[TableState, Any], ActionProblem | None]

_CHECKS: dict[type, tuple[Stage, _Check]] = {
    Deck: (Stage.DECK, _deck),
    Reshuffle: (Stage.RESHUFFLE, _reshuffle),
    Blind: (Stage.BLIND, _blind),
    Redeal: (Stage.REDEAL, _redeal),
    Discard: (Stage.DISCARD, _discard),
    Take: (Stage.TAKE, _take),
    Announce: (Stage.ANNOUNCE, _announce),
    Specify: (Stage.SPECIFY, _specify),
    Quads: (Stage.QUADS, _quads),
    Show: (Stage.SHOW, _show),
    Outrank: (Stage.OUTRANK, _outrank),
    Bid: (Stage.BID, _bid),
    Play: (Stage.PLAY, _play),
    Correct: (Stage.CORRECT, _correct),
    Concede: (Stage.PLAY, _concede),
}

_FLAGS: dict[type, str] = {
    Blind: "call",
    Redeal: "call",
    Take: "take",
    Quads: "reset",
    Outrank: "claim",
    Bid: "call",
}


# --- enumeration ----------------------------------------------------------------------------


def legal(state: TableState) -> Sequence[Action]:
    """Return every legal action of the seat in turn, without chance and rulings."""
    if not state.queue:
        return ()
    seat = state.queue[0]
    found = _ANSWERS[state.stage](state, seat)
    return (*found, Bid(seat, True)) if may_bind(state, seat) else found


def _yes_no(form: Callable[[int, bool], Action]) -> _Answers:
    verify = _CHECKS[form][1]  # type: ignore[index]

    def answers(state: TableState, seat: int) -> list[Action]:
        both = (made(form, seat, False), made(form, seat, True))
        return [action for action in both if verify(state, action) is None]

    return answers


def _all_exchanges(state: TableState, seat: int) -> list[Discard]:
    return list(_exchanges(state, seat, exchange_sizes(state)))


def _all_claims(state: TableState, seat: int) -> list[Action]:
    return [made(Show, seat, claim) for claim in showable(state, seat)]


def _all_quads(state: TableState, seat: int) -> list[Action]:
    return [Quads(seat, False), *(Quads(seat, True, on) for on in _targets(state, seat, True))]


def _all_cards(state: TableState, seat: int) -> list[Action]:
    cards = [made(Play, seat, card) for card in must_follow(state, seat)]
    return [*cards, Concede(seat)] if state.declarer == seat else cards


def _all_fixes(state: TableState, seat: int) -> list[Action]:
    led = state.trick[0][1] & 3
    fixes = [Correct(seat, card) for card in state.hands[seat] if card & 3 == led]
    return [*fixes, Correct(seat)]


def _exchanges(
    state: TableState, seat: int, sizes: Sequence[int], offence: bool = False
) -> Iterator[Discard]:
    for count in sizes:
        for cards in combinations(state.hands[seat], count):
            yield Discard(seat, cards, offence)
    closed = not on_request(state) or len(state.hands[seat]) > HAND_SIZE
    if 1 in sizes and not closed and cards_left(state) > 1:
        yield from (Discard(seat, (card,), offence, open=True) for card in state.hands[seat])


def offences(state: TableState) -> Iterator[Action]:
    """Yield what the seat in turn could do against the rules, where the rule set sets a price."""
    if not state.queue or not state.rules.offences:
        return
    seat = state.queue[0]
    if state.stage is Stage.DISCARD and can(state.sheet, IllegalDiscard(seat)):
        if len(state.hands[seat]) == HAND_SIZE:
            yield from _exchanges(state, seat, _affordable(state), offence=True)
    elif state.stage is Stage.PLAY:
        follow = must_follow(state, seat)
        for card in state.hands[seat]:
            if card not in follow:
                yield Play(seat, card, offence=True)


_Answers = Callable[[TableState, int], Sequence[Action]]

_ANSWERS: dict[Stage, _Answers] = {
    Stage.BLIND: _yes_no(Blind),
    Stage.REDEAL: _yes_no(Redeal),
    Stage.DISCARD: _all_exchanges,
    Stage.TAKE: _yes_no(Take),
    Stage.ANNOUNCE: lambda state, seat: (made(Announce, seat, due_category(state, seat)),),
    Stage.SPECIFY: lambda state, seat: (due_specification(state, seat),),
    Stage.QUADS: _all_quads,
    Stage.SHOW: _all_claims,
    Stage.OUTRANK: _yes_no(Outrank),
    Stage.BID: _yes_no(Bid),
    Stage.PLAY: _all_cards,
    Stage.CORRECT: _all_fixes,
}
