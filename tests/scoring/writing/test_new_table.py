"""``manage.py new_table``: scoring works without any tournament."""

import pytest
from django.core.management import CommandError, call_command

from scoring.models import Table

from ..web.phone import told_by

pytestmark = pytest.mark.django_db


def test_prints_links_that_work(client, capsys):
    call_command("new_table", players=["Anna", "Bo", "Cia"], rules="svensk+C", games=2)
    lines = capsys.readouterr().out.splitlines()
    address = lines[0].split(" ")[1]
    assert lines[0].startswith("Score: http://")
    assert lines[1].startswith("Read: http://")
    path = address.split("/", 3)[3]
    assert client.get(f"/{path}").status_code == 200
    told = told_by(client, f"/{path}")
    assert set(told["document"]["games"][0]["seats"]) == {"Anna", "Bo", "Cia"}
    table = Table.objects.get()
    assert (table.rules, table.games_planned, table.directed) == ("svensk+C", 2, False)
    assert table.seed in lines[2]


@pytest.mark.parametrize(
    "options", [{"players": ["A"]}, {"players": ["A", "A"]}, {"rules": "x"}, {"games": 0}]
)
def test_reports_errors(options):
    with pytest.raises(CommandError):
        call_command("new_table", **{"players": ["A", "B"], **options})
