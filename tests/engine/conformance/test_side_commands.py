"""Play-off plans (rulebook §6) and settlement (§7), by their commands."""

import json

import pytest

from .runner import record, run

# --- playoff ------------------------------------------------------------------------------------

PLANS = [
    (0, [], "more_heats"),
    (1, [], "more_heats"),
    (2, [], "more_heats"),
    (3, [[3]], None),
    (4, [[4]], None),
    (5, [[3, 3], [4]], "lucky_loser"),
    (6, [[3, 3], [4]], None),
    (7, [[4, 3], [4]], None),
    (8, [[4, 4], [4]], None),
    (9, [[3, 3, 3], [3, 3], [4]], None),
    (10, [[4, 3, 3], [3, 3], [4]], None),
    (11, [[4, 4, 3], [3, 3], [4]], None),
    (12, [[4, 4, 4], [3, 3], [4]], None),
    (13, [[4, 3, 3, 3], [4, 4], [4]], None),
    (16, [[4, 4, 4, 4], [4, 4], [4]], None),
    (17, [[4, 4, 3, 3, 3], [4, 3, 3], [3, 3], [4]], None),
]


@pytest.mark.parametrize(("n", "rounds", "needs"), PLANS, ids=[str(plan[0]) for plan in PLANS])
def test_s6_playoff(n, rounds, needs):
    ran = run("playoff", str(n))
    assert (ran.code, ran.err) == (0, "")
    assert {key: ran.doc[key] for key in ("qualifiers", "rounds", "needs")} == {
        "qualifiers": n,
        "rounds": rounds,
        "needs": needs,
    }


@pytest.mark.parametrize(
    ("argv", "rounds", "needs"),
    [
        (("12", "--advance", "2,1"), [[4, 4, 4], [3, 3], [4]], None),
        (("12", "--advance", "2,2"), [[4, 4, 4], [3, 3], [4]], None),
        (("8", "--advance", "1"), [[4, 4], [4]], None),
        (("5",), [[3, 3], [4]], "lucky_loser"),
    ],
)
def test_s9_two_tables_send_two_each_to_the_final(argv, rounds, needs):
    doc = run("playoff", *argv).doc
    assert (doc["rounds"], doc["needs"]) == (rounds, needs)


def plan(n):
    """Plan ceil(n/4) tables as even as possible; two of each go on, until one table is left."""
    tables = -(-n // 4)
    sizes = sorted((n // tables + (i < n % tables) for i in range(tables)), reverse=True)
    return [sizes] if tables == 1 else [sizes, *plan(2 * tables)]


def test_s6_playoff_of_any_number():
    for n in [*range(6, 66), 100, 129, 250, 999]:
        doc = run("playoff", str(n)).doc
        assert (doc["rounds"], doc["needs"]) == (plan(n), None), n
        assert all(size in (3, 4) for sizes in doc["rounds"] for size in sizes)


@pytest.mark.parametrize("argv", [[], ["x"], ["-1"], ["4.5"], ["4", "5"]], ids=repr)
def test_playoff_wrong_command_line(argv):
    ran = run("playoff", *argv)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.strip()


# --- settle -------------------------------------------------------------------------------------

BALANCES = [
    ("the source's shared win", "pagat", "S:48,45,53,47 1- 2- Ta 3-", "1", "7 -8 7 -6"),
    ("the source's single win", "pagat", "S:49,45,53,47 1- 2- Ta 3-", "1", "17 -9 -1 -7"),
    ("the stake multiplies", "pagat", "S:49,45,53,47 1- 2- Ta 3-", "3", "51 -27 -3 -21"),
    ("a shared win in halves", "pagat/3", "S:48,50,53 1- 2- Ta 3-", "1", "3/2 -3 3/2"),
    ("a shared win in halves, twice", "pagat/3", "S:48,50,53 1- 2- Ta 3-", "2", "3 -6 3"),
    ("all share", "pagat/2", "S:47,52 1- 2- Ta 3-", "1", "0 0"),
    ("svensk: three seats", "svensk+X/3", "S:49,51,33 1- 2- Ta 3-", "1", "24 -3 -21"),
    ("svensk: after a Chicago", "svensk/3", "S:39,50,33 1- 2- Ca+", "1", "25 -4 -21"),
    ("out seats pay by their score", "pagat", "S:49,45,53,47 b~game 1- 2- Ta 3-", "1",
     "62 -54 -1 -7"),
    ("royal flush", "svensk", "S:5,9,8,7 1a:rf", "1", "171 -57 -57 -57"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("title", "rules", "sheet", "stake", "balance"), BALANCES, ids=[b[0] for b in BALANCES]
)
def test_s7_settle(title, rules, sheet, stake, balance):
    spec, _, seats = rules.partition("/")
    text = json.dumps(record(spec, sheet, int(seats or 4)))
    ran = run("settle", "-", "--stake", stake, stdin=text)
    assert (ran.code, ran.doc["balance"]) == (0, balance.split())


def test_settle_an_unfinished_game():
    ran = run("settle", "-", "--stake", "1", stdin=json.dumps(record("pagat", "1-")))
    assert ran.code == 1
    assert isinstance(ran.doc, dict)


def test_settle_an_illegal_entry():
    ran = run("settle", "-", "--stake", "1", stdin=json.dumps(record("pagat", "2-")))
    assert (ran.code, ran.doc["valid"]) == (1, False)


def test_settle_unreadable():
    ran = run("settle", "-", "--stake", "1", stdin="no")
    assert (ran.code, [p["code"] for p in ran.doc["problems"]]) == (2, ["malformed"])
