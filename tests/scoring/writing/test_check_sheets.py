"""``manage.py check_sheets`` detects changes made behind the program's back."""

import pytest
from django.core.management import CommandError, call_command

from scoring.models import Sheet

from ..factories import hand, make_table, none, running, sheet_of, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    table = make_table()
    write(running(table), hand(1, 0))
    write(running(table), none(2))
    return table


def test_intact_sheets_pass(table, capsys):
    call_command("check_sheets")
    assert "3 sheets with 2 rows" in capsys.readouterr().out


def test_a_changed_state_is_found(table, capsys):
    state = sheet_of(table).state
    state["scores"] = [40, 0, 0, 0]
    Sheet.objects.filter(table=table, number=1).update(state=state)
    with pytest.raises(CommandError, match="1 of 3"):
        call_command("check_sheets")
    assert "Heat 12, game 1: " in capsys.readouterr().err


def test_changed_seats_are_found(table, capsys):
    Sheet.objects.filter(table=table, number=2).update(drawn_seats=["Bo", "Anna", "Cia", "Dag"])
    with pytest.raises(CommandError, match="1 of 3"):
        call_command("check_sheets")
    assert "Heat 12, game 2: " in capsys.readouterr().err
