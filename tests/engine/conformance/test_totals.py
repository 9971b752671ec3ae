"""Rulebook §3 and docs/formats/totals.md: could a paper sheet's totals come from any game?"""

import json

import pytest

from .runner import NAMES, record, run


def totals(rules, seats, winner=0, win="target", **more):
    """Return seats from shorthand: score, E executed, one * per Chicago won, O out."""
    rows = []
    for name, word in zip(NAMES, seats.split(), strict=False):
        score = word.rstrip("EO*")
        rows.append(
            {
                "name": name,
                "score": int(score),
                "executed": "E" in word,
                "asterisks": word.count("*"),
                "out": "O" in word,
            }
        )
    return {
        "format": "chicago-totals",
        "version": 1,
        "rules": rules,
        "seats": rows,
        "winner": winner,
        "win": win,
    } | more


POSSIBLE = [
    ("an ordinary game", "festival", "52E* 30 20E 0", 0, "target"),
    ("a lost Chicago is enough", "festival", "52E 30 20 0", 0, "target"),
    ("the winner in any seat", "festival", "3 30 52E 0", 2, "target"),
    ("66: Chicago won from 51", "festival", "66E* 30 20 0", 0, "target"),
    ("61 without Chicago won", "festival", "61E 30 20 0", 0, "target"),
    ("others at 51", "festival", "52E 51 51E* 51", 0, "target"),
    ("one out", "festival", "52E 0O 20 10", 0, "target"),
    ("two out", "festival", "52E 0O 0O 10", 0, "target"),
    ("straight flush", "festival", "52 30 20 10", 0, "straight_flush"),
    ("straight flush, one out", "festival", "52 30 0O 10", 0, "straight_flush"),
    ("royal flush", "festival", "52 0 0 0", 0, "royal_flush"),
    ("royal flush, executed and asterisks stay", "festival", "52E* 0E** 0O 0E", 0,
     "royal_flush"),
    ("last standing", "festival", "33 0O 0O 0O", 0, "last_standing"),
    ("last standing of two", "festival", "33E 0O", 0, "last_standing"),
    ("last standing on 0", "festival", "0 0O 0O", 0, "last_standing"),
    ("svensk: after the deal", "svensk", "57E 55E 20 0", 0, "target"),
    ("svensk: a straight flush with few points", "svensk", "53 30 20 0", 0, "straight_flush"),
    ("svensk: a straight flush, another above the target", "svensk", "53 54 20 0", 0,
     "straight_flush"),
    ("svensk: a royal flush", "svensk", "59 0 0 0", 0, "royal_flush"),
    ("svensk: a shared win", "svensk", "53E 53E* 20 0", [0, 1], "target"),
    ("pagat: no Chicago", "pagat", "52 51 20 0", 0, "target"),
    ("pagat: a shared win", "pagat", "53 45 53 47", [0, 2], "target"),
    ("pagat: the source's totals", "pagat", "54 45 53 47", 0, "target"),
    ("basic: below zero", "basic", "52 -15E 20 0", 0, "target"),
    ("basic: below zero and back", "basic", "52 -1E 20 0", 0, "target"),
    ("wikipedia: a blind Chicago with a deuce", "wikipedia", "60E* 3 20 0", 0, "blind_chicago"),
    ("festival+X: no Chicago needed", "festival+X", "52 30 20 0", 0, "target"),
    ("festival+U: 51", "festival+U", "51E 30 20 0", 0, "target"),
    ("61: from 51 with a deuce, or by breaking", "festival", "61E 0 0 0", 0, "target"),
    ("62: Chicago won", "festival", "62E* 0 0 0", 0, "target"),
    ("one hand each for the others", "festival", "52E 1 1 1", 0, "target"),
    ("a straight flush in the first deal", "festival", "52 1 1 1", 0, "straight_flush"),
    ("many Chicagos and no win", "festival", "52 51E**** 0O 0", 0, "straight_flush"),
    ("more asterisks than points would give", "festival", "52E********* 3E*******", 0, "target"),
    ("svensk: the deal is played out", "svensk", "80E 0 0", 0, "target"),
    ("svensk+N: a deuce besides", "svensk+N", "85E 0 0", 0, "target"),
    ("svensk+C: the first deal's last trick", "svensk+C", "53 1 1 0", 0, "straight_flush"),
    ("svensk+C+X: one hand, a deuce none", "svensk+C+X", "53 1 0 0", 0, "straight_flush"),
    ("svensk+C+X: the first deal's last trick", "svensk+C+X", "57 1 1 1", 0, "straight_flush"),
    ("svensk+X: after resets by each", "svensk+X", "52 1 1 1", 0, "straight_flush"),
    ("pagat: a royal flush is 52 points", "pagat", "160 51 0", 0, "target"),
    ("basic: far below zero", "basic", "52 -1000000E", 0, "target"),
    ("pagat+Y: another above the target", "pagat+Y", "52 60", 0, "target"),
    ("pagat+Y: others far above the target", "pagat+Y", "52 1000 60E", 0, "target"),
]  # fmt: skip

