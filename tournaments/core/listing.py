"""Tables as CSV and XLSX files that a spreadsheet opens without changing or running anything."""

import csv
import io
from collections.abc import Callable
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.formats import get_format
from django.utils.text import slugify
from django_tables2 import Table

from engine.messages import MINUS, points_text

from ..models import Event, Series
from .guards import guarded, without_control
from .page_cache import etag_of
from .workbook import Sheet, workbook_of

#: Content types by file extension.
FORMATS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def cell_of(value: Any) -> Any:
    """Return what a file holds of a table's cell: a number, a truth value, a day, or text.

    Moments become local times, to the minute.

    >>> cell_of("=1+1"), cell_of(-5), cell_of(None)
    ('=1+1', -5, '')
    """
    if value is None:
        return ""
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, datetime):
        return timezone.localtime(value).replace(second=0, microsecond=0, tzinfo=None)
    if isinstance(value, date):
        return value
    return without_control(str(value))


def _in_csv(cell: Any, comma: bool) -> str:
    if isinstance(cell, str):
        return guarded(cell)
    if isinstance(cell, datetime):
        return f"{cell:%Y-%m-%d %H:%M}"
    text = str(cell)
    return text.replace(".", ",") if comma and isinstance(cell, float) else text


def cut(points: Fraction) -> int | float:
    """Return the points as a number, cut off after two decimals as they are shown.

    >>> cut(Fraction(140, 3)), cut(Fraction(52))
    (46.66, 52)
    """
    text = points_text(points).replace(MINUS, "-")
    return float(text) if "." in text else int(text)


def sheet_of(title: str, table: Table) -> Sheet:
    """Return what the table says."""
    headers, *rows = ([cell_of(cell) for cell in row] for row in table.as_values())
    return Sheet(title, headers, rows)


def file_name(of: Event | Series, label: str, ending: str) -> str:
    """Return the name of a file of an event or a series.

    ``label`` says in the reader's language what it is.

    >>> file_name(Event(slug="fest"), "Ställning", "pdf")
    'fest-stallning.pdf'
    """
    return f"{of.slug[:45]}-{slugify(label)[:50]}.{ending}"


def export(
    request: HttpRequest, fmt: str, of: Event | Series, label: str, table: Table
) -> HttpResponse:
    """Return the table as a download with an ETag, or 404 for an unknown format.

    A CSV opens directly in the reader's spreadsheet: in languages with a decimal comma (Swedish)
    the separator is a semicolon.
    """
    return send(request, fmt, of, label, lambda: sheet_of(label, table))


def send(
    request: HttpRequest, fmt: str, of: Event | Series, label: str, made: Callable[[], Sheet]
) -> HttpResponse:
    """Return a sheet as a download, made only for a known format; see :func:`export`."""
    if fmt not in FORMATS:
        raise Http404
    sheet = made()
    comma = get_format("DECIMAL_SEPARATOR") == ","
    # Of what it says: two spreadsheets of the same rows differ in when they were made.
    told = repr((fmt, comma, str(of), sheet)).encode()
    etag = etag_of(told)
    response = get_conditional_response(request, etag=etag)
    if response is None:
        content = csv_of(sheet, comma) if fmt == "csv" else workbook_of(f"{of} – {label}", [sheet])
        response = download(content, fmt, file_name(of, label, fmt))
        response["ETag"] = etag
    return response


def download(content: bytes, fmt: str, name: str) -> HttpResponse:
    """Return a file of a known format to be kept under a name."""
    response = HttpResponse(content, content_type=FORMATS[fmt])
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def csv_of(sheet: Sheet, comma: bool) -> bytes:
    """Return the file for a spreadsheet that has a decimal comma, or a point."""
    text = io.StringIO()
    rows = csv.writer(text, delimiter=";" if comma else ",")
    for row in (sheet.headers, *sheet.rows):
        rows.writerow([_in_csv(cell, comma) for cell in row])
    # The byte order mark tells Excel that the file is UTF-8.
    return ("\ufeff" + text.getvalue()).encode()
