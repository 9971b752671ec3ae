"""From stored rows to paper: the protocol of a table that was actually played."""

import uuid

import pytest

from engine.messages import win_text, zeroed_text
from scoring.enums import RowKind
from scoring.models import Table
from scoring.paper import Labels, empty_protocols_pdf, paper_heat_of, protocol_pdf, protocols_pdf
from scoring.reading.protocol import protocol_of
from scoring.writing import correct_entry, open_next_sheet
from tests.scoring.factories import (
    chicago,
    hand,
    make_table,
    none,
    play,
    quick_win,
    ruling,
    running,
    trick,
)
from tests.scoring.paper import eyes

NAMES = ("Åsa", "Łukasz", "Jørgen", "Weiß")

pytestmark = pytest.mark.django_db


def played_table():
    """Return a table with one game won by a royal flush and one under way."""
    table = make_table(NAMES)
    play(
        running(table),
        hand(1, 0, "two_pair"),
        none(2),
        trick(2, deuce=True),
        hand(3, 2, "three_of_a_kind"),
        none(1),
        hand(2, 2, "flush"),
        chicago(2),
        hand(1, 1, "royal_flush", suit="H"),
    )
    open_next_sheet(table_id=table.pk, by="test")
    play(running(table), hand(1, 3, "pair"))
    return table


def test_a_played_table():
    table = played_table()
    pdf = protocol_pdf(
        table.pk,
        Labels(
            event_name="Festivalen",
            day="Saturday",
            table_label="3",
            public_url="https://example.org/heat/12/",
        ),
        language="en",
        with_deals=True,
    )
    words = eyes.text(pdf)
    code = protocol_of(table.pk).code
    for part in (
        "Festivalen",
        "Saturday",
        "Heat 12",
        code,
        f"Łukasz {win_text('royal_flush', deal=3, suit='♥')}",
        zeroed_text(33, "royal_flush", 3),
        "11.66",
        "= 11 2/3",
        "55 ✓",
        "PROVISIONAL",
        "Weiß: pair +1",
        "Jørgen: Chicago won +15",
    ):
        assert part in words
    assert all(eyes.margins_are_clean(picture) for picture in eyes.pictures(pdf))


def test_an_entry_taken_back_is_listed_and_changes_the_code():
    table = played_table()
    before = protocol_of(table.pk).code
    sheet = running(table)
    correct_entry(
        kind=RowKind.VOID,
        sheet_id=sheet.pk,
        client_id=uuid.uuid4(),
        seen_version=1,
        author="revisor",
        reason="misread",
    )
    words = eyes.text(protocol_pdf(table.pk, Labels(), language="sv"))
    assert "parti 2, rad 1 ångrad: Weiß: par" in words
    assert "misread" in words
    assert before not in words
    assert protocol_of(table.pk).code in words


def test_a_table_of_a_heat_is_called_by_its_number():
    table = make_table(NAMES, label="Festivalen 2026", heat_number=3)
    assert paper_heat_of(table.pk, Labels(event_name="Festivalen 2026")).labels.heat_label == "3"
    title = eyes.reader(
        protocol_pdf(table.pk, Labels(event_name="Festivalen 2026"), language="en")
    ).metadata.title
    assert title.endswith("Heat 3, Festivalen 2026")


def test_a_table_not_begun_prints_too():
    table = make_table(NAMES)
    pdf = protocol_pdf(table.pk, Labels(), language="sv")
    words = eyes.text(pdf)
    assert "PRELIMINÄRT" in words
    assert words.count("inte påbörjat") == 2


def test_other_seat_counts_and_rules():
    for names, rules in ((NAMES[:2], "svensk+R"), (NAMES[:3], "pagat")):
        table = make_table(names, rules=rules, label=f"Kitchen {rules}")
        words = eyes.text(protocol_pdf(table.pk, Labels(), language="en"))
        assert rules in words
        assert all(name in words for name in names)


def test_many_tables_in_one_file(django_assert_max_num_queries):
    tables = [make_table(NAMES, label=f"Heat {n}") for n in (1, 2, 3)]
    play(running(tables[0]), quick_win())
    labels = Labels(event_name="Festivalen")
    # Plus one for who accepted when.
    with django_assert_max_num_queries(6 * len(tables) + 1):
        pdf = protocols_pdf([(table.pk, labels) for table in tables], language="en")
    assert len(eyes.reader(pdf).pages) == 3
    assert [item.title for item in eyes.reader(pdf).outline] == ["Heat 1", "Heat 2", "Heat 3"]


def test_drawn_seats_on_a_blank_sheet():
    orders = [NAMES, NAMES[::-1], NAMES[2:] + NAMES[:2]]
    table = make_table(NAMES, seat_plan=[list(order) for order in orders])
    heat = paper_heat_of(table.pk, Labels(event_name="Festivalen"))
    assert heat.seating == tuple(orders)
    assert heat.labels.heat_label == "Heat 12"
    words = eyes.text(empty_protocols_pdf([heat], language="sv"))
    at = words.index("Parti 2")
    assert words.index("Weiß", at) < words.index("Åsa", at)


def test_a_blank_sheet_has_the_tables_own_rules():
    own = {"game_points": [9, 4, 2]}
    table = make_table(NAMES[:3], rules="sm", overrides=own, games=2)
    words = eyes.text(empty_protocols_pdf([paper_heat_of(table.pk, Labels())], language="en"))
    assert "9/4/2" in words
    assert "Game 2" in words
    assert "Game 3" not in words


def test_no_such_table():
    with pytest.raises(Table.DoesNotExist):
        protocol_pdf(0, Labels(), language="en")


@pytest.mark.parametrize("rules", ["festival", "sm"])
def test_a_ruling_stands_on_the_protocol_without_its_deals(rules):
    table = make_table(NAMES, rules=rules)
    play(running(table), hand(1, 0), ruling("points", 2, points=-5))
    said = eyes.text(protocol_pdf(table.pk, Labels(), language="sv"))
    assert "(Parti 1, giv 1)" in said.partition("Domslut")[2]


@pytest.mark.parametrize("directed", [True, False])
def test_a_director_signs_only_where_there_is_one(directed):
    table = make_table(directed=directed)
    words = eyes.text(protocol_pdf(table.pk, Labels(), language="en"))
    assert ("Tournament director" in words) == directed


@pytest.mark.parametrize("directed", [True, False])
def test_a_kitchen_table_has_neither_heat_nor_table_nor_auditor(directed):
    table = make_table(NAMES, games=1, directed=directed, label=", ".join(NAMES))
    play(running(table), quick_win(0))
    pdf = protocol_pdf(table.pk, Labels(day="Saturday"), language="en")
    words = eyes.text(pdf).split()
    assert [each in words for each in ("Heat", "Table", "Auditor")] == [directed] * 3
