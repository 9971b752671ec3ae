"""An event may require two-factor authentication of its staff."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_maker, make_member, make_players
from tests.tournaments.refusals import codes_in
from tournaments.draws.commands.drafts import draft_heats
from tournaments.events.commands.events import create_with_staff_of, set_role
from tournaments.models import Attempt, Event
from tournaments.models.enums import EventStatus, Role

PASSWORD = "kung-dam-knekt"
SECRET = "JBSWY3DPEHPK3PXP"


def code(secret: str = SECRET) -> str:
    """Return the code that an authenticator app would show now."""
    return format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time())))


def demanding(**fields: object) -> Event:
    return make_event(slug="fest", staff_two_factor=True, **fields)


def signed_in(user: User) -> Client:
    """Return a browser signed in with the password."""
    user.set_password(PASSWORD)
    user.save()
    client = Client()
    form = {"login": user.username, "password": PASSWORD}
    assert client.post(reverse("account_login"), form).status_code == 302
    return client


def desk(event: Event) -> str:
    return reverse("tournaments:desk", args=[event.slug])


def test_staff_without_a_second_factor_are_led_to_set_one_up() -> None:
    event = demanding()
    director = client_of(event, Role.DIRECTOR)
    for path in (desk(event), reverse("tournaments:floor", args=[event.slug])):
        assert director.get(path)["Location"] == reverse("mfa_activate_totp")
    part = director.get(desk(event), headers={"HX-Request": "true"})
    assert (part.status_code, part["HX-Redirect"]) == (401, reverse("mfa_activate_totp"))
    assert director.post(reverse("tournaments:desk_draw", args=[event.slug])).status_code == 302
    assert not event.draws.exists()


@pytest.fixture(autouse=True)
def unused_codes(db: None) -> None:
    """Forget used codes: each works once, and accounts of different tests share their keys."""
    cache.clear()


@pytest.mark.django_db(transaction=True)
def test_after_setting_it_up_work_continues() -> None:
    event = demanding()
    client = signed_in(make_member(event, Role.FLOOR))
    again = client.get(reverse("mfa_activate_totp"))["Location"]
    # There is no reset by mail, so no link leads to one.
    assert reverse("account_reset_password") not in client.get(again).content.decode()
    assert client.post(again, {"password": PASSWORD}).status_code == 302
    page = client.get(reverse("mfa_activate_totp"))
    secret = page.context["form"].secret
    client.post(reverse("mfa_activate_totp"), {"code": code(secret)})
    assert client.get(desk(event)).status_code == 200


def test_a_session_without_a_second_factor_is_asked_for_a_code() -> None:
    event = demanding()
    user = make_member(event, Role.DIRECTOR)
    early = signed_in(user)
    TOTP.activate(user, SECRET)
    asked = early.get(desk(event))
    assert asked["Location"].startswith(reverse("mfa_reauthenticate"))
    back = early.post(asked["Location"], {"code": code(), "next": desk(event)})
    assert back["Location"] == desk(event)
    assert early.get(desk(event)).status_code == 200


def test_other_events_do_not_require_it() -> None:
    demanding()
    other = make_event(slug="other")
    assert client_of(other, Role.DIRECTOR).get(desk(other)).status_code == 200


def test_a_draft_event_is_hidden_until_the_second_factor() -> None:
    event = demanding(status=EventStatus.DRAFT)
    assert client_of(event, Role.DIRECTOR).get(event.get_absolute_url()).status_code == 404


def test_drafts_of_draws_are_listed_only_after_it() -> None:
    event = demanding()
    make_players(event, 4)
    draft_heats(event=event, by=None)
    page = reverse("tournaments:draws", args=[event.slug])
    director = client_of(event, Role.DIRECTOR)
    assert director.get(page).context["draws"] == []
    Event.objects.update(staff_two_factor=False)
    assert len(director.get(page).context["draws"]) == 1


@pytest.mark.parametrize("method", ["get", "post"])
def test_an_event_cannot_be_copied_without_it(method: str) -> None:
    event = demanding(wifi_name="Hall", wifi_password="spader-ess")
    maker = make_maker()
    set_role(event=event, user=maker, role=Role.OWNER, by=None)
    client = Client()
    client.force_login(maker)
    data = {"like": event.slug, "with_staff": "on", "name": "Next", "slug": "next"}
    answer = getattr(client, method)(reverse("tournaments:event_create"), data)
    assert answer["Location"] == reverse("mfa_activate_totp")
    assert Event.objects.count() == 1


def test_the_owner_requires_it_and_sees_who_lacks_it() -> None:
    event = make_event(slug="fest")
    owner = make_member(event, Role.OWNER)
    TOTP.activate(owner, SECRET)
    make_member(event, Role.FLOOR)
    client = signed_in(owner)
    assert client.get(reverse("mfa_authenticate")).status_code == 200
    client.post(reverse("mfa_authenticate"), {"code": code()})
    save = reverse("tournaments:event_two_factor", args=[event.slug])
    assert client.post(save, {"staff_two_factor": "on"}).status_code == 303
    event.refresh_from_db()
    assert event.staff_two_factor
    lacking = client.get(reverse("tournaments:event_staff", args=[event.slug])).context["lacking"]
    assert owner.pk not in lacking
    assert lacking
    like = create_with_staff_of(earlier=event, by=owner, name="Next", slug="next")
    assert like.staff_two_factor
    client.post(save)
    event.refresh_from_db()
    assert not event.staff_two_factor


def code_at(offset: float) -> str:
    """Return the code that an app shows whose clock is so many seconds ahead of ours."""
    return format_hotp_value(hotp_value(SECRET, int(time.time() + offset) // 30))


def asked(user: User) -> Client:
    """Return a browser that has given the password and is asked for a code."""
    client = Client()
    form = {"login": user.username, "password": PASSWORD}
    assert client.post(reverse("account_login"), form)["Location"].startswith(code_page())
    return client


def code_page() -> str:
    return reverse("mfa_authenticate")


@pytest.fixture
def staff(db: None) -> User:
    user = make_member(make_event(slug="fest"), Role.DIRECTOR)
    user.set_password(PASSWORD)
    user.save()
    TOTP.activate(user, SECRET)
    return user


@pytest.mark.parametrize("offset", [-30, 0, 30])
def test_a_phone_may_be_a_step_off_and_its_code_works_once(staff: User, offset: int) -> None:
    shown = code_at(offset)
    assert asked(staff).post(code_page(), {"code": shown}).status_code == 302
    # In other processes, too, and for as long as it is accepted.
    cache.clear()
    again = asked(staff).post(code_page(), {"code": f"{shown[:3]} {shown[3:]}"})
    assert "incorrect_code" in codes_in(again)


def test_a_wrong_clock_is_asked_about_and_blocks_nobody(staff: User) -> None:
    client = asked(staff)
    for step in range(12):
        page = client.post(code_page(), {"code": code_at(240 + 30 * step)})
        assert codes_in(page) == {"incorrect_code"}
        assert f"{timezone.localtime():%H:%M}" in page.context["form"].errors["code"][0]
    # The clock set right, or a spare code: both work at once.
    spare = RecoveryCodes.activate(staff).generate_codes()
    assert client.post(code_page(), {"code": spare[0]}).status_code == 302
    assert asked(staff).post(code_page(), {"code": code()}).status_code == 302


def test_no_block_outlives_the_clock_set_right(staff: User) -> None:
    client = asked(staff)
    for _ in range(6):
        page = client.post(code_page(), {"code": "000000"})
    assert codes_in(page) == {"too_many_login_attempts"}
    # It was four minutes fast.
    Attempt.objects.update(at=F("at") + timedelta(minutes=4))
    assert client.post(code_page(), {"code": code()}).status_code == 302


def test_codes_cannot_be_guessed_from_any_address(db: None, settings: Any) -> None:
    user = make_member(make_event(slug="fest"), Role.DIRECTOR)
    TOTP.activate(user, SECRET)
    known = signed_in(user)
    known.post(reverse("mfa_authenticate"), {"code": code()})
    assert known.get(desk(Event.objects.get())).status_code == 200
    page = reverse("mfa_authenticate")

    def stranger(address: str, times: int, text: str = "000000") -> Client:
        client = Client(REMOTE_ADDR=address)
        form = {"login": user.username, "password": PASSWORD}
        assert client.post(reverse("account_login"), form)["Location"].startswith(page)
        for _ in range(times):
            assert client.post(page, {"code": text}).status_code == 200
        return client

    # After five wrong codes even the right one is refused; the cache holds no code.
    stranger("192.0.2.1", 5)
    cache.clear()
    stranger("192.0.2.1", 1, code_at(30))
    for number in range(9):
        stranger(f"192.0.2.{number + 2}", 5)
    cache.clear()
    stranger("192.0.2.99", 1, code_at(30))
    # The session goes on, and so does a device on which the account has signed in before.
    assert known.get(desk(Event.objects.get())).status_code == 200
    known.post(reverse("account_logout"))
    known.post(reverse("account_login"), {"login": user.username, "password": PASSWORD})
    assert known.post(page, {"code": code_at(30)}).status_code == 302
