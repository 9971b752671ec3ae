from __future__ import annotations

import re
from io import BytesIO

import pytest
from django.test import Client
from django.utils import timezone
from pypdf import PdfReader
from tablib import Databook, Dataset

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_players
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.cash.commands import book, pay_entries, refund, void_booking
from tournaments.cash.queries.ledger import ledger_of, receipts_of
from tournaments.events.commands.events import change_event
from tournaments.models import Booking, Event, Registration, TillCount
from tournaments.models.enums import BookingKind, Role
from tournaments.registration.commands.check_in import check_in, leave_queue
from tournaments.registration.commands.merges import merge_persons
from tournaments.registration.queries.door import door_of


@pytest.fixture
def paid(db: None) -> Event:
    return make_event(slug="fest", buy_in=20000)


@pytest.fixture
def cashier(paid: Event) -> Client:
    return client_of(paid, Role.CASHIER)


def test_one_tap_takes_the_amount_owed(paid: Event, cashier: Client) -> None:
    player = make_players(paid, 2)[0]
    assert cashier.get(url(paid, "cash")).context["owing"] == 2
    answer = cashier.post(url(paid, "cash_pay"), {"number": player.number}, follow=True)
    assert answer.context["owing"] == 1
    row = Booking.objects.get()
    assert (row.amount, row.kind, row.booked_by is not None) == (20000, "buy_in", True)
    again = cashier.post(url(paid, "cash_pay"), {"number": player.number}, follow=True)
    assert codes_in(again) == {"nothing_due"}


@pytest.mark.parametrize("number", ["", "x", "99", "9" * 20, "²"])
def test_unknown_player_is_told(paid: Event, cashier: Client, number: str) -> None:
    answer = cashier.post(url(paid, "cash_pay"), {"number": number}, follow=True)
    assert codes_in(answer) == {"no_player"}


def test_booking_by_hand(paid: Event, cashier: Client) -> None:
    make_players(paid, 1)
    form = {"kind": "payout", "number": "1", "amount": "1 250,50", "note": "Prize"}
    answer = cashier.post(url(paid, "cash"), form, follow=True)
    assert "−1\N{NO-BREAK SPACE}250.50" in text_of(answer)
    assert Booking.objects.get().amount == -125050


@pytest.mark.parametrize(
    "change",
    [
        {"amount": ""}, {"amount": "0"}, {"amount": "-5"}, {"amount": "x"}, {"kind": "void"},
        {"kind": "gift"}, {"number": "7"}, {"number": "x"}, {"note": "x" * 300},
    ],
)  # fmt: skip
def test_a_bad_booking_keeps_what_was_typed(
    paid: Event, cashier: Client, change: dict[str, str]
) -> None:
    form = {"kind": "fee", "number": "", "amount": "10", "note": "typed"} | change
    answer = cashier.post(url(paid, "cash"), form)
    assert answer.status_code == 422
    assert form["note"][:5] in text_of(answer)
    assert not Booking.objects.exists()


def test_what_no_database_takes_is_left_out_of_a_reason(paid: Event, cashier: Client) -> None:
    row = book(event=paid, kind=BookingKind.FEE, amount=100, by=None)
    cashier.post(
        url(paid, "cash_void"), {"booking": row.pk, "reason": "\0\u202ewr\0ong " + "x" * 300}
    )
    assert Booking.objects.get(voids=row).note == "wrong " + "x" * 194


def test_free_starts_are_typed_on_the_players_page(paid: Event, cashier: Client) -> None:
    player = make_players(paid, 1)[0]
    page = url(paid, "cash_free", number=player.number)
    answer = cashier.post(page, {"starts": "1", "why": ""})
    assert answer.status_code == 409
    cashier.post(page, {"starts": "1", "why": "guest"})
    player.refresh_from_db()
    assert (player.free_starts, player.free_reason) == (1, "guest")


