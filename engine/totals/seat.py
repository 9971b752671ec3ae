"""One seat's part of a game, for the totals check: what it can be at, and what that takes.

Seats meet in a game in few ways only: every deal has one closing (last trick, Chicago, …) that
somebody must own, every other scoring place in it (*slot*) belongs to at most one seat, and a
reset sets everybody else to zero. Everything else a seat does alone. So a seat's way to a
score is looked at by itself, with two numbers kept: how many slots it must borrow in deals
that others close, and how many it has to lend in deals that it closes itself.
:mod:`engine.totals.search` puts the seats together again.

The functions repeat, for one seat, what :mod:`engine.sheet.effects` and
:mod:`engine.sheet.closing` do for a table; the tests compare both over every game of small rule
sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from ..cards.categories import SCORING, Category
from ..rules.ruleset import (
    FLUSH_SCORE,
    Ending,
    FinalHand,
    FlushEffect,
    Missing,
    Need,
    QuadsReset,
    RuleSet,
)
from ..sheet.entries import Chicago, Entry, LastTrick
from ..sheet.sheet import start, tricks_of, worth
from ..sheet.state import State

MANY: Final = 60
"""So many slots to lend count as any number."""

_QUADS: Final = Category.FOUR_OF_A_KIND

FLUSHES: Final = {
    "straight_flush": Category.STRAIGHT_FLUSH,
    "royal_flush": Category.ROYAL_FLUSH,
}
"""Ways to win with a hand, by the name of the win; the names are roles as well."""


class Mid(NamedTuple):
    """A seat in the middle of a deal.

    ``trick``: took the last trick or won a Chicago in this deal. ``armed``: ``win-again``.
    ``bound``: scored four of a kind in this deal. ``out``: zeroed out of the game.
    """

    score: int
    executed: bool
    asterisks: int
    trick: bool = False
    armed: bool = False
    bound: bool = False
    out: bool = False


class Spot(NamedTuple):
    """A seat between two deals."""

    score: int
    executed: bool
    asterisks: int
    out: bool = False


class Cost(NamedTuple):
    """Slots a seat must borrow to get somewhere, and slots it can lend on the way.

    ``lend`` counts those before the last borrowing, ``after`` those after it.
    """

    borrow: int
    lend: int
    after: int = 0


class Look(NamedTuple):
    """A seat after an entry: where it is, and whether the target check would let it win."""

    mid: Mid
    wins: bool


# What is looked at after an entry (engine.sheet.closing.conclude).
PLAIN: Final = "plain"
SCORED: Final = "scored"  # the answer to an exchange before the final phase
CLOSE: Final = "close"  # the deal is over
END: Final = "end"  # the game was over with the entry itself: nothing is looked at


def points_of(rules: RuleSet, seats: int) -> dict[str, int]:
    """What the roles that close a deal give, as the sheet's own facts tell it.

    >>> from engine.rules.presets import FESTIVAL
    >>> points = points_of(FESTIVAL, 4)
    >>> points["deuce"], points["lost"], points["breaker"]
    (10, -15, 10)
    """
    first, tricks = start(rules, seats), tricks_of(rules, seats)
    roles: dict[str, tuple[State, Entry, str]] = {
        "trick": (tricks, LastTrick(0), "last_trick"),
        "deuce": (tricks, LastTrick(0, deuce=True), "last_trick"),
        "won": (tricks, Chicago(0, won=True), "chicago_won"),
        "lost": (tricks, Chicago(0, won=False), "chicago_lost"),
        "breaker": (tricks, Chicago(0, won=False, breaker=1), "breaker"),
        "blind_won": (first, Chicago(0, won=True, blind=True), "chicago_won"),
        "blind_lost": (first, Chicago(0, won=False, blind=True), "chicago_lost"),
        "blind_deuce": (first, Chicago(0, won=True, blind=True, deuce=True), "chicago_won"),
    }
    return {
        role: worth(state, entry).get(cause, 0) for role, (state, entry, cause) in roles.items()
    }


class SeatRules:
    """What a rule set means for one seat of a table with so many seats."""

    def __init__(self, rules: RuleSet, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self.target = rules.target
        self.points = points_of(rules, seats)
        self.need = rules.need_for(seats)
        self.at_once = rules.ending is Ending.AT_ONCE
        self.early = rules.ending in (Ending.EARLY, Ending.EARLY_OR_NONE)
        self.zero_at_once = rules.need_won_with_three and seats == 3
        self.discard_limit = rules.discardless if rules.offences else None
        self.plays_past_target = rules.trick_to_win or rules.win_again
        self.phases = rules.exchanges - 1
        self.resets = rules.quads_reset in (QuadsReset.CHOICE, QuadsReset.BOTH)
        self.resets_last = self.resets and (
            rules.final_phase_resets
            if rules.quads_reset is QuadsReset.BOTH
            else not rules.reset_ends_deal
        )
        both_last = self.resets_last and rules.quads_reset is QuadsReset.BOTH
        self.slot_hands = tuple(self._hands(quads=not self._quads_end))
        self.final_hands = tuple(self._hands(quads=not both_last))
        self.chicago_hands = tuple(self._hands(quads=True))
        self.low = -110 if not rules.floor else 0
        self.lifts = rules.quads_lift or FlushEffect.LIFT in (
            rules.straight_flush,
            rules.royal_flush,
        )
        self.most = max(points for points, _ in self.chicago_hands if points is not None)
        if self.lifts:
            self.most = max(self.most, self.target - self.low)
        self.high = self.target + (90 if self.plays_past_target else 0) - 1

    @property
    def _quads_end(self) -> bool:
        """True if four of a kind always does more than score before the tricks."""
        return self.rules.quads_end_deal or self.rules.quads_reset is QuadsReset.BOTH

    def _hands(self, *, quads: bool) -> Iterator[tuple[int | None, bool]]:
        """(points, binds) of the hands that score and do nothing else; no points: a lift."""
        rules = self.rules
        seen: set[tuple[int | None, bool]] = set()
        for category in SCORING:
            effects = {rules.flush_effect(category, suit) for suit in "HS"}
            if not effects & {FlushEffect.POINTS, FlushEffect.LIFT}:
                continue
            if category is _QUADS and not quads:
                continue
            lifts = effects == {FlushEffect.LIFT} or (category is _QUADS and rules.quads_lift)
            points = None if lifts else rules.hand_points[category]
            hand = (points, category is _QUADS and rules.quads_bound)
            if hand not in seen:
                seen.add(hand)
                yield hand

    # ------------------------------------------------------------------ looking

    def lacks(self, mid: Mid) -> bool:
        """True if the seat has not got the Chicago that is needed to win."""
        if self.need is Need.NOTHING:
            return False
        return not mid.executed if self.need is Need.EXECUTED else not mid.asterisks

    def look(self, mid: Mid, when: str) -> Look:
        """The seat after what follows an entry, as ``engine.sheet.closing.conclude`` does it."""
        if when == END or mid.out:
            return Look(mid, False)
        wins = False
        if self.at_once or (when == SCORED and self.early):
            mid, wins = self._target(mid)
        elif self.zero_at_once:
            mid = self._zeroed(mid)
        if wins:
            return Look(mid, True)
        if self.rules.win_again and mid.armed and mid.score < self.target:
            mid = mid._replace(armed=False)
        if when == CLOSE and not self.at_once:
            mid, wins = self._target(mid)
        return Look(mid, wins)

    def _zeroed(self, mid: Mid) -> Mid:
        if mid.score < self.target or mid.out or not self.lacks(mid):
            return mid
        return mid._replace(score=0, out=self.rules.missing is Missing.OUT)

    def _target(self, mid: Mid) -> Look:
        mid = self._zeroed(mid)
        if mid.score < self.target or mid.out:
            return Look(mid, False)
        if self.rules.trick_to_win and not mid.trick:
            return Look(mid, False)
        if self.rules.win_again and not (mid.armed and mid.trick):
            return Look(mid, False)
        return Look(mid, True)

    # ------------------------------------------------------------------ entries

    def at_start(self, spot: Spot) -> Mid:
        """The seat when a deal begins."""
        armed = self.rules.win_again and spot.score >= self.target
        return Mid(spot.score, spot.executed, spot.asterisks, armed=armed, out=spot.out)

    def after(self, mid: Mid) -> Spot:
        """The seat when a deal is over."""
        return Spot(mid.score, mid.executed, mid.asterisks, mid.out)

    def add(self, mid: Mid, points: int) -> Mid:
        """Points onto the score; the floor holds where there is one."""
        score = mid.score + points
        return mid._replace(score=0 if score < 0 and self.rules.floor else score)

    def score_hand(self, mid: Mid, points: int | None) -> Mid:
        """A hand's points, or without any its lift to the target."""
        if points is None:
            return mid._replace(score=max(mid.score, self.target))
        return self.add(mid, points)

    def may_declare(self, mid: Mid, *, blind: bool = False) -> bool:
        """True if the seat may play a Chicago now."""
        least = self.rules.chicago_minimum
        if self.rules.chicago_once and mid.executed:
            return False
        return blind or least is None or mid.score >= least

    def act(self, mid: Mid, role: str) -> Iterator[Mid]:
        """What an entry can make of a seat that has this role in it, before anything is looked at.

        Roles: ``idle``; ``hand`` and ``final`` (a hand before and after the tricks); ``reset``,
        ``victim``; ``quads`` (points, deal over); ``trick``, ``deuce``; ``won``, ``lost``,
        ``breaker`` of a Chicago; ``blind_won``, ``blind_lost``, ``blind_deuce``; the names of the
        flushes (they win); ``flush_short``, ``royal_short`` (they do not reach the target);
        ``discard`` (illegal).
        """
        rules = self.rules
        if role == "idle":
            yield mid
        elif role == "victim":
            yield mid._replace(score=0)
        elif mid.out:
            return
        elif role in ("hand", "final", "chicago_final"):
            hands = {"hand": self.slot_hands, "final": self.final_hands}
            for points, binds in hands.get(role, self.chicago_hands):
                changed = self.score_hand(mid, points)
                yield changed._replace(bound=True) if binds else changed
        elif role in ("reset", "reset_final"):
            if rules.quads_reset is QuadsReset.BOTH:
                yield self.add(mid, rules.hand_points[_QUADS])
            elif not mid.bound:
                yield self.score_hand(mid, None) if rules.quads_lift else mid
        elif role == "reset_one":
            yield self.score_hand(mid, None) if rules.quads_lift else mid
        elif role == "quads":
            yield self.score_hand(mid, None if rules.quads_lift else rules.hand_points[_QUADS])
        elif role in ("trick", "deuce"):
            yield self.add(mid, self.points[role])._replace(trick=True)
        elif role == "breaker":
            yield self.add(mid, self.points[role])
        elif role in ("won", "lost", "blind_won", "blind_lost", "blind_deuce"):
            yield from self._chicago(mid, role)
        elif role in FLUSHES:
            yield from self._flush(mid, FLUSHES[role])
        elif role in ("flush_short", "royal_short"):
            short = mid.score + FLUSH_SCORE < self.target and not rules.floor
            if short and self._effect(role) is FlushEffect.PLUS:
                yield mid._replace(score=mid.score + FLUSH_SCORE)
        elif role == "discard":
            if self.discard_limit is not None and mid.score >= self.discard_limit:
                yield mid._replace(score=0)
        else:
            raise AssertionError(role)

    def _effect(self, role: str) -> FlushEffect:
        royal = role.startswith("royal")
        return self.rules.royal_flush if royal else self.rules.straight_flush

    def _chicago(self, mid: Mid, role: str) -> Iterator[Mid]:
        if not self.may_declare(mid, blind=role.startswith("blind")):
            return
        changed = self.add(mid, self.points[role])._replace(executed=True)
        if not role.endswith("lost"):
            changed = changed._replace(asterisks=changed.asterisks + 1, trick=True)
        yield changed

    def _flush(self, mid: Mid, category: Category) -> Iterator[Mid]:
        effect = self.rules.flush_effect(category, "H")
        if effect is FlushEffect.BECOMES:
            yield mid._replace(score=FLUSH_SCORE)
        elif effect is FlushEffect.WINS:
            yield mid._replace(score=max(mid.score, self.target))
        elif effect is FlushEffect.PLUS and mid.score + FLUSH_SCORE >= self.target:
            yield mid._replace(score=mid.score + FLUSH_SCORE)

    def goes_on(self, role: str) -> bool:
        """True if a final hand follows a Chicago of this outcome."""
        scoring = self.rules.final_hand_in_chicago
        return scoring is FinalHand.ALWAYS or (scoring is FinalHand.IF_WON and role == "won")

    # ------------------------------------------------------------------ whole deals

    def _steps(
        self, mids: Mapping[Mid, int], role: str, when: str, used: int = 0
    ) -> dict[Mid, int]:
        """Apply a role to many seats; the number is how many own slots they have used."""
        found: dict[Mid, int] = {}
        for mid, count in mids.items():
            for acted in self.act(mid, role):
                mid_after, wins = self.look(acted, when)
                if wins:
                    continue
                if mid_after not in found or found[mid_after] > count + used:
                    found[mid_after] = count + used
        return found

    def _with_discard(self, mids: dict[Mid, int]) -> dict[Mid, int]:
        if self.discard_limit is None:
            return mids
        return _least(mids, self._steps(mids, "discard", PLAIN))

    def _short(self, mids: Mapping[Mid, int]) -> dict[Mid, int]:
        """Flushes from below zero that close the deal and leave the others alone."""
        found = self._steps(mids, "flush_short", CLOSE)
        if self.rules.royal_resets:
            return found
        return _least(found, self._steps(mids, "royal_short", CLOSE))

    def own_deals(self, spot: Spot) -> dict[Spot, int]:
        """Where a deal that this seat closes can leave it, and the most slots left to lend.

        Resets by the seat itself are not among them: they concern the others.
        """
        found: dict[Spot, int] = {}

        def note(mids: Mapping[Mid, int], slots: int) -> None:
            for mid, used in mids.items():
                place = self.after(mid)
                if found.get(place, -1) < slots - used:
                    found[place] = slots - used

        rules = self.rules
        mids = {self.at_start(spot): 0}
        for slot in range(self.phases):
            mids = self._with_discard(mids)
            if slot == 0 and rules.blind_chicago:
                note(self._steps(mids, "blind_won", CLOSE), 0)
                note(self._steps(mids, "blind_lost", CLOSE), 0)
            if rules.quads_end_deal:
                note(self._steps(mids, "quads", CLOSE), slot)
            note(self._short(mids), slot)
            idle = self._steps(mids, "idle", SCORED)
            mids = _least(idle, self._steps(mids, "hand", SCORED, 1) | self._one(mids, SCORED))
        mids = self._with_discard(mids)
        if rules.quads_end_deal:
            note(self._steps(mids, "quads", CLOSE), self.phases)
        note(self._short(mids), self.phases)
        for role in ("trick", "deuce", "won", "lost"):
            if role in ("won", "lost") and not self.goes_on(role):
                note(self._steps(mids, role, CLOSE), self.phases)
                continue
            taken = self._steps(mids, role, PLAIN)
            note(self._steps(taken, "idle", CLOSE), self.phases + 1)
            if role in ("won", "lost"):
                note(self._steps(taken, "chicago_final", CLOSE, 1), self.phases + 1)
            else:
                note(self._steps(taken, "final", CLOSE, 1), self.phases + 1)
                note(self._one(taken, CLOSE), self.phases + 1)
        return found

    def _one(self, mids: Mapping[Mid, int], when: str) -> dict[Mid, int]:
        """The seat is the one that somebody else's four of a kind resets; that takes a slot."""
        if self.rules.quads_reset is not QuadsReset.ONE:
            return {}
        return self._steps(mids, "victim", when, 1)

    def borrowed(self, spot: Spot) -> set[Spot]:
        """Where one slot in a deal that somebody else closes can leave the seat."""
        start = {self.at_start(spot): 0}
        found: dict[Mid, int] = {}
        for mids in (start, self._steps(start, "discard", PLAIN)):
            slots = self._steps(self._steps(mids, "hand", SCORED), "idle", CLOSE)
            last = "chicago_final" if self.goes_on("won") else "final"
            final = self._steps(mids, last, CLOSE) | self._one(mids, CLOSE)
            found = _least(found, _least(slots, final))
        discarded = self._steps(self._steps(start, "discard", PLAIN), "idle", CLOSE)
        return {self.after(mid) for mid in _least(found, discarded)}


