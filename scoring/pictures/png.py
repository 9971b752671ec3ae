"""Draw a picture as a PNG file, for programs that show no SVG."""

import io
import tempfile
from functools import cache
from pathlib import Path

import pymupdf_fonts  # type: ignore[import-untyped]  # has no types
import resvg_py
from PIL import Image

from .shapes import Picture
from .svg import svg

#: The faces that texts are measured with, and what has the letters that these lack.
_FACES = ("figo", "figbo", "notos", "notosbo")
FAMILY = "FiraGO"
#: Flat colours and the edges of letters.
_COLOURS = 64
#: From here on letters are Chinese, Japanese or Korean: of the machine's own fonts, if it has any.
_WIDE = "\u2e80"


@cache
def _faces() -> tempfile.TemporaryDirectory[str]:
    """Write the faces to files once per process: the renderer reads nothing else."""
    folder = tempfile.TemporaryDirectory(prefix="chicago-fonts-")
    for code in _FACES:
        Path(folder.name, f"{code}.ttf").write_bytes(pymupdf_fonts.myfont(code))
    return folder


def source_of(picture: Picture, ground: str) -> str:
    """Return the SVG of which a PNG is made: equal ones give equal files on one machine."""
    return str(svg(picture, name="share", alone=True, ground=ground, family=FAMILY))


def png(source: str) -> bytes:
    """Return a drawn SVG as PNG, at its own size."""
    drawn = resvg_py.svg_to_bytes(
        svg_string=source,
        font_dirs=[_faces().name],
        font_family=FAMILY,
        skip_system_fonts=max(source) < _WIDE,
    )
    with Image.open(io.BytesIO(drawn)) as image:
        small = image.convert("RGB").quantize(_COLOURS, Image.Quantize.FASTOCTREE)
    content = io.BytesIO()
    small.save(content, "PNG")
    return content.getvalue()
