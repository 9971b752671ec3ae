#!/usr/bin/env bash
# Valid .xlsx files as Excel saves them, "Strict Open XML" too, read with openpyxl.
#
# Guess:    what Excel offers as a format openpyxl reads or refuses; its escapes (_x000D_ for a carriage
#           return, _x005F_ for the low line before one) are taken back all together, or not at all.
# Behaviour: of a Strict workbook load_workbook gives a workbook without any sheet, with a warning but no
#           error: the list is empty until somebody takes the first sheet. _x000D_ stays in the texts. Of
#           shared strings, as Excel writes them, the signs "x005F_" are cut out wherever they stand: the
#           escaped "_x005F_x000D_" comes out as "_x000D_", which can no longer be told from a carriage
#           return, and the plain text "Box005F_1" as "Bo1". The same texts inline keep everything.
#           python-calamine reads all of it as Excel does.
# What to do: put the usual namespaces in place of the strict ones in every part before reading; decode
#           _xHHHH_ afterwards, and know that a text which really says _x000D_ is lost.
# Version:  openpyxl 3.1.5, reader/workbook.py, cell/text.py; python-calamine 0.9.1.
# Source:   ECMA-376 part 1: 22.9.2.19 (ST_Xstring); annex on the strict namespaces.
# Seen:     the lines at the end of this script.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check openpyxl==3.1.5 python-calamine==0.9.1
cd "$work"
"$work/venv/bin/python" - > "$work/seen" <<'PY'
import zipfile

import warnings

from openpyxl import load_workbook
from python_calamine import CalamineWorkbook

PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
USUAL = ("http://schemas.openxmlformats.org/spreadsheetml/2006/main",
         "http://schemas.openxmlformats.org/officeDocument/2006/relationships")
STRICT = ("http://purl.oclc.org/ooxml/spreadsheetml/main",
          "http://purl.oclc.org/ooxml/officeDocument/relationships")


def save(name, main, links, *texts):
    mark = ' conformance="strict"' if "purl" in main else ""
    rows = "".join(
        f'<row r="{n}"><c r="A{n}" t="s"><v>{n - 1}</v></c>'
        f'<c r="B{n}" t="inlineStr"><is><t>{text}</t></is></c></row>'
        for n, text in enumerate(texts, 1)
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default '
        'Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" '
        f'ContentType="{TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" '
        f'ContentType="{TYPES}.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" '
        f'ContentType="{TYPES}.sharedStrings+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{links}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship '
        f'Id="rId1" Type="{links}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" '
        f'Type="{links}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
        "xl/sharedStrings.xml": f'<sst xmlns="{main}">'
        + "".join(f"<si><t>{text}</t></si>" for text in texts) + "</sst>",
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{links}"{mark}><sheets>'
        '<sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData>'
        "</worksheet>",
    }
    with zipfile.ZipFile(name, "w") as packed:
        for part, content in parts.items():
            packed.writestr(part, content)


warnings.simplefilter("ignore")
TEXTS = ("Klubb_x000D_", "_x005F_x000D_", "Box005F_1")
for name, names in (("usual", USUAL), ("strict", STRICT)):
    save(f"{name}.xlsx", *names, *TEXTS)
    book = load_workbook(f"{name}.xlsx")
    print(f"{name:6} openpyxl", [list(sheet.values) for sheet in book.worksheets])
    sheets = CalamineWorkbook.from_path(f"{name}.xlsx")
    rows = sheets.get_sheet_by_index(0).to_python()
    print(f"{name:6} calamine", [[tuple(row) for row in rows]])
PY
cat "$work/seen"
diff - "$work/seen" <<'EXPECTED'
usual  openpyxl [[('Klubb_x000D_', 'Klubb_x000D_'), ('_x000D_', '_x005F_x000D_'), ('Bo1', 'Box005F_1')]]
usual  calamine [[('Klubb\r', 'Klubb\r'), ('_x000D_', '_x000D_'), ('Box005F_1', 'Box005F_1')]]
strict openpyxl []
strict calamine [[('Klubb\r', 'Klubb\r'), ('_x000D_', '_x000D_'), ('Box005F_1', 'Box005F_1')]]
EXPECTED
