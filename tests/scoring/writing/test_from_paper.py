"""Games from paper: totals for a whole game, and who compared them."""

import uuid

import pytest

from engine.totals.totals import problems_of, read_totals
from scoring.enums import AcceptedBy
from scoring.errors import ImpossibleTotals, ScoringError, SheetConflict
from scoring.models import SheetEntry
from scoring.reading.check import verify_sheet
from scoring.reading.games import table_games
from scoring.reading.protocol import protocol_of
from scoring.reading.records import game_records
from scoring.reading.words import ruled_text
from scoring.writing import (
    accept_games,
    compare_with_paper,
    correct_entry,
    reseat,
    sign_off,
    write_from_paper,
)
from tests.scoring.factories import hand, make_table, play, quick_win, sheet_of, write

pytestmark = pytest.mark.django_db


def seat(score, *, executed=False, asterisks=0, out=False, **more):
    return {"score": score, "executed": executed, "asterisks": asterisks, "out": out, **more}


def totals(*scores, win="target", winner=(0,), **more):
    """Return totals in which seat 0 has played a Chicago and wins at 53."""
    scores = scores or (53, 31, 12, 40)
    seats = [seat(score, executed=number == 0) for number, score in enumerate(scores)]
    return {"seats": seats, "win": win, "winner": list(winner), **more}


def enter(sheet, what=None, **more):
    """Write a paper sheet on the current version."""
    sheet = sheet_of(sheet.table, sheet.number)
    values = {"client_id": uuid.uuid4(), "seen_version": sheet.version, "author": "eva"}
    return write_from_paper(sheet_id=sheet.pk, totals=what, **(values | more))


def check(sheet, **more):
    sheet = sheet_of(sheet.table, sheet.number)
    values = {"client_id": uuid.uuid4(), "seen_version": sheet.version, "author": "olle"}
    return compare_with_paper(sheet_id=sheet.pk, **(values | more))


def refusal(call, *args, **more):
    with pytest.raises(ScoringError) as error:
        call(*args, **more)
    return error.value.code


def test_comparing_a_game_leaves_who_accepted_it():
    table = make_table(games=1, auditor="Anna")
    enter(sheet_of(table), totals())
    accept_games(
        table_id=table.pk, player_id="Bo", seen={1: 1}, by="test", means=AcceptedBy.OWN_PAGE
    )
    check(sheet_of(table))
    accepted = protocol_of(table.pk).acceptance.games[0].accepted
    assert [word.player_id for word in accepted] == ["Bo"]


def test_totals_end_the_game_and_rank_like_any_other():
    table = make_table(games=1)
    assert enter(sheet_of(table), totals()).finished
    sheet = sheet_of(table)
    assert (sheet.status, sheet.version) == ("finished", 1)
    rows = protocol_of(table.pk).ranking
    assert [(row.name, str(row.game_points)) for row in rows] == [
        ("Anna", "20"),
        ("Dag", "15"),
        ("Bo", "12"),
        ("Cia", "8"),
    ]
    assert verify_sheet(sheet_id=sheet.pk)[1]


def test_a_game_ended_by_time_is_ranked_by_score():
    table = make_table(games=1)
    enter(
        sheet_of(table),
        {"win": "ended", "seats": [seat(12), seat(40), seat(3), seat(12)]},
    )
    game = table_games(table).games[0]
    assert [row.places for row in game.seats] == [(2, 3), (1, 1), (4, 4), (2, 3)]


def test_impossible_totals_are_refused_seat_by_seat():
    table = make_table()
    wrong = totals()
    wrong["seats"][0]["executed"] = False
    with pytest.raises(ImpossibleTotals) as error:
        enter(sheet_of(table), wrong)
    assert [problem.params["reason"] for problem in error.value.problems] == ["winner_lacks"]
    assert sheet_of(table).version == 0


def test_points_from_rulings_are_taken_into_account():
    table = make_table()
    odd = {"win": "ended", "seats": [seat(-3), seat(40), seat(3), seat(12)]}
    with pytest.raises(ImpossibleTotals):
        enter(sheet_of(table), odd)
    odd["seats"][0] = seat(0)
    odd["seats"][1]["ruled"] = -5
    enter(sheet_of(table), odd)
    game = table_games(table).games[0]
    assert game.from_paper.ruled == (0, -5, 0, 0)
    assert ruled_text(game) == "Bo −5"


def test_totals_sent_twice_are_entered_once():
    table = make_table()
    client_id = uuid.uuid4()
    first = enter(sheet_of(table), totals(), client_id=client_id)
    again = enter(sheet_of(table), totals(), client_id=client_id)
    assert (again.repeated, again.version) == (True, first.version)
    assert SheetEntry.objects.count() == 1


def test_an_older_version_is_refused():
    table = make_table()
    write(sheet_of(table), hand(1, 0))
    with pytest.raises(SheetConflict):
        enter(sheet_of(table), totals(), seen_version=0, reason="paper")


