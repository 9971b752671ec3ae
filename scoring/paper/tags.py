"""Structure for screen readers: the PDF's logical tree (ISO 32000-1, 14.7 and 14.8).

The PDF library writes no structure of its own, so the marks are put into the page's stream and
the tree into the catalogue here. What is only decoration is marked as such.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reportlab.pdfbase.pdfdoc import (
    PDFArray,
    PDFDictionary,
    PDFName,
    PDFObjectReference,
    PDFString,
)
from reportlab.pdfgen.canvas import Canvas


def _hex(text: str) -> str:
    return "<FEFF" + text.encode("utf-16-be", "replace").hex().upper() + ">"


class Tagger:
    """Marks the content of one canvas and builds its structure tree."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._pages: list[list[Any]] = [[]]
        self._root = PDFDictionary({"Type": PDFName("StructTreeRoot")})
        self._root_ref = canvas._doc.Reference(self._root)
        self._kids: list[list[Any]] = [[]]
        self._parents: list[Any] = [self._root_ref]
        self._open = False

    def _element(self, role: str, alt: str, scope: str) -> tuple[PDFDictionary, Any]:
        entries: dict[str, Any] = {
            "Type": PDFName("StructElem"),
            "S": PDFName(role),
            "P": self._parents[-1],
        }
        if alt:
            entries["Alt"] = PDFString(alt)
        if scope:
            entries["A"] = PDFDictionary({"O": PDFName("Table"), "Scope": PDFName(scope)})
        element = PDFDictionary(entries)
        reference = self._canvas._doc.Reference(element)
        self._kids[-1].append(reference)
        return element, reference

    @contextmanager
    def group(self, role: str) -> Iterator[None]:
        """Hold further elements: ``Document``, ``Sect``, ``Table``, ``TR`` …"""
        element, reference = self._element(role, "", "")
        self._parents.append(reference)
        self._kids.append([])
        try:
            yield
        finally:
            self._parents.pop()
            element.dict["K"] = PDFArray(self._kids.pop())

    @contextmanager
    def content(self, role: str, *, alt: str = "", scope: str = "") -> Iterator[None]:
        """Mark what is drawn inside as one element: ``H1``, ``P``, ``TD``, ``Figure`` …"""
        if self._open:  # already inside marked content, which cannot be nested
            yield
            return
        element, reference = self._element(role, alt, scope)
        page = self._pages[-1]
        number = len(page)
        element.dict["K"] = number
        element.dict["Pg"] = PDFObjectReference(self._canvas._doc.thisPageName())
        page.append(reference)
        with self._marked(f"/{role} <</MCID {number}>> BDC"):
            yield

    @contextmanager
    def artifact(self) -> Iterator[None]:
        """Mark what is drawn inside as decoration that is not read out."""
        if self._open:
            yield
            return
        with self._marked("/Artifact BMC"):
            yield

    @contextmanager
    def _marked(self, begin: str) -> Iterator[None]:
        self._canvas._code.append(begin)
        self._open = True
        try:
            yield
        finally:
            self._open = False
            self._canvas._code.append("EMC")

    @contextmanager
    def actual_text(self, text: str) -> Iterator[None]:
        """Say what the glyphs inside stand for, where they are not the text itself."""
        self._canvas._code.append(f"/Span <</ActualText {_hex(text)}>> BDC")
        try:
            yield
        finally:
            self._canvas._code.append("EMC")

    def page_done(self) -> None:
        """Tie the page just closed to its marks."""
        page = self._canvas._doc.Pages.pages[-1]
        # The library's page dictionary has no place for these two keys; each page may have its own.
        page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
        page.StructParents = len(self._pages) - 1
        page.Tabs = PDFName("S")
        self._pages.append([])

    def finish(self) -> None:
        """Write the tree into the document's catalogue."""
        numbers: list[Any] = []
        for index, marks in enumerate(self._pages[:-1]):
            numbers += [index, PDFArray(marks)]
        self._root.dict["K"] = PDFArray(self._kids[0])
        self._root.dict["ParentTree"] = self._canvas._doc.Reference(
            PDFDictionary({"Nums": PDFArray(numbers)})
        )
        self._root.dict["ParentTreeNextKey"] = len(self._pages) - 1
        catalog = self._canvas._doc.Catalog
        catalog.StructTreeRoot = self._root
        catalog.MarkInfo = PDFDictionary({"Marked": "true"})
        catalog.ViewerPreferences = PDFDictionary({"DisplayDocTitle": "true"})
