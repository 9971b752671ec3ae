"""Any line of the running game can be corrected at the table."""

import uuid

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from scoring.enums import LinkRole, RowKind
from scoring.models import SheetEntry
from scoring.reading.links import show_token
from scoring.writing import create_link, open_next_sheet, sign_off
from tests.scoring.factories import (
    hand,
    make_table,
    none,
    play,
    quick_win,
    ruling,
    sheet_of,
    trick,
    write,
)
from tests.scoring.web.phone import tapped, told_by

pytestmark = pytest.mark.django_db

FLUSH = '{"category":"flush","kind":"hand","phase":1,"seat":2}'


class Phone:
    """A browser with a table's link."""

    def __init__(self, table, role=LinkRole.AUDITOR):
        link = create_link(table_id=table.pk, role=role, by="test")
        self.token = show_token(link=link)
        self.client = Client()

    def path(self, name, **more):
        return reverse(f"scoring:{name}", kwargs={"token": self.token, **more})

    def page(self):
        return self.client.get(self.path("table_detail")).text

    def correct(self, sequence, game=1, **fields):
        sent = {"kind": "amend", "entry": FLUSH, "version": 0, "client_id": str(uuid.uuid4())}
        path = self.path("entry_corrected", game=game, sequence=sequence)
        return self.client.post(path, sent | fields)


@pytest.fixture
def table():
    table = make_table()
    play(sheet_of(table), hand(1, 1), none(2), trick(3), hand(3, 0, "two_pair"))
    return table


@pytest.fixture
def phone(table):
    return Phone(table)


def test_every_line_of_the_game_can_be_corrected_by_whoever_keeps_the_score(table, phone):
    paths = [phone.path("entry_correct", game=1, sequence=number) for number in (1, 2, 3, 4)]
    assert {phone.client.get(path).status_code for path in paths} == {200}
    assert "data-correct" not in Phone(table, LinkRole.READER).page()


def test_the_preview_shows_the_scores_and_writes_nothing(table, phone):
    answer = phone.correct(1, version=4)
    rows = answer.context["rows"]
    assert [(row.before[0], row.after[0]) for row in rows] == [(2, 2), (1, 0), (0, 5), (5, 5)]
    assert SheetEntry.objects.count() == 4


def test_a_line_is_changed(table, phone):
    assert phone.correct(1, version=4, sure="1").status_code == 303
    sheet = sheet_of(table)
    assert sheet.state["scores"] == [2, 0, 5, 5]
    row = sheet.entries.get(sequence=5)
    assert (row.kind, row.target.sequence, row.author_link is not None) == ("amend", 1, True)


def test_a_line_is_inserted_before_another(table, phone):
    first = '{"category":"pair","kind":"hand","phase":1,"seat":0}'
    # Before the deal's first entry nothing else in its phase is possible.
    assert phone.correct(1, version=4, kind="insert", entry=first).context["later"]
    assert phone.correct(1, version=4, kind="insert", entry=first, sure="1").status_code == 409
    phone.correct(1, version=4, kind="insert", entry=first, sure="1", with_later="1")
    assert sheet_of(table).state["scores"][0] > 0


def test_a_line_is_removed_with_those_it_makes_impossible(table, phone):
    answer = phone.correct(1, version=4, kind="void", entry="")
    assert len(answer.context["later"]) == 3
    assert phone.correct(1, version=4, kind="void", entry="", sure="1").status_code == 409
    done = phone.correct(1, version=4, kind="void", entry="", sure="1", with_later="1")
    assert done.status_code == 303
    assert sheet_of(table).state["scores"] == [0, 0, 0, 0]


def test_other_phones_show_the_correction_for_a_deal(table, phone):
    reader = Phone(table, LinkRole.READER)
    assert "notice-warning corrected" not in reader.page()
    phone.correct(1, version=4, sure="1")
    for entry in (hand(1, 0), none(2), trick(0), none(3)):
        assert "notice-warning corrected" in reader.page()
        play(sheet_of(table), entry)
    assert "notice-warning corrected" not in reader.page()


def test_a_correction_names_its_deal(table, phone):
    play(sheet_of(table), hand(1, 0), none(2))
    phone.correct(1, version=6, sure="1")
    with translation.override("en"):
        told = Phone(table, LinkRole.READER).page().split("notice-warning corrected")[1]
    assert "deal 1)" in told.split("</p>")[0]


@pytest.mark.parametrize(("kind", "entry"), [("void", ""), ("insert", '{"kind":"none","phase":1}')])
def test_a_correction_says_whether_a_line_was_added_or_taken_back(table, phone, kind, entry):
    phone.correct(1, version=4, kind=kind, entry=entry, sure="1", with_later="1")
    with translation.override("en"):
        told = Phone(table, LinkRole.READER).page().partition("notice-warning corrected")[2]
    assert f"({RowKind(kind).label}" in told


def test_taking_back_is_not_a_correction(table, phone):
    address = phone.path("table_detail")
    last = told_by(phone.client, address)["lines"]["1"][-1]["id"]
    assert tapped(phone.client, address, "back", game=1, target=last)["took"]
    assert sheet_of(table).version == 5
    assert "notice-warning corrected" not in Phone(table, LinkRole.READER).page()


def test_a_correction_sent_twice_is_made_once(table, phone):
    same = str(uuid.uuid4())
    for _time in range(2):
        assert phone.correct(1, version=4, sure="1", client_id=same).status_code == 303
    assert SheetEntry.objects.count() == 5


def test_a_correction_of_an_older_version_has_to_be_confirmed(table, phone):
    answer = phone.correct(1, version=3, sure="1")
    assert answer.status_code == 409
    assert answer.context["form"]["version"].value() == "4"
    assert answer.context["form"]["entry"].value() == FLUSH


def test_an_illegal_correction_is_refused(table, phone):
    answer = phone.correct(1, version=4, entry='{"kind":"last_trick","seat":1}')
    assert list(answer.context["form"].errors) == ["entry"]


def test_the_directors_rulings_cannot_be_corrected_at_the_table(table, phone):
    write(sheet_of(table), ruling("points", 1, points=-5))
    answer = phone.client.get(phone.path("entry_correct", game=1, sequence=5))
    assert answer.status_code == 403


def test_after_the_sign_off_only_the_director_corrects():
    table = make_table(games=1)
    write(sheet_of(table), quick_win())
    phone = Phone(table)
    sign_off(table_id=table.pk, by="test")
    assert phone.correct(1, version=1, sure="1").status_code == 409


def test_an_earlier_game_cannot_be_corrected_at_the_table():
    table = make_table()
    write(sheet_of(table), quick_win())
    open_next_sheet(table_id=table.pk, by="test")
    phone = Phone(table)
    assert phone.client.get(phone.path("entry_correct", game=1, sequence=1)).status_code == 409


def test_the_preview_names_lines_that_would_count_in_another_deal(table, phone):
    play(sheet_of(table), none(1), none(2), trick(0), hand(3, 1, "flush"))
    answer = phone.correct(4, version=8, kind="void", entry="")
    assert [deal for _line, deal in answer.context["moved"]] == [1]
    assert len(answer.context["later"]) == 3
