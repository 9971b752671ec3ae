"""What a list says besides who somebody is: shown, and taken only if the user says so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event
from tests.tournaments.refusals import refused
from tests.tournaments.registration.lists import rows_from_file, rows_from_text
from tests.tournaments.registration.spreadsheets import ods_of, ods_row
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.models import Event
from tournaments.models.enums import BookingKind, Role
from tournaments.registration.commands.imports import import_rows
from tournaments.registration.commands.people import register_person
from tournaments.registration.queries.import_preview import NO_ANSWERS, Answers, plan_rows
from tournaments.registration.queries.player_list import Row

LIST = (
    "Nr;Namn;Klubb;Betalt;Betalsätt;Bord;Seedning\n"
    "12;Åsa Ek;Nord;ja;Swish;4;1\n7;Bo Öst;Syd;nej;;;\n"
    "7;Cia Ek;Syd;ja;;10-12;\n9;Dan Ek;;kanske;;;2"
)


@pytest.fixture
def priced(db: None) -> Event:
    return make_event(buy_in=20000, fee=5000)


def imported(event: Event, text: str = LIST, **told: Any) -> None:
    answers: Answers = replace(NO_ANSWERS, **told)
    import_rows(event=event, plans=plan_rows(event, rows_from_text(text)), by=None, answers=answers)


def codes(row: Row) -> list[str]:
    return [hint.code for hint in row.hints]


def test_columns_are_read_for_what_they_are() -> None:
    åsa, bo, cia, dan = rows_from_text(LIST)
    assert (åsa.number, åsa.paid, åsa.table, åsa.seed) == (12, "swish", 4, 1)
    assert (bo.number, bo.paid, bo.table, bo.seed) == (7, "", None, None)
    # The spreadsheet's 10 December, and a word that says nothing, are told instead of guessed.
    assert (cia.paid, cia.table, codes(cia)) == ("yes", None, ["paid", "no_table"])
    assert (dan.paid, codes(dan)) == ("", ["paid_unclear", "seed"])


def test_a_day_as_a_table_is_told() -> None:
    day = '<table:table-cell office:value-type="date" office:date-value="2026-12-10"/>'
    content = ods_of({"a": ods_row("Namn", "Bord") + ods_row("Åsa Ek", day)})
    [row] = rows_from_file("x.ods", content)
    assert (row.table, codes(row)) == (None, ["no_table"])


@pytest.mark.parametrize(
    ("heads", "cells", "paid"),
    [
        ("Betalt", "swish", "swish"),
        ("Betalt", "Kontant", "cash"),
        ("Betalsätt", "kort", "card"),
        ("Betalt", "2026-03-01", ""),
        ("Betalt", "x", "yes"),
        ("Betalt;Betalsätt", "nej;Swish", ""),
        ("Payment status;Payment method", "Paid;Invoice", "invoice"),
        ("Betalt", "200", ""),
    ],
)
def test_what_says_that_a_start_is_paid(heads: str, cells: str, paid: str) -> None:
    [row] = rows_from_text(f"Namn;{heads}\nÅsa Ek;{cells}")
    assert row.paid == paid


def test_nothing_is_taken_unasked(priced: Event) -> None:
    imported(priced)
    assert list(priced.registrations.order_by("pk").values_list("number", "fixed_table")) == [
        (1, None), (2, None), (3, None), (4, None),
    ]  # fmt: skip
    assert not priced.bookings.exists()


def test_what_is_ticked_is_taken(priced: Event) -> None:
    register_person(event=priced, by=None, legal_name="Eva Först")
    imported(priced, taken={"paid", "number", "table", "seed"}, means="cash")
    åsa, bo, cia, dan = priced.registrations.order_by("pk")[1:]
    assert [row.number for row in (åsa, bo, cia, dan)] == [12, 7, 13, 9]
    assert (åsa.fixed_table, åsa.note, dan.note) == (4, "Seed 1.", "Seed 2.")
    paid = priced.bookings.values_list("registration", "kind", "amount", "payment_method")
    assert sorted(paid) == [
        (åsa.pk, BookingKind.BUY_IN, 25000, "swish"),
        (cia.pk, BookingKind.BUY_IN, 25000, "cash"),
    ]


def test_a_means_that_nobody_named_is_asked_for(priced: Event) -> None:
    with refused("no_means"):
        imported(priced, taken={"paid"})
    assert not priced.registrations.exists()


def test_nobody_pays_for_a_place_on_the_waiting_list(db: None) -> None:
    event = make_event(buy_in=20000, capacity=3)
    text = "Namn;Betalt\nÅsa Ek;ja\nBo Ek;nej\nCia Ek;nej\nDan Ek;ja"
    imported(event, text, taken={"paid"}, means="cash")
    assert event.bookings.count() == 1


def test_money_and_tables_need_their_rights(priced: Event) -> None:
    for role, offered in ((Role.OWNER, True), (Role.FLOOR, False)):
        client = client_of(priced, role)
        answer = client.post(url(priced, "import_players"), {"text": LIST})
        if answer.status_code == 200:
            assert ('value="paid"' in text_of(answer)) is offered
            assert 'value="number"' in text_of(answer)
