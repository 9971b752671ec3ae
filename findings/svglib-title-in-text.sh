#!/usr/bin/env bash
# A <title> or <desc> inside a <text>, which screen readers and tooltips want, and three programs that draw SVG.
#
# Guess:    title and desc are never drawn, wherever they stand: SVG 2 calls them descriptive and "not rendered".
# Behaviour: cairosvg and resvg draw the same ink with and without them. svglib takes the text of every child of
#           a <text> or <tspan> as letters to draw, so "Anna, 47 points" is written over the figure 47. In a <g>
#           around the text it is left out, as it should be.
# What to do: put the title into a group around the text.
# Version:  svglib 2.3.2 (SvgRenderer's convertText), cairosvg 2.9.1, resvg_py 0.5.0; SVG 2, section 5.8.
# Seen:     the lines at the end of this script.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check svglib==2.3.2 cairosvg==2.9.1 resvg_py==0.5.0 pillow
cat > "$work/try.py" <<'PY'
import io

import cairosvg
import resvg_py
from PIL import Image
from reportlab.graphics.shapes import String
from svglib.svglib import svg2rlg

WRITTEN = '<text x="5" y="25" font-size="16">{}47{}</text>'
CASES = {
    "no title": WRITTEN.format("", ""),
    "title in a group": "<g><title>Anna, 47 points</title>" + WRITTEN.format("", "") + "</g>",
    "title in the text": WRITTEN.format("<title>Anna, 47 points</title>", ""),
    "desc in the text": WRITTEN.format("<desc>Anna, 47 points</desc>", ""),
    "title in a tspan": WRITTEN.format("<tspan><title>Anna, 47 points</title>", "</tspan>"),
}


def ink(png):
    """Return the box of all that is dark."""
    dark = Image.open(io.BytesIO(png)).convert("L").point(lambda value: 255 * (value < 128))
    return dark.getbbox()


def letters(shape):
    """Return the texts that a drawing of reportlab has."""
    own = [shape.text] if isinstance(shape, String) else []
    return own + [text for each in getattr(shape, "contents", ()) for text in letters(each)]


drawn = {}
for name, inside in CASES.items():
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40">'
        f'<rect width="200" height="40" fill="#fff"/>{inside}</svg>'
    )
    others = ink(cairosvg.svg2png(bytestring=svg.encode())), ink(resvg_py.svg_to_bytes(svg_string=svg))
    drawn.setdefault("others", others)
    same = "same ink" if others == drawn["others"] else "other ink"
    print(f"{name}: cairosvg and resvg {same}; svglib {letters(svg2rlg(io.BytesIO(svg.encode())))}")
PY
"$work/venv/bin/python" "$work/try.py" 2>/dev/null | tee "$work/seen"
diff "$work/seen" - <<'SEEN'
no title: cairosvg and resvg same ink; svglib ['47']
title in a group: cairosvg and resvg same ink; svglib ['47']
title in the text: cairosvg and resvg same ink; svglib ['Anna, 47 points', '47']
desc in the text: cairosvg and resvg same ink; svglib ['Anna, 47 points', '47']
title in a tspan: cairosvg and resvg same ink; svglib ['Anna, 47 points', '47']
SEEN
