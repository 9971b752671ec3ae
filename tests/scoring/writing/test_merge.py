"""Entries that waited on a device while others wrote: the choices, and the resulting rows."""

import uuid
from datetime import UTC, datetime

import pytest

from engine.rules.presets import FESTIVAL
from scoring.errors import IllegalEntry, LeaseTaken, ScoringError, SheetConflict
from scoring.models import SheetEntry
from scoring.reading.check import verify_sheet
from scoring.reading.history import Row
from scoring.reading.merge import Take, Tap, merge_of
from scoring.reading.recover import seating_of
from scoring.writing import (
    open_next_sheet,
    reseat,
    return_to_previous,
    settle_waiting,
    sign_off,
    take_lease,
    void_sheet,
)

from ..factories import hand, make_table, none, play, quick_win, ruling, running, sheet_of, trick

pytestmark = pytest.mark.django_db

AT = datetime(2026, 3, 1, 21, 14, tzinfo=UTC)


def taps(*entries, seating=""):
    return tuple(Tap(uuid.uuid4(), entry, AT, seating) for entry in entries)


def turn_seats(sheet, seats, *, follow="player"):
    reseat(
        sheet_id=sheet.pk,
        client_id=uuid.uuid4(),
        seen_version=sheet_of(sheet.table).version,
        author="director",
        seats=seats,
        reason="sat otherwise",
        follow=follow,
    )


def settle(sheet, base, waited, take, **more):
    return settle_waiting(
        **{
            "sheet_id": sheet.pk,
            "seen_version": sheet_of(sheet.table, sheet.number).version,
            "base": base,
            "taps": waited,
            "take": take,
            "author": "test",
            "device": "phone",
            **more,
        }
    )


def rows(sheet):
    found = SheetEntry.objects.filter(sheet=sheet).order_by("sequence")
    return [(row.kind, row.entry["seat"] if row.entry else None) for row in found]


def choices(*entries, base=(), mine, over=False):
    """Return the choices offered if others wrote ``entries`` after ``base``."""
    stored = [Row(n, "entry", entry) for n, entry in enumerate((*base, *entries), 1)]
    merge = merge_of(FESTIVAL, stored, ["a", "b", "c"], 0, len(base), taps(*mine), over=over)
    return [str(choice) for choice in merge.choices]


def test_a_hand_of_one_phase_is_not_offered_for_the_next():
    assert choices(hand(1, 0), mine=[hand(1, 1)]) == ["mine", "theirs"]


def test_both_is_offered_after_a_mere_change_of_scores():
    assert choices(ruling("points", 1, points=3), mine=[hand(1, 1)]) == ["both", "mine", "theirs"]


def test_an_entry_of_one_deal_is_not_offered_for_another():
    deal = [none(1), none(2), trick(0), none(3)]
    # The same phase, one deal later: legal there, and still not offered.
    assert choices(*deal, mine=[hand(1, 1)]) == ["mine", "theirs"]


def test_an_illegal_entry_is_not_offered():
    assert choices(none(1), mine=[trick(0)]) == ["theirs"]


def test_what_would_reopen_a_game_beside_a_later_one_is_not_offered():
    theirs = ruling("points", 1, points=3)
    assert choices(theirs, mine=[hand(1, 1)], over=True) == ["theirs"]


def test_both_sides_list_what_was_taken_back():
    stored = [Row(1, "entry", hand(1, 0)), Row(2, "void", None, 1), Row(3, "entry", hand(1, 1))]
    merge = merge_of(FESTIVAL, stored, ["a", "b", "c"], 0, 1, taps(None, hand(1, 2)))
    assert [slot.entry["seat"] for slot in merge.theirs.gone] == [0]
    assert [(deal, slot.entry["seat"]) for deal, slot in merge.theirs.written] == [(0, 1)]
    assert [slot.entry["seat"] for slot in merge.mine.gone] == [0]
    assert [(deal, slot.entry["seat"]) for deal, slot in merge.mine.written] == [(0, 2)]


