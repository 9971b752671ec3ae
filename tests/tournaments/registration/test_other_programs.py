"""Lists of people as other programs write them: each heading as its source shows it.

The Tournament Director has no entry: its guide tells of an export of players, but not of its
columns. Challonge documents no export of people; what its organisers have is the list that its
*Bulk Add* reads (https://kb.challonge.com/en/article/participant-management-1m6ooqe).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import pytest

from tournaments.registration.queries.player_list import PlayerList, list_of
from tournaments.registration.queries.sheets.text import read_text

#: Tabbycat, data/bp88team/speakers.csv at 7d22a796a166126e6092a2ff3b1ae9ff27d29001.
SPEAKERS = (
    "name,institution,team_name,use_institution_prefix,gender,email\n"
    "Elvar Hallbjörnsson,Arnor,HL,1,male,elvar@example.org\n"
    "Jurek Dąbrowski ,Hobbiton,CD,1,male,jurek@example.org\n"
    "Tuất Tôn,Isengard,TK,1,male,ton@example.org\n"
)
#: Tabbycat, data/bp88team/adjudicators.csv at 0823f643a0fa637a03d21a6ba2a2c8cd7b7fbb2e.
ADJUDICATORS = (
    "name,email,gender,institution,adj_core,independent\n"
    "Laila Filemonsen,laila@example.org,female,Lórien,TRUE,FALSE\n"
    "Park P'eng,park@example.org,female,UG Lebennin,FALSE,TRUE\n"
)


def pretix(*rows: Sequence[str]) -> str:
    """pretix, src/pretix/plugins/checkinlists/exporters.py (``CSVCheckinList.iterate_list``) at
    033deb7cf24417263ef8518091cf9b9156692c74: a list that includes pending orders, with names in two
    parts.
    """
    heads = [
        "Order code", "Attendee name", "Attendee name: Given name", "Attendee name: Family name",
        "Product", "Price", "Checked in", "Checked out", "Automatically checked in", "Paid",
        "E-mail", "Company", "Voucher code", "Order date", "Requires special attention", "Comment",
        "Seat ID", "Seat name", "Seat zone", "Seat row", "Seat number",
    ]  # fmt: skip
    text = io.StringIO()
    csv.writer(text).writerows([heads, *rows])
    return text.getvalue()


def person(name: str, given: str, family: str, paid: str, company: str) -> list[str]:
    return [
        "A7K9Q", name, given, family, "Start", "250.00", "2026-03-14 09:00", "", "No", paid,
        "a@example.org", company, "", "2026-03-01", "No", "", "", "", "", "", "",
    ]  # fmt: skip


#: MahjongPantheon, Sigrun/app/pages/RatingTable.tsx (``downloadCsv``) at
#: b8609fd8f4d905d2d72ce73a0034f50a0772e18b: an event of teams, in English.
PANTHEON = (
    "Place,Player ID,Player name,Team,Rating points,Average place,Average points,Games played\n"
    '1,12,Åsa Ek,"Nord, A",1532.5,1.75,12.5,8\n'
    "2,7,Bo Öst,Syd,1499,2.5,-3,8\n"
)


def read(text: str) -> PlayerList:
    return list_of(read_text(text))


@pytest.mark.parametrize(
    ("program", "text", "people"),
    [
        (
            "Tabbycat",
            SPEAKERS,
            [("Elvar Hallbjörnsson", "Arnor"), ("Jurek Dąbrowski", "Hobbiton"),
             ("Tuất Tôn", "Isengard")],
        ),
        ("Tabbycat", ADJUDICATORS, [("Laila Filemonsen", "Lórien"), ("Park P'eng", "UG Lebennin")]),
        (
            "pretix",
            pretix(
                person("Anna Maria De Geer", "Anna Maria", "De Geer", "Yes", "Nord"),
                person("Bo Öst", "Bo", "Öst", "No", ""),
            ),
            [("Anna Maria De Geer", "Nord"), ("Bo Öst", "")],
        ),
        ("MahjongPantheon", PANTHEON, [("Åsa Ek", "Nord, A"), ("Bo Öst", "Syd")]),
    ],
)  # fmt: skip
def test_names_and_places_of_another_programs_list(
    program: str, text: str, people: list[tuple[str, str]]
) -> None:
    found = read(text)
    assert found.program == program
    assert [(row.legal_name, row.club) for row in found.rows] == people
    # Addresses were given to that program, not here; the preview names their column.
    assert not any(row.email or row.phone or row.note or row.problem for row in found.rows)
    assert ("email" in str(found.columns).lower().replace("-", "")) is ("@" in text)


def test_parts_of_a_name_and_payment_as_pretix_tells_them() -> None:
    anna, bo = read(
        pretix(
            person("Anna Maria De Geer", "Anna Maria", "De Geer", "Yes", ""),
            person("Bo Öst", "Bo", "Öst", "No", ""),
        )
    ).rows
    assert (anna.given_name, anna.family_name, anna.paid) == ("Anna Maria", "De Geer", "yes")
    assert bo.paid == ""


def test_names_as_challonges_bulk_add_reads_them() -> None:
    found = read("Åsa Ek\nBo Öst\nCia")
    assert [row.legal_name for row in found.rows] == ["Åsa Ek", "Bo Öst", "Cia"]
    # "Display Name, Email": an address is no club.
    rows = read("Åsa Ek, asa@example.org\nBo Öst, bo@example.org").rows
    assert [(row.legal_name, row.club, row.email) for row in rows] == [
        ("Åsa Ek", "", "asa@example.org"), ("Bo Öst", "", "bo@example.org"),
    ]  # fmt: skip


def test_a_list_of_ones_own_keeps_its_addresses() -> None:
    [row] = read("name,email,club\nÅsa Ek,asa@example.org,Nord").rows
    assert row.email == "asa@example.org"
