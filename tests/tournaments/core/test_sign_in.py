"""Signing in."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import make_user

pytestmark = pytest.mark.django_db


def test_page_offers_no_mail_that_nobody_sends() -> None:
    page = Client().get(reverse("account_login")).content.decode()
    assert reverse("account_reset_password") not in page
    assert "Whoever runs this installation" in page


def test_right_password_leads_home_and_a_wrong_one_says_so() -> None:
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
