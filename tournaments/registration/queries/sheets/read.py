"""Any file as sheets of typed cells."""

import io
import zipfile

from ....core.errors import Refused
from .book import MAX_BYTES, Book, too_much, unusable
from .ods import read_ods
from .packed import check_parts
from .text import read_text_file
from .xlsx import read_xlsx

#: How files begin that are no text and no spreadsheet of today: old Excel, PDF, rich text.
_OTHERS = {b"\xd0\xcf\x11\xe0": "old_format", b"%PDF": "unreadable", b"{\\rtf": "unreadable"}


def read_file(name: str, content: bytes) -> Book:
    """Return a spreadsheet (.xlsx, .ods) or a text; refused with a code of ``PROBLEMS``."""
    if len(content) > MAX_BYTES:
        raise too_much()
    if content.startswith(b"PK\x03\x04"):
        return _spreadsheet(content)
    for start, code in _OTHERS.items():
        if content.startswith(start):
            raise unusable(code)
    if name.lower().endswith(".xls"):
        raise unusable("old_format")
    if content.lstrip()[:9].lower().startswith((b"<html", b"<!doctype", b"<table", b"<?xml")):
        raise unusable("unreadable")
    return read_text_file(content)


def _spreadsheet(content: bytes) -> Book:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            check_parts(packed)
            if "content.xml" in packed.namelist():
                return read_ods(packed)
            return read_xlsx(packed)
    except Refused:
        raise
    except RecursionError as error:
        raise too_much() from error
    except Exception as error:
        raise unusable("unreadable") from error
