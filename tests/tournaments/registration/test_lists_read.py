"""Lists as people have them: title above, sum below, filters, second sheets, odd cells."""

from __future__ import annotations

from datetime import date
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.refusals import refused
from tests.tournaments.registration.lists import rows_from_file, rows_from_text
from tests.tournaments.registration.spreadsheets import ods_of, ods_row, xlsx_of
from tournaments.registration.queries.header import Found
from tournaments.registration.queries.player_list import Row, list_of
from tournaments.registration.queries.sheets.read import read_file
from tournaments.registration.queries.sheets.text import read_text


def people(rows: list[Row]) -> list[str]:
    return [row.legal_name for row in rows if not row.problem]


def test_a_line_that_names_the_separator_is_nobody() -> None:
    [row] = rows_from_text("sep=;\nNamn;Klubb\nÅsa Ek;Nord")
    assert (row.legal_name, row.club) == ("Åsa Ek", "Nord")


@pytest.mark.parametrize("title", ["Vårturneringen 2026", "Namn på turneringen;;", "Anmälda, mars"])
def test_title_above_and_sum_below_are_nobody(title: str) -> None:
    players = "\n".join(f"Anna Ek{chr(97 + n // 26)}{chr(97 + n % 26)};Nord" for n in range(80))
    found = list_of(read_text(f"{title}\n\nNamn;Klubb\n{players}\nSumma;80"))
    assert found.found == Found(0, 3)
    assert len(people(found.rows)) == 80
    assert found.rows[-1].problem


def test_last_name_first_is_a_name_and_no_club() -> None:
    rows = rows_from_text("Ek, Åsa\nÖberg, Anna Maria\nBo Berg")
    assert [(row.legal_name, row.club) for row in rows] == [
        ("Åsa Ek", ""), ("Anna Maria Öberg", ""), ("Bo Berg", ""),
    ]  # fmt: skip
    [row, _] = rows_from_text("Åsa Ek, Nord\nBo Berg, Syd")
    assert (row.legal_name, row.club) == ("Åsa Ek", "Nord")


LIST = [["Anmälda"], [], ["Namn", "Telefon", "Synlig"], ["Åsa Ek", 46701234567.0, True],
        ["Bo Öst", "070-1", False], ["Summa", 2]]  # fmt: skip


@pytest.mark.parametrize("strict", [False, True])
def test_the_list_is_found_among_the_sheets(strict: bool) -> None:
    content = xlsx_of(
        {"Info": [["Hallen öppnar 9"]], "Anmälda": LIST, "Gamla": LIST},
        strict=strict, chart_first=True,
    )  # fmt: skip
    book = read_file("x.xlsx", content)
    assert [sheet.name for sheet in book.sheets] == ["Info", "Anmälda", "Gamla"]
    found = list_of(book)
    assert found.found == Found(1, 3)
    åsa, bo, _sum = found.rows
    assert (åsa.legal_name, åsa.phone, åsa.visibility) == ("Åsa Ek", "46701234567", "public")
    assert (bo.legal_name, bo.visibility) == ("Bo Öst", "hidden")
    assert list_of(book, sheet=2, header=3).found == Found(2, 3)
    assert len(list_of(book, sheet=2, header=0).rows) == 4


def test_columns_that_are_not_read_are_named() -> None:
    found = list_of(read_text("Namn;Betalt;Bord;T-shirt\nÅsa Ek;ja;4;XL"))
    assert found.columns == ["T-shirt"]


def test_hidden_rows_are_told() -> None:
    rows = rows_from_file(
        "x.xlsx",
        xlsx_of({"a": [["Namn"], *([f"Anna E{c}"] for c in "abcdefgh")]}, hidden_rows=range(3, 9)),
    )
    assert sum(row.hidden for row in rows) == 6
    assert len(people(rows)) == 8
    hidden = ods_row("Bo Ek", visibility="filter") + ods_row("Cia Ek", visibility="collapse")
    rows = rows_from_file("x.ods", ods_of({"a": ods_row("Namn") + ods_row("Åsa Ek") + hidden}))
    assert [row.hidden for row in rows] == [False, True, True]


