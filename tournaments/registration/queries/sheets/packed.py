"""Spreadsheets are zip archives of XML: opened only if that costs no more than a list should."""

import zipfile
from collections.abc import Iterator
from typing import IO
from xml.etree import ElementTree

from .book import too_much

#: A small archive can unpack to far more than any list of players. Memory grows with the number of
#: XML elements (measured: at most 120 MB for this many).
_MAX_UNPACKED = 8_000_000
_MAX_ELEMENTS = 200_000


def check_parts(packed: zipfile.ZipFile) -> None:
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


def elements(part: IO[bytes], tag: str) -> Iterator[ElementTree.Element]:
    """Yield a checked part's elements of a tag, each with all that it holds."""
    for _event, element in ElementTree.iterparse(part):
        if element.tag == tag:
            yield element
            element.clear()
