"""How fast a heat's protocol is printed, compared with bare reportlab: ``make bench ARGS=pdf``.

A bare canvas draws as many lines and strings as the protocol has (each stroke of a tally is a
line), without measuring text, without structure for screen readers, without a QR code. It runs once
with the standard PDF fonts and once, as the protocol must, with three embedded ones. Each figure is
the least processor time of several alternating rounds, so the ratios hold on a busy machine, too.

Then an event's protocols are printed again and again as jobs, by one Celery worker and by two, as
``serve`` starts them. That is elapsed time, which needs two idle cores.
"""

from __future__ import annotations

import json
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
#: What is drawn: a protocol, and what it is compared with.
ONE, READERS = "one protocol", "bare canvas, the reader's fonts"
BARE = "bare canvas, embedded fonts"
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


def drawings() -> dict[str, tuple[float, int]]:
    """Return the milliseconds and bytes of protocols and of bare canvases, each."""
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
            ONE: lambda: paper.render(heat, language="sv"),
            READERS: lambda: bare(plain),
            BARE: lambda: bare(list(EMBEDDED)),
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
    return one | {name: (ms / MANY, size // MANY) for name, (ms, size) in many.items()}


def drawn(program: clients.Program) -> dict[str, tuple[float, int]]:
    """Return the same of a checkout, in a process of its own."""
    with tempfile.TemporaryDirectory() as data:
        settings = {"PYTHONPATH": str(program.folder), "DATA_DIR": data}
        told: dict[str, tuple[float, int]] = json.loads(
            program.run("-P", __file__, "drawings", **settings)
        )
    return told


def speed(found: dict[str, tuple[float, int]], canvas: str) -> float:
    """Return how fast a protocol is drawn, in speeds of a bare canvas."""
    return found[canvas][0] / found[ONE][0]


def jobs_per_second(folder: Path, workers: int) -> float:
    """Return how many jobs these workers do in a second, once they have loaded the fonts."""
    environment = clients.HERE.environment(
        DATA_DIR=str(folder), BACKUP_HOURS="0", DJANGO_SETTINGS_MODULE="config.settings"
    )
    running = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER],
            cwd=clients.ROOT,
            env=environment,
            stdin=subprocess.PIPE,
        )
        for _ in range(workers)
    ]
    try:
        script = QUEUE.format(batches=BATCHES)
        return float(clients.HERE.manage(folder, "shell", "-v0", "-c", script).split()[-1])
    finally:
        for worker in running:
            worker.communicate()  # A worker ends when its pipe is closed.


def main() -> None:
    """Print the table."""
    found = drawn(clients.HERE)
    print("| | ms | kB |\n|---|---|---|")
    for word, (spent, size) in found.items():
        print(f"| {word} | {spent:.1f} | {size / 1000:.0f} |")
    print(f"\nspeed against a bare canvas: {speed(found, READERS):.2f} ×", end="")
    print(f", with embedded fonts {speed(found, BARE):.2f} ×")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clients.HERE.rehearse(folder, PLAYERS)
        alone, both = (jobs_per_second(folder, workers) for workers in (1, 2))
    print(f"{alone:.2f} jobs per second by one Celery worker, by two {both / alone:.2f} × as many")


if __name__ == "__main__":
    if sys.argv[1:] == ["drawings"]:
        print(json.dumps(drawings()))
    else:
        main()
