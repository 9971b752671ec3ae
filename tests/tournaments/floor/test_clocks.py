"""The clocks of the heats, and the end of a heat whose time is up."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from scoring.enums import RowKind
from scoring.host import Clock
from scoring.models import Sheet
from scoring.paper import protocol_pdf
from scoring.paper.data import Labels
from scoring.reading.correction import moved_entries, plan_correction
from scoring.reading.games import Game
from scoring.reading.links import show_token
from scoring.reading.pages import table_page
from scoring.reading.protocol import protocol_of
from scoring.writing import confirm_seats, create_link, open_next_sheet
from tests.scoring.web.phone import parts_of, refused, tapped
from tests.tournaments.factories import make_event, make_heats, play_game, straight_flush, write
from tests.tournaments.floor.test_commands import PAIR, sheet_of
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_desk import HTMX, text_of, url
from tournaments.core.clock import clock_of
from tournaments.core.errors import Refused
from tournaments.documents import event_document
from tournaments.documents.reading import import_event
from tournaments.floor.commands.clocks import end_by_time, set_clock, set_clocks
from tournaments.floor.commands.floor import grant_extra_time
from tournaments.floor.queries.open_tables import floor_of
from tournaments.heats.commands import close_heat
from tournaments.heats.queries.cards import heat_cards
from tournaments.models import Event, Heat, HeatResult, LogEntry
from tournaments.models.enums import HeatStatus

pytestmark = pytest.mark.django_db


@pytest.fixture
def timed() -> Heat:
    """An open heat of an hour."""
    return make_heats(make_event(minutes_per_heat=60), 4).heats[0]


def fresh(heat: Heat) -> Heat:
    return Heat.objects.select_related("event", "table", "stage").get(pk=heat.pk)


def state_of(heat: Heat) -> tuple[str, int]:
    clock = clock_of(fresh(heat), heat.event)
    assert clock is not None
    return clock.state, clock.minutes


def set_back(heat: Heat, minutes: int) -> None:
    """Make the clock have started this many minutes ago."""
    started = timezone.now() - timedelta(minutes=minutes)
    Heat.objects.filter(pk=heat.pk).update(clock_started_at=started)


def test_the_clock_waits_for_the_director(timed: Heat) -> None:
    assert state_of(timed) == ("ready", 60)
    assert set_clock(heat=timed, what="start", by=None)
    assert state_of(timed) == ("running", 60)


def test_a_break_stops_the_clock(timed: Heat) -> None:
    set_back(timed, 20)
    set_clock(heat=timed, what="pause", by=None)
    paused = timezone.now() - timedelta(minutes=10)
    Heat.objects.filter(pk=timed.pk).update(clock_paused_at=paused)
    assert state_of(timed) == ("paused", 50)
    set_clock(heat=timed, what="go_on", by=None)
    assert state_of(timed) == ("running", 50)


def test_extra_time_counts_and_the_time_runs_out(timed: Heat) -> None:
    set_back(timed, 65)
    assert state_of(timed)[0] == "over"
    grant_extra_time(heat=timed, minutes=10, by=None)
    assert state_of(timed) == ("running", 5)


def test_repeated_commands_change_nothing(timed: Heat) -> None:
    assert [set_clock(heat=timed, what="start", by=None) for _ in range(2)] == [True, False]
    assert not set_clock(heat=timed, what="go_on", by=None)
    assert LogEntry.objects.filter(action="clock_started").count() == 1


def test_all_clocks_at_once() -> None:
    heats = make_heats(make_event(minutes_per_heat=60), 12).heats
    set_clock(heat=heats[0], what="start", by=None)
    assert set_clocks(event=heats[0].event, what="start", by=None) == 2
    assert set_clocks(event=heats[0].event, what="pause", by=None) == 3


def test_an_event_without_a_time_limit_has_no_clock() -> None:
    heat = make_heats(make_event(), 4).heats[0]
    assert clock_of(fresh(heat), heat.event) is None
    with pytest.raises(Refused) as refused:
        set_clock(heat=heat, what="start", by=None)
    assert refused.value.code == "no_clock"


# --- time's up --------------------------------------------------------------------------------


def refusal(heat: Heat) -> str:
    with pytest.raises(Refused) as refused:
        end_by_time(heat=heat, by=None)
    return str(refused.value.code)


def test_a_heat_out_of_time_is_ranked_by_what_was_played(timed: Heat) -> None:
    play_game(sheet_of(timed), 0)
    second = open_next_sheet(table_id=timed.table_id or 0, by="test")
    write(second, PAIR)
    set_back(timed, 61)
    assert refusal(timed) == "deal_running"
    write(second, {"kind": "none", "phase": 2})
    write(second, {"kind": "last_trick", "seat": 1}, {"kind": "none", "phase": 3})
    end_by_time(heat=timed, by=None)
    statuses = Sheet.objects.filter(table=timed.table).order_by("number")
    assert [sheet.status for sheet in statuses] == ["finished", "finished", "void"]
    assert set(HeatResult.objects.filter(heat=timed).values_list("games", flat=True)) == {2}
    assert heat_cards([fresh(timed)])[0].all_games_finished
    close_heat(heat=timed, by=None)
    assert fresh(timed).status == HeatStatus.FINISHED


def test_the_protocol_says_which_games_had_not_begun(timed: Heat) -> None:
    play_game(sheet_of(timed), 0)
    set_back(timed, 61)
    end_by_time(heat=timed, by=None)
    assert protocol_of(timed.table_id or 0).not_begun == (2, 3)
    pages = PdfReader(BytesIO(protocol_pdf(timed.table_id or 0, Labels(), language="en"))).pages
    assert "2 and 3" in "".join(page.extract_text() for page in pages)


def ended_after_one_deal(heat: Heat) -> Game:
    """Play one deal, let the time run out, and return the game as the protocol shows it."""
    write(sheet_of(heat), PAIR, {"kind": "none", "phase": 2})
    write(sheet_of(heat), {"kind": "last_trick", "seat": 1}, {"kind": "none", "phase": 3})
    set_back(heat, 61)
    end_by_time(heat=heat, by=None)
    [game] = protocol_of(heat.table_id or 0).games
    return game


def test_a_game_ended_before_its_next_deal_has_only_the_deals_that_were_dealt(timed: Heat) -> None:
    game = ended_after_one_deal(timed)
    assert (game.deals_played, game.last and game.last[0]) == (1, 1)
    assert game.deals[-1].scores == tuple(seat.score for seat in game.seats)
    assert game.deals[-1].entries[-1].entry["action"] == "end_game"


def test_a_correction_moves_no_line_of_a_game_ended_by_time(timed: Heat) -> None:
    game = ended_after_one_deal(timed)
    plan = plan_correction(game.sheet, RowKind.AMEND, 1, {**PAIR, "seat": 2})
    assert moved_entries(game, plan.deals) == []


def test_the_phone_says_which_games_were_not_begun(timed: Heat) -> None:
    play_game(sheet_of(timed), 0)
    set_back(timed, 61)
    end_by_time(heat=timed, by=None)
    link = create_link(table_id=timed.table_id or 0, role="auditor", by="test")
    page = table_page(link, device="")
    assert (page.not_begun, page.voided) == ((2, 3), ())
    assert (page.games_label, page.now_label) == ("1 game", Clock("over", 0).words)


def test_the_running_game_is_finished_if_the_event_says_so(timed: Heat) -> None:
    Event.objects.update(time_rule="game")
    write(sheet_of(timed), PAIR)
    set_back(timed, 61)
    assert refusal(fresh(timed)) == "game_running"
    write(sheet_of(timed), straight_flush(0, 2))
    end_by_time(heat=fresh(timed), by=None)
    assert sheet_of(timed, 2).status == "void"


def test_a_heat_cannot_be_ended_early_or_without_any_game(timed: Heat) -> None:
    set_clock(heat=timed, what="start", by=None)
    assert refusal(timed) == "time_left"
    set_back(timed, 61)
    assert refusal(timed) == "nothing_played"


@pytest.mark.parametrize("exchanged", [False, True])
def test_the_document_keeps_games_that_were_not_played(timed: Heat, *, exchanged: bool) -> None:
    play_game(sheet_of(timed), 0)
    if exchanged:
        # Changed seats are no entry: this game has not begun either.
        order = open_next_sheet(table_id=timed.table_id or 0, by="test").seats[::-1]
        confirm_seats(table_id=timed.table_id or 0, seen_version=0, by="test", order=order, game=2)
    set_back(timed, 61)
    end_by_time(heat=timed, by=None)
    close_heat(heat=timed, by=None)
    document = event_document(timed.event)
    assert document["stages"][0]["heats"][0]["unplayed"] == [2, 3]
    again = event_document(import_event(document, slug="again"))
    assert {**again, "slug": ""} == {**document, "slug": ""}


def test_all_heats_get_more_minutes_and_those_out_of_time_end(
    event: Event, director: Client
) -> None:
    Event.objects.update(minutes_per_heat=60)
    first, second, third = make_heats(Event.objects.get(pk=event.pk), 12).heats
    for heat in (first, second):
        play_game(sheet_of(heat), 0)
        set_back(heat, 61)
    set_clock(heat=third, what="start", by=None)
    write(open_next_sheet(table_id=second.table_id or 0, by="test"), PAIR)
    clocks = url(event, "clocks")
    # One is in the middle of a deal and one has time left, so only the third one ends.
    answer = director.post(clocks, {"what": "end"}, headers=HTMX)
    assert f"{second}." in text_of(answer)
    assert f"{first}." not in text_of(answer)
    ended = [sheet_of(heat, 3).status == "void" for heat in (first, second, third)]
    assert ended == [True, False, False]
    refused = director.post(clocks, {"what": "end"}, headers=HTMX)
    assert (refused.status_code, codes_in(refused)) == (409, {"deal_running"})
    director.post(clocks, {"what": "more", "seen": floor_of(event).extra_minutes})
    assert [state_of(heat) for heat in (second, third)] == [("running", 4), ("running", 65)]


# --- pages ------------------------------------------------------------------------------------


def test_the_floor_starts_all_clocks_and_shows_them(event: Event, director: Client) -> None:
    Event.objects.update(minutes_per_heat=60)
    event.refresh_from_db()
    heat = make_heats(event, 4).heats[0]
    assert floor_of(event).clock_buttons[0][0] == "start"
    director.post(url(event, "clocks"), {"what": "start"})
    for page in (url(event, "event"), url(event, "floor"), url(event, "heat", number=heat.number)):
        assert "data-ends=" in text_of(director.get(page))
    assert "data-ends=" in text_of(Client().get(url(event, "event")))


def test_the_table_shows_its_clock(timed: Heat) -> None:
    link = create_link(table_id=timed.table_id or 0, role="auditor", by="test")
    path = reverse("scoring:table_live", args=[show_token(link=link)])
    client = Client()
    before = client.get(path)
    assert 'class="clock is-ready"' in text_of(before)
    set_clock(heat=timed, what="start", by=None)
    after = client.get(path, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert 'class="clock is-running"' in text_of(after)


def test_no_game_is_begun_after_time_is_up(timed: Heat) -> None:
    link = create_link(table_id=timed.table_id or 0, role="auditor", by="test")
    token = show_token(link=link)
    path = reverse("scoring:table_detail", args=[token])
    play_game(sheet_of(timed), 0)
    set_back(timed, 61)
    assert timed.event.get_time_rule_display() in parts_of(Client(), path)["time-up"]
    assert refused(tapped(Client(), path, "next", game=2)) == "time_is_up"
    assert sheet_of(timed, 2).status == "waiting"


def test_a_game_that_a_phone_began_on_its_own_counts_after_time_is_up(timed: Heat) -> None:
    link = create_link(table_id=timed.table_id or 0, role="auditor", by="test")
    path = reverse("scoring:table_detail", args=[show_token(link=link)])
    play_game(sheet_of(timed), 0)
    set_back(timed, 61)
    tapped(Client(), path, "next", game=2, waited=True)
    assert sheet_of(timed, 2).status == "running"


def test_a_heat_in_the_middle_of_a_deal_cannot_be_ended_yet(event: Event, director: Client) -> None:
    Event.objects.update(minutes_per_heat=60)
    event.refresh_from_db()
    heat = make_heats(event, 4).heats[0]
    write(sheet_of(heat), PAIR)
    set_back(heat, 61)
    desk = director.get(url(event, "heat_desk", number=heat.number))
    assert desk.context["not_ended"].code == "deal_running"
    assert '<button class="btn btn-primary" disabled>' in text_of(desk)
    write(sheet_of(heat), {"kind": "none", "phase": 2})
    write(sheet_of(heat), {"kind": "last_trick", "seat": 1}, {"kind": "none", "phase": 3})
    live = director.get(url(event, "heat_desk_live", number=heat.number), headers=HTMX)
    assert live.context["not_ended"] is None
    assert url(event, "heat_time_up", number=heat.number) in text_of(live)
    assert "disabled" not in text_of(live)


def test_the_director_ends_a_heat_whose_time_is_up(event: Event, director: Client) -> None:
    Event.objects.update(minutes_per_heat=60)
    event.refresh_from_db()
    heat = make_heats(event, 4).heats[0]
    play_game(sheet_of(heat), 0)
    set_back(heat, 61)
    end = url(event, "heat_time_up", number=heat.number)
    assert end in text_of(director.get(url(event, "heat_desk", number=heat.number)))
    desk = url(event, "heat_desk", number=heat.number)
    assert 'id="do-missing"' in text_of(director.get(desk))
    director.post(end)
    assert sheet_of(heat, 3).status == "void"
    assert 'id="do-missing"' not in text_of(director.get(desk))
