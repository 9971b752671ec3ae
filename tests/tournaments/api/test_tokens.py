"""Tokens: made and ended at the desk, shown once, stored hashed, of one event and scope."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_member, make_players
from tests.tournaments.html_forms import form_with
from tournaments.api.authentication import WRITES, WRONG
from tournaments.api.commands import MAX_TOKENS, end_token, make_token
from tournaments.cash.queries.ledger import owed_by
from tournaments.core.errors import Refused
from tournaments.events.commands.events import remove_role, set_role
from tournaments.models import ApiToken, Booking, Event, LogEntry, Registration
from tournaments.models.enums import ApiScope, EventStatus, LogAction, RegistrationStatus, Role
from tournaments.registration.commands.erasing import erase_player
from tournaments.registration.commands.merges import merge_persons

pytestmark = pytest.mark.django_db


def made(event: Event, scope: ApiScope = ApiScope.DESK, role: Role = Role.OWNER) -> str:
    return make_token(event=event, name="website", scope=scope, by=make_member(event, role))[1]


def ask(
    event: Event, path: str, token: str, sent: Any = None, key: str = "1", **headers: str
) -> Any:
    headers |= {"authorization": f"Bearer {token}"}
    address = f"/api/v1/events/{event.slug}/{path}"
    if sent is None:
        return Client().get(address, headers=headers)
    headers["idempotency-key"] = key
    return Client().post(address, sent, content_type="application/json", headers=headers)


def test_the_desk_makes_shows_once_and_ends_a_token(event: Event) -> None:
    client = client_of(event, Role.OWNER)
    page = f"/e/{event.slug}/desk/tokens/"
    form = dict(form_with(client.get(page).content.decode(), "scope"))
    shown = client.post(page, form | {"name": "website", "scope": "read"}).content.decode()
    text = shown.partition('data-copy="')[2].partition('"')[0]
    assert ask(event, "registrations/", text).status_code == 200
    assert text not in client.get(page).content.decode()
    row = ApiToken.objects.get()
    assert text not in str(row.__dict__)
    assert len(row.digest) == 64
    again = client.post(f"{page}end/", {"token": row.pk})
    assert again.status_code == 303
    assert ask(event, "registrations/", text).json()["code"] == "bad_token"
    actions = LogEntry.objects.filter(object_type="apitoken").values_list("action", flat=True)
    assert set(actions) == {LogAction.TOKEN_MADE, LogAction.TOKEN_ENDED}


def test_a_name_that_is_empty_is_refused_and_the_scope_kept(event: Event) -> None:
    client = client_of(event, Role.OWNER)
    page = f"/e/{event.slug}/desk/tokens/"
    answer = client.post(page, {"name": "", "scope": "desk"})
    assert answer.status_code == 422
    assert not ApiToken.objects.exists()
    assert re.search(rb'value="desk"[^>]*checked|checked[^>]*value="desk"', answer.content)


def test_an_event_has_so_many_tokens(event: Event) -> None:
    owner = make_member(event, Role.OWNER)
    rows = [make_token(event=event, name="x", scope="read", by=owner)[0] for _ in range(MAX_TOKENS)]
    with pytest.raises(Refused, match="tokens in use"):
        make_token(event=event, name="x", scope="read", by=owner)
    end_token(token=rows[0], by=owner)
    make_token(event=event, name="x", scope="read", by=owner)


def test_without_a_token_nothing_of_the_staff_is_read(event: Event) -> None:
    answer = Client().get(f"/api/v1/events/{event.slug}/registrations/")
    assert (answer.status_code, answer.json()["code"]) == (401, "no_token")
    assert answer["WWW-Authenticate"] == "Bearer"


def test_where_nothing_is_a_wrong_token_is_none(event: Event) -> None:
    headers = {"authorization": "Bearer chicago_ended"}
    for path, status in (("nowhere/", 404), (f"events/{event.slug}", 301)):
        assert Client().get(f"/api/v1/{path}", headers=headers).status_code == status
        assert Client().post(f"/api/v1/{path}", headers=headers).status_code == 404


def test_a_signed_in_browser_is_no_token(event: Event) -> None:
    client = client_of(event, Role.OWNER)
    assert client.get(f"/api/v1/events/{event.slug}/registrations/").status_code == 401


def test_a_token_opens_its_own_event_only(event: Event) -> None:
    other = make_event(slug="other", status=EventStatus.DRAFT)
    token = made(event)
    assert ask(other, "registrations/", token).status_code == 404
    assert ask(other, "heats/", token).status_code == 404
    assert ask(other, "heats/", made(other)).status_code == 200


def test_a_token_for_reading_writes_nothing(event: Event) -> None:
    [player] = make_players(event, 1, here=False)
    answer = ask(event, f"registrations/{player.number}/check-in/", made(event, ApiScope.READ), {})
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_scope")


def test_a_token_can_do_no_more_than_its_maker(event: Event) -> None:
    floor = make_member(event, Role.DIRECTOR)
    _row, token = make_token(event=event, name="x", scope="desk", by=floor)
    set_role(event=event, user=floor, role=Role.FLOOR, by=None)
    [player] = make_players(event, 1)
    paid = ask(event, f"registrations/{player.number}/payments/", token, {"method": "swish"})
    assert (paid.status_code, paid.json()["code"]) == (403, "no_right")
    remove_role(event=event, user=floor, by=None)
    assert ask(event, "registrations/", token).json()["code"] == "no_right"


def test_staff_answers_are_kept_nowhere_and_for_no_other_site(event: Event) -> None:
    answer = ask(event, "registrations/", made(event))
    assert answer["Cache-Control"] == "no-store, private"
    assert not answer.has_header("Access-Control-Allow-Origin")


def test_somebody_is_registered_once(event: Event) -> None:
    token, sent = made(event), {"name": "Åsa Öberg", "club": "Kortet"}
    first = ask(event, "registrations/new/", token, sent)
    again = ask(event, "registrations/new/", token, sent)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert Registration.objects.filter(event=event).count() == 1
    other = ask(event, "registrations/new/", token, {"name": "Bo"})
    assert (other.status_code, other.json()["code"]) == (409, "key_used")
    known = ask(event, "registrations/new/", token, sent, key="2").json()
    assert known["code"] == "same_name"
    entry = LogEntry.objects.get(action=LogAction.REGISTERED)
    assert entry.actor.endswith("(website)")


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"name": ""}, ""),
        ({"name": "Bo", "email": "no"}, "email"),
        ({"name": "Bo", "part": "1A"}, "part"),
        ({"name": "Bo", "visibility": "nickname"}, ""),
        ({"person": "00000000-0000-0000-0000-000000000001"}, "person"),
        ({"name": "\u0000"}, ""),
    ],
)
def test_a_wrong_registration_names_the_field(event: Event, sent: Any, field: str) -> None:
    answer = ask(event, "registrations/new/", made(event), sent)
    assert answer.status_code == 409, answer.content
    problem = answer.json()
    assert problem["code"] == "invalid"
    if field:
        assert field in [each["field"] for each in problem["errors"]]
    assert not Registration.objects.exists()


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ([], ""),
        ({"name": "x" * 121}, "name"),
        ({"name": "Bo" + "\u0000" * 119}, "name"),
        ({"name": 12}, "name"),
        ({"name": "Bo", "visibility": "x"}, "visibility"),
        ({"name": "Bo", "somebody_else": "yes"}, "somebody_else"),
        ({"person": 5}, "person"),
        ({"person": ""}, "person"),
        ({"person": "{00000000-0000-0000-0000-000000000001}"}, "person"),
        ({"person": "00000000-0000-0000-0000-000000000001\n"}, "person"),
    ],
)
def test_what_is_no_registration_is_told_by_its_field(event: Event, sent: Any, field: str) -> None:
    answer = ask(event, "registrations/new/", made(event), sent)
    assert answer.status_code == 400, answer.content
    assert not field or field in [each["field"] for each in answer.json()["errors"]]
    assert not Registration.objects.exists()


def test_a_key_sent_again_tells_no_name_that_is_erased_or_merged(event: Event) -> None:
    token, one, two = made(event), {"name": "Åsa Öberg"}, {"name": "Bo Ek"}
    for key, sent in (("1", one), ("2", two)):
        ask(event, "registrations/new/", token, sent, key=key)
    kept, merged = event.registrations.order_by("number")
    merge_persons(kept=kept.person, merged=merged.person, event=event, by=None)
    again = ask(event, "registrations/new/", token, two, key="2")
    assert (again.status_code, again.json()["name"]) == (201, "Åsa Öberg")
    erase_player(registration=kept, by=None)
    for key, sent in (("1", one), ("2", two)):
        again = ask(event, "registrations/new/", token, sent, key=key)
        assert again.status_code == 201
        assert not {"Åsa", "Öberg", "Bo", "Ek"} & set(again.json()["name"].split())


def test_check_in_withdraw_and_payments(event: Event) -> None:
    event.buy_in = 10000
    event.save()
    token = made(event)
    [player] = make_players(event, 1, here=False)
    path = f"registrations/{player.number}"
    checked = ask(event, f"{path}/check-in/", token, {}, key="a").json()
    assert (checked["status"], checked["owes"]) == (RegistrationStatus.CHECKED_IN, 10000)
    for _twice in range(2):
        paid = ask(event, f"{path}/payments/", token, {"method": "swish"}, key="b")
        assert paid.status_code == 201
        assert paid.json()["owes"] == 0
    assert Booking.objects.count() == 1
    for amount in (5000, 5000.0):  # The same number in JSON.
        ahead = ask(
            event, f"{path}/payments/", token, {"method": "card", "amount": amount}, key="c"
        )
        assert ahead.json()["amount"] == 5000
    for amount in ("5000", 0.5, True, 1e300):
        wrong = ask(event, f"{path}/payments/", token, {"method": "card", "amount": amount})
        assert (wrong.status_code, wrong.json()["errors"][0]["field"]) == (400, "amount"), amount
    assert owed_by(event)[player.pk] == -5000
    gone = ask(event, f"{path}/withdraw/", token, {"reason": "ill"}, key="d").json()
    assert gone["status"] == RegistrationStatus.WITHDRAWN
    refused = ask(event, f"{path}/payments/", token, {"method": "card"}, key="e")
    assert (refused.status_code, refused.json()["code"]) == (409, "nothing_due")


def test_a_refused_write_can_be_sent_again_with_its_key(event: Event) -> None:
    token = made(event)
    [player] = make_players(event, 1)
    path = f"registrations/{player.number}/check-in/"
    assert ask(event, path, token, {}).json()["code"] == "already_checked_in"
    assert ask(event, f"registrations/{player.number}/withdraw/", token, {}).status_code == 200


def test_writes_need_a_key_and_json(event: Event) -> None:
    token = made(event)
    assert (
        ask(event, "registrations/new/", token, {"name": "Bo"}, key="").json()["code"] == "no_key"
    )
    headers = {"authorization": f"Bearer {token}", "idempotency-key": "1"}
    address = f"/api/v1/events/{event.slug}/registrations/new/"
    typed = Client().post(address, {"name": "Bo"}, headers=headers)
    assert (typed.status_code, typed.json()["code"]) == (415, "no_json")
    for kind in ("multipart/form-data", "application/x-www-form-urlencoded", "text/plain"):
        for body in ("x", "a=" + "x" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE):
            form = Client().post(address, body, content_type=kind, headers=headers)
            assert (form.status_code, form.json()["code"]) == (415, "no_json"), kind
            assert form["Content-Type"] == "application/problem+json"
    nowhere = Client().post("/api/v1/x/", "x", content_type="multipart/form-data")
    assert (nowhere.status_code, nowhere["Content-Type"]) == (404, "application/problem+json")
    broken = Client().post(address, "{", content_type="application/json", headers=headers)
    assert (broken.status_code, broken.json()["code"]) == (400, "no_json")


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        ("[" * 100_000, 400, "no_json"),
        (f'{{"name": {"[" * 100_000}{"]" * 100_000}}}', 400, "no_json"),
        (f'{{"name": "{"x" * 3_000_000}"}}', 413, "too_large"),
    ],
    ids=["open", "deep", "large"],
)
def test_no_document_is_too_much(event: Event, sent: str, status: int, code: str) -> None:
    answer = Client().post(
        f"/api/v1/events/{event.slug}/registrations/new/",
        sent,
        content_type="application/json",
        headers={"authorization": f"Bearer {made(event)}", "idempotency-key": "1"},
    )
    assert (answer.status_code, answer.json()["code"]) == (status, code)


@pytest.mark.parametrize("kind", ["", "application/json", "text/plain"])
def test_a_write_without_a_body_sends_an_empty_document(event: Event, kind: str) -> None:
    headers = {"authorization": f"Bearer {made(event)}"}
    [player] = make_players(event, 1, here=False)
    for key, path, wanted in (
        ("1", f"{player.number}/check-in/", 200),
        ("2", f"{player.number}/withdraw/", 200),
        ("3", f"{player.number}/payments/", 400),
        ("4", "new/", 409),
    ):
        answer = Client().generic(
            "POST",
            f"/api/v1/events/{event.slug}/registrations/{path}",
            content_type=kind,
            headers=headers | {"idempotency-key": key},
        )
        assert answer.status_code == wanted, answer.content


def test_wrong_tokens_and_writes_are_limited(event: Event) -> None:
    for _each in range(WRONG["most"]):
        assert ask(event, "registrations/", "chicago_wrong").status_code == 401
    many = ask(event, "registrations/", "chicago_wrong")
    assert many.status_code == 429
    assert int(many["Retry-After"]) > 0
    token = made(event)
    for _each in range(WRITES["most"]):
        assert ask(event, "registrations/9/withdraw/", token, {}).status_code == 404
    assert ask(event, "registrations/9/withdraw/", token, {}).json()["code"] == "too_many"


def test_the_staffs_document_has_every_row(event: Event) -> None:
    assert "history" in ask(event, "staff/document/", made(event, ApiScope.READ)).json()
