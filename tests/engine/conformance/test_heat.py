"""Rulebook §5 and §8 Heats, docs/formats/heat.md: the ranking of a heat, by its command."""

import itertools
import json
import random
from fractions import Fraction

import pytest

from .runner import NAMES, record, run

A, B, C, D = NAMES


def game(order, sheet, rules="festival", **more):
    """Return a game whose seats are the players in this order."""
    return record(rules, sheet, order, **more)


def ended(**scores):
    """Return a game ended by the director at these scores, with seats in the order given."""
    words = " ".join(f"{'abcd'[seat]}+{n}" for seat, n in enumerate(scores.values()) if n)
    return game(list(scores), f"{words} ~end")


def heat(games, players=NAMES, rules="festival", **more):
    return {
        "format": "chicago-heat",
        "version": 1,
        "rules": rules,
        "players": list(players),
        "games": games,
        "games_planned": len(games),
        "advance": 1,
    } | more


def rank(document):
    return run("heat", "-", stdin=document if isinstance(document, str) else json.dumps(document))


def ranked(document):
    ran = rank(document)
    assert (ran.code, ran.err) == (0, "")
    return ran.doc


def column(doc, name):
    return [row[name] for row in doc["ranking"]]


def test_s5_sum_of_game_points():
    doc = ranked(heat([ended(Anna=9, Bo=8, Cia=7, Dag=6), ended(Bo=9, Cia=8, Anna=7, Dag=6)]))
    assert column(doc, "player") == [B, A, C, D]
    assert column(doc, "game_points") == ["35", "32", "27", "16"]
    assert column(doc, "score_points") == [17, 16, 15, 12]
    assert column(doc, "place") == [1, 2, 3, 4]
    assert column(doc, "decided_by") == ["game_points", "game_points", "game_points", None]
    assert doc["advances"] == [B]
    assert doc["needs_flip_flop"] == []
    assert doc["unfinished"] == []


def test_s5_game_points_before_sheet_scores():
    doc = ranked(heat([ended(Anna=9, Bo=8, Cia=7, Dag=6), ended(Anna=9, Bo=8, Cia=7, Dag=6),
                       ended(Cia=50, Bo=44, Anna=1, Dag=0)]))  # fmt: skip
    assert column(doc, "player") == [A, B, C, D]
    assert column(doc, "game_points") == ["52", "45", "44", "24"]
    assert column(doc, "score_points") == [19, 60, 64, 12]


def test_s5_tie_total_sheet_score():
    doc = ranked(heat([ended(Anna=9, Bo=8, Cia=7, Dag=6), ended(Bo=10, Anna=8, Cia=7, Dag=6)]))
    assert column(doc, "player") == [B, A, C, D]
    assert column(doc, "game_points") == ["35", "35", "24", "16"]
    assert column(doc, "score_points") == [18, 17, 14, 12]
    assert column(doc, "decided_by") == ["score_points", "game_points", "game_points", None]
    assert column(doc, "place") == [1, 2, 3, 4]
    assert doc["advances"] == [B]


def test_s5_tie_chicagos_won():
    won = game([B, A, C, D], "a+20 b+30 1- 2- Ca+ c+7 d+6 ~end")  # Bo 35*, Anna 30
    doc = ranked(heat([ended(Anna=35, Bo=30, Cia=7, Dag=6), won]))
    assert column(doc, "player") == [B, A, C, D]
    assert column(doc, "game_points")[:2] == ["35", "35"]
    assert column(doc, "score_points")[:2] == [65, 65]
    assert column(doc, "asterisks") == [1, 0, 0, 0]
    assert column(doc, "decided_by") == ["asterisks", "game_points", "game_points", None]
    assert doc["advances"] == [B]


def test_s5_a_lost_chicago_gives_no_asterisk():
    lost = game([B, A, C, D], "a+50 b+30 1- 2- Ca- c+7 d+6 ~end")  # Bo 35, Anna 30
    doc = ranked(heat([ended(Anna=35, Bo=30, Cia=7, Dag=6), lost]))
    assert doc["needs_flip_flop"] == [[A, B]] or doc["needs_flip_flop"] == [[B, A]]


