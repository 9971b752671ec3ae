"""Two people press the same button: one succeeds, the other is told, the data stay consistent."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.adapter import get_adapter
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import RequestFactory
from django.utils import timezone

from scoring.errors import ScoringError
from scoring.models import Sheet
from tests.tournaments.factories import (
    make_event,
    make_heats,
    make_person,
    make_players,
    make_user,
    play_heat,
)
from tests.tournaments.registration.lists import rows_from_text
from tournaments.cash.commands import pay_entries, pay_prize, refund
from tournaments.core.accounts import MAX_FAILURES
from tournaments.core.errors import Refused
from tournaments.events.commands.events import set_event_status
from tournaments.events.commands.invitations import accept, invite
from tournaments.floor.commands.floor import reseat
from tournaments.floor.commands.penalties import give_penalty, take_back_penalty
from tournaments.floor.commands.review import review_warning
from tournaments.heats.commands import close_heat
from tournaments.models.enums import EventStatus, PaymentMethod, Role
from tournaments.registration.commands.check_in import leave_queue
from tournaments.registration.commands.imports import import_rows
from tournaments.registration.commands.people import register_person, withdraw
from tournaments.registration.commands.pins import WRONG_PINS, check_pin, choose_pin
from tournaments.registration.commands.sign_up import sign_up
from tournaments.registration.queries.import_preview import plan_rows

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(count: int, does: Callable[[], Any]) -> list[str]:
    """Run a function in this many threads at once; return each one's refusal code, or ""."""
    gate = threading.Barrier(count)
    codes: list[str] = []

    def run() -> None:
        try:
            gate.wait(timeout=30)
            does()
            codes.append("")
        except (Refused, ScoringError) as refused:
            codes.append(refused.code)
        except Exception as error:  # noqa: BLE001 - a crash must fail the test, not the thread
            codes.append(f"crashed: {error!r}")
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return sorted(codes)


def test_two_register_the_same_person() -> None:
    event = make_event()
    person = make_person("Anna")
    codes = at_once(4, lambda: register_person(event=event, by=None, person=person))
    assert codes == ["", *["already_registered"] * 3]


def test_players_registered_at_once_get_different_numbers() -> None:
    event = make_event()
    codes = at_once(8, lambda: register_person(event=event, by=None, legal_name="Anna"))
    assert codes == [""] * 8
    numbers = sorted(event.registrations.values_list("number", flat=True))
    assert numbers == list(range(1, 9))


def test_two_take_the_same_penalty_back() -> None:
    heat = make_heats(make_event(), 4).heats[0]
    penalty = give_penalty(
        heat=heat,
        registration=heat.entries.order_by("pk")[0].registration,
        level="points",
        points=5,
        offence="slow",
        by=None,
        client_id=uuid.uuid4(),
        seen_version=0,
    )
    codes = at_once(3, lambda: take_back_penalty(penalty=penalty, by=None, reason="wrong player"))
    assert codes == ["", "taken_back", "taken_back"]


def test_two_tick_off_the_same_warning() -> None:
    heat = make_heats(make_event(games_per_heat=1), 4).heats[0]
    play_heat(heat)
    last = Sheet.objects.get(table=heat.table).version
    codes = at_once(3, lambda: review_warning(heat=heat, game=1, sequence=last, by=None))
    assert codes == ["", "looked_at", "looked_at"]


def test_two_correct_the_same_seats() -> None:
    heat = make_heats(make_event(), 4).heats[0]
    sheet = Sheet.objects.get(table=heat.table, number=1)

    def turn() -> None:
        reseat(
            heat=heat,
            sheet=sheet,
            seats=sheet.seats[::-1],
            follow="player",
            by=None,
            client_id=uuid.uuid4(),
            seen_version=0,
            reason="sat the wrong way round",
        )

    assert at_once(3, turn) == ["", "conflict", "conflict"]
    sheet.refresh_from_db()
    assert sheet.version == 1


def test_two_take_the_last_place() -> None:
    event = make_event(capacity=3, sign_up_opens_at=timezone.now() - timedelta(hours=1))
    make_players(event, 2, here=False)
    names = iter(["Anna", "Bo", "Cia", "Dag"])
    lock = threading.Lock()

    def one_more() -> None:
        with lock:
            name = next(names)
        sign_up(event=event, legal_name=name)

    assert at_once(4, one_more) == [""] * 4
    stands = sorted(event.registrations.values_list("status", flat=True))
    assert stands == ["registered"] * 3 + ["wait_listed"] * 3
    assert len(set(event.registrations.values_list("number", flat=True))) == 6


def test_two_places_become_free_at_once() -> None:
    event = make_event(capacity=3)
    rows = make_players(event, 6, here=False)
    leaving = iter(rows[:2])
    lock = threading.Lock()

    def one_leaves() -> None:
        with lock:
            row = next(leaving)
        withdraw(registration=row, by=None)

    assert at_once(2, one_leaves) == ["", ""]
    stands = [event.registrations.get(pk=row.pk).status for row in rows]
    assert stands == ["withdrawn"] * 2 + ["registered"] * 3 + ["wait_listed"]


def test_two_open_one_invitation() -> None:
    event = make_event()
    made = invite(to=event, role=Role.FLOOR, by=None)
    users = iter([make_user(), make_user()])
    lock = threading.Lock()

    def open_it() -> None:
        with lock:
            user = next(users)
        accept(invitation=made, user=user)

    assert at_once(2, open_it) == ["", "invitation_used"]
    assert event.roles.filter(role=Role.FLOOR).count() == 1


def test_two_import_one_list() -> None:
    event = make_event()
    plans = plan_rows(event, rows_from_text("Anna Ek\nBo Ek"))
    assert at_once(2, lambda: import_rows(event=event, plans=plans, by=None)) == ["", "changed"]
    assert event.registrations.count() == 2


def test_two_cashiers_pay_one_prize_out() -> None:
    event = make_event(games_per_heat=1, prizes={"amounts": [50000]}, buy_in=20000)
    heat = play_heat(make_heats(event, 3).heats[0])
    close_heat(heat=heat, by=None)
    set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    first = heat.entries.order_by("pk")[0].registration.number
    codes = at_once(
        3, lambda: pay_prize(event=event, number=first, method=PaymentMethod.CASH, by=None)
    )
    assert codes == ["", "no_prize", "no_prize"]
    assert event.bookings.get().amount == -50000


def test_two_cashiers_pay_back_once() -> None:
    player = make_players(make_event(buy_in=20000), 1)[0]
    pay_entries(registration=player, by=None)
    leave_queue(registration=player, by=None)
    assert at_once(2, lambda: refund(registration=player, by=None)) == ["", "nothing_due"]


def test_pins_guessed_at_once_are_counted_one_after_the_other() -> None:
    player = make_players(make_event(), 1)[0]
    choose_pin(registration=player, pin="2580")
    player.refresh_from_db()
    codes = at_once(3 * WRONG_PINS, lambda: check_pin(registration=player, pin="2581"))
    assert set(codes) <= {"wrong_pin", "too_many_pins"}
    assert codes.count("wrong_pin") <= WRONG_PINS


def guess_password() -> None:
    try:
        get_adapter().authenticate(RequestFactory().get("/"), username="tove", password="wrong")
    except ValidationError as error:
        raise Refused(error.code, "") from error


def test_passwords_guessed_at_once_are_counted_one_after_the_other() -> None:
    make_user("tove")
    codes = at_once(3 * MAX_FAILURES, guess_password)
    assert set(codes) <= {"", "too_many_login_attempts"}
    assert codes.count("") <= MAX_FAILURES
