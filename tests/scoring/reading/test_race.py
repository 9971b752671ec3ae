"""The chart of a game: steps, lines at 45 and 52, and the same numbers as a table."""

import doctest
import re
from itertools import pairwise

import pytest

from scoring.models import Table
from scoring.pictures import chart
from scoring.pictures.chart import BOTTOM, GAP, HEIGHT
from scoring.pictures.race import race_picture
from scoring.pictures.shapes import Line, Text
from scoring.pictures.svg import svg
from scoring.reading import race as module
from scoring.reading.games import table_games
from scoring.reading.race import races_of
from tests.scoring.factories import hand, make_table, none, play, running, trick

pytestmark = pytest.mark.django_db


@pytest.fixture
def race():
    table = make_table(rules="festival")
    sheet = running(table)
    for _deal in range(2):
        play(sheet, hand(1, 0, "flush"), none(2), trick(1), hand(3, 0, "pair"))
    read = table_games(Table.objects.get(pk=table.pk))
    return races_of(read.games, read.rules)


def test_only_games_that_have_begun_are_drawn(race):
    assert [each.number for each in race] == [1]


def test_lines_are_steps_only(race):
    drawn = svg(race_picture(race[0]), name="race-1")
    lines = re.findall(r'class="w-line-\d" d="([^"]+)"', drawn)
    assert len(lines) == 4
    for line in lines:
        assert re.fullmatch(r"M[\d.]+ [\d.]+(H[\d.]+V[\d.]+){2}", line)


def test_lines_at_45_and_52(race):
    assert race[0].marks == ((52, "target"), (45, "limit"))
    drawn = svg(race_picture(race[0]), name="race-1")
    assert drawn.count('class="w-target"') == drawn.count('class="w-limit"') == 1


def test_a_picture_is_the_same_to_the_byte_and_says_what_it_shows(race):
    first, second = (svg(race_picture(race[0]), name="race-1") for _time in range(2))
    assert first == second
    assert 'role="img" aria-labelledby="race-1-title race-1-text"' in first
    assert f'<desc id="race-1-text">{race[0].text}</desc>' in first
    assert "<text" in first
    assert "<title>" not in first.split("<text", 1)[1]


def test_table_has_the_same_numbers(race):
    (only,) = race
    assert only.rows == ((1, (6, 5, 0, 0)), (2, (12, 10, 0, 0)))
    assert "Anna 12" in only.text
    assert only.labels[0] == "Anna 12"


def test_names_do_not_cover_each_other(race):
    shapes = race_picture(race[0]).shapes
    names = [shape for shape in shapes if isinstance(shape, Text) and "line" in shape.kind]
    assert len(names) == sum(isinstance(shape, Line) for shape in shapes) == 4
    places = sorted(name.y for name in names)
    assert all(later - earlier >= GAP - 0.1 for earlier, later in pairwise(places))
    assert places[-1] <= HEIGHT - BOTTOM + 4


def test_names_that_begin_alike_are_told_apart():
    names = ["Christoffer", "Christina", "Maria-Magdalena Ek", "Maria-Magdalina Ek"]
    table = make_table(names)
    play(running(table), hand(1, 0, "flush"))
    read = table_games(Table.objects.get(pk=table.pk))
    [game] = races_of(read.games, read.rules)
    labels = [label.rpartition(" ")[0] for label in game.labels]
    assert len(set(labels)) == 4, labels


def test_the_documented_examples_are_correct():
    assert doctest.testmod(module).failed == doctest.testmod(chart).failed == 0
