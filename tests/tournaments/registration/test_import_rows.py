"""Reading lists of players: whatever the bytes, rows or an error message, never a crash."""

from __future__ import annotations

import json
import zipfile
from contextlib import suppress
from dataclasses import asdict
from datetime import date
from io import BytesIO

import pytest
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st
from tablib import Dataset

from tests.tournaments.refusals import refused
from tests.tournaments.registration.lists import rows_from_file, rows_from_text
from tournaments.core.errors import Refused
from tournaments.registration.queries.player_list import NOTES, Note, Row, list_of
from tournaments.registration.queries.sheets.book import MAX_COLUMNS, MAX_ROWS
from tournaments.registration.queries.sheets.read import read_file
from tournaments.registration.queries.sheets.text import read_text


def names(rows: list[Row]) -> list[str]:
    return [row.legal_name for row in rows]


def xlsx(*rows: tuple[object, ...]) -> bytes:
    content: bytes = Dataset(*rows).export("xlsx")
    return content


def test_names_only() -> None:
    assert names(rows_from_text(" Anna  Ek \r\n\r\nBo Öström\n")) == ["Anna Ek", "Bo Öström"]


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_columns_with_headings_in_either_language(sign: str) -> None:
    for heads in (["Förnamn", "Efternamn", "Klubb", "E-post"],
                  ["First name", "LAST NAME", "club", "email"]):  # fmt: skip
        text = sign.join(heads) + "\n" + sign.join(["Anna", "Ek", "Norrköping", "a@example.org"])
        row = rows_from_text(text)[0]
        assert (row.line, row.legal_name, row.club, row.email, row.problem) == (
            2, "Anna Ek", "Norrköping", "a@example.org", None,
        )  # fmt: skip


def test_columns_without_headings_are_name_and_club() -> None:
    row = rows_from_text("Anna Ek;Norrköping\nBo;")[0]
    assert (row.line, row.legal_name, row.club) == (1, "Anna Ek", "Norrköping")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (";x;;", Note("no_name")),
        ("123;x;;", Note("no_name")),
        (f"{'A' * 121};;;", Note("field_too_long", {"text": "A" * 30})),
        ("Anna;;;sometimes", Note("unknown_visibility", {"text": "sometimes"})),
        ("Anna;;;nickname", Note("no_nickname")),
    ],
)
def test_bad_rows_say_why(line: str, problem: Note) -> None:
    rows = rows_from_text(f"name;club;e-mail;visibility\n{line}\nBo Ek;;;hidden")
    assert rows[0].problem == problem
    assert (rows[1].problem, rows[1].visibility) == (None, "hidden")


@pytest.mark.parametrize("address", ["nobody", "åsa@öberg.se", "a@b", "x" * 300])
def test_a_bad_e_mail_address_does_not_exclude_the_player(address: str) -> None:
    [row] = rows_from_text(f"name;e-mail\nAnna Ek;{address}")
    assert (row.problem, row.email, row.note) == (None, "", address[:254])
    assert row.hints == (Note("no_mail", {"text": address[:60]}),)


def test_ignored_columns_are_reported() -> None:
    found = list_of(read_text("name;club;shirt\nAnna Ek;Ö;XL;?"))
    [row] = found.rows
    assert (row.club, row.problem, found.columns) == ("Ö", None, ["shirt"])
    assert row.hints == (Note("not_taken", {"text": "?"}),)
    wide, other = rows_from_text("name;club\nAnna Ek" + ";" * 70 + "x\nBo Ek;Ö")
    assert wide.problem == Note("too_many_columns", {"columns": 60})
    assert other.problem is None


def test_every_note_is_stored_by_code_and_worded_in_each_language() -> None:
    text = ";x\nBo;;;nickname\nBo;;;sometimes\nBo\u3164\nBo;;nobody;hidden;;XL\n" + "A" * 130
    text += "\nBo (Bobo) Ek;;;;4.67E10\nSumma"
    rows = rows_from_text(f"name;club;e-mail;visibility;phone\n{text}\nBo{';' * 70}x")
    rows += rows_from_file("x.xlsx", xlsx(("Namn", "Klubb"), (True, ""), (date(2026, 12, 10), "")))
    rows += rows_from_text("name;paid;table;seed\nAnna;yes;4;1\nBo;perhaps;10-12;")
    notes = [note for row in rows for note in (row.problem, *row.hints) if note]
    # What parts there are only the event knows.
    assert {note.code for note in notes} == set(NOTES) - {"no_part"}
    stored = json.loads(json.dumps([asdict(row) for row in rows]))
    assert [Row.from_json(row) for row in stored] == rows
    for note in notes:
        assert "%(" not in str(note)
        with translation.override("sv"):
            swedish = str(note)
        assert swedish != str(note)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(encoding: str) -> None:
    assert names(rows_from_file("x.csv", "namn;klubb\nÅsa Öberg;Ö".encode(encoding))) == [
        "Åsa Öberg"
    ]


