"""Casual games of two, five and six: the command, the pages, the printed protocol."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from engine.rules.variants import parse_rules
from scoring.errors import ScoringError
from scoring.models import Table
from scoring.paper import empty_protocols_pdf, render
from scoring.paper.data import Labels, PaperHeat, printout
from scoring.reading.protocol import protocol_of
from scoring.writing import open_next_sheet

from .factories import auditor_link, chicago, hand, make_table, none, ruling, running, trick, write
from .paper import eyes
from .web.phone import told_by

pytestmark = pytest.mark.django_db

NAMES = ["Anna", "Bo", "Cia", "Dag", "Eva", "Fia"]


def evening(rules: str, seats: int, games: int = 1) -> Table:
    """Return a table made by the command."""
    call_command(
        "new_table",
        players=NAMES[:seats],
        rules=rules,
        games=games,
        label="Kitchen",
        stdout=StringIO(),
    )
    return Table.objects.get()


@pytest.mark.parametrize("rules", ["svensk", "basic", "wikipedia"])
@pytest.mark.parametrize("seats", [2, 5, 6])
def test_a_casual_table_from_the_first_deal_to_the_print(
    client: Client, rules: str, seats: int
) -> None:
    table = evening(rules, seats, games=2)
    page = auditor_link(table)
    for number in range(2):
        sheet = running(table) if not number else open_next_sheet(table_id=table.pk, by="test")
        last = seats - 1
        write(sheet, hand(1, last, "straight"))
        if rules == "svensk":
            write(sheet, hand(2, 0, "pair"))
        write(sheet, trick(0))
        write(sheet, none(3 if rules == "svensk" else 2))
        told = told_by(client, page)
        assert len(told["document"]["games"][number]["seats"]) == seats
        assert f"{{seat{last}}}" in told["parts"]["questions"]["html"]
        write(sheet, ruling("end_game"))
    protocol = protocol_of(table.pk)
    assert [len(game.seats) for game in protocol.games] == [seats, seats]
    assert protocol.with_game_points is (seats == 2)
    assert {row.place for row in protocol.ranking} <= set(range(1, seats + 1))
    assert told_by(client, page)["document"]["label"] == "Kitchen"
    words = eyes.text(render(printout(protocol, Labels()), language="en"))
    assert all(name in words for name in NAMES[:seats])
    heat = PaperHeat(Labels(), tuple(NAMES[:seats]), parse_rules(rules), games=2)
    blank = empty_protocols_pdf([heat], language="en")
    assert ("Checksum" in eyes.text(blank)) is (seats == 2)


def test_without_game_points_games_won_come_first() -> None:
    table = evening("svensk", 5, games=2)
    for number in range(2):
        sheet = running(table) if not number else open_next_sheet(table_id=table.pk, by="test")
        anna = sheet.seats.index("Anna")
        bo = sheet.seats.index("Bo")
        write(sheet, hand(1, anna, "pair" if number else "full_house"))
        write(sheet, hand(2, bo, "flush" if number else "pair"))
        write(sheet, ruling("end_game"))
    # One game won each; Anna has more points on the sheets.
    rows = protocol_of(table.pk).ranking
    assert [row.name for row in rows[:2]] == ["Anna", "Bo"]
    assert rows[0].decided_by == "score_points"
    assert (rows[1].decided_by, rows[1].own_value, rows[1].next_value) == ("games_won", 1, 0)


@pytest.mark.parametrize(("rules", "seats"), [("festival", 5), ("pagat", 6), ("svensk", 7)])
def test_more_players_than_the_rule_set_allows_are_refused(rules: str, seats: int) -> None:
    names = [*NAMES, "Gun"][:seats]
    with pytest.raises(CommandError):
        call_command("new_table", players=names, rules=rules, stdout=StringIO())
    assert not Table.objects.exists()


def test_a_tournament_table_takes_four() -> None:
    with pytest.raises(ScoringError) as refused:
        make_table(NAMES[:5], rules="svensk")
    assert refused.value.code == "bad_table"


def test_a_chicago_among_six_is_broken_by_the_last() -> None:
    table = evening("basic", 6)
    sheet = running(table)
    write(sheet, none(1))
    write(sheet, chicago(0, won=False, breaker=5))
    assert running(table).state["scores"] == [-15, 0, 0, 0, 0, 0]
