"""Spreadsheets made by hand as other programs write them, from rows of typed cells."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape, quoteattr

_USUAL = {
    "main": "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    "links": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
}
_STRICT = {
    "main": "http://purl.oclc.org/ooxml/spreadsheetml/main",
    "links": "http://purl.oclc.org/ooxml/officeDocument/relationships",
}
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def zipped(parts: Mapping[str, str]) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        for name, text in parts.items():
            target.writestr(name, text)
    return packed.getvalue()


def xlsx_of(
    sheets: Mapping[str, Sequence[Sequence[Any]]],
    *,
    hidden_rows: Sequence[int] = (),
    hidden_sheets: Sequence[str] = (),
    strict: bool = False,
    chart_first: bool = False,
) -> bytes:
    """Return an .xlsx as Excel writes it, plain or "Strict Open XML"; ``str`` cells are inline."""
    names = _STRICT if strict else _USUAL
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
        + "".join(
            f'<Override PartName="/xl/worksheets/sheet{n}.xml" '
            f'ContentType="{_TYPES}.worksheet+xml"/>'
            for n in range(1, len(sheets) + 1)
        )
        + '<Override PartName="/xl/chartsheets/sheet1.xml" '
        f'ContentType="{_TYPES}.chartsheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{names["links"]}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    }
    tabs, links = [], []
    if chart_first:
        tabs.append('<sheet name="Diagram" sheetId="90" r:id="rId90"/>')
        links.append(
            f'<Relationship Id="rId90" Type="{names["links"]}/chartsheet" '
            'Target="chartsheets/sheet1.xml"/>'
        )
        drawing = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
        parts["xl/drawings/drawing1.xml"] = f'<wsDr xmlns="{drawing}"/>'
        parts["xl/chartsheets/_rels/sheet1.xml.rels"] = (
            f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
            f'Type="{_USUAL["links"]}/drawing" Target="../drawings/drawing1.xml"/></Relationships>'
        )
        parts["xl/chartsheets/sheet1.xml"] = (
            f'<chartsheet xmlns="{names["main"]}"><sheetViews><sheetView workbookViewId="0"/>'
            "</sheetViews></chartsheet>"
        )
    for n, (name, rows) in enumerate(sheets.items(), 1):
        state = ' state="hidden"' if name in hidden_sheets else ""
        tabs.append(f'<sheet name={quoteattr(name)} sheetId="{n}"{state} r:id="rId{n}"/>')
        links.append(
            f'<Relationship Id="rId{n}" Type="{names["links"]}/worksheet" '
            f'Target="worksheets/sheet{n}.xml"/>'
        )
        lines = []
        for number, row in enumerate(rows, 1):
            hidden = ' hidden="1"' if number in hidden_rows and n == 1 else ""
            cells = "".join(_xlsx_cell(cell, at, number) for at, cell in enumerate(row))
            lines.append(f'<row r="{number}"{hidden}>{cells}</row>')
        parts[f"xl/worksheets/sheet{n}.xml"] = (
            f'<worksheet xmlns="{names["main"]}"><sheetData>{"".join(lines)}</sheetData>'
            "</worksheet>"
        )
    mark = ' conformance="strict"' if strict else ""
    parts["xl/workbook.xml"] = (
        f'<workbook xmlns="{names["main"]}" xmlns:r="{names["links"]}"{mark}>'
        '<bookViews><workbookView activeTab="0"/></bookViews>'
        f"<sheets>{''.join(tabs)}</sheets></workbook>"
    )
    parts["xl/_rels/workbook.xml.rels"] = (
        f'<Relationships xmlns="{_PACKAGE}/relationships">{"".join(links)}</Relationships>'
    )
    return zipped(parts)


def _xlsx_cell(cell: Any, at: int, row: int) -> str:
    where = f"{chr(65 + at)}{row}"
    if isinstance(cell, bool):
        return f'<c r="{where}" t="b"><v>{int(cell)}</v></c>'
    if isinstance(cell, int | float):
        return f'<c r="{where}"><v>{cell!r}</v></c>'
    if not cell:
        return ""
    return f'<c r="{where}" t="inlineStr"><is><t xml:space="preserve">{escape(cell)}</t></is></c>'


def ods_of(sheets: Mapping[str, str], *, hidden_sheets: Sequence[str] = ()) -> bytes:
    """Return an .ods as LibreOffice writes it; the rows of each sheet are of :func:`ods_row`."""
    names = " ".join(
        f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0"'
        for short in ("office", "table", "text", "style")
    )
    tables = "".join(
        f"<table:table table:name={quoteattr(name)} "
        f'table:style-name="{"ta2" if name in hidden_sheets else "ta1"}">{rows}</table:table>'
        for name, rows in sheets.items()
    )
    styles = "".join(
        f'<style:style style:name="ta{n}" style:family="table">'
        f'<style:table-properties table:display="{shown}"/></style:style>'
        for n, shown in ((1, "true"), (2, "false"))
    )
    content = (
        f"<office:document-content {names}><office:automatic-styles>{styles}"
        "</office:automatic-styles><office:body><office:spreadsheet>"
        f"{tables}</office:spreadsheet></office:body></office:document-content>"
    )
    return zipped(
        {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": content}
    )


def ods_row(*cells: Any, repeated: int = 1, visibility: str = "visible") -> str:
    """Return a row; a cell may be XML already (it begins with ``<``)."""
    return (
        f'<table:table-row table:number-rows-repeated="{repeated}" '
        f'table:visibility="{visibility}">{"".join(map(_ods_cell, cells))}</table:table-row>'
    )


def _ods_cell(cell: Any) -> str:
    if isinstance(cell, bool):
        told = str(cell).lower()
        return f'<table:table-cell office:value-type="boolean" office:boolean-value="{told}"/>'
    if isinstance(cell, int | float):
        # What it shows has the reader's comma, its value a point.
        shown = str(cell).replace(".", ",")
        return (
            f'<table:table-cell office:value-type="float" office:value="{cell}">'
            f"<text:p>{shown}</text:p></table:table-cell>"
        )
    if cell.startswith("<"):
        return str(cell)
    if not cell:
        return "<table:table-cell/>"
    return (
        '<table:table-cell office:value-type="string">'
        f"<text:p>{escape(cell)}</text:p></table:table-cell>"
    )
