"""Heat files and the commands `heat` and `outlook` (docs/formats/heat.md, rulebook §5 and §8)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cli.answers import outlook_of, rank_heat
from engine.cli.main import main
from tests.engine.ranking.factories import (
    flush_win,
    game,
    hand,
    heat,
    plain_deal,
    royal_win,
    scores,
)

FOUR = ["Anna", "Bo", "Cia", "Dag"]


def ruling(action: str, seat: int) -> dict[str, object]:
    return {"kind": "ruling", "action": action, "seat": seat, "reason": "cheating"}


def won_by(name: str, points: dict[str, int] | None = None, seats: list[str] | None = None):
    """Return a finished game: sheet scores as given, then a straight flush."""
    order = seats or FOUR
    wanted = [(points or {}).get(player, 0) for player in order]
    return game(order, scores(wanted) + flush_win(order.index(name)))


def problems(source: object, status: int) -> list[dict[str, Any]]:
    document, found = rank_heat(source)
    assert found == status
    assert document["valid"] is False
    assert document["state"] is None
    assert all(problem["message"] for problem in document["problems"])
    return document["problems"]


def test_rulebook_5_a_heat_of_three_games() -> None:
    games = [
        won_by("Anna", {"Bo": 20, "Cia": 10}),
        won_by("Bo", {"Anna": 30, "Dag": 10}, ["Dag", "Cia", "Bo", "Anna"]),
        won_by("Bo", {"Anna": 31, "Cia": 10}),
    ]
    document, status = rank_heat(heat(FOUR, games))
    assert status == 0
    assert list(document) == ["ranking", "advances", "needs_flip_flop", "unfinished"]
    assert document["ranking"][0] == {
        "player": "Bo",
        "place": 1,
        "game_points": "55",
        "score_points": 124,
        "asterisks": 0,
        "penalty": "0",
        "decided_by": "game_points",
    }
    assert [row["player"] for row in document["ranking"]] == ["Bo", "Anna", "Cia", "Dag"]
    assert [row["decided_by"] for row in document["ranking"]] == ["game_points"] * 3 + [None]
    assert document["advances"] == ["Bo"]
    assert document["needs_flip_flop"] == []
    assert document["unfinished"] == []


def test_rulebook_4_shared_places_stay_exact_fractions() -> None:
    games = [game(FOUR, royal_win(0)), won_by("Bo", {"Anna": 10, "Cia": 10})]
    rows = {row["player"]: row for row in rank_heat(heat(FOUR, games))[0]["ranking"]}
    assert rows["Bo"]["game_points"] == "95/3"
    assert rows["Anna"]["game_points"] == "67/2"
    assert rows["Dag"]["game_points"] == "59/3"


def test_rulebook_5_asterisks_come_from_the_sheets() -> None:
    chicago = [
        *scores([15, 0, 0, 0]),
        {"kind": "none", "phase": 1},
        {"kind": "none", "phase": 2},
        {"kind": "chicago", "seat": 0, "won": True},
    ]
    games = [game(FOUR, chicago + flush_win(0))]
    row = rank_heat(heat(FOUR, games))[0]["ranking"][0]
    assert (row["player"], row["asterisks"]) == ("Anna", 1)


def test_rulebook_5_a_flip_flop_decides_a_full_tie() -> None:
    games = [won_by("Anna"), won_by("Bo")]
    document, _ = rank_heat(heat(FOUR, games))
    assert document["needs_flip_flop"] == [["Anna", "Bo"]]
    assert document["advances"] == []
    assert [row["place"] for row in document["ranking"]] == [1, 1, 3, 3]
    document, _ = rank_heat(heat(FOUR, games, flip_flops=[["Bo", "Anna"]]))
    assert document["needs_flip_flop"] == []
    assert document["advances"] == ["Bo"]
    assert document["ranking"][0]["decided_by"] == "flip_flop"


@pytest.mark.parametrize(
    ("flip_flops", "code"),
    [
        ([["Anna", "Cia"]], "bad_flip_flop"),
        ([["Anna"]], "bad_flip_flop"),
        ([["Anna", "Eva"]], "bad_flip_flop"),
        ([["Anna", "Bo"], ["Bo", "Anna"]], "bad_flip_flop"),
        ([[]], "bad_flip_flop"),
        ([[1, 2]], "bad_value"),
        (["AB"], "bad_value"),
        ("AB", "bad_value"),
        (None, "bad_value"),
    ],
)
def test_rulebook_8_wrong_flip_flops_are_errors(flip_flops: object, code: str) -> None:
    games = [won_by("Anna"), won_by("Bo")]
    found = problems(heat(FOUR, games, flip_flops=flip_flops), 2)
    assert [problem["code"] for problem in found] == [code]


def test_rulebook_8_unfinished_games_are_listed_and_not_counted() -> None:
    running = game(FOUR, scores([20, 0, 0, 0]))
    document, status = rank_heat(heat(FOUR, [won_by("Bo", {"Anna": 5}), running, won_by("Bo")]))
    assert status == 0
    assert document["unfinished"] == [1]
    rows = {row["player"]: row for row in document["ranking"]}
    assert (rows["Anna"]["score_points"], rows["Bo"]["game_points"]) == (5, "40")


def test_rulebook_8_a_player_disqualified_in_any_game_is_last() -> None:
    games = [
        won_by("Anna"),
        won_by("Anna"),
        game(FOUR, [ruling("disqualify", 0), *flush_win(1)]),
    ]
    document, _ = rank_heat(heat(FOUR, games, advance=4))
    assert document["ranking"][-1]["player"] == "Anna"
    assert document["ranking"][2]["decided_by"] == "disqualified"
    assert set(document["advances"]) == {"Bo", "Cia", "Dag"}


def test_rulebook_8_a_disqualification_in_an_unfinished_game_does_not_count_yet() -> None:
    games = [won_by("Anna"), game(FOUR, [ruling("disqualify", 0)])]
    document, _ = rank_heat(heat(FOUR, games))
    assert document["advances"] == ["Anna"]


def test_an_invalid_game_is_named_and_is_exit_1() -> None:
    bad = game(FOUR, [hand(2, 0, "pair")])
    found = problems(heat(FOUR, [won_by("Anna"), bad, {"format": 1}, 7]), 1)
    assert [(p["game"], p["code"], p["entry"]) for p in found] == [
        (1, "wrong_phase", 0),
        (2, "malformed", None),
        (3, "malformed", None),
    ]


def test_a_game_of_other_rules_or_players_is_an_error_that_names_it() -> None:
    other = game(FOUR, flush_win(0), rules="svensk")
    strangers = game(["Anna", "Bo", "Cia", "Eva"], flush_win(0))
    three = game(FOUR[:3], flush_win(0))
    found = problems(heat(FOUR, [other, strangers, three, won_by("Bo")]), 2)
    assert [(p["game"], p["code"]) for p in found] == [
        (0, "other_rules"),
        (1, "other_players"),
        (2, "other_players"),
    ]


def test_the_order_of_variants_does_not_matter() -> None:
    games = [game(FOUR, flush_win(0), rules="svensk+N+C")]
    assert rank_heat(heat(FOUR, games, rules="svensk+C+N"))[1] == 0


def without(key: str) -> dict[str, object]:
    document = heat(FOUR, [])
    del document[key]
    return document


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ([], "malformed"),
        (None, "malformed"),
        ({}, "malformed"),
        (heat(FOUR, [], format="chicago-game-record"), "malformed"),
        (heat(FOUR, [], version=2), "malformed"),
        (heat(FOUR, [], version=True), "malformed"),
        (without("version"), "malformed"),
        (heat(FOUR, [], rules="poker"), "unknown_rules"),
        (heat(FOUR, [], rules=["festival"]), "unknown_rules"),
        (heat(FOUR[:2], []), "bad_seats"),
        (heat([*FOUR, "Eva"], []), "bad_seats"),
        (heat(["Anna", "Anna", "Bo"], []), "bad_seats"),
        (heat(["Anna", " ", "Bo"], []), "bad_seats"),
        (heat(["Anna", 3, "Bo"], []), "bad_seats"),
        (heat(FOUR, [], players="Anna"), "bad_seats"),
        (heat(FOUR, [], colour="red"), "unknown_field"),
        (without("rules"), "missing_field"),
        (without("players"), "missing_field"),
        (without("games"), "missing_field"),
        (without("games_planned"), "missing_field"),
        (without("advance"), "missing_field"),
        (heat(FOUR, [], games={}), "bad_value"),
        (heat(FOUR, [], games_planned=0), "bad_value"),
        (heat(FOUR, [], games_planned="3"), "bad_value"),
        (heat(FOUR, [], games_planned=10**9 + 1), "bad_value"),
        (heat(FOUR, [], advance=-1), "bad_value"),
        (heat(FOUR, [], advance=True), "bad_value"),
        (heat(FOUR, [], advance=1.0), "bad_value"),
        (heat(FOUR, [], advance=None), "bad_value"),
    ],
)
def test_header_errors_are_exit_2(document: object, code: str) -> None:
    found = problems(document, 2)
    assert [problem["code"] for problem in found] == [code]
    assert outlook_of(document)[1] == 2


def test_outlook_counts_a_running_game_as_open() -> None:
    running = game(FOUR, scores([50, 0, 0, 0]))
    games = [won_by("Bo", {"Anna": 5, "Cia": 10}), won_by("Bo", {"Anna": 10, "Cia": 15}), running]
    found, status = outlook_of(heat(FOUR, games))
    assert status == 0
    assert [player["player"] for player in found] == FOUR
    assert [player["clinched"] for player in found] == [False, False, False, False]
    # Anna is at 24, Bo at 40, Cia at 30, Dag at 16: only Cia can still get there.
    assert [player["eliminated"] for player in found] == [True, False, False, True]
    assert found[2]["needs"]["needed"] == 1
    assert found[1]["needs"]["enough"] == 3
    assert found[0]["needs"] is None


def test_outlook_of_a_disqualified_player() -> None:
    games = [game(FOUR, [ruling("disqualify", 0), *flush_win(1)])]
    found, _ = outlook_of(heat(FOUR, games))
    assert found[0] == {"player": "Anna", "clinched": False, "eliminated": True, "needs": None}


def test_outlook_of_a_heat_with_nothing_left() -> None:
    # Anna and Bo have 20 and 10 each, Cia has 15 twice, Dag shares the last places twice.
    games = [won_by("Anna", {"Cia": 5}), won_by("Bo", {"Cia": 5})]
    found, _ = outlook_of(heat(FOUR, games, games_planned=2))
    assert found[0]["needs"] == {"games_left": 0, "tie": True}
    assert [player["eliminated"] for player in found] == [False, False, False, True]


def test_outlook_refuses_a_heat_of_a_million_games() -> None:
    document, status = outlook_of(heat(FOUR, [], games_planned=10**6))
    assert (status, document["problems"][0]["code"]) == (2, "bad_value")


def test_the_command_reads_files_and_standard_input_and_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "heats.json"
    path.write_text(json.dumps(heat(FOUR, [won_by("Bo")])), encoding="utf-8")
    assert main(["heat", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["advances"] == ["Bo"]
    assert main(["outlook", str(path)]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 4
    bad = json.dumps(heat(FOUR, [game(FOUR, [hand(3, 0, "pair")])]))
    path.write_text(f"{json.dumps(heat(FOUR, []))}\n\n{bad}\nnonsense\n", encoding="utf-8")
    assert main(["heat", str(path), "--lines"]) == 2
    out = capsys.readouterr().out.splitlines()
    assert [json.loads(line).get("valid", True) for line in out] == [True, False, False]


def test_names_that_cannot_be_printed(capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    players = ["Å\ud800", "\u202eBo", "🂡"]
    path = tmp_path / "heat.json"
    path.write_text(json.dumps(heat(players, [game(players, flush_win(0))])), encoding="ascii")
    assert main(["heat", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["advances"] == ["Å\ud800"]


@pytest.mark.parametrize("argv", [[], ["a", "b"], ["--what", "a"], ["--lines"], ["-x"]])
def test_a_wrong_command_line_is_exit_2_and_usage(argv, capsys) -> None:
    assert main(["heat", *argv]) == 2
    assert main(["outlook", *argv]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert "usage" in out.err


def test_a_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["heat", "/nowhere/at/all\0"]) == 2
    assert json.loads(capsys.readouterr().out)["problems"][0]["code"] == "malformed"


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"NaN",
        b'{"format": "chicago-heat", "version": 1, "rules": NaN}',
        b'{"format": "chicago-heat", "version": ' + b"9" * 100_000 + b"}",
        b'"\\ud800"',
    ],
)
def test_no_text_causes_a_traceback(text: bytes) -> None:
    document, status = rank_heat(text)
    assert status == 2
    assert document["problems"][0]["code"] == "malformed"
    assert outlook_of(text) == (document, 2)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
FIELDS = sorted(heat(FOUR, [])) + ["flip_flops"]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(FIELDS), JSON)
def test_no_value_of_any_field_causes_anything_but_coded_problems(name: str, value: object) -> None:
    document = heat(FOUR, [won_by("Bo")])
    document[name] = value
    for answer in (rank_heat, outlook_of):
        found, status = answer(document)
        if status:
            assert all(isinstance(p["code"], str) and p["message"] for p in found["problems"])
        json.dumps(found)


@settings(max_examples=200, deadline=None)
@given(JSON)
def test_no_game_causes_anything_but_coded_problems(value: object) -> None:
    found, status = rank_heat(heat(FOUR, [won_by("Bo"), value]))
    assert status == 1
    assert found["problems"][-1]["game"] == 1


def test_deals_that_change_nothing_do_not_affect_the_ranking() -> None:
    entries = plain_deal(0) + [{"kind": "illegal_discard", "seat": 0}]
    assert problems(heat(FOUR, [game(FOUR, entries)]), 1)[0]["code"] == "not_discardless"


PENALTY = {"player": "Bo", "game_points": "5/2", "reason": "late"}


def paper_game(**more: object) -> dict[str, object]:
    rows = [("Anna", 52, True), ("Bo", 30, False), ("Cia", 9, False)]
    seats = [
        {"name": name, "score": score, "executed": circled, "asterisks": 0, "out": False}
        for name, score, circled in rows
    ]
    return {
        "format": "chicago-totals", "version": 1, "rules": "festival",
        "seats": seats, "winner": 0, "win": "target", **more,
    }  # fmt: skip


def paper_heat(game: dict[str, object], **more: object) -> dict[str, object]:
    return {
        "format": "chicago-heat", "version": 1, "rules": "festival",
        "players": ["Bo", "Cia", "Anna"], "games": [game], "games_planned": 1, "advance": 1, **more,
    }  # fmt: skip


def test_9_a_game_from_paper_counts_and_a_penalty_is_deducted() -> None:
    answer, status = rank_heat(paper_heat(paper_game(), penalties=[PENALTY, PENALTY]))
    assert status == 0
    rows = [(row["player"], row["game_points"], row["penalty"]) for row in answer["ranking"]]
    assert rows == [("Anna", "20", "0"), ("Cia", "12", "0"), ("Bo", "10", "5")]


def test_9_a_game_from_paper_that_was_ended_needs_no_winner() -> None:
    game = paper_game(win="ended")
    game["seats"][0]["score"] = 31
    del game["winner"]
    answer, status = rank_heat(paper_heat(game))
    assert status == 0
    assert answer["advances"] == ["Anna"]


def test_9_an_impossible_game_from_paper_is_named() -> None:
    game = paper_game(winner=1)
    answer, status = rank_heat(paper_heat(game))
    assert (status, answer["problems"][0]["game"]) == (1, 0)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game_points": 5}, "bad_value"),
        ({"game_points": "0"}, "bad_value"),
        ({"game_points": "-1"}, "bad_value"),
        ({"game_points": "1/5"}, "bad_value"),
        ({"player": "Dag"}, "bad_value"),
        ({"reason": " "}, "missing_reason"),
    ],
)
def test_9_a_penalty_is_a_positive_number_of_twelfths_with_player_and_reason(change, code) -> None:
    heat = paper_heat(paper_game(), penalties=[{**PENALTY, **change}])
    answer, status = rank_heat(heat)
    assert (status, answer["problems"][0]["code"]) == (2, code)
