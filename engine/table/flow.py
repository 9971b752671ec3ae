"""What follows an action at the card table: the course of a deal (rulebook §2, §3).

Every function takes a state and returns the next one. Nothing is checked here
(:mod:`engine.table.legal` does that) and nothing is scored here: points come from the entries that
:func:`engine.table.scoring.write` puts on the sheet.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import add

from ..cards.cards import Card
from ..cards.categories import Category
from ..rules.ruleset import Redeal, RuleSet
from ..rules.ruleset import Reshuffle as Reshuffling
from ..sheet.entries import NoHand
from .hands import best_seats, details, hand_entry
from .scoring import award, close, over, share, write
from .state import (
    HAND_SIZE,
    Cards,
    Observation,
    Stage,
    TableState,
    put,
    remaining,
    speaking_order,
)
from .tricks import begin_tricks

# --- the deal -------------------------------------------------------------------------------


def begin_deal(state: TableState, deck: Cards) -> TableState:
    """Deal the pack, card by card from forehand; a sixth to seats that stand with six."""
    sheet = state.sheet
    order = speaking_order(sheet)
    six = state.rules.six_card_stand
    sizes = {seat: HAND_SIZE + (six and sheet.discardless[seat]) for seat in order}
    dealt: dict[int, list[Card]] = {seat: [] for seat in order}
    position = 0
    for turn in range(max(sizes.values())):
        for seat in order:
            if turn < sizes[seat]:
                dealt[seat].append(deck[position])
                position += 1
    state = state._replace(
        deal=sheet.deal,
        order=order,
        hands=tuple(tuple(dealt.get(seat, ())) for seat in range(state.seats)),
        stub=deck[position:],
        observations=tuple(Observation("dealt", seat, number=sizes[seat]) for seat in order),
    )
    if state.rules.blind_chicago:
        return state._replace(stage=Stage.BLIND, queue=order)
    return after_blind(state)


def after_blind(state: TableState) -> TableState:
    """Ask for redeals where the rule set has them, then exchange."""
    if state.rules.redeal is not Redeal.NEVER:
        return state._replace(stage=Stage.REDEAL, queue=state.order)
    return next_exchange(state)


def redeal(state: TableState, seat: int) -> TableState:
    """Replace a low hand, shown to all, by as many new cards."""
    hand = state.hands[seat]
    count = len(hand)
    return state._replace(
        hands=put(state.hands, seat, state.stub[:count]),
        stub=state.stub[count:],
        muck=(*state.muck, *hand),
        open_muck=(*state.open_muck, *hand),
        observations=(*state.observations, Observation("shown", seat, hand)),
    )


# --- exchanges ------------------------------------------------------------------------------


def next_exchange(state: TableState) -> TableState:
    """Begin the next exchange: everybody discards before the first new card is dealt."""
    return state._replace(
        stage=Stage.DISCARD,
        queue=state.order,
        exchange=state.exchange + 1,
        spoken=(),
        values=(),
        detail=0,
    )


def deal_out(state: TableState) -> TableState:
    """Deal the new cards in order, until a question, an empty stub or the end of the exchange."""
    hands, stub, owed = list(state.hands), state.stub, list(state.owed)
    before = state if any(owed) else None
    asked: int | None = None
    for seat in state.order if before else ():
        while owed[seat] > 0 and stub:
            count = min(owed[seat], len(stub))
            hands[seat] += stub[:count]
            stub = stub[count:]
            owed[seat] -= count
        if owed[seat]:
            asked = seat
            break
    if before or state.before_dealing:
        state = state._replace(
            hands=tuple(hands), stub=stub, owed=tuple(owed), before_dealing=before
        )
    if asked is not None and not stub:
        return _gather(state, asked)._replace(stage=Stage.RESHUFFLE, queue=())
    if asked is not None:
        return state._replace(
            stage=Stage.TAKE,
            queue=(asked,),
            stub=stub[1:],
            offered=stub[0],
            observations=(*state.observations, Observation("open", asked, stub[:1])),
        )
    if state.waiting:  # one by one: the next seat decides now
        return state._replace(stage=Stage.DISCARD, queue=state.waiting, waiting=())
    return _exchanged(state)


def _gather(state: TableState, seat: int) -> TableState:
    """Put into the muck what is reshuffled when the stub runs out while ``seat`` is dealt.

    That is every discard, or what lay there before this exchange; if that is not enough, also what
    the others discarded in it.
    """
    if state.rules.reshuffle is Reshuffling.ALL:
        return _to_muck(state, range(state.seats))
    if len(state.muck) < abs(state.owed[seat]):
        return _to_muck(state, [other for other in range(state.seats) if other != seat])
    return state


def _to_muck(state: TableState, seats: Iterable[int], **changes: object) -> TableState:
    """Move what these seats discarded in this exchange into the muck, with any refused cards."""
    gone = [state.laid[seat] if seat in seats else () for seat in range(state.seats)]
    moved = tuple([card for cards in gone for card in cards])
    shown: Cards = ()
    if state.refused:
        shown = tuple(card for card in state.refused if card in moved)
        moved = (*remaining(moved, shown), *shown)
    return state._replace(
        muck=(*state.muck, *moved),
        own_muck=tuple(map(add, state.own_muck, gone)),
        open_muck=(*state.open_muck, *shown),
        laid=tuple(map(remaining, state.laid, gone)),
        refused=remaining(state.refused, shown),
        **changes,
    )


def misdealt(state: TableState, seat: int, card: Card) -> TableState | None:
    """Return the table just before ``card`` was dealt to ``seat``, if it was.

    The stub then begins with that card, followed by those dealt after it.
    """
    before = state.before_dealing
    if before is None:
        return None
    for other in before.order:
        for _ in range(
            before.owed[other]
        ):  # an open card is meant to be seen, so it cannot be exposed
            if not before.stub:
                return None
            first, *rest = before.stub
            if (other, first) == (seat, card):
                return before
            owed = before.owed[other] - 1
            before = before._replace(
                hands=put(before.hands, other, (*before.hands[other], first)),
                stub=tuple(rest),
                owed=(*before.owed[:other], owed, *before.owed[other + 1 :]),
            )
        if before.owed[other]:
            return None
    return None


def _exchanged(state: TableState) -> TableState:
    everybody = range(state.seats)
    if not state.final and not state.blind:
        return _to_muck(state, everybody, stage=Stage.ANNOUNCE, queue=state.order)
    state = _to_muck(state, everybody)
    if not state.final:
        return next_exchange(state)
    if state.blind:
        return begin_tricks(state)
    if _has_shows(state.rules):
        return state._replace(stage=Stage.SHOW, queue=state.order, shows=())
    return ask_chicago(state)


def _has_shows(rules: RuleSet) -> bool:
    """True if this rule set lets some hands be shown before the tricks."""
    return (
        rules.wins_at_once(Category.STRAIGHT_FLUSH)
        or rules.wins_at_once(Category.ROYAL_FLUSH, "H")
        or rules.quads_end_deal
        or rules.shows_resets
    )


# --- the best hand of a phase ---------------------------------------------------------------


def after_announcements(state: TableState) -> TableState:
    """Continue after the announcements: score the best hand, break a tie, or score nobody."""
    if not state.spoken:
        return after_phase(write(state, NoHand(state.phase)))
    top = max(category for _, category in state.spoken)
    first = tuple(seat for seat, category in state.spoken if category is top)
    if len(first) == 1:
        return after_phase(award(state, first[0]))
    if state.rules.alone_of_category or not details(state.rules, state.hands[first[0]]):
        return after_phase(share(state, first))
    return state._replace(stage=Stage.SPECIFY, queue=first, detail=0, values=())


def after_details(state: TableState) -> TableState:
    """Continue after all tied seats have named one more rank."""
    best = max((value for _, value in state.values), default=0)
    first = tuple(seat for seat, value in state.values if value == best)
    if not first:  # a ruling took all of them out of the deal
        return after_announcements(state)
    state = state._replace(detail=state.detail + 1)
    if len(first) == 1:
        return after_phase(award(state, first[0]))
    if state.detail == len(details(state.rules, state.hands[first[0]])):
        return after_phase(share(state, first))
    return state._replace(queue=first, values=())


def after_phase(state: TableState) -> TableState:
    """Continue after a phase is scored: a choice, the next exchange, or the end of the deal."""
    if state.stage is Stage.QUADS:
        return state
    return close(state) if over(state) else next_exchange(state)


# --- before the tricks ----------------------------------------------------------------------


def after_shows(state: TableState) -> TableState:
    """Continue after all have been asked for hands to show before the tricks."""
    claims = state.shows
    if not claims:
        return ask_chicago(state)
    first = best_seats(state, [seat for seat, _ in claims], state.hands)
    if len(first) != 1:  # equal flushes: nobody scores, the deal goes on
        return ask_chicago(state)
    seat = first[0]
    entry = hand_entry(state, seat, state.hands[seat], state.rules.exchanges)
    if entry.category is not Category.FOUR_OF_A_KIND:
        return after_phase(write(state, entry))
    silent = tuple(other for other in state.order if other not in dict(claims))
    if silent:
        return state._replace(stage=Stage.OUTRANK, queue=silent, best=seat)
    return after_outranks(state._replace(best=seat))


def after_outranks(state: TableState) -> TableState:
    """Let the four of a kind shown reset or score, since nobody had a better hand."""
    seat = state.best
    if seat is None or seat not in state.order:
        return ask_chicago(state)
    reset = True if dict(state.shows)[seat] == "reset" else None
    entry = hand_entry(state, seat, state.hands[seat], state.rules.exchanges, reset)
    state = write(state._replace(best=None), entry)
    return close(state) if over(state) else ask_chicago(state)


def ask_chicago(state: TableState) -> TableState:
    """Ask the seats that may declare a Chicago, forehand first, unless one is declared already."""
    queue = may_declare(state) if state.declarer is None else ()
    if queue:
        return state._replace(stage=Stage.BID, queue=queue, best=None, shows=())
    return begin_tricks(state._replace(best=None, shows=()))


def may_declare(state: TableState) -> tuple[int, ...]:
    """Return the seats that may declare a Chicago now, forehand first."""
    sheet, rules = state.sheet, state.rules
    minimum, once = rules.chicago_minimum, rules.chicago_once
    return tuple(
        seat
        for seat in state.order
        if (minimum is None or sheet.scores[seat] >= minimum)
        and not (once and sheet.executed[seat])
    )


def after_bid(state: TableState, seat: int, call: bool) -> TableState:
    """Continue after a seat has answered the question for a Chicago.

    The first yes decides. Where bids come in no fixed order (T), a seat nearer to forehand may
    still overbid, whatever it said before.
    """
    rest = state.queue[1:]
    if call:
        state = state._replace(declarer=seat)
        rest = ()
        if state.rules.chicago_free_order:
            eligible = may_declare(state)
            rest = tuple(reversed(eligible[: eligible.index(seat)]))
    if rest:
        return state._replace(queue=rest)
    return begin_tricks(state)
