"""Double clicks, back and reload: a form that creates something creates it once."""

from __future__ import annotations

import re
import threading
from datetime import timedelta
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.conf import settings
from django.db import connection
from django.test import Client
from django.utils import timezone

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_heats, make_players
from tests.tournaments.html_forms import form_with
from tests.tournaments.registration.test_views_desk import url
from tournaments.models import (
    Booking,
    Draw,
    Event,
    Heat,
    Invitation,
    LogEntry,
    Person,
    ProcessedForm,
)
from tournaments.models.enums import Role

#: Page, the form's target, one of its fields, what is typed, what is created, what is typed next.
FORMS = [
    ("sign_up", "sign_up", "website", {"legal_name": "Bo"}, Person, {"legal_name": "Eva"}),
    ("player_register", "player_register", "legal_name", {"legal_name": "Bo"}, Person,
     {"legal_name": "Eva"}),
    ("cash", "cash", "amount", {"kind": "fee", "number": "1", "amount": "50"}, Booking,
     {"amount": "60"}),
    ("staff_invite", "staff_invite", "role", {"role": "floor"}, Invitation, {"role": "director"}),
]  # fmt: skip


def filled(client: Client, event: Event, page: str, field: str) -> dict[str, Any]:
    return dict(form_with(client.get(url(event, page)).content.decode(), field))


@pytest.fixture
def event(db: None) -> Event:
    made = make_event(slug="fest", sign_up_opens_at=timezone.now() - timedelta(hours=1))
    make_players(made, 1)
    return made


@pytest.mark.parametrize(("page", "to", "field", "typed", "model", "other"), FORMS)
def test_the_same_form_twice_creates_one(
    event: Event, page: str, to: str, field: str, typed: dict[str, str], model: Any, other: Any
) -> None:
    client = client_of(event, Role.OWNER)
    form = filled(client, event, page, field) | typed
    before = model.objects.count()
    first = client.post(url(event, to), form)
    again = client.post(url(event, to), form)
    assert (first.status_code, again.status_code) == (303, 303)
    assert again["Location"] == first["Location"]
    assert model.objects.count() == before + 1
    # Back, and something else typed into the same page: that creates another one.
    assert client.post(url(event, to), form | other).status_code == 303
    assert model.objects.count() == before + 2


def test_a_private_link_is_not_kept_as_it_is(event: Event) -> None:
    client = Client()
    form = filled(client, event, "sign_up", "website") | {"legal_name": "Bo"}
    link = client.post(url(event, "sign_up"), form)["Location"]
    taken = ProcessedForm.objects.get()
    assert link.startswith("/p/")
    assert link.split("/")[2] not in taken.location
    # The version before kept it like this.
    taken.location = link
    taken.save()
    assert client.post(url(event, "sign_up"), form)["Location"] == link
    # With another secret key it cannot be read; the form is done all the same.
    taken.location = Fernet(Fernet.generate_key()).encrypt(link.encode()).decode()
    taken.save()
    assert client.post(url(event, "sign_up"), form)["Location"] == url(event, "event")
    assert Person.objects.filter(given_name="Bo").count() == 1


def test_a_refused_form_may_be_sent_again(event: Event) -> None:
    client = client_of(event, Role.OWNER)
    form = filled(client, event, "cash", "amount") | {"kind": "fee", "number": "2", "amount": "50"}
    assert client.post(url(event, "cash"), form).status_code == 422
    make_players(event, 1)
    assert client.post(url(event, "cash"), form).status_code == 303
    assert Booking.objects.count() == 1


