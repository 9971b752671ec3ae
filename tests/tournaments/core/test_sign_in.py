from __future__ import annotations

from datetime import timedelta
from typing import Any, ClassVar

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client, RequestFactory, override_settings
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.factories import make_user
from tournaments.core.accounts import (
    MAX_FAILURES,
    MAX_FROM_ADDRESS,
    MAX_FROM_STRANGERS,
    MAX_HASHES,
)
from tournaments.core.limits import client_address, count, seconds_left
from tournaments.models import Attempt

pytestmark = pytest.mark.django_db


def test_without_mail_no_password_reset_is_offered(tove: User) -> None:
    client = Client()
    page = client.get(reverse("account_login")).content.decode()
    client.force_login(tove)
    page += client.get(reverse("account_change_password")).content.decode()
    assert 'name="oldpassword"' in page
    assert reverse("account_reset_password") not in page


def test_a_right_password_leads_home_and_a_wrong_one_says_so() -> None:
    user = make_user("tove")
    user.set_password("kung-dam-knekt")
    user.save()
    client = Client()
    wrong = client.post(reverse("account_login"), {"login": "tove", "password": "nope"})
    assert wrong.status_code == 200
    assert "_auth_user_id" not in client.session
    right = client.post(reverse("account_login"), {"login": "tove", "password": "kung-dam-knekt"})
    assert right.status_code == 302
    assert client.session["_auth_user_id"] == str(user.pk)


PASSWORD = "kung-dam-knekt"
HERE, THERE = {"REMOTE_ADDR": "192.0.2.1"}, {"REMOTE_ADDR": "192.0.2.2"}


@pytest.fixture
def tove() -> User:
    user = make_user("tove")
    user.set_password(PASSWORD)
    user.save()
    return user


def sign_in(client: Client, password: str = PASSWORD) -> bool:
    """Return whether the password was accepted."""
    form = {"login": "tove", "password": password}
    return client.post(reverse("account_login"), form).status_code == 302


def guess(client: Client, times: int = 12) -> None:
    for _ in range(times):
        assert not sign_in(client, "wrong")


def test_guessing_locks_out_the_stranger_and_nobody_else(tove: User) -> None:
    stranger, director = Client(**HERE), Client(**THERE)
    guess(stranger)
    assert not sign_in(stranger)
    assert sign_in(director)
    Attempt.objects.update(at=timezone.now() - timedelta(minutes=6))
    assert sign_in(stranger)


def test_a_known_device_at_the_strangers_address_can_sign_in(tove: User) -> None:
    director, stranger, other = (Client(**HERE) for _ in range(3))
    assert sign_in(director)
    director.post(reverse("account_logout"))
    guess(stranger)
    assert sign_in(director)
    assert not sign_in(other)
    # A device is known to the accounts that have signed in on it, and counted by itself.
    director.post(reverse("account_logout"))
    guess(director)
    assert not sign_in(director)


def test_right_passwords_and_sessions_do_not_count_as_attempts(tove: User) -> None:
    for _ in range(7):
        assert sign_in(Client(**HERE))


def test_the_old_password_cannot_be_guessed_from_an_open_session(tove: User) -> None:
    client, page = Client(**HERE), reverse("account_change_password")
    client.force_login(tove)

    def change(old: str) -> None:
        # The limit holds without the cache, which each process has for itself.
        cache.clear()
        new = {"password1": "hjärter-ess-14", "password2": "hjärter-ess-14"}
        client.post(page, {"oldpassword": old, **new})
        tove.refresh_from_db()

    for _time in range(MAX_FAILURES):
        change("wrong")
    change(PASSWORD)
    assert tove.check_password(PASSWORD)
    Attempt.objects.update(at=timezone.now() - timedelta(minutes=6))
    change(PASSWORD)
    assert tove.check_password("hjärter-ess-14")


def test_the_admin_uses_the_same_sign_in(tove: User) -> None:
    assert (
        Client()
        .get("/admin/", follow=True)
        .redirect_chain[-1][0]
        .startswith(reverse("account_login"))
    )


