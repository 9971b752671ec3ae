"""Day 1 by player: qualified, playing, may enter again; shares instead of bare totals."""

from __future__ import annotations

import csv
import io
import re
from fractions import Fraction

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import (
    finished_heat,
    make_event,
    make_heats,
    make_players,
    play_game,
    write,
)
from tests.tournaments.playoffs.factories import (
    finished_event,
    played_round,
    prepared,
    qualified_event,
)
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.core.names import registration_name
from tournaments.events.commands.events import set_event_status
from tournaments.heats.commands import close_heat
from tournaments.models import Event, Heat
from tournaments.models.enums import EventStatus, Role
from tournaments.playoffs.commands import mark_absent, take_in_by_hand
from tournaments.registration.commands.check_in import enter_heat
from tournaments.registration.queries.player_page import own_page
from tournaments.results.queries.player_standings import player_standings_of
from tournaments.results.queries.players import DeskPlayer, players_of
from tournaments.results.tables import nearest


def test_players_with_equal_names_have_their_number_added(event: Event) -> None:
    one, other, alone = make_players(event, 3)
    for player in (one, other):
        person = player.person
        person.given_name, person.family_name, person.legal_name = "Bo", "Berg", "Bo Berg"
        person.save()
    names = {row.number: row.name for row in player_standings_of(event)}
    assert {names[one.number], names[other.number]} == {"Bo Berg (1)", "Bo Berg (2)"}
    assert names[alone.number] == alone.person.legal_name


@pytest.mark.django_db
def test_nobody_enters_again_once_the_evening_is_over() -> None:
    event = make_event(ends_with_heats=True)
    finished_heat(event)
    assert "again" in {row.state for row in player_standings_of(event)}
    set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    event.refresh_from_db()
    assert {row.state for row in player_standings_of(event)} == {"won", "out"}


def test_everybody_is_listed_once_with_their_current_state(event: Event, client: Client) -> None:
    finished_heat(event, 4)
    again = event.registrations.get(number=2)
    enter_heat(registration=again, by=None)
    make_heats(event, 3)
    make_players(event, 1)
    rows = {row.number: row for row in player_standings_of(event)}
    assert len(rows) == 8
    states = [row.state for row in rows.values()]
    assert states.count("qualified") == 1
    assert states.count("playing") == 4
    assert states.count("waiting") == 1
    assert states.count("again") == 2
    page = text_of(client.get(url(event, "player_standings")))
    assert page.index("qualified (1)") < page.index("again</span>")


def test_tables_of_three_and_four_are_compared_by_share_only(event: Event, client: Client) -> None:
    finished_heat(event, 3)
    finished_heat(event, 4)
    qualified = [row for row in player_standings_of(event) if row.state == "qualified"]
    # Both won every game: 60 points of 141 at the table of three, of 165 at that of four.
    assert [row.share for row in qualified] == [Fraction(60, 47), Fraction(240, 165)]
    page = text_of(client.get(url(event, "player_standings"), {"sort": "-share"}))
    assert page.index("145\xa0%") < page.index("127\xa0%")


def test_the_limit_of_entries_is_applied(event: Event) -> None:
    event.reentry_limit = 1
    event.save()
    finished_heat(event, 4)
    states = [row.state for row in player_standings_of(event)]
    assert states.count("out") == 3
    assert "again" not in states


def test_filter_and_download(event: Event, client: Client) -> None:
    finished_heat(event, 4)
    answer = client.get(url(event, "player_standings_export", fmt="csv"), {"state": "qualified"})
    [row] = csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))
    assert row["Share of table average"] == "1.4545"
    assert client.get(url(event, "player_standings"), {"state": "nonsense"}).status_code == 200
    assert client.get(url(event, "player_standings_export", fmt="xlsx")).status_code == 200
    assert client.get(url(event, "player_standings_export", fmt="exe")).status_code == 404
    assert "Nobody matches" in text_of(
        client.get(url(event, "player_standings"), {"q": "nobody at all"})
    )


def test_the_download_has_the_readers_decimals(event: Event, client: Client) -> None:
    finished_heat(event, 4)
    share = player_standings_of(event)[0].share
    assert share is not None
    for language, mark in (("sv", ","), ("en", ".")):
        client.cookies["django_language"] = language
        answer = client.get(url(event, "player_standings_export", fmt="csv"))
        first = answer.content.decode("utf-8-sig").splitlines()[1]
        assert f"{round(float(share), 4)}".replace(".", mark) in first


def test_once_there_are_play_offs_the_page_leads_to_the_result(db: None, client: Client) -> None:
    event = qualified_event(4)

    def links() -> int:
        page = client.get(url(event, "player_standings")).content.decode()
        return page.count(f'href="{url(event, "result")}"')

    assert links() == 1  # the menu's
    prepared(event)
    assert links() == 2


def test_few_queries(event: Event, client: Client) -> None:
    finished_heat(event, 4)
    make_heats(event, 12)
    with CaptureQueriesContext(connection) as queries:
        client.get(url(event, "player_standings"))
    assert len(queries) <= 10
    assert Heat.objects.count() == 4


def test_standings_by_heat_use_the_same_share(event: Event) -> None:
    from tournaments.results.queries.standings import standings_of

    finished_heat(event, 3)
    finished_heat(event, 4)
    best = standings_of(event).order_by("-share")
    assert [round(row.share, 4) for row in best[:2]] == [1.4545, 1.2766]


