"""The import contracts of ``pyproject.toml`` hold: each one fails on an import that it forbids.

The forbidden imports are planted in a copy of the tree, all at once: in one run as absolute
imports, in another as relative ones, and in a third as new modules that no contract names.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "scoring", "tournaments", "config")
CONTRACTS = {
    contract["name"]: contract
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"][
        "importlinter"
    ]["contracts"]
}

#: Per contract: a module, and what it must not import (absolute, relative). Relative imports cannot
#: reach another top-level package.
FORBIDDEN = {
    "The engine is pure Python": ("engine/cards/cards.py", "import django", None),
    "Arrows go one way: config, tournaments, scoring, engine": (
        "tournaments/core/limits.py",
        "import config.serving",
        None,
    ),
    "No circles, in any package": (
        "engine/cards/categories.py",
        "from engine.cards import hands",
        "from . import hands",
    ),
    "Modules of config": (
        "config/health.py",
        "from config import urls",
        "from . import urls",
    ),
    "Rooms of the engine": (
        "engine/rules/presets.py",
        "from engine.sheet import state",
        "from ..sheet import state",
    ),
    "Rooms of scoring": (
        "scoring/paper/grid.py",
        "from scoring.writing import locks",
        "from ..writing import locks",
    ),
    "Rooms of tournaments": (
        "tournaments/results/commands.py",
        "from tournaments.heats import queries",
        "from ..heats import queries",
    ),
    "Reads import no writes": (
        "tournaments/floor/queries/tables.py",
        "from scoring import writing",
        "from ...results import commands",
    ),
    "Inside a subject: reads, writes, what is typed and listed, pages": (
        "tournaments/cash/queries/ledger.py",
        "from tournaments.cash import commands",
        "from .. import commands",
    ),
    "Inside core": (
        "tournaments/core/errors.py",
        "from tournaments.core import answers",
        "from . import answers",
    ),
    "Inside documents": (
        "tournaments/documents/writing.py",
        "from tournaments.documents import reading",
        "from . import reading",
    ),
    "Inside live": (
        "tournaments/live/parts.py",
        "from tournaments.live import stream",
        "from . import stream",
    ),
    "Inside the rehearsal": (
        "tournaments/rehearsal/names.py",
        "from tournaments.rehearsal import demo",
        "from . import demo",
    ),
}


def broken(tree: Path) -> tuple[set[str], str]:
    """Return the names of the contracts broken in a tree, and everything that was printed."""
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=tree,
        capture_output=True,
        text=True,
        timeout=120,
    )
    found = {
        name for name in CONTRACTS if re.search(rf"^{re.escape(name)} BROKEN$", done.stdout, re.M)
    }
    assert (done.returncode != 0) == bool(found), done.stdout
    return found, done.stdout


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def plant(tree: Path, module: str, line: str) -> None:
    path = tree / module
    path.write_text(f"{path.read_text('utf-8')}\n{line}\n", "utf-8")


def test_every_contract_has_a_forbidden_import_here() -> None:
    assert set(FORBIDDEN) == set(CONTRACTS)


def test_every_package_has_its_layer() -> None:
    """Contracts without a container cannot be exhaustive."""
    assert set(CONTRACTS["Arrows go one way: config, tournaments, scoring, engine"]["layers"]) == {
        *PACKAGES
    }
    assert set(CONTRACTS["No circles, in any package"]["ancestors"]) == {*PACKAGES}


def test_every_subject_has_an_inner_contract() -> None:
    inside = {
        container for contract in CONTRACTS.values() for container in contract.get("containers", ())
    }
    subjects = {
        f"tournaments.{path.parent.name}"
        for path in (ROOT / "tournaments").glob("*/__init__.py")
        if path.parent.name not in {"migrations", "models", "templatetags"}
    }
    assert subjects - inside == set()


def test_absolute_imports_are_caught(tree: Path) -> None:
    for module, line, _relative in FORBIDDEN.values():
        plant(tree, module, line)
    assert broken(tree)[0] == set(FORBIDDEN)


def test_relative_imports_are_caught(tree: Path) -> None:
    relative = {name: rest for name, (*rest, line) in FORBIDDEN.items() if line}
    for name in relative:
        module, _absolute, line = FORBIDDEN[name]
        assert line is not None
        plant(tree, module, line)
    assert broken(tree)[0] == set(relative)


def test_a_module_in_no_layer_is_caught(tree: Path) -> None:
    containers = {
        container: name
        for name, contract in CONTRACTS.items()
        if contract.get("exhaustive")
        for container in contract["containers"]
    }
    assert containers
    for container in containers:
        (tree / container.replace(".", "/") / "attic.py").write_text('"""Nobody\'s."""\n', "utf-8")
    found, printed = broken(tree)
    assert found == set(containers.values())
    assert {container for container in containers if f"- {container}.attic" not in printed} == set()