def test_a_payment_is_taken_back_on_the_players_page(paid: Event, cashier: Client) -> None:
    player = make_players(paid, 1)[0]
    cashier.post(url(paid, "cash_pay"), {"number": player.number, "ahead": "2"})
    row = Booking.objects.order_by("pk").first()
    assert sum(each.amount for each in Booking.objects.all()) == 60000
    cashier.post(url(paid, "cash_void"), {"booking": row.pk, "payment": "1", "reason": "no"})
    assert sum(each.amount for each in Booking.objects.all()) == 0


def test_a_void_needs_a_reason(paid: Event, cashier: Client) -> None:
    row = book(event=paid, kind=BookingKind.FEE, amount=100, by=None)
    cashier.post(url(paid, "cash_void"), {"booking": row.pk})
    assert Booking.objects.count() == 1
    cashier.post(url(paid, "cash_void"), {"booking": row.pk, "reason": "wrong"})
    assert Booking.objects.get(voids=row).amount == -100
    text = text_of(cashier.get(url(paid, "cash")))
    assert "wrong" in text
    other = book(event=make_event(), kind=BookingKind.FEE, amount=100, by=None)
    answer = cashier.post(url(paid, "cash_void"), {"booking": other.pk, "reason": "x"}, follow=True)
    assert codes_in(answer) == {"no_booking"}


def test_search_and_filter(paid: Event, cashier: Client) -> None:
    one, other = make_players(paid, 2)
    cashier.post(url(paid, "cash_pay"), {"number": one.number})
    text = text_of(cashier.get(url(paid, "cash"), {"show": "owing"}))
    owing = text[text.index('id="who-owes"') : text.index('id="ledger"')]
    assert str(other.person) in owing
    assert str(one.person) not in owing
    assert cashier.get(url(paid, "cash"), {"q": "\x00å", "page": "x"}).status_code == 200


def test_the_downloaded_ledger_is_safe_to_open(paid: Event, cashier: Client) -> None:
    book(event=paid, kind=BookingKind.FEE, amount=25050, by=None, note="=cmd()")
    book(event=paid, kind=BookingKind.PAYOUT, amount=10000, by=None, note="+1")
    csv = text_of(cashier.get(url(paid, "cash_export", fmt="csv")))
    assert ",250.5,SEK" in csv
    assert "'=cmd()" in csv
    sheet = Dataset().load(
        BytesIO(cashier.get(url(paid, "cash_export", fmt="xlsx")).content), format="xlsx"
    )
    assert [row[3] for row in sheet] == [250.5, -100]
    assert sheet[1][9] == "+1"
    assert cashier.get(url(paid, "cash_export", fmt="pdf")).status_code == 404


def test_queries_do_not_grow(
    paid: Event, cashier: Client, django_assert_max_num_queries: object
) -> None:
    for player in make_players(paid, 30):
        cashier.post(url(paid, "cash_pay"), {"number": player.number})
    with django_assert_max_num_queries(21):
        cashier.get(url(paid, "cash"))
    with django_assert_max_num_queries(5):
        cashier.get(url(paid, "cash_export", fmt="csv"))


def test_a_swedish_csv_opens_in_a_swedish_spreadsheet(paid: Event, cashier: Client) -> None:
    book(event=paid, kind=BookingKind.FEE, amount=25050, by=None)
    answer = cashier.get(url(paid, "cash_export", fmt="csv"), headers={"Accept-Language": "sv"})
    head, first, *_more = answer.content.decode("utf-8-sig").splitlines()
    assert head.count(";") == first.count(";") == 10
    assert re.search(r";\d{4}-\d{2}-\d{2} \d{2}:\d{2};", first)
    assert ";250,5;" in first


def test_a_payment_is_two_taps_from_the_list(paid: Event, cashier: Client) -> None:
    player = make_players(paid, 1)[0]
    page = url(paid, "cash_player", number=player.number)
    assert f'href="{page}"' in text_of(cashier.get(url(paid, "cash")))
    ways = re.findall(r'name="payment_method" value="(\w+)"', text_of(cashier.get(page)))
    assert ways[:4] == ["cash", "swish", "card", "invoice"]
    cashier.post(url(paid, "cash_pay"), {"number": player.number, "payment_method": "swish"})
    assert Booking.objects.get().payment_method == "swish"


