"""Any table of people, written in each format and read again, is the same people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.registration.lists import rows_from_file
from tests.tournaments.registration.spreadsheets import ods_of, ods_row, xlsx_of
from tournaments.core.listing import csv_of
from tournaments.core.workbook import Sheet, workbook_of

HEADS = ["Förnamn", "Efternamn", "Smeknamn", "Klubb", "Telefon"]
#: Letters of several writings; neither quotes nor brackets, which mark nicknames.
_LETTERS = "abcdeåäöéñßøłšđħαбخ日ǅ'-"
_WORD = st.text(_LETTERS, min_size=1, max_size=8).filter(lambda text: text.strip("'-") == text)
_NAME = st.lists(_WORD, min_size=1, max_size=3).map(" ".join)
#: What spreadsheets and other readers are apt to change.
_TRAPS = st.sampled_from(
    ["007", "1-2", "10-12", "1E3", "=1+1", "+46 70", "-", "@x", "46 2/3", "TRUE", "sant", "3 maj",
     "12:30", "5 %", "a;b", "a,b", 'a"b', "a\tb", "Null", "#N/A", "¥", "Summa", "x@y", "SEPT2"],
)  # fmt: skip
_TEXT = st.text(max_size=30) | _TRAPS | st.just("")
_PHONE = st.text("0123456789 -+", max_size=14)


def _plain(text: str) -> str:
    """Return a text as the program keeps one: on one line, whole letters, nothing unseen."""
    shown = "".join(sign for sign in normalize("NFC", text) if sign.isprintable())
    return " ".join(normalize("NFC", shown).split()).strip("'<")[:30].strip()


def _with_heads(people: list[list[str]]) -> Sheet:
    return Sheet("Spelare", HEADS, people)


def _ods(people: list[list[str]]) -> bytes:
    return ods_of({"Spelare": ods_row(*HEADS) + "".join(ods_row(*person) for person in people)})


FORMATS: dict[str, Callable[[list[list[str]]], bytes]] = {
    "own.xlsx": lambda people: workbook_of("x", [_with_heads(people)]),
    "english.csv": lambda people: csv_of(_with_heads(people), comma=False),
    "swedish.csv": lambda people: csv_of(_with_heads(people), comma=True),
    "utf-16.csv": lambda people: csv_of(_with_heads(people), comma=True).decode().encode("utf-16"),
    "strict.xlsx": lambda people: xlsx_of({"a": [HEADS, *people]}, strict=True),
    "other.ods": _ods,
}
_PERSON = st.tuples(_NAME, _NAME, _TEXT.map(_plain), _TEXT.map(_plain), _PHONE.map(_plain))


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=25, deadline=None)
@given(people=st.lists(_PERSON.map(list), min_size=1, max_size=6))
def test_the_same_people_come_back(name: str, people: list[Any]) -> None:
    rows = rows_from_file(name, FORMATS[name](people))
    read = [
        [row.given_name, row.family_name, row.display_name, row.club, row.phone] for row in rows
    ]
    assert read == people
