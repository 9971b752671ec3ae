"""Could a game end like this? The search over all seats of a paper sheet (docs/formats/totals.md).

The search tries every shape of the last deal: who scored in which slot, how it was closed, which
entry ended the game. For each shape and seat it works backwards through the entries to where the
seat can have been before (:class:`SeatEnd`), and takes the cost of getting there
(:class:`engine.totals.ways.Ways`). The seats fit together if some can lend the slots that others
must borrow (:func:`lendable`), either since the start of the game or since the last time one of
them reset all others; anything can have happened before that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations, product
from typing import Final, NamedTuple

from ..cards.categories import Category
from ..rules.ruleset import FLUSH_SCORE, QuadsReset, RuleSet
from .seat import (
    CLOSE,
    END,
    FLUSHES,
    PLAIN,
    SCORED,
    SeatBetweenDeals,
    SeatInDeal,
    SeatRules,
)
from .ways import Cost, Ways, better

_FREE: Final = Cost(0, 10**9)
"""The cost of a seat whose totals may be anything."""

Choices = tuple[Cost, ...]
"""Different ways to the same end, cheap in different respects; empty if there is no way."""

ASTERISKS: Final = 3
"""More Chicagos won than this make no difference: winning one and losing one cancel out."""


@dataclass(frozen=True, slots=True)
class SeatTotals:
    """One seat of a paper sheet: final score, circle, asterisks, and whether it went out."""

    score: int
    executed: bool
    asterisks: int
    out: bool = False


class Step(NamedTuple):
    """One entry of the last deal: the roles of the seats it names, and the role of all others."""

    named: tuple[tuple[int, str], ...]
    others: str
    when: str
    discard: bool  # an illegal discard may come before it

    def role(self, seat: int) -> str:
        """Return the role of a seat in this entry."""
        for named, role in self.named:
            if named == seat:
                return role
        return self.others


Part = tuple[str, str, bool]
"""A step as one seat sees it: role, what is checked, whether a discard may come before."""


def shapes(seat_rules: SeatRules, win: str, winners: Sequence[int]) -> Iterator[tuple[Step, ...]]:
    """Yield every shape of the last deal, the likelier first; the last step ends the game."""
    if win == "blind_chicago":
        if seat_rules.rules.blind_chicago:
            yield (Step(((winners[0], "blind_deuce"),), "idle", END, True),)
        return
    if win == "ended":
        yield from _stopped(seat_rules)
        return
    flush = winners[0] if win in FLUSHES else None
    for slots in range(seat_rules.phases, -1, -1):
        for before in _slots(seat_rules, slots):
            if flush is not None:
                yield from _flush_ends(seat_rules, before, slots, win, flush)
            else:
                yield from _ends(seat_rules, before, slots)


def _stopped(seat_rules: SeatRules) -> Iterator[tuple[Step, ...]]:
    """Yield every point of a deal where a game can be stopped, after any number of whole deals."""
    pause = Step((), "idle", PLAIN, True)
    for slots in range(seat_rules.phases + 1):
        for before in _slots(seat_rules, slots):
            yield (*before, pause)
            if slots == seat_rules.phases:
                yield from ((*before, *shown) for shown in _shown(seat_rules) if shown)
                for closing in _closings(seat_rules):
                    yield (*before, *closing)


def _slots(seat_rules: SeatRules, count: int) -> Iterator[tuple[Step, ...]]:
    if count == 0:
        yield ()
        return
    for before in _slots(seat_rules, count - 1):
        yield (*before, Step((), "idle", SCORED, True))
        for seat in range(seat_rules.seats):
            yield (*before, Step(((seat, "hand"),), "idle", SCORED, True))
            if seat_rules.resets and not seat_rules.reset_closes:
                yield (*before, Step(((seat, "reset"),), "victim", SCORED, True))
            yield from ((*before, step) for step in _resets_one(seat_rules, seat, SCORED))


def _resets_one(seat_rules: SeatRules, seat: int, when: str) -> Iterator[Step]:
    """Yield steps for ``reset-one``: four of a kind that sets one other seat to zero."""
    if seat_rules.rules.quads_reset is QuadsReset.ONE:
        for other in range(seat_rules.seats):
            if other != seat:
                yield Step(((seat, "reset_one"), (other, "victim")), "idle", when, when == SCORED)


def _flush_ends(
    seat_rules: SeatRules, before: tuple[Step, ...], slots: int, win: str, seat: int
) -> Iterator[tuple[Step, ...]]:
    others = "victim" if win == "royal_flush" and seat_rules.rules.royal_resets else "idle"
    yield (*before, Step(((seat, win),), others, END, True))
    if slots == seat_rules.phases:
        for shown in _shown(seat_rules):
            if shown:
                yield (*before, *shown, Step(((seat, win),), others, END, False))
        for closing in _closings(seat_rules):
            yield (*before, *closing, Step(((seat, win),), others, END, False))


def _closings(seat_rules: SeatRules) -> Iterator[tuple[Step, ...]]:
    """Yield the entries that a final hand follows."""
    for shown in _shown(seat_rules):
        for seat in range(seat_rules.seats):
            for role in ("trick", "deuce"):
                yield (*shown, Step(((seat, role),), "idle", PLAIN, not shown))
            for steps in _chicagos(seat_rules, seat, PLAIN):
                yield (*shown, *steps)


def _shown(seat_rules: SeatRules) -> Iterator[tuple[Step, ...]]:
    """Yield resets shown before the tricks of a deal that goes on (K): none, or those of one seat.

    One seat is enough, because its resets undo what others showed before.
    """
    yield ()
    if seat_rules.resets_shown:
        for seat in range(seat_rules.seats):
            yield (Step(((seat, "resets"),), "victim", PLAIN, True),)


def _chicagos(seat_rules: SeatRules, seat: int, when: str) -> Iterator[tuple[Step, ...]]:
    """Yield a seat's Chicagos: those that a final hand follows (``PLAIN``), or those that close."""
    if seat_rules.goes_on("won") is (when == PLAIN):
        yield (Step(((seat, "won"),), "idle", when, True),)
    if seat_rules.goes_on("lost") is (when == PLAIN):
        yield from ((step,) for step in _lost(seat_rules, seat, "lost", when))


