"""A second, deliberately plain implementation of the rulebook, to compare the command with.

Written from the design documents alone: one mutable sheet, one dictionary of rules, no attempt at
speed or beauty. ``Sheet.why_not`` gives the code of the refusal, ``Sheet.enter`` the effect. It
covers what the rulebook settles; combinations that it leaves open are not generated (``SPECS``).
Entries must be well-formed, as structure is tested by the record cases.
"""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

from .oracle_rules import ORDER, RANK, resolve


class Sheet:
    """A score sheet in play."""

    def __init__(self, spec: str, seats: int, dealer: int = 0) -> None:
        self.rules = resolve(spec)
        self.n = seats
        self.seats = range(seats)
        self.score = [0] * seats
        self.executed = [False] * seats
        self.stars = [0] * seats
        self.status = ["in"] * seats
        self.stuck = [False] * seats  # discardless
        self.armed = [False] * seats
        self.sits_next: set[int] = set()
        self.deal, self.dealer = 0, dealer
        self.win: str | None = None
        self.winners: list[int] = []
        self.places: list[list[int]] = []
        self.points: list[Fraction] = []
        self.open_deal()

    def open_deal(self) -> None:
        self.phase = 1
        self.stage = "hand"  # hand | tricks | last | chicago
        self.bound: set[int] = set()
        self.dead: set[int] = set()
        self.sitting, self.sits_next = self.sits_next, set()
        self.begun = False
        self.rulings: list[dict[str, Any]] = []
        self.earned = [0] * self.n
        self.revoked = [0] * self.n  # Points lost to revokes in this deal.
        self.took: int | None = None
        self.holds: dict[int, int] = {}
        self.exchanged = False
        self.shown_reset = False
        self.at_first: dict[str, Any] = {}
        self.at_first = copy.deepcopy(vars(self))

    # --- legality ------------------------------------------------------------------------------

    def why_not(self, e: dict[str, Any]) -> str | None:
        """Return the code of the first problem with a well-formed entry."""
        if self.win:
            return "game_finished"
        return getattr(self, "why_not_" + e["kind"])(e)

    def gone(self, *seats: int | None) -> bool:
        return any(s is not None and (self.status[s] != "in" or s in self.sitting) for s in seats)

    def players(self) -> set[int]:
        """Return who plays this deal."""
        return {s for s in self.seats if not self.gone(s)}

    def why_not_none(self, e: dict[str, Any]) -> str | None:
        if self.stage == "tricks":
            return "unexpected_kind"
        return "wrong_phase" if e["phase"] != self.phase else None

    def wins(self, category: str, suit: str | None) -> bool:
        if category == "straight_flush":
            return self.rules["sf"][0] not in ("points", "lift")
        if category == "royal_flush":
            wins = self.rules["rf"][0] not in ("points", "lift")
            return wins and (not self.rules["hearts"] or suit == "H")
        return False

    def shown(self, category: str, reset: bool, suit: str | None) -> bool:
        """Return whether this hand may be scored before the tricks."""
        if category != "four_of_a_kind":
            return self.wins(category, suit)
        resets = self.rules["reset"] != "no" and not self.rules["one"]
        if self.rules["quads_end"]:
            return True
        return resets and (reset or self.rules["reset"] == "always")

    def anything_shown(self) -> bool:
        """Return whether any hand may be scored before the tricks under these rules."""
        return any(
            self.shown(category, reset, "H") for category in ORDER[7:] for reset in (True, False)
        )

    def why_not_hand(self, e: dict[str, Any]) -> str | None:
        rules, seat, category = self.rules, e["seat"], e["category"]
        reset = e.get("reset", False)
        if reset and rules["one"] and "reset_seat" not in e:
            return "missing_field"
        if "reset_seat" in e and not (reset and rules["one"] and e["reset_seat"] != seat):
            return "bad_value"
        if self.stage == "tricks":
            if self.dead or not self.anything_shown():
                return "unexpected_kind"
            if e["phase"] != self.phase:
                return "wrong_phase"
            if not self.shown(category, reset, e.get("suit")):
                return "unexpected_kind"
        if e["phase"] != self.phase:
            return "wrong_phase"
        if self.gone(seat, e.get("reset_seat")):
            return "seat_out"
        if reset:
            if rules["reset"] == "no" or self.stage == "chicago":
                return "reset_not_allowed"
            late = rules["reset"] == "always" or rules["one"] or not rules["reset_ends"]
            if self.stage == "last" and not late:
                return "reset_not_allowed"
            if rules["bound"] and seat in self.bound and rules["reset"] == "may":
                return "reset_bound"
        if category == "royal_flush" and rules["hearts"] and "suit" not in e:
            return "missing_suit"
        return None

    def why_not_chicago(self, e: dict[str, Any]) -> str | None:
        seat, breaker, blind = e["seat"], e.get("breaker"), e.get("blind", False)
        if not (self.phase == 1 and self.stage == "hand" if blind else self.stage == "tricks"):
            return "unexpected_kind"
        if self.gone(seat, breaker):
            return "seat_out"
        declared_at = self.score[seat] + self.revoked[seat]  # Declared before the tricks.
        if not blind and self.rules["minimum"] and declared_at < self.rules["minimum"]:
            return "chicago_below_minimum"
        if self.rules["once"] and self.executed[seat]:
            return "chicago_limit"
        if (e["won"] and seat in self.dead) or breaker in self.dead:
            return "dead_hand"
        return "self_break" if breaker == seat else None

    def why_not_last_trick(self, e: dict[str, Any]) -> str | None:
        if self.stage != "tricks":
            return "unexpected_kind"
        if self.gone(e["seat"]):
            return "seat_out"
        return "dead_hand" if e["seat"] in self.dead else None

    def why_not_revoke(self, e: dict[str, Any]) -> str | None:
        if not self.rules["offences"]:
            return "unexpected_kind"
        return self.why_not_last_trick(e)

    def why_not_illegal_discard(self, e: dict[str, Any]) -> str | None:
        open_now = self.stage in ("hand", "tricks") and not self.dead and not self.shown_reset
        if not self.rules["offences"] or not open_now:
            return "unexpected_kind"
        if self.gone(e["seat"]):
            return "seat_out"
        return None if self.stuck[e["seat"]] else "not_discardless"

    def why_not_ruling(self, e: dict[str, Any]) -> str | None:
        if e["action"] == "end_game":
            return None
        if e["action"] == "redeal":
            return None if self.begun else "wrong_phase"
        status = self.status[e["seat"]]
        if status == "disqualified" or (status == "out" and e["action"] != "disqualify"):
            return "seat_out"
        return None

    # --- warnings ------------------------------------------------------------------------------

    def warnings(self, e: dict[str, Any]) -> list[str]:
        """Return the warnings for an entry that is legal now."""
        if e["kind"] != "hand":
            return []
        found = []
        rank = RANK[e["category"]]
        holds = dict(self.holds)
        if not self.exchanged:
            holds = {seat: c for seat, c in holds.items() if self.stuck[seat]}
        for seat, held in holds.items():
            if self.status[seat] != "in":
                continue
            if (rank != held) if seat == e["seat"] else (rank < held):
                found = ["standing_hand"]
        if rank >= RANK["straight_flush"]:
            found.append("rare_hand")
        return found

    # --- effects -------------------------------------------------------------------------------

    def enter(self, e: dict[str, Any]) -> None:
        """Apply a legal entry."""
        if e.get("action") == "redeal":
            self.redeal()
            return
        if e["kind"] == "ruling":
            if e["action"] == "sit_out_next_deal" and not self.begun:
                e = e | {"action": "sit_out_deal"}
            self.rulings.append(e)
        else:
            self.begun = True
        if e["kind"] not in ("ruling", "illegal_discard") and not self.exchanged:
            self.exchanged = True
            self.holds = {seat: c for seat, c in self.holds.items() if self.stuck[seat]}
        answers = self.stage == "hand" and e["kind"] in ("hand", "none")
        scoring = answers and e["kind"] == "hand"  # For Z, "none" is not a scoring.
        close = getattr(self, "enter_" + e["kind"])(e)
        if self.win:
            return
        if self.rules["at_once"]:
            self.meet_target()
        elif self.rules["need3"] and self.n == 3:
            self.strike_unproven()
        if self.rules["z"] and scoring and not self.win:
            self.meet_target(final=False)
        if not self.win and self.status.count("in") == 1:
            self.finish("last_standing", [self.status.index("in")])
        if self.win:
            return
        if answers and not close:
            self.phase += 1
            self.exchanged = False
            self.stage = "tricks" if self.phase == self.rules["exchanges"] else "hand"
        if close:
            self.meet_target_at_the_close()
        if self.win:
            return
        if not close and self.nobody_left():
            close = True
            self.meet_target_at_the_close()
            if self.win:
                return
        limit = self.rules["limit"]
        for s in self.seats:
            able = limit is not None and self.status[s] == "in" and self.score[s] >= limit
            rises = self.rules["limit_at_once"] or close or (self.rules["z"] and scoring)
            self.stuck[s] = able and (rises or self.stuck[s])
            self.armed[s] = self.score[s] >= self.rules["target"] and (close or self.armed[s])
        if close:
            self.deal += 1
            self.dealer = (self.dealer + 1) % self.n
            while self.status[self.dealer] != "in":
                self.dealer = (self.dealer + 1) % self.n
            self.open_deal()
            if not self.players():
                self.pass_over()

    def nobody_left(self) -> bool:
        """Return whether nothing but rulings could be written in this deal."""
        if self.stage != "tricks":
            return not self.players()
        lost = {"kind": "chicago", "won": False}
        return self.players() <= self.dead and all(
            self.why_not_chicago(lost | {"seat": seat}) for seat in self.players()
        )

    def meet_target_at_the_close(self) -> None:
        if not self.rules["at_once"]:
            self.meet_target()
            if not self.win and self.status.count("in") == 1:
                self.finish("last_standing", [self.status.index("in")])

    def pass_over(self) -> None:
        """Close a deal that everybody sits out, and open the next one."""
        self.meet_target_at_the_close()
        if self.win:
            return
        self.deal += 1
        self.dealer = (self.dealer + 1) % self.n
        while self.status[self.dealer] != "in":
            self.dealer = (self.dealer + 1) % self.n
        self.open_deal()

    def redeal(self) -> None:
        """Restart the deal and apply its rulings again."""
        rulings, at_first = self.rulings, self.at_first
        vars(self).update(copy.deepcopy(at_first))
        self.at_first = at_first
        for ruling in rulings:
            if self.why_not(ruling) is None:
                if ruling["action"] == "sit_out_next_deal":
                    self.sits_next.add(ruling["seat"])
                else:
                    self.enter(ruling)
        if self.deal == at_first["deal"]:
            self.rulings = rulings

    def add(self, seat: int, points: int) -> None:
        self.score[seat] += points
        if self.rules["floor"]:
            self.score[seat] = max(0, self.score[seat])

    def zero(self, seat: int) -> None:
        self.score[seat] = 0
        self.earned[seat] = self.revoked[seat] = 0

    def zero_others(self, seat: int) -> None:
        for s in self.seats:
            if s != seat and self.status[s] == "in":
                self.zero(s)

    def enter_none(self, e: dict[str, Any]) -> bool:
        return self.stage != "hand"

    def enter_hand(self, e: dict[str, Any]) -> bool:
        rules, seat, category = self.rules, e["seat"], e["category"]
        self.holds[seat] = RANK[category]
        over = self.stage in ("last", "chicago")
        self.shown_reset = self.stage == "tricks"
        if self.wins(category, e.get("suit")):
            royal = category == "royal_flush"
            how, worth = rules["rf" if royal else "sf"]
            self.score[seat] = {
                "becomes": worth,
                "plus": self.score[seat] + worth,
                "wins": max(self.score[seat], rules["target"]),
            }[how]
            if royal and rules["rf_resets"]:
                self.zero_others(seat)
            if how != "plus" or self.score[seat] >= rules["target"]:
                self.finish(category, [seat])
            return True
        if category == "four_of_a_kind":
            both = rules["reset"] == "always" and self.stage != "chicago"
            reset = e.get("reset", False) or both
            if rules["lift"]:
                self.score[seat] = max(self.score[seat], rules["target"])
            elif not reset or both:
                self.add(seat, rules["quads"])
                self.earned[seat] += rules["quads"]
            if reset and rules["one"]:
                self.zero(e["reset_seat"])
                return over
            if reset:
                self.zero_others(seat)
                return over or rules["reset_ends"]
            self.bound.add(seat)
            return over or rules["quads_end"]
        flush = {"straight_flush": "sf", "royal_flush": "rf"}.get(category)
        if flush and rules[flush][0] == "lift":
            self.score[seat] = max(self.score[seat], rules["target"])
            return over
        if category == "straight_flush":
            worth = rules["sf"][1]
        elif category == "royal_flush":
            worth = 20 if rules["hearts"] else rules["rf"][1]
        else:
            worth = RANK[category]
        self.add(seat, worth)
        self.earned[seat] += worth
        return over

    def enter_chicago(self, e: dict[str, Any]) -> bool:
        rules, seat, blind = self.rules, e["seat"], e.get("blind", False)
        self.executed[seat] = True
        if e["won"]:
            self.stars[seat] += 1
            self.took = seat
            self.add(seat, 60 if e.get("deuce") else 30 if blind else 15)
            if e.get("deuce"):
                self.finish("blind_chicago", [seat])
        else:
            self.add(seat, -20 if blind else -15)
            if e.get("breaker") is not None:
                self.add(e["breaker"], rules["breaker"])
        if not blind and (rules["final"] == "always" or (rules["final"] == "won" and e["won"])):
            self.stage = "chicago"
            return False
        return True

    def enter_last_trick(self, e: dict[str, Any]) -> bool:
        self.add(e["seat"], self.rules["deuce" if e.get("deuce") else "trick"])
        self.took = e["seat"]
        self.stage = "last"
        return False

    def enter_revoke(self, e: dict[str, Any]) -> bool:
        self.dead.add(e["seat"])
        seat = e["seat"]
        before = self.score[seat]
        self.add(seat, -self.earned[seat])
        self.earned[seat], self.revoked[seat] = 0, before - self.score[seat]
        return False

    def enter_illegal_discard(self, e: dict[str, Any]) -> bool:
        self.zero(e["seat"])
        self.holds.pop(e["seat"], None)
        return False

    def enter_ruling(self, e: dict[str, Any]) -> bool:
        seat = e.get("seat")
        if e["action"] == "points":
            self.add(seat, e["points"])
        elif e["action"] == "sit_out_deal":
            self.sitting.add(seat)
            self.holds.pop(seat, None)
        elif e["action"] == "sit_out_next_deal":
            self.sits_next.add(seat)
        elif e["action"] == "sit_out_game":
            self.zero(seat)
            self.status[seat] = "out"
        elif e["action"] == "disqualify":
            self.status[seat] = "disqualified"
        else:
            self.finish("ended", [])
        return False

    # --- target and placing --------------------------------------------------------------------

    def proven(self, seat: int) -> bool:
        need = "won" if self.rules["need3"] and self.n == 3 else self.rules["need"]
        return {"executed": self.executed[seat], "won": self.stars[seat] > 0, None: True}[need]

    def strike_unproven(self) -> list[int]:
        """Zero players who reached the target without the required Chicago.

        Return those who reached it with one.
        """
        there = []
        for s in self.seats:
            if self.status[s] == "in" and self.score[s] >= self.rules["target"]:
                if self.proven(s):
                    there.append(s)
                    continue
                self.zero(s)
                if self.rules["missing"] == "out":
                    self.status[s] = "out"
        return there

    def meet_target(self, final: bool = True) -> None:
        there = self.strike_unproven()
        if self.rules["y"]:
            there = [s for s in there if s == self.took]
        if self.rules["again"]:
            there = [s for s in there if s == self.took and self.armed[s]]
        if there:
            best = max(self.score[s] for s in there)
            self.finish("target", [s for s in there if self.score[s] == best])

    def finish(self, win: str, winners: list[int]) -> None:
        rest = [s for s in self.seats if s not in winners]
        still = [s for s in rest if self.status[s] == "in"]
        out = [s for s in rest if self.status[s] == "out"]
        banned = [s for s in rest if self.status[s] == "disqualified"]
        groups = [winners] if winners else []
        if win == "royal_flush" and self.rules["rf_resets"]:
            groups += [sorted(still + out)]
        else:
            for score in sorted({self.score[s] for s in still}, reverse=True):
                groups.append([s for s in still if self.score[s] == score])
            groups += [out]
        groups = [group for group in [*groups, banned] if group]
        self.win, self.places = win, groups
        self.winners = winners or groups[0]
        self.points = [Fraction(0)] * self.n
        place = 0
        for group in groups:
            shared = sum(self.rules["points"][place : place + len(group)])
            for s in group:
                if s not in banned:
                    self.points[s] = Fraction(shared, len(group))
            place += len(group)
        self.stuck = [False] * self.n

    def state(self) -> dict[str, Any]:
        """Return the state as the command prints it."""
        over = self.win is not None
        return {
            "deal": self.deal,
            "phase": None if over else self.phase,
            "dealer": self.dealer,
            "finished": over,
            "scores": list(self.score),
            "executed": list(self.executed),
            "asterisks": list(self.stars),
            "discardless": list(self.stuck),
            "status": list(self.status),
            "winners": sorted(self.winners),
            "win": self.win,
            "places": [sorted(group) for group in self.places] if over else None,
            "game_points": [str(n) for n in self.points] if over else None,
        }
