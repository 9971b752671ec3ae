"""The totals check: could a paper sheet's totals come from any game? (rulebook §3)

``python -m engine totals TOTALS.json`` reads final scores, circles and asterisks, who went out, and
who won and how. It says whether some legal sequence of entries without rulings ends a game like
that, and if not, which seats cannot be right. :mod:`engine.totals.search` decides.

>>> sheet = {"format": "chicago-totals", "version": 1, "rules": "festival", "winner": 0,
...          "win": "target", "seats": [
...     {"name": "Anna", "score": 53, "executed": False, "asterisks": 0, "out": False},
...     {"name": "Bo", "score": 31, "executed": True, "asterisks": 0, "out": False}]}
>>> [problem.params["reason"] for problem in problems_of(read_totals(sheet))]
['winner_lacks']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from typing import Any, Final, cast

from ..documents import PaperResultDocument
from ..errors import ChicagoError, Problem, shown_value
from ..rules.ruleset import FLUSH_SCORE, FlushEffect, Missing, Need, QuadsReset, RuleSet
from ..rules.variants import parse_rules, rules_of
from ..sheet.placing import Places, place_game
from ..sheet.record import check_format, check_keys, load_json, read_seats
from ..sheet.sheet import start
from ..sheet.state import IN, OUT, OVER, State
from .search import SeatTotals, possible
from .seat import FLUSHES

FORMAT: Final = "chicago-totals"
VERSION: Final = 1
ENDED: Final = "ended"
WINS: Final = (
    *("target", "straight_flush", "royal_flush", "blind_chicago", "last_standing"),
    ENDED,
)

_NEEDED: Final = ("rules", "seats", "win")
_OPTIONAL: Final = ("id", "event", "heat", "game", "started", "meta")
_KNOWN: Final = frozenset(("format", "version", "winner", *_NEEDED, *_OPTIONAL))
_SEAT: Final = ("name", "score", "executed", "asterisks", "out")
_LIMIT: Final = 10**9


@dataclass(frozen=True, slots=True)
class Totals:
    """A valid totals document.

    ``winners`` are seat indices, ``win`` is one of :data:`WINS`. The winners of a game that was
    ended are the seats with the best score. ``ruled`` holds the points that rulings gave or took.
    """

    rules: RuleSet
    names: tuple[str, ...]
    seats: tuple[SeatTotals, ...]
    winners: tuple[int, ...]
    win: str
    meta: Mapping[str, object] = field(default_factory=dict)
    ruled: tuple[int, ...] = ()


def read_totals(source: object) -> Totals:
    """Read a totals file from its text or its document.

    Raises :class:`ChicagoError`: ``malformed``, ``unknown_rules``, ``bad_seats``,
    ``unknown_field``, ``missing_field``, ``bad_value``.
    """
    document = load_json(source) if isinstance(source, str | bytes) else source
    if not isinstance(document, Mapping):
        raise ChicagoError("malformed", reason="object")
    check_format(document, FORMAT, VERSION)
    rules = parse_rules(document["rules"]) if "rules" in document else None
    names: tuple[str, ...] = ()
    if "seats" in document:
        names = _read_names(document["seats"], rules)
    ended = document.get("win") == ENDED
    check_keys(document, _KNOWN, _NEEDED if ended else (*_NEEDED, "winner"))
    assert rules is not None
    seats, ruled = _read_seats(cast(Sequence[Mapping[str, object]], document["seats"]))
    winners = document.get("winner")
    if ended and winners is None:
        places, _ = _placed(rules, seats)
        winners = places[0]
    listed: list[Any] = list(winners) if isinstance(winners, list | tuple) else [winners]
    if (
        not listed
        or any(type(seat) is not int or not 0 <= seat < len(seats) for seat in listed)
        or len(set(listed)) != len(listed)
    ):
        raise _bad("winner", winners)
    win = document["win"]
    if not isinstance(win, str) or win not in WINS:
        raise _bad("win", win)
    meta = {key: document[key] for key in _OPTIONAL if key in document}
    return Totals(rules, names, seats, tuple(sorted(listed)), win, meta, ruled)


def _placed(
    rules: RuleSet, seats: Sequence[SeatTotals], winners: Sequence[int] = (), win: str = ENDED
) -> tuple[Places, tuple[Fraction, ...] | None]:
    """Place the seats as a record would; the scores decide who wins an ended game."""
    return place_game(
        rules,
        [seat.score for seat in seats],
        [OUT if seat.out else IN for seat in seats],
        () if win == ENDED else winners,
        share_rest=win == "royal_flush" and rules.royal_resets,
    )


def result_of(totals: Totals) -> PaperResultDocument:
    """Return the part of a ``state`` document that a ranking needs of a game from paper."""
    places, points = _placed(totals.rules, totals.seats, totals.winners, totals.win)
    return {
        "scores": [seat.score for seat in totals.seats],
        "executed": [seat.executed for seat in totals.seats],
        "asterisks": [seat.asterisks for seat in totals.seats],
        "status": [OUT if seat.out else IN for seat in totals.seats],
        "winners": list(totals.winners),
        "win": totals.win,
        "places": [list(group) for group in places],
        "game_points": None if points is None else [str(value) for value in points],
    }


def final_state(totals: Totals) -> State:
    """Return the final state of a game entered from paper; how it got there is unknown.

    >>> sheet = {"format": "chicago-totals", "version": 1, "rules": "festival", "win": "ended",
    ...          "seats": [{"name": name, "score": score, "executed": False, "asterisks": 0,
    ...                     "out": False} for name, score in [("Anna", 12), ("Bo", 31)]]}
    >>> final_state(read_totals(sheet)).places
    ((1,), (0,))
    """
    places, points = _placed(totals.rules, totals.seats, totals.winners, totals.win)
    return replace(
        start(totals.rules, len(totals.seats)),
        scores=tuple(seat.score for seat in totals.seats),
        executed=tuple(seat.executed for seat in totals.seats),
        asterisks=tuple(seat.asterisks for seat in totals.seats),
        status=tuple(OUT if seat.out else IN for seat in totals.seats),
        phase=None,
        stage=OVER,
        finished=True,
        winners=totals.winners,
        win=totals.win,
        places=places,
        game_points=points,
    )


def _read_names(value: object, rules: RuleSet | None) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(seat, Mapping) for seat in value):
        raise ChicagoError("bad_seats", reason="type")
    if not all("name" in seat for seat in value):
        return ()  # refused with the other missing fields
    return read_seats([seat["name"] for seat in value], rules)


def _read_seats(
    value: Sequence[Mapping[str, object]],
) -> tuple[tuple[SeatTotals, ...], tuple[int, ...]]:
    for seat in value:
        check_keys(seat, frozenset((*_SEAT, "ruled")), _SEAT)
    ruled: list[int] = []
    for seat in value:
        points = seat.get("ruled", 0)
        if type(points) is not int or not -_LIMIT <= points <= _LIMIT:
            raise _bad("ruled", points)
        ruled.append(points)
    return tuple(_read_seat(seat) for seat in value), tuple(ruled)


def _read_seat(seat: Mapping[str, object]) -> SeatTotals:
    score, asterisks = seat["score"], seat["asterisks"]
    executed, out = seat["executed"], seat["out"]
    if type(score) is not int or not -_LIMIT <= score <= _LIMIT:
        raise _bad("score", score)
    if type(asterisks) is not int or not 0 <= asterisks <= _LIMIT:
        raise _bad("asterisks", asterisks)
    if not isinstance(executed, bool):
        raise _bad("executed", executed)
    if not isinstance(out, bool):
        raise _bad("out", out)
    return SeatTotals(score, executed, asterisks, out)


def _bad(name: str, value: object) -> ChicagoError:
    return ChicagoError("bad_value", field=name, kind=None, value=shown_value(value))


def problems_of(totals: Totals) -> tuple[Problem, ...]:
    """Return what cannot be right about the totals, one problem per seat; empty if possible.

    A seat that would be wrong whatever the others' totals were is named with its reason. If there
    is none, every seat is named whose totals alone could be the mistake, and failing that the
    smallest groups of seats that could be wrong together.
    """
    best = _placed(totals.rules, totals.seats)[0][0]
    if totals.win == ENDED and totals.winners != best:
        return tuple(_problem(totals, seat, "together") for seat in totals.winners)
    ruled = [seat for seat, points in enumerate(totals.ruled) if points]
    wrong = [(seat, _reason(totals, seat)) for seat in ruled]
    never = _WHATEVER_IS_RULED | ({"negative"} if totals.rules.floor else set())
    wrong = [(seat, reason) for seat, reason in wrong if reason in never]
    if wrong:
        return tuple(_problem(totals, seat, reason) for seat, reason in wrong)
    if _may_be(totals, frozenset()):
        return ()
    everyone = range(len(totals.seats))
    if not can_be_won(totals.rules, len(totals.seats), totals.win):
        return tuple(_problem(totals, seat, "win") for seat in totals.winners)
    alone = [seat for seat in everyone if not _may_be(totals, frozenset(everyone) - {seat})]
    if alone:
        return tuple(_problem(totals, seat, _reason(totals, seat)) for seat in alone)
    for size in range(1, len(totals.seats)):
        groups = [set(group) for group in combinations(everyone, size)]
        together = [group for group in groups if _may_be(totals, frozenset(group))]
        if together:
            named = sorted(set().union(*together))
            return tuple(_problem(totals, seat, "together") for seat in named)
    return tuple(_problem(totals, seat, "together") for seat in everyone)


def can_be_won(rules: RuleSet | str, seats: int, win: str) -> bool:
    """True if a game of these rules can be won in this way at all.

    >>> can_be_won("festival", 4, "royal_flush"), can_be_won("pagat", 4, "royal_flush")
    (True, False)
    """
    rules = rules_of(rules)
    if win in FLUSHES:
        return rules.wins_at_once(FLUSHES[win], "H")
    if win == "last_standing":
        return rules.missing is Missing.OUT and rules.need_for(seats) is not Need.NOTHING
    return win in ("target", ENDED) or rules.blind_chicago


def _may_be(totals: Totals, free: frozenset[int]) -> bool:
    """Return whether the totals are possible if seats with ruled points may have any totals."""
    ruled = {seat for seat, points in enumerate(totals.ruled) if points}
    return possible(totals.rules, totals.seats, totals.winners, totals.win, free | ruled)


#: Reasons that no ruling about points can remove.
_WHATEVER_IS_RULED: Final = frozenset(
    (
        *("no_circle", "one_chicago", "winner_out", "standing_at_target", "below_target"),
        *("winner_lacks", "flush_becomes", "no_blind", "not_reset", "under_ruled"),
    )
)


def _problem(totals: Totals, seat: int, reason: str) -> Problem:
    found = totals.seats[seat]
    rules = totals.rules
    params = {
        "seat": seat,
        "reason": reason,
        "score": found.score,
        "asterisks": found.asterisks,
        "ruled": totals.ruled[seat],
        "target": rules.target,
        "win": totals.win,
    }
    return Problem("unreachable_total", params=params)


def _reason(totals: Totals, seat: int) -> str:
    """Return why a seat cannot be right by itself, as the name of a sentence."""
    rules, found = totals.rules, totals.seats[seat]
    need = rules.need_for(len(totals.seats))
    wins = seat in totals.winners
    lacks = need.lacks(found.executed, found.asterisks)
    under = need is Need.NOTHING and not found.executed and _only_chicagos_lower(rules)
    under = under and found.score < totals.ruled[seat]
    if found.asterisks and not found.executed:
        return "no_circle"
    if rules.chicago_once and found.asterisks > 1:
        return "one_chicago"
    if found.out:
        return _out_reason(rules, found, wins=wins, lacks=lacks)
    if wins and totals.win == "target" and not (under and found.score >= rules.target):
        return _win_reason(totals, found, lacks=lacks)
    if under:
        return "under_ruled"
    if found.score < 0 and (rules.floor or not found.executed):
        return "negative"
    if wins and totals.win == "last_standing":
        return "standing_at_target" if found.score >= rules.target else "alone"
    if wins and totals.win in FLUSHES:
        effect = rules.flush_effect(FLUSHES[totals.win], "H")
        becomes = effect is FlushEffect.BECOMES and found.score != FLUSH_SCORE
        return "flush_becomes" if becomes else "alone"
    if wins and totals.win == "blind_chicago" and not found.asterisks:
        return "no_blind"
    if not wins and totals.win == "royal_flush" and rules.royal_resets and found.score:
        return "not_reset"
    if not wins and found.score >= rules.target:
        return "lacking_stays" if lacks else "other_at_target"
    return "alone"


def _only_chicagos_lower(rules: RuleSet) -> bool:
    """True if nothing but Chicagos takes points from anybody on the sheet."""
    resets = rules.quads_reset is not QuadsReset.NEVER or rules.royal_resets
    return not resets and not rules.offences


def _out_reason(rules: RuleSet, found: SeatTotals, *, wins: bool, lacks: bool) -> str:
    if wins:
        return "winner_out"
    if rules.missing is not Missing.OUT or not (lacks or found.executed):
        return "nobody_out"
    if not lacks:
        return "out_with_chicago"
    return "out_score" if found.score else "alone"


def _win_reason(totals: Totals, found: SeatTotals, *, lacks: bool) -> str:
    if found.score < totals.rules.target:
        return "below_target"
    if lacks:
        return "winner_lacks"
    return "too_high"
