"""The tricks at the card table, the Chicago, and the final hand (rulebook §2, §3)."""

from __future__ import annotations

from ..cards.cards import Card
from ..rules.ruleset import Breaker, Lead
from ..sheet.entries import Chicago, LastTrick, NoHand, Revoke
from .hands import best_seats, whole_hand
from .scoring import award, close, over, write
from .state import TRICKS, Observation, Stage, TableState, put, remaining

Trick = tuple[tuple[int, Card], ...]


def winner_of(trick: Trick) -> tuple[int, Card]:
    """Return the seat and card that win a trick: the highest of the suit led; there are no trumps.

    >>> from engine.cards.cards import parse_cards
    >>> winner_of(tuple(enumerate(parse_cards("9s 5h Ks"))))
    (2, Card('Ks'))
    """
    led = trick[0][1] & 3
    card, seat = max([(card, seat) for seat, card in trick if card & 3 == led])
    return seat, card


def overtaker(trick: Trick, declarer: int) -> int | None:
    """Return the first player after the declarer whose card beats the declarer's, if any.

    This may not be the winner of the trick, and is nobody who played before the declarer.

    >>> from engine.cards.cards import parse_cards
    >>> overtaker(tuple(enumerate(parse_cards("Js Qs As"))), declarer=0)
    1
    >>> overtaker(tuple(enumerate(parse_cards("Js 2s 5s"))), declarer=1)
    2
    """
    seats = [seat for seat, _ in trick]
    if declarer not in seats:
        return None
    place = seats.index(declarer)
    return _first_better(trick, trick[place][1], trick[place + 1 :])


def _first_better(trick: Trick, own: Card, others: Trick) -> int | None:
    led = trick[0][1] & 3
    for seat, card in others:
        if card & 3 == led and (own & 3 != led or card > own):
            return seat
    return None


def breaker_of(state: TableState) -> int | None:
    """Return who has broken the Chicago with the card just played, under this rule set."""
    trick, declarer, how = state.trick, state.declarer, state.rules.breaker
    own = dict(trick).get(declarer) if declarer is not None else None
    if own is None or declarer is None:
        return None
    if how is Breaker.OVERTAKER:
        return _first_better(trick, own, trick)
    found = overtaker(trick, declarer) if how is Breaker.AFTER_DECLARER else None
    if found is None and not state.queue:
        taker, _ = winner_of(trick)
        found = taker if taker != declarer else None
    return found


def must_follow(state: TableState, seat: int) -> tuple[Card, ...]:
    """Return the cards that the seat may play: those of the suit led, or any if it has none."""
    hand = state.hands[seat]
    if not state.trick:
        return hand
    led = state.trick[0][1] & 3
    return tuple([card for card in hand if card & 3 == led]) or hand


def _live_from(state: TableState, leader: int) -> tuple[int, ...]:
    """Return the seats that play to a trick, clockwise from the leader or the next one still in."""
    live = sorted([seat for seat in state.order if seat not in state.dead])
    ahead = [seat for seat in live if seat >= leader]
    return (*ahead, *live[: len(live) - len(ahead)])


def begin_tricks(state: TableState) -> TableState:
    """Begin the tricks: declarer or forehand leads; all hands that can score later are fixed."""
    declarer = state.declarer
    leader = state.order[0]
    if declarer is not None and state.rules.chicago_lead is Lead.DECLARER:
        leader = declarer
    return state._replace(
        stage=Stage.PLAY,
        full=state.hands,
        leader=leader,
        queue=_live_from(state, leader),
        best=None,
    )


def play(state: TableState, seat: int, card: Card, offence: bool = False) -> TableState:
    """Play a card; one that fails to follow suit may still be corrected."""
    state = _lay(state, seat, card)
    if offence:
        return state._replace(stage=Stage.CORRECT, queue=(seat, *state.queue))
    return after_card(state)


def _lay(state: TableState, seat: int, card: Card) -> TableState:
    return state._replace(
        hands=put(state.hands, seat, remaining(state.hands[seat], (card,))),
        piles=put(state.piles, seat, (*state.piles[seat], card)),
        trick=(*state.trick, (seat, card)),
        queue=state.queue[1:],
        observations=(*state.observations, Observation("play", seat, (card,))),
    )


def correct(state: TableState, seat: int, card: Card) -> TableState:
    """Take back the card that did not follow suit and play another."""
    wrong = state.trick[-1][1]
    state = state._replace(
        stage=Stage.PLAY,
        hands=put(state.hands, seat, (*state.hands[seat], wrong)),
        piles=put(state.piles, seat, state.piles[seat][:-1]),
        trick=state.trick[:-1],
    )
    return after_card(_lay(state, seat, card))


def revoked(state: TableState) -> bool:
    """True if the last card did not follow the first one still in the trick, but could have."""
    seat, card = state.trick[-1]
    led = state.trick[0][1] & 3
    return card & 3 != led and any(other & 3 == led for other in state.hands[seat])


def let_stand(state: TableState, seat: int) -> TableState:
    """Make the hand dead for the tricks: its revoke was not corrected in time."""
    state = state._replace(
        stage=Stage.PLAY,
        queue=state.queue[1:],
        dead=state.dead | {seat},
        observations=(*state.observations, Observation("revoke", seat)),
    )
    state = write(state, Revoke(seat))
    if over(state):
        return close(state)
    if state.declarer == seat:
        return lose(state, None)
    return after_card(state)


def after_card(state: TableState) -> TableState:
    """Continue after a card: it may break a Chicago or complete a trick."""
    declarer = state.declarer
    if declarer is not None and state.trick:
        breaker = breaker_of(state)
        if breaker is not None:
            return lose(state, breaker)
    if state.queue:
        return state
    if not state.trick:  # the only card left with its seat
        return state._replace(queue=_live_from(state, state.leader or 0))
    seat, card = winner_of(state.trick)
    played = state.played + 1
    state = state._replace(
        trick=(),
        leader=seat,
        played=played,
        queue=_live_from(state, seat) if played < TRICKS else (),
        observations=(*state.observations, Observation("trick", seat)),
    )
    if played < TRICKS:
        return state
    deuce = card.rank == 2
    if declarer is not None:
        return _chicago(state, Chicago(declarer, True, None, state.blind, state.blind and deuce))
    state = write(state, LastTrick(seat, deuce))
    return close(state) if over(state) else final_hand(state)


def lose(state: TableState, breaker: int | None) -> TableState:
    """Record the Chicago as broken, by the seat that overtook first or by nobody."""
    assert state.declarer is not None
    return _chicago(state, Chicago(state.declarer, False, breaker, state.blind))


def _chicago(state: TableState, entry: Chicago) -> TableState:
    state = write(state._replace(queue=()), entry)
    return close(state) if over(state) else final_hand(state)


def final_hand(state: TableState) -> TableState:
    """Score the best of the hands with which the tricks began; the cards lie open now."""
    hands = tuple(whole_hand(state, seat) for seat in range(state.seats))
    observations = tuple(Observation("shown", seat, hands[seat]) for seat in state.order)
    state = state._replace(observations=(*state.observations, *observations), trick=(), queue=())
    best = best_seats(state, state.order, hands)
    if len(best) == 1:
        state = award(state, best[0])
        return state if state.stage is Stage.QUADS else close(state)
    return close(write(state, NoHand(state.rules.exchanges)))
