"""The effects of legal entries on the score sheet (rulebook §3, §8).

Only :func:`engine.sheet.sheet.step` calls :func:`apply`, after finding the entry legal.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..cards.categories import Category
from ..rules.ruleset import FLUSH_SCORE, FinalHand, FlushEffect, QuadsReset, RuleSet
from .closing import Draft, conclude, finish, set_discardless
from .entries import Chicago, Entry, Hand, IllegalDiscard, LastTrick, NoHand, Revoke, Ruling
from .facts import AsteriskChanged, ExecutedChanged
from .legality import find_fault
from .scoreboard import Scoreboard, changes, put
from .state import CHICAGO_HAND, DISQUALIFIED, EXCHANGE, FINAL_HAND, OUT, TRICKS, State
from .warnings import after_exchange

_QUADS: Final = Category.FOUR_OF_A_KIND
_POINTS: Final = FlushEffect.POINTS
_LIFT: Final = FlushEffect.LIFT


def apply(state: State, entry: Entry) -> State:
    """Return the state after a legal entry."""
    kind = type(entry)
    if kind is Ruling and entry.action == "redeal":  # type: ignore[union-attr]
        return _redealt(state)
    draft = Draft.of(state)
    if draft.redealt is None:
        draft.redealt = state
    if kind is not Ruling:
        draft.begun = True
    if kind is not Ruling and kind is not IllegalDiscard and not draft.exchanged:
        # Rulings between phases count as before the exchange, even after an illegal discard; any
        # other entry comes after it.
        draft.exchanged = True
        if any(draft.standing_hands):
            draft.standing_hands = after_exchange(state)
    # mypy does not narrow by a type kept in a variable; isinstance would cost more per entry.
    if kind is Hand:
        _hand(draft, entry)  # type: ignore[arg-type]
    elif kind is NoHand:
        _answered(draft, ends=False, scored=False)
    elif kind is LastTrick:
        _last_trick(draft, entry)  # type: ignore[arg-type]
    elif kind is Chicago:
        _chicago(draft, entry)  # type: ignore[arg-type]
    elif kind is Revoke:
        _revoke(draft, entry)  # type: ignore[arg-type]
    elif kind is IllegalDiscard:
        _illegal_discard(draft, entry)  # type: ignore[arg-type]
    else:
        _ruling(draft, _noted(draft, entry))  # type: ignore[arg-type]
    return draft.freeze()


def _noted(draft: Draft, entry: Ruling) -> Ruling:
    """Record a ruling for a redeal; between two deals, "next deal" means the one now beginning."""
    if entry.action == "sit_out_next_deal" and not draft.begun:
        entry = replace(entry, action="sit_out_deal")
    kept = draft.redealt
    assert kept is not None  # set before any entry takes effect
    if find_fault(kept, entry) is None:
        alone = Draft.of(kept)
        _ruling(alone, entry)
        draft.redealt = alone.freeze()
    return entry


def _answered(draft: Draft, *, ends: bool, scored: bool = True) -> None:
    """Go on after a phase's hand or ``none``: to the next phase, or to the end of the deal."""
    if (
        draft.stage == TRICKS and not ends
    ):  # a reset shown before the tricks (K): they are still to be played
        conclude(draft)
        return
    if ends or draft.stage != EXCHANGE or draft.phase is None:
        conclude(draft, closes=True)
        return
    draft.phase += 1
    draft.exchanged = False
    if draft.phase == draft.rules.exchanges:
        draft.stage = TRICKS
    conclude(draft, scored=scored)


def _hand(draft: Draft, entry: Hand) -> None:
    rules = draft.rules
    seat, category = entry.seat, entry.category
    resets, scores, ends, lifts = False, True, False, False
    if category >= _QUADS:
        effect = rules.flush_effect(category, entry.suit)
        lifts = effect is _LIFT
        if effect is not _POINTS and not lifts:
            _winning_flush(draft, entry, effect)
            return
        if category is _QUADS:
            resets, scores = _quads(draft, entry)
            lifts = rules.quads_lift
            ends = (resets and rules.reset_ends_deal) or (scores and rules.quads_end_deal)
    draft.standing_hands = put(draft.standing_hands, seat, int(category))
    if lifts:
        draft.set_score(seat, max(draft.scores[seat], rules.target), "lift")
    elif scores:
        points = rules.hand_points[category]
        draft.add(seat, points, "hand")
        draft.deal_points = put(draft.deal_points, seat, draft.deal_points[seat] + points)
    if entry.reset_seat is not None:
        draft.zero(entry.reset_seat, "reset")
    elif resets:
        draft.zero_others(seat, "reset")
    _answered(draft, ends=ends)