def test_a_begun_sheet_is_replaced_as_a_whole_with_a_reason():
    table = make_table()
    play(sheet_of(table), hand(1, 1), hand(2, 1))
    assert refusal(enter, sheet_of(table), totals()) == "missing_reason"
    enter(sheet_of(table), totals(), reason="the phone died")
    game = table_games(table).games[0]
    assert (game.deals, game.seats[0].score) == ((), 53)
    assert [(item.kind, item.reason) for item in game.corrections] == [("paper", "the phone died")]


def test_voiding_the_totals_restores_the_entries_before_them():
    table = make_table()
    play(sheet_of(table), hand(1, 1, "flush"))
    enter(sheet_of(table), totals(), reason="wrong game")
    correct_entry(
        sheet_id=sheet_of(table).pk,
        client_id=uuid.uuid4(),
        seen_version=2,
        author="eva",
        kind="void",
        sequence=2,
        by_director=True,
    )
    sheet = sheet_of(table)
    assert (sheet.status, sheet.state["scores"]) == ("running", [0, 5, 0, 0])
    assert verify_sheet(sheet_id=sheet.pk)[1]


def test_the_auditors_phone_cannot_take_totals_back():
    table = make_table()
    enter(sheet_of(table), totals())
    sheet = sheet_of(table)
    more = {"client_id": uuid.uuid4(), "seen_version": 1, "author": "link", "kind": "void"}
    assert refusal(correct_entry, sheet_id=sheet.pk, **more) == "ruling_only_director"


def test_totals_follow_players_whose_seats_are_corrected():
    table = make_table()
    enter(sheet_of(table), totals())
    reseat(
        sheet_id=sheet_of(table).pk,
        client_id=uuid.uuid4(),
        seen_version=1,
        author="eva",
        seats=["Bo", "Anna", "Cia", "Dag"],
        reason="they sat otherwise",
    )
    sheet = sheet_of(table)
    assert sheet.state["scores"] == [31, 53, 12, 40]
    assert sheet.state["winners"] == [1]


def test_a_waiting_game_is_opened_when_its_turn_comes():
    table = make_table()
    assert refusal(enter, sheet_of(table, 2), totals()) == "game_running"
    enter(sheet_of(table), totals())
    assert refusal(enter, sheet_of(table, 3), totals()) == "game_order"
    enter(sheet_of(table, 2), totals())
    assert sheet_of(table, 2).status == "finished"


def test_a_game_with_a_disqualified_player_is_entered_deal_by_deal():
    table = make_table()
    out = {"kind": "ruling", "action": "disqualify", "seat": 3, "reason": "cheated"}
    play(sheet_of(table), out, quick_win())
    assert refusal(enter, sheet_of(table, 2), totals()) == "totals_disqualified"
    assert not enter(sheet_of(table, 2)).finished


def test_a_sheet_can_be_continued_deal_by_deal():
    table = make_table(games=1)
    write(sheet_of(table), hand(1, 1))
    enter(sheet_of(table))
    write(sheet_of(table), hand(2, 1, "flush"), author="eva")
    game = table_games(table).games[0]
    assert (game.from_paper.by, game.from_paper.totals, len(game.deals)) == ("eva", False, 1)


def test_a_second_person_compares_it_before_the_table_signs():
    table = make_table(games=1)
    enter(sheet_of(table), totals())
    assert refusal(sign_off, table_id=table.pk, by="eva") == "paper_unchecked"
    assert refusal(check, sheet_of(table), author="eva") == "same_person"
    check(sheet_of(table))
    paper = table_games(table).games[0].from_paper
    assert (paper.checked_by, bool(paper.checked_at)) == ("", True)
    assert sign_off(table_id=table.pk, by="eva").signed_at


def test_a_player_of_the_table_may_be_the_second_person():
    table = make_table(games=1)
    enter(sheet_of(table), totals())
    assert refusal(check, sheet_of(table), author="eva", player="Nobody") == "unknown_player"
    check(sheet_of(table), author="eva", player="Cia")
    assert table_games(table).games[0].from_paper.checked_by == "Cia"


def test_later_entries_require_another_comparison():
    table = make_table(games=1)
    enter(sheet_of(table), totals())
    check(sheet_of(table))
    enter(sheet_of(table), totals(53, 31, 13, 40), reason="13, not 12")
    assert refusal(sign_off, table_id=table.pk, by="eva") == "paper_unchecked"


def test_a_sheet_from_the_phone_needs_no_comparison():
    table = make_table(games=1)
    write(sheet_of(table), quick_win())
    assert refusal(check, sheet_of(table)) == "not_from_paper"


def test_its_record_is_a_totals_document():
    table = make_table(games=1)
    enter(sheet_of(table), totals())
    [(_sheet, record)] = game_records([table])[table.pk]
    assert record["format"] == "chicago-totals"
    assert [each["name"] for each in record["seats"]] == ["Anna", "Bo", "Cia", "Dag"]
    assert problems_of(read_totals(record)) == ()
