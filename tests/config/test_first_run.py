"""The first account, made with the setup code while no account exists."""

import os
import stat
from pathlib import Path

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from tournaments.events.commands import first_run
from tournaments.models import OrganiserMember

PASSWORD = "kungens-kurva-4711"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, settings: Settings) -> Path:
    """Give every test its own data folder, and so its own setup code."""
    settings.DATA_DIR = tmp_path
    return tmp_path


def form(**changes: str) -> dict[str, str]:
    return {
        "code": first_run.setup_code(),
        "username": "anna",
        "password1": PASSWORD,
        "password2": PASSWORD,
    } | changes


def test_the_code_is_made_once_and_readable_by_its_owner_only(data_folder: Path) -> None:
    code = first_run.setup_code()
    assert first_run.setup_code() == code
    assert len(code.replace("-", "")) == 12
    if os.name != "nt":
        assert stat.S_IMODE((data_folder / "setup_code").stat().st_mode) == 0o600


def test_the_right_code_makes_a_director_who_is_signed_in(
    client: Client,
    data_folder: Path,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    assert b"autofocus" in client.get(reverse("first_run")).content.split(b'name="code"')[1][:200]
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(reverse("first_run"), form(code=f" {first_run.setup_code().upper()} "))
    assert answer.status_code == 302
    user = User.objects.get()
    assert (user.username, user.is_staff, user.is_superuser) == ("anna", False, False)
    assert OrganiserMember.objects.get(user=user).is_owner
    assert client.session["_auth_user_id"] == str(user.pk)
    assert UserSession.objects.get().session_key == client.session.session_key
    assert not (data_folder / "setup_code").exists()


def test_the_code_may_be_typed_without_its_dashes(client: Client) -> None:
    answer = client.post(reverse("first_run"), form(code=first_run.setup_code().replace("-", "")))
    assert answer.status_code == 302


@pytest.mark.parametrize(
    "changes",
    [
        {"code": "aaaa-aaaa-aaaa"},
        {"code": ""},
        {"code": "ååå"},
        {"username": ""},
        {"username": "no spaces allowed"},
        {"password2": "something else"},
        {"password1": "12345678", "password2": "12345678"},
    ],
)
def test_a_wrong_form_makes_no_account(client: Client, changes: dict[str, str]) -> None:
    answer = client.post(reverse("first_run"), form(**changes))
    assert answer.status_code == 422
    assert not User.objects.exists()


def test_the_page_is_gone_once_there_is_an_account(client: Client) -> None:
    User.objects.create_user("somebody")
    assert client.get(reverse("first_run")).status_code == 404
    assert client.post(reverse("first_run"), form()).status_code == 404
    assert User.objects.count() == 1


def test_the_second_of_two_at_once_gets_no_account(client: Client) -> None:
    code = first_run.setup_code()
    User.objects.create_user("somebody")
    with pytest.raises(ValidationError) as refused:
        first_run.create_first_director(code=code, username="anna", password=PASSWORD)
    assert list(refused.value.error_dict) == ["code"]
    assert User.objects.count() == 1


def test_the_page_speaks_swedish(client: Client) -> None:
    page = client.get(reverse("first_run"), headers={"accept-language": "sv"}).content.decode()
    assert 'lang="sv"' in page


def test_the_command_makes_a_director(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIRECTOR_PASSWORD", PASSWORD)
    call_command("create_director", "bo")
    assert User.objects.get().check_password(PASSWORD)
    with pytest.raises(CommandError, match="already exists"):
        call_command("create_director", "bo")


def test_the_command_refuses_a_weak_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIRECTOR_PASSWORD", "password")
    with pytest.raises(CommandError, match="too common"):
        call_command("create_director", "bo")
    assert not User.objects.exists()
