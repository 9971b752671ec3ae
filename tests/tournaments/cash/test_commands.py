"""The ledger: exact, never edited, and who owes what."""

from __future__ import annotations

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.models.append_only import AppendOnlyError
from tests.tournaments.factories import make_event, make_heats, make_players
from tests.tournaments.refusals import refused
from tournaments.cash.commands import book, pay_entries, void_booking
from tournaments.cash.queries import balances_of, day_totals, owed_by
from tournaments.events.commands.events import change_event
from tournaments.floor.commands.penalties import give_penalty
from tournaments.heats.commands import void_heat
from tournaments.models import Booking, Event, LogEntry, Registration
from tournaments.models.enums import BookingKind, LogAction, Offence, PenaltyLevel
from tournaments.models.money import parse_amount, show_amount
from tournaments.registration.commands.check_in import leave_queue

BUY_IN, FEE, REFUND, PAYOUT = (
    BookingKind.BUY_IN, BookingKind.FEE, BookingKind.REFUND, BookingKind.PAYOUT,
)  # fmt: skip


@pytest.fixture
def paid_event(db: None) -> Event:
    """An event with a buy-in of 200 kr."""
    return make_event(slug="fest", buy_in=20000)


def owes(player: Registration) -> int:
    return owed_by(player.event).get(player.pk, 0)


def test_every_entry_costs_the_buy_in(paid_event: Event) -> None:
    player = make_players(paid_event, 1)[0]
    assert owes(player) == 20000
    booked = pay_entries(registration=player, by=None)
    assert [(row.kind, row.amount, row.entry.number) for row in booked if row.entry] == [
        (BUY_IN, 20000, 1)
    ]
    assert owes(player) == 0
    with refused("nothing_due"):
        pay_entries(registration=player, by=None)


def test_taken_back_entry_leaves_a_credit_until_refunded(paid_event: Event) -> None:
    player = make_players(paid_event, 1)[0]
    pay_entries(registration=player, by=None)
    leave_queue(registration=player, by=None)
    assert owes(player) == -20000
    assert balances_of(paid_event, [player])[0].tag == "tag tag-amber"
    book(event=paid_event, kind=REFUND, amount=20000, registration=player, by=None)
    assert owes(player) == 0


def test_disqualified_player_gets_nothing_back(paid_event: Event) -> None:
    heat = make_heats(paid_event, 4).heats[0]
    player = paid_event.registrations.get(number=1)
    pay_entries(registration=player, by=None)
    give_penalty(
        heat=heat,
        registration=player,
        level=PenaltyLevel.DISQUALIFIED,
        offence=Offence.CHEATING,
        by=None,
        client_id=uuid.uuid4(),
        seen_version=0,
    )
    with refused("no_refund"):
        book(event=paid_event, kind=REFUND, amount=20000, registration=player, by=None)
    assert not paid_event.bookings.filter(kind=REFUND).exists()


def test_part_payment_leaves_the_rest(paid_event: Event) -> None:
    player = make_players(paid_event, 1)[0]
    book(event=paid_event, kind=BUY_IN, amount=5000, registration=player, by=None)
    assert owes(player) == 15000
    assert [row.amount for row in pay_entries(registration=player, by=None)] == [15000]
    assert owes(player) == 0


def test_voided_heat_costs_nothing_twice(paid_event: Event) -> None:
    heat = make_heats(paid_event, 3).heats[0]
    player = paid_event.registrations.first()
    assert player is not None
    pay_entries(registration=player, by=None)
    void_heat(heat=heat, by=None, reason="wrong cards")
    assert owes(player) == 0


def test_fees_and_payouts_are_another_matter(paid_event: Event) -> None:
    player = make_players(paid_event, 1)[0]
    book(event=paid_event, kind=FEE, amount=5000, registration=player, by=None)
    prize = book(event=paid_event, kind=PAYOUT, amount=90000, registration=player, by=None)
    void_booking(booking=prize, by=None, reason="not yet")
    assert owes(player) == 20000
    assert balances_of(paid_event, [player])[0].other == 5000


