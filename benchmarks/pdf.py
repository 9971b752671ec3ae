"""How fast a heat's protocol is printed, compared with bare reportlab: ``make bench-pdf``.

A bare canvas draws as many lines and strings as the protocol has (each stroke of a tally is a
line), without measuring text, without structure for screen readers, without a QR code. It runs once
with the standard PDF fonts and once, as the protocol must, with three embedded ones. Each figure is
the least processor time of several alternating rounds, so the ratios hold on a busy machine, too;
what a second worker adds is elapsed time, which needs two idle cores.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from io import BytesIO

import django
import pymupdf_fonts
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

LINES, STRINGS = 552, 204
ROUNDS, MANY, JOBS = 15, 40, 8
EMBEDDED = {"Bare": "figo", "Bare-Bold": "figbo", "Bare-Italic": "figit"}


def bare(fonts: list[str], pages: int = 1) -> bytes:
    """Draw pages full of lines and strings in these fonts."""
    file = BytesIO()
    canvas = Canvas(file, pagesize=(595, 842), pageCompression=1, invariant=1)
    for _ in range(pages):
        for at in range(LINES):
            canvas.line(40 + at % 500, 100 + at, 44 + at % 500, 120 + at)
        for at in range(STRINGS):
            canvas.setFont(fonts[at % len(fonts)], 9)
            canvas.drawString(40 + at % 300, 80 + 3 * at, "Anna Bergström")
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def measured(works: dict[str, Callable[[], bytes]], rounds: int) -> dict[str, tuple[float, int]]:
    """Return each job's least processor time in ms and its size in bytes."""
    found: dict[str, tuple[float, int]] = {}
    for _ in range(rounds):
        for name, work in works.items():
            begun = time.process_time()
            size = len(work())
            spent = (time.process_time() - begun) * 1000
            found[name] = min(found.get(name, (spent, size)), (spent, size))
    return found


def start() -> None:
    """Load Django, in each process."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()


def job(_number: int) -> int:
    """Print many protocols in one file, as a worker does."""
    from scoring import paper
    from tests.scoring.paper import factory

    return len(paper.render_many([factory.heat()] * MANY, language="sv"))


def jobs_per_second(workers: int) -> float:
    """Return how many such jobs these workers do in a second, once they have loaded the fonts."""
    with ProcessPoolExecutor(workers, initializer=start) as pool:
        list(pool.map(job, range(2 * workers)))
        begun = time.perf_counter()
        list(pool.map(job, range(JOBS)))
        return JOBS / (time.perf_counter() - begun)


def main() -> None:
    """Print the table."""
    start()
    from scoring import paper
    from tests.scoring.paper import factory

    for name, code in EMBEDDED.items():
        font = TTFont(name, BytesIO(pymupdf_fonts.myfont(code)))
        font.face.name = name.encode()  # Otherwise the library would use the program's own font.
        pdfmetrics.registerFont(font)
    heat = factory.heat()
    plain = ["Helvetica", "Helvetica-Bold", "Helvetica-Oblique"]
    paper.render(heat, language="sv")  # Fonts are loaded once per process.
    one = measured(
        {
            "one protocol": lambda: paper.render(heat, language="sv"),
            "bare canvas, the reader's fonts": lambda: bare(plain),
            "bare canvas, embedded fonts": lambda: bare(list(EMBEDDED)),
        },
        ROUNDS,
    )
    many = measured(
        {
            f"{MANY} protocols, each": lambda: paper.render_many([heat] * MANY, language="sv"),
            f"{MANY} bare pages, each": lambda: bare(list(EMBEDDED), MANY),
        },
        3,
    )
    print("| | ms | kB |\n|---|---|---|")
    for name, (spent, size) in one.items():
        print(f"| {name} | {spent:.1f} | {size / 1000:.0f} |")
    for name, (spent, size) in many.items():
        print(f"| {name} | {spent / MANY:.1f} | {size / MANY / 1000:.0f} |")
    protocol, readers, embedded = (spent for spent, _ in one.values())
    print(f"\nspeed against a bare canvas: {readers / protocol:.2f} ×", end="")
    print(f", with embedded fonts {embedded / protocol:.2f} ×")
    alone, together = jobs_per_second(1), jobs_per_second(2)
    print(f"two workers do {together / alone:.2f} × as many jobs as one")


if __name__ == "__main__":
    main()
