"""The totals check against all final scores of small rule sets, and against cases for 52 by hand.

Rulebook §3 (totals of a paper sheet) and docs/formats/totals.md.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from engine.answers import check_totals
from engine.rules.presets import PRESETS
from engine.rules.variants import VARIANTS, clash_of, parse_rules
from engine.sheet.entries import Revoke
from engine.sheet.record import read_record
from engine.sheet.sheet import legal_entries, start, step
from engine.sheet.state import State
from engine.totals.search import SeatTotals, lendable, possible
from engine.totals.totals import problems_of, read_totals
from engine.totals.ways import Cost
from tests.engine.ranking.factories import flush_win, game, scores
from tests.engine.totals.explorer import End, all_ends, possible_ends, small

NAMES = ["Anna", "Bo", "Cia", "Dag"]


def seat(word: str) -> SeatTotals:
    """Parse ``52E*O``: score 52, executed, one asterisk, out."""
    score = word.rstrip("EO*")
    return SeatTotals(int(score), "E" in word, word.count("*"), "O" in word)


def can_be(words: str, rules: str = "festival", winner: object = 0, win: str = "target") -> bool:
    winners = [winner] if isinstance(winner, int) else list(winner)
    return possible(parse_rules(rules), [seat(word) for word in words.split()], winners, win)


def document(words: str, rules: str = "festival", **more: object) -> dict[str, Any]:
    rows = [
        {
            "name": name,
            "score": found.score,
            "executed": found.executed,
            "asterisks": found.asterisks,
            "out": found.out,
        }
        for name, found in zip(NAMES, map(seat, words.split()), strict=False)
    ]
    head = {"format": "chicago-totals", "version": 1, "rules": rules, "seats": rows}
    return {**head, "winner": 0, "win": "target", **more}


# ------------------------------------------------------------- all games of small rule sets

SMALL = {"target": 7, "discardless": 6}
QUICK: list[tuple[str, int, dict[str, object]]] = [
    ("festival", 2, SMALL),
    ("svensk+C+S", 2, SMALL),
    ("pagat+reset-one+royal-wins+F+S", 2, {"target": 6}),
]
SLOW: list[tuple[str, int, dict[str, object]]] = [
    ("wikipedia+S", 2, {"target": 6}),
    ("pagat+quads52+sf52+F+S", 2, {"target": 6}),
    ("svensk+D+F", 2, {"target": 6, "discardless": 5}),
    ("festival+C+S+Voff", 2, {"target": 8}),
    ("pagat+need-chicago-3+F", 3, {"target": 6}),
    ("festival+K+F", 2, {"target": 6, "discardless": 5}),
    ("festival+C+F", 3, {"target": 6, "discardless": 5}),
    ("svensk", 2, SMALL),
    ("svensk+Z+N", 2, SMALL),
    ("svensk+R+S+C+F", 2, {"target": 7}),
    ("festival+D", 2, {}),
    ("festival+K", 2, {}),
    ("festival+X+O", 2, {}),
    ("festival+W", 2, {}),
    ("svensk+W+J", 2, {}),
    ("svensk+B4+Q", 2, {}),
    ("svensk+P10", 2, {}),
    ("pagat", 2, {}),
    ("pagat+reset+quads-end", 2, {}),
    ("festival+R+C", 2, SMALL),
]
STOPPED = [
    ("festival+F", 2, {"target": 6, "discardless": 5}, 60),
    ("svensk+C+S+F", 2, {"target": 6, "discardless": 5}, 60),
    ("pagat+F+S", 2, {"target": 6}, 60),
]
EXPLORED = [
    *(pytest.param(*row, 120, id=row[0]) for row in QUICK),
    *(pytest.param(*row, 5_000, id=row[0], marks=pytest.mark.slow) for row in SLOW),
]


def asked(end: End, rules: Any) -> bool:
    rows, win = end
    totals = [SeatTotals(*row[:4]) for row in rows]
    return possible(rules, totals, [at for at, row in enumerate(rows) if row[4]], win)


def neighbours(ends: Sequence[End], highest: int, chance: random.Random) -> Iterator[End]:
    """Yield ends with one or two seats changed."""
    seats = len(ends[0][0])
    while True:
        rows, win = chance.choice(ends)
        changed = list(rows)
        for _ in range(chance.choice((1, 1, 2))):
            at = chance.randrange(seats)
            score, executed, asterisks, out, won = changed[at]
            what = chance.randrange(4)
            if what < 2:
                score = chance.choice([*range(-1, highest + 2), 0, 1, 2, 3, 4])
            elif what == 2:
                executed = not executed
            else:
                asterisks = 1 - asterisks
            changed[at] = (score, executed, asterisks, out, won)
        yield tuple(sorted(changed)), win


@pytest.mark.parametrize(("spec", "seats", "numbers", "questions"), EXPLORED)
def test_every_end_of_every_game_of_a_small_rule_set(spec, seats, numbers, questions) -> None:
    rules = small(parse_rules(spec), **numbers)
    ends = all_ends(rules, seats, revokes="D+K" in spec, lowest=-20)
    listed = sorted(ends)
    chance = random.Random(spec)
    for end in chance.sample(listed, min(len(listed), questions)):
        assert asked(end, rules), end
    highest = max(row[0] for rows, _ in listed for row in rows if row[0] < 45)
    for _, end in zip(range(questions), neighbours(listed, highest, chance), strict=False):
        if min(row[0] for row in end[0]) >= -8:  # Lower ones may need games not played here.
            assert asked(end, rules) is (end in ends), end


@pytest.mark.parametrize(("spec", "seats", "numbers", "questions"), STOPPED)
def test_every_way_in_which_the_director_can_end_a_game(spec, seats, numbers, questions) -> None:
    """The scores may be those after any entry."""
    rules = small(parse_rules(spec), **numbers)
    stops = all_ends(rules, seats, stopped=True)
    listed = sorted(stops)
    chance = random.Random(spec)
    for stop in chance.sample(listed, min(len(listed), questions)):
        assert asked(stop, rules), stop
    highest = max(row[0] for rows, _ in listed for row in rows)
    for _, stop in zip(range(questions), neighbours(listed, highest, chance), strict=False):
        assert asked(stop, rules) is (stop in stops), stop


@pytest.mark.parametrize(
    "spec",
    ["pagat+Y+S+F", "svensk+Y+P10+S+C", "basic+win-again+S"],
)
@pytest.mark.slow
def test_games_that_go_on_past_the_target(spec: str) -> None:
    """Scores are unbounded: games are played up to a limit, totals near it are not checked."""
    rules = small(parse_rules(spec), target=7)
    ends = {
        end
        for end in all_ends(rules, 2, highest=18, lowest=-12)
        if all(-7 <= row[0] <= 14 for row in end[0])
    }
    chance = random.Random(spec)
    listed = sorted(ends)
    for end in chance.sample(listed, 150):
        assert asked(end, rules), end
    for _, end in zip(range(150), neighbours(listed, 12, chance), strict=False):
        if all(-7 <= row[0] <= 14 for row in end[0]):
            assert asked(end, rules) is (end in ends), end


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["festival", "svensk", "festival+C", "svensk+C+S"])
def test_all_totals_of_two_seats(spec: str) -> None:
    rules = small(parse_rules(spec))
    ends = all_ends(rules, 2)
    highest = max(row[0] for rows, _ in ends for row in rows if row[0] < 45)
    outs = any(row[3] for rows, _ in ends for row in rows)
    for first, second in possible_ends(range(-1, highest + 2), 1, 2, outs=outs):
        for won in ((True, False), (False, True)):
            for win in ("target", "straight_flush", "royal_flush", "last_standing"):
                rows = tuple(sorted([(*first, won[0]), (*second, won[1])]))
                assert asked((rows, win), rules) is ((rows, win) in ends), (rows, win)


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec", ["svensk+D+K+F+S", "svensk+D+K+F+Z", "svensk+D+K+quads-end+F", "festival+D+K+F"]
)
def test_repeated_resets(spec: str) -> None:
    """With D and K each reset scores: if games end after the deal, scores are unbounded."""
    rules = small(parse_rules(spec), target=6)
    near = {*range(15), 52}
    ends = {end for end in all_ends(rules, 2, highest=24) if {row[0] for row in end[0]} <= near}
    chance = random.Random(spec)
    listed = sorted(ends)
    for end in chance.sample(listed, min(len(listed), 400)):
        assert asked(end, rules), end
    for _, end in zip(range(400), neighbours(listed, 14, chance), strict=False):
        if {row[0] for row in end[0]} <= near:
            assert asked(end, rules) is (end in ends), end


# ------------------------------------------------------------------------------ by hand, to 52


@pytest.mark.parametrize(
    ("words", "rules", "found"),
    [
        ("1000E 0", "svensk+D+K", True),
        ("1003E 0 11", "svensk+D+K+F+S", True),
        ("1003E 0 40", "svensk+D+K+F+S", False),  # A reset sets the others to zero again.
        ("100E 0", "svensk+D", False),
        ("100E 0", "festival+D+K", False),  # The game is over at the target.
    ],
)
def test_resets_with_points_may_be_repeated(words, rules, found) -> None:
    assert can_be(words, rules) is found


def test_lending_slots() -> None:
    assert lendable([Cost(0, 0), Cost(0, 0)])
    assert lendable([Cost(1, 0), Cost(1, 0), Cost(0, 2)])
    assert not lendable([Cost(1, 0), Cost(1, 0), Cost(0, 1)])
    assert lendable([Cost(1, 9), Cost(2, 0), Cost(0, 2)])
    assert not lendable([Cost(2, 9), Cost(1, 9)])


@pytest.mark.parametrize("rules", ["svensk+C", pytest.param("pagat+Y", marks=pytest.mark.slow)])
def test_the_hardest_totals_are_answered(rules: str) -> None:
    assert not check_totals(document("30 2 1* 3", rules))[0]["possible"]


def random_game(seed: int) -> State | None:
    """Return a random game under a random rule set, or None if it does not end in time."""
    chance = random.Random(seed)
    variants = set(chance.sample(list(VARIANTS), chance.randrange(4)))
    preset = chance.choice(list(PRESETS))
    if clash_of(preset, variants):
        return None
    rules = parse_rules("+".join([preset, *sorted(variants)]))
    state = start(rules, chance.choice((2, 3, 4)))
    for _ in range(800):
        choice = [e for e in legal_entries(state) if not isinstance(e, Revoke)]
        if state.finished or not choice:
            break
        state = step(state, chance.choice(choice))
    return state if state.finished else None


@pytest.mark.parametrize(
    "seeds",
    [range(3), pytest.param(range(3, 400), marks=pytest.mark.slow)],
    ids=["few", "many"],
)
def test_every_games_final_totals_are_possible(seeds: range) -> None:
    tried = 0
    for state in map(random_game, seeds):
        if state is None:
            continue
        tried += 1
        totals = [
            SeatTotals(
                state.scores[at], state.executed[at], state.asterisks[at], state.status[at] == "out"
            )
            for at in range(state.seats)
        ]
        assert state.win is not None
        found = possible(state.rules, totals, state.winners, state.win)
        assert found, (state.rules.spec, totals, state.winners, state.win)
    assert tried > len(seeds) // 4


# ---------------------------------------------------------------------------- who is wrong


@pytest.mark.parametrize(
    ("words", "more", "named", "reason"),
    [
        ("53 31E 0", {}, [0], "winner_lacks"),
        ("51E 31E 0", {}, [0], "below_target"),
        ("52E 31E 4*", {}, [2], "no_circle"),
        ("52E -3 4*", {}, [1, 2], "negative"),
        ("52E 3O 0", {}, [1], "out_score"),
        ("52E 0EO 0", {}, [1], "out_with_chicago"),
        ("53 7 0", {"win": "straight_flush"}, [0], "flush_becomes"),
        ("52 7 0", {"win": "royal_flush"}, [1], "not_reset"),
        ("67E* 7 0", {}, [0], "too_high"),
        ("57E 0O 0", {"rules": "svensk"}, [1], "nobody_out"),
        ("57E 55 0", {"rules": "svensk"}, [1], "lacking_stays"),
        ("60 0 0", {"rules": "pagat", "win": "straight_flush"}, [0], "win"),
        ("52 0 0", {"rules": "wikipedia", "win": "blind_chicago"}, [0], "no_blind"),
    ],
)
def test_impossible_seats_are_named(words, more, named, reason) -> None:
    answer, status = check_totals(document(words, **more))
    assert status == 0
    assert answer["possible"] is False
    assert [problem["seat"] for problem in answer["problems"]] == named
    assert {problem["code"] for problem in answer["problems"]} == {"unreachable_total"}
    found = problems_of(read_totals(document(words, **more)))
    assert found[0].params["reason"] == reason


def test_seats_that_are_only_wrong_together_are_all_named() -> None:
    answer, _ = check_totals(document("57E 58E 20", "svensk"))
    assert [problem["seat"] for problem in answer["problems"]] == [0, 1]


@pytest.mark.parametrize(
    ("words", "rules", "reason"),
    [
        ("-3E 31E", "festival", "below_target"),
        ("52E -3", "festival", "negative"),
        ("-3 31", "basic", "below_target"),
        ("52 -3", "basic", "under_ruled"),
        ("52 -3E", "basic", None),
        ("52 0", "pagat", "under_ruled"),
        ("52 1", "pagat", None),
        ("52 0E", "pagat", None),
        ("52 0", "pagat+reset", None),
        ("52 0", "pagat+reset-one", None),
        ("400E 31", "festival", None),
    ],
)
def test_totals_that_no_ruling_can_explain(words, rules, reason) -> None:
    sheet = document(words, rules)
    for found in sheet["seats"]:
        found["ruled"] = 1
    problems = problems_of(read_totals(sheet))
    assert [problem.params["reason"] for problem in problems] == ([reason] if reason else [])


def test_a_possible_sheet_has_no_problems() -> None:
    record = read_record(game(NAMES, scores([10, 5, 31, 0]) + flush_win(0)))
    assert record.replay().state.finished
    sheet = document("52 5 31 0", win="straight_flush")
    assert check_totals(sheet) == ({"possible": True, "problems": []}, 0)


# ------------------------------------------------------------------------------- documents