def _quads(draft: Draft, entry: Hand) -> tuple[bool, bool]:
    """Return whether this four of a kind resets, and whether it scores; bind it where it must."""
    rules = draft.rules
    if rules.quads_reset is QuadsReset.BOTH:
        return draft.stage != CHICAGO_HAND, True
    if entry.reset:
        return entry.reset_seat is None, False
    if rules.quads_bound:
        draft.bound_mask |= 1 << entry.seat
    return False, True


def _winning_flush(draft: Draft, entry: Hand, effect: FlushEffect) -> None:
    rules = draft.rules
    seat = entry.seat
    royal = entry.category is Category.ROYAL_FLUSH
    if effect is FlushEffect.BECOMES or effect is FlushEffect.WINS:
        score = FLUSH_SCORE
        if effect is FlushEffect.WINS:
            score = max(draft.scores[seat], rules.target)
        draft.set_score(seat, score, "hand")
        wins = True
    else:
        draft.set_score(seat, draft.scores[seat] + FLUSH_SCORE, "hand")
        wins = draft.scores[seat] >= rules.target
    resets = royal and rules.royal_resets
    if resets:
        draft.zero_others(seat, "royal_flush")
    if wins:
        finish(draft, (seat,), entry.category.key, share_rest=resets)
        set_discardless(draft, may_rise=False)
    else:
        # From below zero (R), 52 points may not reach the target: then only the deal is over.
        conclude(draft, closes=True)


def _chicago(draft: Draft, entry: Chicago) -> None:
    rules = draft.rules
    seat = entry.seat
    if not draft.executed[seat]:
        draft.executed = put(draft.executed, seat, True)
        draft.facts += (ExecutedChanged(seat, True),)
    if entry.won:
        draft.asterisks = put(draft.asterisks, seat, draft.asterisks[seat] + 1)
        draft.facts += (AsteriskChanged(seat, True),)
        draft.trick_winner = seat
        draft.add(seat, _chicago_points(rules, entry), "chicago_won")
        if entry.deuce:
            finish(draft, (seat,), "blind_chicago")
            set_discardless(draft, may_rise=False)
            return
    else:
        lost = rules.blind_lost if entry.blind else rules.chicago_lost
        draft.add(seat, -lost, "chicago_lost")
        if entry.breaker is not None:
            draft.add(entry.breaker, rules.breaker_points, "breaker")
    scoring = rules.final_hand_in_chicago
    goes_on = not entry.blind and (
        scoring is FinalHand.ALWAYS or (scoring is FinalHand.IF_WON and entry.won)
    )
    if goes_on:
        draft.stage = CHICAGO_HAND
    conclude(draft, closes=not goes_on)


def _chicago_points(rules: RuleSet, entry: Chicago) -> int:
    if entry.blind:
        return rules.blind_deuce if entry.deuce else rules.blind_won
    return rules.chicago_won


def _last_trick(draft: Draft, entry: LastTrick) -> None:
    rules = draft.rules
    draft.stage = FINAL_HAND
    draft.trick_winner = entry.seat
    points = rules.last_trick_deuce if entry.deuce else rules.last_trick
    draft.add(entry.seat, points, "last_trick")
    conclude(draft)


def _revoke(draft: Draft, entry: Revoke) -> None:
    seat = entry.seat
    before = draft.scores[seat]
    draft.dead_mask |= 1 << seat
    draft.add(seat, -draft.deal_points[seat], "revoke")
    # What was actually taken, so that a Chicago declared earlier is judged by the score before it.
    draft.deal_points = put(draft.deal_points, seat, before - draft.scores[seat])
    conclude(draft)


def _illegal_discard(draft: Draft, entry: IllegalDiscard) -> None:
    draft.zero(entry.seat, "illegal_discard")
    draft.standing_hands = put(draft.standing_hands, entry.seat, 0)
    conclude(draft)


def _redealt(state: State) -> State:
    """Go back to what the deal's rulings alone have made of its beginning; report the changes."""
    alone = state.redealt
    assert alone is not None  # a deal with an entry has one
    return replace(alone, facts=changes(Scoreboard.of(state), Scoreboard.of(alone), "redeal"))


def _ruling(draft: Draft, entry: Ruling) -> None:
    seat = entry.seat
    if seat is None:
        finish(draft, (), "ended")
        set_discardless(draft, may_rise=False)
        return
    if entry.action == "points":
        draft.add(seat, entry.points or 0, "ruling")
    elif entry.action == "sit_out_deal":
        draft.sitting_mask |= 1 << seat
        draft.standing_hands = put(draft.standing_hands, seat, 0)
    elif entry.action == "sit_out_next_deal":
        draft.next_mask |= 1 << seat
    elif entry.action == "sit_out_game":
        draft.zero(seat, "sit_out_game")
        draft.set_status(seat, OUT)
    else:
        draft.set_status(seat, DISQUALIFIED)
    conclude(draft)
