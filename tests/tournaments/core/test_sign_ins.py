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
from tournaments.core.sign_ins import sign_ins_of
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


def signed_in(agent: str = PHONE, **more: str) -> Client:
    client = Client(headers={"User-Agent": agent}, **more)
    client.post(reverse("account_login"), {"login": "tove", "password": PASSWORD})
    return client


def is_in(client: Client) -> bool:
    return client.get(PAGE).status_code == 200


def test_sessions_end_one_by_one_or_all_others_at_once(tove: User) -> None:
    here, lost, third = signed_in(), signed_in(), signed_in("curl")
    found = sign_ins_of(tove, current=here.session.session_key)
    assert [each.current for each in found] == [True, False, False]
    assert sorted(each.device for each in found) == ["Firefox · Android"] * 2 + ["curl"]
    page = here.get(PAGE).content.decode()
    assert lost.session.session_key not in page
    key = next(e.key for e in found if e.session.session_key == lost.session.session_key)
    here.post(PAGE, {"end": key})
    assert [is_in(each) for each in (here, lost, third)] == [True, False, True]
    here.post(PAGE, {"end": "others"})
    assert [is_in(each) for each in (here, third)] == [True, False]


def test_other_accounts_sessions_and_those_from_before_the_list(tove: User) -> None:
    here, old, stranger = signed_in(), signed_in(), Client()
    stranger.force_login(make_user("other"))
    UserSession.objects.all().delete()
    assert len(sign_ins_of(tove, current=None)) == 2
    theirs = sign_ins_of(User.objects.get(username="other"), current=None)[0]
    here.post(PAGE, {"end": theirs.key})
    assert is_in(stranger)
    here.post(PAGE, {"end": "others"})
    assert not is_in(old)
    assert is_in(stranger)


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