def test_draws_and_extra_minutes_are_made_once(event: Event) -> None:
    Event.objects.update(minutes_per_heat=60)
    heat = make_heats(event, 4).heats[0]
    make_players(event, 4)
    client = client_of(event, Role.DIRECTOR)
    for page, to, field, typed, counted in (
        ("desk", "draft_make", "tables", {}, lambda: Draw.objects.count()),
        ("seating_constraints", "seating_apart", "one", {"one": "1", "other": "2"},
         lambda: LogEntry.objects.filter(action="kept_apart").count()),
        ("heat_desk", "heat_minutes", "time-reason", {"time-minutes": "10"},
         lambda: Heat.objects.get(pk=heat.pk).extra_minutes // 10),
    ):  # fmt: skip
        number = {"number": heat.number}
        shown = client.get(url(event, page, **(number if page == "heat_desk" else {}))).text
        form = dict(form_with(shown, field)) | typed
        path = url(event, to, **(number if to.startswith("heat") else {}))
        before = counted()
        answers = [client.post(path, form) for _ in range(3)]
        assert {answer.status_code for answer in answers} <= {302, 303}, to
        assert {answer["Location"] for answer in answers} == {answers[0]["Location"]}
        assert counted() == before + 1, to


#: Idempotent: these forms state the wanted result. The next ones have a client id or a version.
SAY_WHAT_IS_SO = {
    "draft_change", "event_status", "event_staff_remove", "event_two_factor", "heat_auditor",
    "heat_table", "import_players", "job_cancel", "picture_set", "player_page_name",
    "player_page_score", "seating_room",
    "announcement_take_back", "player_page_push", "player_page_push_try", "screen_end",
    "screens_steer", "sponsor_remove",
}  # fmt: skip
WITH_OWN_ID = {
    "closed_penalty", "disqualify", "heat_penalty", "heat_ruling", "correct_preview",
    "correct_apply", "deal_preview", "deal_put_in",
    "correction_back_preview",
    "paper_back_preview", "paper_compared", "paper_deals", "paper_enter", "paper_preview",
    "paper_take_back",
}  # fmt: skip
#: Forms without an address go to their own page; ``_act`` is a player's next step, refused the
#: second time; the addresses of a correction and its preview are in the templates that extend them,
#: both with the id of the form's own field.
OWN_PAGES = {
    "core/_act.html", "corrections/_form_base.html", "corrections/_preview_base.html",
    "events/event_settings.html", "events/first_run_create.html",
    "heats/room_table.html", "registration/player_edit.html", "screens/screen_set.html",
    # Its letters are used up the first time.
    "screens/screens.html", "verify/verification.html",
}  # fmt: skip


def test_every_form_that_creates_something_carries_an_id() -> None:
    folder = settings.BASE_DIR / "templates" / "tournaments"
    without = []
    for file in sorted(folder.rglob("*.html")):
        for head, body in re.findall(r"<form\b(.*?)>(.*?)</form>", file.read_text("utf-8"), re.S):
            if 'method="post"' not in head or "{% client_id %}" in body:
                continue
            named = re.findall(r"tournaments:(\w+)'", head)
            known = named and set(named) <= SAY_WHAT_IS_SO | WITH_OWN_ID
            name = file.relative_to(folder).as_posix()
            if not known and (named or name not in OWN_PAGES):
                without.append((name, named))
    assert without == []


#: Forms of a table that are idempotent, or refused or without effect the second time.
SAY_SO_AT_A_TABLE = {
    "deal_forgotten", "deal_inserted", "entry_corrected", "table_share",
}  # fmt: skip


def test_every_form_of_a_table_that_creates_something_carries_an_id() -> None:
    without = []
    for file in sorted((settings.BASE_DIR / "templates" / "scoring").glob("*.html")):
        for head, body in re.findall(r"<form\b(.*?)>(.*?)</form>", file.read_text("utf-8"), re.S):
            named = set(re.findall(r"scoring:(\w+)'", head))
            if named and 'name="id"' not in body and not named <= SAY_SO_AT_A_TABLE:
                without.append((file.name, named))
    assert without == []


@pytest.mark.django_db(transaction=True)
def test_a_double_click_creates_one() -> None:
    event = make_event(slug="fest")
    make_players(event, 1)
    client = client_of(event, Role.CASHIER)
    form = filled(client, event, "cash", "amount") | {"kind": "fee", "number": "1", "amount": "50"}
    answers: list[int] = []

    def click() -> None:
        other = Client()
        other.cookies = client.cookies
        answers.append(other.post(url(event, "cash"), form).status_code)
        connection.close()

    threads = [threading.Thread(target=click) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert answers == [303] * 4
    assert Booking.objects.count() == 1
