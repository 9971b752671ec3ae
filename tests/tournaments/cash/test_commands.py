"""The ledger: exact, never edited, and who owes what."""

from __future__ import annotations

import uuid
from datetime import date, datetime, timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone, translation
from hypothesis import given
from hypothesis import strategies as st

from scoring.models.append_only import AppendOnlyError
from tests.tournaments.factories import finished_heat, make_event, make_heats, make_players
from tests.tournaments.refusals import refused
from tournaments.cash.commands import (
    book,
    count_till,
    pay_entries,
    pay_prize,
    refund,
    return_prize,
    set_free_starts,
    void_booking,
    void_payment,
)
from tournaments.cash.queries.ledger import (
    balances_of,
    day_totals,
    owed_by,
    receipts_of,
    tills_of,
)
from tournaments.cash.queries.prizes import closing_of, prizes_at, prizes_of, split
from tournaments.core.queries import things_of
from tournaments.events.commands.events import change_event, set_event_status
from tournaments.floor.commands.penalties import disqualify, give_penalty
from tournaments.heats.commands import void_heat
from tournaments.models import Booking, Day, Event, LogEntry, Registration
from tournaments.models.enums import (
    BookingKind,
    EventStatus,
    FreeReason,
    LogAction,
    Offence,
    PaymentMethod,
    PenaltyLevel,
)
from tournaments.models.money import parse_amount, show_amount
from tournaments.registration.commands.check_in import check_in, leave_queue
from tournaments.registration.commands.merges import merge_persons, undo_merge
from tournaments.registration.commands.people import register_person, withdraw

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


def test_a_withdrawn_entry_leaves_a_credit_until_refunded(paid_event: Event) -> None:
    player = make_players(paid_event, 1)[0]
    pay_entries(registration=player, by=None)
    leave_queue(registration=player, by=None)
    assert owes(player) == -20000
    assert balances_of(paid_event, [player])[0].tag == "tag tag-amber"
    book(event=paid_event, kind=REFUND, amount=20000, registration=player, by=None)
    assert owes(player) == 0


def test_nothing_is_too_much_for_a_disqualified_player(paid_event: Event) -> None:
    player = make_players(paid_event, 1)[0]
    pay_entries(registration=player, by=None)
    disqualify(registration=player, offence="cheating", by=None, client_id=uuid.uuid4())
    player.refresh_from_db()
    assert balances_of(paid_event, [player])[0].owes == 0


def test_a_disqualified_player_gets_no_refund(paid_event: Event) -> None:
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
    void_heat(heat=heat, by=None, reason="wrong cards")
    assert owes(player) == 0


def test_after_a_part_payment_the_rest_is_due(paid_event: Event) -> None:
    player = make_players(paid_event, 1)[0]
    book(event=paid_event, kind=BUY_IN, amount=5000, registration=player, by=None)
    assert owes(player) == 15000
    assert [row.amount for row in pay_entries(registration=player, by=None)] == [15000]
    assert owes(player) == 0


def test_a_voided_heat_is_not_charged_twice(paid_event: Event) -> None:
    heat = make_heats(paid_event, 3).heats[0]
    player = paid_event.registrations.first()
    assert player is not None
    pay_entries(registration=player, by=None)
    void_heat(heat=heat, by=None, reason="wrong cards")
    assert owes(player) == 0


def test_who_never_comes_owes_nothing_once_it_is_over(paid_event: Event) -> None:
    event = change_event(event=paid_event, by=None, capacity=3)
    here, expected, _third, waits = make_players(event, 4, here=False)
    check_in(registration=here, by=None)
    assert [owes(each) for each in (here, expected, waits)] == [20000, 20000, 0]
    assert [each.registration for each in closing_of(paid_event).open] == [here]
    set_event_status(event=paid_event, to=EventStatus.FINISHED, by=None)
    expected.event.refresh_from_db()
    assert owes(expected) == 0


def test_who_paid_in_advance_and_withdraws_is_paid_back(paid_event: Event) -> None:
    [player] = make_players(paid_event, 1, here=False)
    pay_entries(registration=player, by=None)
    with refused("nothing_due"):
        refund(registration=player, by=None)
    withdraw(registration=player, by=None)
    assert refund(registration=player, by=None).amount == -20000


