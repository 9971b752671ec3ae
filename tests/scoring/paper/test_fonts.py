"""Names of any script, length and strangeness are set on one line that fits."""

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.pdfbase import pdfmetrics

from scoring.paper import fonts, library

ANY = st.text(alphabet=st.characters(exclude_categories=()), max_size=60)
FACES = st.sampled_from([fonts.REGULAR, fonts.BOLD, fonts.ITALIC])


@pytest.mark.parametrize(
    "name",
    [
        "Åsa Öhman Ærø ßen",
        "Łukasz Gąsior Żółć",
        "Čeněk Ďuriš Škvorecký",
        "Őze Űjvári",
        "Ðóra Þórsdóttir",
        "Nguyễn Thị Hạnh",
        "Σωκράτης Καλλής",
        "Жанна Йовович Ђокић",
        "♥♠♦♣ ✓ → − …",
    ],
)
@pytest.mark.parametrize("face", [fonts.REGULAR, fonts.BOLD, fonts.ITALIC])
def test_real_glyphs_exist(name, face):
    runs = fonts.line(name, face).runs
    assert "".join(part for _, part in runs) == name
    assert fonts.MISSING not in name


def test_combining_letters_are_composed():
    assert fonts.clean("A\u030asa O\u0308hman") == "Åsa Öhman"


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("a\nb\tc", "a b c"),
        ("  a   b ", "a b"),
        ("a\u202eb\u200d\ufe0f", "ab"),
        ("\ud800x", "\ufffdx"),
        ("a\x00b", "a b"),
        ("", ""),
        (12, "12"),
    ],
)
def test_invisible_characters_are_dropped(raw, cleaned):
    assert fonts.clean(raw) == cleaned


def test_unknown_scripts_are_shown_as_boxes():
    runs = fonts.line("தமிழ் 😀").runs
    assert fonts.MISSING in "".join(part for _, part in runs)
    assert not fonts.line("தமிழ்").faithful


def in_order(text):
    """Return the letters as drawn from left to right, without their joined forms."""
    return ["".join(part) for part, _ in fonts.stretches(text)]


def test_hebrew_is_reversed_and_latin_is_not():
    assert fonts.line("שרה").runs[0][1] == "הרש"
    assert list(fonts.stretches("Sara שרה")) == [("Sara ", False), ("שרה", True)]
    assert in_order("Anna-Lena 12") == ["Anna-Lena 12"]
    assert in_order("שרה 12 לוי") == [" לוי", "12", "שרה "]


def test_arabic_letters_are_joined():
    name = "محمد عبد الله"
    (font, drawn), *rest = fonts.line(name).runs
    assert not rest
    apart = sum(library.width(letter, font) for letter in name)
    assert library.width(drawn, font) < apart * 0.9
    assert fonts.MISSING not in drawn


def test_marks_stay_above_their_letters():
    (_, drawn), *_ = fonts.line("ที่").runs
    assert isinstance(drawn, library.ShapedStr)


def test_chinese_japanese_and_korean_use_the_readers_fonts():
    used = {font for font, _ in fonts.line("王 こ 김").runs}
    assert {"HeiseiKakuGo-W5", "HYGothic-Medium"} <= used


@pytest.mark.parametrize("face", [fonts.REGULAR, fonts.BOLD, fonts.ITALIC])
def test_figures_have_equal_width(face):
    fonts.fonts()
    assert len({round(pdfmetrics.stringWidth(digit, face, 10), 6) for digit in "0123456789"}) == 1


def test_long_names_are_set_smaller_then_truncated():
    assert fonts.fit("Bo", fonts.BOLD, 10, 100).size == 10
    smaller = fonts.fit("Maximilian Hohenstaufen", fonts.BOLD, 10, 105)
    assert smaller.text == "Maximilian Hohenstaufen"
    assert 7.5 <= smaller.size < 10
    shorter = fonts.fit("Maximilian Hohenstaufen", fonts.BOLD, 10, 60)
    assert shorter.text.endswith("…")
    assert shorter.size == 7.5


def test_wrapped_text_ends_in_an_ellipsis_when_it_does_not_fit():
    lines = fonts.wrap("one two three four five six seven", fonts.REGULAR, 10, 40, 2)
    assert len(lines) == 2
    assert lines[1].text.endswith("…")


@pytest.mark.parametrize("tail", [0, 30])
def test_a_name_keeps_every_letter_if_a_smaller_size_fits(tail):
    name = "Wilhelmina Alexandra von Schantz af Rosenborg-Lejonhufvudsdotter-Ehrenkrona"
    lines = fonts.whole(name, fonts.BOLD, 84, ((9, 2), (7, 3), (5, 4)), tail)
    assert "".join(line.text for line in lines).replace(" ", "") == name.replace(" ", "")
    assert all(line.width <= 84 for line in lines)
    assert lines[-1].width + tail <= 84
    assert [line.text for line in fonts.whole("Bo Ek", fonts.BOLD, 84, ((9, 2),))] == ["Bo Ek"]
    assert fonts.whole("M" * 99, fonts.BOLD, 84, ((9, 2),))[-1].text.endswith("…")


def test_a_name_of_one_long_word_is_broken_before_it_gets_tiny():
    name = "Wolfeschlegelsteinhausenbergerdorff"
    for lines in (
        fonts.whole(name, fonts.BOLD, 84, ((9, 3), (3, 1))),
        fonts.wrap(name, fonts.BOLD, 9, 84, 3),
    ):
        assert "".join(line.text for line in lines) == name
        assert lines[0].size == 9
        assert all(line.width <= 84 for line in lines)


def test_two_lines_are_balanced():
    text = "ahead of Dag Öhman on game points, 46.66 to 38"
    first, second = fonts.balanced(text, fonts.REGULAR, 7.4, 145)
    assert second.width > first.width * 0.45
    assert f"{first.text} {second.text}" == text


@settings(max_examples=300, deadline=None)
@given(text=ANY, face=FACES, size=st.floats(5, 20), room=st.floats(1, 300))
def test_any_text_fits_any_width(text, face, size, room):
    line = fonts.fit(text, face, size, room)
    # At least an ellipsis is drawn.
    least = fonts.width("…", face, size * 0.75)
    assert line.width <= max(room, least) + 0.01
    for each in fonts.wrap(text, face, size, room, 2):
        assert each.width <= max(room, fonts.width("…", face, size * 0.8)) + 0.01


@settings(max_examples=300, deadline=None)
@given(text=ANY)
def test_every_drawn_character_is_in_the_font_that_draws_it(text):
    loaded = fonts.fonts()
    for font, part in fonts.line(text).runs:
        if font in loaded:
            assert all(ord(char) in loaded[font].face.charToGlyph for char in part)


def test_measuring_loads_only_the_faces_that_a_text_needs():
    measure = """
import sys
import django
django.setup()
from scoring.paper import fonts
fonts.width("Åsa Ek 12", fonts.BOLD)
print(*[name for name in sys.modules if name.startswith("pymupdf_fonts.")])
"""
    command = [sys.executable, "-c", measure]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    found = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert found.stdout == "pymupdf_fonts.FiraGO_Bold\n"
