"""Signing in, and the look of allauth's pages here."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

from tests.tournaments.registration.test_views_desk import text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    """An account with a password."""
    return User.objects.create_user("tove", password="spader-ess-13")


@pytest.mark.parametrize(("language", "word"), [("en", "Sign in"), ("sv", "Logga in")])
def test_sign_in_page(client: Client, language: str, word: str) -> None:
    page = text_of(client.get("/accounts/login/", headers={"Accept-Language": language}))
    assert f"<h1>{word}</h1>" in page
    assert "sign up" not in page.lower()
    assert "site.css" in page


def test_sign_in_and_out(client: Client, user: User) -> None:
    answer = client.post("/accounts/login/", {"login": "tove", "password": "spader-ess-13"})
    assert answer.status_code == 302
    assert client.get("/").context["user"].is_authenticated
    client.post("/accounts/logout/")
    assert not client.get("/accounts/login/").context["user"].is_authenticated


def test_a_wrong_password_is_reported(client: Client, user: User) -> None:
    answer = client.post("/accounts/login/", {"login": "tove", "password": "x"})
    assert answer.status_code == 200
    assert "tove" in text_of(answer)


def test_there_is_no_public_account_creation(client: Client, user: User) -> None:
    assert 'name="password1"' not in text_of(client.get("/accounts/signup/"))
    data = {"username": "ny", "password1": "spader-ess-13", "password2": "spader-ess-13"}
    client.post("/accounts/signup/", data)
    assert not User.objects.filter(username="ny").exists()


@pytest.mark.parametrize(
    "path",
    [
        "/accounts/password/change/",
        "/accounts/logout/",
        "/accounts/2fa/",
        "/accounts/reauthenticate/",
    ],
)
def test_account_pages_use_our_templates(client: Client, user: User, path: str) -> None:
    client.force_login(user)
    answer = client.get(path, follow=True)
    assert answer.status_code == 200
    assert "tournament.css" in text_of(answer)
    assert "style=" not in text_of(answer)


@pytest.mark.parametrize(
    "path",
    [
        "password/reset/",
        "password/reset/done/",
        "password/reset/key/1-abc/",
        "password/reset/key/done/",
        "email/",
        "confirm-email/",
        "confirm-email/abc/",
        "login/code/confirm/",
    ],
)
def test_no_mail_opens_an_account(client: Client, user: User, path: str) -> None:
    client.force_login(user)
    assert client.get(f"/accounts/{path}").status_code == 404
    answer = client.post(f"/accounts/{path}", {"email": "stranger@example.org", "action_add": ""})
    assert answer.status_code == 404
    assert mail.outbox == []