def _least(first: Mapping[Mid, int], second: Mapping[Mid, int]) -> dict[Mid, int]:
    merged = dict(first)
    for mid, count in second.items():
        if mid not in merged or merged[mid] > count:
            merged[mid] = count
    return merged


def better(first: Cost | None, second: Cost | None) -> Cost | None:
    """The cheaper of two ways: less to borrow, then more to lend."""
    if first is None or second is None:
        return first or second
    return max(first, second, key=_worth)


def _worth(cost: Cost) -> tuple[int, int, int]:
    return -cost.borrow, cost.after, cost.lend


class Ways:
    """All spots a seat can be at, with costs, from three kinds of beginning.

    ``plain``: from the start of the game. ``zeroed``: after a reset by somebody else, from zero
    with any flags. ``resetter``: after an own reset, from anywhere. The latter two are empty
    where nothing resets. The ``later`` ones are the same for ways on which the seat still closes
    deals after the last borrowing; they matter only where the game goes on past the target,
    because only there a seat may have to borrow without having to do it last.
    """

    def __init__(self, table: SeatRules, most_asterisks: int = 3) -> None:
        self.table = table
        self.most_asterisks = most_asterisks
        self._own: dict[Spot, dict[Spot, int]] = {}
        self._borrowed: dict[Spot, set[Spot]] = {}
        first = Spot(0, False, 0)
        self.plain = self._costs({first: Cost(0, 0)})
        self.zeroed: dict[Spot, Cost] = {}
        self.resetter: dict[Spot, Cost] = {}
        begun = self._resets()
        if begun:
            self.zeroed = self._costs(
                {Spot(0, s.executed, s.asterisks, s.out): Cost(0, 0) for s in self.anywhere}
            )
            self.resetter = self._costs(dict.fromkeys(begun, Cost(self._extra(), 0)))
        self.plain_later = self._later(self.plain)
        self.zeroed_later = self._later(self.zeroed)
        self.resetter_later = self._later(self.resetter)

    def _extra(self) -> int:
        """What a reset costs later: one slot of a deal that goes on, where it goes on."""
        rules = self.table.rules
        both = rules.quads_reset is QuadsReset.BOTH
        goes_on = not rules.reset_ends_deal and both and not rules.final_phase_resets
        return 1 if goes_on else 0

    def _resets(self) -> set[Spot]:
        """Where an own reset can leave a seat; works out ``anywhere`` as well."""
        table, rules = self.table, self.table.rules
        self.anywhere = self._closure(set(self.plain))
        royal = rules.royal_resets and rules.royal_flush is FlushEffect.PLUS and not rules.floor
        if not table.resets and not royal:
            return set()
        while True:
            zeroed = {Spot(0, s.executed, s.asterisks, s.out) for s in self.anywhere}
            wider = self._closure(self.anywhere | zeroed)
            if wider == self.anywhere:
                break
            self.anywhere = wider
        found: set[Spot] = set()
        for spot in self.anywhere:
            if spot.out:
                continue
            mids = {table.at_start(spot): 0}
            slots = table._steps(mids, "hand", SCORED)
            for before in (mids, slots, table._steps(slots, "hand", SCORED)):
                if table.resets:
                    after = table._steps(before, "reset", CLOSE)
                    found |= {table.after(mid) for mid in after}
                if royal:
                    after = table._steps(before, "royal_short", CLOSE)
                    found |= {table.after(mid) for mid in after}
        return {spot for spot in found if self.keeps(spot)}

    def _closure(self, spots: set[Spot]) -> set[Spot]:
        found, fresh = set(spots), set(spots)
        while fresh:
            after: set[Spot] = set()
            for spot in fresh:
                after.update(self.own(spot), self.lent(spot))
            fresh = after - found
            found |= fresh
        return found

    def keeps(self, spot: Spot) -> bool:
        """True if a spot lies within what is looked at (further ones are like nearer ones)."""
        return (
            self.table.low <= spot.score <= self.table.high
            and spot.asterisks <= self.most_asterisks
        )

    def own(self, spot: Spot) -> dict[Spot, int]:
        """:meth:`SeatRules.own_deals`, once per spot."""
        if spot.out:
            return {}
        known = self._own.get(spot)
        if known is None:
            found = self.table.own_deals(spot)
            known = self._own[spot] = {s: lend for s, lend in found.items() if self.keeps(s)}
        return known

    def lent(self, spot: Spot) -> set[Spot]:
        """:meth:`SeatRules.borrowed`, once per spot."""
        if spot.out:
            return set()
        known = self._borrowed.get(spot)
        if known is None:
            known = {after for after in self.table.borrowed(spot) if self.keeps(after)}
            self._borrowed[spot] = known
        return known

    def _costs(self, begun: dict[Spot, Cost]) -> dict[Spot, Cost]:
        costs = dict(begun)
        fresh: Iterable[Spot] = list(begun)
        while fresh:
            changed: set[Spot] = set()
            for spot in fresh:
                borrow, lend, _ = costs[spot]
                for after, slots in self.own(spot).items():
                    way = Cost(borrow, min(MANY, lend + slots))
                    if _cheaper(way, costs.get(after)):
                        costs[after] = way
                        changed.add(after)
                for after in self.lent(spot):
                    way = Cost(borrow + 1, lend)
                    if _cheaper(way, costs.get(after)):
                        costs[after] = way
                        changed.add(after)
            fresh = changed
        return costs

    def _later(self, costs: dict[Spot, Cost]) -> dict[Spot, Cost]:
        """The ways on which own deals follow the last borrowing."""
        if not self.table.plays_past_target:
            return {}
        found: dict[Spot, Cost] = {}
        fresh = {spot: cost for spot, cost in costs.items() if cost.borrow}
        while fresh:
            changed: dict[Spot, Cost] = {}
            for spot, (borrow, lend, later) in fresh.items():
                for after, slots in self.own(spot).items():
                    way = Cost(borrow, lend, min(MANY, later + slots))
                    if way.after and (after not in found or _worth(way) > _worth(found[after])):
                        found[after] = changed[after] = way
            fresh = changed
        return found


def _cheaper(way: Cost, known: Cost | None) -> bool:
    return known is None or (-way.borrow, way.lend) > (-known.borrow, known.lend)
