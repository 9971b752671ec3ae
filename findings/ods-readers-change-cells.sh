#!/usr/bin/env bash
# One valid .ods of players as LibreOffice writes it, read by the usual readers.
#
# Guess:    readers differ in types (dates, amounts), but the texts and the number of rows are the same
#           everywhere: a repeated cell or row is so many cells or rows, a line break within a name
#           (Ctrl+Enter) is a sign between two words, a comment is not the cell.
# Behaviour: tablib takes each repeated cell and row once (what stands to the right moves into the wrong
#           column), the comment instead of the name, of a text only what stands before its first break
#           or tab ("Anna<break>Ek" is "Anna"), and all sheets run together; "11,66", which a Swedish
#           LibreOffice shows beside office:value="11.66", raises ValueError for the whole file.
#           python-calamine counts right and drops breaks and tabs without a trace ("AnnaEk"), though
#           two paragraphs keep their break. pyexcel-ods3 has texts and repeats right, and an amount as
#           the text "250 SEK".
# What to do: read content.xml cell by cell: office:value, the repeats within bounds, text:line-break,
#           text:tab and text:s as blanks, nothing below office:annotation.
# Version:  tablib 3.10.0 (formats/_ods.py) on odfpy 1.4.1, pyexcel-ods3 0.6.1, python-calamine 0.9.1.
# Source:   OpenDocument 1.3 part 3, 6.1.5 (line breaks), 19.675, 19.679 (repeats), 19.385 (values).
# Seen:     the lines at the end of this script.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check \
    'tablib[ods]==3.10.0' odfpy==1.4.1 pyexcel-ods3==0.6.1 python-calamine==0.9.1
cd "$work"
"$work/venv/bin/python" - > "$work/seen" <<'PY'
import zipfile

import pyexcel_ods3
from python_calamine import CalamineWorkbook
from tablib import Dataset

NAMES = " ".join(
    f'xmlns:{each}="urn:oasis:names:tc:opendocument:xmlns:{each}:1.0"'
    for each in ("office", "table", "text")
)


def save(name, *sheets):
    tables = "".join(f'<table:table table:name="{n}">{rows}</table:table>' for n, rows in sheets)
    with zipfile.ZipFile(name, "w") as packed:
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        packed.writestr(
            "META-INF/manifest.xml",
            '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" '
            'manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type='
            '"application/vnd.oasis.opendocument.spreadsheet"/><manifest:file-entry '
            'manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>',
        )
        packed.writestr(
            "content.xml",
            f'<office:document-content {NAMES} office:version="1.3"><office:body>'
            f"<office:spreadsheet>{tables}</office:spreadsheet></office:body>"
            "</office:document-content>",
        )


def row(*cells, more=""):
    return f"<table:table-row{more}>{''.join(cells)}</table:table-row>"


def text(shown, more=""):
    return (
        f'<table:table-cell office:value-type="string"{more}><text:p>{shown}</text:p>'
        "</table:table-cell>"
    )


note = (
    '<table:table-cell office:value-type="string"><office:annotation><text:p>Vegan</text:p>'
    "</office:annotation><text:p>Bo Ek</text:p></table:table-cell>"
)
amount = (
    '<table:table-cell office:value-type="currency" office:currency="SEK" office:value="250">'
    "<text:p>250,00 kr</text:p></table:table-cell>"
)
number = (
    '<table:table-cell office:value-type="float" office:value="11.66"><text:p>11,66</text:p>'
    "</table:table-cell>"
)
rows = (
    row(note, text("Nord", ' table:number-columns-repeated="2"'), text("A"))
    + row(text("Anna<text:line-break/>Ek"), text("Syd</text:p><text:p>Väst"), text("a<text:tab/>b"))
    + row(text("Guest"), text("–"), text("–"), more=' table:number-rows-repeated="3"')
)
save("a.ods", ("Anmälda", rows), ("Gamla", row(text("Cia Ek"), text("Öst"), text("B"))))
save("amount.ods", ("A", row(text("Bo Ek"), amount)))
save("comma.ods", ("A", row(text("Bo Ek"), number)))


def by_tablib(name):
    with open(name, "rb") as content:
        return list(Dataset().load(content, format="ods", headers=False))


for line in by_tablib("a.ods"):
    print("tablib  ", line)
try:
    by_tablib("comma.ods")
except ValueError as error:
    print("tablib  ", error)
for line in pyexcel_ods3.get_data("a.ods")["Anmälda"]:
    print("pyexcel ", line)
print("pyexcel ", pyexcel_ods3.get_data("amount.ods")["A"])
for line in CalamineWorkbook.from_path("a.ods").get_sheet_by_name("Anmälda").to_python():
    print("calamine", line)
PY
cat "$work/seen"
diff - "$work/seen" <<'EXPECTED'
tablib   ('Vegan', 'Nord', 'A')
tablib   ('Anna', 'Syd', 'a')
tablib   ('Guest', '–', '–')
tablib   ('Cia Ek', 'Öst', 'B')
tablib   could not convert string to float: '11,66'
pyexcel  ['Bo Ek', 'Nord', 'Nord', 'A']
pyexcel  ['Anna\nEk', 'Syd\nVäst', 'a\tb']
pyexcel  ['Guest', '–', '–']
pyexcel  ['Guest', '–', '–']
pyexcel  ['Guest', '–', '–']
pyexcel  [['Bo Ek', '250 SEK']]
calamine ['Bo Ek', 'Nord', 'Nord', 'A']
calamine ['AnnaEk', 'Syd\nVäst', 'ab', '']
calamine ['Guest', '–', '–', '']
calamine ['Guest', '–', '–', '']
calamine ['Guest', '–', '–', '']
EXPECTED
