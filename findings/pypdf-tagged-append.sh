#!/usr/bin/env bash
# Two tagged PDFs (PDF/UA-1, for screen readers), put together with pypdf.
#
# Guess:    joined pages are what they were: reading order, headings and language stay. At worst all of it
#           goes, and a checker says that the file is not tagged.
# Behaviour: PdfWriter().append() takes pages without the structure tree, the language and the mark "tagged": it
#           all goes, without a word. A writer that begins as a copy of the first file (clone_from) and appends
#           the second keeps the first one's catalogue: the file says "/Marked true" and names PDF/UA, but
#           none of the second file's text is in the tree, so a screen reader passes over those pages.
# What to do: draw both into one document, or say nothing of tags in what was joined.
# Version:  pypdf 7.1.1, PdfWriter.append; files made by weasyprint 70.0; ISO 32000-1, sections 14.7 and 14.8.
# Seen:     the lines at the end of this script.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check pypdf==7.1.1 weasyprint==70.0
cat > "$work/try.py" <<'PY'
import io

from pypdf import PdfReader, PdfWriter
from weasyprint import HTML


def made(title):
    page = f'<html lang="sv"><title>{title}</title><h1>{title}</h1><p>Anna 47, Bo 31</p></html>'
    return io.BytesIO(HTML(string=page).write_pdf(pdf_variant="pdf/ua-1"))


def kept(file):
    root = PdfReader(file).root_object
    names = ("/StructTreeRoot", "/MarkInfo", "/Lang", "/Metadata")
    tagged = [page.get("/StructParents") is not None for page in PdfReader(file).pages]
    return f"{[name for name in names if name in root]}, pages in the tree {tagged}"


def saved(writer):
    file = io.BytesIO()
    writer.write(file)
    return file


first, second = made("Heat 1"), made("Heat 2")
print("one file:", kept(first))
joined = PdfWriter()
joined.append(first)
joined.append(second)
print("append, append:", kept(saved(joined)))
begun = PdfWriter(clone_from=first)
begun.append(second)
print("clone_from, append:", kept(saved(begun)))
PY
"$work/venv/bin/python" "$work/try.py" 2>/dev/null | tee "$work/seen"
diff "$work/seen" - <<'SEEN'
one file: ['/StructTreeRoot', '/MarkInfo', '/Lang', '/Metadata'], pages in the tree [True]
append, append: [], pages in the tree [False, False]
clone_from, append: ['/StructTreeRoot', '/MarkInfo', '/Lang', '/Metadata'], pages in the tree [True, False]
SEEN
