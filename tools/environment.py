"""Make this checkout's Python environment: ``.venv`` with the locked packages.

    python3 tools/environment.py         # what the program needs to run
    python3 tools/environment.py --dev   # and what its tests and checks need
    python3 tools/environment.py --docs  # build/docs-venv instead, with what builds the guides

Needs only the standard library of Python 3.11 or later, also on Windows. Does nothing if the
environment already matches the lock files: a stamp in ``.venv`` holds their hash.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = {
    "runtime": ["requirements.lock"],
    "dev": ["requirements.lock", "requirements-dev.lock"],
    "docs": ["requirements-docs.lock"],
}


class SetupError(Exception):
    """Something the user has to do; the text says what."""


def venv_folder(which: str) -> Path:
    """Return the environment's folder (``VENV`` chooses another one for the program).

    What builds the guides has one of its own: neither the program nor its tests have a use for it.
    """
    if which == "docs":
        return ROOT / "build/docs-venv"
    return Path(os.environ.get("VENV") or ROOT / ".venv").resolve()


def venv_python(folder: Path) -> Path:
    """Return the environment's interpreter."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def lock_hash(locks: Sequence[str], root: Path = ROOT) -> str:
    """Return the hash of the lock files and of the Python that installs them."""
    digest = hashlib.sha256(f"{sys.version_info[:2]}".encode())
    for name in locks:
        digest.update((root / name).read_bytes())
    return digest.hexdigest()


def make_venv(folder: Path) -> None:
    """Create the environment in whichever way this Python can.

    Debian packages ``ensurepip`` separately; without it, an installed pip or virtualenv will do.
    Raises SetupError if there is none.
    """
    has = {
        name: importlib.util.find_spec(name) is not None
        for name in ("venv", "ensurepip", "pip", "virtualenv")
    }
    if has["venv"] and has["ensurepip"]:
        command = [sys.executable, "-m", "venv", str(folder)]
    elif has["virtualenv"]:
        command = [sys.executable, "-m", "virtualenv", "--quiet", "--no-download", str(folder)]
    elif has["venv"] and has["pip"]:
        command = [sys.executable, "-m", "venv", "--without-pip", str(folder)]
    else:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise SetupError(
            f"This Python ({sys.executable}) cannot make virtual environments: the module "
            f"'ensurepip' is missing.\nOn Debian or Ubuntu install it with:  "
            f"apt install python{version}-venv\nthen run the same command again."
        )
    try:
        subprocess.run(command, check=True)
    except subprocess.CalledProcessError as problem:
        # The next run would take a half-made environment for a finished one.
        shutil.rmtree(folder, ignore_errors=True)
        raise SetupError(f"Making {folder} failed; the lines above say why.") from problem


def pip_command(folder: Path) -> list[str]:
    """Return how to run pip for the environment: its own, or this Python's from outside."""
    python = venv_python(folder)
    inside = subprocess.run([python, "-m", "pip", "--version"], capture_output=True, check=False)
    if inside.returncode == 0:
        return [str(python), "-m", "pip"]
    return [sys.executable, "-m", "pip", "--python", str(python)]


def install(which: str) -> bool:
    """Update the environment to the lock files; return whether anything had to be done."""
    folder = venv_folder(which)
    locks = LOCKS[which]
    wanted = lock_hash(locks)
    stamp = folder / f".installed-{which}"
    usable = venv_python(folder).exists()
    if usable and stamp.exists() and stamp.read_text(encoding="ascii") == wanted:
        return False
    if not usable:
        print(f"Making the environment in {folder} …", flush=True)
        make_venv(folder)
    print(f"Installing {' and '.join(locks)} (the first time takes a minute) …", flush=True)
    arguments = [part for name in locks for part in ("-r", str(ROOT / name))]
    quiet = ["-qq", "--disable-pip-version-check", "--no-input"]
    if subprocess.run(
        [*pip_command(folder), "install", *quiet, *arguments], check=False
    ).returncode:
        raise SetupError(
            "Installing the packages failed; the lines above say why. "
            "Without a network this step needs a package index or pip's cache."
        )
    if which == "dev":
        runtime = folder / ".installed-runtime"
        runtime.write_text(lock_hash(LOCKS["runtime"]), encoding="ascii")
    # Last, so that an interrupted installation is repeated.
    stamp.write_text(wanted, encoding="ascii")
    return True


def main(argv: Sequence[str] | None = None) -> int:
    """Run from the command line; return the exit status."""
    parser = argparse.ArgumentParser(description="Make .venv with the locked packages.")
    parser.add_argument("--dev", action="store_true", help="also what tests and checks need")
    parser.add_argument("--docs", action="store_true", help="only what builds the guides")
    options = parser.parse_args(argv)
    if sys.version_info < (3, 11):  # noqa: UP036 - the sentence is for those who have an older one
        print(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}.", file=sys.stderr)
        return 1
    try:
        install("docs" if options.docs else "dev" if options.dev else "runtime")
    except SetupError as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
