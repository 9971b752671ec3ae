"""The chart of a game: steps, lines at 45 and 52, and the same numbers as a table."""

import doctest
import re
from itertools import pairwise

import pytest

from scoring.models import Table
from scoring.reading import race as module
from scoring.reading.games import table_games
from scoring.reading.race import HEIGHT, races_of
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
    for line in race[0].lines:
        assert re.fullmatch(r"M[\d.]+ [\d.]+(H[\d.]+V[\d.]+){2}", line.path)


def test_lines_at_45_and_52(race):
    assert [(mark.score, mark.kind) for mark in race[0].marks] == [(52, "target"), (45, "limit")]


def test_table_has_the_same_numbers(race):
    (only,) = race
    assert only.rows == ((1, (6, 5, 0, 0)), (2, (12, 10, 0, 0)))
    assert "Anna 12" in only.text
    assert only.lines[0].label == "Anna 12"


def test_names_do_not_cover_each_other(race):
    places = sorted(line.label_y for line in race[0].lines)
    assert all(later - earlier >= 12.9 for earlier, later in pairwise(places))
    assert places[-1] <= HEIGHT


def test_names_that_begin_alike_are_told_apart():
    names = ["Christoffer", "Christina", "Maria-Magdalena Ek", "Maria-Magdalina Ek"]
    table = make_table(names)
    play(running(table), hand(1, 0, "flush"))
    read = table_games(Table.objects.get(pk=table.pk))
    [game] = races_of(read.games, read.rules)
    labels = [line.label.rpartition(" ")[0] for line in game.lines]
    assert len(set(labels)) == 4, labels


def test_the_documented_examples_are_correct():
    assert doctest.testmod(module).failed == 0
