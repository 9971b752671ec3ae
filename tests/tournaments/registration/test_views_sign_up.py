from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_players
from tests.tournaments.playoffs.factories import prepared, qualified_event
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.cash.commands import book
from tournaments.models import Event, Person
from tournaments.models.enums import (
    BookingKind,
    EventStatus,
    LogAction,
    PaymentMethod,
    RegistrationStatus,
    Role,
)
from tournaments.registration.queries.about import format_text
from tournaments.registration.queries.sign_up import sign_up_state
from tournaments.registration.views import sign_up

FORM = {"legal_name": "Anna Ek", "visibility": "public", "email": "anna@example.org"}


@pytest.fixture
def open_event(db: None) -> Event:
    return make_event(slug="fest", sign_up_opens_at=timezone.now() - timedelta(hours=1))


def test_signing_up_leads_to_the_players_own_page(open_event: Event, client: Client) -> None:
    assert 'name="visibility"' in text_of(client.get(url(open_event, "sign_up")))
    answer = client.post(url(open_event, "sign_up"), FORM, follow=True)
    assert answer.redirect_chain[0][0].startswith("/p/")
    assert answer.context["registration"].number == 1
    person = Person.objects.get()
    assert (person.legal_name, person.registrations.get().email) == ("Anna Ek", "anna@example.org")


def test_without_play_offs_nothing_is_said_about_going_on() -> None:
    one, two = (format_text(Event(ends_with_heats=True, advance_per_heat=n)) for n in (1, 2))
    assert one == two


def test_a_full_event_has_a_waiting_list(db: None, client: Client) -> None:
    event = make_event(capacity=3, sign_up_opens_at=timezone.now())
    make_players(event, 4, here=False)
    assert client.get(url(event, "sign_up")).context["waiting"] == 1
    answer = client.post(url(event, "sign_up"), FORM, follow=True)
    assert answer.context["own"].waiting_number == 2


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({"legal_name": ""}, {"required"}),
        ({"legal_name": "123"}, {"no_name"}),
        ({"legal_name": "a\x00b"}, {"null_characters_not_allowed", "invisible_sign"}),
        ({"legal_name": "A" * 200}, {"max_length"}),
        ({"legal_name": "Anna \u202ekE"}, {"invisible_sign"}),
        ({"visibility": "nickname"}, {"no_nickname"}),
        ({"visibility": "famous"}, {"invalid_choice"}),
        ({"email": "x"}, {"invalid"}),
        ({"website": "http://spam.example"}, {"trap"}),
    ],
)
def test_bad_forms_keep_what_was_typed(
    open_event: Event, client: Client, change: dict[str, str], codes: set[str]
) -> None:
    answer = client.post(url(open_event, "sign_up"), FORM | {"club": "Typed"} | change)
    assert answer.status_code == 422
    assert codes_in(answer) == codes
    assert 'value="Typed"' in text_of(answer)
    assert not Person.objects.exists()


@pytest.mark.parametrize(
    ("opens", "closes"),
    [(None, None), (1, 2), (-2, -1)],
)
def test_outside_its_time(db: None, client: Client, opens: int | None, closes: int | None) -> None:
    now = timezone.now()
    event = make_event(
        sign_up_opens_at=now + timedelta(hours=opens) if opens else None,
        sign_up_closes_at=now + timedelta(hours=closes) if closes else None,
    )
    assert 'name="legal_name"' not in text_of(client.get(url(event, "sign_up")))
    answer = client.post(url(event, "sign_up"), FORM)
    assert answer.status_code == 409
    assert not event.registrations.exists()


def test_signing_up_twice_is_reported(open_event: Event, client: Client) -> None:
    client.post(url(open_event, "sign_up"), FORM)
    page = url(open_event, "sign_up")
    answer = client.post(page, FORM)
    assert answer.status_code == 409
    assert codes_in(answer) == {"same_name"}
    answer = client.post(page, FORM | {"somebody_else": "on"})
    assert answer.status_code == 409
    assert codes_in(answer) == {"signed_up_already"}


def test_a_guessed_contact_is_answered_like_a_wrong_one(open_event: Event, client: Client) -> None:
    page = url(open_event, "sign_up")
    client.post(page, FORM | {"phone": "070-1"})
    guesses = [FORM, FORM | {"email": "b@example.org"}, FORM | {"email": "", "phone": "070-1"}]
    assert [codes_in(client.post(page, guess)) for guess in guesses] == [{"same_name"}] * 3


