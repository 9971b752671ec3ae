"""docs/formats/lists.md says of each program's files what the program does with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tournaments.registration.samples import SAMPLES
from tournaments.registration.queries.offers import OFFERS
from tournaments.registration.queries.player_list import NAME_ASKED, PlayerList, list_of
from tournaments.registration.queries.sheets.book import Book
from tournaments.registration.queries.sheets.read import read_file

PAGE = Path(__file__).parents[3] / "docs" / "formats" / "lists.md"
_TAKEN = {
    "legal_name": "name", "display_name": "nickname", "club": "club", "email": "e-mail",
    "phone": "telephone", "part": "part",
}  # fmt: skip


def table() -> dict[tuple[str, str], tuple[str, str, str]]:
    """Return the page's rows: what is read, what is not, and what is asked."""
    lines = PAGE.read_text(encoding="utf-8").partition("## By program")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in lines.splitlines() if line.startswith("|")]
    return {(row[0], row[1]): (row[2], row[3], row[4]) for row in rows[2:]}


def read_of(found: PlayerList) -> str:
    rows = [row for row in found.rows if not row.problem]
    fields = [word for name, word in _TAKEN.items() if any(getattr(row, name) for row in rows)]
    if len({row.visibility for row in found.rows}) > 1:
        fields.append("visible")
    return ", ".join(fields)


def not_read_of(book: Book, found: PlayerList) -> str:
    others = [f"sheet {s.name}" for n, s in enumerate(book.sheets) if n != found.found.sheet]
    nobody = [
        row.legal_name or "?"
        for row in found.rows
        if row.problem and row.problem.code == "no_person"
    ]
    return ", ".join([*others, *found.columns, *(f"row {name}" for name in nobody)]) or "–"


def asked_of(book: Book, found: PlayerList) -> str:
    asked = [name for name in OFFERS if any(getattr(row, name) for row in found.rows)]
    if any(row.hidden for row in found.rows):
        asked.append("hidden rows")
    if any(row.problem and row.problem.code in NAME_ASKED for row in found.rows):
        asked.append("a lost name")
    if book.encoding:
        asked.append(f"letters ({book.encoding})")
    return ", ".join(asked) or "–"


def test_the_page_has_a_row_for_each_sample() -> None:
    assert list(table()) == list(SAMPLES)


@pytest.mark.parametrize("which", SAMPLES)
def test_each_row_is_what_becomes_of_its_sample(which: tuple[str, str]) -> None:
    name, content = SAMPLES[which]
    book = read_file(name, content())
    found = list_of(book)
    assert table()[which] == (read_of(found), not_read_of(book, found), asked_of(book, found))