def test_spreadsheet() -> None:
    rows = rows_from_file("x.xlsx", xlsx(("Namn", "Telefon"), ("Åsa", 701234567), (None, None)))
    assert [(row.legal_name, row.phone) for row in rows] == [("Åsa", "701234567")]


def test_formulas_are_text() -> None:
    assert names(rows_from_text("=Anna+1")) == ["=Anna+1"]


def test_refusals() -> None:
    for empty in ("", " \n\n", "namn;klubb\n"):
        with refused("nothing_there"):
            rows_from_text(empty)
    with refused("too_much"):
        rows_from_text("\n".join(["Anna"] * (MAX_ROWS + 1)))
    with refused("too_much"):
        rows_from_file("x.csv", b"a" * 1_000_001)
    for name, content, code in (
        ("x.xlsx", b"PK\x03\x04rubbish", "unreadable"),
        ("x.xls", b"abc", "old_format"),
    ):
        with refused(code):
            rows_from_file(name, content)


def with_part(name: str, old: bytes, new: bytes) -> bytes:
    """Return a spreadsheet with one part of it replaced."""
    packed = BytesIO()
    with (
        zipfile.ZipFile(BytesIO(xlsx(("Namn", "Klubb"), ("Åsa", "Ö")))) as source,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for part in source.namelist():
            text = source.read(part)
            assert part != name or old in text
            target.writestr(part, text.replace(old, new) if part == name else text)
    return packed.getvalue()


SHEET, STYLES = "xl/worksheets/sheet1.xml", "xl/styles.xml"
END = b"</sheetData>"


@pytest.mark.parametrize(
    ("part", "old", "new", "code"),
    [
        (SHEET, END, b'<row r="1048576"><c r="A1048576"/></row>' + END, "too_much"),
        (SHEET, END, b" " * 8_000_000 + END, "too_much"),
        (STYLES, b"</styleSheet>", b"<xf/>" * 200_000 + b"</styleSheet>", "too_much"),
        (STYLES, b"<styleSheet", b"<!DOCTYPE a><styleSheet", "too_much"),
    ],
)  # fmt: skip
def test_a_zip_bomb_is_refused(part: str, old: bytes, new: bytes, code: str) -> None:
    content = with_part(part, old, new)
    assert len(content) < 20_000
    with refused(code):
        rows_from_file("x.xlsx", content)


def test_a_sheets_claimed_size_costs_nothing() -> None:
    content = with_part(SHEET, b'ref="A1:B2"', b'ref="A1:XFD1048576"')
    assert names(rows_from_file("x.xlsx", content)) == ["Åsa"]


def test_cells_far_to_the_right_are_told_but_not_read() -> None:
    far = b'<row r="3"><c r="XFD3" t="str"><v>x</v></c></row>'
    content = with_part(SHEET, END, far + END)
    [sheet] = read_file("x.xlsx", content).sheets
    assert [len(line.cells) for line in sheet.lines] == [2, 2, MAX_COLUMNS + 1]
    assert [bool(row.problem) for row in rows_from_file("x.xlsx", content)] == [False, True]


@pytest.mark.parametrize("text", ["a" * 1_000_000, "a;b\n" + "c" * 990_000])
def test_an_endless_line(text: str) -> None:
    with refused("too_long"):
        rows_from_text(text)


@pytest.mark.parametrize("sign", ["\u202e", "\u200b", "\u00ad", "\ufeff"])
def test_signs_that_show_nothing_go(sign: str) -> None:
    [row, _bo] = rows_from_text(f"Anna{sign} Ek{sign};Norr{sign}köping\nBo Ek;")
    assert (row.legal_name, row.club, row.problem) == ("Anna Ek", "Norrköping", None)


def test_a_letter_that_shows_nothing_is_refused() -> None:
    [row, bo] = rows_from_text("Anna Ek\u3164;Norrköping\nBo Ek;")
    assert row.problem == Note("invisible_sign", {"sign": "U+3164"})
    assert not bo.problem


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.binary(max_size=400), st.text(max_size=200).map(str.encode)))
def test_any_bytes(content: bytes) -> None:
    for start in (b"", b"PK\x03\x04", b"\xff\xfe"):
        try:
            rows = rows_from_file("x", start + content)
        except Refused:
            continue
        assert rows
        assert all(row.problem or row.legal_name for row in rows)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60), st.integers(0, 5000), st.integers(0, 60))
def test_any_damage_to_a_spreadsheet(junk: bytes, at: int, length: int) -> None:
    whole = xlsx(("Namn", "Klubb"), ("Åsa", "Ö"), ("Bo", ""))
    at %= len(whole)
    with suppress(Refused):
        rows_from_file("x.xlsx", whole[:at] + junk + whole[at + length :])
