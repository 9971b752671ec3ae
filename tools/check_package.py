"""Check that ``pip install .`` gives the engine and nothing else.

    python tools/check_package.py

Builds the wheel in a temporary folder (pip fetches setuptools for that), looks at what is in it,
installs it into a fresh environment and compares what the command ``chicago-engine`` says with
``python -m engine`` in this checkout. Exit status 0 if all of it is right.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from environment import make_venv, pip_command, venv_python

ROOT = Path(__file__).resolve().parent.parent
RECORD = (
    '{"format": "chicago-game-record", "version": 1, "rules": "svensk+C", "seats": ["Åsa", "Bo"],'
    ' "entries": [{"kind": "hand", "phase": 1, "seat": 0, "category": "royal_flush"}]}'
)
CALLS: tuple[tuple[list[str], str], ...] = (
    ([], ""),
    (["--help"], ""),
    (["rules", "svensk+N+C"], ""),
    (["rules", "svensk+W+X"], ""),
    (["replay", "-"], RECORD),
    (["replay", "-", "--lines"], RECORD + "\nnonsense\n"),
    (["settle", "-", "--stake", "1/2"], RECORD),
    (["evaluate", "Ah Kh Qh Jh Th", "2c 3d 4h 5s 7c"], ""),
    (["playoff", "17"], ""),
    (["simulate", "games", "--count", "2", "--seed", "x"], ""),
)


def built(folder: Path, pip: list[str]) -> Path:
    """Build the wheel from a copy of what it needs, so that nothing is left in the checkout."""
    source = folder / "source"
    source.mkdir()
    names = ["pyproject.toml", "README.md", "LICENSE"]
    names += [str(path.relative_to(ROOT)) for path in sorted((ROOT / "engine").rglob("*.py"))]
    for name in [*names, "engine/py.typed"]:
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / name).read_bytes())
    subprocess.run([*pip, "wheel", "-q", "--no-deps", "-w", folder, source], check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def check_content(wheel: Path) -> None:
    """Only the package and its metadata, every module, and the mark that it is typed."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        text = archive.read(metadata).decode()
    wanted = {path.relative_to(ROOT).as_posix() for path in (ROOT / "engine").rglob("*.py")}
    found = {name for name in names if ".dist-info/" not in name}
    assert found == wanted | {"engine/py.typed"}, found ^ wanted
    assert "Requires-Dist" not in text, text


def said(command: list[str], given: str, folder: Path) -> tuple[int, bytes, bytes]:
    """Exit status, standard output and standard error of a command."""
    ran = subprocess.run(command, input=given.encode(), capture_output=True, cwd=folder)
    return ran.returncode, ran.stdout, ran.stderr


def main() -> None:
    """Build, look, install, compare."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_venv(folder / "venv")
        python = venv_python(folder / "venv")
        pip = [*pip_command(folder / "venv"), "--disable-pip-version-check"]
        wheel = built(folder, pip)
        check_content(wheel)
        subprocess.run([*pip, "install", "-q", "--no-index", wheel], check=True)
        command = str(python.with_name(f"chicago-engine{python.suffix}"))
        for words, given in CALLS:
            installed = said([command, *words], given, folder)
            here = said([sys.executable, "-m", "engine", *words], given, ROOT)
            assert installed == here, (words, installed, here)
        print(f"{wheel.name}: chicago-engine is python -m engine ({len(CALLS)} calls compared)")


if __name__ == "__main__":
    main()
