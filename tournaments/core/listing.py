"""Tables as CSV and XLSX files that are safe to open."""

import re
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from django.http import Http404, HttpResponse
from django.utils import timezone
from django.utils.formats import get_format
from django.utils.text import slugify
from django_tables2 import Table
from tablib import Dataset

from engine.messages import MINUS, points_text

from ..models import Event, Series

#: Content types by file extension.
FORMATS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
# What a spreadsheet would run as a formula, even after whitespace; some take the wide signs, too.
_FORMULA = re.compile(r"^\s*[=+\-@\t\r\n|%＝＋－＠]")
# Control characters that XML, and so XLSX, does not allow.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def safe_cell(value: Any) -> Any:
    """Return the cell, quoted if a spreadsheet would run it as a formula.

    Numbers and days stay what they are; moments become local times, to the minute.

    >>> safe_cell("=1+1"), safe_cell("Anna"), safe_cell(-5)
    ("'=1+1", 'Anna', -5)
    """
    if value is None:
        return ""
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, datetime):
        return timezone.localtime(value).replace(second=0, microsecond=0, tzinfo=None)
    if isinstance(value, date):
        return value
    text = _CONTROL.sub("", str(value))
    return f"'{text}" if _FORMULA.match(text) else text


def _as_text(cell: Any, comma: bool) -> Any:
    if isinstance(cell, datetime):
        return f"{cell:%Y-%m-%d %H:%M}"
    return str(cell).replace(".", ",") if comma and isinstance(cell, float) else cell


def cut(points: Fraction) -> int | float:
    """Return the points as a number, cut off after two decimals as they are shown.

    >>> cut(Fraction(140, 3)), cut(Fraction(52))
    (46.66, 52)
    """
    text = points_text(points).replace(MINUS, "-")
    return float(text) if "." in text else int(text)


def dataset(title: str, table: Table) -> Dataset:
    """Return what the table says, safe to open."""
    headers, *rows = ([safe_cell(cell) for cell in row] for row in table.as_values())
    return Dataset(*rows, headers=headers, title=title[:31])


def file_name(of: Event | Series, label: str, ending: str) -> str:
    """Return the name of a file of an event or a series.

    ``label`` says in the reader's language what it is.

    >>> file_name(Event(slug="fest"), "Ställning", "pdf")
    'fest-stallning.pdf'
    """
    return f"{of.slug[:45]}-{slugify(label)[:50]}.{ending}"


def export(fmt: str, of: Event | Series, label: str, table: Table) -> HttpResponse:
    """Return the table as a download, or 404 for an unknown format.

    A CSV opens directly in the reader's spreadsheet: in languages with a decimal comma (Swedish)
    the separator is a semicolon.
    """
    if fmt not in FORMATS:
        raise Http404
    data = dataset(f"{of.slug}-{slugify(label)}", table)
    content: Any
    if fmt == "csv":
        comma = get_format("DECIMAL_SEPARATOR") == ","
        rows = [[_as_text(cell, comma) for cell in row] for row in data]
        text = Dataset(*rows, headers=data.headers).export("csv", delimiter=";" if comma else ",")
        # The byte order mark tells Excel that the file is UTF-8.
        content = "\ufeff" + text
    else:
        content = data.export(fmt)
    response = HttpResponse(content, content_type=FORMATS[fmt])
    response["Content-Disposition"] = f'attachment; filename="{file_name(of, label, fmt)}"'
    return response
