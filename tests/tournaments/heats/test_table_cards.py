"""A table's card leads to its current heat; four digits there let one phone keep the score."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from scoring.models import Table
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_heats, make_players
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.floor.commands.players import change_players
from tournaments.heats.commands import void_heat
from tournaments.heats.queries.cards import heat_cards
from tournaments.heats.queries.codes import (
    WRONG_CODES,
    WRONG_CODES_AT_EVENT,
    WRONG_CODES_OF_STRANGERS,
)
from tournaments.models import Attempt, Event, Heat, LogEntry, Registration
from tournaments.models.enums import LogAction, RegistrationStatus, Role
from tournaments.prints.drawing import PRINTS
from tournaments.prints.drawing._lists import Order
from tournaments.registration.queries.player_links import token_of


@pytest.fixture
def heat(event: Event) -> Heat:
    return make_heats(event, 4).heats[0]


def card(heat: Heat) -> str:
    return url(heat.event, "room_table", number=heat.table_number)


def wrong(heat: Heat) -> str:
    return f"{(int(heat.code) + 1) % 10_000:04}"


def test_the_code_lets_one_phone_in_and_is_used_up(heat: Heat, client: Client) -> None:
    assert client.get(card(heat)).context["card"].heat == heat
    code = heat.code
    answer = client.post(card(heat), {"code": code})
    assert answer.status_code == 302
    assert client.get(answer["Location"]).status_code == 200
    heat.refresh_from_db()
    assert LogEntry.objects.filter(action=LogAction.CODE_USED).count() == 1
    if heat.code != code:  # Equal by chance once in ten thousand.
        assert Client().post(card(heat), {"code": code}).status_code == 409


def tries(heat: Heat, number: int, address: str) -> None:
    for _try in range(number):
        answer = Client(REMOTE_ADDR=address).post(card(heat), {"code": wrong(heat)})
        assert answer.status_code == 409


def phone(heat: Heat, address: str) -> int:
    """Return the answer to a phone that sends the right code."""
    heat.refresh_from_db()
    return Client(REMOTE_ADDR=address).post(card(heat), {"code": heat.code}).status_code


def test_wrong_codes_lock_one_address_at_one_heat(heat: Heat) -> None:
    other = make_heats(heat.event, 4, seed="other").heats[0]
    tries(heat, WRONG_CODES[0] - 1, "10.0.0.1")
    assert phone(heat, "10.0.0.1") == 302
    tries(heat, 1, "10.0.0.1")
    assert phone(heat, "10.0.0.1") == 409
    assert phone(other, "10.0.0.1") == 302
    assert phone(heat, "10.0.0.2") == 302


def test_an_address_does_not_go_from_heat_to_heat(heat: Heat) -> None:
    heats = [heat, *(make_heats(heat.event, 4, seed=seed).heats[0] for seed in "abcd")]
    at_one = WRONG_CODES_AT_EVENT[0] // 4
    assert at_one <= WRONG_CODES[0]
    for each in heats[:4]:
        tries(each, at_one, "10.0.0.1")
    assert phone(heats[4], "10.0.0.1") == 409
    assert phone(heats[4], "10.0.0.2") == 302


def test_many_addresses_do_not_lock_out_the_hall(heat: Heat) -> None:
    assert phone(heat, "192.168.1.5") == 302
    for number in range(WRONG_CODES_OF_STRANGERS[0] // WRONG_CODES[0]):
        tries(heat, WRONG_CODES[0], f"10.0.0.{number}")
    assert phone(heat, "10.0.1.1") == 409
    assert phone(heat, "192.168.1.5") == 302


def block(heat: Heat) -> None:
    for number in range(WRONG_CODES_OF_STRANGERS[0] // WRONG_CODES[0]):
        tries(heat, WRONG_CODES[0], f"10.0.0.{number}")


def test_a_phone_that_the_event_knows_has_tries_of_its_own(heat: Heat) -> None:
    player = Client(REMOTE_ADDR="10.0.1.1")
    token = token_of(heat.event.registrations.first())
    assert player.get(reverse("tournaments:player_page", args=[token])).status_code == 200
    block(heat)
    assert phone(heat, "10.0.1.1") == 409
    for _try in range(WRONG_CODES[0] - 1):
        assert player.post(card(heat), {"code": wrong(heat)}).status_code == 409
    assert player.post(card(heat), {"code": heat.code}).status_code == 302
    for _try in range(2):
        player.post(card(heat), {"code": wrong(heat)})
    heat.refresh_from_db()
    assert player.post(card(heat), {"code": heat.code}).status_code == 409


def test_the_desk_says_that_codes_are_blocked_and_lets_phones_in(heat: Heat) -> None:
    here = client_of(heat.event, Role.DIRECTOR)
    desk, floor = url(heat.event, "heat_desk", number=heat.number), url(heat.event, "floor")
    assert not here.get(desk).context["codes_blocked"]
    block(heat)
    assert here.get(desk).context["codes_blocked"]
    [row] = here.get(floor).context["floor"].cards
    assert row.codes_blocked
    phones = [Client(REMOTE_ADDR="10.0.1.1") for _each in range(3)]
    for each in phones:
        assert each.get(card(heat)).status_code == 200
        assert each.post(card(heat), {"code": heat.code}).status_code == 409
    assert here.post(url(heat.event, "heat_let_in", number=heat.number)).status_code == 303
    assert not here.get(desk).context["codes_blocked"]
    # Each phone has tries of its own, though all have one address.
    for each in phones[:2]:
        for _try in range(WRONG_CODES[0]):
            assert each.post(card(heat), {"code": wrong(heat)}).status_code == 409
        assert each.post(card(heat), {"code": heat.code}).status_code == 409
    assert phones[2].post(card(heat), {"code": heat.code}).status_code == 302
    Attempt.objects.filter(what="table_code_let_in").update(
        at=timezone.now() - timedelta(minutes=11)
    )
    assert phone(heat, "10.0.2.1") == 409


def test_card_opens_the_next_heat_of_the_table(heat: Heat, client: Client) -> None:
    void_heat(heat=heat, by=None, reason="spilled coffee")
    page = client.get(card(heat))
    assert page.context["card"] is None
    assert client.post(card(heat), {"code": heat.code}).status_code == 200
    make_players(heat.event, 0)
    again = make_heats(heat.event, 0, seed="again").heats[0]
    assert again.table_number == heat.table_number
    assert client.get(card(heat)).context["card"].heat == again


def test_the_card_still_works_after_a_latecomer_joins(event: Event, client: Client) -> None:
    three = make_heats(event, 3).heats[0]
    change_players(heat=three, into=make_players(event, 1)[0], by=None)
    answer = client.post(card(three), {"code": three.code})
    assert answer.status_code == 302
    assert client.get(answer["Location"]).status_code == 200


def test_the_floor_sees_the_code_and_the_public_does_not(heat: Heat) -> None:
    page = url(heat.event, "floor")
    tag = f">{heat.code}</strong>"
    assert tag in text_of(client_of(heat.event, Role.FLOOR).get(page))
    assert tag not in text_of(Client().get(card(heat)))


def test_a_player_starts_scoring_from_the_players_own_page(heat: Heat, client: Client) -> None:
    player = heat.entries.first().registration
    answer = client.post(f"/p/{token_of(player)}/score/")
    assert client.get(answer["Location"]).status_code == 200
    waiting = make_players(heat.event, 1)[0]
    answer = client.post(f"/p/{token_of(waiting)}/score/")
    assert "/s/" not in answer["Location"]


def two_players(heat: Heat) -> list[Registration]:
    return [entry.registration for entry in heat.entries.order_by("pk")[:2]]


def keep(player: Registration) -> None:
    Client().post(f"/p/{token_of(player)}/score/")


def auditor_of(heat: Heat) -> str:
    heat.table.refresh_from_db()
    return heat.table.auditor


def namings(heat: Heat) -> list[tuple[str, str, bool]]:
    """Return who was the Auditor before and after, and whether an account said so."""
    rows = LogEntry.objects.filter(action=LogAction.AUDITOR_SET, heat_number=heat.number)
    return [
        (row.before["auditor"], row.after["auditor"], row.user is not None)
        for row in rows.order_by("pk")
    ]


def test_whoever_keeps_the_score_from_the_own_page_is_the_auditor(heat: Heat) -> None:
    """Whose acceptance is nobody else's, and who does not compare what the table has typed."""
    first, second = two_players(heat)
    for player in (first, first, second):
        keep(player)
        assert auditor_of(heat) == player.player_id
    assert namings(heat) == [
        ("", first.player_id, False),
        (first.player_id, second.player_id, False),
    ]