def test_a_registered_player_pays_before_check_in(paid: Event, cashier: Client) -> None:
    change_event(event=paid, by=None, swish_number="1231234567")
    [player] = make_players(paid, 1, here=False)
    page = url(paid, "cash_player", number=player.number)
    assert cashier.get(url(paid, "cash")).context["owing"] == 1
    assert cashier.get(page).context["code"]
    assert [row.paid_tag for row in door_of(paid).rows] == ["tag-amber"]
    cashier.post(url(paid, "cash_pay"), {"number": player.number})
    assert cashier.get(page).context["balance"].owes == 0
    assert [row.paid_tag for row in door_of(paid).rows] == [""]
    check_in(registration=player, by=None)
    assert cashier.get(page).context["balance"].owes == 0


def test_unknown_way_of_payment_is_refused(paid: Event, cashier: Client) -> None:
    player = make_players(paid, 1)[0]
    answer = cashier.post(
        url(paid, "cash_pay"), {"number": player.number, "payment_method": "gold"}, follow=True
    )
    assert codes_in(answer) == {"no_means"}
    assert not Booking.objects.exists()


def test_a_swish_code_is_shown_only_if_there_is_a_number(paid: Event, cashier: Client) -> None:
    page = url(paid, "cash_player", number=make_players(paid, 1)[0].number)
    assert cashier.get(page).context["code"] == ""
    change_event(event=paid, by=None, swish_number="1231234567")
    assert cashier.get(page).context["code"].startswith("data:image/svg")


def test_counting_a_day(paid: Event, cashier: Client) -> None:
    book(event=paid, kind=BookingKind.FEE, amount=100_000, by=None)
    day = timezone.localdate().isoformat()
    form = {"day": day, "payment_method": "cash", "change": "500", "counted": "1490"}
    answer = cashier.post(url(paid, "cash_count"), form)
    assert answer.status_code == 409
    assert "1490" in text_of(answer)
    cashier.post(url(paid, "cash_count"), {**form, "note": "a coin fell"})
    row = TillCount.objects.get()
    assert (row.booked, row.change, row.counted, row.difference) == (
        100_000,
        50_000,
        149_000,
        -1000,
    )


@pytest.mark.parametrize(
    "change",
    [
        {"day": "x"},
        {"payment_method": "gold"},
        {"counted": ""},
        {"counted": "x"},
        {"change": "1e9"},
    ],
)
def test_bad_counts_are_shown_again(paid: Event, cashier: Client, change: dict[str, str]) -> None:
    book(event=paid, kind=BookingKind.FEE, amount=100, by=None)
    form = {"day": "2026-05-01", "payment_method": "cash", "change": "", "counted": "1"} | change
    assert cashier.post(url(paid, "cash_count"), form).status_code == 422
    assert not TillCount.objects.exists()


def test_money_pages_can_be_downloaded(paid: Event, cashier: Client) -> None:
    player = make_players(paid, 1)[0]
    receipt = url(paid, "receipt_pdf", number=player.number)
    assert "Page 1 of 1" in pdf_text(cashier.get(receipt).content)
    cashier.post(url(paid, "cash_pay"), {"number": player.number, "payment_method": "card"})
    text = pdf_text(cashier.get(receipt).content)
    assert "Card 200 SEK" in text
    assert str(player.person) in text
    assert str(player.person) in pdf_text(cashier.get(url(paid, "receipts_pdf")).content)
    assert "Page 1 of 1" in pdf_text(cashier.get(url(paid, "closing_pdf")).content)
    book_ = Databook().load(BytesIO(cashier.get(url(paid, "closing_xlsx")).content), format="xlsx")
    assert [sheet.title for sheet in book_.sheets()][-1] == "Ledger"
    assert book_.sheets()[-1].dict[0]["Amount"] == 200
    # What has not been counted is in the report, too.
    (till,) = book_.sheets()[1].dict
    assert (till["Booked"], till["Counted"], till["Difference"]) == (200, None, None)


