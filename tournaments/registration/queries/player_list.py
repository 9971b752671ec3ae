"""Make players of a list's lines: what each cell means.

Nothing is stored here; ``import_preview`` says what happens to each row.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from typing import Any, Self
from unicodedata import category, name, normalize

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy

from ...core.guards import unguarded
from ...models.alphabet import split_name
from ...models.enums import Visibility
from ...models.people import MAX_LETTERS
from ...models.search import plain
from ...models.validators import INVISIBLE_SIGN, validate_visible
from .header import Found, below, columns, field_of, find
from .offers import NUMBER, OFFERS, PAID, SEED, TABLE, means_of, paid_of
from .sheets.book import MAX_COLUMNS, MAX_ROWS, Book, Cell, Line, too_much, unusable

_YES = frozenset({"yes", "y", "ja", "j", "true", "sant", "x", "1", "✓", "✔", "☑"})
_NO = frozenset({"no", "n", "nej", "false", "falskt", "0", "-", "☐"})
_VISIBILITIES = {
    Visibility.PUBLIC: {"public", "offentlig", "synlig", "namn", *_YES},
    Visibility.NICKNAME: {"nickname", "smeknamn", "alias"},
    Visibility.HIDDEN: {"hidden", "dold", "anonym", "anonymous", *_NO},
}
#: First words of lines that are no people: sums and the like.
_SUMS = frozenset({"sum", "summa", "total", "totalt", "antal", "antal anmalda", "count"})
#: A day, a time or a year stands in no name.
_NO_NAME = re.compile(r"\d{4}|\d+[-/.:]\d+")
#: A number as a spreadsheet shows it where the column is narrow.
_SCIENTIFIC = re.compile(r"(\d)[.,]?(\d*)E\+?(\d{1,2})", re.IGNORECASE)
#: "Anna (Ankan) Ek", 'Anna "Ankan" Ek'.
_NICKNAME = re.compile(r"\s*(?:\(([^()]+)\)|[\"“”„«»]([^\"“”„«»]+)[\"“”„«»])\s*")
#: The maximum length of each field.
_LENGTHS = dict.fromkeys(("legal_name", "given_name", "family_name"), MAX_LETTERS) | {
    "display_name": 60,
    "club": 80,
    "email": 254,
    "phone": 40,
    "part": 20,
}

#: What is wrong with one row, or was left out of it; stored by code.
NOTES = {
    "too_many_columns": gettext_lazy("This row has more than %(columns)s columns."),
    "unknown_visibility": gettext_lazy("“%(text)s” does not say how the name may be shown."),
    "no_name": gettext_lazy("This row has no name."),
    "no_person": gettext_lazy("This row is no person: a sum, a date or headings."),
    "truth_value": gettext_lazy(
        "The spreadsheet has made a truth value of this name. Type the name here."
    ),
    "day": gettext_lazy("The spreadsheet has made a day of this name. Type the name here."),
    "field_too_long": gettext_lazy("“%(text)s…” is too long."),
    "no_nickname": gettext_lazy("Only the nickname is to be shown, but there is none."),
    "invisible_sign": INVISIBLE_SIGN,
    "not_taken": gettext_lazy("Not taken: %(text)s."),
    "no_part": gettext_lazy("No part with places is called “%(text)s”: any part will do."),
    "no_mail": gettext_lazy("No mail can be sent to “%(text)s”: kept as a note."),
    "nickname": gettext_lazy("Taken as the nickname: %(text)s."),
    "paid": gettext_lazy("Paid: %(text)s."),
    "paid_unclear": gettext_lazy("“%(text)s” does not say whether a start is paid."),
    "table": gettext_lazy("Table %(text)s."),
    "no_table": gettext_lazy("No table has the number “%(text)s”: not taken."),
    "seed": gettext_lazy("Seed %(text)s."),
    "digits_lost": gettext_lazy("Digits of the telephone number are lost: %(text)s."),
}
#: Problems that a name typed by the user solves.
NAME_ASKED = frozenset({"truth_value", "day"})


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
    #: Hidden or filtered in the spreadsheet.
    hidden: bool = False
    #: The player's number in the list, if it has one, and more that is taken only on request.
    number: int | None = None
    paid: str = ""
    table: int | None = None
    seed: int | None = None

    def fields(self) -> dict[str, str]:
        """Return the fields of the player."""
        left_out = {"line", "problem", "hints", "hidden", *OFFERS}
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


@dataclass(frozen=True)
class PlayerList:
    """The rows of a list, where they were found, and what was not read.

    ``columns``: headings that have no meaning here. ``program``: whose export it is.
    """

    rows: list[Row]
    found: Found
    columns: list[str]
    program: str = ""


def list_of(book: Book, *, sheet: int | None = None, header: int | None = None) -> PlayerList:
    """Return the players of a list; sheet and row of headings are guessed unless given."""
    found = find(book, sheet=sheet, header=header)
    chosen = book.sheets[found.sheet]
    lines = below(chosen, found.header)
    if not lines:
        raise unusable("nothing_there")
    if chosen.cut or len(lines) > MAX_ROWS:
        raise too_much()
    fields, unknown, program = columns(chosen, found.header)
    rows = [_row(line, fields, unknown) for line in lines]
    return PlayerList(rows, found, list(unknown.values()), program)


def rows_of(book: Book) -> list[Row]:
    """Return the rows of a list as it is guessed."""
    return list_of(book).rows


def named(row: Row, typed: str) -> Row:
    """Return the row with a name that the user has typed."""
    values: dict[str, Any] = {"legal_name": as_text(typed)[: MAX_LETTERS + 1]}
    hints = _read_names(values)
    merged = {**row.fields(), **values}
    return replace(row, **values, problem=_problem(merged), hints=(*row.hints, *hints))


def _row(line: Line, fields: Sequence[str], unknown: Mapping[int, str]) -> Row:
    cells: dict[str, Cell] = {}
    beyond = []
    for number, cell in enumerate(line.cells):
        head = fields[number] if number < len(fields) else ""
        if head:
            cells[head] = cell
        elif number not in unknown and (text := as_text(cell)):
            beyond.append(text)
    if len(line.cells) > MAX_COLUMNS:
        shown = as_text(cells.get("legal_name", "")) or as_text(line.cells[0])
        note = Note("too_many_columns", {"columns": MAX_COLUMNS})
        return Row(line.number, shown[:40], problem=note, hidden=line.hidden)
    hints = [Note("not_taken", {"text": ", ".join(beyond)[:80]})] if beyond else []
    values = {head: as_text(cell) for head, cell in cells.items() if head in _LENGTHS}
    hints += _read_phone(values, cells.get("phone", ""))
    hints += _read_names(values)
    problem = _no_name(values, cells, line)
    shown, unclear = visibility_of(cells.get("visibility", ""))
    if shown:
        values["visibility"] = shown
    more, told = _more(cells)
    hints += told
    values["email"], values["note"], no_mail = mail_or_note(values.get("email", ""))
    if no_mail:
        hints.append(no_mail)
    kept: dict[str, Any] = {k: v[: _LENGTHS.get(k, 254)] for k, v in values.items()}
    return Row(
        line.number,
        **kept,
        problem=problem or unclear or _problem(values),
        hints=tuple(hints),
        hidden=line.hidden,
        **more,
    )


def _more(cells: Mapping[str, Cell]) -> tuple[dict[str, Any], list[Note]]:
    """Return what a row offers besides, and what to say of it."""
    found: dict[str, Any] = {name: whole(cells.get(name, "")) for name in (NUMBER, TABLE, SEED)}
    texts = {name: as_text(cells.get(name, "")) for name in (PAID, "means", TABLE, SEED)}
    hints = []
    paid = paid_of(
        cells.get(PAID, ""),
        yes_or_no(cells.get(PAID, "")),
        texts[PAID],
        means_of(texts["means"]),
    )
    if PAID not in cells:
        # Some lists only have the means, for those who have paid.
        paid = means_of(texts["means"])
    found[PAID] = paid or ""
    if paid is None:
        hints.append(Note("paid_unclear", {"text": texts[PAID][:40]}))
    elif paid:
        hints.append(Note("paid", {"text": (texts["means"] or texts[PAID])[:40]}))
    if texts[TABLE]:
        code = "table" if found[TABLE] else "no_table"
        hints.append(Note(code, {"text": texts[TABLE][:40]}))
    if found[SEED]:
        hints.append(Note("seed", {"text": found[SEED]}))
    return found, hints


def as_text(cell: Cell) -> str:
    """Return a cell on one line, each letter as one sign, without what nobody sees.

    >>> as_text(46701234567.0), as_text("Klubb\\r\\nNord"), as_text(11.66)
    ('46701234567', 'Klubb Nord', '11.66')
    """
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if not isinstance(cell, str):
        return str(cell)
    signs = (" " if category(sign) == "Cc" else sign for sign in cell if category(sign) != "Cf")
    return " ".join(unguarded(normalize("NFC", "".join(signs)).strip()).split())


def yes_or_no(cell: Cell) -> bool | None:
    """Return what a cell of a column of that kind says, or None if it is neither.

    >>> yes_or_no(True), yes_or_no("Sant"), yes_or_no("FALSKT"), yes_or_no("kanske")
    (True, True, False, None)
    """
    if isinstance(cell, bool):
        return cell
    word = plain(as_text(cell))
    return True if word in _YES else False if word in _NO else None


def whole(cell: Cell) -> int | None:
    """Return a number from 1 on, such as a player's or a table's, or None.

    >>> whole(12.0), whole("7."), whole("10-12"), whole(True)
    (12, 7, None, None)
    """
    text = "" if isinstance(cell, bool | date) else as_text(cell).rstrip(".")
    return int(text) or None if text.isascii() and text.isdigit() and len(text) < 7 else None


def visibility_of(cell: Cell) -> tuple[str, Note | None]:
    """Return how a name may be shown, or what is wrong with the cell."""
    text = as_text(cell)
    for visibility, words in _VISIBILITIES.items():
        if plain(text) in words or text == visibility.value:
            return visibility.value, None
    return "", Note("unknown_visibility", {"text": text[:40]}) if text else None


def _read_phone(values: dict[str, str], cell: Cell) -> list[Note]:
    """Write out a number that the spreadsheet had shortened."""
    found = _SCIENTIFIC.fullmatch(values.get("phone", ""))
    if found is None:
        return []
    digits, exponent = found[2], int(found[3])
    if len(digits) < min(exponent, 7):
        lost = values["phone"]
        values["phone"] = ""
        return [Note("digits_lost", {"text": lost})]
    values["phone"] = (found[1] + digits).ljust(exponent + 1, "0")
    return []


def _read_names(values: dict[str, str]) -> list[Note]:
    """Split a whole name, and take a nickname out of it."""
    hints = []
    if not values.get("display_name"):
        for part in ("legal_name", "given_name", "family_name"):
            found = _NICKNAME.search(values.get(part, ""))
            if found and _is_latin(nickname := (found[1] or found[2]).strip()):
                values[part] = " ".join(_NICKNAME.sub(" ", values[part], count=1).split())
                values["display_name"] = nickname
                hints.append(Note("nickname", {"text": nickname[:60]}))
                break
    if not (values.get("given_name") or values.get("family_name")):
        values["given_name"], values["family_name"] = split_name(values.get("legal_name", ""))
    parts = (values.get("given_name", ""), values.get("family_name", ""))
    values["legal_name"] = " ".join(filter(None, parts))
    return hints


def _is_latin(text: str) -> bool:
    """Return whether a text in brackets is a nickname, not the name in another writing."""
    letters = [sign for sign in text if sign.isalpha()]
    return bool(letters) and all(name(sign, "").startswith("LATIN") for sign in letters)


def _no_name(values: Mapping[str, str], cells: Mapping[str, Cell], line: Line) -> Note | None:
    """Return why a line is nobody, as far as its cells' kinds and words tell."""
    names = [cells.get(part, "") for part in ("legal_name", "given_name", "family_name")]
    if any(isinstance(cell, bool) for cell in names):
        return Note("truth_value")
    if any(isinstance(cell, date) for cell in names):
        return Note("day")
    first = next((cell for cell in line.cells if cell != ""), "")
    label = plain(values["legal_name"]).rstrip(" :") or plain(as_text(first)).rstrip(" :")
    is_sum = label in _SUMS or label.partition(":")[0].strip() in _SUMS
    heads = [field_of(cell) for cell in line.cells]
    if is_sum or _NO_NAME.search(values["legal_name"]) or len(set(filter(None, heads))) > 1:
        return Note("no_person")
    return None


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
    for name_of, most in _LENGTHS.items():
        if len(values.get(name_of, "")) > most:
            return Note("field_too_long", {"text": values[name_of][:30]})
    if values.get("visibility") == Visibility.NICKNAME and not values.get("display_name"):
        return Note("no_nickname")
    for text in values.values():
        try:
            validate_visible(text)
        except ValidationError as error:
            return Note(str(error.code), error.params or {})
    return None
