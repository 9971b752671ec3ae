"""The floor page, and its actions at one table."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from scoring.enums import RowKind
from scoring.models import Sheet
from scoring.writing import call_td, sign_off
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import (
    make_heats,
    make_players,
    play_heat,
    straight_flush,
    write,
)
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.draws.commands.drafts import draw_heats
from tournaments.floor.queries.open_tables import floor_of
from tournaments.floor.queries.warnings import open_warnings
from tournaments.heats.commands import close_heat
from tournaments.heats.queries.cards import minutes_left, open_heats
from tournaments.models import Event, Heat, LogEntry, WarningReview
from tournaments.models.enums import HeatStatus, LogAction, Role
from tournaments.registration.commands.check_in import check_in
from tournaments.registration.commands.people import register_person

HTMX = {"HX-Request": "true"}
PAIR = {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"}


@pytest.fixture
def heat(event: Event) -> Heat:
    """An open heat of four."""
    return make_heats(event, 4).heats[0]


def post_to(client: Client, heat: Heat, name: str, **data: object) -> object:
    return client.post(url(heat.event, name, number=heat.number), data, follow=True)


def sheet_of(heat: Heat, number: int = 1) -> Sheet:
    return Sheet.objects.get(table=heat.table, number=number)


def test_a_tables_players_are_listed_by_family_name(event: Event, director: Client) -> None:
    for family, nickname in (("Öst", "Adam"), ("Alm", "Zorro"), ("Berg", "Pricken")):
        player = register_person(
            event=event, by=None, legal_name=f"Bo {family}", display_name=nickname
        )
        check_in(registration=player, by=None)
    heat = draw_heats(event=event, by=None).heats[0]
    page = director.get(url(event, "heat_desk", number=heat.number))
    players = [number for number, _name in page.context["missing_form"].fields["player"].choices]
    assert [number for number in players if number] == ["2", "3", "1"]


# --- the page ---------------------------------------------------------------------------------


def test_an_empty_floor_says_so(event: Event, director: Client) -> None:
    page = text_of(director.get(url(event, "floor")))
    assert not floor_of(event).cards
    assert url(event, "desk_draw") not in page


def test_tables_that_need_attention_come_first(event: Event) -> None:
    quiet, calls, done, unusual, silent = make_heats(event, 20).heats
    event.refresh_from_db()
    write(sheet_of(quiet), PAIR)
    call_td(table_id=calls.table_id or 0, reason="two aces")
    play_heat(done)
    for row in open_warnings(event, done):
        WarningReview.objects.create(event=event, entry=sheet_entry(done, row.game, row.sequence))
    write(sheet_of(unusual), straight_flush(0))
    long_ago = timezone.now() - timedelta(minutes=30)
    Heat.objects.filter(pk=silent.pk).update(opened_at=long_ago)
    numbers = [card.heat.number for card in floor_of(event).cards]
    assert numbers == [heat.number for heat in (calls, unusual, done, silent, quiet)]


def sheet_entry(heat: Heat, game: int, sequence: int):
    return sheet_of(heat, game).entries.get(sequence=sequence)


def test_the_page_shows_calls_scores_and_the_queue(
    event: Event, director: Client, heat: Heat
) -> None:
    write(sheet_of(heat), PAIR)
    call_td(table_id=heat.table_id or 0, reason="two aces of spades")
    make_players(event, 11)
    page = text_of(director.get(url(event, "floor")))
    assert "two aces of spades" in page
    assert url(event, "heat_call_clear", number=heat.number) in page
    assert "4+4+3" in page
    assert url(event, "desk_draw") in page


def test_an_open_desk_counts_finished_games_and_leads_to_the_closing(
    event: Event, director: Client, heat: Heat
) -> None:
    live = {"path": url(event, "heat_desk_live", number=heat.number), "headers": HTMX}
    assert 'id="do-close"' in text_of(director.get(url(event, "heat_desk", number=heat.number)))
    close = f'href="{url(event, "heat_desk", number=heat.number)}"'
    assert close not in text_of(director.get(**live))
    play_heat(heat)
    told = director.get(**live)
    assert 'id="do-close"' in text_of(told)
    assert 'id="pen"' in text_of(told)
    assert close in text_of(told)
    assert "HX-Refresh" not in told
    close_heat(heat=heat, by=None)
    assert director.get(**live)["HX-Refresh"] == "true"


def heat_now(heat: Heat) -> Heat:
    return Heat.objects.get(pk=heat.pk)


def test_time_left_counts_extra_minutes(event: Event, director: Client, heat: Heat) -> None:
    event.minutes_per_heat = 60
    event.save()
    Heat.objects.filter(pk=heat.pk).update(clock_started_at=timezone.now() - timedelta(minutes=58))
    assert minutes_left(heat_now(heat), event) == 2
    assert director.get(url(event, "floor")).status_code == 200
    post_to(director, heat, "heat_minutes", **{"time-minutes": 10, "time-seen": 0})
    heat.refresh_from_db()
    assert heat.extra_minutes == 10
    assert minutes_left(heat, event) == 12
    Heat.objects.filter(pk=heat.pk).update(clock_started_at=timezone.now() - timedelta(minutes=90))
    assert minutes_left(heat_now(heat), event) == -20
    assert director.get(url(event, "floor")).status_code == 200


def test_a_finished_table_waits_for_its_sign_off(
    event: Event, director: Client, heat: Heat
) -> None:
    play_heat(heat)
    labels = set()
    # Where the director closes every heat, there is nothing to wait for.
    for ready in (False, True):
        Event.objects.update(results_need_director=ready)
        [card] = open_heats(Event.objects.get(), by_need=True)
        labels.add(card.label)
        for name in ("floor", "desk"):
            assert escape(card.label) in text_of(director.get(url(event, name)))
    assert len(labels) == 2


def test_a_signed_heat_stays_open_if_the_director_has_to_close_it(
    director: Client, event: Event
) -> None:
    event.results_need_director = True
    event.save()
    heat = play_heat(make_heats(event, 4).heats[0])
    sign_off(table_id=heat.table_id or 0, by="test")
    heat.refresh_from_db()
    assert heat.status == HeatStatus.OPEN
    desk = text_of(director.get(url(event, "heat_desk", number=heat.number)))
    assert url(event, "heat_close", number=heat.number) in desk
    post_to(director, heat, "heat_close")
    heat.refresh_from_db()
    assert heat.status == HeatStatus.FINISHED


# --- unusual entries --------------------------------------------------------------------------


def test_an_unusual_entry_is_shown_until_ticked_off(
    event: Event, director: Client, heat: Heat
) -> None:
    write(sheet_of(heat), straight_flush(0))
    page = text_of(director.get(url(event, "floor")))
    seen = url(event, "warning_seen", number=heat.number)
    assert seen in page
    assert seen in text_of(director.get(url(event, "heat_desk", number=heat.number)))
    data = {"game": 1, "entry": 1}
    assert post_to(director, heat, "warning_seen", **data).status_code == 200
    assert seen not in text_of(director.get(url(event, "floor")))
    assert LogEntry.objects.filter(action=LogAction.WARNING_SEEN).count() == 1
    again = post_to(director, heat, "warning_seen", **data)
    assert "notice-error" in text_of(again)
    assert WarningReview.objects.count() == 1


def test_an_unusual_entry_taken_back_needs_no_review(event: Event, heat: Heat) -> None:
    from scoring.writing import correct_entry

    sheet = write(sheet_of(heat), straight_flush(0))
    assert len(open_warnings(event)) == 1
    correct_entry(
        kind=RowKind.VOID, sheet_id=sheet.pk, client_id=uuid.uuid4(), seen_version=1, author="test"
    )
    assert open_warnings(event) == []


def test_unusual_entries_of_closed_heats_stay_visible(
    event: Event, director: Client, heat: Heat
) -> None:
    play_heat(heat)
    close_heat(heat=heat, by=None)
    page = text_of(director.get(url(event, "floor")))
    assert url(event, "warning_seen", number=heat.number) in page


@pytest.mark.parametrize("data", [{}, {"game": "x", "entry": "1"}, {"game": "1", "entry": "99"}])
def test_ticking_off_an_unknown_entry_is_refused(
    heat: Heat, director: Client, data: dict[str, str]
) -> None:
    answer = post_to(director, heat, "warning_seen", **data)
    assert "notice-error" in text_of(answer)


# --- time -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("minutes", "status"), [("", 422), ("x", 422), ("0", 409), ("-5", 409), ("999", 422)]
)
def test_bad_minutes_keep_what_was_typed(
    heat: Heat, director: Client, minutes: str, status: int
) -> None:
    Event.objects.update(minutes_per_heat=60)
    data = {"time-minutes": minutes, "time-reason": "slow start", "time-seen": "0"}
    answer = post_to(director, heat, "heat_minutes", **data)
    assert answer.status_code == status
    assert "slow start" in text_of(answer)
    heat.refresh_from_db()
    assert heat.extra_minutes == 0


# --- missing players --------------------------------------------------------------------------


def test_a_player_is_marked_missing_and_back(heat: Heat, director: Client) -> None:
    sheet = write(sheet_of(heat), PAIR)
    data = {"missing-player": sheet.seats[2], "missing-what": "missing"}
    post_to(director, heat, "heat_missing", **data)
    sheet.refresh_from_db()
    assert sheet.state["status"][2] == "out"
    heat.refresh_from_db()
    assert heat.table is not None
    assert heat.table.absent == [sheet.seats[2]]
    post_to(director, heat, "heat_missing", **{**data, "missing-what": "back"})
    heat.refresh_from_db()
    assert heat.table is not None
    assert heat.table.absent == []


def test_a_player_is_called_away_and_back(heat: Heat, director: Client) -> None:
    sheet = write(sheet_of(heat), PAIR)
    player_id = sheet.seats[2]
    data = {"missing-player": player_id, "missing-what": "away"}
    post_to(director, heat, "heat_missing", **data)
    heat.refresh_from_db()
    assert heat.table is not None
    assert (heat.table.away, heat.table.absent) == ([player_id], [])
    assert sheet_of(heat).state["sitting_out"] == [False, False, True, False]
    page = text_of(director.get(url(heat.event, "heat_desk", number=heat.number)))
    assert 'id="away"' in page
    row = heat.event.log_entries.filter(action="player_missing").latest("pk")
    assert row.after == {"player": int(player_id), "away": True}
    post_to(director, heat, "heat_missing", **{**data, "missing-what": "back"})
    heat.refresh_from_db()
    assert heat.table is not None
    assert heat.table.away == []


def test_floor_staff_note_a_player_away_and_find_no_more_to_do(heat: Heat) -> None:
    client = client_of(heat.event, Role.FLOOR)
    player_id = sheet_of(heat).seats[2]
    page = text_of(client.get(url(heat.event, "heat_desk", number=heat.number)))
    assert re.findall(r'id="(do-\w+)"', page) == ["do-missing"]
    post_to(client, heat, "heat_missing", **{"missing-player": player_id, "missing-what": "away"})
    heat.refresh_from_db()
    assert heat.table is not None
    assert heat.table.away == [player_id]


def test_a_player_called_away_can_be_marked_missing(heat: Heat, director: Client) -> None:
    player_id = sheet_of(heat).seats[1]
    for what in ("away", "missing"):
        post_to(
            director, heat, "heat_missing", **{"missing-player": player_id, "missing-what": what}
        )
    heat.refresh_from_db()
    assert heat.table is not None
    assert (heat.table.away, heat.table.absent) == ([], [player_id])
    assert sheet_of(heat).state["status"][1] == "out"


def test_a_no_show_leaves_a_table_of_three(heat: Heat, director: Client) -> None:
    player_id = sheet_of(heat).seats[0]
    post_to(director, heat, "heat_players", **{"players-out": player_id})
    heat.refresh_from_db()
    assert heat.status == HeatStatus.OPEN
    assert player_id not in sheet_of(heat).seats
    assert heat.entries.count() == 3


def test_a_begun_heat_offers_no_change_of_players(heat: Heat, director: Client) -> None:
    sheet = write(sheet_of(heat), PAIR)
    page = text_of(director.get(url(heat.event, "heat_desk", number=heat.number)))
    assert 'id="do-missing"' in page
    assert 'id="do-players"' not in page
    data = {"players-out": sheet.seats[0], "players-reason": "ill"}
    answer = post_to(director, heat, "heat_players", **data)
    assert answer.status_code == 409
    assert "heat_begun" in text_of(answer) or 'value="ill"' in text_of(answer)


# --- seats ------------------------------------------------------------------------------------


def seats(sheet: Sheet, order: list[str], **more: object) -> dict[str, object]:
    data: dict[str, object] = {f"seats-seat_{n}": player_id for n, player_id in enumerate(order)}
    data |= {
        "seats-follow": "player",
        "seats-reason": "sat the wrong way round",
        "seats-game": sheet.number,
        "seats-version": sheet.version,
        "seats-client_id": uuid.uuid4(),
    }
    return data | more


def test_seats_are_corrected_and_points_move_with_the_players(heat: Heat, director: Client) -> None:
    sheet = write(sheet_of(heat), PAIR)
    before = list(sheet.seats)
    data = seats(sheet, [before[1], before[0], *before[2:]])
    post_to(director, heat, "heat_seats", **data)
    post_to(director, heat, "heat_seats", **data)
    sheet.refresh_from_db()
    assert sheet.seats[:2] == [before[1], before[0]]
    assert sheet.state["scores"][:2] == [0, 1]
    assert sheet.version == 2


def test_bad_seats_keep_what_was_typed(heat: Heat, director: Client) -> None:
    sheet = write(sheet_of(heat), PAIR)
    before = list(sheet.seats)
    for order in ([before[0]] * 4, before):
        answer = post_to(director, heat, "heat_seats", **seats(sheet, order))
        assert answer.status_code == 422
        assert "sat the wrong way round" in text_of(answer)
    late = seats(sheet, before[::-1], **{"seats-version": 0})
    answer = post_to(director, heat, "heat_seats", **late)
    assert answer.status_code == 409
    assert "sat the wrong way round" in text_of(answer)
    sheet.refresh_from_db()
    assert sheet.seats == before


def test_players_of_two_tables_are_swapped(event: Event, director: Client) -> None:
    first, second = make_heats(event, 8).heats
    here, there = sheet_of(first).seats[0], sheet_of(second).seats[0]
    data = {
        "swap-player": here,
        "swap-other": f"{second.number}:{there}",
        "swap-reason": "sat down at the other table",
    }
    post_to(director, first, "heat_swap", **data)
    assert there in sheet_of(first).seats
    assert here in sheet_of(second).seats


def test_a_bad_swap_keeps_what_was_typed(event: Event, director: Client) -> None:
    first, second = make_heats(event, 8).heats
    there = sheet_of(second).seats[0]
    for other in ("", "x", f"9:{there}", f"{second.number}:9999"):
        answer = post_to(
            director,
            first,
            "heat_swap",
            **{"swap-player": "", "swap-other": other, "swap-reason": "mixed up"},
        )
        assert answer.status_code == 422
        assert 'value="mixed up"' in text_of(answer)


# --- results ----------------------------------------------------------------------------------


def test_a_closed_heat_is_marked_as_reviewed_once(heat: Heat, director: Client) -> None:
    early = post_to(director, heat, "heat_review")
    assert "notice-error" in text_of(early)
    play_heat(heat)
    close_heat(heat=heat, by=None)
    page = text_of(director.get(url(heat.event, "heat_desk", number=heat.number)))
    assert url(heat.event, "heat_review", number=heat.number) in page
    post_to(director, heat, "heat_review")
    post_to(director, heat, "heat_review")
    heat.refresh_from_db()
    assert heat.reviewed_at is not None
    assert LogEntry.objects.filter(action=LogAction.REVIEWED).count() == 1
