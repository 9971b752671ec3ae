"""One seat's part of a game, for the totals check: its possible scores and their costs.

Seats meet in only a few ways: every deal has one closing (last trick, Chicago, …) that belongs to a
seat, every other scoring place in it (*slot*) belongs to at most one seat, and a reset sets
everybody else to zero. Everything else a seat does alone. So each seat's way to a score is
considered by itself, with two numbers: the slots it must borrow in deals that others close, and
those it can lend in deals that it closes itself. :mod:`engine.totals.search` puts the seats
together again.

The functions repeat, for one seat, what :mod:`engine.sheet.effects` and :mod:`engine.sheet.closing`
do for a table; tests compare the two over every game of small rule sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from ..cards.categories import SCORING, Category
from ..rules.ruleset import (
    FLUSH_SCORE,
    Ending,
    FinalHand,
    FlushEffect,
    Missing,
    QuadsReset,
    RuleSet,
)
from ..sheet.entries import Chicago, Entry, LastTrick
from ..sheet.sheet import start, tricks_of, worth
from ..sheet.state import State

_QUADS: Final = Category.FOUR_OF_A_KIND

FLUSHES: Final = {
    "straight_flush": Category.STRAIGHT_FLUSH,
    "royal_flush": Category.ROYAL_FLUSH,
}
"""Ways to win with a hand, by the name of the win; the names are also roles."""


class SeatInDeal(NamedTuple):
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


class SeatBetweenDeals(NamedTuple):
    """A seat between two deals."""

    score: int
    executed: bool
    asterisks: int
    out: bool = False


class Checked(NamedTuple):
    """A seat after an entry: where it is, and whether the target check would let it win."""

    in_deal: SeatInDeal
    wins: bool


# What is checked after an entry (engine.sheet.closing.conclude).
PLAIN: Final = "plain"
SCORED: Final = "scored"  # the answer to an exchange before the final phase
CLOSE: Final = "close"  # the deal is over
END: Final = "end"  # the entry itself ended the game: nothing is checked


def points_of(rules: RuleSet, seats: int) -> dict[str, int]:
    """Return the points of the roles that close a deal, taken from the sheet's own facts.

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
        role: worth(state, entry).gains.get(cause, 0)
        for role, (state, entry, cause) in roles.items()
    }