def test_fees_and_payouts_do_not_affect_what_is_owed(paid_event: Event) -> None:
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


def test_rows_are_never_changed(paid_event: Event) -> None:
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
        book(event=paid_event, by=None, **values)
    assert not Booking.objects.exists()


def test_other_events_players_and_paid_entries_are_refused(paid_event: Event) -> None:
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


def test_the_buy_in_cannot_change_once_money_was_booked(paid_event: Event) -> None:
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


def test_currencies_without_a_minor_unit() -> None:
    assert parse_amount("200", "ISK") == 200
    assert parse_amount("200.5", "ISK") is None


@given(st.integers(0, 10**11))
def test_shown_amount_reads_back(amount: int) -> None:
    assert parse_amount(show_amount(amount), "SEK") == amount


def test_a_fee_is_paid_together_with_the_buy_in(db: None) -> None:
    event = make_event(buy_in=50000, fee=10000)
    player = make_players(event, 1)[0]
    assert owes(player) == 60000
    rows = pay_entries(registration=player, by=None, method=PaymentMethod.SWISH)
    assert [(row.kind, row.amount, row.payment_method) for row in rows] == [
        (BUY_IN, 50000, "swish"), (FEE, 10000, "swish"),
    ]  # fmt: skip
    assert owes(player) == 0
    # A fee without an entry, such as a membership, is separate.
    book(event=event, kind=FEE, amount=5000, registration=player, by=None)
    assert owes(player) == 0
    void_booking(booking=rows[1], by=None, reason="x")
    assert owes(player) == 10000
    assert [(row.kind, row.amount) for row in pay_entries(registration=player, by=None)] == [
        (FEE, 10000)
    ]


def test_a_refund_returns_what_was_overpaid(db: None) -> None:
    event = make_event(buy_in=50000, fee=10000)
    player = make_players(event, 1)[0]
    with refused("nothing_due"):
        refund(registration=player, by=None)
    pay_entries(registration=player, by=None)
    leave_queue(registration=player, by=None)
    assert refund(registration=player, by=None, method=PaymentMethod.CARD).amount == -60000
    assert owes(player) == 0


def test_a_void_uses_the_original_way_of_payment(paid_event: Event) -> None:
    row = book(event=paid_event, kind=FEE, amount=700, by=None, method=PaymentMethod.CARD)
    book(event=paid_event, kind=FEE, amount=100, by=None)
    assert void_booking(booking=row, by=None, reason="x").payment_method == PaymentMethod.CARD
    assert day_totals(paid_event)[0].by_method == (
        (PaymentMethod.CASH, 100),
        (PaymentMethod.CARD, 0),
    )


def test_a_count_is_compared_with_the_bookings(paid_event: Event) -> None:
    today = timezone.localdate()
    book(event=paid_event, kind=FEE, amount=700, by=None)
    with refused("missing_note"):
        count_till(event=paid_event, day=today, method=PaymentMethod.CASH, counted=600, by=None)
    count_till(
        event=paid_event,
        day=today,
        method=PaymentMethod.CASH,
        counted=600,
        by=None,
        note="x",
    )
    count_till(
        event=paid_event,
        day=today,
        method=PaymentMethod.CASH,
        change=50,
        counted=750,
        by=None,
    )
    till = tills_of(paid_event, day_totals(paid_event))[0]
    assert (till.booked, till.should_be, till.difference) == (700, 750, 0)
    # Later bookings appear as a difference to the same count.
    book(event=paid_event, kind=FEE, amount=100, by=None)
    assert tills_of(paid_event, day_totals(paid_event))[0].difference == -100


def test_the_log_names_a_count_in_the_readers_language(paid_event: Event) -> None:
    count_till(
        event=paid_event,
        day=timezone.localdate(),
        method=PaymentMethod.CASH,
        counted=0,
        by=None,
        note="x",
    )
    [row] = LogEntry.objects.filter(action=LogAction.TILL_COUNTED)
    names = set()
    for language in ("en", "sv"):
        with translation.override(language):
            names |= set(things_of([row]).values())
    assert len(names) == 2