IMPOSSIBLE = [
    ("the winner below the target", "festival", "51E 30 20 0", 0, "target", {0}),
    ("the winner without a Chicago", "festival", "52 30 20 0", 0, "target", {0}),
    ("an asterisk without a circle", "festival", "52E 30* 20 0", 0, "target", {1}),
    ("an asterisk without a circle: the winner", "festival", "52* 30 20 0", 0, "target", {0}),
    ("67: more than any last entry brings", "festival", "67E* 30 20 0", 0, "target", {0}),
    ("62 without Chicago won", "festival", "62E 30 20 0", 0, "target", {0}),
    ("another at the target", "festival", "52E 52E 20 0", 0, "target", None),
    ("another at the target without a Chicago", "festival", "53E 52 20 0", 0, "target", {1}),
    ("below zero", "festival", "52E -1 20 0", 0, "target", {1}),
    ("below zero", "pagat", "52 -15E 20 0", 0, "target", {1}),
    ("out with points", "festival", "52E 3O 20 0", 0, "target", {1}),
    ("out though executed", "festival", "52E 0EO 20 0", 0, "target", {1}),
    ("a winner who is out", "festival", "52EO 30 20 0", 0, "target", {0}),
    ("a straight flush on 51", "festival", "51 30 20 0", 0, "straight_flush", {0}),
    ("a straight flush on 53", "festival", "53 30 20 0", 0, "straight_flush", {0}),
    ("straight flush, another at the target", "festival", "52 60E 20 0", 0, "straight_flush",
     {1}),
    ("a royal flush with points left", "festival", "52 7 0 0", 0, "royal_flush", {1}),
    ("a royal flush on 57", "festival", "57 0 0 0", 0, "royal_flush", {0}),
    ("last standing with two in", "festival", "33 0O 0O 0", 0, "last_standing", None),
    ("last standing at the target", "festival", "52 0O 0O 0O", 0, "last_standing", {0}),
    ("last standing, out with points", "festival", "33 4O 0O 0O", 0, "last_standing", {1}),
    ("last standing where nobody goes out", "svensk", "33 0O 0O 0O", 0, "last_standing", None),
    ("a blind Chicago where there is none", "festival", "60E* 3 20 0", 0, "blind_chicago", None),
    ("a straight flush that does not win", "pagat", "60 3 20 0", 0, "straight_flush", None),
    ("a royal flush that does not win at once", "pagat", "60 3 20 0", 0, "royal_flush", None),
    ("svensk: the winner without a Chicago", "svensk", "57 30 20 0", 0, "target", {0}),
    ("svensk: a higher one", "svensk", "57E 58E 20 0", 0, "target", None),
    ("svensk: an equal one", "svensk", "57E 57E 20 0", 0, "target", None),
    ("svensk: shared unequal", "svensk", "57E 56E 20 0", [0, 1], "target", None),
    ("svensk: another above the target without a Chicago", "svensk", "57E 55 20 0", 0, "target",
     {1}),
    ("svensk: out seats", "svensk", "57E 0O 20 0", 0, "target", {1}),
    ("svensk: a straight flush below 52", "svensk", "51 30 20 0", 0, "straight_flush", {0}),
    ("basic: below zero without a Chicago", "basic", "52 -15 20 0", 0, "target", {1}),
    ("wikipedia: a blind win without a circle", "wikipedia", "60 3 20 0", 0, "blind_chicago", {0}),
    ("wikipedia: a blind win without an asterisk", "wikipedia", "60E 3 20 0", 0, "blind_chicago",
     {0}),
    ("wikipedia: a blind win, another at the target before the deal", "wikipedia", "60E* 65 20 0",
     0, "blind_chicago", {1}),
    ("svensk+W: a lost Chicago", "svensk+W", "52E 30 20 0", 0, "target", {0}),
    ("svensk+S: two asterisks", "svensk+S", "52E** 30 20 0", 0, "target", {0}),
    ("straight flush, a royal flush's score", "festival", "53 7 0", 0, "straight_flush", {0}),
    ("a royal flush and another's point", "festival", "52 1", 0, "royal_flush", {1}),
    ("nobody in but the winner, by the target", "festival", "52E 0O", 0, "target", None),
    ("nobody in but the winner, without a win", "festival", "20 0O", 0, "target", None),
    ("two that cannot be right", "festival", "52E -3 4*", 0, "target", {1, 2}),
    ("svensk: more than a deal brings", "svensk", "81E 0 0", 0, "target", {0}),
    ("svensk+C+X: a last trick went to nobody", "svensk+C+X", "52 1 1 1", 0, "straight_flush",
     None),
    ("pagat: more than a royal flush brings", "pagat", "1000 45", 0, "target", {0}),
    ("pagat: another above the target", "pagat", "52 60", 0, "target", None),
    ("basic+S: below zero by more than a Chicago", "basic+S", "52 -16E", 0, "target", {1}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("title", "rules", "seats", "winner", "win"),
    POSSIBLE,
    ids=[f"{row[1]} {row[0]}" for row in POSSIBLE],
)
def test_totals_possible(title, rules, seats, winner, win):
    ran = run("totals", "-", stdin=json.dumps(totals(rules, seats, winner, win)))
    assert (ran.code, ran.doc) == (0, {"possible": True, "problems": []})


@pytest.mark.parametrize(
    ("title", "rules", "seats", "winner", "win", "wrong"),
    IMPOSSIBLE,
    ids=[f"{row[1]} {row[0]}" for row in IMPOSSIBLE],
)
def test_totals_impossible(title, rules, seats, winner, win, wrong):
    ran = run("totals", "-", stdin=json.dumps(totals(rules, seats, winner, win)))
    assert ran.code == 0
    assert ran.doc["possible"] is False
    problems = ran.doc["problems"]
    assert problems
    assert {problem["code"] for problem in problems} == {"unreachable_total"}
    assert all(problem["message"].strip() for problem in problems)
    if wrong is not None:
        assert wrong <= {problem["seat"] for problem in problems}


TOTALS_HEADERS = [
    ("no JSON", "no", "malformed"),
    ("a list", "[]", "malformed"),
    ("a record", json.dumps(record()), "malformed"),
    ("other version", json.dumps(totals("festival", "52E 0", version=2)), "malformed"),
    ("rules", json.dumps(totals("whist", "52E 0")), "unknown_rules"),
    ("one seat", json.dumps(totals("festival", "52E")), "bad_seats"),
    ("winner out of range", json.dumps(totals("festival", "52E 0", 2)), "bad_value"),
    ("winner a boolean", json.dumps(totals("festival", "52E 0", True)), "bad_value"),
    ("win unknown", json.dumps(totals("festival", "52E 0", 0, "luck")), "bad_value"),
    ("an unknown key", json.dumps(totals("festival", "52E 0", extra=1)), "unknown_field"),
    (
        "unknown before bad",
        json.dumps(totals("festival", "9999999999E 0", extra=1)),
        "unknown_field",
    ),
    (
        "missing before bad",
        json.dumps(totals("festival", "9999999999E 0") | {"seats": [{}, {}]}),
        "missing_field",
    ),
]


@pytest.mark.parametrize(
    ("title", "text", "code"), TOTALS_HEADERS, ids=[row[0] for row in TOTALS_HEADERS]
)
def test_totals_unreadable(title, text, code):
    ran = run("totals", "-", stdin=text)
    assert (ran.code, [p["code"] for p in ran.doc["problems"]]) == (2, [code])
    assert ran.doc["valid"] is False


def test_totals_wrong_command_line():
    ran = run("totals")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.strip()
