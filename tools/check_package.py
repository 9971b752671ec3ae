"""Check what users of the library get: the engine's wheel and source package.

    python tools/check_package.py

Builds both in a temporary folder (pip fetches setuptools for that), checks their content, installs
the wheel into an empty environment of each Python from 3.11 to 3.14 on the PATH, compares the
output of ``chicago-engine`` with ``python -m engine`` in this checkout, and runs the examples of
the guides and the cookbook outside the checkout. The source package's tests run once, except the
slow ones, away from the rest of the checkout. Exit status 0 if everything passes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from environment import venv_python

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
RECORD = (
    '{"format": "chicago-game-record", "version": 1, "rules": "svensk+C", "seats": ["Åsa", "Bo"],'
    ' "entries": [{"kind": "hand", "phase": 1, "seat": 0, "category": "royal_flush"}]}'
)
CALLS: tuple[tuple[list[str], str], ...] = (
    (["--version"], ""),
    (["rules", "svensk+N+C"], ""),
    (["rules", "svensk+W+X"], ""),
    (["replay", "-"], RECORD),
    (["replay", "-", "--lines"], RECORD + "\nnonsense\n"),
    (["settle", "-", "--stake", "1/2"], RECORD),
    (["evaluate", "Ah Kh Qh Jh Th", "2c 3d 4h 5s 7c"], ""),
    (["playoff", "17"], ""),
    (["schema", "game-record"], ""),
    (["simulate", "games", "--count", "2", "--seed", "x"], ""),
)


def pythons() -> dict[str, str]:
    """Map versions to interpreters that can make environments, from the PATH or pyenv."""
    kept = sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*/bin"))
    places = [os.environ.get("PATH", ""), *map(str, kept)]
    found = {".".join(map(str, sys.version_info[:2])): sys.executable}
    for version in VERSIONS:
        for place in places:
            path = shutil.which(f"python{version}", path=place)
            # A shim may exist without its Python.
            if (
                path
                and subprocess.run([path, "-c", "import venv"], capture_output=True).returncode == 0
            ):
                found.setdefault(version, path)
    return found


def pages(root: Path) -> list[Path]:
    """Return the guides whose examples use ``chicago_engine``."""
    found = [root / "engine" / "README.md", *sorted((root / "docs").rglob("*.md"))]
    return [
        page
        for page in found
        if "import chicago_engine" in page.read_text(encoding="utf-8")
        or "from chicago_engine" in page.read_text(encoding="utf-8")
    ]


def built(folder: Path) -> tuple[Path, Path]:
    """Build source package and wheel from a copy, so that nothing is left in the checkout."""
    source = folder / "source"
    for name in ("engine", "docs", "tests/engine"):
        ignored = shutil.ignore_patterns("__pycache__", "pictures")
        shutil.copytree(ROOT / name, source / name, ignore=ignored)
    for name in ("pyproject.toml", "MANIFEST.in", "LICENSE", "tests/__init__.py"):
        shutil.copy(ROOT / name, source / name)
    subprocess.run(
        [sys.executable, "-m", "build", "--outdir", folder, source],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (sdist,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    return sdist, wheel


def check_content(wheel: Path) -> None:
    """Check that there is only the package with its metadata, every module, and py.typed."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        text = archive.read(metadata).decode()
    modules = [path.relative_to(ROOT / "engine") for path in (ROOT / "engine").rglob("*.py")]
    wanted = {f"chicago_engine/{path.as_posix()}" for path in modules}
    found = {name for name in names if ".dist-info/" not in name}
    assert found == wanted | {"chicago_engine/py.typed"}, found ^ wanted
    assert "Requires-Dist" not in text, text


def check_source(sdist: Path, folder: Path) -> None:
    """Run the source package's tests away from the rest of this checkout."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (root,) = folder.iterdir()
    assert (root / "engine" / "CHANGELOG.md").exists()
    assert pages(root)
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-c", "tests/engine/alone.ini"]
    subprocess.run([*command, "--rootdir", ".", "tests/engine"], cwd=root, check=True)


def answer_of(command: list[str], given: str, folder: Path) -> tuple[int, bytes, bytes]:
    """Return a command's exit status, standard output and standard error."""
    ran = subprocess.run(command, input=given.encode(), capture_output=True, cwd=folder)
    return ran.returncode, ran.stdout, ran.stderr


def check_installed(python: str, wheel: Path, folder: Path) -> None:
    """Install into an empty environment of this Python, compare, and run the guides' examples."""
    venv = folder / "venv"
    subprocess.run([python, "-m", "venv", "--without-pip", venv], check=True)
    inside = venv_python(venv)
    pip = [sys.executable, "-m", "pip", "--python", inside, "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "-q", "--no-index", wheel], check=True)
    command = str(inside.with_name(f"chicago-engine{inside.suffix}"))
    for words, given in CALLS:
        installed = answer_of([command, *words], given, folder)
        here = answer_of([sys.executable, "-m", "engine", *words], given, ROOT)
        assert installed == here, (words, installed, here)
    for page in pages(ROOT):
        subprocess.run([inside, "-m", "doctest", page], cwd=folder, check=True)


def main() -> None:
    """Build, check, install, compare."""
    found = pythons()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sdist, wheel = built(folder)
        check_content(wheel)
        check_source(sdist, folder / "unpacked")
        for version in VERSIONS:
            if version not in found:
                print(f"Python {version}: not here")
                continue
            place = folder / version
            place.mkdir()
            check_installed(found[version], wheel, place)
            print(f"Python {version}: {len(CALLS)} calls and {len(pages(ROOT))} guides")


if __name__ == "__main__":
    main()