def receipt_numbers(cashier: Client, player: Registration) -> list[int]:
    """Return the numbers in the print of a player's receipts."""
    page = cashier.get(url(player.event, "receipt_pdf", number=player.number))
    return [
        int(each) for each in re.findall(rf"No. {player.event.slug}-(\d+) ", pdf_text(page.content))
    ]


def test_receipts_are_numbered_by_event(paid: Event, cashier: Client) -> None:
    players = make_players(paid, 3)
    other = make_event(buy_in=100)
    for player in players[:2]:
        pay_entries(registration=player, by=None)
        pay_entries(registration=make_players(other, 1)[0], by=None)
    void_booking(booking=paid.bookings.first(), by=None, reason="The wrong player")
    pay_entries(registration=players[2], by=None)
    assert [receipt_numbers(cashier, player) for player in players] == [[], [2], [4]]
    rows = [(row.number, row.voids_number) for row in ledger_of(paid)]
    assert rows == [(4, None), (3, 1), (2, None), (1, None)]


def test_a_receipt_keeps_its_number(paid: Event, cashier: Client) -> None:
    change_event(event=paid, by=None, fee=5000)
    player = make_players(paid, 1)[0]
    pay_entries(registration=player, by=None)
    assert receipt_numbers(cashier, player) == [1]
    book(event=paid, kind=BookingKind.FEE, amount=100, registration=player, by=None)
    assert receipt_numbers(cashier, player) == [3, 1]
    void_booking(booking=paid.bookings.first(), by=None, reason="A member")
    assert receipt_numbers(cashier, player) == [3, 1]
    # What was taken back stays on it, so that it adds up.
    assert [receipt.total for receipt in receipts_of(paid)] == [5000, 100]


def test_a_receipt_has_what_was_received_and_no_prize(paid: Event, cashier: Client) -> None:
    player, winner = make_players(paid, 2)
    pay_entries(registration=player, by=None)
    for each in (player, winner):
        book(event=paid, kind=BookingKind.PAYOUT, amount=90000, registration=each, by=None)
    receipt = url(paid, "receipt_pdf", number=player.number)
    text = pdf_text(cashier.get(receipt).content)
    assert "Sum 200 SEK" in text
    page = cashier.get(url(paid, "cash_player", number=player.number))
    assert [paid.total for paid in page.context["payments"]] == [20000, -90000]
    assert receipt in text_of(page)
    # Who has only been paid a prize has no receipt.
    page = cashier.get(url(paid, "cash_player", number=winner.number))
    assert [paid.total for paid in page.context["payments"]] == [-90000]
    assert "receipt" not in text_of(page)
    receipts = PdfReader(BytesIO(cashier.get(url(paid, "receipts_pdf")).content))
    assert len(receipts.pages) == 1


def test_money_paid_back_has_a_receipt_of_its_own(paid: Event, cashier: Client) -> None:
    player = make_players(paid, 1)[0]
    pay_entries(registration=player, by=None)
    leave_queue(registration=player, by=None)
    refund(registration=player, by=None)
    assert receipt_numbers(cashier, player) == [2, 1]
    assert [receipt.total for receipt in receipts_of(paid)] == [20000, -20000]
    printed = pdf_text(cashier.get(url(paid, "receipt_pdf", number=player.number)).content)
    assert (printed.count("Received from"), printed.count("Paid back to")) == (1, 1)


def test_receipts_of_a_merged_player_are_the_kept_ones(paid: Event, cashier: Client) -> None:
    kept, merged, other = make_players(paid, 3)
    for each in (kept, merged, other):
        pay_entries(registration=each, by=None)
    merge_persons(kept=kept.person, merged=merged.person, event=paid, by=None)
    assert receipt_numbers(cashier, kept) == [2, 1]
    receipts = PdfReader(BytesIO(cashier.get(url(paid, "receipts_pdf")).content))
    assert [str(kept.person) in page.extract_text() for page in receipts.pages] == [
        True,
        True,
        False,
    ]


def pdf_text(content: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(BytesIO(content)).pages)