def test_counts_are_never_changed(paid_event: Event) -> None:
    row = count_till(
        event=paid_event,
        day=timezone.localdate(),
        method=PaymentMethod.CARD,
        counted=0,
        by=None,
    )
    with pytest.raises(AppendOnlyError):
        row.delete()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE tournaments_tillcount SET counted = 1")


@given(
    pool=st.integers(0, 10**9),
    shares=st.lists(st.integers(1, 3000), max_size=4),
    unit=st.sampled_from([1, 100]),
    ties=st.lists(st.integers(1, 5), min_size=5, max_size=5),
)
def test_prizes_are_split_exactly(pool: int, shares: list[int], unit: int, ties: list[int]) -> None:
    prizes = prizes_of(pool, {"shares": shares}, unit)
    assert sum(prizes) == pool * sum(shares) // 10000
    places: list[tuple[int, int]] = []
    for number, group in enumerate(ties):
        place = len(places) + 1
        places += [(place, 100 - number * 10 - each) for each in range(group)]
    gets = split(prizes, places, unit)
    assert sum(gets.values()) == sum(prizes[: len(places)])
    for place in {place for place, _number in places}:
        own = [gets.get(number, 0) for each, number in places if each == place]
        assert max(own) - min(own) < 2 * unit


def test_the_champions_prize_is_paid_once(db: None) -> None:
    event = make_event(buy_in=20000, prizes={"shares": [7000, 3000]}, prize_added=10000)
    finished_heat(event, 4)
    assert (prizes_at(event).pool, prizes_at(event).rows) == (90000, ())
    with refused("no_prize"):
        pay_prize(event=event, number=1, method=PaymentMethod.CASH, by=None)
    event = set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    first, second = prizes_at(event).rows
    assert (first.place, first.due, second.place, second.due) == (1, 63000, 2, 27000)
    assert (
        pay_prize(event=event, number=first.number, method=PaymentMethod.SWISH, by=None).amount
        == -63000
    )
    with refused("no_prize"):
        pay_prize(event=event, number=first.number, method=PaymentMethod.SWISH, by=None)
    assert prizes_at(event).rows[0].paid == 63000
    void_booking(booking=event.bookings.get(), by=None, reason="x")
    assert prizes_at(event).rows[0].paid == 0


def test_a_prize_paid_too_much_is_paid_back(db: None) -> None:
    """17 entries, 40/30/20/10: the second to fourth share until a correction ends the tie."""
    prizes = prizes_of(17 * 5000, {"shares": [4000, 3000, 2000, 1000]}, 100)
    tied = split(prizes, [(1, 1), (2, 2), (2, 3), (2, 4)], 100)
    apart = split(prizes, [(1, 1), (2, 2), (3, 3), (4, 4)], 100)
    assert (tied[4], apart[4], tied[4] - apart[4]) == (17000, 8500, 8500)
    event = make_event(buy_in=20000, prizes={"shares": [7000, 3000]})
    finished_heat(event, 4)
    event = set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    second = prizes_at(event).rows[1]
    with refused("no_prize"):
        return_prize(event=event, number=second.number, method=PaymentMethod.CASH, by=None)
    player = event.registrations.get(number=second.number)
    book(event=event, kind=PAYOUT, amount=second.amount + 8500, registration=player, by=None)
    assert prizes_at(event).rows[1].credit == 8500
    row = return_prize(event=event, number=second.number, method=PaymentMethod.CASH, by=None)
    assert (row.kind, row.amount) == (BookingKind.RETURNED, 8500)
    assert (prizes_at(event).rows[1].due, owes(player)) == (0, 20000)
    assert receipts_of(event, player) == []


