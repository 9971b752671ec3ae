"""``python -m benchmarks``: create .venv-bench with the peers, then print the engine's table.

If the peers cannot be installed, the table is printed without them. Options are passed on to
:mod:`benchmarks.bench`. ``python -m benchmarks NAME …`` runs another benchmark with its options.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
FOLDER = ROOT / ".venv-bench"
WANTED = HERE / "requirements.txt"
#: The benchmarks of the program; they need its own environment.
OTHERS = ("all", "growth", "hall", "hosts", "pages", "pdf", "rehearsal", "season", "table")


def interpreter() -> Path:
    """Return the Python of .venv-bench with the peers installed, or this one if that fails."""
    python = FOLDER / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = FOLDER / "stamp"
    wanted = hashlib.sha256(WANTED.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    try:
        print("making .venv-bench ...", file=sys.stderr)
        venv.create(FOLDER, with_pip=True, clear=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "-r", str(WANTED)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"the peers could not be installed ({error}); going on without", file=sys.stderr)
        return Path(sys.executable)
    stamp.write_text(wanted)
    return python


def main() -> int:
    """Run the named benchmark, or the engine's with the interpreter that has the peers."""
    if sys.argv[1:2] and sys.argv[1] in OTHERS:
        command = [sys.executable, "-m", f"benchmarks.{sys.argv[1]}", *sys.argv[2:]]
        return subprocess.run(command, cwd=ROOT).returncode
    command = [str(interpreter()), "-m", "benchmarks.bench", *sys.argv[1:]]
    return subprocess.run(command, cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
