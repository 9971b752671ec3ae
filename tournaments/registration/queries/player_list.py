"""Read a list of players from whatever people have: pasted text, a CSV file, a spreadsheet.

Nothing is stored here; ``import_preview`` says what happens to each row.
"""

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import zip_longest
from typing import Any, Self
from unicodedata import category

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy
from openpyxl import load_workbook

from ...core.errors import Refused
from ...models.alphabet import split_name
from ...models.enums import Visibility
from ...models.people import MAX_LETTERS
from ...models.search import plain
from ...models.validators import INVISIBLE_SIGN, validate_visible

MAX_BYTES = 1_000_000
MAX_ROWS = 1_000
_MAX_COLUMNS = 60
#: Blank lines count as well: a sheet may have its only row on line one million.
_MAX_LINES = 10_000
#: More characters than all known columns together can hold.
_MAX_LINE_LENGTH = 5_000
#: A spreadsheet is a zip file: a small one can unpack to far more than any list of players. Memory
#: grows with the number of XML elements (measured: at most 120 MB for this many).
_MAX_UNPACKED = 8_000_000
_MAX_ELEMENTS = 200_000

#: Column headings by field, in plain letters.
HEADS = {
    "legal_name": {"name", "namn", "player", "spelare", "full name", "fullstandigt namn"},
    "given_name": {"first name", "firstname", "first", "fornamn", "given name"},
    "family_name": {"last name", "lastname", "surname", "last", "efternamn", "family name"},
    "display_name": {"nickname", "nick", "smeknamn", "alias", "short name", "visningsnamn"},
    "club": {"club", "klubb", "forening", "team", "lag"},
    "email": {"email", "e-mail", "mail", "e-post", "epost", "mejl"},
    "phone": {"phone", "telephone", "tel", "mobile", "telefon", "mobil", "mobilnummer", "tfn"},
    "part": {"part", "session", "del", "pass", "omgang"},
    "visibility": {"visible", "visibility", "synlig", "synlighet", "name visible"},
}
_VISIBILITIES = {
    Visibility.PUBLIC: {"public", "yes", "ja", "offentlig", "synlig", "namn"},
    Visibility.NICKNAME: {"nickname", "smeknamn", "alias"},
    Visibility.HIDDEN: {"hidden", "no", "nej", "dold", "anonym", "anonymous"},
}
#: The maximum length of each field.
_LENGTHS = dict.fromkeys(("legal_name", "given_name", "family_name"), MAX_LETTERS) | {
    "display_name": 60,
    "club": 80,
    "email": 254,
    "phone": 40,
    "part": 20,
}

#: What is wrong with a whole list; stored by code, as another reader may have another language.
PROBLEMS = {
    "line_too_long": gettext_lazy("Line %(line)s is far too long."),
    "no_columns": gettext_lazy("This list cannot be read as columns."),
    "not_read": gettext_lazy("This file could not be read. Paste its rows instead."),
    "nothing_there": gettext_lazy("This list has no names."),
    "old_format": gettext_lazy("This spreadsheet has an old format. Save it as .xlsx or .csv."),
    "too_long": gettext_lazy("A line of this list is far too long: one player per line."),
    "too_much": gettext_lazy(
        "This is too much for a list of players: at most %(rows)s rows and 1 MB."
    ),
    "unknown_encoding": gettext_lazy("This file's characters cannot be read. Save it as UTF-8."),
    "unreadable": gettext_lazy("This file cannot be read as a spreadsheet."),
}


#: What is wrong with one row, or was left out of it; stored by code, too.
NOTES = {
    "too_many_columns": gettext_lazy("This row has more than %(columns)s columns."),
    "unknown_visibility": gettext_lazy("“%(text)s” does not say how the name may be shown."),
    "no_name": gettext_lazy("This row has no name."),
    "field_too_long": gettext_lazy("“%(text)s…” is too long."),
    "no_nickname": gettext_lazy("Only the nickname is to be shown, but there is none."),
    "invisible_sign": INVISIBLE_SIGN,
    "not_taken": gettext_lazy("Not taken: %(text)s."),
    "no_part": gettext_lazy("There is no part “%(text)s” with places: any part."),
    "no_mail": gettext_lazy("No mail can be sent to “%(text)s”: kept as a note."),
}


