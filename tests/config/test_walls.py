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

#: Per contract: a module, and what it must not import.
FORBIDDEN = {
    "The engine is pure Python": ("engine.cards.cards", "django"),
    "Arrows go one way: config, tournaments, scoring, engine": (
        "tournaments.core.limits",
        "config.serving",
    ),
    "No circles, in any package": ("tournaments.cash.queries.ledger", "tournaments.cash.commands"),
    "Modules of config": ("config.health", "config.urls"),
    "Rooms of the engine": ("engine.rules.presets", "engine.sheet.state"),
    "Inside the engine's cards": ("engine.cards.categories", "engine.cards.hands"),
    "Inside the engine's rules": ("engine.rules.presets", "engine.rules.variants"),
    "Inside the engine's sheet": ("engine.sheet.legality", "engine.sheet.effects"),
    "Inside the engine's ranking": ("engine.ranking.heat", "engine.ranking.heat_record"),
    "Inside the engine's draws": ("engine.draws.draw", "engine.draws.pairing"),
    "Inside the engine's totals": ("engine.totals.seat", "engine.totals.search"),
    "Inside the engine's table": ("engine.table.state", "engine.table.flow"),
    "Inside the engine's bots": ("engine.bots.players", "engine.bots.simulation"),
    "Inside the engine's messages": ("engine.messages.languages", "engine.messages.render"),
    "Inside the engine's cli": ("engine.cli.files", "engine.cli.main"),
    "Rooms of scoring": ("scoring.paper.grid", "scoring.writing.locks"),
    "Inside scoring's models": ("scoring.models.table", "scoring.models.sheet"),
    "Inside scoring's reading": ("scoring.reading.games", "scoring.reading.pages"),
    "Inside scoring's writing": ("scoring.writing.write", "scoring.writing.correct"),
    "Inside scoring's paper": ("scoring.paper.paper", "scoring.paper.page"),
    "Inside scoring's web": ("scoring.web.merge", "scoring.web.actions"),
    "Rooms of tournaments": ("tournaments.results.commands", "tournaments.heats.queries"),
    "Inside tournaments' models": ("tournaments.models.people", "tournaments.models.heat"),
    "Reads import no writes": (
        "tournaments.floor.queries.open_tables",
        "tournaments.results.commands",
    ),
    "Inside a subject: reads, writes, what is typed and listed, pages": (
        "tournaments.cash.forms",
        "tournaments.cash.views",
    ),
    "Inside core": ("tournaments.core.errors", "tournaments.core.answers"),
    "Inside documents": ("tournaments.documents.writing", "tournaments.documents.reading"),
    "Inside live": ("tournaments.live.parts", "tournaments.live.stream"),
    "Inside the rehearsal": ("tournaments.rehearsal.names", "tournaments.rehearsal.demo"),
}
#: These imports cross from one top-level package to another, which a relative one cannot.
ABSOLUTE_ONLY = {
    "The engine is pure Python",
    "Arrows go one way: config, tournaments, scoring, engine",
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
    path = tree / module.replace(".", "/")
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    path.write_text(f"{path.read_text('utf-8')}\n{line}\n", "utf-8")


def relative(module: str, imported: str) -> str:
    """Return the relative import of one module by another, neither of them a package."""
    here, there = module.split("."), imported.split(".")
    shared = next(i for i, pair in enumerate(zip(here, there, strict=False)) if len({*pair}) == 2)
    return f"from {'.' * (len(here) - shared)}{'.'.join(there[shared:-1])} import {there[-1]}"


def test_every_contract_has_a_forbidden_import_here() -> None:
    assert set(FORBIDDEN) == set(CONTRACTS)


def test_every_package_has_its_layer() -> None:
    """Contracts without a container cannot be exhaustive."""
    assert set(CONTRACTS["Arrows go one way: config, tournaments, scoring, engine"]["layers"]) == {
        *PACKAGES
    }
    assert set(CONTRACTS["No circles, in any package"]["ancestors"]) == {*PACKAGES}


def test_every_room_has_an_inner_contract() -> None:
    inside = {
        container for contract in CONTRACTS.values() for container in contract.get("containers", ())
    }
    rooms = {
        f"{package}.{path.parent.name}"
        for package in ("engine", "scoring", "tournaments")
        for path in (ROOT / package).glob("*/__init__.py")
        if path.parent.name not in {"management", "migrations", "templatetags"}
    }
    assert len(rooms) > 30
    assert rooms - inside == set()


def test_absolute_imports_are_caught(tree: Path) -> None:
    for module, imported in FORBIDDEN.values():
        plant(tree, module, f"import {imported}")
    found, printed = broken(tree)
    assert found == set(FORBIDDEN)
    for module, imported in FORBIDDEN.values():
        assert f"{module} -> {imported} " in printed


def test_relative_imports_are_caught(tree: Path) -> None:
    expected = set(FORBIDDEN) - ABSOLUTE_ONLY
    for name in expected:
        module, imported = FORBIDDEN[name]
        plant(tree, module, relative(module, imported))
    found, printed = broken(tree)
    assert found == expected
    for name in expected:
        module, imported = FORBIDDEN[name]
        assert f"{module} -> {imported} " in printed


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