def _lost(seat_rules: SeatRules, seat: int, role: str, when: str) -> Iterator[Step]:
    yield Step(((seat, role),), "idle", when, True)
    for breaker in range(seat_rules.seats):
        if breaker != seat and seat_rules.points["breaker"]:
            yield Step(((seat, role), (breaker, "breaker")), "idle", when, True)


def _ends(
    seat_rules: SeatRules, before: tuple[Step, ...], slots: int
) -> Iterator[tuple[Step, ...]]:
    """Yield shapes that end with a target check, after so many slots before the tricks."""
    seats = range(seat_rules.seats)
    if slots == seat_rules.phases:
        for closing in _closings(seat_rules):
            if seat_rules.at_once or seat_rules.zero_at_once:
                yield (*before, *closing)
            for last in _final_hands(seat_rules, closing[-1].named[0][1]):
                yield (*before, *closing, last)
        for shown in _shown(seat_rules):
            for seat in seats:
                for steps in _chicagos(seat_rules, seat, CLOSE):
                    yield (*before, *shown, *steps)
                if shown and (seat_rules.at_once or seat_rules.zero_at_once):
                    yield (*before, *shown)
    if slots == 0 and seat_rules.rules.blind_chicago:
        for seat in seats:
            yield (Step(((seat, "blind_won"),), "idle", CLOSE, True),)
            for step in _lost(seat_rules, seat, "blind_lost", CLOSE):
                yield (step,)
    if before and (seat_rules.at_once or seat_rules.early) and before[-1].named:
        yield before
    for seat in seats:
        if seat_rules.resets and seat_rules.reset_closes:
            yield (*before, Step(((seat, "reset"),), "victim", CLOSE, True))
        if seat_rules.quads_close:
            yield (*before, Step(((seat, "quads"),), "idle", CLOSE, True))
        yield from _short_flushes(seat_rules, before, seat, discard=True)


