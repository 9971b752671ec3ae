"""Everybody can see their own sessions and end them."""

from __future__ import annotations

import importlib
from io import StringIO
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

import config.urls
from tests.tournaments.factories import make_event, make_user
from tournaments.models import EventRole
from tournaments.models.enums import Role

pytestmark = pytest.mark.django_db

PAGE = "/accounts/sessions/"
PASSWORD = "kung-dam-knekt"
PHONE = "Mozilla/5.0 (Android 14; Mobile; rv:131.0) Gecko/131.0 Firefox/131.0"


@pytest.fixture
def tove() -> User:
    user = make_user("tove")
    user.set_password(PASSWORD)
    user.save()
    return user


def signed_in(agent: str = PHONE, name: str = "tove", **more: str) -> Client:
    client = Client(headers={"User-Agent": agent}, **more)
    client.post(reverse("account_login"), {"login": name, "password": PASSWORD})
    return client


def is_in(client: Client) -> bool:
    return client.get(PAGE).status_code == 200


def row_of(client: Client) -> UserSession:
    return UserSession.objects.get(session_key=client.session.session_key)


def test_sessions_end_one_by_one_or_all_others_at_once(tove: User) -> None:
    here, lost, third = signed_in(), signed_in(), signed_in("curl")
    answer = here.get(PAGE)
    shown = answer.context["sign_ins"]
    assert [each for each, _device in shown] == [row_of(each) for each in (here, third, lost)]
    assert [device for _each, device in shown] == ["Firefox · Android", "curl", "Firefox · Android"]
    assert lost.session.session_key not in answer.content.decode()
    here.post(PAGE, {"end": row_of(lost).pk})
    assert [is_in(each) for each in (here, lost, third)] == [True, False, True]
    here.post(PAGE, {"end": "others"})
    assert [is_in(each) for each in (here, third)] == [True, False]


def test_nobody_ends_another_accounts_sessions(tove: User) -> None:
    tove.username, tove.pk = "other", None
    tove.save(force_insert=True)
    here, stranger = signed_in(), signed_in(name="other")
    for end in (row_of(stranger).pk, "others"):
        here.post(PAGE, {"end": end})
    assert is_in(stranger)
    assert is_in(here)


@pytest.mark.parametrize("address", ["", "unix", "2001:db8::1"])
def test_a_sign_in_works_from_any_address(tove: User, address: str) -> None:
    assert is_in(signed_in(REMOTE_ADDR=address))


def test_the_admin_is_off_by_default(settings: Any) -> None:
    boss = Client()
    boss.force_login(make_user("boss", is_staff=True, is_superuser=True))
    assert boss.get("/admin/").status_code == 200
    try:
        settings.ADMIN = False
        settings.ROOT_URLCONF = importlib.reload(config.urls)
        assert boss.get("/admin/").status_code == 404
    finally:
        settings.ADMIN = True
        importlib.reload(config.urls)


def test_earlier_superusers_are_listed_and_made_directors() -> None:
    boss = make_user("boss", is_staff=True, is_superuser=True)
    event = make_event(slug="orphan")
    EventRole.objects.filter(event=event).delete()
    output = StringIO()
    call_command("superusers", stdout=output)
    assert output.getvalue().split() == ["boss"]
    call_command("superusers", end="boss", stdout=StringIO())
    boss.refresh_from_db()
    assert (boss.is_superuser, boss.is_staff) == (False, True)
    assert event.roles.get().user == boss
    assert event.roles.get().role == Role.OWNER
    with pytest.raises(CommandError):
        call_command("superusers", end="boss")
