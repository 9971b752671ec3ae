"""Undocumented behaviour of reportlab that the prints rely on: a new version must keep it."""

import io

import _rl_accel
import pytest
from reportlab.lib import rl_accel
from reportlab.pdfbase import pdfmetrics

from scoring.paper import fonts
from scoring.paper.library import Canvas
from tests.scoring.paper import eyes


@pytest.fixture
def page():
    """A canvas in memory: draw, then request the document."""
    fonts.fonts()
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(200, 100), pageCompression=1, invariant=1)

    def done():
        canvas.showPage()
        canvas.save()
        return file.getvalue()

    canvas.done = done
    return canvas


def write(canvas, text, face=fonts.REGULAR):
    canvas.show(10, 10, 9, fonts.line(text, face).runs)


def test_the_accelerator_is_in_use():
    assert rl_accel.fp_str is _rl_accel.fp_str


def test_streams_are_not_ascii_encoded(page):
    write(page, "Anna")
    assert b"ASCII85Decode" not in page.done()


def test_text_can_be_extracted_from_any_font_subset(page):
    write(page, "Åsa Łukasz ♥")
    assert eyes.text(page.done()) == "Åsa Łukasz ♥"


def test_a_font_is_subset_once_for_all_documents(page):
    face = fonts.fonts()[fonts.BOLD].face
    write(page, "Anna", fonts.BOLD)
    page.done()
    cuts = dict(face.cuts)
    other = Canvas(io.BytesIO(), pagesize=(200, 100), invariant=1)
    write(other, "Örjan Ek 52", fonts.BOLD)
    other.showPage()
    other.save()
    assert face.cuts == cuts


def test_widths_in_the_file_match_the_font(page):
    write(page, "Anna")
    resources = eyes.reader(page.done()).pages[0]["/Resources"]["/Font"]
    (regular,) = (
        font
        for font in resources.values()
        if font.get_object()["/BaseFont"].endswith("FiraGO-Regular")
    )
    codes = regular["/ToUnicode"].get_data().decode()
    code = next(line.split()[0] for line in codes.splitlines() if line.endswith("<0041>"))
    width = regular["/Widths"][int(code.strip("<>"), 16)]
    assert width == pytest.approx(pdfmetrics.stringWidth("A", fonts.REGULAR, 1000), rel=1e-3)


def test_a_form_is_in_the_file_once(page):
    drawn = []

    def line():
        drawn.append(1)
        page.emit("0 0 m 5 5 l S")

    for at in range(4):
        page.stamp(at, 0, ("test stamp", line), ("test stamp", line), step=3)
    pdf = page.done()
    assert pdf.count(b"/Subtype/Form") == 1
    assert len(drawn) <= 1  # None if it was drawn for an earlier document.


def test_delayed_drawing_ends_up_where_it_was_requested(page):
    name = page.later()
    page.showPage()
    with page.form(name):
        write(page, "page 1 of 2")
    pages = eyes.reader(page.done()).pages
    assert pages[0].extract_text().strip() == "page 1 of 2"


def test_graphics_state_is_set_once_and_again_on_each_page(page):
    for _ in range(2):
        for _ in range(3):
            page.need(w="0.5")
            page.emit("0 0 m 5 5 l S")
        page.showPage()
    write(page, "end")
    contents = [each.get_contents().get_data() for each in eyes.reader(page.done()).pages]
    assert [content.count(b"0.5 w") for content in contents] == [1, 1, 0]
