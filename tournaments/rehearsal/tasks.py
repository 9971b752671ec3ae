"""The work of the demo outside requests: its season, in a process with a clock of its own."""

import subprocess
import sys

from django.conf import settings

from ..core.queue import GiveUp, Kind
from ..models import Job

SEASON = "demo_season"


def make(job: Job) -> None:
    """Have the season made."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "load_demo", "--season"]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    if done.returncode:
        raise GiveUp(done.stderr[-500:])


KINDS = (Kind(SEASON, make),)