def test_choosing_theirs_stores_mine_as_voided_rows():
    table = make_table()
    sheet = running(table)
    play(sheet, hand(1, 3, "flush"))
    settle(sheet, 0, taps(hand(1, 0), hand(2, 1)), Take.THEIRS)
    assert rows(sheet) == [
        *(("entry", 3), ("entry", 0), ("void", None), ("entry", 1), ("void", None)),
    ]
    assert sheet_of(table).state["scores"] == [0, 0, 0, 5]
    assert verify_sheet(sheet_id=sheet.pk)[1]


def test_choosing_mine_takes_theirs_back_but_never_a_ruling():
    table = make_table()
    sheet = running(table)
    play(sheet, hand(1, 3, "flush"), ruling("points", 2, points=4))
    settle(sheet, 0, taps(hand(1, 0), hand(2, 1, "two_pair")), Take.MINE)
    assert sheet_of(table).state["scores"] == [1, 2, 4, 0]
    assert rows(sheet)[2:] == [("void", None), ("entry", 0), ("entry", 1)]
    assert verify_sheet(sheet_id=sheet.pk)[1]


def test_a_waiting_take_back_voids_the_last_entry():
    table = make_table()
    sheet = running(table)
    play(sheet, hand(1, 0, "flush"), hand(2, 3, "flush"))
    settle(sheet, 1, taps(None, hand(1, 1)), Take.MINE)
    assert sheet_of(table).state["scores"] == [0, 1, 0, 0]
    assert verify_sheet(sheet_id=sheet.pk)[1]


def test_the_same_choice_twice_counts_once():
    table = make_table()
    sheet = running(table)
    play(sheet, ruling("points", 2, points=4))
    waited = taps(hand(1, 0))
    for _ in range(2):
        settle(sheet, 0, waited, Take.BOTH)
    assert sheet_of(table).version == 2
    assert sheet_of(table).state["scores"] == [1, 0, 4, 0]


@pytest.mark.parametrize(
    ("theirs", "first", "others"),
    [
        (hand(1, 3), Take.THEIRS, [Take.MINE, Take.BOTH]),
        (hand(1, 3), Take.MINE, [Take.THEIRS, Take.BOTH]),
        (none(1), Take.BOTH, [Take.THEIRS, Take.MINE]),
        # After a mere ruling, two are the same.
        (ruling("points", 2, points=4), Take.MINE, [Take.THEIRS]),
        (ruling("points", 2, points=4), Take.BOTH, [Take.THEIRS]),
    ],
)
def test_another_choice_is_refused_once_one_was_carried_out(theirs, first, others):
    sheet = running(make_table())
    play(sheet, theirs)
    waited = taps(hand(2 if theirs["kind"] == "none" else 1, 0))
    version = settle(sheet, 0, waited, first).version
    for take in Take:
        if take in others:
            with pytest.raises(ScoringError) as refused:
                settle(sheet, 0, waited, take)
            assert refused.value.code == "already_chosen"
        else:
            settle(sheet, 0, waited, take)
    assert sheet_of(sheet.table).version == version


def test_refusals():
    table = make_table()
    sheet = running(table)
    play(sheet, hand(1, 3, "flush"))
    waited = taps(hand(1, 0))
    with pytest.raises(SheetConflict):
        settle(sheet, 0, waited, Take.MINE, seen_version=0)
    with pytest.raises(IllegalEntry):
        settle(sheet, 0, waited, Take.BOTH)
    with pytest.raises(ScoringError) as error:
        settle(sheet, 0, taps(ruling("points", 0, points=9)), Take.MINE)
    assert error.value.code == "ruling_only_director"
    take_lease(sheet_id=sheet.pk, device="other", author="test")
    with pytest.raises(LeaseTaken):
        settle(sheet, 0, waited, Take.MINE)
    assert sheet_of(table).version == 1


def test_after_the_sign_off_entries_are_stored_as_voided_only():
    table = make_table(games=1)
    sheet = running(table)
    play(sheet, quick_win(0))
    sign_off(table_id=table.pk, by="test")
    with pytest.raises(ScoringError) as error:
        settle(sheet, 0, taps(hand(1, 1)), Take.MINE)
    assert error.value.code == "signed_off"
    settle(sheet, 0, taps(hand(1, 1)), Take.THEIRS)
    table.refresh_from_db()
    assert table.signed_at
    assert [kind for kind, _seat in rows(sheet)] == ["entry", "entry", "void"]


