"""Lists in the order of the reader's alphabet, by the names shown."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils.translation import override

from tests.tournaments.playoffs.factories import qualified_event
from tests.tournaments.registration.lists import rows_from_text
from tournaments.core.names import by_public_name, by_staff_name, registration_name
from tournaments.documents.reading import import_event
from tournaments.documents.writing import event_document
from tournaments.models import Event, Person
from tournaments.models.alphabet import name_key
from tournaments.registration.commands.people import change_person, register_person
from tournaments.results.queries.players import players_of, search

#: As a Swedish reader expects, whatever the database: by family name, then given name.
SWEDISH = [
    "Anna Ek", "Zlatan Ek", "Anna Ek Berg", "Bo Ek-Berg", "Anna Ekberg", "Édouard Ekö",
    "Jacek Łukasz", "Kim Ohara", "Bo de la Rosa", "Anna Schantz", "Bo von Schantz", "Bo Strauß",
    "Siv af Ugglas", "Nils Vrede", "Nils Wrede", "Ada Ücar", "Bo Ycar",
    "Zlatan", "Cia Zorn", "Åsa Ås", "Dag Äng", "Ulf Ærlig", "Bo Öst", "Cia Øst",
]  # fmt: skip


def register(event: Event, name: str, **fields: str) -> None:
    register_person(event=event, by=None, legal_name=name, **fields)


@pytest.mark.parametrize("language", ["sv", "en"])
def test_the_database_and_the_program_sort_alike(event: Event, language: str) -> None:
    for name in sorted(SWEDISH):
        register(event, name)
    change_person(
        person=Person.objects.get(legal_name="Anna Ek Berg"),
        by=None,
        given_name="Anna",
        family_name="Ek Berg",
    )
    with override(language):
        rows = list(event.registrations.select_related("person").order_by(by_staff_name(), "pk"))
    assert rows == sorted(rows, key=lambda row: (name_key(row.person.filed_name, language), row.pk))
    if language == "sv":
        assert [row.person.legal_name for row in rows] == SWEDISH


@pytest.mark.parametrize(
    ("name", "under"),
    [
        ("Louis De Geer", "Geer"), ("Ebba De la Gardie", "Gardie"), ("Anna Von Essen", "Essen"),
        ("Maria Da Silva", "Silva"), ("Anna von Essen", "Essen"),
    ],
)  # fmt: skip
def test_a_name_is_filed_under_its_main_part(event: Event, name: str, under: str) -> None:
    person = register_person(event=event, by=None, legal_name=name).person
    assert person.filed_name.startswith(f"{under}  ")
    assert f"{person.given_name} {person.family_name}" == name


def test_a_family_name_that_begins_like_a_particle_stays_whole(event: Event) -> None:
    person = register_person(
        event=event, by=None, legal_name="Minh Van Nguyen",
        given_name="Minh", family_name="Van Nguyen",
    ).person  # fmt: skip
    assert (person.family_name, person.filed_name) == ("Van Nguyen", "Van Nguyen  Minh")


def test_a_letter_with_a_mark_typed_as_two_signs(event: Event) -> None:
    assert sorted(["A\u030aberg", "Ek", "O\u0308st", "Ås"], key=lambda n: name_key(n, "sv")) == [
        "Ek", "A\u030aberg", "Ås", "O\u0308st",
    ]  # fmt: skip
    [row] = rows_from_text("Bo A\u030aberg;O\u0308rebro")
    person = register_person(event=event, by=None, legal_name=row.legal_name, club=row.club).person
    assert (person.family_name, person.filed_name, person.club) == ("Åberg", "Åberg  Bo", "Örebro")


def test_a_nickname_is_sorted_by_its_own_letters(event: Event) -> None:
    register(event, "Anna Öst", display_name="Bagarn", visibility="nickname")
    register(event, "Bo Alm", visibility="hidden")
    register(event, "Cia Ceder")
    register(event, "Dag Berg", display_name="Zack")
    with override("sv"):
        rows = event.registrations.select_related("person").order_by(by_public_name())
        names = [registration_name(row) for row in rows]
        assert names == ["Spelare 2", "Bagarn", "Cia Ceder", "Zack"]
        found = [registration_name(row) for row in search(players_of(event), "", staff=False)]
    assert found == names


@pytest.mark.django_db
def test_clubs_are_in_the_readers_order_and_a_hidden_one_gives_nothing_away() -> None:
    event = qualified_event(4)
    clubs = ("Örebro", "Ale", "Åmål", "Zinkgruvan")
    for row, club in zip(event.qualifications.order_by("order"), clubs, strict=True):
        visibility = "hidden" if club == "Ale" else "public"
        change_person(person=row.registration.person, by=None, club=club, visibility=visibility)
    reader = Client(headers={"accept-language": "sv"})
    for sort, shown in (
        ("club", ["", "Zinkgruvan", "Åmål", "Örebro"]),
        ("-club", ["Örebro", "Åmål", "Zinkgruvan", ""]),
    ):
        table = reader.get(f"/e/{event.slug}/qualified/", {"sort": sort}).context["table"]
        assert [row.get_cell("club") for row in table.rows] == shown


def test_a_lists_columns_are_given_and_family_name() -> None:
    rows = rows_from_text("förnamn;efternamn\nAnna Maria;Ek Berg\nBo;\n;Öst")
    assert [(row.given_name, row.family_name, row.legal_name) for row in rows] == [
        ("Anna Maria", "Ek Berg", "Anna Maria Ek Berg"),
        ("Bo", "", "Bo"),
        ("", "Öst", "Öst"),
    ]
    [one] = rows_from_text("Carl von Linné")
    assert (one.given_name, one.family_name) == ("Carl", "von Linné")


def test_after_a_new_full_name_the_family_name_is_guessed_again(event: Event) -> None:
    register(event, "Anna Ek")
    person = Person.objects.get()
    change_person(person=person, by=None, legal_name="Anna Berg")
    person.refresh_from_db()
    assert (person.given_name, person.family_name, person.legal_name) == (
        "Anna", "Berg", "Anna Berg",
    )  # fmt: skip


def test_a_document_gives_a_family_name_only_if_it_is_no_guess(event: Event) -> None:
    register(event, "Anna Ek")
    register(event, "", given_name="Bo", family_name="Ek Berg")
    document = event_document(event)
    families = [row.get("family_name") for row in document["registrations"]]
    assert families == [None, "Ek Berg"]
    again = import_event(document, slug="again")
    named = again.registrations.order_by("number").values_list(
        "person__given_name", "person__family_name"
    )
    assert list(named) == [("Anna", "Ek"), ("Bo", "Ek Berg")]
    assert event_document(again)["registrations"] == document["registrations"]
    old = {**document, "registrations": [{**row} for row in document["registrations"]]}
    del old["registrations"][1]["family_name"]
    assert import_event(old, slug="old").registrations.count() == 2
