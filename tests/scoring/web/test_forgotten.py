"""A whole deal that was played and not written is put in where it belongs."""

import json
import re
import uuid
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from scoring.enums import LinkRole
from scoring.models import SheetEntry
from scoring.reading.games import table_games
from scoring.reading.links import show_token
from scoring.writing import create_link, sign_off
from tests.scoring.factories import (
    hand,
    make_table,
    none,
    play,
    ruling,
    running,
    sheet_of,
    trick,
    write,
)

pytestmark = pytest.mark.django_db

#: As the page sends them.
DEAL = [hand(1, 2, "flush"), none(2), trick(2), hand(3, 3)]


def sent(entries):
    return [json.dumps(entry, sort_keys=True, separators=(",", ":")) for entry in entries]


class Phone:
    """A browser with a table's link."""

    def __init__(self, table, role=LinkRole.AUDITOR):
        link = create_link(table_id=table.pk, role=role, by="test")
        self.token = show_token(link=link)
        self.client = Client()

    def path(self, name, **more):
        return reverse(f"scoring:{name}", kwargs={"token": self.token, **more})

    def ask(self, *entries, deal=2, **more):
        path = self.path("deal_forgotten", game=1, deal=deal)
        return self.client.get(path, {"entry": sent(entries), **more})

    def put_in(self, *entries, deal=2, **more):
        form = {"version": 7, "client_id": str(uuid.uuid4()), "entry": sent(entries)}
        return self.client.post(self.path("deal_inserted", game=1, deal=deal), form | more)


@pytest.fixture
def table():
    """Deal 1 and 2 are written, deal 2 until its tricks; a deal between them was forgotten."""
    table = make_table(games=1)
    play(sheet_of(table), hand(1, 1), none(2), trick(3), hand(3, 0, "two_pair"))
    play(sheet_of(table), hand(1, 0), none(2), trick(1))
    return table


@pytest.fixture
def phone(table):
    return Phone(table)


def dealers(table):
    (game,) = table_games(table, only=[1]).games
    return [(deal.number, deal.dealer, len(deal.entries)) for deal in game.deals]


def test_a_lines_correction_leads_to_the_forgotten_deal(table, phone):
    page = phone.client.get(phone.path("entry_correct", game=1, sequence=6)).text
    assert phone.path("deal_forgotten", game=1, deal=2) in page


def test_each_question_offers_what_the_rules_allow_then(table, phone):
    def values(answer):
        found = re.findall(r'type="radio" name="entry" value="([^"]+)"', answer.text)
        return [json.loads(unescape(each)) for each in found]

    entries: list[dict] = []
    for entry in DEAL:
        answer = phone.ask(*entries)
        assert entry in values(answer)
        phases = {each["phase"] for each in values(answer) if "phase" in each}
        assert phases == {entry.get("phase", 3)}
        entries.append(entry)
    assert values(phone.ask(*entries)) == []
    assert SheetEntry.objects.count() == 7


def test_no_answer_and_an_impossible_one_are_told(table, phone):
    for language in ("en", "sv"):
        with translation.override(language):
            refused = phone.ask(none(1), none(3))
            assert refused.context["forgotten"].refused
            assert 'role="alert"' in refused.text
            assert 'role="alert"' in phone.ask(none(1), asked="1").text
            assert 'role="alert"' not in phone.ask(none(1), asked="0").text


def test_the_preview_shows_scores_and_dealers_and_writes_nothing(table, phone):
    answer = phone.ask(*DEAL)
    rows = answer.context["rows"]
    assert [(row.before[0], row.after[0]) for row in rows] == [(3, 3), (6, 6), (0, 10), (5, 6)]
    (moved,) = answer.context["moved"]
    assert (moved.number, moved.then, moved.dealer, moved.dealer_then) == (2, 3, "Bo", "Cia")
    assert SheetEntry.objects.count() == 7


