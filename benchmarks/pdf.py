"""How fast a heat's protocol is printed, compared with bare reportlab: ``make bench ARGS=pdf``.

A bare canvas draws as many lines and strings as the protocol has (each stroke of a tally is a
line), without measuring text, without structure for screen readers, without a QR code. It runs once
with the standard PDF fonts and once, as the protocol must, with three embedded ones. Each figure is
the least processor time of several alternating rounds, so the ratios hold on a busy machine, too.

Then an event's protocols are printed again and again as jobs, by one Celery worker and by two, as
``serve`` starts them. That is elapsed time, which needs two idle cores.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import django
import pymupdf_fonts
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from benchmarks import clients

LINES, STRINGS = 552, 204
ROUNDS, MANY, BATCHES = 15, 40, 6
#: So many players play about as many heats as there are protocols in one file.
PLAYERS = 60

#: A parent of one worker, which ends with its own standard input.
WORKER = """
import sys
import django
django.setup()
from config import serving
worker = serving.Sidecar("config.worker")
worker.start()
sys.stdin.read()
worker.stop()
"""
#: Four jobs at a time, since an event has one open job of a kind.
QUEUE = """
import time
from tournaments.models import Event
from tournaments.prints.commands import ask_for
event = Event.objects.get(slug="bench")
for batch in range(1 + {batches}):
    if batch == 1:
        began = time.perf_counter()  # The workers have started, and loaded the fonts.
    for language in ("sv", "en"):
        for plain in (False, True):
            ask_for(
                event=event, kind="protocols", by=None, language=language, plain=plain, site=""
            )
    while event.jobs.filter(status__in=["waiting", "running"]).exists():
        time.sleep(0.02)
taken = time.perf_counter() - began
assert not event.jobs.exclude(status="done").exists()
print(4 * {batches} / taken)
"""
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


def jobs_per_second(folder: Path, workers: int) -> float:
    """Return how many jobs these workers do in a second, once they have loaded the fonts."""
    environment = dict(os.environ) | {"DATA_DIR": str(folder), "BACKUP_HOURS": "0"}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER],
            cwd=clients.ROOT,
            env=environment | {"DJANGO_SETTINGS_MODULE": "config.settings"},
            stdin=subprocess.PIPE,
        )
        for _ in range(workers)
    ]
    try:
        script = QUEUE.format(batches=BATCHES)
        return float(clients.output_of(folder, "shell", "-v0", "-c", script).split()[-1])
    finally:
        for worker in running:
            worker.communicate()  # A worker ends when its pipe is closed.


def main() -> None:
    """Print the table."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
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
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clients.manage(folder, "migrate", "-v0")
        played = ("--players", str(PLAYERS), "--seed", "bench", "--slug", "bench")
        clients.manage(folder, "rehearse", *played)
        alone, both = (jobs_per_second(folder, workers) for workers in (1, 2))
    print(f"{alone:.2f} jobs per second by one Celery worker, by two {both / alone:.2f} × as many")


if __name__ == "__main__":
    main()