def tied_first(**more):
    return heat([ended(Anna=9, Bo=8, Cia=7, Dag=6), ended(Bo=9, Anna=8, Cia=7, Dag=6)], **more)


def test_s5_flip_flop_is_requested_if_the_tie_matters():
    doc = ranked(tied_first())
    assert [sorted(group) for group in doc["needs_flip_flop"]] == [[A, B]]
    assert column(doc, "place") == [1, 1, 3, 4]
    assert doc["ranking"][0]["decided_by"] is None
    assert doc["ranking"][1]["decided_by"] == "game_points"


def test_s5_flip_flop_is_not_requested_if_both_go_on():
    doc = ranked(tied_first(advance=2))
    assert doc["needs_flip_flop"] == []
    assert sorted(doc["advances"]) == [A, B]
    assert column(doc, "place") == [1, 1, 3, 4]


def test_s5_flip_flop_is_not_requested_if_neither_goes_on():
    doc = ranked(heat([ended(Anna=9, Bo=8, Cia=7, Dag=6), ended(Anna=9, Cia=8, Bo=7, Dag=6)]))
    assert doc["needs_flip_flop"] == []
    assert doc["advances"] == [A]
    assert column(doc, "place") == [1, 2, 2, 4]
    assert column(doc, "decided_by") == ["game_points", None, "game_points", None]


def test_s5_flip_flop_if_the_tie_straddles_the_line():
    doc = ranked(
        heat([ended(Anna=9, Bo=8, Cia=7, Dag=6), ended(Anna=9, Cia=8, Bo=7, Dag=6)], advance=2)
    )
    assert [sorted(group) for group in doc["needs_flip_flop"]] == [[B, C]]


def test_s5_flip_flop_recorded_as_an_order_of_the_tied():
    doc = ranked(tied_first(flip_flops=[[B, A]]))
    assert column(doc, "player") == [B, A, C, D]
    assert column(doc, "place") == [1, 2, 3, 4]
    assert column(doc, "decided_by") == ["flip_flop", "game_points", "game_points", None]
    assert doc["advances"] == [B]
    assert doc["needs_flip_flop"] == []


def test_s8_heats_an_unneeded_flip_flop_is_used():
    doc = ranked(tied_first(advance=2, flip_flops=[[B, A]]))
    assert column(doc, "player") == [B, A, C, D]
    assert column(doc, "decided_by")[0] == "flip_flop"


def test_s8_heats_a_flip_flop_of_four():
    doc = ranked(heat([game(NAMES, "~end")], flip_flops=[[C, A, D, B]]))
    assert column(doc, "player") == [C, A, D, B]
    assert column(doc, "decided_by") == ["flip_flop", "flip_flop", "flip_flop", None]
    assert column(doc, "game_points") == ["55/4"] * 4


@pytest.mark.parametrize(
    "order",
    [[A], [A, C], [A, B, C], [C, D], [A, A], [A, "Eva"], []],
    ids=["one of two", "one tied, one not", "too many", "not tied", "twice", "stranger", "empty"],
)
def test_s8_heats_a_flip_flop_of_part_of_a_tied_group_is_an_error(order):
    ran = rank(tied_first(flip_flops=[order]))
    assert ran.code in (1, 2)
    assert ran.doc["valid"] is False
    assert [problem["severity"] for problem in ran.doc["problems"]] == ["error"]


def test_s5_all_tied():
    doc = ranked(heat([game(NAMES, "~end")]))
    assert column(doc, "place") == [1, 1, 1, 1]
    assert column(doc, "decided_by") == [None] * 4
    assert [sorted(group) for group in doc["needs_flip_flop"]] == [[A, B, C, D]]


def test_s4_exact_fractions_are_summed():
    royal = [game(NAMES, "1a:rf"), game([B, C, D, A], "1a:rf"), game([C, D, A, B], "1a:rf")]
    doc = ranked(heat(royal))
    assert column(doc, "game_points") == ["130/3", "130/3", "130/3", "35"]
    assert column(doc, "score_points") == [52, 52, 52, 0]
    assert column(doc, "place") == [1, 1, 1, 4]


