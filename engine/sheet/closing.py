"""What follows an entry: target check, end of the deal, discardless flags, end of the game.

Rulebook §3 gives the order after each entry: points, floor, target check, discardless check. These
functions work on a :class:`Draft`, the mutable copy of a state that
:func:`engine.sheet.effects.apply` changes and turns into the next state.
"""

from __future__ import annotations

from typing import Final

from ..rules.ruleset import Ending, Limit, Missing, Need
from .facts import (
    Cause,
    DealBegan,
    DiscardlessChanged,
    GameEnded,
    ScoreChanged,
    StatusChanged,
)
from .placing import place_game
from .scoreboard import put
from .state import DISQUALIFIED, EXCHANGE, IN, OUT, OVER, TRICKS, State, next_in

# Looking up an enum member costs more than the comparison, and this happens for every entry.
_AT_ONCE: Final = Ending.AT_ONCE
_AFTER_DEAL: Final = Ending.AFTER_DEAL
_LIMIT_AT_ONCE: Final = Limit.AT_ONCE
_LIMIT_EARLY: Final = Limit.EARLY
_NOTHING: Final = Need.NOTHING


class Draft(State):
    """The next state under construction: a state whose fields may be assigned."""

    __setattr__, __delattr__ = object.__setattr__, object.__delattr__

    @staticmethod
    def of(state: State) -> Draft:
        """Return a draft of the state that follows ``state``."""
        draft = object.__new__(Draft)
        # Setting a frozen object's fields one by one took longer than all the rest of an entry.
        draft.__dict__ = {**vars(state), "facts": ()}
        return draft

    def freeze(self) -> State:
        """Turn the draft itself into the finished state."""
        object.__setattr__(self, "__class__", State)
        return self

    def set_score(self, seat: int, score: int, cause: Cause) -> None:
        """Set a seat's score, and report the fact if it changed."""
        before = self.scores[seat]
        if score != before:
            self.scores = put(self.scores, seat, score)
            self.facts += (ScoreChanged(seat, before, score, cause),)

    def add(self, seat: int, points: int, cause: Cause) -> None:
        """Add points to a seat's score, down to 0 at the least if the rule set has a floor."""
        score = self.scores[seat] + points
        self.set_score(seat, 0 if score < 0 and self.rules.floor else score, cause)

    def zero(self, seat: int, cause: Cause) -> None:
        """Set a seat to zero; a later revoke costs none of the points lost here."""
        self.set_score(seat, 0, cause)
        if self.deal_points[seat]:
            self.deal_points = put(self.deal_points, seat, 0)

    def zero_others(self, seat: int, cause: Cause) -> None:
        """Set everybody else to zero, except disqualified players, whose scores are final."""
        for other in range(self.seats):
            if other != seat and self.status[other] != DISQUALIFIED:
                self.zero(other, cause)

    def set_status(self, seat: int, status: str) -> None:
        """Put a seat out of the game or disqualify it."""
        self.status = put(self.status, seat, status)
        self.facts += (StatusChanged(seat, status),)


def conclude(draft: Draft, *, closes: bool = False, scored: bool = False) -> None:
    """Apply everything that follows an entry.

    ``closes``: the entry ends the deal. ``scored``: it scored after an exchange before the final
    phase, where variant Z checks the target and the limit.
    """
    rules = draft.rules
    if rules.ending is _AT_ONCE or (scored and rules.ending is not _AFTER_DEAL):
        look_at_target(draft)
    elif rules.need_won_with_three and draft.seats == 3:
        zero_the_lacking(draft)
    if not draft.finished:
        last_standing(draft)
    if not draft.finished and rules.win_again:
        disarm(draft)
    if not draft.finished and (closes or nobody_plays(draft)):
        closes = True
        close_deal(draft)
    raise_flags = (
        closes
        or rules.discardless_from is _LIMIT_AT_ONCE
        or (scored and rules.discardless_from is _LIMIT_EARLY)
    )
    set_discardless(draft, raise_flags)


def zero_the_lacking(draft: Draft) -> None:
    """Set players at the target to zero if they lack the required Chicago."""
    rules = draft.rules
    need = rules.need_for(draft.seats)
    if need is _NOTHING:
        return
    for seat, score in enumerate(draft.scores):
        if score < rules.target or draft.status[seat] != IN:
            continue
        if need.lacks(draft.executed[seat], draft.asterisks[seat]):
            draft.zero(seat, "no_chicago")
            if rules.missing is Missing.OUT:
                draft.set_status(seat, OUT)