@pytest.mark.parametrize("kept_before", [True, False])
def test_whom_the_director_has_named_stays_the_auditor(
    heat: Heat, director: Client, kept_before: bool
) -> None:
    first, second = two_players(heat)
    if kept_before:
        keep(first)
    for _twice in range(2):
        director.post(
            url(heat.event, "heat_auditor", number=heat.number), {"auditor": first.player_id}
        )
    keep(second)
    phone(heat, "10.0.0.1")
    assert auditor_of(heat) == first.player_id
    assert [by_account for _before, _after, by_account in namings(heat)] == (
        [False, True] if kept_before else [True]
    )


def gone(heat: Heat, player: Registration, how: str) -> None:
    """Mark a player of an open heat as missing or disqualified."""
    if how == "absent":
        Table.objects.filter(pk=heat.table_id).update(absent=[player.player_id])
    else:
        Registration.objects.filter(pk=player.pk).update(status=RegistrationStatus.DISQUALIFIED)


@pytest.mark.parametrize("how", ["absent", "disqualified"])
def test_who_has_gone_is_not_the_auditor(heat: Heat, director: Client, how: str) -> None:
    first, second = two_players(heat)
    director.post(url(heat.event, "heat_auditor", number=heat.number), {"auditor": first.player_id})
    assert auditor_of(heat) == first.player_id
    assert heat_cards([heat])[0].auditor
    gone(heat, first, how)
    heat.table.refresh_from_db()
    assert not heat_cards([heat])[0].auditor
    keep(second)
    assert auditor_of(heat) == second.player_id
    keep(first)
    assert auditor_of(heat) == second.player_id


