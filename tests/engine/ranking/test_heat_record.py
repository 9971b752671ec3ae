"""Heat files and the commands `heat` and `outlook` (docs/formats/heat.md, rulebook §5 and §8)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.answers import outlook_of, rank_heat
from tests.engine.ranking.factories import (
    flush_win,
    game,
    heat,
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


def test_the_order_of_variants_does_not_matter() -> None:
    games = [game(FOUR, flush_win(0), rules="svensk+N+C")]
    assert rank_heat(heat(FOUR, games, rules="svensk+C+N"))[1] == 0


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
