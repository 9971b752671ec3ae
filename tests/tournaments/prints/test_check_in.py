"""The check-in list: whom it names, in which order, and where its pages break."""

from __future__ import annotations

from io import BytesIO

import pytest
from pypdf import PdfReader

from tests.tournaments.factories import make_players
from tournaments.cash.commands import book
from tournaments.models import Event, Person, Registration
from tournaments.models.enums import BookingKind
from tournaments.prints.drawing import PRINTS
from tournaments.prints.drawing._lists import Order
from tournaments.prints.drawing.check_in import ROWS_PER_PAGE, rows_of
from tournaments.registration.commands.people import register_person, withdraw

LONG = "Maximiliana-Alexandra Łącka-Szczepańska Ö"


def pages(event: Event) -> list[str]:
    job = Order(event)
    return [page.extract_text() for page in PdfReader(BytesIO(PRINTS["check_in"].pdf(job))).pages]


def test_names_are_sorted_by_family_name_in_the_readers_alphabet(event: Event) -> None:
    for name in ("Åsa Ås", "Bo Öst", "Cia Zorn", "Dag Äng", "Zlatan"):
        register_person(event=event, by=None, legal_name=name)
    gone = register_person(event=event, by=None, legal_name="Eva Borta")
    withdraw(registration=gone, by=None)
    swedish = [row.name for row in rows_of(event, "sv")]
    assert swedish == ["Zlatan", "Zorn, Cia", "Ås, Åsa", "Äng, Dag", "Öst, Bo"]
    english = [row.name for row in rows_of(event, "en")]
    assert english == ["Äng, Dag", "Ås, Åsa", "Öst, Bo", "Zlatan", "Zorn, Cia"]


def test_it_shows_payments_due_and_who_is_here(event: Event) -> None:
    event.buy_in = 20000
    event.save()
    late, here = make_players(event, 1, here=False) + make_players(event, 1)
    book(event=event, kind=BookingKind.BUY_IN, amount=20000, registration=here, by=None)
    rows = {row.number: (row.here, row.to_pay) for row in rows_of(event, "en")}
    assert rows == {late.number: (False, 20000), here.number: (True, 0)}


@pytest.mark.parametrize("count", [0, 1, ROWS_PER_PAGE, ROWS_PER_PAGE + 1, 400])
def test_pages_break_between_players_and_each_has_its_heading(event: Event, count: int) -> None:
    people = Person.objects.bulk_create(
        Person(
            organiser=event.organiser,
            legal_name=f"{LONG}{number:03}",
            club="Kortklubben i Örnsköldsvik",
        )
        for number in range(count)
    )
    Registration.objects.bulk_create(
        Registration(event=event, person=person, number=number)
        for number, person in enumerate(people, start=1)
    )
    found = pages(event)
    assert len(found) == max(1, -(-count // ROWS_PER_PAGE))
    for number, text in enumerate(found, start=1):
        assert event.name in text
        assert f"{number} of {len(found)}" in text
    assert sum(text.count("Łącka") for text in found) == count


def test_a_long_name_and_a_long_club_are_not_cut(event: Event) -> None:
    name = "Wilhelmina Alexandra Charlotta von Schantz af Rosenborg-Lejonhufvud"
    club = "Föreningen för kortspelets främjande i Örnsköldsvik med omnejd"
    register_person(event=event, by=None, legal_name=name, club=club)
    assert "…" not in pages(event)[0]


def sizes(event: Event) -> dict[str, float]:
    """Return the size of each text on the only page."""
    job = Order(event)
    (page,) = PdfReader(BytesIO(PRINTS["check_in"].pdf(job))).pages
    found: dict[str, float] = {}
    page.extract_text(
        visitor_text=lambda text, _cm, _tm, _font, size: found.__setitem__(text.strip(), size)
    )
    return found


def test_a_club_has_the_width_that_payments_leave(event: Event) -> None:
    event.buy_in = 20000
    event.save()
    club = "Kortklubben Knekten i Örnsköldsvik och omnejd, 1923"
    register_person(event=event, by=None, legal_name="Bo Öst", club=club)
    assert sizes(event)[club] >= 6.7


def test_a_long_name_has_the_width_that_clubs_do_not_need(event: Event) -> None:
    register_person(event=event, by=None, legal_name=LONG, club="Lund")
    found = sizes(event)
    assert {size for text, size in found.items() if "Alexandra" in text} == {11}
    assert found["Lund"] == 9