def test_nobody_is_the_auditor_on_a_phone_with_the_code(heat: Heat) -> None:
    first, _second = two_players(heat)
    assert phone(heat, "10.0.0.1") == 302
    assert namings(heat) == []
    keep(first)
    assert phone(heat, "10.0.0.1") == 302
    assert auditor_of(heat) == ""
    assert namings(heat) == [("", first.player_id, False), (first.player_id, "", False)]


def test_after_the_sign_off_the_auditor_stays(heat: Heat) -> None:
    first, second = two_players(heat)
    keep(first)
    Table.objects.filter(pk=heat.table_id).update(signed_at=timezone.now(), signed_by="x")
    keep(second)
    phone(heat, "10.0.0.1")
    assert auditor_of(heat) == first.player_id


def test_prints(event: Event) -> None:
    event.room_plan, event.wifi_name, event.wifi_password = "1-5, 9", "Hall", "secret;1"
    event.save()
    files = {}
    for kind in ("table_cards", "poster"):
        job = Order(event, site="http://hall.test")
        pages = PdfReader(BytesIO(PRINTS[kind].pdf(job))).pages
        files[kind] = [page.extract_text() for page in pages]
    assert len(files["table_cards"]) == 2
    assert "Table 9" in files["table_cards"][1]
    assert "secret;1" in files["poster"][0]


@pytest.mark.parametrize(
    ("changes", "tables"),
    [({}, 1), ({"capacity": 46}, 12), ({"room_plan": "3-5", "capacity": 46}, 3)],
)
def test_cards_before_anybody_has_come(
    event: Event, director: Client, changes: dict[str, Any], tables: int
) -> None:
    Event.objects.filter(pk=event.pk).update(**changes)
    event.refresh_from_db()
    job = Order(event, site="http://hall.test")
    text = "".join(
        page.extract_text() for page in PdfReader(BytesIO(PRINTS["table_cards"].pdf(job))).pages
    )
    assert text.count("hall.test") == tables
    assert f"{tables} table" in text_of(director.get(url(event, "jobs")))


def test_each_printed_card_leads_to_a_page(event: Event, client: Client) -> None:
    Event.objects.filter(pk=event.pk).update(capacity=46)
    pages = [client.get(url(event, "room_table", number=number)) for number in (12, 13)]
    assert [page.status_code for page in pages] == [200, 404]