def test_heat_seats_differ_from_game_to_game():
    doc = ranked(heat([game([D, C, B, A], "S:9,8,7,6 ~end")]))
    assert column(doc, "player") == [D, C, B, A]


def test_heat_of_three():
    games = [game([A, B, C], "S:9,8,7 ~end"), game([B, C, A], "S:9,8,7 ~end")]
    doc = ranked(heat(games, players=[A, B, C]))
    assert column(doc, "player") == [B, A, C]
    assert column(doc, "game_points") == ["35", "32", "27"]


def test_heat_sm_points():
    games = [game(NAMES, "S:9,8,7,6 ~end", "sm")]
    doc = ranked(heat(games, rules="sm", advance=2))
    assert column(doc, "game_points") == ["20", "12", "8", "5"]
    assert doc["advances"] == [A, B]


def test_s8_heats_unfinished_games_are_listed_and_not_counted():
    doc = ranked(heat([game(NAMES, "S:1,9,0,0"), ended(Anna=9, Bo=8, Cia=7, Dag=6),
                       game(NAMES, "")]))  # fmt: skip
    assert doc["unfinished"] == [0, 2]
    assert column(doc, "game_points") == ["20", "15", "12", "8"]
    assert column(doc, "score_points") == [9, 8, 7, 6]


def test_s8_heats_a_player_disqualified_in_any_game_is_last_and_cannot_advance():
    games = [ended(Anna=9, Bo=8, Cia=7, Dag=6), ended(Anna=9, Bo=8, Cia=7, Dag=6),
             game(NAMES, "S:9,8,7,6 a~dq ~end")]  # fmt: skip
    doc = ranked(heat(games))
    assert column(doc, "player") == [B, C, D, A]
    assert column(doc, "game_points") == ["50", "39", "28", "40"]
    assert doc["advances"] == [B]
    assert column(doc, "decided_by") == ["game_points", "game_points", "disqualified", None]
    assert doc["ranking"][3]["place"] == 4


def test_s8_heats_several_disqualified_are_ranked_by_the_chain():
    first = ended(Anna=9, Bo=8, Cia=7, Dag=6)
    doc = ranked(heat([first, first, game(NAMES, "S:9,8,7,6 a~dq b~dq ~end")]))
    assert column(doc, "player") == [C, D, A, B]
    assert column(doc, "game_points") == ["44", "31", "40", "30"]
    assert column(doc, "decided_by") == ["game_points", "disqualified", "game_points", None]


def test_s8_heats_a_disqualification_in_an_unfinished_game_does_not_count_yet():
    doc = ranked(heat([ended(Anna=9, Bo=8, Cia=7, Dag=6), game(NAMES, "a~dq")]))
    assert column(doc, "player") == [A, B, C, D]
    assert doc["advances"] == [A]
    assert doc["unfinished"] == [1]


def test_s8_heats_an_invalid_game_is_named():
    ran = rank(heat([ended(Anna=9, Bo=8, Cia=7, Dag=6), game(NAMES, "1- 1-")]))
    assert ran.code == 1
    assert ran.doc["valid"] is False
    (problem,) = [p for p in ran.doc["problems"] if p["severity"] == "error"]
    assert (problem["game"], problem["code"], problem["entry"]) == (1, "wrong_phase", 1)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (5, "malformed"),
        (game(NAMES, "") | {"version": 2}, "malformed"),
        (game(NAMES, "") | {"extra": 1}, "unknown_field"),
        (game(NAMES, "") | {"rules": "whist"}, "unknown_rules"),
        (game(NAMES, "") | {"seats": []}, "bad_seats"),
        (game(NAMES, "") | {"entries": [5]}, "malformed"),
    ],
    ids=["no object", "version", "a field", "rules", "seats", "an entry"],
)
def test_s8_heats_an_unreadable_game_is_an_invalid_game(wrong, code):
    ran = rank(heat([ended(Anna=9, Bo=8, Cia=7, Dag=6), wrong]))
    assert (ran.code, ran.doc["valid"]) == (1, False)
    assert [(p["code"], p["game"]) for p in ran.doc["problems"]] == [(code, 1)]


