"""Two directors, cashiers or phones do the same thing on a busy Saturday: it is done once.

The last test checks that no action of the pages is left out.
"""

from __future__ import annotations

import re
import uuid
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from scoring.errors import ScoringError
from scoring.models import HeatPenalty, SheetEntry
from tests.tournaments.conftest import client_of
from tests.tournaments.core.test_once import SAY_WHAT_IS_SO
from tests.tournaments.core.test_permissions import TABLE
from tests.tournaments.factories import (
    finished_heat,
    make_event,
    make_heats,
    make_players,
    play_game,
    write,
)
from tests.tournaments.floor.test_commands import PAIR, at_seat, sheet_of
from tests.tournaments.floor.test_shot_clock import slow
from tests.tournaments.jobs import now_failed
from tests.tournaments.playoffs.factories import prepared, qualified_event
from tests.tournaments.registration.test_views_desk import HTMX, text_of, url
from tests.tournaments.test_play_at_once import at_once, directors, posts
from tests.tournaments.test_two_directors import assert_seated_once, statuses, told
from tournaments.cash.commands import pay_entries
from tournaments.draws.commands.drafts import draft_heats
from tournaments.floor.queries.open_tables import floor_of
from tournaments.mail.commands import set_mail, write_to_all
from tournaments.models import Event, Heat, Job, LogEntry, Penalty, PersonMerge, Registration
from tournaments.models.enums import DrawStatus, LogAction, MailKind, Role
from tournaments.playoffs.commands import mark_absent
from tournaments.registration.commands.merges import merge_persons

pytestmark = pytest.mark.django_db(transaction=True)


def cashiers(event: Event) -> list[Client]:
    return [client_of(event, Role.CASHIER) for _ in range(2)]


def refused_once(event: Event, name: str, data: dict[str, object], code: str, **of: object) -> None:
    """Assert that of two who send the same form, one succeeds and the other reads why not."""
    who = cashiers(event) if name.startswith("cash") else directors(event)
    answers = posts(who, url(event, name, **of), data)
    assert statuses(answers) == [200, 409], name
    assert told(answers) == {code}


# --- the tables -------------------------------------------------------------------------------


def test_a_tables_code_lets_one_phone_in() -> None:
    heat = make_heats(make_event(), 4).heats[0]
    path = url(heat.event, "room_table", number=heat.table_number)
    answers = at_once([lambda: Client().post(path, {"code": heat.code}) for _ in range(2)])
    assert statuses(answers) == [302, 409]
    assert LogEntry.objects.filter(action=LogAction.CODE_USED).count() == 1


def test_a_latecomer_sits_down_at_one_table() -> None:
    event = make_event()
    heats = make_heats(event, 6).heats
    late = make_players(event, 1)[0]
    form = {"players-into": late.player_id, "players-reason": "came late"}
    first, second = directors(event)
    paths = [url(event, "heat_players", number=heat.number) for heat in heats]
    answers = at_once(
        [
            lambda: first.post(paths[0], form, headers=HTMX),
            lambda: second.post(paths[1], form, headers=HTMX),
        ]
    )
    assert statuses(answers) in ([200, 409], [200, 422])
    assert sorted(heat.entries.count() for heat in heats) == [3, 4]
    assert_seated_once(event)


def test_a_no_shows_seat_is_given_once() -> None:
    event = make_event()
    heat = make_heats(event, 4).heats[0]
    gone = at_seat(heat, 0)
    forms = [
        {"players-out": gone.player_id, "players-into": player.player_id}
        for player in make_players(event, 2)
    ]
    answers = posts(directors(event), url(event, "heat_players", number=heat.number), *forms)
    assert statuses(answers) in ([200, 409], [200, 422])
    assert heat.entries.count() == 4
    assert_seated_once(event)


def test_two_tables_players_are_swapped_once() -> None:
    event = make_event()
    one, other = make_heats(event, 8).heats
    here, there = at_seat(one, 0), at_seat(other, 0)
    form = {
        "swap-player": here.player_id,
        "swap-other": f"{other.number}:{there.player_id}",
        "swap-reason": "wrong table",
    }
    answers = posts(directors(event), url(event, "heat_swap", number=one.number), form)
    assert statuses(answers) in ([200, 409], [200, 422])
    assert one.entries.filter(registration=there).exists()
    assert_seated_once(event)


