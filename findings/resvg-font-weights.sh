#!/usr/bin/env bash
# Font weights between the hundreds, such as 650, in an SVG that resvg draws.
#
# Guess:    any weight from 1 to 1000 is one (CSS Fonts 4), and the face that is nearest above is taken: 650 is bold
#           in a family that has 600 and 700.
# Behaviour: only whole hundreds, bold and bolder count. Every other figure is dropped without a word, and the text has
#           the weight that it inherits: the regular face, or inside a bold group the bold one. In a style it is the same.
# What to do: write the hundred that is meant; a test that looks at a picture's ink sees the difference.
# Version:  resvg_py 0.5.0 (usvg's reading of font-weight), Source Sans Pro of font-source-sans-pro 0.0.1;
#           CSS Fonts 4, section 2.2.
# Seen:     the lines at the end of this script.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check \
    resvg_py==0.5.0 font-source-sans-pro==0.0.1 pillow==13.0.0
cat > "$work/try.py" <<'PY'
import io
import sys
from pathlib import Path

import resvg_py
from PIL import Image

FACES = {400: "Regular", 600: "Semibold", 700: "Bold", 900: "Black"}
fonts = [str(path) for face in FACES.values() for path in Path(sys.argv[1]).rglob(f"SourceSansPro-{face}.ttf")]


def ink(text, inherited="normal"):
    """Return how much is dark."""
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40"><rect width="200" height="40" fill="#fff"/>'
        f'<g font-family="Source Sans Pro" font-size="20" font-weight="{inherited}"><text x="5" y="25" {text}>'
        "Chicago 47</text></g></svg>"
    )
    png = resvg_py.svg_to_bytes(svg_string=svg, font_files=fonts, skip_system_fonts=True)
    return sum(255 - value for value in Image.open(io.BytesIO(bytes(png))).convert("L").tobytes())


faces = {ink(f'font-weight="{weight}"'): face for weight, face in FACES.items()}
assert len(faces) == len(FACES)
for weight in (500, 550, 600, 650, 700, 750, 900, 950, "bold"):
    attribute, style = ink(f'font-weight="{weight}"'), ink(f'style="font-weight: {weight}"')
    print(f"{weight}: {faces[attribute]}; in a style {faces[style]}; in a bold group", faces[ink(f'font-weight="{weight}"', "bold")])
PY
"$work/venv/bin/python" "$work/try.py" "$work/venv/lib" | tee "$work/seen"
diff "$work/seen" - <<'SEEN'
500: Regular; in a style Regular; in a bold group Regular
550: Regular; in a style Regular; in a bold group Bold
600: Semibold; in a style Semibold; in a bold group Semibold
650: Regular; in a style Regular; in a bold group Bold
700: Bold; in a style Bold; in a bold group Bold
750: Regular; in a style Regular; in a bold group Bold
900: Black; in a style Black; in a bold group Black
950: Regular; in a style Regular; in a bold group Bold
bold: Bold; in a style Bold; in a bold group Bold
SEEN