def test_guesses_with_one_name_are_counted(open_event: Event) -> None:
    page = url(open_event, "sign_up")

    def guess(number: int, address: str = "192.0.2.1") -> int:
        sent = FORM | {"email": f"b{number}@example.org", "once": str(number)}
        return Client(REMOTE_ADDR=address).post(page, sent).status_code

    assert guess(0, "192.0.2.9") == 303
    most = sign_up.MAX_PER_NAME
    assert [guess(number) for number in range(1, most + 1)] == [409] * most
    answer = Client(REMOTE_ADDR="192.0.2.1").post(page, FORM | {"legal_name": "  ANNA  ek"})
    assert (answer.status_code, codes_in(answer)) == (429, {"too_often"})
    assert guess(99, "192.0.2.2") == 409
    other = FORM | {"legal_name": "Bo Ek"}
    assert Client(REMOTE_ADDR="192.0.2.1").post(page, other).status_code == 303


def test_the_number_of_sign_ups_per_address_is_limited(
    open_event: Event, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_up, "MAX_PER_ADDRESS", 2)
    page = url(open_event, "sign_up")
    for number in range(2):
        assert client.post(page, {}).status_code == 422
        mail = {"email": f"anna{number}@example.org", "legal_name": "Anna " + "AB"[number]}
        assert client.post(page, FORM | mail).status_code == 303
    answer = client.post(page, FORM)
    assert answer.status_code == 429
    assert codes_in(answer) == {"too_often"}
    other = Client(REMOTE_ADDR="192.0.2.9").post(page, FORM)
    assert other.status_code == 303


def test_a_namesake_is_asked_about_and_may_be_somebody_else(
    open_event: Event, client: Client
) -> None:
    page = url(open_event, "sign_up")
    client.post(page, FORM)
    other = FORM | {"email": "other@example.org"}
    assert "somebody_else" not in text_of(client.get(page))
    answer = client.post(page, other)
    assert codes_in(answer) == {"same_name"}
    assert "somebody_else" in text_of(answer)
    assert client.post(page, other | {"somebody_else": "on"}).status_code == 303
    assert open_event.registrations.count() == 2


def test_a_draft_event_is_404(db: None, client: Client) -> None:
    event = make_event(status=EventStatus.DRAFT, sign_up_opens_at=timezone.now())
    assert client.get(url(event, "sign_up")).status_code == 404


def test_the_sign_up_closes_with_the_event(db: None) -> None:
    yesterday = timezone.localdate() - timedelta(days=1)
    event = make_event(
        starts_on=yesterday,
        ends_on=yesterday,
        sign_up_opens_at=timezone.now() - timedelta(days=9),
    )
    assert sign_up_state(event) == "closed"
    event.ends_on = timezone.localdate()
    assert sign_up_state(event) == "open"


def test_the_sign_up_closes_with_the_first_play_off_round(db: None, client: Client) -> None:
    event = qualified_event(3, sign_up_opens_at=timezone.now() - timedelta(days=9))
    link = f'href="{url(event, "sign_up")}"'
    assert link in text_of(client.get(url(event, "event")))
    prepared(event)
    assert sign_up_state(event) == "closed"
    assert link not in text_of(client.get(url(event, "event")))
    assert 'data-state="closed"' in text_of(client.get(url(event, "sign_up")))
    players = event.registrations.count()
    client.post(url(event, "sign_up"), FORM)
    assert event.registrations.count() == players


def test_a_sign_up_filled_from_one_address_is_undone_at_once(
    open_event: Event, django_assert_max_num_queries: Any
) -> None:
    director = client_of(open_event, Role.DIRECTOR)
    open_event.capacity = 8
    open_event.save()
    page = url(open_event, "sign_up")
    for number in range(8):
        form = {"legal_name": f"Filler {'ABCDEFGH'[number]}", "visibility": "public"}
        assert Client().post(page, form, REMOTE_ADDR="192.0.2.7").status_code == 303
    for name in ("Anna Ek", "Bo Alm"):
        form = {"legal_name": name, "visibility": "public"}
        assert Client().post(page, form, REMOTE_ADDR="192.0.2.8").status_code == 303
    filler = open_event.registrations.get(number=1)
    book(
        event=open_event,
        kind=BookingKind.BUY_IN,
        method=PaymentMethod.CASH,
        amount=100,
        by=None,
        registration=filler,
    )
    with django_assert_max_num_queries(7):
        sources = director.get(url(open_event, "sign_up_sources")).context["sources"]
    assert [(len(source.players), list(source.paid)) for source in sources] == [(8, [1])]
    undo = url(open_event, "sign_ups_undo")
    director.post(undo, {"player": ["x", "99"]})
    assert not open_event.registrations.filter(status=RegistrationStatus.WITHDRAWN).exists()
    chosen = {"player": [str(number) for number in range(1, 9)], "reason": "A joke"}
    assert director.post(undo, chosen).status_code == 303
    status = dict(open_event.registrations.values_list("number", "status"))
    gone = [number for number, each in status.items() if each == RegistrationStatus.WITHDRAWN]
    assert gone == list(range(2, 9))
    # The places are the waiting ones', and none was promised to one of the seven.
    assert {status[9], status[10]} == {RegistrationStatus.REGISTERED}
    assert open_event.log_entries.filter(action=LogAction.MOVED_UP).count() == 2