def test_the_deal_is_put_in_and_later_deals_and_dealers_move_on(table, phone):
    assert dealers(table) == [(1, 0, 4), (2, 1, 3)]
    assert phone.put_in(*DEAL).status_code == 303
    assert dealers(table) == [(1, 0, 4), (2, 1, 4), (3, 2, 3)]
    sheet = sheet_of(table)
    assert (sheet.version, sheet.state["scores"]) == (11, [3, 6, 10, 6])
    assert (sheet.state["deal"], sheet.state["dealer"]) == (2, 2)
    rows = list(sheet.entries.order_by("sequence"))[7:]
    assert [(row.kind, row.target.sequence, row.entry) for row in rows] == [
        ("insert", 5, entry) for entry in DEAL
    ]
    # The game goes on where it was.
    write(sheet, hand(3, 1))
    assert sheet_of(table).state["dealer"] == 3


def test_it_comes_before_the_first_deal_too(table, phone):
    assert phone.put_in(*DEAL, deal=1).status_code == 303
    assert dealers(table) == [(1, 0, 4), (2, 1, 4), (3, 2, 3)]
    assert sheet_of(table).state["scores"] == [3, 6, 10, 6]


def test_tapped_twice_it_is_put_in_once(table, phone):
    same = str(uuid.uuid4())
    answers = [phone.put_in(*DEAL, client_id=same).status_code for _tap in range(2)]
    assert (answers, sheet_of(table).version) == ([303, 303], 11)


def test_half_a_deal_is_not_put_in(table, phone):
    assert phone.put_in(*DEAL[:2]).status_code == 422
    assert phone.put_in(*DEAL, none(1)).status_code == 422
    assert phone.put_in(none(2)).status_code == 422
    assert sheet_of(table).version == 7


def test_another_version_is_a_conflict_and_shows_the_preview_again(table, phone):
    answer = phone.put_in(*DEAL, version=6)
    assert (answer.status_code, sheet_of(table).version) == (409, 7)
    assert answer.context["rows"]


def test_lines_that_become_impossible_are_named_and_taken_back_with_it(table, phone):
    ends = [hand(1, 2, "straight_flush")]
    answer = phone.ask(*ends)
    assert (len(answer.context["later"]), answer.context["ends"]) == (3, True)
    assert answer.context["moved"] == []
    assert phone.put_in(*ends).status_code == 409
    assert phone.put_in(*ends, with_later="1").status_code == 303
    sheet = sheet_of(table)
    assert (sheet.status, sheet.state["winners"]) == ("finished", [2])


def test_a_directors_ruling_stays_with_its_deal(table, phone):
    """The deal begins with a ruling, which the table may not correct."""
    play(sheet_of(table), none(3))
    write(sheet_of(table), ruling("points", 0, points=-2))
    play(sheet_of(table), hand(1, 1))
    assert phone.put_in(*DEAL, deal=3, version=10).status_code == 303
    (game,) = table_games(table, only=[1]).games
    assert [row.entry["kind"] for row in game.deals[3].entries] == ["ruling", "hand"]


def test_a_deal_without_lines_a_reader_and_a_signed_table_are_refused(table, phone):
    assert phone.ask(deal=9).status_code == 409
    assert Phone(table, LinkRole.READER).ask().status_code == 403
    play(sheet_of(table), hand(3, 3, "straight_flush"))
    assert phone.ask(deal=2).status_code == 200
    sign_off(table_id=table.pk, by="test", by_director=True)
    assert phone.ask(deal=2).status_code == 409
    assert phone.put_in(*DEAL, version=8).status_code == 409
    assert sheet_of(table).version == 8


@pytest.mark.parametrize("rules", ["svensk+Q", "pagat", "wikipedia"])
def test_a_chicago_deal_asks_for_its_final_hand_where_that_scores(rules):
    table = make_table(rules=rules)
    last = 2 if rules == "wikipedia" else 3
    before = [none(phase) for phase in range(1, last)]
    rich = [ruling("points", seat, points=20) for seat in range(4)]
    play(running(table), *rich, *before, trick(0), none(last))
    play(running(table), hand(1, 1))
    chicago = {"kind": "chicago", "seat": 0, "won": True}
    phone = Phone(table)
    asked = phone.ask(*before, chicago)
    assert not asked.context["forgotten"].is_whole
    whole = [*before, chicago, hand(last, 2)]
    assert phone.put_in(*whole, version=sheet_of(table).version).status_code == 303
    assert sheet_of(table).state["asterisks"] == [1, 0, 0, 0]
