"""Structure for screen readers: the PDF's logical tree (ISO 32000-1, 14.7 and 14.8).

The PDF library writes no structure, so this module puts the marks into the page's stream and the
tree into the catalogue. Pure decoration is marked as such.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from .library import Canvas, Element


def _hex(text: str) -> str:
    return "<FEFF" + text.encode("utf-16-be", "replace").hex().upper() + ">"


class Tagger:
    """Marks the content of one canvas and builds its structure tree."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._root = canvas.element()
        self._above = self._root
        self._kids: list[str] = []
        self._page: list[tuple[Element, str]] = []  # marked on this page, with known attributes
        self._pages: list[str] = []
        self._open = False

    @contextmanager
    def group(self, role: str) -> Iterator[None]:
        """Group further elements: ``Document``, ``Sect``, ``Table``, ``TR`` …"""
        above, kids = self._above, self._kids
        element = self._canvas.element()
        kids.append(element.indirect)
        self._above, self._kids = element, []
        try:
            yield
        finally:
            element.body = f"<</S/{role}/P {above.indirect}/K[{' '.join(self._kids)}]>>"
            self._above, self._kids = above, kids

    @contextmanager
    def content(self, role: str, *, alt: str = "", scope: str = "") -> Iterator[None]:
        """Mark the drawings inside as one element: ``H1``, ``P``, ``TD``, ``Figure`` …"""
        if self._open:  # already inside marked content, which cannot be nested
            yield
            return
        element = self._canvas.element()
        self._kids.append(element.indirect)
        number = len(self._page)
        body = f"<</S/{role}/P {self._above.indirect}/K {number}"
        if alt:
            body += f"/Alt{_hex(alt)}"
        if scope:
            body += f"/A<</O/Table/Scope/{scope}>>"
        self._page.append((element, body))
        with self._marked(f"/{role} <</MCID {number}>> BDC"):
            yield

    @contextmanager
    def artifact(self) -> Iterator[None]:
        """Mark the drawings inside as decoration that is not read out."""
        if self._open:
            yield
            return
        with self._marked("/Artifact BMC"):
            yield

    @contextmanager
    def _marked(self, begin: str) -> Iterator[None]:
        self._canvas.emit(begin)
        self._open = True
        try:
            yield
        finally:
            self._open = False
            self._canvas.emit("EMC")

    @contextmanager
    def actual_text(self, text: str) -> Iterator[None]:
        """Give the text of the glyphs inside, where they are not the text itself."""
        self._canvas.emit(f"/Span<</ActualText {_hex(text)}>> BDC")
        try:
            yield
        finally:
            self._canvas.emit("EMC")

    def page_done(self) -> None:
        """Tie the finished page to its marks."""
        number = len(self._pages)
        page = self._canvas.page_marks(number)
        for element, body in self._page:
            element.body = f"{body}/Pg {page}>>"
        self._pages.append(f"{number}[{' '.join(element.indirect for element, _ in self._page)}]")
        self._page = []

    def finish(self) -> None:
        """Write the tree into the document's catalogue."""
        parents = self._canvas.element()
        parents.body = f"<</Nums[{' '.join(self._pages)}]>>"
        self._root.body = (
            f"<</Type/StructTreeRoot/K[{' '.join(self._kids)}]"
            f"/ParentTree {parents.indirect}/ParentTreeNextKey {len(self._pages)}>>"
        )
        self._canvas.catalogue(
            StructTreeRoot=self._root.reference,
            MarkInfo="<</Marked true>>",
            ViewerPreferences="<</DisplayDocTitle true>>",
        )
