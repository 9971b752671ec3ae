"""Read and view PDFs: what the tests of prints see."""

import io

import pypdf
import pypdfium2
from PIL import Image

from scoring.paper.paper import BOTTOM, LEFT, PAGE_HEIGHT, PAGE_WIDTH, RIGHT, TOP

MM = 72 / 25.4


def reader(pdf):
    """Return the document, for checks of its parts."""
    return pypdf.PdfReader(io.BytesIO(pdf))


def text(pdf, page=None):
    """Return the words of one page, or of all, separated by single spaces."""
    pages = reader(pdf).pages if page is None else [reader(pdf).pages[page]]
    return " ".join(" ".join(each.extract_text() for each in pages).split())


def pictures(pdf, scale=1.0):
    """Return every page as a greyscale picture; ``scale`` 1 is 72 dots per inch."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [
            document[number].render(scale=scale, grayscale=True).to_pil().convert("L")
            for number in range(len(document))
        ]
    finally:
        document.close()


def cut(picture, x, y, width, height):
    """Return part of a page's picture, in mm from the top left corner."""
    dots = picture.width / PAGE_WIDTH
    return picture.crop(tuple(round(v * dots) for v in (x, y, x + width, y + height)))


def ink(picture, darker_than=100):
    """Return the number of dark dots."""
    return sum(picture.histogram()[:darker_than])


def margins_are_clean(picture):
    """Return whether nothing is printed outside the page's frame (allowing one dot of blur)."""
    blur = 0.6
    frame = (LEFT - blur, TOP - blur, RIGHT + blur, BOTTOM + blur)
    dots = picture.width / PAGE_WIDTH
    inside = Image.new("L", picture.size, 255)
    box = tuple(round(v * dots) for v in frame)
    outside = picture.copy()
    outside.paste(inside.crop(box), box)
    assert abs(picture.height / dots - PAGE_HEIGHT) < 1
    return outside.getextrema()[0] > 245


def runs_across(picture, darker_than=70):
    """Return the number of dark stretches in a one-dot-high picture."""
    row = [value < darker_than for value in picture.crop((0, 0, picture.width, 1)).tobytes()]
    return sum(now and not before for before, now in zip([False, *row], row, strict=False))
