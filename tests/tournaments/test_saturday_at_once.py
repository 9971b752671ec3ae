"""Two directors, cashiers or phones at once at what a busy Saturday brings: once, and both know.

And: no action of the pages is left out.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from scoring.errors import ScoringError
from scoring.models import SheetEntry
from tests.tournaments.conftest import client_of
from tests.tournaments.core.test_once import SAY_WHAT_IS_SO
from tests.tournaments.core.test_permissions import TABLE
from tests.tournaments.factories import make_event, make_heats, make_players, play_game, write
from tests.tournaments.floor.test_commands import PAIR, at_seat, sheet_of
from tests.tournaments.floor.test_shot_clock import slow
from tests.tournaments.playoffs.factories import prepared, qualified_event
from tests.tournaments.registration.test_views_desk import HTMX, url
from tests.tournaments.test_play_at_once import at_once, directors, posts
from tests.tournaments.test_two_directors import assert_seated_once, statuses, told
from tournaments.cash.commands import pay_entries
from tournaments.mail.commands import set_mail, write_to_all
from tournaments.models import Event, Heat, LogEntry, Mail, Penalty, PersonMerge, Registration
from tournaments.models.enums import DrawStatus, LogAction, MailKind, MailStatus, Role
from tournaments.playoffs.commands import mark_absent
from tournaments.registration.commands.merges import merge_persons

pytestmark = pytest.mark.django_db(transaction=True)


def cashiers(event: Event) -> list[Client]:
    return [client_of(event, Role.CASHIER) for _ in range(2)]


def refused_once(event: Event, name: str, data: dict[str, object], code: str, **of: object) -> None:
    """Assert that of two who send the same, one has done it and the other reads why not."""
    who = cashiers(event) if name.startswith("cash") else directors(event)
    answers = posts(who, url(event, name, **of), data)
    assert statuses(answers) == [200, 409], name
    assert told(answers) == {code}


# --- the tables -------------------------------------------------------------------------------


def test_code_of_a_table_lets_one_phone_in() -> None:
    heat = make_heats(make_event(), 4).heats[0]
    path = url(heat.event, "room_table", number=heat.table_number)
    answers = at_once([lambda: Client().post(path, {"code": heat.code}) for _ in range(2)])
    assert statuses(answers) == [302, 409]
    assert LogEntry.objects.filter(action=LogAction.CODE_USED).count() == 1


def test_latecomer_sits_down_at_one_table() -> None:
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


def test_seat_of_a_no_show_is_given_once() -> None:
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


def test_swap_of_two_tables_is_made_once() -> None:
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


def test_draw_is_taken_back_once() -> None:
    event = make_event()
    draw = make_heats(event, 8).heats[0].draw
    assert draw is not None
    of = {"number": draw.number}
    refused_once(event, "draw_take_back", {"reason": "too early"}, "draw_gone", **of)
    assert_seated_once(event)


def test_first_entry_while_the_draw_is_taken_back() -> None:
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


def test_time_is_up_once() -> None:
    heat = make_heats(make_event(minutes_per_heat=60), 4).heats[0]
    play_game(sheet_of(heat), 0)
    started = timezone.now() - timedelta(minutes=61)
    Heat.objects.update(clock_started_at=started)
    refused_once(heat.event, "heat_time_up", {}, "games_over", number=heat.number)
    assert LogEntry.objects.filter(action=LogAction.TIME_UP).count() == 1


def test_slow_player_is_punished_once() -> None:
    heat = make_heats(make_event(shot_clock_seconds=30), 4).heats[0]
    for _time in range(2):
        slow(heat)
    refused_once(heat.event, "heat_slow", {}, "no_call", number=heat.number)
    assert Penalty.objects.count() == 2


def test_absent_player_of_a_round_comes_once() -> None:
    event = qualified_event(4)
    place = prepared(event).players.order_by("order")[0]
    mark_absent(place=place, by=None)
    refused_once(event, "round_present", {"number": place.registration.number}, "present")


# --- people and money -------------------------------------------------------------------------


def test_merge_is_undone_once() -> None:
    event = make_event()
    one, other = make_players(event, 2)
    merge_persons(kept=one.person, merged=other.person, event=event, by=None)
    refused_once(event, "merge_undo", {"merge": PersonMerge.objects.get().pk}, "merge_undone")
    assert event.registrations.filter(merged_into=None).count() == 2


def test_player_is_let_in_from_the_waiting_list_once() -> None:
    event = make_event(capacity=3)
    waits = make_players(event, 4, here=False)[-1]
    refused_once(event, "player_admit", {}, "not_wait_listed", number=waits.number)


def test_debt_is_paid_and_taken_back_once() -> None:
    event = make_event(buy_in=20000)
    player = make_players(event, 1)[0]
    refused_once(event, "cash_pay", {"number": player.number, "means": "card"}, "nothing_due")
    booking = event.bookings.get()
    refused_once(event, "cash_void", {"booking": booking.pk, "reason": "no"}, "voided_already")
    assert sum(row.amount for row in event.bookings.all()) == 0


def test_two_count_one_till_and_both_counts_stand() -> None:
    event = make_event(buy_in=20000)
    pay_entries(registration=make_players(event, 1)[0], by=None)
    form = {"day": f"{timezone.localdate()}", "means": "cash", "counted": "200", "change": "0"}
    assert statuses(posts(cashiers(event), url(event, "cash_count"), form)) == [200, 200]
    assert {row.booked for row in event.till_counts.all()} == {20000}


def test_letter_goes_out_once() -> None:
    event = make_event()
    make_players(event, 2)
    Registration.objects.update(email="a@example.org")
    set_mail(event=event, on=True, site="https://chicago.example.org", by=None)
    assert statuses(posts(directors(event), url(event, "mail_all"), {"kind": "times"})) == [200] * 2
    assert Mail.objects.count() == 2
    Mail.objects.update(status=MailStatus.FAILED)
    refused_once(event, "mail_again", {"mail": Mail.objects.order_by("pk")[0].pk}, "no_mail")
    assert write_to_all(event=event, kind=MailKind.TIMES, by=None) == 2


# --- nothing is left out ----------------------------------------------------------------------

#: By their commands in test_concurrency.py, or in the tests beside their pages.
ELSEWHERE = {
    "cash_prize_pay", "cash_refund", "heat_review", "heat_seats", "import_do", "penalty_take_back",
    "register_known", "warning_seen", "job_create",
}  # fmt: skip
#: Said twice, it is so: a switch or a mark; or the second finds what is no longer there to be done.
SAME_TWICE = {
    "event_picture_remove", "heat_call_clear", "heat_link_revoke", "heat_missing", "mail_set",
    "member_remove", "member_set", "player_undo_check_in", "player_withdraw", "player_reinstate",
    "seating_table", "seating_together", "staff_invite_revoke", "member_invite_revoke",
    "heat_objection", "correct_preview", "round_discard", "draft_again",
}  # fmt: skip
#: Said twice, it is done twice, and each is in the log: minutes, games off a closed heat, links.
ADDS = {
    "casual_practice", "closed_penalty", "heat_minutes", "member_invite", "player_link_renew",
}  # fmt: skip
#: Entries with a version and an id of their own: tests/scoring/writing.
ON_SHEETS = {
    "paper_preview", "paper_enter", "paper_deals", "paper_back_preview", "paper_take_back",
    "paper_compared", "player_register",
}  # fmt: skip


def test_every_action_is_raced_or_needs_none() -> None:
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
