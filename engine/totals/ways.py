"""All the places one seat can reach after its deals, and what that costs the other seats."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from ..rules.ruleset import FlushEffect
from .seat import CLOSE, SCORED, SeatBetweenDeals, SeatRules

MANY: Final = 60
"""This many slots to lend count as any number."""


class Cost(NamedTuple):
    """The slots a seat must borrow to get somewhere, and those it can lend on the way.

    ``lend`` counts slots before the last borrowing, ``after`` those after it.
    """

    borrow: int
    lend: int
    after: int = 0


def better(first: Cost | None, second: Cost | None) -> Cost | None:
    """Return the cheaper of two ways: less to borrow, then more to lend."""
    if first is None or second is None:
        return first or second
    return max(first, second, key=_worth)


def _worth(cost: Cost) -> tuple[int, int, int]:
    return -cost.borrow, cost.after, cost.lend


class Ways:
    """All spots a seat can reach, with costs, from three kinds of beginning.

    ``plain``: from the start of the game. ``zeroed``: after another seat's reset, from zero with
    any flags. ``resetter``: after a reset of its own, from anywhere. The latter two are empty where
    nothing resets. The ``later`` variants cover ways on which the seat still closes deals after its
    last borrowing. They matter only where the game goes on past the target, because only there may
    a seat have to borrow without having to do so last.
    """

    def __init__(self, seat_rules: SeatRules, most_asterisks: int = 3) -> None:
        self.seat_rules = seat_rules
        self.most_asterisks = most_asterisks
        self._own: dict[SeatBetweenDeals, dict[SeatBetweenDeals, int]] = {}
        self._borrowed: dict[SeatBetweenDeals, set[SeatBetweenDeals]] = {}
        first = SeatBetweenDeals(0, False, 0)
        self.plain = self._costs({first: Cost(0, 0)})
        self.zeroed: dict[SeatBetweenDeals, Cost] = {}
        self.resetter: dict[SeatBetweenDeals, Cost] = {}
        begun = self._resets()
        if begun:
            self.zeroed = self._costs(
                {
                    SeatBetweenDeals(0, s.executed, s.asterisks, s.out): Cost(0, 0)
                    for s in self.anywhere
                }
            )
            self.resetter = self._costs(dict.fromkeys(begun, Cost(0, 0)))
        self.plain_later = self._later(self.plain)
        self.zeroed_later = self._later(self.zeroed)
        self.resetter_later = self._later(self.resetter)

    def _resets(self) -> set[SeatBetweenDeals]:
        """Return where the seat's own resets can leave it; also set ``anywhere``."""
        seat_rules, rules = self.seat_rules, self.seat_rules.rules
        self.anywhere = self._closure(set(self.plain))
        royal = rules.royal_resets and rules.royal_flush is FlushEffect.PLUS and not rules.floor
        if not seat_rules.resets and not royal:
            return set()
        while True:
            zeroed = {SeatBetweenDeals(0, s.executed, s.asterisks, s.out) for s in self.anywhere}
            wider = self._closure(self.anywhere | zeroed)
            if wider == self.anywhere:
                break
            self.anywhere = wider
        found: set[SeatBetweenDeals] = set()
        for after_deal in self.anywhere:
            if after_deal.out:
                continue
            in_deals = {seat_rules.at_start(after_deal): 0}
            slots = seat_rules.steps(in_deals, "hand", SCORED)
            for before in (in_deals, slots, seat_rules.steps(slots, "hand", SCORED)):
                if seat_rules.resets:
                    role = "resets" if seat_rules.resets_repeat else "reset"
                    after = seat_rules.steps(before, role, CLOSE)
                    found |= {seat_rules.after(in_deal) for in_deal in after}
                if royal:
                    after = seat_rules.steps(before, "royal_short", CLOSE)
                    found |= {seat_rules.after(in_deal) for in_deal in after}
        return {after_deal for after_deal in found if self.keeps(after_deal)}

    def _closure(self, after_deals: set[SeatBetweenDeals]) -> set[SeatBetweenDeals]:
        found, fresh = set(after_deals), set(after_deals)
        while fresh:
            after: set[SeatBetweenDeals] = set()
            for after_deal in fresh:
                after.update(self.own(after_deal), self.lent(after_deal))
            fresh = after - found
            found |= fresh
        return found

    def keeps(self, after_deal: SeatBetweenDeals) -> bool:
        """True if a spot lies within the search limits; further spots behave like nearer ones."""
        return (
            self.seat_rules.low <= after_deal.score <= self.seat_rules.high
            and after_deal.asterisks <= self.most_asterisks
        )

    def own(self, after_deal: SeatBetweenDeals) -> dict[SeatBetweenDeals, int]:
        """Return :meth:`SeatRules.own_deals`, cached per spot."""
        if after_deal.out:
            return {}
        known = self._own.get(after_deal)
        if known is None:
            found = self.seat_rules.own_deals(after_deal)
            known = self._own[after_deal] = {s: lend for s, lend in found.items() if self.keeps(s)}
        return known

    def lent(self, after_deal: SeatBetweenDeals) -> set[SeatBetweenDeals]:
        """Return :meth:`SeatRules.borrowed`, cached per spot."""
        if after_deal.out:
            return set()
        known = self._borrowed.get(after_deal)
        if known is None:
            known = {after for after in self.seat_rules.borrowed(after_deal) if self.keeps(after)}
            self._borrowed[after_deal] = known
        return known

    def _costs(self, begun: dict[SeatBetweenDeals, Cost]) -> dict[SeatBetweenDeals, Cost]:
        costs = dict(begun)
        fresh: Iterable[SeatBetweenDeals] = list(begun)
        while fresh:
            changed: set[SeatBetweenDeals] = set()
            for after_deal in fresh:
                borrow, lend, _ = costs[after_deal]
                for after, slots in self.own(after_deal).items():
                    way = Cost(borrow, min(MANY, lend + slots))
                    if _cheaper(way, costs.get(after)):
                        costs[after] = way
                        changed.add(after)
                for after in self.lent(after_deal):
                    way = Cost(borrow + 1, lend)
                    if _cheaper(way, costs.get(after)):
                        costs[after] = way
                        changed.add(after)
            fresh = changed
        return costs

    def _later(self, costs: dict[SeatBetweenDeals, Cost]) -> dict[SeatBetweenDeals, Cost]:
        """Return the ways on which own deals follow the last borrowing."""
        if not self.seat_rules.plays_past_target:
            return {}
        found: dict[SeatBetweenDeals, Cost] = {}
        fresh = {after_deal: cost for after_deal, cost in costs.items() if cost.borrow}
        while fresh:
            changed: dict[SeatBetweenDeals, Cost] = {}
            for after_deal, (borrow, lend, later) in fresh.items():
                for after, slots in self.own(after_deal).items():
                    way = Cost(borrow, lend, min(MANY, later + slots))
                    if way.after and (after not in found or _worth(way) > _worth(found[after])):
                        found[after] = changed[after] = way
            fresh = changed
        return found


def _cheaper(way: Cost, known: Cost | None) -> bool:
    return known is None or (-way.borrow, way.lend) > (-known.borrow, known.lend)