def test_void_is_a_row_with_the_opposite_amount(paid_event: Event) -> None:
    player = make_players(paid_event, 1)[0]
    row = pay_entries(registration=player, by=None)[0]
    void = void_booking(booking=row, by=None, reason="wrong player")
    assert (void.amount, void.voids, void.note) == (-20000, row, "wrong player")
    assert owes(player) == 20000
    assert sum(Booking.objects.values_list("amount", flat=True)) == 0
    assert LogEntry.objects.get(action=LogAction.BOOKING_VOIDED).reason == "wrong player"
    # The entry can be paid again now.
    pay_entries(registration=player, by=None)
    for again, code in ((row, "voided_already"), (void, "bad_kind")):
        with refused(code):
            void_booking(booking=again, by=None, reason="x")


def test_rows_are_never_edited(paid_event: Event) -> None:
    row = book(event=paid_event, kind=FEE, amount=1, by=None)
    row.amount = 2
    with pytest.raises(AppendOnlyError):
        row.save()
    with pytest.raises(AppendOnlyError):
        row.delete()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"amount": 0}, "bad_amount"),
        ({"amount": -5}, "bad_amount"),
        ({"amount": 10**15}, "bad_amount"),
        ({"amount": 1.5}, "bad_amount"),
        ({"amount": True}, "bad_amount"),
        ({"kind": BookingKind.VOID}, "bad_kind"),
    ],
)
def test_impossible_bookings(paid_event: Event, change: dict[str, object], code: str) -> None:
    values: dict[str, object] = {"kind": FEE, "amount": 100} | change
    with refused(code):
        book(event=paid_event, by=None, **values)  # type: ignore[arg-type]
    assert not Booking.objects.exists()


def test_strangers_and_paid_entries_are_refused(paid_event: Event) -> None:
    one, other = make_players(paid_event, 2)
    stranger = make_players(make_event(), 1)[0]
    entry = one.entries.get()
    for fields, code in (
        ({"registration": stranger}, "not_of_event"),
        ({"registration": other, "entry": entry}, "not_of_event"),
    ):
        with refused(code):
            book(event=paid_event, kind=BUY_IN, amount=1, by=None, **fields)
    book(event=paid_event, kind=BUY_IN, amount=20000, entry=entry, by=None)
    with refused("already_paid"):
        book(event=paid_event, kind=BUY_IN, amount=20000, entry=entry, by=None)
    leave_queue(registration=other, by=None)
    with refused("entry_not_counted"):
        book(event=paid_event, kind=BUY_IN, amount=1, entry=other.entries.get(), by=None)


def test_void_needs_a_reason(paid_event: Event) -> None:
    row = book(event=paid_event, kind=FEE, amount=1, by=None)
    with refused("missing_reason"):
        void_booking(booking=row, by=None, reason="  ")


def test_day_total(paid_event: Event) -> None:
    assert day_totals(paid_event) == []
    row = book(event=paid_event, kind=FEE, amount=700, by=None)
    book(event=paid_event, kind=PAYOUT, amount=200, by=None)
    book(event=paid_event, kind=FEE, amount=50, by=None)
    void_booking(booking=row, by=None, reason="x")
    day = day_totals(paid_event)[0]
    assert (day.by_kind, day.total) == (((FEE, 50), (PAYOUT, -200)), -150)


def test_buy_in_is_fixed_once_money_was_booked(paid_event: Event) -> None:
    change_event(event=paid_event, by=None, buy_in=30000)
    book(event=paid_event, kind=FEE, amount=1, by=None)
    for fields in ({"buy_in": 1}, {"currency": "EUR"}):
        with refused("format_fixed"):
            change_event(event=paid_event, by=None, **fields)


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("200", 20000), ("200,5", 20050), ("1 250.50", 125050), ("0", 0), ("", None),
        ("-1", None), ("1.234", None), ("1,2,3", None), ("٣", None), ("1e3", None),
    ],
)  # fmt: skip
def test_amounts_as_people_write_them(text: str, amount: int | None) -> None:
    assert parse_amount(text, "SEK") == amount


def test_currencies_without_a_smaller_unit() -> None:
    assert parse_amount("200", "ISK") == 200
    assert parse_amount("200.5", "ISK") is None


@given(st.integers(0, 10**11))
def test_shown_amount_reads_back(amount: int) -> None:
    assert parse_amount(show_amount(amount), "SEK") == amount