@dataclass(frozen=True)
class Note:
    """A code of ``NOTES`` with its parameters; as text, the sentence in the reader's language."""

    code: str
    params: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return str(NOTES[self.code]) % self.params


@dataclass(frozen=True)
class Row:
    """One row: its line in the source (from 1), its fields, and why it cannot be read."""

    line: int
    legal_name: str = ""
    display_name: str = ""
    club: str = ""
    email: str = ""
    phone: str = ""
    visibility: str = Visibility.PUBLIC.value
    problem: Note | None = None
    given_name: str = ""
    family_name: str = ""
    note: str = ""
    #: The name of a part of a day, as it was written.
    part: str = ""
    #: What was left out or changed.
    hints: tuple[Note, ...] = ()

    def fields(self) -> dict[str, str]:
        """Return the fields of the player."""
        left_out = {"line", "problem", "hints"}
        return {key: value for key, value in asdict(self).items() if key not in left_out}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what ``asdict`` made."""
        problem, hints = data["problem"], data["hints"]
        return cls(
            **{
                **data,
                "problem": Note(**problem) if problem else None,
                "hints": tuple(Note(**each) for each in hints),
            }
        )


def rows_from_text(text: str) -> list[Row]:
    """Return the rows of pasted text.

    One name per line, or columns split by tab, semicolon or comma.
    """
    if len(text) > MAX_BYTES:
        raise too_much()
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").strip("\n")
    split = lines.split("\n")
    if max(map(len, split)) > _MAX_LINE_LENGTH:
        raise unusable("too_long")
    delimiter = next((sign for sign in "\t;," if sign in split[0]), None)
    if delimiter is None:
        # Names only; a comma in a later line belongs to the name ("Ek, Anna").
        return _rows([line] for line in split)
    try:
        return _rows(csv.reader(io.StringIO(lines), delimiter=delimiter))
    except csv.Error as error:
        raise unusable("no_columns") from error


def rows_from_file(name: str, content: bytes) -> list[Row]:
    """Return the rows of a file: a spreadsheet (.xlsx) or text in any common encoding.

    Refused with a code of ``PROBLEMS``.
    """
    if len(content) > MAX_BYTES:
        raise too_much()
    if is_spreadsheet(content):
        return _rows(_lines_of_spreadsheet(content))
    if content.startswith(b"\xd0\xcf\x11\xe0") or name.lower().endswith(".xls"):
        raise unusable("old_format")
    return rows_from_text(_decoded(content))


def is_spreadsheet(content: bytes) -> bool:
    """Return whether a file is a zip archive, as spreadsheets are."""
    return content.startswith(b"PK\x03\x04")


def unusable(code: str, **params: object) -> Refused:
    """Return the refusal of a whole list, for a code of ``PROBLEMS``."""
    return Refused(code, PROBLEMS[code], **params)


def too_much() -> Refused:
    return unusable("too_much", rows=MAX_ROWS)


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    else:
        # Excel's encoding on a Swedish computer comes last, as it decodes nearly anything.
        encodings = ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise unusable("unknown_encoding")


def _lines_of_spreadsheet(content: bytes) -> Iterator[list[str]]:
    """Yield the lines of the sheet that was active when the file was saved."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            _check_parts(packed)
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheet = book.active
        # Otherwise the sheet's own claim about its size is believed, and filled up with blank
        # cells.
        sheet.reset_dimensions()
        for row in sheet.iter_rows(max_row=_MAX_LINES + 1, values_only=True):
            line = ["" if cell is None else str(cell) for cell in row[:_MAX_COLUMNS]]
            # A row may be 16,384 cells wide: one cell more stands for all that were cut off.
            beyond = row[_MAX_COLUMNS:]
            yield [*line, "…"] if beyond.count(None) < len(beyond) else line
    except Refused:
        raise
    except Exception as error:
        raise unusable("unreadable") from error


def _check_parts(packed: zipfile.ZipFile) -> None:
    """Refuse an archive that would cost more memory or time than a list of players should."""
    if sum(part.file_size for part in packed.infolist()) > _MAX_UNPACKED:
        raise too_much()
    elements = 0
    for part in packed.infolist():
        text = packed.read(part)
        elements += text.count(b"<")
        # Entity declarations can blow up when expanded. (NUL: UTF-16.)
        if elements > _MAX_ELEMENTS or b"<!DOCTYPE" in text.replace(b"\0", b""):
            raise too_much()


