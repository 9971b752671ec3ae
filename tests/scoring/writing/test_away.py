"""Players called away fold each deal until the floor says that they are back."""

import uuid

import pytest

from engine.sheet.losses import Loss, losses
from scoring.enums import RowKind
from scoring.errors import ScoringError
from scoring.models import SheetEntry
from scoring.reading.check import verify_sheet
from scoring.reading.games import table_games
from scoring.reading.rulings import latest_games, rulings_in, warnings_in
from scoring.reasons import is_away
from scoring.writing import correct_entry, open_next_sheet, set_absent, set_away

from ..factories import (
    hand,
    make_table,
    none,
    play,
    quick_win,
    ruling,
    running,
    sheet_of,
    trick,
    write,
)

pytestmark = pytest.mark.django_db

DEAL = (none(1), none(2), trick(1), none(3))


def away(table, *names):
    return set_away(table_id=table.pk, player_ids=list(names), by="floor")


def sitting(table, number=1):
    return sheet_of(table, number).state["sitting_out"]


def folds(table, number=1):
    rows = sheet_of(table, number).entries.order_by("sequence")
    return [row.entry["seat"] for row in rows if row.entry and is_away(row.entry)]


def take_back(table):
    sheet = running(table)
    return correct_entry(
        kind=RowKind.VOID,
        sheet_id=sheet.pk,
        client_id=uuid.uuid4(),
        seen_version=sheet.version,
        author="auditor",
    )


def test_they_fold_the_running_deal_and_every_later_one():
    table = make_table()
    write(running(table), hand(1, 0))
    away(table, "Anna")
    assert sitting(table) == [True, False, False, False]
    for deal in range(3):
        play(running(table), *(DEAL if deal else DEAL[1:]))
        assert sitting(table) == [True, False, False, False]
    sheet = running(table)
    assert sheet.state["deal"] == 3
    assert sheet.state["scores"] == [1, 15, 0, 0]
    assert folds(table) == [0, 0, 0, 0]
    with pytest.raises(ScoringError):
        write(sheet, hand(1, 0))
    assert verify_sheet(sheet_id=sheet.pk)[1]


def test_the_fold_does_not_hide_what_the_last_entry_cost():
    table = make_table()
    write(running(table), ruling("points", 1, points=42))
    away(table, "Anna")
    play(running(table), hand(1, 1))
    assert folds(table) == [0]
    assert losses(table_games(table).games[0].last_facts) == []
    play(running(table), none(2), trick(1), hand(3, 1, "flush"))
    assert folds(table) == [0, 0]
    short = Loss(1, 48, 0, short=True, out=True)
    assert losses(table_games(table).games[0].last_facts) == [short]


def test_the_result_includes_the_fold_that_came_with_it():
    table = make_table()
    away(table, "Anna")
    result = play(running(table), *DEAL)
    sheet = running(table)
    assert (result.sequence, result.version) == (5, 6)
    assert result.state == sheet.state
    assert sheet.version == 6


def test_a_player_who_is_back_plays_the_deal_if_it_has_no_entry_yet():
    table = make_table()
    away(table, "Anna", "Bo")
    play(running(table), none(1), none(2), trick(2), none(3))
    away(table, "Bo")
    assert sitting(table) == [False, True, False, False]
    write(running(table), none(1))
    away(table)
    assert sitting(table) == [False, True, False, False]
    play(running(table), none(2), trick(0), none(3))
    assert sitting(table) == [False] * 4
    assert sheet_of(table).state["scores"] == [5, 0, 5, 0]


def test_the_auditor_takes_back_the_entry_before_the_fold():
    table = make_table()
    away(table, "Anna")
    play(running(table), *DEAL)
    take_back(table)
    sheet = running(table)
    assert (sheet.state["deal"], sheet.state["stage"]) == (0, "final_hand")
    write(sheet, hand(3, 2, "flush"))
    assert sitting(table) == [True, False, False, False]
    assert sheet_of(table).state["scores"] == [0, 5, 5, 0]
    game = table_games(table).games[0]
    assert game.last is not None
    assert game.last[0] == 1
    assert game.last[1].entry["category"] == "flush"


def test_they_fold_from_the_start_of_the_next_game():
    table = make_table()
    away(table, "Cia")
    write(running(table), quick_win(0))
    open_next_sheet(table_id=table.pk, by="x")
    assert sitting(table, 2) == [False, False, True, False]
    assert folds(table, 2) == [2]


def test_somebody_has_to_stay():
    table = make_table()
    with pytest.raises(ScoringError) as caught:
        away(table, "Anna", "Bo", "Cia", "Dag")
    assert caught.value.code == "nobody_plays"
    away(table, "Anna", "Bo", "Cia")
    # Dag goes home, so only absent players are left; the folds must not go on endlessly.
    set_absent(table_id=table.pk, player_ids=["Dag"], by="floor", reason="")
    before = SheetEntry.objects.count()
    sheet = running(table)
    assert sheet.state["status"] == ["in", "in", "in", "out"]
    assert SheetEntry.objects.count() - before < 5


def test_only_players_of_the_table_can_be_away():
    with pytest.raises(ScoringError) as caught:
        away(make_table(), "Eva")
    assert caught.value.code == "unknown_player"


def test_nobody_is_asked_for_warnings_at_a_table_without_a_director(django_assert_num_queries):
    read = table_games(make_table(directed=False))
    with django_assert_num_queries(0):
        assert warnings_in(read.table, read.games, read.names) == ()


def test_the_table_is_notified_once():
    table = make_table()
    away(table, "Anna")
    for _deal in range(2):
        play(running(table), *DEAL)
    read = table_games(table)
    told = rulings_in(read.table, latest_games(read.games[:1]), read.names)
    assert len(told) == 1
    write(running(table), quick_win(1))
    open_next_sheet(table_id=table.pk, by="x")
    read = table_games(table)
    assert len(rulings_in(read.table, read.games[1:2], read.names)) == 0
