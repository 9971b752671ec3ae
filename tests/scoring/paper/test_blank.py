"""The blank protocol: room to write, and a reminder of what everything is worth."""

from itertools import pairwise

import pytest

from engine.messages import checksum_text, reminder_lines
from engine.rules.variants import parse_rules
from scoring.paper import Labels, PaperHeat, empty_protocols_pdf, layout
from scoring.paper.paper import BOTTOM, LEFT, RIGHT
from tests.scoring.paper import eyes

FIRST_ROW = layout.first_top() + layout.TITLE_BAND + layout.CAPTION_BAND
NO_LABELS = Labels()
NAMES = ("Åsa Bergström", "Łukasz Wiśniewski", "Jørgen Weiß-Sørensen")


def paper_heat(names=("",) * 4, *, labels=NO_LABELS, rules="festival", games=3, **how):
    return PaperHeat(labels, tuple(names), parse_rules(rules), games, **how)


def blank_pdf(language, names=("",) * 4, **how):
    return empty_protocols_pdf([paper_heat(names, **how)], language=language)


def lines_down(picture, x, top, bottom):
    """Return where (mm) dark lines cross the vertical at ``x``."""
    dots = picture.width / 210
    column = eyes.cut(picture, x, top, 0.3, bottom - top)
    dark = [column.getpixel((0, y)) < 160 for y in range(column.height)]
    starts = [y for y in range(1, len(dark)) if dark[y] and not dark[y - 1]]
    return [top + y / dots for y in starts]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("language", ["en", "sv"])
def test_three_games_fit_one_page(seats, language):
    pdf = blank_pdf(language, ("",) * seats)
    assert len(eyes.reader(pdf).pages) == 1
    assert eyes.margins_are_clean(eyes.pictures(pdf, scale=2)[0])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_rows_are_at_least_twelve_millimetres_high(seats):
    picture = eyes.pictures(blank_pdf("en", ("",) * seats), scale=6)[0]
    end = FIRST_ROW + seats * layout.row_height(seats)
    # Between two marks of the scale only the rows' own lines cross.
    x = layout.X_FENCE + layout.FENCE_PAD + 2.5 * layout.UNIT
    lines = lines_down(picture, x, FIRST_ROW - 1, end + 1)
    assert len(lines) == seats + 1
    gaps = [after - before for before, after in pairwise(lines)]
    assert all(gap >= 12 for gap in gaps)


def test_the_tally_fields_are_eleven_centimetres_wide():
    picture = eyes.pictures(blank_pdf("en"), scale=6)[0]
    row = eyes.cut(picture, LEFT, FIRST_ROW + 5, RIGHT - LEFT, 0.3)
    dots = picture.width / 210
    dark = [row.getpixel((x, 0)) < 110 for x in range(row.width)]
    lines = [x / dots for x in range(1, len(dark)) if dark[x] and not dark[x - 1]]
    left = min(lines, key=lambda x: abs(x - layout.NAME))
    right = min(lines, key=lambda x: abs(x - layout.NAME - layout.FENCE))
    assert right - left >= 109.9


def test_the_scale_is_above_the_field():
    words = eyes.text(blank_pdf("en"))
    assert words.count("10 20 30 40 45 50 52") == 3


def test_names_are_printed_where_given_and_nowhere_else():
    words = eyes.text(blank_pdf("sv", NAMES))
    for name in NAMES[:2]:
        assert words.count(name) == 3 + 1  # In each game, and below a line to sign on.
    empty = eyes.text(blank_pdf("sv", ("",) * 3))
    assert not any(name in empty for name in NAMES)
    assert empty.count("Spelare") == 3  # Below the lines to sign on.


def test_every_name_gets_a_row():
    pdf = blank_pdf("en", (*NAMES, "Dag"))
    assert eyes.text(pdf).count("Dag") == 4


def test_drawn_seats_are_in_each_games_own_order():
    seating = (("Anna", "Bo", "Cia"), ("Cia", "Anna", "Bo"), ("Bo", "Cia", "Anna"))
    words = eyes.text(blank_pdf("en", seating[0], seating=seating))
    at = words.index("Game 2")
    assert words.index("Cia", at) < words.index("Anna", at) < words.index("Bo", at)
    assert words.index("Anna") < words.index("Bo") < words.index("Cia") < at


def test_the_head_is_filled_in_or_left_blank():
    labels = Labels(
        event_name="SM i Chicago", heat_label="Heat 7", table_label="Bord 2", day="söndag"
    )
    words = eyes.text(blank_pdf("sv", labels=labels, auditor="Örjan"))
    for part in ("SM i Chicago", "Heat 7", "Bord 2", "söndag", "Örjan"):
        assert part in words
    assert "Heat Heat" not in words


@pytest.mark.parametrize("language", ["en", "sv"])
@pytest.mark.parametrize("spec", ["festival", "wikipedia"])
def test_the_reminder_matches_the_rule_set(spec, language):
    words = eyes.text(blank_pdf(language, rules=spec))
    rules = parse_rules(spec)
    for label, text in reminder_lines(rules, 4, language):
        assert f"{label} {text}" in words
    assert checksum_text(rules, 4, 3, language) in words


def test_the_scale_marks_another_target():
    assert "50 51" not in eyes.text(blank_pdf("en", rules="svensk"))
    words = eyes.text(blank_pdf("en", rules="svensk+V48"))
    assert "40 48 50" in words


def test_many_games_continue_on_further_pages():
    pdf = blank_pdf("en", games=7)
    assert len(eyes.reader(pdf).pages) == 2
    assert all(eyes.margins_are_clean(picture) for picture in eyes.pictures(pdf))
    assert "Game 7" in eyes.text(pdf, 1)
    assert "Heat ____" in eyes.text(pdf, 1)


def test_a_stack_for_many_heats():
    heats = [
        paper_heat(labels=Labels(event_name="SM", heat_label=number, public_url=url), names=names)
        for number, names, url in (
            ("1", NAMES, ""),
            ("2", (*NAMES, "Dag"), ""),
            ("3", ("",) * 4, "https://example.org/3/"),
        )
    ]
    pdf = empty_protocols_pdf(heats, language="en")
    assert len(eyes.reader(pdf).pages) == 3
    pictures = eyes.pictures(pdf, scale=2)
    assert all(eyes.margins_are_clean(picture) for picture in pictures)
    inks = [eyes.ink(eyes.cut(picture, RIGHT - 18, BOTTOM - 34, 18, 16)) for picture in pictures]
    assert inks[2] > 3 * max(inks[:2])


def test_the_same_sheet_gives_the_same_bytes():
    assert blank_pdf("sv") == blank_pdf("sv")


@pytest.mark.parametrize("seats", [1, 5])
def test_impossible_tables_are_refused(seats):
    with pytest.raises(ValueError, match="seats"):
        blank_pdf("en", ("",) * seats)


def test_a_print_of_nothing_is_refused():
    with pytest.raises(ValueError, match="no protocols"):
        empty_protocols_pdf([], language="en")
