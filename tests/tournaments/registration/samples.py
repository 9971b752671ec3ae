"""One list of people as each program saves it in each format, made by hand."""

from __future__ import annotations

from collections.abc import Callable

from tests.tournaments.registration.spreadsheets import ods_of, ods_row, xlsx_of
from tests.tournaments.registration.test_other_programs import (
    ADJUDICATORS,
    PANTHEON,
    SPEAKERS,
    person,
    pretix,
)
from tournaments.core.listing import csv_of
from tournaments.core.workbook import Sheet, workbook_of

_HEADS = ["Namn", "Klubb", "Telefon", "Synlig", "T-shirt"]
_PEOPLE = [["Åsa Öström", "Nord", "0701234567", True, "M"], ["Bo Ek", "Syd", "", False, "L"]]
_TITLED = [["Vårturneringen"], [], _HEADS, *_PEOPLE, ["Summa", 2]]
#: As the program itself writes its players.
_OWN = Sheet(
    "Players",
    ["Player's number", "First name", "Last name", "Club", "Telephone", "Status"],
    [[1, "Åsa", "Öström", "10-12", "+46 70 123", "here"], [2, "Bo", "Ek", "", "", "here"]],
)


def _text(separator: str, yes: str, no: str, *before: str) -> str:
    lines = [separator.join(_HEADS)]
    for *cells, visible, shirt in _PEOPLE:
        lines.append(separator.join([*map(str, cells), yes if visible else no, str(shirt)]))
    return "\r\n".join([*before, *lines, ""])


def _with_hidden_row() -> bytes:
    return xlsx_of({"Anmälda": _TITLED, "Förra året": [["Namn"], ["Cia Ek"]]}, hidden_rows=[5])


def _ods() -> bytes:
    note = (
        '<table:table-cell office:value-type="string"><office:annotation><text:p>Vegan</text:p>'
        "</office:annotation><text:p>Åsa<text:s/>Öström</text:p></table:table-cell>"
    )
    day = '<table:table-cell office:value-type="date" office:date-value="2026-12-10"/>'
    rows = ods_row(*_HEADS) + ods_row(note, "Nord", "0701234567", True, "M")
    rows += ods_row(day, "Syd", "", False, "L") + ods_row("", repeated=1_048_570)
    return ods_of({"Tabell1": rows})


#: By what the table of docs/formats/lists.md calls it: the file's name and its content.
SAMPLES: dict[tuple[str, str], tuple[str, Callable[[], bytes]]] = {
    ("Excel", "XLSX"): ("a.xlsx", _with_hidden_row),
    ("Excel", "Strict Open XML"): ("a.xlsx", lambda: xlsx_of({"a": _TITLED}, strict=True)),
    ("Excel", "CSV"): ("a.csv", lambda: _text(";", "SANT", "FALSKT").encode("cp1252")),
    ("Excel", "CSV with `sep=;`"): (
        "a.csv",
        lambda: _text(";", "SANT", "FALSKT", "sep=;").encode("utf-8-sig"),
    ),
    ("Excel", "Unicode text"): ("a.txt", lambda: _text("\t", "SANT", "FALSKT").encode("utf-16")),
    ("Excel for Mac", "CSV (Macintosh)"): (
        "a.csv",
        lambda: _text(";", "SANT", "FALSKT").replace("\r\n", "\r").encode("mac_roman"),
    ),
    ("LibreOffice", "ODS"): ("a.ods", _ods),
    ("LibreOffice", "CSV"): ("a.csv", lambda: _text(",", "TRUE", "FALSE").encode()),
    ("Google Sheets", "XLSX"): ("a.xlsx", lambda: xlsx_of({"Blad1": [_HEADS, *_PEOPLE]})),
    ("Google Sheets", "CSV"): ("a.csv", lambda: _text(",", "TRUE", "FALSE").encode()),
    ("Numbers", "XLSX"): (
        "a.xlsx",
        lambda: xlsx_of({"Exportöversikt": [["Ark", "Tabell"]], "Ark 1": [_HEADS, *_PEOPLE]}),
    ),
    ("Numbers", "CSV"): ("a.csv", lambda: _text(";", "SANT", "FALSKT").encode()),
    ("Tabbycat", "CSV, speakers"): ("a.csv", SPEAKERS.encode),
    ("Tabbycat", "CSV, adjudicators"): ("a.csv", ADJUDICATORS.encode),
    ("pretix", "CSV, check-in list"): (
        "a.csv",
        lambda: pretix(person("Anna Ek", "Anna", "Ek", "Yes", "Nord")).encode(),
    ),
    ("MahjongPantheon", "CSV, rating"): ("a.csv", PANTHEON.encode),
    ("Challonge", "text, Bulk Add"): ("a.txt", "Åsa Öström\nBo Ek\n".encode),
    ("this program", "XLSX"): ("a.xlsx", lambda: workbook_of("Players", [_OWN])),
    ("this program", "CSV, English"): ("a.csv", lambda: csv_of(_OWN, comma=False)),
    ("this program", "CSV, Swedish"): ("a.csv", lambda: csv_of(_OWN, comma=True)),
}
