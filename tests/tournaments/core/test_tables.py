"""A page's rows are those that django-tables2 itself would make."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import RequestFactory
from django.utils import timezone, translation
from django.utils.html import conditional_escape

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import finished_heat, make_user
from tests.tournaments.registration.test_views_desk import url
from tournaments.core.log import record
from tournaments.core.tables import LINES, Lines, LogTable, PageTable
from tournaments.models import (
    Event,
    GameResult,
    Heat,
    HeatResult,
    LogEntry,
    Person,
    Qualification,
    Registration,
)
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


@pytest.mark.parametrize("kind", [StandingsTable, QualifiedTable, PlayerStandingsTable])
def test_rows_that_are_kept_are_never_old(event: Event, kind: type[PageTable]) -> None:
    heat = finished_heat(event)
    [person] = Person.objects.filter(registrations__qualifications__heat=heat)
    people = Person.objects.filter(pk=person.pk)
    results = HeatResult.objects.filter(heat=heat)
    writes: list[Callable[[], object]] = [
        lambda: results.update(score_points=F("score_points") + 7),
        lambda: results.update(asterisks=3, games=2),
        lambda: results.update(decided_by="score_points", own_value="9", next_value="8"),
        lambda: GameResult.objects.filter(game__heat=heat).update(score=77),
        lambda: GameResult.objects.filter(game__heat=heat).update(executed=True, asterisks=1),
        lambda: people.update(legal_name="Åsa Öberg"),
        lambda: people.update(club="Ny klubb"),
        lambda: people.update(display_name="Kortet"),
        lambda: people.update(visibility="nickname"),
        lambda: people.update(visibility="hidden"),
        lambda: Registration.objects.filter(event=event).update(visibility="hidden"),
        lambda: Heat.objects.filter(pk=heat.pk).update(number=8),
        lambda: Qualification.objects.update(order=9),
        lambda: Qualification.objects.update(qualified_at=timezone.now() - timedelta(hours=5)),
        lambda: Event.objects.filter(pk=event.pk).update(slug="another"),
    ]
    before, changed = rows_of(kind, event), 0
    for index, write in enumerate(writes):
        write()
        event = Event.objects.get(pk=event.pk)
        now = rows_of(kind, event)
        LINES.clear()
        assert rows_of(kind, event) == now, index
        changed += now != before
        before = now
    assert changed >= 5
    with translation.override("sv"):
        swedish = rows_of(kind, event)
        LINES.clear()
        assert rows_of(kind, event) == swedish


def rows_of(kind: type[PageTable], event: Event) -> str:
    """Return a table's rows as a page shows them."""
    rows: Any = {
        StandingsTable: lambda: standings_of(event),
        QualifiedTable: lambda: qualified_of(event),
        PlayerStandingsTable: lambda: player_standings_of(event),
    }[kind]()
    table = kind(rows, event=event)
    table.before_render(RequestFactory().get("/"))
    return table.body


def test_only_the_rows_shown_lately_are_kept() -> None:
    lines = Lines(2)
    made = [lines.get(shown, lambda: "new") for shown in "ab"]
    assert [*made, lines.get("a", lambda: "newer")] == ["new"] * 3
    lines.get("c", lambda: "new")
    assert len(lines) == 2
    assert lines.get("b", lambda: "newer") == "newer"


@pytest.mark.parametrize("most", ["-1", "0", "1"])
@pytest.mark.parametrize("name", ["standings", "qualified", "player_standings", "log"])
def test_no_address_says_how_long_a_page_is(event: Event, name: str, most: str) -> None:
    finished_heat(event)
    page = url(event, name)
    director = client_of(event, Role.DIRECTOR)
    shown = [director.get(page, asked).context["table"] for asked in ({}, {"per_page": most})]
    assert len({len(table.page.object_list) for table in shown}) == 1
    assert shown[0].paginator.per_page == shown[1].paginator.per_page