def _final_hands(seat_rules: SeatRules, closing: str) -> Iterator[Step]:
    """Yield the last entries after the last trick or a Chicago; none resets after a Chicago."""
    chicago = closing in ("won", "lost")
    yield Step((), "idle", CLOSE, False)
    for seat in range(seat_rules.seats):
        yield Step(((seat, "chicago_final" if chicago else "final"),), "idle", CLOSE, False)
        if seat_rules.resets_last and not chicago:
            yield Step(((seat, "reset_final"),), "victim", CLOSE, False)
        if not chicago:
            yield from _resets_one(seat_rules, seat, CLOSE)
        for (step,) in _short_flushes(seat_rules, (), seat, discard=False):
            yield step


def _short_flushes(
    seat_rules: SeatRules, before: tuple[Step, ...], seat: int, *, discard: bool
) -> Iterator[tuple[Step, ...]]:
    if seat_rules.low < 0:
        yield (*before, Step(((seat, "flush_short"),), "idle", CLOSE, discard))
        others = "victim" if seat_rules.rules.royal_resets else "idle"
        yield (*before, Step(((seat, "royal_short"),), others, CLOSE, discard))


class SeatEnd:
    """Where one seat can have been before the last deal, for each part it can have had in it.

    ``wins`` is whether the last target check must let the seat win (``None``: either). ``late`` is
    whether the last entry put the seat out (``None``: any entry).
    """

    def __init__(
        self,
        seat_rules: SeatRules,
        ways: Ways,
        end: SeatTotals,
        wins: bool | None,
        late: bool | None,
    ) -> None:
        self._seat_rules = seat_rules
        self._ways = ways
        self._wins = wins
        self._late = late
        spent, score = _within(seat_rules, end)
        self._spent = spent
        self._end = SeatBetweenDeals(score, end.executed, min(end.asterisks, ASTERISKS), end.out)
        self._before: dict[tuple[Part, ...], frozenset[SeatInDeal]] = {}
        self._costs: dict[tuple[Part, ...], tuple[Choices, Choices, Choices]] = {}

    def costs(self, parts: tuple[Part, ...]) -> tuple[Choices, Choices, Choices]:
        """Return the cheapest ways to a spot from which these parts lead to the end.

        The three values count from the start of the game, since somebody else's reset, and since a
        reset of the seat's own.
        """
        known = self._costs.get(parts)
        if known is None:
            after_deals = {
                after_deal
                for in_deal in self._preceding(parts)
                if not (in_deal.trick or in_deal.bound)
                and self._seat_rules.at_start(after_deal := self._seat_rules.after(in_deal))
                == in_deal
            }
            ways = self._ways
            known = (
                self._cheapest(after_deals, ways.plain, ways.plain_later),
                self._cheapest(after_deals, ways.zeroed, ways.zeroed_later),
                self._cheapest(after_deals, ways.resetter, ways.resetter_later),
            )
            self._costs[parts] = known
        return known

    def _cheapest(
        self, after_deals: set[SeatBetweenDeals], *ways: dict[SeatBetweenDeals, Cost]
    ) -> Choices:
        found: list[Cost] = []
        for costs in ways:
            best: Cost | None = None
            for after_deal in after_deals:
                best = better(best, costs.get(after_deal))
            if best is not None:
                found.append(best._replace(borrow=best.borrow + self._spent))
        return tuple(found)

    def _preceding(self, parts: tuple[Part, ...]) -> frozenset[SeatInDeal]:
        """Return where the seat can be before these parts."""
        known = self._before.get(parts)
        if known is None:
            if len(parts) == 1:
                known = self._first(parts[0])
            else:
                after = self._preceding(parts[1:])
                known = self._back(after, parts[0], last=False)
            self._before[parts] = known
        return known

    def _first(self, part: Part) -> frozenset[SeatInDeal]:
        end = self._end
        ends = {
            SeatInDeal(end.score, end.executed, end.asterisks, trick, armed, bound, end.out)
            for trick in (False, True)
            for armed in ((False, True) if self._seat_rules.rules.win_again else (False,))
            for bound in ((False, True) if self._seat_rules.rules.quads_bound else (False,))
        }
        found = self._back(frozenset(ends), part, last=True)
        if self._late is None or not end.out:
            return found
        return frozenset(in_deal for in_deal in found if in_deal.out is not self._late)

    def _back(
        self, after: frozenset[SeatInDeal], part: Part, *, last: bool
    ) -> frozenset[SeatInDeal]:
        """Return where the seat can be before one part, to be at one of ``after`` after it."""
        role, when, discard = part
        seat_rules = self._seat_rules
        found = {
            in_deal
            for in_deal in self._candidates(after, role)
            for acted in seat_rules.act(in_deal, role)
            if self._fits(seat_rules.check(acted, when), after, last)
        }
        limit = seat_rules.discard_limit
        if discard and limit is not None:
            found |= {
                in_deal._replace(score=score)
                for in_deal in found
                if in_deal.score == 0 and not in_deal.out
                for score in range(limit, seat_rules.top)
            }
        return frozenset(found)

    def _fits(
        self, check: tuple[SeatInDeal, bool], after: frozenset[SeatInDeal], last: bool
    ) -> bool:
        in_deal, wins = check
        if in_deal not in after:
            capped = in_deal._replace(asterisks=min(in_deal.asterisks, ASTERISKS))
            if capped not in after:
                return False
        if not last:
            return not wins
        return self._wins is None or wins is self._wins

    def _candidates(self, after: frozenset[SeatInDeal], role: str) -> Iterator[SeatInDeal]:
        rules = self._seat_rules.rules
        seen: set[SeatInDeal] = set()
        for in_deal in after:
            for score in self._scores(in_deal, role):
                for flags in self._flags(in_deal, role, rules):
                    candidate = SeatInDeal(score, *flags)
                    if candidate not in seen:
                        seen.add(candidate)
                        yield candidate

    def _scores(self, in_deal: SeatInDeal, role: str) -> Iterator[int]:
        seat_rules, rules = self._seat_rules, self._seat_rules.rules
        low, top = seat_rules.low, seat_rules.top
        lifted = in_deal.score == seat_rules.target and (seat_rules.lifts or role == "royal_flush")
        if in_deal.score == 0 or lifted or (role in FLUSHES and in_deal.score == FLUSH_SCORE):
            yield from range(low, top + 1)
            return
        deltas: tuple[int, ...] = {
            "hand": tuple(points or 0 for points, _ in seat_rules.slot_hands),
            "final": tuple(points or 0 for points, _ in seat_rules.final_hands),
            "chicago_final": tuple(points or 0 for points, _ in seat_rules.chicago_hands),
            "reset": (0, rules.hand_points[7]),
            "reset_final": (0, rules.hand_points[7]),
            "resets": tuple(range(0, top - low, rules.hand_points[7])),
            "quads": (rules.hand_points[7],),
            **{closing: (points,) for closing, points in seat_rules.points.items()},
            "straight_flush": (FLUSH_SCORE,),
            "royal_flush": (0, FLUSH_SCORE),
            "flush_short": (FLUSH_SCORE,),
            "royal_short": (FLUSH_SCORE,),
        }.get(role, (0,))
        for delta in deltas:
            if low <= in_deal.score - delta <= top:
                yield in_deal.score - delta

    def _flags(
        self, in_deal: SeatInDeal, role: str, rules: RuleSet
    ) -> Iterator[tuple[bool, int, bool, bool, bool, bool]]:
        declares = role in ("won", "lost", "blind_won", "blind_lost", "blind_deuce")
        wins = declares and not role.endswith("lost")
        closes = wins or role in ("trick", "deuce")
        executed = (False, True) if declares else (in_deal.executed,)
        asterisks = [in_deal.asterisks - 1 if wins else in_deal.asterisks]
        if wins and in_deal.asterisks == ASTERISKS:
            asterisks.append(ASTERISKS)
        armed = (in_deal.armed, True) if rules.win_again and not in_deal.armed else (in_deal.armed,)
        bound = (False, True) if in_deal.bound else (False,)
        outs = (False, True) if in_deal.out else (False,)
        for e in executed:
            for a in asterisks:
                for w in armed:
                    for b in bound:
                        for o in outs:
                            yield e, a, False if closes else in_deal.trick, w, b, o


