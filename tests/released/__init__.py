"""What released versions have written, which every later version reads.

``python -m tests.released VERSION`` makes a version's folder when it is released, never again:

* ``sqlite.zip``, ``postgresql.zip``: a backup of each kind of database, with a played event;
* ``event.json``: that event's document;
* ``rules.json``: the documents of rule sets.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).resolve().parent
#: The event that each version has played.
SLUG = "spring"


def manage(folder: Path, *arguments: str, database: str = "") -> str:
    """Run ``manage.py`` on a data folder, or a database's address; return what it prints."""
    here = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    here |= {"DJANGO_SETTINGS_MODULE": "config.settings", "DATA_DIR": str(folder)}
    here |= {"DATABASE_URL": database} if database else {}
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=here,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