def test_a_draw_is_taken_back_once() -> None:
    event = make_event()
    draw = make_heats(event, 8).heats[0].draw
    assert draw is not None
    of = {"number": draw.number}
    refused_once(event, "draw_take_back", {"reason": "too early"}, "draw_gone", **of)
    assert_seated_once(event)


def test_the_first_entry_while_the_draw_is_taken_back() -> None:
    event = make_event()
    heat = make_heats(event, 4).heats[0]
    draw, sheet, director = heat.draw, sheet_of(heat), directors(event, 1)[0]
    assert draw is not None

    def enter() -> None:
        with suppress(ScoringError):
            write(sheet, PAIR)

    path = url(event, "draw_take_back", number=draw.number)
    answers = at_once([enter, lambda: director.post(path, {"reason": "early"}, headers=HTMX)])
    assert not isinstance(answers[0], Exception)
    draw.refresh_from_db()
    taken_back = draw.status == DrawStatus.TAKEN_BACK
    assert answers[1].status_code == (200 if taken_back else 409)
    assert SheetEntry.objects.filter(sheet=sheet).exists() is not taken_back


def test_times_of_a_draft_are_set_by_one_and_those_of_a_heat_are_never_mixed() -> None:
    event = make_event()
    heat = make_heats(event, 4).heats[0]
    make_players(event, 4)
    draw = draft_heats(event=event, by=None)
    forms = [
        {"times-starts_at": f"2030-05-04T{hour}:00", "times-ends_at": f"2030-05-04T{hour}:45"}
        for hour in (12, 15)
    ]
    path = url(event, "draft_times", number=draw.number)
    answers = posts(directors(event), path, *(form | {"version": 0} for form in forms))
    assert statuses(answers) == [200, 409]
    assert told(answers) == {"draft_changed"}
    answers = posts(directors(event), url(event, "heat_times", number=heat.number), *forms)
    assert statuses(answers) == [200, 200]
    heat.refresh_from_db()
    assert heat.starts_at is not None
    assert heat.ends_at is not None
    assert heat.ends_at - heat.starts_at == timedelta(minutes=45)
    assert LogEntry.objects.filter(action=LogAction.HEAT_TIMES).count() == 3


def test_time_is_up_once() -> None:
    heat = make_heats(make_event(minutes_per_heat=60), 4).heats[0]
    play_game(sheet_of(heat), 0)
    started = timezone.now() - timedelta(minutes=61)
    Heat.objects.update(clock_started_at=started)
    refused_once(heat.event, "heat_time_up", {}, "games_over", number=heat.number)
    assert LogEntry.objects.filter(action=LogAction.TIME_UP).count() == 1


def test_minutes_are_given_once_and_on_top_if_meant() -> None:
    heat = make_heats(make_event(minutes_per_heat=60), 4).heats[0]
    path = url(heat.event, "heat_minutes", number=heat.number)
    who = directors(heat.event)
    answers = posts(who, path, {"time-minutes": 5, "time-seen": 0})
    assert statuses(answers) == [200, 409]
    assert told(answers) == {"minutes_given"}
    late = next(answer for answer in answers if answer.status_code == 409)
    assert LogEntry.objects.get(action=LogAction.EXTRA_TIME).actor in text_of(late)
    assert text_of(late).count('name="time-seen" value="5"') == 2
    assert who[0].post(path, {"time-minutes": 5, "time-seen": 5}).status_code == 303
    assert Heat.objects.get().extra_minutes == 10


def test_all_clocks_are_extended_once() -> None:
    event = make_event(minutes_per_heat=60)
    make_heats(event, 8)
    path = url(event, "clocks")
    who = directors(event)
    seen = floor_of(event).extra_minutes
    answers = posts(who, path, {"what": "more", "seen": seen})
    assert statuses(answers) == [200, 409]
    assert told(answers) == {"minutes_given"}
    assert set(event.heats.values_list("extra_minutes", flat=True)) == {5}
    for wrong in ("", "x", "1:", "1:0 2", "1:5 2:0"):
        assert who[0].post(path, {"what": "more", "seen": wrong}, headers=HTMX).status_code == 409
    assert set(event.heats.values_list("extra_minutes", flat=True)) == {5}