def test_on_a_void_sheet_entries_are_stored_as_voided_only():
    table = make_table()
    sheet = running(table)
    play(sheet, hand(1, 3, "flush"))
    void_sheet(sheet_id=sheet.pk, reason="wrong pack")
    waited = taps(hand(2, 1))
    for take in (Take.MINE, Take.BOTH):
        with pytest.raises(ScoringError) as error:
            settle(sheet, 1, waited, take)
        assert error.value.code == "not_running"
    settle(sheet, 1, waited, Take.THEIRS)
    assert rows(sheet) == [("entry", 3), ("entry", 1), ("void", None)]
    assert sheet_of(table).status == "void"
    assert verify_sheet(sheet_id=sheet.pk)[1]


def test_lines_left_on_a_game_that_was_never_played_do_not_make_it_a_played_one():
    table = make_table(games=2)
    play(running(table), quick_win(0))
    sheet = void_sheet(sheet_id=sheet_of(table, 2).pk, reason="wrong pack")
    settle(sheet, 0, taps(hand(1, 1)), Take.THEIRS)
    assert rows(sheet) == [("entry", 1), ("void", None)]
    assert not sheet_of(table, 2).is_written


def test_on_a_waiting_sheet_entries_are_stored_as_voided_only_and_the_game_begins_as_ever():
    table = make_table()
    first = running(table)
    play(first, quick_win(0))
    sheet = open_next_sheet(table_id=table.pk, by="test")
    return_to_previous(table_id=table.pk)
    waited = taps(hand(1, 1))
    with pytest.raises(ScoringError) as error:
        settle(sheet, 0, waited, Take.MINE)
    assert error.value.code == "not_running"
    for _twice in range(2):
        settle(sheet, 0, waited, Take.THEIRS)
    assert rows(sheet) == [("entry", 1), ("void", None)]
    assert sheet_of(table, 2).status == "waiting"
    assert open_next_sheet(table_id=table.pk, by="test").pk == sheet.pk
    # No line of it counts, so the table can still go back.
    assert return_to_previous(table_id=table.pk).pk == first.pk
    sheet = open_next_sheet(table_id=table.pk, by="test")
    play(sheet, hand(1, 2))
    assert rows(sheet)[-1] == ("entry", 2)
    assert verify_sheet(sheet_id=sheet.pk)[1]


@pytest.mark.parametrize(("follow", "scores"), [("player", [0, 6, 0, 0]), ("seat", [6, 0, 0, 0])])
def test_a_waiting_entry_moves_to_another_seat_like_the_entries_before_it(follow, scores):
    table = make_table()
    sheet = running(table)
    play(sheet, hand(1, 0))
    waited = taps(hand(2, 0, "flush"), seating=seating_of(sheet))
    turn_seats(sheet, ["Bo", "Anna", "Cia", "Dag"], follow=follow)
    settle(sheet, 1, waited, Take.BOTH)
    assert sheet_of(table).state["scores"] == scores
    assert verify_sheet(sheet_id=sheet.pk)[1]


def test_an_entry_from_an_unknown_seating_is_stored_as_voided_only():
    table = make_table()
    sheet = running(table)
    waited = taps(hand(1, 0), seating="01234567")
    with pytest.raises(ScoringError) as error:
        settle(sheet, 0, waited, Take.BOTH)
    assert error.value.code == "other_seats"
    settle(sheet, 0, waited, Take.THEIRS)
    assert rows(sheet) == [("entry", 0), ("void", None)]


def test_a_finished_game_cannot_be_reopened_beside_a_running_one():
    table = make_table()
    sheet = running(table)
    play(sheet, quick_win(0))
    open_next_sheet(table_id=table.pk, by="test")
    with pytest.raises(ScoringError) as error:
        settle(sheet, 0, taps(hand(1, 1)), Take.MINE)
    assert error.value.code == "would_reopen"


def test_the_next_game_requested_by_number_is_opened_once():
    table = make_table()
    play(running(table), quick_win(0))
    first = open_next_sheet(table_id=table.pk, by="test", number=2)
    assert open_next_sheet(table_id=table.pk, by="test", number=2).pk == first.pk
