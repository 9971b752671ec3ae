"""Capacity, the waiting list, signing up, late registrations."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from tests.tournaments.factories import make_event, make_players
from tournaments.core.errors import IllegalTransition, Refused
from tournaments.events.commands.events import change_event, set_event_status
from tournaments.models import Event, LogEntry, Registration
from tournaments.models.enums import EventStatus, LogAction, RegistrationStatus
from tournaments.registration.commands.check_in import check_in
from tournaments.registration.commands.people import register_person, reinstate, withdraw
from tournaments.registration.commands.sign_up import sign_up
from tournaments.registration.commands.waiting_list import admit
from tournaments.registration.queries.sign_up import sign_up_state
from tournaments.registration.queries.waiting_list import waiting_number

REGISTERED, WAITS = RegistrationStatus.REGISTERED, RegistrationStatus.WAIT_LISTED


def full_event(waiting: int = 2, **fields: object) -> tuple[Event, list[Registration]]:
    """Return an event with three places, all taken, and this many on the waiting list."""
    event = make_event(capacity=3, **fields)
    return event, make_players(event, 3 + waiting, here=False)


def now_open(**fields: object) -> Event:
    return make_event(sign_up_opens_at=timezone.now() - timedelta(hours=1), **fields)


def stands(rows: list[Registration]) -> list[str]:
    for row in rows:
        row.refresh_from_db()
    return [row.status for row in rows]


def test_when_all_places_are_taken_registrations_go_onto_the_waiting_list(db: None) -> None:
    _event, rows = full_event()
    assert stands(rows) == [REGISTERED] * 3 + [WAITS] * 2
    assert [waiting_number(row) for row in rows] == [None, None, None, 1, 2]
    assert LogEntry.objects.filter(action=LogAction.WAIT_LISTED).count() == 2


def test_a_withdrawal_moves_the_first_up_and_is_logged(db: None) -> None:
    _event, rows = full_event()
    withdraw(registration=rows[0], by=None, reason="ill")
    assert stands(rows) == ["withdrawn", REGISTERED, REGISTERED, REGISTERED, WAITS]
    assert LogEntry.objects.get(action=LogAction.MOVED_UP).object_id == str(rows[3].pk)
    assert waiting_number(rows[4]) == 1


def test_leaving_the_waiting_list_moves_nobody_up(db: None) -> None:
    _event, rows = full_event()
    withdraw(registration=rows[3], by=None)
    assert stands(rows)[3:] == ["withdrawn", WAITS]


def test_a_player_who_returns_joins_the_end_of_the_list(db: None) -> None:
    _event, rows = full_event()
    withdraw(registration=rows[0], by=None)
    reinstate(registration=rows[0], by=None)
    assert stands(rows) == [WAITS, REGISTERED, REGISTERED, REGISTERED, WAITS]
    assert [waiting_number(rows[4]), waiting_number(rows[0])] == [1, 2]


def test_only_withdrawn_players_can_be_reinstated(db: None) -> None:
    _event, rows = full_event()
    for row in (rows[0], rows[4]):
        with pytest.raises(Refused) as refused:
            reinstate(registration=row, by=None)
        assert refused.value.code == "not_withdrawn"


def test_a_larger_capacity_lets_the_first_in(db: None) -> None:
    event, rows = full_event(3)
    change_event(event=event, by=None, capacity=5)
    assert stands(rows) == [REGISTERED] * 5 + [WAITS]
    change_event(event=event, by=None, capacity=None)
    assert stands(rows) == [REGISTERED] * 6


def test_late_registrations_beyond_the_capacity(db: None) -> None:
    event, rows = full_event(1)
    late = register_person(event=event, by=None, legal_name="Late Larsson", beyond=True)
    assert late.status == REGISTERED
    # One of four leaves: three places are still taken, so nobody moves up.
    withdraw(registration=rows[0], by=None)
    assert stands(rows)[3] == WAITS


def test_nobody_overtakes_the_waiting_list(db: None) -> None:
    event, rows = full_event(1)
    Registration.objects.filter(pk=rows[0].pk).update(status=RegistrationStatus.WITHDRAWN)
    assert register_person(event=event, by=None, legal_name="Quick").status == WAITS


def test_staff_can_let_a_player_in_out_of_turn(db: None) -> None:
    _event, rows = full_event()
    admit(registration=rows[4], by=None)
    assert stands(rows)[3:] == [WAITS, REGISTERED]
    assert LogEntry.objects.filter(action=LogAction.MOVED_UP).count() == 1
    with pytest.raises(Refused) as refused:
        admit(registration=rows[4], by=None)
    assert refused.value.code == "not_wait_listed"


def test_after_the_end_nobody_is_let_in(db: None) -> None:
    event, rows = full_event()
    Event.objects.filter(pk=event.pk).update(status=EventStatus.FINISHED)
    before = stands(rows)
    withdraw(registration=Registration.objects.get(pk=rows[0].pk), by=None)
    with pytest.raises(Refused) as refused:
        admit(registration=rows[4], by=None)
    assert refused.value.code == "event_over"
    assert stands(rows)[1:] == before[1:]


def test_a_player_on_the_waiting_list_cannot_be_checked_in(db: None) -> None:
    _event, rows = full_event()
    with pytest.raises(IllegalTransition):
        check_in(registration=rows[4], by=None)


def test_the_sign_up_opens_and_closes_by_time(db: None) -> None:
    # It ends with the event's day, too: not shortly before midnight.
    now = timezone.localtime().replace(hour=12)
    hour = timedelta(hours=1)
    event = make_event(sign_up_opens_at=now, sign_up_closes_at=now + hour)
    assert [sign_up_state(event, now + h * hour) for h in (-1, 0, 0.5, 1, 2)] == [
        "later", "open", "open", "closed", "closed",
    ]  # fmt: skip
    assert sign_up_state(make_event()) == "none"
    assert sign_up_state(make_event(status=EventStatus.DRAFT, sign_up_opens_at=now)) == "none"
    set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    event.refresh_from_db()
    assert sign_up_state(event, now) == "closed"


@pytest.mark.parametrize("hours", [-2, 2])
def test_sign_up_is_refused_outside_its_time(db: None, hours: int) -> None:
    now = timezone.now()
    event = make_event(
        sign_up_opens_at=now - timedelta(hours=1), sign_up_closes_at=now + timedelta(hours=1)
    )
    with pytest.raises(Refused) as refused:
        sign_up(event=event, legal_name="Anna", now=now + timedelta(hours=hours))
    assert refused.value.code == "sign_up_closed"
    assert not event.registrations.exists()


def test_a_sign_up_makes_a_new_person_and_is_logged(db: None) -> None:
    event = now_open()
    old = make_players(event, 1, here=False)[0]
    new = sign_up(
        event=event,
        legal_name=f" {old.person.legal_name} ",
        email="a@example.org",
        somebody_else=True,
    )
    assert new.person != old.person
    row = LogEntry.objects.get(action=LogAction.SIGNED_UP)
    assert row.actor == "(sign-up)"


def test_a_form_sent_twice_registers_once(db: None) -> None:
    event = now_open()
    known = {"email": "a@example.org", "phone": "070 1"}
    sign_up(event=event, legal_name="Anna Ek", **known)
    for contact in ({"email": "A@example.org"}, {"phone": "070 1"}):
        with pytest.raises(Refused) as refused:
            sign_up(event=event, legal_name="anna  EK", somebody_else=True, **contact)
        assert refused.value.code == "signed_up_already"
    assert event.registrations.count() == 1
    # An equal name alone is no proof that it is the same person, so the page asks.
    for contact in ({}, {"email": "a@example.org"}, {"email": "b@example.org"}, {"phone": "070 1"}):
        with pytest.raises(Refused) as asked:
            sign_up(event=event, legal_name="Anna Ek", **contact)
        assert asked.value.code == "same_name"
    sign_up(event=event, legal_name="Anna Ek", somebody_else=True)
    assert event.registrations.count() == 2


def test_whoever_has_withdrawn_asks_nobody_of_the_same_name_who_they_are(db: None) -> None:
    event = now_open()
    withdraw(registration=sign_up(event=event, legal_name="Anna Ek"), by=None)
    sign_up(event=event, legal_name="Anna Ek")
    assert event.registrations.count() == 2


def test_a_sign_up_does_not_reveal_a_hidden_namesake(db: None) -> None:
    event = now_open()
    sign_up(event=event, legal_name="Anna Ek", visibility="hidden")
    sign_up(event=event, legal_name="Anna Ek")
    assert event.registrations.count() == 2


def test_nickname_visibility_needs_a_nickname(db: None) -> None:
    event = now_open()
    with pytest.raises(ValidationError):
        sign_up(event=event, legal_name="Anna", visibility="nickname")
    assert not event.registrations.exists()