class SeatRules:
    """The consequences of a rule set for one seat at a table of this size."""

    def __init__(self, rules: RuleSet, seats: int) -> None:
        self.rules = rules
        self.seats = seats
        self.target = rules.target
        self.points = points_of(rules, seats)
        self.need = rules.need_for(seats)
        self.at_once = rules.ending is Ending.AT_ONCE
        self.early = rules.ending is Ending.EARLY
        self.zero_at_once = rules.need_won_with_three and seats == 3
        self.discard_limit = rules.discardless if rules.offences else None
        self.plays_past_target = rules.trick_to_win or rules.win_again
        self.phases = rules.exchanges - 1
        self.resets = rules.shows_resets
        both = rules.quads_reset is QuadsReset.BOTH
        self.resets_last = self.resets and (both or not rules.reset_ends_deal)
        self.reset_closes = rules.reset_ends_deal or (both and rules.quads_end_deal)
        self.quads_close = rules.quads_end_deal and not both
        self.resets_shown = self.resets and not self.reset_closes
        self.resets_repeat = self.resets_shown and both
        both_last = self.resets_last and both
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
        closings = max(self.points[role] for role in ("deuce", "won", "blind_won"))
        # The highest score that a deal can lead to; where resets repeat, it also covers the higher
        # scores that represent all further ones.
        self.top = self.high + (self.phases + 1) * self.most + closings
        if self.resets_repeat:
            self.top += rules.hand_points[_QUADS] + FLUSH_SCORE

    @property
    def _quads_end(self) -> bool:
        """True if four of a kind always does more than score before the tricks."""
        return self.rules.quads_end_deal or self.rules.quads_reset is QuadsReset.BOTH

    def _hands(self, *, quads: bool) -> Iterator[tuple[int | None, bool]]:
        """Yield (points, binds) of hands that only score; ``None`` points mean a lift."""
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

    def lacks(self, in_deal: SeatInDeal) -> bool:
        """True if the seat lacks the Chicago that it needs to win."""
        return self.need.lacks(in_deal.executed, in_deal.asterisks)

    def check(self, in_deal: SeatInDeal, when: str) -> Checked:
        """Apply what follows an entry, as ``engine.sheet.closing.conclude`` does."""
        if when == END or in_deal.out:
            return Checked(in_deal, False)
        wins = False
        if self.at_once or (when == SCORED and self.early):
            in_deal, wins = self._target(in_deal)
        elif self.zero_at_once:
            in_deal = self._zeroed(in_deal)
        if wins:
            return Checked(in_deal, True)
        if self.rules.win_again and in_deal.armed and in_deal.score < self.target:
            in_deal = in_deal._replace(armed=False)
        if when == CLOSE and not self.at_once:
            in_deal, wins = self._target(in_deal)
        return Checked(in_deal, wins)

    def _zeroed(self, in_deal: SeatInDeal) -> SeatInDeal:
        if in_deal.score < self.target or in_deal.out or not self.lacks(in_deal):
            return in_deal
        return in_deal._replace(score=0, out=self.rules.missing is Missing.OUT)

    def _target(self, in_deal: SeatInDeal) -> Checked:
        in_deal = self._zeroed(in_deal)
        if in_deal.score < self.target or in_deal.out:
            return Checked(in_deal, False)
        if self.rules.trick_to_win and not in_deal.trick:
            return Checked(in_deal, False)
        if self.rules.win_again and not (in_deal.armed and in_deal.trick):
            return Checked(in_deal, False)
        return Checked(in_deal, True)

    # ------------------------------------------------------------------ entries

    def at_start(self, after_deal: SeatBetweenDeals) -> SeatInDeal:
        """Return the seat at the beginning of a deal."""
        armed = self.rules.win_again and after_deal.score >= self.target
        return SeatInDeal(
            after_deal.score,
            after_deal.executed,
            after_deal.asterisks,
            armed=armed,
            out=after_deal.out,
        )

    def after(self, in_deal: SeatInDeal) -> SeatBetweenDeals:
        """Return the seat at the end of a deal."""
        return SeatBetweenDeals(in_deal.score, in_deal.executed, in_deal.asterisks, in_deal.out)

    def add(self, in_deal: SeatInDeal, points: int) -> SeatInDeal:
        """Add points to the score, down to 0 at the least where there is a floor."""
        score = in_deal.score + points
        return in_deal._replace(score=0 if score < 0 and self.rules.floor else score)

    def score_hand(self, in_deal: SeatInDeal, points: int | None) -> SeatInDeal:
        """Add a hand's points, or lift the score to the target for ``None``."""
        if points is None:
            return in_deal._replace(score=max(in_deal.score, self.target))
        return self.add(in_deal, points)

    def may_declare(self, in_deal: SeatInDeal, *, blind: bool = False) -> bool:
        """True if the seat may play a Chicago now."""
        least = self.rules.chicago_minimum
        if self.rules.chicago_once and in_deal.executed:
            return False
        return blind or least is None or in_deal.score >= least

    def act(self, in_deal: SeatInDeal, role: str) -> Iterator[SeatInDeal]:
        """Yield what an entry can make of a seat in this role, before anything is checked.

        Roles: ``idle``; ``hand`` and ``final`` (a hand before and after the tricks); ``reset``,
        ``resets`` (as often as it likes), ``victim``; ``quads`` (points, deal over); ``trick``,
        ``deuce``; ``won``, ``lost``, ``breaker`` of a Chicago; ``blind_won``, ``blind_lost``,
        ``blind_deuce``; the names of the flushes (they win); ``flush_short``, ``royal_short``
        (they do not reach the target);
        ``discard`` (illegal).
        """
        rules = self.rules
        if role == "idle":
            yield in_deal
        elif role == "victim":
            yield in_deal._replace(score=0)
        elif in_deal.out:
            return
        elif role in ("hand", "final", "chicago_final"):
            hands = {"hand": self.slot_hands, "final": self.final_hands}
            for points, binds in hands.get(role, self.chicago_hands):
                changed = self.score_hand(in_deal, points)
                yield changed._replace(bound=True) if binds else changed
        elif role in ("reset", "reset_final"):
            if rules.quads_reset is QuadsReset.BOTH:
                yield self.add(in_deal, rules.hand_points[_QUADS])
            elif not in_deal.bound:
                yield self.score_hand(in_deal, None) if rules.quads_lift else in_deal
        elif role == "resets":
            yield from self._resets(in_deal)
        elif role == "reset_one":
            yield self.score_hand(in_deal, None) if rules.quads_lift else in_deal
        elif role == "quads":
            yield self.score_hand(in_deal, None if rules.quads_lift else rules.hand_points[_QUADS])
        elif role in ("trick", "deuce"):
            yield self.add(in_deal, self.points[role])._replace(trick=True)
        elif role == "breaker":
            yield self.add(in_deal, self.points[role])
        elif role in ("won", "lost", "blind_won", "blind_lost", "blind_deuce"):
            yield from self._chicago(in_deal, role)
        elif role in FLUSHES:
            yield from self._flush(in_deal, FLUSHES[role])
        elif role in ("flush_short", "royal_short"):
            short = in_deal.score + FLUSH_SCORE < self.target and not rules.floor
            if short and self._effect(role) is FlushEffect.PLUS:
                yield in_deal._replace(score=in_deal.score + FLUSH_SCORE)
        elif role == "discard":
            if self.discard_limit is not None and in_deal.score >= self.discard_limit:
                yield in_deal._replace(score=0)
        else:
            raise AssertionError(role)

    def _resets(self, in_deal: SeatInDeal) -> Iterator[SeatInDeal]:
        """Yield the results of resets shown in a row before the tricks (under D, each scores)."""
        seen: set[SeatInDeal] = set()
        while in_deal not in seen and in_deal.score <= self.top:
            seen.add(in_deal)
            for acted in self.act(in_deal, "reset"):
                yield acted
                in_deal, wins = self.check(acted, PLAIN)
                if wins or in_deal.out:
                    return

    def _effect(self, role: str) -> FlushEffect:
        royal = role.startswith("royal")
        return self.rules.royal_flush if royal else self.rules.straight_flush

    def _chicago(self, in_deal: SeatInDeal, role: str) -> Iterator[SeatInDeal]:
        if not self.may_declare(in_deal, blind=role.startswith("blind")):
            return
        changed = self.add(in_deal, self.points[role])._replace(executed=True)
        if not role.endswith("lost"):
            changed = changed._replace(asterisks=changed.asterisks + 1, trick=True)
        yield changed

    def _flush(self, in_deal: SeatInDeal, category: Category) -> Iterator[SeatInDeal]:
        effect = self.rules.flush_effect(category, "H")
        if effect is FlushEffect.BECOMES:
            yield in_deal._replace(score=FLUSH_SCORE)
        elif effect is FlushEffect.WINS:
            yield in_deal._replace(score=max(in_deal.score, self.target))
        elif effect is FlushEffect.PLUS and in_deal.score + FLUSH_SCORE >= self.target:
            yield in_deal._replace(score=in_deal.score + FLUSH_SCORE)

    def goes_on(self, role: str) -> bool:
        """True if a final hand follows a Chicago with this outcome."""
        scoring = self.rules.final_hand_in_chicago
        return scoring is FinalHand.ALWAYS or (scoring is FinalHand.IF_WON and role == "won")

    # ------------------------------------------------------------------ whole deals

    def steps(
        self, in_deals: Mapping[SeatInDeal, int], role: str, when: str, used: int = 0
    ) -> dict[SeatInDeal, int]:
        """Apply a role to many seats; the numbers count their own slots used."""
        found: dict[SeatInDeal, int] = {}
        for in_deal, count in in_deals.items():
            for acted in self.act(in_deal, role):
                mid_after, wins = self.check(acted, when)
                if wins:
                    continue
                if mid_after not in found or found[mid_after] > count + used:
                    found[mid_after] = count + used
        return found

    def _with_discard(self, in_deals: dict[SeatInDeal, int]) -> dict[SeatInDeal, int]:
        if self.discard_limit is None:
            return in_deals
        return _least(in_deals, self.steps(in_deals, "discard", PLAIN))

    def _short(self, in_deals: Mapping[SeatInDeal, int]) -> dict[SeatInDeal, int]:
        """Apply flushes from below zero that close the deal and leave the others alone."""
        found = self.steps(in_deals, "flush_short", CLOSE)
        if self.rules.royal_resets:
            return found
        return _least(found, self.steps(in_deals, "royal_short", CLOSE))

    def own_deals(self, after_deal: SeatBetweenDeals) -> dict[SeatBetweenDeals, int]:
        """Return where a deal that this seat closes can leave it, with the most slots left to lend.

        The seat's own resets are not included, because they affect the others.
        """
        found: dict[SeatBetweenDeals, int] = {}

        def note(in_deals: Mapping[SeatInDeal, int], slots: int) -> None:
            for in_deal, used in in_deals.items():
                place = self.after(in_deal)
                if found.get(place, -1) < slots - used:
                    found[place] = slots - used

        rules = self.rules
        in_deals = {self.at_start(after_deal): 0}
        for slot in range(self.phases):
            in_deals = self._with_discard(in_deals)
            if slot == 0 and rules.blind_chicago:
                note(self.steps(in_deals, "blind_won", CLOSE), 0)
                note(self.steps(in_deals, "blind_lost", CLOSE), 0)
            if self.quads_close:
                note(self.steps(in_deals, "quads", CLOSE), slot)
            note(self._short(in_deals), slot)
            idle = self.steps(in_deals, "idle", SCORED)
            in_deals = _least(
                idle, self.steps(in_deals, "hand", SCORED, 1) | self._one(in_deals, SCORED)
            )
        in_deals = self._with_discard(in_deals)
        if self.quads_close:
            note(self.steps(in_deals, "quads", CLOSE), self.phases)
        note(self._short(in_deals), self.phases)
        for role in ("trick", "deuce", "won", "lost"):
            if role in ("won", "lost") and not self.goes_on(role):
                note(self.steps(in_deals, role, CLOSE), self.phases)
                continue
            taken = self.steps(in_deals, role, PLAIN)
            note(self.steps(taken, "idle", CLOSE), self.phases + 1)
            if role in ("won", "lost"):
                note(self.steps(taken, "chicago_final", CLOSE, 1), self.phases + 1)
            else:
                note(self.steps(taken, "final", CLOSE, 1), self.phases + 1)
                note(self._one(taken, CLOSE), self.phases + 1)
        return found

    def _one(self, in_deals: Mapping[SeatInDeal, int], when: str) -> dict[SeatInDeal, int]:
        """Apply another seat's four of a kind that resets this seat only; that takes a slot."""
        if self.rules.quads_reset is not QuadsReset.ONE:
            return {}
        return self.steps(in_deals, "victim", when, 1)

    def borrowed(self, after_deal: SeatBetweenDeals) -> set[SeatBetweenDeals]:
        """Return where one slot in a deal that another seat closes can leave this seat."""
        start = {self.at_start(after_deal): 0}
        found: dict[SeatInDeal, int] = {}
        for in_deals in (start, self.steps(start, "discard", PLAIN)):
            slots = self.steps(self.steps(in_deals, "hand", SCORED), "idle", CLOSE)
            last = "chicago_final" if self.goes_on("won") else "final"
            final = self.steps(in_deals, last, CLOSE) | self._one(in_deals, CLOSE)
            found = _least(found, _least(slots, final))
        discarded = self.steps(self.steps(start, "discard", PLAIN), "idle", CLOSE)
        return {self.after(in_deal) for in_deal in _least(found, discarded)}


def _least(
    first: Mapping[SeatInDeal, int], second: Mapping[SeatInDeal, int]
) -> dict[SeatInDeal, int]:
    merged = dict(first)
    for in_deal, count in second.items():
        if in_deal not in merged or merged[in_deal] > count:
            merged[in_deal] = count
    return merged
