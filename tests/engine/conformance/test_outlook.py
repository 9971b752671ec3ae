"""docs/formats/heat.md, ``outlook``: exact for what game points decide, against brute force."""

import itertools
import json
from fractions import Fraction

import pytest

from .runner import NAMES, POINTS, USUAL, record, run
from .test_heat import heat

A, B, C, D = NAMES


def outlook(document):
    ran = run("outlook", "-", stdin=json.dumps(document))
    assert (ran.code, ran.err) == (0, "")
    return {row["player"]: row for row in ran.doc}


def brute(totals, table, left, advance):
    """Return who is clinched and eliminated, trying every possible placing of the games left."""
    orders = [dict(zip(order, table, strict=True)) for order in itertools.permutations(totals)]
    clinched, eliminated = dict.fromkeys(totals, True), dict.fromkeys(totals, True)
    for games in itertools.combinations_with_replacement(orders, left):
        final = {name: totals[name] + sum(game[name] for game in games) for name in totals}
        for name, points in final.items():
            others = [final[other] for other in final if other != name]
            if sum(n >= points for n in others) >= advance:
                clinched[name] = False
            if sum(n > points for n in others) < advance:
                eliminated[name] = False
    return clinched, eliminated


#: The finished games' sheets, with seats in the order of the players.
FINISHED = [
    ("nothing played", []),
    ("one clear game", ["S:9,8,7,6 ~end"]),
    ("one shared win", ["S:9,9,7,6 ~end"]),
    ("royal flush", ["1b:rf"]),
    ("two of the same", ["S:9,8,7,6 ~end"] * 2),
    ("two that even out", ["S:9,8,7,6 ~end", "S:6,7,8,9 ~end"]),
    ("two with a leader of two", ["S:9,8,7,6 ~end", "S:9,6,7,8 ~end"]),
    ("two royal flushes", ["1b:rf", "1b:rf"]),
    ("three played", ["S:9,8,7,6 ~end", "S:9,6,7,8 ~end", "S:6,7,9,8 ~end"]),
]


@pytest.mark.parametrize(("title", "sheets"), FINISHED, ids=[f[0] for f in FINISHED])
@pytest.mark.parametrize("advance", [1, 2])
@pytest.mark.parametrize("rules", ["festival", "sm"])
def test_outlook_of_four(title, sheets, advance, rules):
    compare(sheets, NAMES, advance, rules)


@pytest.mark.parametrize(
    "sheets",
    [[], ["S:9,8,7 ~end"], ["S:9,8,7 ~end"] * 2, ["S:9,8,8 ~end", "S:9,8,7 ~end"], ["1a:rf"] * 2],
    ids=["none", "one", "two", "two, a tie", "two royal flushes"],
)
@pytest.mark.parametrize("advance", [1, 2])
def test_outlook_of_three(sheets, advance):
    compare(sheets, NAMES[:3], advance, "festival")


def compare(sheets, players, advance, rules):
    games = [record(rules, sheet, players) for sheet in sheets]
    document = heat(games, players=players, rules=rules, games_planned=3, advance=advance)
    totals = dict.fromkeys(players, Fraction(0))
    for game in games:
        state = json.loads(run("replay", "-", stdin=json.dumps(game)).out)["state"]
        for name, points in zip(players, state["game_points"], strict=True):
            totals[name] += Fraction(points)
    table = POINTS.get(rules, USUAL)[len(players)]
    clinched, eliminated = brute(totals, table, 3 - len(games), advance)
    rows = outlook(document)
    assert list(rows) == list(players) or sorted(rows) == sorted(players)
    assert {name: row["clinched"] for name, row in rows.items()} == clinched
    assert {name: row["eliminated"] for name, row in rows.items()} == eliminated
    assert all("needs" in row for row in rows.values())


def test_outlook_a_running_game_counts_as_entirely_open():
    done = [record("festival", "S:9,8,7,6 ~end")] * 2
    begun = record("festival", "X:d d+51")
    with_it = outlook(heat([*done, begun], games_planned=3))
    without = outlook(heat(done, games_planned=3))
    assert with_it == without


def test_outlook_disqualified_players_are_eliminated():
    games = [record("festival", "S:9,8,7,6 ~end"), record("festival", "S:9,8,7,6 a~dq ~end")]
    row = outlook(heat(games, games_planned=3))[A]
    assert (row["clinched"], row["eliminated"]) == (False, True)


def test_outlook_unreadable():
    ran = run("outlook", "-", stdin="[")
    assert (ran.code, [p["code"] for p in ran.doc["problems"]]) == (2, ["malformed"])