@pytest.mark.parametrize(
    "wrong",
    [
        game(NAMES, "~end", "svensk"),
        game(NAMES, "~end", "festival+X"),
        game([A, B, C, "Eva"], "~end"),
        game([A, B, C], "~end"),
        game([A, B, C, "dag"], "~end"),
    ],
    ids=["other rules", "a variant more", "a stranger", "one missing", "other letters"],
)
def test_s8_heats_games_that_do_not_match_the_heat_are_an_error(wrong):
    ran = rank(heat([ended(Anna=9, Bo=8, Cia=7, Dag=6), wrong]))
    assert ran.code in (1, 2)
    assert ran.doc["valid"] is False
    assert any(p["severity"] == "error" and p.get("game") == 1 for p in ran.doc["problems"])


UNREADABLE = [
    ("no JSON", "heat"),
    ("a list", []),
    ("a record", record()),
    ("no version", {"format": "chicago-heat"}),
    ("other version", heat([], version=2)),
]


@pytest.mark.parametrize(("title", "text"), UNREADABLE, ids=[u[0] for u in UNREADABLE])
def test_heat_unreadable(title, text):
    ran = rank(text)
    assert ran.code == 2
    assert [p["code"] for p in ran.doc["problems"]] == ["malformed"]
    assert (ran.doc["valid"], ran.doc["state"]) == (False, None)


HEADER = [
    ("rules", "whist", "unknown_rules"),
    ("players", [A, A, B], "bad_seats"),
    ("players", "Anna", "bad_seats"),
    ("table", 5, "unknown_field"),
    ("games", {}, "bad_value"),
    ("advance", "1", "bad_value"),
    ("advance", True, "bad_value"),
    ("games_planned", -1, "bad_value"),
    ("games_planned", None, "bad_value"),
    ("flip_flops", "Anna", "bad_value"),
]


@pytest.mark.parametrize(("key", "value", "code"), HEADER, ids=[f"{h[0]}-{h[1]}" for h in HEADER])
def test_heat_header(key, value, code):
    ran = rank(heat([]) | {key: value})
    assert ran.code == 2
    assert [p["code"] for p in ran.doc["problems"]] == [code]


@pytest.mark.parametrize("key", ["rules", "players", "games"])
def test_heat_header_missing_field(key):
    document = heat([])
    del document[key]
    ran = rank(document)
    assert (ran.code, [p["code"] for p in ran.doc["problems"]]) == (2, ["missing_field"])


@pytest.mark.parametrize("players", [["Anna", "Bo"], list("ABCDE")], ids=["two", "five"])
def test_s2_a_heat_is_for_three_or_four(players):
    ran = rank(heat([], players=players, games_planned=3))
    assert (ran.code, [p["code"] for p in ran.doc["problems"]]) == (2, ["bad_seats"])


def test_s9_heats_stay_at_three_and_four_even_if_games_may_have_six():
    ran = rank(heat([], players=list("ABCDE"), rules="svensk", games_planned=3))
    assert (ran.code, [p["code"] for p in ran.doc["problems"]]) == (2, ["bad_seats"])


# --- §9: penalties in game points ---------------------------------------------------------------


def taken(player, points, reason="late"):
    return {"player": player, "game_points": points, "reason": reason}


def test_s9_a_penalty_is_taken_from_the_sum_before_ranking():
    doc = ranked(
        heat([ended(Anna=9, Bo=8, Cia=7, Dag=6)], penalties=[taken(A, "5"), taken(A, "1/12")])
    )
    assert column(doc, "player") == [B, A, C, D]
    assert column(doc, "game_points") == ["15", "179/12", "12", "8"]
    assert column(doc, "penalty") == ["0", "61/12", "0", "0"]
    assert doc["advances"] == [B]


def test_s9_the_sum_may_fall_below_0_and_game_results_stay():
    games = [ended(Anna=9, Bo=8, Cia=7, Dag=6)]
    plain, lowered = ranked(heat(games)), ranked(heat(games, penalties=[taken(D, "20")]))
    assert column(lowered, "game_points") == ["20", "15", "12", "-12"]
    assert column(lowered, "place") == column(plain, "place")
    assert column(lowered, "score_points") == column(plain, "score_points")


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (taken(A, 5), "bad_value"),
        (taken(A, "0"), "bad_value"),
        (taken(A, "-1"), "bad_value"),
        (taken(A, "1/7"), "bad_value"),
        (taken("Eva", "5"), "bad_value"),
        (taken(A, "5", ""), "missing_reason"),
        (taken(A, "5", "  "), "missing_reason"),
    ],
)
def test_s9_an_invalid_penalty(wrong, code):
    ran = rank(heat([ended(Anna=9, Bo=8, Cia=7, Dag=6)], penalties=[wrong]))
    assert (ran.code, [p["code"] for p in ran.doc["problems"]]) == (2, [code])