@pytest.mark.django_db
def test_a_table_that_gave_fewer_game_points_has_the_same_average() -> None:
    from tournaments.results.queries.ranking import finished_rows
    from tournaments.results.queries.standings import standings_of

    event = make_event(games_per_heat=1, out_points="zero")
    heat = make_heats(event, 4).heats[0]
    sheet = heat.games.get(number=1).sheet
    write(sheet, {"kind": "ruling", "seat": 3, "action": "sit_out_game", "reason": "x"})
    play_game(sheet)
    close_heat(heat=heat, by=None)
    rows = standings_of(event)
    shares = [row.result.share for row in finished_rows(event)]
    assert rows[0].table_points < 55
    # One share, worked out by the engine and by the database.
    assert [nearest(row.share) for row in rows] == shares


def test_everybodys_next_step(event: Event) -> None:
    finished_heat(event, 4)
    make_heats(event, 3)
    steps = {row.state: row.next_step for row in player_standings_of(event)}
    assert steps.keys() == {"qualified", "playing", "again"}
    assert steps["playing"].startswith("Heat 2")
    assert all(steps.values())


@pytest.mark.django_db
def test_the_play_offs_end_for_all_but_one() -> None:
    rows = player_standings_of(finished_event(6))
    assert sorted(row.state for row in rows[:6]) == (
        ["champion"] + ["finalist"] * 3 + ["knocked_out"] * 2
    )
    assert {row.out_in for row in rows if row.state == "knocked_out"} == {"Semi-finals"}


@pytest.mark.django_db
def test_a_no_show_no_longer_counts_as_qualified_but_the_replacement_does(client: Client) -> None:
    event = qualified_event(6)
    place = prepared(event).players.order_by("order")[0]
    instead = mark_absent(player=place, by=None, reason="")
    assert instead is not None
    rows = player_standings_of(event)
    # In the order of qualifying, the no-show too; then the replacement.
    assert [row.order for row in rows[:8]] == [1, 2, 3, 4, 5, 6, None, None]
    states = {row.number: row.state for row in rows[:7]}
    assert states.pop(place.registration.number) == "no_show"
    assert set(states.values()) == {"qualified"}
    assert rows[6].number == instead.registration.number
    assert "None" not in text_of(client.get(url(event, "player_standings")))
    assert own_page(instead.registration).state == "qualified"
    shown = text_of(client.get(url(event, "qualified")))
    marked = re.findall(r"<td[^>]*>([^<]+) <span class=\"tag tag-quiet\">", shown)
    assert marked == [registration_name(place.registration)]


@pytest.mark.django_db
def test_those_who_play_in_a_round_keep_their_place_in_the_order() -> None:
    event = qualified_event(6)
    played_round(event, finish=False)
    rows = player_standings_of(event)[:7]
    assert [row.order for row in rows] == [1, 2, 3, 4, 5, 6, None]
    assert [row.state for row in rows[:6]] == ["playing"] * 6
    # Nobody pays for a seat in the play-offs.
    assert {row.entries for row in player_standings_of(finished_event(6))} == {1}


@pytest.mark.django_db
def test_nobody_checks_in_once_there_are_rounds() -> None:
    event = qualified_event(6)
    (late,) = make_players(event, 1, here=False)
    row = players_of(event).get(pk=late.pk)
    desk = client_of(event, Role.DIRECTOR)
    assert DeskPlayer(row, directs=True).action is not None
    assert 'name="here"' in text_of(desk.get(url(event, "desk")))
    prepared(event)
    assert 'name="here"' not in text_of(desk.get(url(event, "desk")))
    row = players_of(event).get(pk=late.pk)
    assert DeskPlayer(row, directs=True).action is None


@pytest.mark.django_db
def test_one_who_was_out_and_plays_on_is_through_again() -> None:
    event = qualified_event(6)
    played_round(event)
    out = next(row for row in player_standings_of(event) if row.state == "knocked_out")
    final = prepared(event)
    take_in_by_hand(
        stage=final,
        registration=event.registrations.get(number=out.number),
        by=None,
        reason="x",
    )
    [row] = [row for row in player_standings_of(event) if row.number == out.number]
    assert row.state == "qualified"


def test_lists_refresh_themselves(event: Event, client: Client) -> None:
    finished_heat(event, 4)
    for name in ("player_standings", "standings", "qualified", "result"):
        page = url(event, name)
        assert f'hx-get="{page}"' in text_of(client.get(page)), name
        before = client.get(page)
        mark = before["ETag"]
        assert client.get(page, headers={"If-None-Match": mark}).status_code == 304, name
    finished_heat(event, 4)
    assert client.get(page, headers={"If-None-Match": mark}).status_code == 200


def test_the_menu_has_no_empty_pages(event: Event, client: Client) -> None:
    def tabs() -> set[str]:
        page = text_of(client.get(url(event, "event"))).split('class="tabs"')[1].split("</nav>")[0]
        names = ("player_standings", "qualified", "playoffs", "result")
        return {name for name in names if f'"{url(event, name)}"' in page}

    assert tabs() == set()
    finished_heat(event, 4)
    assert tabs() == {"player_standings", "qualified", "result"}
    finished_heat(event, 4)
    finished_heat(event, 4)
    assert tabs() == {"player_standings", "qualified", "playoffs", "result"}