@override_settings(
    CACHES={
        "default": {
            "BACKEND": "config.cache.SurvivingRedisCache",
            "LOCATION": "redis://127.0.0.1:1/0",
        }
    }
)
def test_nobody_is_locked_out_while_redis_is_down(tove: User) -> None:
    client = Client(**HERE)
    assert sign_in(client)
    cache.set("seat", 3)
    assert cache.get("seat") == 3
    answer = client.post(reverse("mfa_activate_totp"), {"code": "1"})
    assert answer.status_code < 500
    stranger = Client(**HERE)
    guess(stranger)
    assert not sign_in(stranger)


@pytest.mark.parametrize(
    ("proxies", "header", "address"),
    [
        (0, "203.0.113.9", "192.0.2.1"),
        (1, "", "192.0.2.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.7, 203.0.113.9", "203.0.113.9"),
        (2, "198.51.100.7, 203.0.113.9, 10.0.0.1", "203.0.113.9"),
        (2, "203.0.113.9", "192.0.2.1"),
        (1, "2001:db8::1", "2001:db8::/64"),
        (1, "::ffff:203.0.113.9", "203.0.113.9"),
    ],
)
def test_client_address(settings: Any, proxies: int, header: str, address: str) -> None:
    settings.TRUST_PROXY = proxies
    request = RequestFactory(**HERE).get("/", headers={"x-forwarded-for": header})
    assert client_address(request) == address


class CountingHasher(MD5PasswordHasher):
    """Counts how often a password is hashed."""

    hashed: ClassVar[list[str]] = []

    def encode(self, password: str, salt: str) -> str:
        self.hashed.append(password)
        encoded: str = super().encode(password, salt)
        return encoded


@override_settings(PASSWORD_HASHERS=[f"{__name__}.CountingHasher"])
def test_invented_names_are_refused_before_anything_is_hashed() -> None:
    client, address = Client(**HERE), reverse("account_login")
    CountingHasher.hashed.clear()
    for number in range(MAX_FROM_ADDRESS + 10):
        page = client.post(address, {"login": f"nobody{number}", "password": "guess"})
    assert len(CountingHasher.hashed) == MAX_FROM_ADDRESS
    [refusal] = page.context["form"].errors.as_data()["__all__"]
    assert refusal.code == "too_many_login_attempts"
    assert 240 < seconds_left("sign-in-address", HERE["REMOTE_ADDR"], most=30, seconds=300) <= 300


@override_settings(PASSWORD_HASHERS=[f"{__name__}.CountingHasher"])
def test_a_password_is_hashed_once(tove: User) -> None:
    CountingHasher.hashed.clear()
    assert not sign_in(Client(**HERE), "wrong")
    assert len(CountingHasher.hashed) == 1


def test_strangers_everywhere_lock_out_no_known_device(tove: User) -> None:
    director = Client(**HERE)
    assert sign_in(director)
    director.post(reverse("account_logout"))
    for _time in range(MAX_FROM_STRANGERS):
        count("sign-in-all", "")
    assert not sign_in(Client(**THERE))
    assert sign_in(director)


def test_two_passwords_at_most_are_hashed_at_once(
    tove: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.core.accounts.HASH_PATIENCE", 0.1)
    slots = [count("hash", "") for _each in range(MAX_HASHES)]
    assert not sign_in(Client(**HERE))
    slots[0].delete()
    assert sign_in(Client(**HERE))


@pytest.mark.parametrize("header", ["203.0.113.9", "203.0.113.9:4711", "1.2.3.4, 203.0.113.9:80"])
def test_a_port_is_no_part_of_an_address(header: str) -> None:
    with override_settings(TRUST_PROXY=1):
        request = RequestFactory().get("/", headers={"X-Forwarded-For": header})
        assert client_address(request) == "203.0.113.9"
        request = RequestFactory().get("/", headers={"X-Forwarded-For": "[2001:db8::7]:443"})
        assert client_address(request) == "2001:db8::/64"