def _rows(source: Iterable[Sequence[str]]) -> list[Row]:
    """Return a row for each line that is not blank; read no further than the limits allow."""
    lines: list[tuple[int, list[str]]] = []
    for number, cells in enumerate(source, start=1):
        if number > _MAX_LINES:
            raise too_much()
        line = list(cells)
        while line and not line[-1]:
            line.pop()
        if sum(map(len, line)) > _MAX_LINE_LENGTH:
            raise unusable("line_too_long", line=number)
        if any(_one_line(cell) for cell in line):
            lines.append((number, line[: _MAX_COLUMNS + 1]))
        if len(lines) > MAX_ROWS + 1:
            raise too_much()
    if not lines:
        raise unusable("nothing_there")
    heads = _heads(lines[0][1])
    if heads is not None:
        lines = lines[1:]
        if not lines:
            raise unusable("nothing_there")
    else:
        heads = ["legal_name", "club", "email", "phone"]
    if len(lines) > MAX_ROWS:
        raise too_much()
    return [_row(number, line, heads) for number, line in lines]


def _heads(line: Sequence[str]) -> list[str] | None:
    """Return the field of each column, or None if the line is not a heading."""
    known = {word: field for field, words in HEADS.items() for word in words}
    found = [known.get(plain(_one_line(cell)), "") for cell in line]
    if {"legal_name", "given_name", "family_name"} & set(found):
        return found
    return None


def _row(number: int, line: Sequence[str], heads: Sequence[str]) -> Row:
    values: dict[str, str] = {}
    beyond = []
    for head, cell in zip_longest(heads[: len(line)], line, fillvalue=""):
        if head and head not in values:
            values[head] = _one_line(cell)
        elif cell := _one_line(cell):
            beyond.append(cell)
    if len(line) > _MAX_COLUMNS:
        note = Note("too_many_columns", {"columns": _MAX_COLUMNS})
        return Row(number, (values.get("legal_name") or _one_line(line[0]))[:40], problem=note)
    hints = [Note("not_taken", {"text": ", ".join(beyond)[:80]})] if beyond else []
    if not (values.get("given_name") or values.get("family_name")):
        guess = split_name(values.get("legal_name", ""))
        values["given_name"], values["family_name"] = guess
    parts = (values.get("given_name", ""), values.get("family_name", ""))
    values["legal_name"] = " ".join(filter(None, parts))
    shown = values.pop("visibility", "")
    problem = None
    for visibility, words in _VISIBILITIES.items():
        if plain(shown) in words or shown == visibility.value:
            values["visibility"] = visibility.value
            break
    else:
        if shown:
            problem = Note("unknown_visibility", {"text": shown[:40]})
    values["email"], values["note"], no_mail = mail_or_note(values.get("email", ""))
    if no_mail:
        hints.append(no_mail)
    return Row(
        number,
        **{k: v[: _LENGTHS.get(k, 254)] for k, v in values.items()},
        problem=(problem or _problem(values)),
        hints=tuple(hints),
    )


def mail_or_note(email: str, note: str = "") -> tuple[str, str, Note | None]:
    """Return the address, the staff's note, and whether an unusable address was put into the note.

    A player with such an address is imported nevertheless.
    """
    try:
        if email:
            validate_email(email)
    except ValidationError:
        kept = "\n".join(filter(None, (note, email[:254])))
        return "", kept, Note("no_mail", {"text": email[:60]})
    return email, note, None


def _problem(values: dict[str, Any]) -> Note | None:
    """Return what is wrong with the fields, or None."""
    if not any(sign.isalpha() for sign in values["legal_name"]):
        return Note("no_name")
    for name, most in _LENGTHS.items():
        if len(values.get(name, "")) > most:
            return Note("field_too_long", {"text": values[name][:30]})
    if values.get("visibility") == Visibility.NICKNAME and not values.get("display_name"):
        return Note("no_nickname")
    for text in values.values():
        try:
            validate_visible(text)
        except ValidationError as error:
            return Note(str(error.code), error.params or {})
    return None


def _one_line(cell: str) -> str:
    """Return a cell on one line, without control characters."""
    return " ".join("".join(" " if category(sign) == "Cc" else sign for sign in cell).split())
