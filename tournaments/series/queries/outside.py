"""Read typed results from elsewhere: a place, a name, and points where they are known."""

import re
from dataclasses import dataclass
from fractions import Fraction
from unicodedata import normalize

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from ...models.people import MAX_LETTERS
from ...models.validators import validate_visible

#: Lines of one list, and digits of one number.
MAX_LINES, MAX_DIGITS = 2000, 6
_SEPARATOR = re.compile(r"[;\t]")
_NUMBER = re.compile(rf"\d{{1,{MAX_DIGITS}}}(?:/\d{{1,3}}|[.,]\d{{1,3}})?")


@dataclass(frozen=True)
class Typed:
    """A line of a list; ``points`` is an exact text, empty if the place decides."""

    place: int
    name: str
    points: str


def number(text: str) -> Fraction:
    """Return typed points: "25", "17,5" or "35/2"; ``ValueError`` for anything else."""
    text = text.strip()
    if not _NUMBER.fullmatch(text) or text.endswith(("/0", "/00", "/000")):
        raise ValueError(text)
    return Fraction(text.replace(",", "."))


def read_outside(text: str) -> list[Typed]:
    """Return the lines "place; name; points"; a refusal names the first line that is wrong."""
    rows = enumerate(text.removeprefix("\ufeff").splitlines(), 1)
    lines = [(index, line) for index, line in rows if _SEPARATOR.sub("", line).strip()]
    if len(lines) > MAX_LINES:
        raise ValidationError(_("At most %(most)s lines.") % {"most": MAX_LINES})
    found: list[Typed] = []
    names: set[str] = set()
    for index, line in lines:
        try:
            typed = _line(line)
            if typed.name in names:
                raise ValueError
        except (ValueError, ValidationError):
            raise ValidationError(
                _(
                    "Line %(number)s: give place, name and perhaps points, as in"
                    " “1; Anna Berg; 25”, and each name once."
                )
                % {"number": index}
            ) from None
        names.add(typed.name)
        found.append(typed)
    return found


def _line(line: str) -> Typed:
    place, name, *rest = (part.strip() for part in _SEPARATOR.split(line))
    if not (place.isascii() and place.isdigit() and 0 < len(place) <= MAX_DIGITS and int(place)):
        raise ValueError(place)
    name = " ".join(normalize("NFC", name).split())
    validate_visible(name)
    # A spreadsheet ends its rows with empty cells.
    if not name or len(name) > MAX_LETTERS or any(rest[1:]):
        raise ValueError(name)
    return Typed(int(place), name, str(number(rest[0])) if rest and rest[0] else "")