def test_heat_names_may_be_any_unicode():
    names = ["Åsa", "Łukasz", "李", "\ud800"]
    doc = ranked(heat([record("festival", "S:9,8,7,6 ~end", names)], players=names))
    assert column(doc, "player") == names


def random_heat(rng):
    """Return a heat with many ties, and the ranking that the chain gives it."""
    names = list(NAMES[: rng.choice((3, 4))])
    totals = {name: [False, Fraction(0), 0, 0] for name in names}
    games, unfinished = [], []
    for number in range(rng.choice((1, 2, 3))):
        order = rng.sample(names, len(names))
        scores = [rng.choice((15, 16, 16, 17)) for _ in order]
        sheet = "S:" + ",".join(map(str, scores))
        star = rng.randrange(len(order)) if rng.random() < 0.3 else None
        if star is not None:
            letter = "abcd"[star]
            sheet += f" {letter}+15 1- 2- C{letter}+ {letter}-30"
        banned = rng.randrange(len(order)) if rng.random() < 0.1 else None
        if banned is not None:
            sheet += f" {'abcd'[banned]}~dq"
        if rng.random() < 0.1:
            games.append(game(order, sheet))
            unfinished.append(number)
            continue
        games.append(game(order, sheet + " ~end"))
        state = json.loads(run("replay", "-", stdin=json.dumps(games[-1])).out)["state"]
        for seat, name in enumerate(order):
            totals[name][0] |= seat == banned
            totals[name][1] += Fraction(state["game_points"][seat])
            totals[name][2] += state["scores"][seat]
            totals[name][3] += seat == star
    return names, games, unfinished, totals


@pytest.mark.parametrize("seed", range(60))
def test_s5_random_heats(seed):
    rng = random.Random(f"heat {seed}")
    names, games, unfinished, totals = random_heat(rng)
    advance = rng.choice((1, 2))

    def key(name):
        banned, *chain = totals[name]
        return (not banned, *chain)

    tied = [
        [name for name in names if key(name) == value]
        for value in sorted({key(name) for name in names}, reverse=True)
    ]
    first = [sum(map(len, tied[:n])) for n in range(len(tied))]
    free = [sum(not totals[name][0] for name in names), advance]
    asked = [
        group
        for group, above in zip(tied, first, strict=True)
        if len(group) > 1 and not totals[group[0]][0] and above < advance < above + len(group)
    ]
    doc = ranked(heat(games, players=names, advance=advance))
    places = {name: n + 1 for group, n in zip(tied, first, strict=True) for name in group}
    assert {row["player"]: row["place"] for row in doc["ranking"]} == places
    assert sorted(column(doc, "place")) == column(doc, "place")
    assert [sorted(group) for group in doc["needs_flip_flop"]] == [sorted(g) for g in asked]
    assert doc["unfinished"] == unfinished
    if not asked:
        assert set(doc["advances"]) == {
            name for name in names if places[name] <= min(free) and not totals[name][0]
        }
    steps = ("disqualified", "game_points", "score_points", "asterisks")
    for row, below in itertools.pairwise(doc["ranking"]):
        upper, lower = totals[row["player"]], totals[below["player"]]
        assert row["game_points"] == str(upper[1])
        assert (row["score_points"], row["asterisks"]) == (upper[2], upper[3])
        differ = [step for step, a, b in zip(steps, upper, lower, strict=True) if a != b]
        if upper[0] != lower[0] and upper[1] > lower[1]:
            continue  # The chain alone would give the same order: either step may be named.
        assert row["decided_by"] == (differ[0] if differ else None)
    assert doc["ranking"][-1]["decided_by"] is None