def _within(seat_rules: SeatRules, end: SeatTotals) -> tuple[int, int]:
    """Return an equivalent near score for a far one, after the slots to borrow for it."""
    rules, score = seat_rules.rules, end.score
    again = end.executed and not rules.chicago_once
    least = seat_rules.low + 65  # a blind Chicago won with a deuce comes from 60 below
    if score < least and again and not rules.floor:
        step = rules.chicago_lost
        return 0, score + step * -(-(least - score) // step)
    if seat_rules.resets_repeat and score > seat_rules.top:
        # Resets shown one after another go that far in one deal, and take no slot.
        step = rules.hand_points[Category.FOUR_OF_A_KIND]
        return 0, score - step * -(-(score - seat_rules.top) // step)
    most = seat_rules.target + 65
    if score > most and seat_rules.plays_past_target:
        times = -(-(score - most) // seat_rules.most)
        return (0 if again else times), score - times * seat_rules.most
    return 0, score


def lendable(costs: Sequence[Cost]) -> bool:
    """Return whether the seats can lend each other the slots they must borrow.

    A seat that never borrows can lend at any time. Two borrowers cannot both have closed all their
    own deals before the other one borrows. So the borrowers are ordered by their last borrowing,
    and each can use what later ones lend before theirs and earlier ones lend after theirs.

    >>> lendable([Cost(1, 0), Cost(0, 3)]), lendable([Cost(1, 5), Cost(1, 5)])
    (True, False)
    >>> lendable([Cost(1, 5), Cost(1, 0, 1)])
    True
    """
    borrowers = [cost for cost in costs if cost.borrow]
    offered = sum(cost.lend for cost in costs if not cost.borrow)
    if sum(cost.borrow for cost in borrowers) <= offered:
        return True
    return any(_in_order(order, offered) for order in permutations(borrowers))


def _in_order(order: Sequence[Cost], offered: int) -> bool:
    """Check Hall's condition: every group of borrowers finds enough among its possible lenders."""
    indices = range(len(order))
    for size in range(1, len(order) + 1):
        for group in combinations(indices, size):
            served = offered
            for index, cost in enumerate(order):
                if index > group[0]:
                    served += cost.lend
                if index < group[-1]:
                    served += cost.after
            if sum(order[index].borrow for index in group) > served:
                return False
    return True


@lru_cache(maxsize=64)
def ways_for(rules: RuleSet, seats: int, asterisks: int) -> Ways:
    """Return the :class:`Ways` of a rule set, cached."""
    return Ways(SeatRules(rules, seats), asterisks)


@lru_cache(maxsize=256)
def seat_end(
    rules: RuleSet,
    seats: int,
    asterisks: int,
    end: SeatTotals,
    wins: bool | None,
    late: bool | None,
) -> SeatEnd:
    """Return the :class:`SeatEnd` of one seat, cached."""
    ways = ways_for(rules, seats, asterisks)
    return SeatEnd(ways.seat_rules, ways, end, wins, late)


def possible(
    rules: RuleSet,
    totals: Sequence[SeatTotals],
    winners: Sequence[int],
    win: str,
    free: frozenset[int] = frozenset(),
) -> bool:
    """Return whether some legal sequence of entries without rulings ends a game like this.

    ``totals`` holds 2 to 4 seats, ``winners`` the seats that won together; ``win`` is one of
    ``target``, ``straight_flush``, ``royal_flush``, ``blind_chicago``, ``last_standing``,
    ``ended``. Seats in ``free`` may have any totals at all, which helps to find the wrong seats.

    >>> from engine.rules.presets import FESTIVAL
    >>> winner, loser = SeatTotals(52, True, 0), SeatTotals(30, False, 0)
    >>> possible(FESTIVAL, [winner, loser], [0], "target")
    True
    >>> possible(FESTIVAL, [SeatTotals(52, False, 0), loser], [0], "target")
    False
    """
    count = len(totals)
    stars = max((t.asterisks for at, t in enumerate(totals) if at not in free), default=0)
    ways = ways_for(rules, count, min(stars, ASTERISKS))
    seat_rules = ways.seat_rules
    if len(winners) > 1 and win not in ("target", "ended"):
        return False
    still_in = sum(at in free or not total.out for at, total in enumerate(totals))
    surely = sum(at not in free and not total.out for at, total in enumerate(totals))
    if (surely > 1) if win == "last_standing" else (still_in < 2):
        return False
    if any(at not in free and totals[at].out for at in winners):
        return False
    if win != "ended" and len({totals[at].score for at in winners if at not in free}) > 1:
        return False
    for lates in _lates(totals, free, winners, win):
        ends = [
            None
            if at in free
            else seat_end(
                rules,
                count,
                ways.most_asterisks,
                total,
                _wins(totals, winners, win, free, at),
                lates.get(at),
            )
            for at, total in enumerate(totals)
        ]
        if any(_reached(shape, ends) for shape in shapes(seat_rules, win, winners)):
            return True
    return False


def _lates(
    totals: Sequence[SeatTotals], free: frozenset[int], winners: Sequence[int], win: str
) -> Iterator[dict[int, bool]]:
    """Yield the possibilities for which seat went out last, where that decided the game."""
    if win != "last_standing":
        yield {}
        return
    losers = [at for at in range(len(totals)) if at not in winners]
    for last in losers:
        yield {at: at == last for at in losers if at not in free}


def _wins(
    totals: Sequence[SeatTotals],
    winners: Sequence[int],
    win: str,
    free: frozenset[int],
    seat: int,
) -> bool | None:
    """Return whether the last target check must let the seat win by itself (``None``: either)."""
    if win in FLUSHES or win == "blind_chicago":
        return None
    if win in ("last_standing", "ended"):
        return False
    if seat in winners:
        return True
    known = [totals[at].score for at in winners if at not in free]
    if not known:
        return None
    return None if totals[seat].score < known[0] else False


def _reached(shape: tuple[Step, ...], ends: Sequence[SeatEnd | None]) -> bool:
    found: list[tuple[Choices, Choices, Choices]] = []
    for seat, end in enumerate(ends):
        if end is None:
            found.append(((_FREE,), (_FREE,), (_FREE,)))
            continue
        costs = end.costs(tuple((s.role(seat), s.when, s.discard) for s in shape))
        if not any(costs):
            return False
        found.append(costs)
    if any(map(lendable, product(*(plain for plain, _, _ in found)))):
        return True
    for who, (_, _, resetter) in enumerate(found):
        others = [zeroed for at, (_, zeroed, _) in enumerate(found) if at != who]
        if any(map(lendable, product(resetter, *others))):
            return True
    return False
