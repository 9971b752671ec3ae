"""Texts of the sheet: short names, points, entries in both languages."""

import doctest
from datetime import datetime
from fractions import Fraction

import pytest
from django.utils import translation
from django.utils.formats import date_format

from engine.messages import texts_in
from scoring import errors
from scoring.errors import ScoringError
from scoring.reading import words
from scoring.reasons import coded

from ..factories import hand, ruling

NAMES = ["Anna", "Bo", "Cia"]


def test_the_documented_examples_are_correct():
    assert doctest.testmod(words).failed == 0


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["Anna Berg", "Bo Ek"], ["Anna", "Bo"]),
        (["Anna Berg", "Anna Bark"], ["Anna Be", "Anna Ba"]),
        (["Anna", "Anna Berg"], ["Anna", "Anna B"]),
        (["Anna Berg", "Anna Berg (2)"], ["Anna", "Anna Berg (2)"]),
        (["Jane O'Neill-Featherstone", "Bo Ek"], ["Jane", "Bo"]),
        (["Jane O’Neill", "Jane Ohlin"], ["Jane O", "Jane Oh"]),
        (["Player 12", "Anna Ek"], ["Player 12", "Anna"]),
        (["Player 12", "Player 7"], ["Player 12", "Player 7"]),
        (["von Ek", "Anna von Ek"], ["von Ek", "Anna"]),
        (["de la Cruz Maria", "de la Cruz Mia"], ["de la Cruz Ma", "de la Cruz Mi"]),
        (["anna berg", "bo"], ["anna", "bo"]),
        ([" ", "x"], [" ", "x"]),
        ([], []),
    ],
)
def test_short_names_stay_distinct(names, short):
    assert words.short_names(names) == short
    assert len(set(words.short_names(names))) == len(set(names))


@pytest.mark.parametrize("language", ["en", "sv"])
@pytest.mark.parametrize("name", ["TIME_FORMAT", "DATETIME_FORMAT", "SHORT_DATETIME_FORMAT"])
def test_clocks_have_24_hours(language, name):
    with translation.override(language):
        assert date_format(datetime(2026, 11, 24, 21, 14), name).endswith("21:14")


def test_the_readers_language_is_the_engines():
    assert words.points_text(Fraction(35, 3)) == "11.66"
    with translation.override("sv-se"):
        assert words.points_text(Fraction(35, 3)) == "11,66"
        assert words.entry_text(hand(1, 0, "full_house"), NAMES) == "Anna: kåk"


def test_a_carried_over_disqualification_is_in_the_readers_language():
    again = {**ruling("disqualify", 1), "reason": coded("disqualified_before", game=2)}
    for language in ("en", "sv"):
        with translation.override(language):
            reason = texts_in(language).reasons["disqualified_before"].format(game=2)
            assert words.entry_text(again, NAMES).endswith(f" ({reason})")


@pytest.mark.parametrize("code", sorted(errors.SENTENCES))
def test_every_refusal_exists_in_both_languages(code):
    values = {"entries": "#1", "status": "x", "most": 4, "game": 2, "from": "a", "to": "b"}
    values |= {"player": "Anna", "players": "Anna, Bo"}
    error = ScoringError(code, **values)
    assert str(error) == error.message("en")
    assert error.message("sv") != error.message("en")
    assert error.as_json("sv")["message"] == error.message("sv")
