"""After a conflict both sides are compared, and a person chooses."""

import uuid

import pytest

from scoring.models import SheetEntry
from scoring.reading.merge import Take
from scoring.writing import void_sheet

from ..factories import hand, none, ruling, running, sheet_of, write
from .phone import TRICKS, Phone, refused
from .test_sync import DEAL, phone, table

pytestmark = pytest.mark.django_db

__all__ = ["phone", "table"]


def test_another_phones_lines_are_a_conflict_and_a_person_chooses(table, phone):
    other = Phone(phone.address)
    other.sync()
    mine = phone.entries(hand(1, 0, "flush"), none(2), follows=None)
    phone.sync(*phone.entries(hand(1, 1)))
    other.sync({"id": str(uuid.uuid4()), "act": "take"})
    answer = other.sync(*mine)
    assert refused(answer) == "conflict"
    assert answer["took"] == []
    sides = answer["refused"]["sides"]
    assert 'data-choice="mine"' in sides["html"]
    chosen = [tap | {"version": sides["version"]} for tap in mine]
    answer = other.sync(*chosen, take="mine")
    assert answer["took"] == [tap["id"] for tap in mine]
    assert sheet_of(table).state["scores"] == [5, 0, 0, 0]
    # The same choice again changes nothing; another one is told.
    rows = SheetEntry.objects.count()
    assert other.sync(*chosen, take="mine")["took"] == answer["took"]
    assert other.sync(*chosen, take="theirs")["told"]
    assert SheetEntry.objects.count() == rows


def test_what_was_not_chosen_stays_as_taken_back(table, phone):
    other = Phone(phone.address)
    other.sync()
    phone.sync(*phone.entries(hand(1, 1)))
    other.sync({"id": str(uuid.uuid4()), "act": "take"})
    mine = other.entries(hand(1, 0, "flush"), follows=None)
    sides = other.sync(*mine)["refused"]["sides"]
    other.sync(*[tap | {"version": sides["version"]} for tap in mine], take="theirs")
    assert [line["kind"] for line in other.lines[1]] == ["entry", "entry", "void"]
    assert [line.get("own", False) for line in other.lines[1]] == [True, False, False]


@pytest.fixture
def conflict(table, phone):
    """Another phone, whose two taps conflict with what the first one wrote meanwhile."""
    other = Phone(phone.address)
    other.sync()
    mine = other.entries(hand(1, 0, "flush"), none(2))
    phone.sync(*phone.entries(hand(1, 1)))
    other.sync({"id": str(uuid.uuid4()), "act": "take"})
    return other, mine


def test_a_choice_that_the_rules_do_not_allow_is_refused(conflict):
    other, mine = conflict
    sides = other.sync(*mine)["refused"]["sides"]
    assert 'data-choice="both"' not in sides["html"]
    chosen = [tap | {"version": sides["version"]} for tap in mine]
    assert refused(other.sync(*chosen, take="both")) == "wrong_phase"


def test_a_choice_made_on_an_older_sheet_is_asked_again(table, conflict):
    other, mine = conflict
    sides = other.sync(*mine)["refused"]["sides"]
    write(running(table), ruling("points", 2, points=5))
    chosen = [tap | {"version": sides["version"]} for tap in mine]
    answer = other.sync(*chosen, take="mine")
    assert refused(answer) == "conflict"
    assert answer["refused"]["sides"]["version"] == sides["version"] + 1


@pytest.mark.parametrize("take", Take)
def test_a_choice_ends_though_the_line_before_is_gone_for_good(table, phone, take):
    """Of a ruling that a restored server has lost, or of a tap that was given up."""
    phone.sync(*phone.entries(*DEAL))
    tap = phone.tap("entry", (1, "exchange", 2), entry=hand(2, 3), follows=str(uuid.uuid4()))
    answer = phone.sync(tap)
    assert refused(answer) == "conflict"
    tap["version"] = answer["refused"]["sides"]["version"]
    answer = phone.sync(tap, take=take)
    # Nothing that both have is taken back by it.
    assert [row.kind for row in SheetEntry.objects.all()][:4] == ["entry"] * 4
    assert sheet_of(table).state["deal"] == 1
    assert answer["took"] == [tap["id"]] or refused(answer) != "conflict"


def test_without_the_lease_nobody_chooses(phone, conflict):
    other, mine = conflict
    sides = other.sync(*mine)["refused"]["sides"]
    phone.sync({"id": str(uuid.uuid4()), "act": "take"})
    chosen = [tap | {"version": sides["version"]} for tap in mine]
    answer = other.sync(*chosen, take="mine")
    assert refused(answer) == "lease_taken"
    assert 'data-do="take"' in answer["refused"]["sides"]["html"]


def test_a_void_game_takes_no_line_but_they_can_be_left(table, phone):
    taps = phone.entries(hand(1, 0))
    void_sheet(sheet_id=sheet_of(table).pk, reason="wrong players")
    answer = phone.sync(*taps)
    assert refused(answer) == "not_running"
    sides = answer["refused"]["sides"]
    assert 'data-choice="theirs"' in sides["html"]
    assert 'data-choice="mine"' not in sides["html"]
    chosen = [tap | {"version": sides["version"]} for tap in taps]
    assert phone.sync(*chosen, take="theirs")["took"] == [taps[0]["id"]]


def test_a_declared_chicago_is_compared_with_nothing(table, phone):
    """What the other side wrote and took back leaves this one's lines, not none."""
    other = Phone(phone.address)
    other.sync()
    mine = other.entries(hand(1, 0, "flush"), none(2))
    mine.append(other.tap("chicago", (0, *TRICKS), seat=1, follows=mine[-1]["id"]))
    phone.sync(*phone.entries(hand(1, 1)))
    phone.sync(phone.tap("back", (0, "exchange", 2), target=phone.last()))
    other.sync({"id": str(uuid.uuid4()), "act": "take"})
    sides = other.sync(*mine)["refused"]["sides"]
    assert 'data-choice="both"' in sides["html"]
    assert not sides["same"]


@pytest.mark.parametrize("act", ["sign", "next"])
def test_a_choice_about_no_line_is_none(phone, act):
    response = phone.post(taps=[{"act": act, "id": str(uuid.uuid4()), "game": 1}], take="mine")
    assert response.status_code == 200


def test_a_phone_whose_clock_is_far_off_is_shown_both_sides(conflict):
    other, mine = conflict
    end = 253402300799000  # the last moment of the year 9999
    assert other.sync(*[tap | {"at": end} for tap in mine])["refused"]["sides"]


def test_a_line_that_the_rules_forbid_now_is_compared_not_dropped(table, phone):
    phone.sync(*phone.entries(hand(1, 0)))
    write(running(table), ruling("disqualify", 1))
    taps = phone.entries(hand(2, 1), follows=phone.last())
    taps[0]["place"]["phase"] = 2
    answer = phone.sync(*taps)
    assert refused(answer) == "seat_out"
    assert 'data-choice="theirs"' in answer["refused"]["sides"]["html"]


def test_what_followed_a_dropped_line_takes_back_none_of_the_phones_own(table, phone):
    """It follows the line before that one, as the page then says (machine.js)."""
    phone.sync(*phone.entries(*DEAL[:3]))
    answer = phone.sync(phone.tap("entry", (1, "exchange", 1), entry=hand(1, 0)))
    html = answer["refused"]["sides"]["html"]
    assert 'data-choice="theirs"' in html
    assert 'data-choice="mine"' not in html
