"""The outlook's sentences, in English and Swedish."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.messages.outlook import all_sentences, sentences, short
from engine.ranking.outlook import HeatSoFar, outlook


def lines(points: Mapping[str, int], games_left: int, lang: str = "en", advance: int = 1):
    exact = {name: Fraction(value) for name, value in points.items()}
    found = outlook(HeatSoFar(exact, games_left, advance))
    return {o.player: (short(o, lang), *sentences(o, lang)) for o in found}


LAST_GAME = {"Anna": 35, "Bo": 35, "Cia": 24, "Dag": 16}


def test_english_before_the_last_game() -> None:
    assert lines(LAST_GAME, 1)["Anna"] == (
        "third is enough unless Bo finishes second or better",
        "Anna advances by winning the last game.",
        "Second is enough unless Bo wins, third unless Bo finishes second or better.",
        "Fourth is not enough.",
    )
    assert lines(LAST_GAME, 1)["Dag"] == ("out", "Dag is out on game points.")


def test_swedish_before_the_last_game() -> None:
    assert lines(LAST_GAME, 1, "sv")["Anna"] == (
        "det räcker att bli trea om inte Bo blir tvåa eller bättre",
        "Anna går vidare genom att vinna sista partiet.",
        "Som tvåa räcker det om inte Bo vinner, som trea om inte Bo blir tvåa eller bättre.",
        "Som fyra räcker det inte.",
    )


def test_two_games_before_the_end() -> None:
    found = lines({"Anna": 20, "Bo": 15, "Cia": 12, "Dag": 8}, 2)
    assert found["Anna"] == (
        "a win is enough unless Bo finishes second or better",
        "First is enough unless Bo finishes second or better.",
    )
    assert found["Bo"] == ("open", "Bo cannot settle it in the next game.")
    assert found["Dag"][0] == "must finish second or better"


def test_who_must_win() -> None:
    found = lines({"Anna": 40, "Bo": 30, "Cia": 28, "Dag": 20}, 1, advance=2)
    assert found["Dag"] == (
        "must win",
        (
            "First gives at best a tie on game points unless Bo finishes third or better "
            "or Cia finishes second or better."
        ),
        "Second is not enough.",
    )
    assert found["Anna"] == ("advances", "Anna advances, whatever happens.")


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", "Second is enough unless Anna wins or Cia wins (then level)"),
        (
            "sv",
            ("Som tvåa räcker det om inte Anna vinner eller Cia vinner (då lika)"),
        ),
    ],
)
def test_whose_win_would_make_it_a_tie(lang: str, told: str) -> None:
    """Bo would have 50: Anna 52, Cia 50."""
    said = lines({"Anna": 32, "Bo": 35, "Cia": 30, "Dag": 13}, 1, lang)["Bo"]
    assert any(line.startswith(told) for line in said)


def test_rivals_with_one_condition_share_a_verb() -> None:
    found = lines({"Anna": 28, "Bo": 30, "Cia": 32, "Dag": 20}, 1)
    assert "Second is enough unless Anna or Cia wins." in found["Bo"]


def test_whoever_must_finish_well_is_told_only_that() -> None:
    found = lines({"Anna": 20, "Bo": 15, "Cia": 12, "Dag": 8}, 2)
    assert found["Cia"][1:] == ("Cia must finish third or better in the next game to stay in it.",)


def test_level_after_the_last_game() -> None:
    found = lines({"Anna": 47, "Bo": 47, "Cia": 30}, 0, "sv")
    assert found["Bo"] == (
        "lika på placeringspoäng",
        "Bo ligger lika på placeringspoäng; särskiljningen avgör.",
    )


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", "A is level in everything; Flip Flop decides."),
        ("sv", "A ligger lika i allt; flip-flop avgör."),
    ],
)
def test_level_in_all_steps_but_the_flip_flop(lang: str, told: str) -> None:
    """Rulebook §5, tie chain: the Flip Flop is its last step."""
    found = outlook(HeatSoFar({"A": Fraction(20), "B": Fraction(20)}, 0))[0]
    assert sentences(found, lang, flip_flop=True) == [told]


def test_names_come_from_the_given_function() -> None:
    heat = HeatSoFar({"1": Fraction(24), "2": Fraction(32), "3": Fraction(30)}, 1)
    told = all_sentences(outlook(heat), names={"1": "Åsa", "2": "Øyvind", "3": "Łukasz"}.get)
    assert [line.split()[0].rstrip(":") for line in told] == ["Åsa", "Øyvind", "Łukasz"]
    assert any("Øyvind wins" in line for line in told)


@given(st.lists(st.integers(0, 60), min_size=2, max_size=4), st.integers(0, 3), st.integers(0, 3))
def test_every_player_gets_a_sentence(points, games_left, advance) -> None:
    exact = {name: Fraction(value) for name, value in zip("ABCD", points, strict=False)}
    for found in outlook(HeatSoFar(exact, games_left, advance)):
        for lang in ("en", "sv"):
            assert short(found, lang)
            told = sentences(found, lang)
            assert told
            assert not any("{" in line or "  " in line for line in told)
