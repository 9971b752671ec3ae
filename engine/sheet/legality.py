"""Whether an entry may be written now; if not, the first reason in the order of the codes.

:func:`find_fault` alone decides; ``step``, ``why_not`` and ``legal_entries``
(:mod:`engine.sheet.sheet`) all ask it. An entry's structure is checked before the rules, and the
rules in the order of the codes in game-record.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from ..cards.categories import SCORING, SUITS, Category
from ..errors import shown_value
from ..rules.ruleset import QuadsReset, RuleSet
from .entries import (
    ACTIONS,
    LIMIT,
    WITHOUT_SEAT,
    Chicago,
    Entry,
    Hand,
    IllegalDiscard,
    LastTrick,
    NoHand,
    Revoke,
    Ruling,
)
from .state import CHICAGO_HAND, DISQUALIFIED, EXCHANGE, FINAL_HAND, IN, TRICKS, State

#: A code and the parameters of its sentence.
Fault = tuple[str, dict[str, object]]

_QUADS: Final = Category.FOUR_OF_A_KIND
_ROYAL: Final = Category.ROYAL_FLUSH
_ONE: Final = QuadsReset.ONE


def find_fault(state: State, entry: Entry) -> Fault | None:
    """Return the first fault of ``entry`` in ``state``, or ``None`` if it is legal."""
    kind = type(entry)
    # mypy does not narrow by a type kept in a variable; isinstance would cost more per entry.
    if kind is Hand:
        return _hand(state, entry)  # type: ignore[arg-type]
    if kind is NoHand:
        return _no_hand(state, entry)  # type: ignore[arg-type]
    if kind is LastTrick:
        return _last_trick(state, entry)  # type: ignore[arg-type]
    if kind is Chicago:
        return _chicago(state, entry)  # type: ignore[arg-type]
    if kind is Revoke:
        return _revoke(state, entry)  # type: ignore[arg-type]
    if kind is IllegalDiscard:
        return _illegal_discard(state, entry)  # type: ignore[arg-type]
    if kind is Ruling:
        return _ruling(state, entry)  # type: ignore[arg-type]
    return "unknown_kind", {"kind": kind.__name__}


# ---------------------------------------------------------------- structure


def _bad(entry: Entry, name: str) -> Fault:
    return "bad_value", {
        "field": name,
        "kind": entry.kind,
        "value": shown_value(getattr(entry, name)),
    }


def _no_seat(state: State, seat: object) -> bool:
    return type(seat) is not int or not 0 <= seat < state.seats


# ------------------------------------------------------------------- rules


def _over(state: State) -> Fault:
    return "game_finished", {"winners": list(state.winners), "win": state.win}


def _unexpected(state: State, entry: Entry, why: str, **params: object) -> Fault:
    return "unexpected_kind", {
        "kind": entry.kind,
        "why": why,
        "stage": state.stage,
        "phase": state.phase,
        "exchanges": state.rules.exchanges,
        **params,
    }


def _not_in_tricks(state: State, entry: Entry) -> Fault:
    why = "before_tricks" if state.stage == EXCHANGE else "hand_due"
    return _unexpected(state, entry, why)


def _wrong_phase(state: State, entry: Hand | NoHand) -> Fault:
    return "wrong_phase", {
        "kind": entry.kind,
        "stage": state.stage,
        "given": entry.phase,
        "phase": state.phase,
        "exchanges": state.rules.exchanges,
    }


def _seat_out(state: State, seat: int) -> Fault:
    status = state.status[seat]
    return "seat_out", {"seat": seat, "why": "sitting_out" if status == IN else status}


def _may_show(state: State) -> bool:
    """True if some hands may be shown before the tricks under these rules, and no hand is dead."""
    rules = state.rules
    return not state.dead_mask and (
        rules.wins_at_once(Category.STRAIGHT_FLUSH)
        or rules.wins_at_once(_ROYAL, "H")
        or rules.quads_end_deal
        or rules.shows_resets
    )


def _is_shown(rules: RuleSet, entry: Hand) -> bool:
    """True if such a hand is shown before the tricks: it wins, resets or ends the deal."""
    category = entry.category
    if category is _QUADS:
        resets = rules.shows_resets
        if entry.reset:
            return resets or (rules.quads_end_deal and rules.quads_reset is QuadsReset.NEVER)
        return rules.quads_end_deal or (resets and rules.quads_reset is QuadsReset.BOTH)
    if category is _ROYAL and rules.royal_hearts_only and entry.suit is None:
        return True  # it may be the royal in hearts: only the suit is missing
    return rules.wins_at_once(category, entry.suit)


def _may_reset(state: State) -> bool:
    """True if four of a kind may reset at this stage."""
    rules = state.rules
    if rules.quads_reset is QuadsReset.NEVER or state.stage == CHICAGO_HAND:
        return False
    if state.stage == FINAL_HAND:
        return rules.quads_reset is not QuadsReset.CHOICE or not rules.reset_ends_deal
    return True


def _hand(state: State, entry: Hand) -> Fault | None:
    rules = state.rules
    phase, seat, category, reset = entry.phase, entry.seat, entry.category, entry.reset
    other = entry.reset_seat
    if reset and other is None and rules.quads_reset is _ONE:
        return "missing_field", {"field": "reset_seat", "kind": "hand"}
    if type(phase) is not int or not 1 <= phase <= rules.exchanges:
        return _bad(entry, "phase")
    if _no_seat(state, seat):
        return _bad(entry, "seat")
    if type(category) is not Category or not category:
        return _bad(entry, "category")
    if reset is not None and (type(reset) is not bool or (reset and category is not _QUADS)):
        return _bad(entry, "reset")
    if other is not None and (
        not reset or rules.quads_reset is not _ONE or other == seat or _no_seat(state, other)
    ):
        return _bad(entry, "reset_seat")
    if entry.suit is not None and entry.suit not in SUITS:
        return _bad(entry, "suit")
    stage = state.stage
    if state.finished:
        return _over(state)
    before_tricks = stage == TRICKS
    if before_tricks and not _may_show(state):
        why = "revoked" if state.dead_mask else "tricks_first"
        return _unexpected(state, entry, why)
    if phase != state.phase:
        return _wrong_phase(state, entry)
    if before_tricks and not _is_shown(rules, entry):
        return _unexpected(state, entry, "not_shown", category=category.key)
    for named in (seat,) if other is None else (seat, other):
        if state.status[named] != IN or state.sitting_mask >> named & 1:
            return _seat_out(state, named)
    if reset:
        if not _may_reset(state):
            return "reset_not_allowed", {
                "seat": seat,
                "why": "never" if rules.quads_reset is QuadsReset.NEVER else stage,
            }
        if state.bound_mask >> seat & 1 and rules.quads_reset is not QuadsReset.BOTH:
            return "reset_bound", {"seat": seat}
    if category is _ROYAL and rules.royal_hearts_only and entry.suit is None:
        return "missing_suit", {"seat": seat}
    return None


def _no_hand(state: State, entry: NoHand) -> Fault | None:
    phase = entry.phase
    if type(phase) is not int or not 1 <= phase <= state.rules.exchanges:
        return _bad(entry, "phase")
    if state.finished:
        return _over(state)
    if state.stage == TRICKS:
        return _unexpected(state, entry, "tricks_first")
    if phase != state.phase:
        return _wrong_phase(state, entry)
    return None


def _last_trick(state: State, entry: LastTrick) -> Fault | None:
    seat = entry.seat
    if _no_seat(state, seat):
        return _bad(entry, "seat")
    if type(entry.deuce) is not bool:
        return _bad(entry, "deuce")
    if state.finished:
        return _over(state)
    if state.stage != TRICKS:
        return _not_in_tricks(state, entry)
    if state.status[seat] != IN or state.sitting_mask >> seat & 1:
        return _seat_out(state, seat)
    if state.dead_mask >> seat & 1:
        return "dead_hand", {"seat": seat, "why": "last_trick"}
    return None


def _chicago(state: State, entry: Chicago) -> Fault | None:
    rules = state.rules
    seat, breaker = entry.seat, entry.breaker
    if _no_seat(state, seat):
        return _bad(entry, "seat")
    if type(entry.won) is not bool:
        return _bad(entry, "won")
    if breaker is not None and (entry.won or _no_seat(state, breaker)):
        return _bad(entry, "breaker")
    if type(entry.blind) is not bool or (entry.blind and not rules.blind_chicago):
        return _bad(entry, "blind")
    if type(entry.deuce) is not bool or (entry.deuce and not (entry.won and entry.blind)):
        return _bad(entry, "deuce")
    if state.finished:
        return _over(state)
    if entry.blind:
        if state.stage != EXCHANGE or state.phase != 1:
            return _unexpected(state, entry, "blind_late")
    elif state.stage != TRICKS:
        return _not_in_tricks(state, entry)
    for named in (seat,) if breaker is None else (seat, breaker):
        if state.status[named] != IN or state.sitting_mask >> named & 1:
            return _seat_out(state, named)
    minimum, score = rules.chicago_minimum, state.scores[seat]
    if state.dead_mask >> seat & 1:
        # The Chicago was declared before the tricks, so before the revoke that took these points.
        score += state.deal_points[seat]
    if minimum is not None and not entry.blind and score < minimum:
        return "chicago_below_minimum", {"seat": seat, "score": score, "minimum": minimum}
    if rules.chicago_once and state.executed[seat]:
        return "chicago_limit", {"seat": seat}
    if entry.won and state.dead_mask >> seat & 1:
        return "dead_hand", {"seat": seat, "why": "chicago"}
    if breaker is not None:
        if state.dead_mask >> breaker & 1:
            return "dead_hand", {"seat": breaker, "why": "breaker"}
        if breaker == seat:
            return "self_break", {"seat": seat}
    return None


def _revoke(state: State, entry: Revoke) -> Fault | None:
    seat = entry.seat
    if _no_seat(state, seat):
        return _bad(entry, "seat")
    if state.finished:
        return _over(state)
    if not state.rules.offences:
        return _unexpected(state, entry, "no_offences")
    if state.stage != TRICKS:
        return _not_in_tricks(state, entry)
    if state.status[seat] != IN or state.sitting_mask >> seat & 1:
        return _seat_out(state, seat)
    if state.dead_mask >> seat & 1:
        return "dead_hand", {"seat": seat, "why": "revoke"}
    return None


def _illegal_discard(state: State, entry: IllegalDiscard) -> Fault | None:
    seat = entry.seat
    if _no_seat(state, seat):
        return _bad(entry, "seat")
    if state.finished:
        return _over(state)
    if not state.rules.offences:
        return _unexpected(state, entry, "no_offences")
    if state.stage not in (EXCHANGE, TRICKS):
        return _unexpected(state, entry, "hand_due")
    if state.dead_mask:
        return _unexpected(state, entry, "revoked")
    if state.exchanged:  # four of a kind has been shown before the tricks (K)
        return _unexpected(state, entry, "shown")
    if state.status[seat] != IN or state.sitting_mask >> seat & 1:
        return _seat_out(state, seat)
    if not state.discardless[seat]:
        limit, score = state.rules.discardless, state.scores[seat]
        why = "never" if limit is None else "now" if score >= limit else "below"
        return "not_discardless", {"seat": seat, "score": score, "limit": limit, "why": why}
    return None


def _ruling(state: State, entry: Ruling) -> Fault | None:
    action, seat, points = entry.action, entry.seat, entry.points
    if action not in ACTIONS:
        return _bad(entry, "action")
    if action in WITHOUT_SEAT:
        if seat is not None:
            return _bad(entry, "seat")
    elif _no_seat(state, seat):
        if seat is None:
            return "missing_field", {"field": "seat", "kind": "ruling"}
        return _bad(entry, "seat")
    if action == "points":
        if points is None:
            return "missing_field", {"field": "points", "kind": "ruling"}
        if type(points) is not int or not -LIMIT <= points <= LIMIT:
            return _bad(entry, "points")
    elif points is not None:
        return _bad(entry, "points")
    if not isinstance(entry.reason, str):
        return _bad(entry, "reason")
    if state.finished:
        return _over(state)
    if action == "redeal" and not state.begun:
        return "wrong_phase", {"kind": "ruling", "why": "redeal", "stage": state.stage}
    if seat is not None:
        status = state.status[seat]
        if status == DISQUALIFIED or (status != IN and action != "disqualify"):
            return _seat_out(state, seat)
    if not entry.reason.strip():
        return "missing_reason", {"action": action}
    return None


# ------------------------------------------------------------- enumeration


def candidates(rules: RuleSet, seats: int) -> Iterator[Entry]:
    """Yield every possible entry except rulings, each meaning once."""
    for phase in range(1, rules.exchanges + 1):
        yield from _phase_candidates(rules, seats, phase)
    yield from _deal_candidates(rules, seats)


def _phase_candidates(rules: RuleSet, seats: int, phase: int) -> Iterator[Entry]:
    for seat in range(seats):
        for category in SCORING:
            if category is _ROYAL and rules.royal_hearts_only:
                for suit in SUITS:
                    yield Hand(phase, seat, category, None, suit)
                continue
            yield Hand(phase, seat, category)
            if category is not _QUADS:
                continue
            if rules.quads_reset is _ONE:
                for other in range(seats):
                    if other != seat:
                        yield Hand(phase, seat, category, True, None, other)
            else:
                yield Hand(phase, seat, category, True)
    yield NoHand(phase)


def _deal_candidates(rules: RuleSet, seats: int) -> Iterator[Entry]:
    for seat in range(seats):
        for blind in (False, True) if rules.blind_chicago else (False,):
            yield Chicago(seat, True, None, blind)
            if blind:
                yield Chicago(seat, True, None, True, True)
            yield Chicago(seat, False, None, blind)
            for breaker in range(seats):
                yield Chicago(seat, False, breaker, blind)
    for seat in range(seats):
        yield LastTrick(seat)
        yield LastTrick(seat, True)
    for seat in range(seats):
        yield Revoke(seat)
    for seat in range(seats):
        yield IllegalDiscard(seat)


def legal_now(state: State) -> tuple[Entry, ...]:
    """Return every legal entry except rulings, with all parameters."""
    if state.finished or state.phase is None:
        return ()
    written = chain(
        _phase_candidates(state.rules, state.seats, state.phase),
        _deal_candidates(state.rules, state.seats),
    )
    return tuple(entry for entry in written if find_fault(state, entry) is None)


def legal_rulings_now(state: State) -> tuple[tuple[str, int | None], ...]:
    """Return the (action, seat) pairs that the tournament director could rule now."""
    if state.finished:
        return ()
    found: list[tuple[str, int | None]] = []
    for action in ACTIONS:
        for seat in (None,) if action in WITHOUT_SEAT else range(state.seats):
            ruling = Ruling(action, seat, 1 if action == "points" else None, "?")
            if find_fault(state, ruling) is None:
                found.append((action, seat))
    return tuple(found)