def test_a_hidden_sheet_comes_last() -> None:
    content = xlsx_of({"Gamla": LIST, "Nya": LIST}, hidden_sheets=["Gamla"])
    assert list_of(read_file("x.xlsx", content)).found.sheet == 1
    rows = "".join(ods_row(*row) for row in LIST if row)
    content = ods_of({"Gamla": rows, "Nya": rows}, hidden_sheets=["Gamla"])
    assert list_of(read_file("x.ods", content)).found.sheet == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "cp1252", "mac_roman"])
def test_letters_of_any_encoding(encoding: str) -> None:
    names = ["Åsa Öström", "Göran Ek", "Zoë Brännström"]
    book = read_file("x.csv", "\r\n".join(["Namn", *names]).encode(encoding))
    assert people(list_of(book).rows) == names
    told = {"cp1252": "Windows-1252", "mac_roman": "Mac Roman"}
    assert book.encoding == told.get(encoding, "")


def test_decomposed_letters_and_signs_of_no_width() -> None:
    names = ["Åsa Öström", "Göran Ek", "Zoë Brännström"]
    text = "\n".join(normalize("NFD", name).replace(" ", " \u200b") for name in names)
    assert people(rows_from_text(text)) == names


def test_cells_that_a_spreadsheet_has_changed() -> None:
    content = xlsx_of({"a": [["Namn", "Klubb_x000D_\nNord"], ["Åsa Ek", "Klubb_x000D_\nNord"],
                             [True, "Nord"], ["Anna Sant", "TRUE"]]})  # fmt: skip
    åsa, lost, sant = rows_from_file("x.xlsx", content)
    assert (åsa.club, sant.legal_name) == ("", "Anna Sant")
    assert lost.problem is not None
    assert lost.problem.code == "truth_value"
    content = xlsx_of({"a": [["Namn", "Klubb"], ["Åsa Ek", "Klubb_x000D_\nNord"]]})
    assert rows_from_file("x.xlsx", content)[0].club == "Klubb Nord"
    [row] = rows_from_text("Namn;Tel\nÅsa Ek;4.6701234567E10")
    assert row.phone == "46701234567"
    [row] = rows_from_text("Namn;Tel\nÅsa Ek;4,67E+10")
    assert (row.phone, row.hints[0].code) == ("", "digits_lost")


def test_words_that_mean_nothing_to_programs_are_names() -> None:
    names = ["Anna Null", "Bo Na", "Cia Nan", "None Ek", "Null", "Nan"]
    assert people(rows_from_text("Namn\n" + "\n".join(names))) == names
    assert (
        people(rows_from_file("x.xlsx", xlsx_of({"a": [["Namn"], *([n] for n in names)]}))) == names
    )


def test_ods_cell_by_cell() -> None:
    note = (
        '<table:table-cell office:value-type="string"><office:annotation><text:p>Vegan</text:p>'
        "</office:annotation><text:p>Bo<text:s/>Öst</text:p></table:table-cell>"
    )
    day = '<table:table-cell office:value-type="date" office:date-value="2026-12-10"/>'
    same = (
        '<table:table-cell table:number-columns-repeated="2" office:value-type="string">'
        "<text:p>Nord</text:p></table:table-cell>"
    )
    rows = (
        ods_row("Namn", "Klubb", "Lag", "Avgift")
        + ods_row("Åsa Ek", same, 11.66)
        + ods_row(note, "Syd", "", "")
        + ods_row(day, "", "", "")
        + ods_row("", repeated=1_048_000)
    )
    book = read_file(
        "x.ods", ods_of({"Anmälda": rows, "Annat": ods_row("Namn") + ods_row("Eva Ek")})
    )
    assert book.sheets[0].lines[1].cells == ("Åsa Ek", "Nord", "Nord", 11.66)
    assert book.sheets[0].lines[3].cells == (date(2026, 12, 10),)
    found = list_of(book)
    assert people(found.rows) == ["Åsa Ek", "Bo Öst"]
    assert found.rows[0].club == "Nord"
    assert found.rows[2].problem is not None
    assert found.rows[2].problem.code == "day"


