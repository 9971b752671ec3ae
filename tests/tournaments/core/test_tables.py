"""A page's rows are those that django-tables2 itself would make."""

import re

import pytest
from django.test import RequestFactory
from django.utils.html import conditional_escape

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import finished_heat, make_user
from tests.tournaments.registration.test_views_desk import url
from tournaments.core.log import record
from tournaments.core.tables import LogTable, PageTable
from tournaments.models import Event, LogEntry
from tournaments.models.enums import LogAction, Role
from tournaments.results.queries.player_standings import player_standings_of
from tournaments.results.queries.standings import qualified_of, standings_of
from tournaments.results.tables import PlayerStandingsTable, QualifiedTable, StandingsTable


@pytest.mark.parametrize("kind", [StandingsTable, QualifiedTable, PlayerStandingsTable, LogTable])
def test_the_rows_are_those_of_django_tables2(event: Event, kind: type[PageTable]) -> None:
    finished_heat(event)
    record(LogAction.EVENT_CHANGED, event, make_user(), before={"name": "<b>"})
    tables = {
        StandingsTable: lambda: StandingsTable(standings_of(event), event=event),
        QualifiedTable: lambda: QualifiedTable(qualified_of(event), event=event),
        PlayerStandingsTable: lambda: PlayerStandingsTable(
            player_standings_of(event, "", ""), event=event
        ),
        LogTable: lambda: LogTable(LogEntry.objects.filter(event=event), event=event),
    }
    table = tables[kind]()
    table.before_render(RequestFactory().get("/"))
    cells = re.findall(r"<td [^>]*>(.*?)</td>", table.body, flags=re.DOTALL)
    wanted = [conditional_escape(cell) for row in table.rows for _column, cell in row.items()]
    assert cells == wanted
    assert len(wanted) > 4


@pytest.mark.parametrize("most", ["-1", "0", "1"])
@pytest.mark.parametrize("name", ["standings", "qualified", "player_standings", "log"])
def test_no_address_says_how_long_a_page_is(event: Event, name: str, most: str) -> None:
    finished_heat(event)
    page = url(event, name)
    director = client_of(event, Role.DIRECTOR)
    shown = [director.get(page, asked).context["table"] for asked in ({}, {"per_page": most})]
    assert len({len(table.page.object_list) for table in shown}) == 1
    assert shown[0].paginator.per_page == shown[1].paginator.per_page