def test_warning_is_given_once_and_the_second_reads_by_whom() -> None:
    event = make_event()
    heat = make_heats(event, 4).heats[0]
    first, other = at_seat(heat, 0), at_seat(heat, 1)

    def form(player: Registration) -> dict[str, object]:
        return {
            "penalty-player": player.player_id,
            "penalty-offence": "slow",
            "penalty-game": 1,
            "penalty-version": 0,
            "penalty-last": 0,
            "penalty-client_id": uuid.uuid4(),
        }

    path = url(event, "heat_penalty", number=heat.number)
    answers = posts(directors(event), path, form(first), form(first))
    assert statuses(answers) == [200, 409]
    assert told(answers) == {"penalty_given"}
    row = Penalty.objects.get()
    late = next(answer for answer in answers if answer.status_code == 409)
    assert str(row.given_by) in text_of(late)
    assert f'name="penalty-last" value="{row.pk}"' in text_of(late)
    # Another player's penalty is nobody else's.
    assert directors(event, 1)[0].post(path, form(other)).status_code == 303


def test_game_points_are_taken_off_a_closed_heat_once_and_on_top_if_meant() -> None:
    heat = finished_heat(make_event(), 4)
    player = heat.entries.order_by("pk")[0].registration
    path = url(heat.event, "closed_penalty", number=heat.number)

    def form(last: int = 0, seen: str = "") -> dict[str, object]:
        data = {"player": player.player_id, "offence": "slow", "points": "5", "last": last}
        data |= {"client_id": uuid.uuid4()}
        data |= {"sure": "on", "seen": seen} if seen else {}
        return {f"closed-{key}": value for key, value in data.items()}

    def follows(last: int = 0) -> str:
        asked = who[0].post(path, form(last))
        (found,) = re.findall(r'name="closed-seen" value="([^"]*)"', text_of(asked))
        return str(found)

    who = directors(heat.event)
    seen = follows()
    answers = posts(who, path, form(seen=seen), form(seen=seen))
    assert statuses(answers) == [200, 409]
    assert told(answers) == {"penalty_given"}
    row = Penalty.objects.get()
    late = next(answer for answer in answers if answer.status_code == 409)
    assert f'name="closed-last" value="{row.pk}"' in text_of(late)
    assert who[1].post(path, form(row.pk, follows(row.pk))).status_code == 303
    assert HeatPenalty.objects.count() == 2


def test_a_slow_player_is_penalised_once() -> None:
    heat = make_heats(make_event(shot_clock_seconds=30), 4).heats[0]
    for _time in range(2):
        slow(heat)
    refused_once(heat.event, "heat_slow", {}, "no_call", number=heat.number)
    assert Penalty.objects.count() == 2


def test_an_absent_player_of_a_round_arrives_once() -> None:
    event = qualified_event(4)
    place = prepared(event).players.order_by("order")[0]
    mark_absent(player=place, by=None)
    tapped = {"number": place.registration.number}
    assert statuses(posts(directors(event), url(event, "round_present"), tapped)) == [200, 200]
    assert LogEntry.objects.filter(action=LogAction.SHOWED_UP).count() == 1


# --- people and money -------------------------------------------------------------------------


def test_a_merge_is_undone_once() -> None:
    event = make_event()
    one, other = make_players(event, 2)
    merge_persons(kept=one.person, merged=other.person, event=event, by=None)
    refused_once(event, "merge_undo", {"merge": PersonMerge.objects.get().pk}, "merge_undone")
    assert event.registrations.filter(merged_into=None).count() == 2


def test_a_player_is_let_in_from_the_waiting_list_once() -> None:
    event = make_event(capacity=3)
    waits = make_players(event, 4, here=False)[-1]
    refused_once(event, "player_admit", {}, "not_wait_listed", number=waits.number)


def test_sign_ups_are_undone_once() -> None:
    """One place is free by it, and one of those who wait gets it."""
    event = make_event(capacity=3)
    player, *_others = make_players(event, 5, here=False)
    Registration.objects.filter(pk=player.pk).update(signed_up_from="x")
    form = {"player": player.number, "reason": "nonsense"}
    assert statuses(posts(directors(event), url(event, "sign_ups_undo"), form)) == [200, 200]
    log = LogEntry.objects.filter(event=event)
    assert log.filter(action=LogAction.WITHDRAWN).count() == 1
    assert log.filter(action=LogAction.MOVED_UP).count() == 1


