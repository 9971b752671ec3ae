"""Words of the sheet: names in narrow places, points, entries in both languages."""

import doctest
from fractions import Fraction

import pytest
from django.utils import translation

from scoring import errors
from scoring.errors import ScoringError
from scoring.reading import words

from ..factories import chicago, hand, none, ruling, trick

NAMES = ["Anna", "Bo", "Cia"]


def test_the_examples_in_the_documentation_hold():
    assert doctest.testmod(words).failed == 0


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["Anna Berg", "Bo Ek"], ["Anna", "Bo"]),
        (["Anna Berg", "Anna Bark"], ["Anna Be", "Anna Ba"]),
        (["Anna", "Anna Berg"], ["Anna", "Anna B"]),
        (["Anna Berg", "Anna Berg (2)"], ["Anna", "Anna Berg (2)"]),
        (["Player 12", "Anna Ek"], ["Player 12", "Anna"]),
        (["Player 12", "Player 7"], ["Player 12", "Player 7"]),
        ([" ", "x"], [" ", "x"]),
        ([], []),
    ],
)
def test_short_names_stay_different(names, short):
    assert words.short_names(names) == short
    assert len(set(words.short_names(names))) == len(set(names))


@pytest.mark.parametrize(
    ("points", "english", "swedish"),
    [
        (Fraction(20), "20", "20"),
        (Fraction(35, 3), "11.66", "11,66"),
        (Fraction(27, 2), "13.5", "13,5"),
        (Fraction(-7, 2), "−3.5", "−3,5"),
        ("35/3", "11.66", "11,66"),
        (Fraction(0), "0", "0"),
        (Fraction(1, 20), "0.05", "0,05"),
    ],
)
def test_game_points_are_truncated_never_rounded(points, english, swedish):
    assert words.points_text(points) == english
    with translation.override("sv"):
        assert words.points_text(points) == swedish


ENTRIES = [
    (none(1), "Nobody scores", "Ingen får poäng"),
    (hand(1, 0, "full_house"), "Anna: full house", "Anna: kåk"),
    (
        hand(1, 0, "four_of_a_kind", reset=True),
        "Anna: four of a kind, the others to zero",
        "Anna: fyrtal, nollar de andra",
    ),
    (chicago(1), "Bo: Chicago won", "Bo: chicago vunnen"),
    (chicago(1, False), "Bo: Chicago lost", "Bo: chicago förlorad"),
    (chicago(1, False, breaker=2), "Bo: Chicago broken by Cia", "Bo: chicago bruten av Cia"),
    (chicago(0, True, blind=True), "Anna: Blind Chicago won", "Anna: blind chicago vunnen"),
    (
        chicago(0, True, blind=True, deuce=True),
        "Anna: Blind Chicago won with a deuce",
        "Anna: blind chicago vunnen med en tvåa",
    ),
    (chicago(0, False, blind=True), "Anna: Blind Chicago lost", "Anna: blind chicago förlorad"),
    (trick(2), "Cia: last trick", "Cia: sista sticket"),
    (trick(2, deuce=True), "Cia: last trick with a deuce", "Cia: sista sticket med en tvåa"),
    ({"kind": "revoke", "seat": 0}, "Anna did not follow suit", "Anna bekände inte färg"),
    (
        {"kind": "illegal_discard", "seat": 0},
        "Anna exchanged without being allowed to",
        "Anna köpte trots köpstopp",
    ),
    (
        ruling("points", 1, points=-5),
        "Director: Bo −5 (because)",
        "Tävlingsledaren: Bo −5 (because)",
    ),
    (
        ruling("sit_out_deal", 1),
        "Director: Bo sits out this deal (because)",
        "Tävlingsledaren: Bo står över given (because)",
    ),
    (
        ruling("sit_out_game", 1),
        "Director: Bo is out of this game (because)",
        "Tävlingsledaren: Bo är ute ur partiet (because)",
    ),
    (
        ruling("disqualify", 1),
        "Director: Bo is disqualified (because)",
        "Tävlingsledaren: Bo är diskvalificerad (because)",
    ),
    (
        {**ruling("disqualify", 1), "reason": "Disqualified in game 2"},
        "Director: Bo is disqualified (since game 2)",
        "Tävlingsledaren: Bo är diskvalificerad (sedan parti 2)",
    ),
    (ruling("end_game"), "The game was ended (because)", "Partiet avbröts (because)"),
]


@pytest.mark.parametrize(("entry", "english", "swedish"), ENTRIES)
def test_entries_as_lines(entry, english, swedish):
    assert words.entry_text(entry, NAMES) == english
    with translation.override("sv"):
        assert words.entry_text(entry, NAMES) == swedish


@pytest.mark.parametrize("code", sorted(errors.SENTENCES))
def test_every_refusal_speaks_both_languages(code):
    error = ScoringError(code, entries="#1", status="x", **{"from": "a", "to": "b"})
    assert str(error) == error.message("en")
    assert error.message("sv") != error.message("en")
    assert error.as_json("sv")["message"] == error.message("sv")