def test_breaks_and_tabs_in_a_cell_of_ods_keep_words_apart() -> None:
    cells = [
        f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'
        for text in ("Anna<text:line-break/>Ek", "Väst<text:tab/>Nord", "+46<text:s text:c='2'/>70")
    ]
    content = ods_of({"a": ods_row("Namn", "Klubb", "Telefon") + ods_row(*cells)})
    [row] = rows_from_file("x.ods", content)
    assert (row.legal_name, row.club, row.phone) == ("Anna Ek", "Väst Nord", "+46 70")


def test_a_repeat_without_end_costs_nothing() -> None:
    endless = ods_row("Namn") + ods_row("Åsa Ek", repeated=2_000_000_000)
    with refused("too_much"):
        rows_from_file("x.ods", ods_of({"a": endless}))
    wide = (
        '<table:table-cell table:number-columns-repeated="2000000000" office:value-type="string">'
    )
    wide += "<text:p>x</text:p></table:table-cell>"
    [row] = rows_from_file("x.ods", ods_of({"a": ods_row("Namn") + ods_row("Åsa Ek", wide)}))
    assert row.problem is not None


@pytest.mark.parametrize("content", [b"%PDF-1.7", b"<html><table>", b"{\\rtf1", b"PK\x03\x04x"])
def test_what_is_no_list_says_what_to_do(content: bytes) -> None:
    with refused("unreadable"):
        read_file("x", content)


def test_brackets_and_nicknames() -> None:
    [row] = rows_from_text("Karim Issa (كريم عيسى)")
    assert (row.given_name, row.family_name) == ("Karim", "Issa (كريم عيسى)")
    for name in ("Anna (Ankan) Ek", 'Anna "Ankan" Ek', "Anna Ek (Ankan)", "Anna ”Ankan” Ek"):
        [row] = rows_from_text(f"Namn\n{name}")
        assert (row.legal_name, row.display_name) == ("Anna Ek", "Ankan")
        assert row.hints[0].code == "nickname"


NAME = st.text("abcdefåäöéÅÄÖ", min_size=2, max_size=8).map(str.title)
PEOPLE = st.lists(
    st.tuples(
        NAME.map(lambda name: f"Anna {name}"),
        st.one_of(
            st.just(""), NAME, st.sampled_from(["10-12", "007", "Summa", "SANT", "a;b", "a,b"])
        ),
        st.one_of(st.just(""), st.integers(10**7, 10**11).map(lambda number: f"0{number}")),
    ),
    min_size=1,
    max_size=12,
    unique_by=lambda person: person[0],
)


@settings(max_examples=60, deadline=None)
@given(PEOPLE, st.sampled_from(["utf-8", "utf-16", "cp1252"]))
def test_people_written_in_each_format_are_the_same_people(
    table: list[tuple[str, str, str]], encoding: str
) -> None:
    rows = [("Namn", "Klubb", "Telefon"), *table]
    text = "\r\n".join(";".join(f'"{cell}"' for cell in row) for row in rows)
    contents = [
        text.encode(encoding),
        text.replace(";", ",").encode(encoding)
        if ";" not in "".join(row[1] for row in table)
        else text.encode(),
        xlsx_of({"a": rows}),
        xlsx_of({"a": rows}, strict=True),
        ods_of({"a": "".join(ods_row(*row) for row in rows)}),
    ]
    for content in contents:
        found = rows_from_file("x", content)
        assert [(row.legal_name, row.club, row.phone) for row in found] == table
