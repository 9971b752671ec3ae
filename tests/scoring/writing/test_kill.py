"""A killed process loses no entry that it has acknowledged."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

BASE = Path(__file__).resolve().parents[3]
CHECK = """
import django, sys
django.setup()
from scoring.reading.check import verify_sheet
from scoring.models import Sheet, SheetEntry
sheet = Sheet.objects.get()
assert verify_sheet(sheet_id=sheet.pk)[1]
print(*SheetEntry.objects.order_by("sequence").values_list("client_id", flat=True), sep="\\n")
"""


def test_acknowledged_entries_survive_a_kill(tmp_path, migrated):
    shutil.copy(migrated, tmp_path)
    environment = {
        **{k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}},
        "DATA_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONPATH": str(BASE),
    }
    writer = subprocess.Popen(
        [sys.executable, "-m", "tests.scoring.writing.kill_writer"],
        cwd=BASE,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    with writer:
        acknowledged = [writer.stdout.readline().strip() for _ in range(40)]
        writer.send_signal(signal.SIGKILL)
        acknowledged += writer.stdout.read().split()
    assert writer.returncode == -signal.SIGKILL
    # A line cut off by the kill was not received by anybody.
    acknowledged = [mark for mark in acknowledged if len(mark) == 36]
    kept = subprocess.run(
        [sys.executable, "-c", CHECK],
        cwd=BASE,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert len(acknowledged) >= 40
    assert kept[: len(acknowledged)] == acknowledged
    assert len(kept) - len(acknowledged) <= 1