def look_at_target(draft: Draft) -> None:
    """Zero the players who lack the required Chicago, then see whether somebody has won."""
    rules = draft.rules
    if max(draft.scores) < rules.target:
        return
    zero_the_lacking(draft)
    best = rules.target
    winners: list[int] = []
    for seat, score in enumerate(draft.scores):
        if score < best or draft.status[seat] != IN:
            continue
        if rules.trick_to_win and draft.trick_winner != seat:
            continue
        if rules.win_again and not (draft.armed_mask >> seat & 1 and draft.trick_winner == seat):
            continue
        if score > best:
            best = score
            winners = []
        winners.append(seat)
    if winners:
        finish(draft, tuple(winners), "target")


def last_standing(draft: Draft) -> None:
    """End the game if only one player is still in: that player wins."""
    if draft.status.count(IN) == 1:
        finish(draft, (draft.status.index(IN),), "last_standing")


def nobody_plays(draft: Draft) -> bool:
    """True if nothing but rulings can still be written in this deal.

    Then everybody still in sits it out, or has a dead hand before the last trick. A dead hand may
    still lose a Chicago that it had declared.
    """
    if not (draft.sitting_mask or draft.dead_mask):
        return False
    playing = [seat for seat in range(draft.seats) if draft.plays(seat)]
    if draft.stage != TRICKS:
        return not playing
    return all(draft.dead_mask >> seat & 1 and not may_lose(draft, seat) for seat in playing)


def may_lose(draft: Draft, seat: int) -> bool:
    """True if a dead hand may have declared a Chicago before the revoke cost it points."""
    rules = draft.rules
    if rules.chicago_once and draft.executed[seat]:
        return False
    minimum = rules.chicago_minimum
    return minimum is None or draft.scores[seat] + draft.deal_points[seat] >= minimum


def disarm(draft: Draft) -> None:
    """Disarm seats that fall below the target (``win-again``)."""
    for seat, score in enumerate(draft.scores):
        if score < draft.rules.target:
            draft.armed_mask &= ~(1 << seat)


def close_deal(draft: Draft) -> None:
    """End the deal: check the target if it is due now, then move to the next dealer."""
    rules = draft.rules
    if rules.ending is not _AT_ONCE:
        look_at_target(draft)
        if not draft.finished:
            last_standing(draft)
        if draft.finished:
            return
    if rules.win_again:
        for seat, score in enumerate(draft.scores):
            if score >= rules.target and draft.status[seat] == IN:
                draft.armed_mask |= 1 << seat
    draft.deal += 1
    draft.dealer = next_in(draft.dealer, draft.status)
    draft.facts += (DealBegan(draft.deal, draft.dealer),)
    draft.phase = 1
    draft.stage = EXCHANGE
    nothing = (0,) * draft.seats
    draft.deal_points = nothing
    draft.standing_hands = nothing
    draft.exchanged = False
    draft.trick_winner = None
    draft.dead_mask = draft.bound_mask = 0
    draft.sitting_mask, draft.next_mask = draft.next_mask, 0
    draft.begun, draft.redealt = False, None
    if nobody_plays(draft):
        close_deal(draft)


def set_discardless(draft: Draft, may_rise: bool) -> None:
    """Update the discardless flags: they end below the limit, and new ones need ``may_rise``."""
    limit = draft.rules.discardless
    if limit is None:
        return
    before = draft.discardless
    if True not in before and max(draft.scores) < limit:
        return
    if draft.finished:
        draft.discardless = (False,) * draft.seats
    elif may_rise or True in before:
        draft.discardless = tuple(
            score >= limit and (may_rise or before[seat]) and draft.status[seat] == IN
            for seat, score in enumerate(draft.scores)
        )
    if draft.discardless != before:
        for seat, on in enumerate(draft.discardless):
            if on != before[seat]:
                draft.facts += (DiscardlessChanged(seat, on),)


def finish(draft: Draft, winners: tuple[int, ...], win: str, *, share_rest: bool = False) -> None:
    """End the game; without ``winners`` the scores decide."""
    draft.finished = True
    draft.phase = None
    draft.stage = OVER
    draft.win = win
    places, points = place_game(
        draft.rules, draft.scores, draft.status, winners, share_rest=share_rest
    )
    draft.places = places
    draft.game_points = points
    draft.winners = winners or places[0]
    draft.facts += (GameEnded(win, draft.winners, places, points),)
