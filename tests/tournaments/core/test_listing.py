"""Files that a spreadsheet opens without changing what they say."""

from __future__ import annotations

import io
from datetime import date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from tournaments.core.guards import guarded, unguarded
from tournaments.core.workbook import Sheet, workbook_of

#: What Excel makes a date, a number, a truth value or a formula of, in English or Swedish.
CHANGED = [
    "1-2", "10-12", "1E3", "007", "0701234567", "+46 70 123", "=1+1", "-5", "@SUM(A1)", "46 2/3",
    "10:30", "5 %", "1 234,50", "3 maj", "MARCH1", "SEPT2", "10 dec", "dec-10", "TRUE", "sant",
    "12 kr", "'007", "\t=1", "＝1", "2026-03-14", "1.5", "(5)",
]  # fmt: skip
KEPT = ["Anna", "Anna 2", "12 B", "4 of 5", "'t Hooft", "Maj", "May", "Ek, Åsa", "Bord 3", "", "№"]


@pytest.mark.parametrize("text", CHANGED)
def test_what_a_spreadsheet_would_change_is_guarded(text: str) -> None:
    assert guarded(text) == f"'{text}"
    assert unguarded(f"'{text}") == text


@pytest.mark.parametrize("text", KEPT)
def test_everything_else_is_left_alone(text: str) -> None:
    assert guarded(text) == unguarded(text) == text


@given(st.text(alphabet="'=+-@ 0179.,:/eEmarsjudec%kå\t", max_size=12) | st.text(max_size=20))
def test_reading_takes_back_what_writing_has_put_there(text: str) -> None:
    assert unguarded(guarded(text)) == text


def test_a_workbook_holds_what_its_cells_are() -> None:
    row = [
        "=1+1",
        "+46 70",
        "#N/A",
        12,
        46.66,
        True,
        date(2026, 3, 14),
        datetime(2026, 3, 14, 9, 5),
    ]
    heads = ["a", "b", "c", "d", "e", "f", "g", "h"]
    content = workbook_of("Festival – Players", [Sheet("A/B: every [one]", heads, [row])])
    book = load_workbook(io.BytesIO(content))
    [page] = book.worksheets
    assert page.title == "A-B- every -one-"
    assert [cell.value for cell in page[2]] == [
        "=1+1", "+46 70", "#N/A", 12, 46.66, True,
        datetime(2026, 3, 14), datetime(2026, 3, 14, 9, 5),
    ]  # fmt: skip
    assert [cell.data_type for cell in page[2]] == ["s", "s", "s", "n", "n", "b", "d", "d"]
    assert [cell.number_format for cell in page[2]][6:] == ["yyyy-mm-dd", "yyyy-mm-dd hh:mm"]
    # Still a text after somebody has edited it.
    assert page["A2"].number_format == page["B2"].number_format == "@"
    assert (page.auto_filter.ref, page.freeze_panes) == ("A1:H2", "A2")
    assert (book.properties.title, book.properties.creator) == ("Festival – Players", "Chicago")


def test_an_empty_list_is_a_file_with_headings() -> None:
    content = workbook_of("x", [Sheet("x", ["a", "b"], [])])
    [page] = load_workbook(io.BytesIO(content)).worksheets
    assert [[cell.value for cell in row] for row in page.rows] == [["a", "b"]]
