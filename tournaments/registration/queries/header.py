"""Find the list in a spreadsheet: its sheet, and the row with the headings."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...models.search import plain
from .programs import ADDRESSES, program_of
from .sheets.book import Book, Cell, Line, Sheet, unusable

#: Headings are looked for down to this row.
MAX_HEADER = 10
#: Column headings by field, in plain letters.
HEADS = {
    "legal_name": {"name", "namn", "player", "player name", "playername", "spelare", "full name"}
    | {"fullname", "fullstandigt namn", "deltagare", "participant", "attendee name"},
    "given_name": {"first name", "firstname", "first", "fornamn", "given name", "tilltalsnamn"},
    "family_name": {"last name", "lastname", "surname", "last", "efternamn", "family name"},
    "display_name": {"nickname", "nick", "smeknamn", "alias", "short name", "visningsnamn"},
    "club": {"club", "klubb", "forening", "team", "lag", "institution", "klubb/forening"},
    "email": {"email", "e-mail", "mail", "e-post", "epost", "mejl", "e-mail address"}
    | {"email address", "e-postadress", "epostadress", "mejladress", "mailadress"},
    "phone": {"phone", "telephone", "tel", "mobile", "telefon", "mobil", "mobilnummer", "tfn"}
    | {"phone number", "telefonnummer", "mobiltelefon", "tel."},
    "part": {"part", "session", "del", "pass", "omgang"},
    "visibility": {"visible", "visibility", "synlig", "synlighet", "name visible"},
    "number": {"№", "no", "no.", "nr", "nr.", "number", "nummer", "startnummer", "#"}
    | {"player's number", "spelarens nummer"},
    "paid": {"paid", "betalt", "betald", "betalning", "payment", "payment status", "har betalt"}
    | {"erlagt", "avgift betald", "fee paid"},
    "means": {"paid by", "payment method", "payment type", "payment provider", "betalsatt"}
    | {"betalningssatt", "betalt med", "means of payment"},
    "seed": {"seed", "seeding", "seedning"},
    "table": {"table", "table number", "table no.", "bord", "bordsnummer", "fast bord"},
}  # fmt: skip
_NAMES = ("legal_name", "given_name", "family_name")
#: The columns of a list without headings.
_PLAIN_COLUMNS = ("legal_name", "club", "email", "phone")
_BREAKS = re.compile(r"\s+")


@dataclass(frozen=True)
class Found:
    """Where the list is: the sheet (from 0) and the number of the row of headings (0: none)."""

    sheet: int
    header: int


def field_of(cell: Cell) -> str:
    """Return the field that a heading names, or nothing.

    >>> field_of("Förnamn:"), field_of("Klubb "), field_of("T-shirt")
    ('given_name', 'club', '')
    """
    head = _heading(cell)
    return next((field for field, words in HEADS.items() if head in words), "")


def _heading(cell: Cell) -> str:
    return plain(_BREAKS.sub(" ", cell)).strip(" :*") if isinstance(cell, str) else ""


def find(book: Book, *, sheet: int | None = None, header: int | None = None) -> Found:
    """Return where the list is; what is given is taken, the rest guessed.

    The first sheet with headings that has names below them, else the first one with anything;
    hidden sheets come last.
    """
    order = sorted(range(len(book.sheets)), key=lambda number: book.sheets[number].hidden)
    filled = [number for number in order if book.sheets[number].lines]
    if not filled:
        raise unusable("nothing_there")
    if sheet is None or sheet not in filled:
        headed = [number for number in filled if _has_list(book.sheets[number])]
        sheet = (headed or filled)[0]
        if len(filled) > 1 and not headed:
            header = None
    if header is None:
        header = _header_of(book.sheets[sheet])
    return Found(sheet, header)


def _has_list(sheet: Sheet) -> bool:
    header = _header_of(sheet)
    return bool(header) and sheet.lines[-1].number > header


def _header_of(sheet: Sheet) -> int:
    """Return the number of the row with most known headings, or 0 if there are none."""
    best, found = 0, 0
    for line in sheet.lines:
        if line.number > MAX_HEADER:
            break
        known = set(filter(None, map(field_of, line.cells)))
        if len(known) > best and known.intersection(_NAMES):
            best, found = len(known), line.number
    return found


def columns(sheet: Sheet, header: int) -> tuple[Sequence[str], dict[int, str], str]:
    """Return the field of each column, the headings of those that are not read, and the program
    that has written the list, if its headings tell."""
    line = next((line for line in sheet.lines if line.number == header), None)
    if line is None:
        return _plain_columns(sheet), {}, ""
    fields = [field_of(cell) for cell in line.cells]
    headings = [_heading(cell) for cell in line.cells]
    program = program_of(headings)
    if program is not None:
        named = [
            program.columns.get(head) or known for head, known in zip(headings, fields, strict=True)
        ]
        fields = ["" if each in ADDRESSES else each for each in named]
    if not set(fields).intersection(_NAMES):
        # Headings in another language: the first column without a meaning is the name.
        fields[next((n for n, field in enumerate(fields) if not field), 0)] = "legal_name"
    unknown = {}
    for number, (field, cell) in enumerate(zip(fields, line.cells, strict=True)):
        if field and field in fields[:number]:
            fields[number] = field = ""
        if not field and str(cell).strip():
            unknown[number] = _BREAKS.sub(" ", str(cell)).strip()[:60]
    return fields, unknown, program.name if program is not None else ""


def _plain_columns(sheet: Sheet) -> Sequence[str]:
    """Return the fields without headings: addresses are seen, wherever they stand."""
    fields = list(_PLAIN_COLUMNS)
    seen = [n for line in sheet.lines for n, cell in enumerate(line.cells[:4]) if "@" in str(cell)]
    if seen and (at := max(set(seen), key=seen.count)):
        fields.remove("email")
        fields.insert(at, "email")
    return fields


def below(sheet: Sheet, header: int) -> list[Line]:
    """Return the lines below the headings; without headings, those after a title."""
    if header:
        return [line for line in sheet.lines if line.number > header]
    lines = list(sheet.lines)
    widths = [sum(cell != "" for cell in line.cells) for line in lines]
    while len(lines) > 2 and widths[0] == 1 and min(widths[1:3]) > 1:
        del lines[0], widths[0]
    return lines
