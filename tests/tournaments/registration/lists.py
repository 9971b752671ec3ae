"""Players from a pasted list or a file, as the program reads them."""

from __future__ import annotations

from tournaments.registration.queries.player_list import Row, rows_of
from tournaments.registration.queries.sheets.read import read_file
from tournaments.registration.queries.sheets.text import read_text


def rows_from_text(text: str) -> list[Row]:
    return rows_of(read_text(text))


def rows_from_file(name: str, content: bytes) -> list[Row]:
    return rows_of(read_file(name, content))
