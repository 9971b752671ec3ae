"""Card-level play: deal, exchange, announce, declare, play; the sheet follows (rulebook §2, §3).

A table is an immutable :class:`~engine.table.state.TableState`. :func:`why_not` says why an action
is not possible, :func:`legal_actions` what is, :func:`apply` does it. The shuffled pack and the
reshuffled muck are actions too (:class:`~engine.table.actions.Deck`,
:class:`~engine.table.actions.Reshuffle`), so nothing here is random. Everything that scores is
written on the sheet through :func:`engine.sheet.sheet.step`; ``state.entries`` is the game record.

>>> from engine.cards.cards import DECK
>>> from engine.rules.presets import FESTIVAL
>>> from engine.table.actions import Deck, Discard
>>> table = start_table(FESTIVAL, 2)
>>> table = apply(table, Deck(DECK))                 # an unshuffled pack, for once
>>> table.turn, [str(card) for card in table.hands[1]]
(1, ['2c', '2s', '3c', '3s', '4c'])
>>> why_not(table, Discard(0)).code
'not_your_turn'
>>> len(legal_actions(table))                        # stand, or lay aside one to four of five cards
31
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..cards.cards import Card
from ..rules.ruleset import ExchangeOrder, RuleSet
from ..sheet.entries import Chicago, IllegalDiscard, NoHand
from ..sheet.sheet import can as sheet_can
from ..sheet.sheet import start
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
)
from .errors import ActionError, ActionProblem
from .flow import (
    after_announcements,
    after_bid,
    after_blind,
    after_details,
    after_outranks,
    after_phase,
    after_shows,
    ask_chicago,
    begin_deal,
    deal_out,
    may_declare,
    misdealt,
    next_exchange,
    redeal,
)
from .hands import breaks, hand_entry, proof, scored_phase, whole_hand
from .legal import asks_open, legal, offences, problem_of
from .scoring import close, over, scored, write
from .state import (
    HAND_SIZE,
    ONE_OPEN,
    Claim,
    Observation,
    Stage,
    TableState,
    new_table,
    put,
    remaining,
)
from .tricks import after_card, begin_tricks, correct, final_hand, let_stand, lose, play, revoked

_ONE_BY_ONE = ExchangeOrder.ONE_BY_ONE  # looking it up costs more than the comparison


def start_table(rules: RuleSet | str, seats: int, dealer: int = 0) -> TableState:
    """Return an empty sheet and a table that waits for the first shuffled pack.

    Raises :class:`~engine.errors.ChicagoError` like :func:`engine.sheet.sheet.start`.

    >>> from engine.rules.presets import FESTIVAL
    >>> start_table(FESTIVAL, 3).stage.value
    'deck'
    """
    return new_table(start(rules, seats, dealer))


def why_not(state: TableState, action: Action) -> ActionProblem | None:
    """Return why the action is not possible now, and what is; ``None`` if it is possible.

    >>> from engine.rules.presets import FESTIVAL
    >>> from engine.table.actions import Deck
    >>> why_not(start_table(FESTIVAL, 3), Deck(())).code
    'bad_cards'
    """
    problem = problem_of(state, action)
    if problem is None:
        return None
    return replace(problem, expected=tuple(item.as_json() for item in legal_actions(state)))


def can(state: TableState, action: Action) -> bool:
    """True if the action is possible now.

    >>> from engine.cards.cards import DECK
    >>> from engine.rules.presets import FESTIVAL
    >>> from engine.table.actions import Deck
    >>> can(start_table(FESTIVAL, 3), Deck(DECK))
    True
    """
    return problem_of(state, action) is None


def legal_actions(state: TableState, *, with_offences: bool = False) -> tuple[Action, ...]:
    """Return all legal actions of the seat in turn; none for chance or after the game.

    ``with_offences`` adds what it can do against the rules. Rulings are always possible as well.

    >>> from engine.rules.presets import FESTIVAL
    >>> legal_actions(start_table(FESTIVAL, 3))                  # chance is awaited
    ()
    """
    found = tuple(legal(state))
    return (*found, *offences(state)) if with_offences else found


def apply(state: TableState, action: Action) -> TableState:
    """Return the table after ``action``.

    Raises :class:`~engine.table.errors.ActionError` if the action is not possible.

    >>> from engine.rules.presets import FESTIVAL
    >>> from engine.table.actions import Bid
    >>> apply(start_table(FESTIVAL, 3), Bid(0, True))
    Traceback (most recent call last):
    engine.table.errors.ActionError: unexpected_action (awaited='deck', do='chicago')
    """
    if problem_of(state, action) is not None:
        problem = why_not(state, action)
        assert problem is not None
        raise ActionError(problem)
    return carry_out(state, action)


def carry_out(state: TableState, action: Action) -> TableState:
    """Return the table after an action that is known to be possible: nothing is checked.

    >>> from engine.cards.cards import DECK
    >>> from engine.rules.presets import FESTIVAL
    >>> from engine.table.actions import Deck
    >>> table = apply(start_table(FESTIVAL, 3), Deck(DECK))
    >>> carry_out(table, legal_actions(table)[0]) == apply(table, legal_actions(table)[0])
    True
    """
    if state.before_dealing is not None and not isinstance(action, Exposed):
        state = state._replace(before_dealing=None)
    return _EFFECTS[type(action)](state, action)


def _add(state: TableState, observation: Observation, **changes: object) -> TableState:
    return state._replace(
        queue=state.queue[1:], observations=(*state.observations, observation), **changes
    )


def _deck(state: TableState, action: Deck) -> TableState:
    return begin_deal(state, action.cards)


def _reshuffle(state: TableState, action: Reshuffle) -> TableState:
    observations = (*state.observations, Observation("reshuffle", number=len(action.cards)))
    return deal_out(
        state._replace(
            stub=action.cards,
            muck=(),
            own_muck=((),) * state.seats,
            open_muck=(),
            observations=observations,
        )
    )


def _blind(state: TableState, action: Blind) -> TableState:
    state = _add(state, Observation("blind", action.seat, call=action.call))
    if action.call:
        return after_blind(state._replace(declarer=action.seat, blind=True))
    return state if state.queue else after_blind(state)


def _redeal(state: TableState, action: Redeal) -> TableState:
    state = _add(state, Observation("redeal", action.seat, call=action.call))
    if action.call:
        state = redeal(state, action.seat)
    return state if state.queue else next_exchange(state)


def _discard(state: TableState, action: Discard) -> TableState:
    seat, gone = action.seat, action.cards
    if action.offence:
        state = write(state, IllegalDiscard(seat))
    hand = state.hands[seat]
    count = len(gone)
    said = Observation("discard", seat, (), count, call=action.offence or None)
    if not count:
        state = _add(state, said)
    else:
        owed = count if len(hand) == HAND_SIZE else 0
        if owed == 1 and asks_open(state, action):
            owed = ONE_OPEN
        claims, aside, shown = _broken(state, seat, gone)
        state = state._replace(
            queue=state.queue[1:],
            observations=(*state.observations, said, *shown),
            hands=put(state.hands, seat, remaining(hand, gone)),
            laid=put(state.laid, seat, remaining(gone, aside) if aside else gone),
            discards=put(state.discards, seat, (*state.discards[seat], *gone)),
            aside=put(state.aside, seat, (*state.aside[seat], *aside)) if aside else state.aside,
            owed=(*state.owed[:seat], owed, *state.owed[seat + 1 :]),
            claims=(*state.claims[:seat], claims, *state.claims[seat + 1 :]),
        )
    if state.sheet.rules.exchange_order is _ONE_BY_ONE:
        return deal_out(state._replace(waiting=state.queue, queue=()))
    return state if state.queue else deal_out(state)


def _exposed(state: TableState, action: Exposed) -> TableState:
    before = misdealt(state, action.seat, action.card)
    assert before is not None
    observations = (*before.observations, Observation("exposed", action.seat, (action.card,)))
    return deal_out(before._replace(stub=action.cards, observations=observations))


def _broken(
    state: TableState, seat: int, gone: tuple[Card, ...]
) -> tuple[tuple[Claim, ...], tuple[Card, ...], tuple[Observation, ...]]:
    """Return the claims that the seat keeps, the cards it sets aside, and what is shown.

    A broken combination is shown, or its cards are set aside until the deal is over (L).
    """
    claims, hand = state.claims[seat], state.hands[seat]
    held: list[Claim] = []
    aside: list[Card] = []
    shown: list[Observation] = []
    for claim in claims:
        broken = claim.broken or breaks(claim, hand, gone)
        if not broken:
            held.append(claim)
        elif state.rules.broken_aside:
            aside += [card for card in gone if card in claim.cards and card not in aside]
            held.append(claim._replace(broken=True))
        else:
            proved = Observation("shown", seat, proof(claim, hand))
            if proved not in shown:
                shown.append(proved)
    return tuple(held), tuple(aside), tuple(shown)


def _take(state: TableState, action: Take) -> TableState:
    seat, card = action.seat, state.offered
    assert card is not None
    owed = 0 if action.take else 1
    state = _add(
        state,
        Observation("take", seat, (card,), call=action.take),
        offered=None,
        owed=(*state.owed[:seat], owed, *state.owed[seat + 1 :]),
    )
    if action.take:
        state = state._replace(hands=put(state.hands, seat, (*state.hands[seat], card)))
    else:
        state = _refuse(state, seat, card)
    return deal_out(state)


def _refuse(state: TableState, seat: int, card: Card) -> TableState:
    laid = put(state.laid, seat, (*state.laid[seat], card))
    return state._replace(laid=laid, refused=(*state.refused, card))


def _announce(state: TableState, action: Announce) -> TableState:
    seat, category = action.seat, action.category
    said = Observation("announce", seat, (), None, category)
    spoken = state.spoken if category is None else (*state.spoken, (seat, category))
    state = _add(state, said, spoken=spoken)
    return state if state.queue else after_announcements(state)


def _specify(state: TableState, action: Specify) -> TableState:
    said = Observation("specify", action.seat, rank=action.rank, suit=action.suit)
    value = action.rank if action.rank is not None else action.suit
    values = state.values if value is None else (*state.values, (action.seat, int(value)))
    state = _add(state, said, values=values)
    return state if state.queue else after_details(state)


def _quads(state: TableState, action: Quads) -> TableState:
    seat = action.seat
    state = _add(state, Observation("quads", seat, call=action.reset))
    cards = whole_hand(state, seat) if state.full[seat] else state.hands[seat]
    phase = scored_phase(state)
    entry = hand_entry(state, seat, cards, phase, action.reset or None, action.reset_seat)
    return after_phase(scored(state._replace(stage=Stage.ANNOUNCE), seat, entry))


def _show(state: TableState, action: Show) -> TableState:
    seat, claim = action.seat, action.claim
    cards = () if claim is None else state.hands[seat]
    shows = state.shows if claim is None else (*state.shows, (seat, claim))
    state = _add(state, Observation("show", seat, cards, claim=claim), shows=shows)
    return state if state.queue else after_shows(state)


def _outrank(state: TableState, action: Outrank) -> TableState:
    state = _add(state, Observation("outrank", action.seat, call=action.claim))
    if action.claim:
        return ask_chicago(state)
    return state if state.queue else after_outranks(state)


def _bid(state: TableState, action: Bid) -> TableState:
    state = state._replace(
        observations=(*state.observations, Observation("chicago", action.seat, call=action.call))
    )
    if state.stage is not Stage.BID:  # bound unasked, from now on
        return state._replace(declarer=action.seat)
    return after_bid(state, action.seat, action.call)


def _play(state: TableState, action: Play) -> TableState:
    return play(state, action.seat, action.card, action.offence)


def _correct(state: TableState, action: Correct) -> TableState:
    if action.card is None:
        return let_stand(state, action.seat)
    return correct(state, action.seat, action.card)


def _concede(state: TableState, action: Concede) -> TableState:
    return lose(_add(state, Observation("concede", action.seat)), None)


# --- rulings ----------------------------------------------------------------------------------


def _rule(state: TableState, action: Rule) -> TableState:
    """Write the ruling; if it takes a seat out of the deal, continue with the others."""
    before = state
    state = write(state, action.ruling)
    observations = (
        *state.observations,
        Observation("ruling", action.seat, claim=action.ruling.action),
    )
    state = state._replace(observations=observations)
    if over(state):
        return close(state)
    if action.ruling.action == "redeal":  # the cards are thrown in and the deal begins anew
        return close(state)
    if state.declarer is not None and not _still_declared(state, state.declarer):
        state = _without_declarer(state)
        if over(state):
            return close(state)
    return state if state.order == before.order else _resume(state, before)


def _still_declared(state: TableState, declarer: int) -> bool:
    if state.blind or state.stage in (Stage.PLAY, Stage.CORRECT):
        return sheet_can(state.sheet, Chicago(declarer, False, None, state.blind))
    return declarer in may_declare(state)  # its tricks are still to come


def _without_declarer(state: TableState) -> TableState:
    """End the Chicago with its declarer; after a blind one, skipped phases score nobody."""
    skipped = range(1, state.exchange) if state.blind else ()
    state = state._replace(declarer=None, blind=False)
    for phase in skipped:
        if not over(state):
            state = write(state, NoHand(phase))
    return state


def _resume(state: TableState, before: TableState) -> TableState:
    """Continue after seats have left the deal, perhaps the one that was asked."""
    stage = state.stage
    gone = before.queue and before.queue[0] not in state.order
    if stage is Stage.TAKE and gone:
        assert state.offered is not None
        return deal_out(_refuse(state, before.queue[0], state.offered)._replace(offered=None))
    if stage is Stage.CORRECT and (gone or not revoked(state)):
        return after_card(state._replace(stage=Stage.PLAY, queue=state.queue[not gone :]))
    if stage is Stage.QUADS and gone:
        # Leave this stage first, since it means that a choice is still to come.
        if any(state.full):
            return final_hand(state._replace(stage=Stage.PLAY, best=None))
        return after_announcements(state._replace(stage=Stage.ANNOUNCE, best=None))
    if stage is Stage.OUTRANK and state.best not in state.order:
        return after_shows(state._replace(best=None))  # another seat may have shown one too
    if state.queue:
        return state
    resume = _RESUME.get(stage)
    return state if resume is None else resume(state)


_RESUME: dict[Stage, Callable[[TableState], TableState]] = {
    Stage.BLIND: after_blind,
    Stage.REDEAL: next_exchange,
    Stage.DISCARD: deal_out,
    Stage.ANNOUNCE: after_announcements,
    Stage.SPECIFY: after_details,
    Stage.SHOW: after_shows,
    Stage.OUTRANK: after_outranks,
    Stage.BID: begin_tricks,
    Stage.PLAY: after_card,
}

_EFFECTS: dict[type, Callable[[TableState, Any], TableState]] = {
    Deck: _deck,
    Reshuffle: _reshuffle,
    Blind: _blind,
    Redeal: _redeal,
    Discard: _discard,
    Exposed: _exposed,
    Take: _take,
    Announce: _announce,
    Specify: _specify,
    Quads: _quads,
    Show: _show,
    Outrank: _outrank,
    Bid: _bid,
    Play: _play,
    Correct: _correct,
    Concede: _concede,
    Rule: _rule,
}