def test_a_debt_is_paid_and_refunded_once() -> None:
    event = make_event(buy_in=20000)
    player = make_players(event, 1)[0]
    refused_once(
        event, "cash_pay", {"number": player.number, "payment_method": "card"}, "nothing_due"
    )
    booking = event.bookings.get()
    refused_once(event, "cash_void", {"booking": booking.pk, "reason": "no"}, "voided_already")
    assert sum(row.amount for row in event.bookings.all()) == 0


def test_two_counts_of_one_till_are_both_kept() -> None:
    event = make_event(buy_in=20000)
    pay_entries(registration=make_players(event, 1)[0], by=None)
    form = {
        "day": f"{timezone.localdate()}",
        "payment_method": "cash",
        "counted": "200",
        "change": "0",
    }
    assert statuses(posts(cashiers(event), url(event, "cash_count"), form)) == [200, 200]
    assert {row.booked for row in event.till_counts.all()} == {20000}


def test_an_e_mail_is_sent_once() -> None:
    event = make_event()
    make_players(event, 2)
    Registration.objects.update(email="a@example.org")
    set_mail(event=event, on=True, site="https://chicago.example.org", by=None)
    assert statuses(posts(directors(event), url(event, "mail_all"), {"kind": "times"})) == [200] * 2
    assert Job.objects.count() == 2
    now_failed()
    refused_once(event, "mail_again", {"mail": Job.objects.order_by("pk")[0].pk}, "no_mail")
    assert write_to_all(event=event, kind=MailKind.TIMES, by=None) == 2


# --- nothing is left out ----------------------------------------------------------------------

#: Tested by their commands in test_concurrency.py, or in the tests of their pages.
ELSEWHERE = {
    "cash_prize_pay", "cash_refund", "exchange_do", "heat_review", "heat_seats", "import_do",
    "penalty_take_back", "register_known", "warning_seen", "job_create", "casual_begin",
    "announce_break", "cash_free", "cash_prize_return", "part_begin", "series_outside",
}  # fmt: skip
#: Idempotent: a switch, a mark, or removing something that is already gone.
SAME_TWICE = {
    "api_token_end", "webhook_end",
    "event_picture_remove", "heat_call_clear", "heat_let_in", "heat_link_revoke", "heat_missing",
    "mail_set",
    "member_remove", "member_set", "player_undo_check_in", "player_withdraw", "player_reinstate",
    "seating_table", "seating_together", "staff_invite_revoke", "member_invite_revoke",
    "seating_group",
    "heat_objection", "correct_preview", "deal_preview", "round_discard", "draft_again",
    "correction_back_preview",
    "casual_blank", "queue_empty", "announcement_take_back", "screen_end", "screen_now",
    "screens_steer", "series_agree", "series_leave", "series_remove", "sponsor_remove",
}  # fmt: skip
#: Repeated, they act twice: a new practice table, a new link.
ADDS = {"casual_practice", "member_invite", "player_link_renew", "webhook_again"}
#: Entries with a version and an id of their own: tests/scoring/writing.
ON_SHEETS = {
    "paper_preview", "paper_enter", "paper_deals", "paper_back_preview", "paper_take_back",
    "paper_compared", "player_register", "deal_put_in", "correction_back_do",
}  # fmt: skip


def test_every_action_is_raced_or_need_not_be() -> None:
    folder = Path(__file__).parent
    files = ("test_two_directors", "test_play_at_once", "test_saturday_at_once")
    raced = {
        name
        for file in files
        for name in re.findall(r'(?:url|refused_once|address)\(\s*\w+(?:\.event)?, "(\w+)"',
                               (folder / f"{file}.py").read_text("utf-8"))
    }  # fmt: skip
    posted = {name for name, (method, *_rest) in TABLE.items() if method == "post"}
    own = {name for name in posted if name.startswith("player_page_")}
    without = SAY_WHAT_IS_SO | ELSEWHERE | SAME_TWICE | ADDS | ON_SHEETS | own
    assert posted - raced - without == set()