def test_free_starts_cost_nothing_and_add_nothing(db: None) -> None:
    event = make_event(buy_in=20000, fee=5000, prizes={"shares": [10000]})
    guest, other, _third = make_players(event, 3)
    assert owes(guest) == 25000
    set_free_starts(registration=guest, starts=1, why=FreeReason.GUEST, by=None)
    assert (owes(guest), balances_of(event, [guest])[0].free) == (0, 0)
    guest.refresh_from_db()
    balance = balances_of(event, [guest])[0]
    assert (balance.free, balance.due, balance.label) == (1, 0, "free")
    prizes = prizes_at(event)
    assert (prizes.entries, prizes.free, prizes.pool) == (2, 1, 40000)
    leave_queue(registration=other, by=None)
    with refused("nothing_due"):
        pay_entries(registration=guest, by=None)
    with refused("missing_reason"):
        set_free_starts(registration=other, starts=1, why="", by=None)
    coming = register_person(event=event, by=None, legal_name="Gun Gäst")
    assert owes(coming) == 25000
    set_free_starts(registration=coming, starts=1, why=FreeReason.CHAMPION, by=None)
    assert owes(coming) == 0


def test_one_payment_is_taken_back_at_once(db: None) -> None:
    event = make_event(buy_in=30000, fee=5000)
    player = make_players(event, 1)[0]
    paid = pay_entries(registration=player, by=None)
    assert [row.amount for row in paid] == [30000, 5000]
    undone = void_payment(booking=paid[1], by=None, reason="wrong player")
    assert sorted(row.amount for row in undone) == [-30000, -5000]
    assert (owes(player), receipts_of(event, player)) == (35000, [])
    with refused("voided_already"):
        void_payment(booking=paid[0], by=None, reason="again")


def test_starts_paid_in_advance_are_said_as_such(paid_event: Event) -> None:
    player = make_players(paid_event, 1)[0]
    pay_entries(registration=player, by=None, ahead=1)
    balance = balances_of(paid_event, [player])[0]
    assert (balance.ahead, balance.label) == (1, "1 start paid in advance")
    kinds = [row.kind for row in paid_event.bookings.order_by("pk")]
    assert kinds == [BUY_IN, BookingKind.ADVANCE]
    with refused("bad_amount"):
        pay_entries(registration=player, by=None, ahead=11)
    withdraw(registration=player, by=None)
    player.refresh_from_db()
    balance = balances_of(paid_event, [player])[0]
    assert (balance.ahead, balance.owes) == (0, -40000)


def test_the_tills_day_is_the_days_and_not_midnights(db: None) -> None:
    evening = timezone.make_aware(datetime(2026, 11, 14, 18))
    event = make_event(buy_in=20000, starts_on=evening.date(), ends_on=date(2026, 11, 15))
    for name, hours in (("1C", 0), ("2", 18)):
        Day.objects.create(event=event, name=name, starts_at=evening + timedelta(hours=hours))
    times = [evening, timezone.make_aware(datetime(2026, 11, 15, 0, 0, 40))]
    for at in times:
        book(event=event, kind=FEE, amount=100, by=None, at=at)
    assert [(day.day, day.total) for day in day_totals(event)] == [(evening.date(), 200)]
    event.timetable.all().delete()
    assert [(day.day, day.total) for day in day_totals(event)] == [(evening.date(), 200)]
    book(event=event, kind=FEE, amount=100, by=None, at=evening + timedelta(hours=13))
    assert [day.day for day in day_totals(event)] == [date(2026, 11, 15), evening.date()]


def test_a_prize_is_not_paid_again_after_a_merge(db: None) -> None:
    event = make_event(buy_in=20000, prizes={"shares": [10000]})
    finished_heat(event, 3)
    kept = register_person(event=event, by=None, legal_name="Anna Ny")
    event = set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    [prize] = prizes_at(event).rows
    winner = event.registrations.get(number=prize.number)
    pay_prize(event=event, number=prize.number, method=PaymentMethod.CASH, by=None)
    merge = merge_persons(kept=kept.person, merged=winner.person, event=event, by=None)
    assert [(row.paid, row.due) for row in prizes_at(event).rows] == [(60000, 0)]
    undo_merge(merge=merge, event=event, by=None)
    assert [(row.paid, row.due) for row in prizes_at(event).rows] == [(60000, 0)]
