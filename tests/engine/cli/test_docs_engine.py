"""The engine's pages: every example runs; its inner modules and its package."""

from __future__ import annotations

import doctest
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
#: Guides with examples.
PAGES = (
    "docs/engine.md",
    "docs/engine-reference.md",
    "docs/formats/card-record.md",
    "docs/simulation.md",
    "docs/cookbook.md",
    "engine/README.md",
)

#: Internal modules: nothing outside the engine imports them.
PARTS = {
    *("sheet.closing", "sheet.effects", "sheet.legality", "sheet.warnings"),
    *("bots.cards", "bots.imagined", "bots.knowledge"),
    *("totals.search", "totals.seat", "totals.ways"),
    *("table.flow", "table.hands", "table.legal", "table.scoring", "table.tricks"),
}


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_the_engines_pages(page):
    """They import the installed package; here its folder is called engine."""
    text = (ROOT / page).read_text(encoding="utf-8").replace("chicago_engine", "engine")
    test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    found = doctest.DocTestRunner().run(test)
    assert found.attempted
    assert found.failed == 0


def programs(page):
    """Return a page's programs without output, with fewer games and this package's name."""
    text = (ROOT / page).read_text(encoding="utf-8").replace("chicago_engine", "engine")
    found = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    return [re.sub(r"records\([\d_]+, |games=\d+", _fewer, each) for each in found]


def _fewer(found):
    return re.sub(r"\d[\d_]*", "4", found.group())


def test_the_program_of_the_page_on_simulation(capsys):
    (program,) = programs("docs/simulation.md")
    exec(program, {"__name__": "__main__"})
    assert capsys.readouterr().out.count("mine") == 2


@pytest.mark.slow
def test_the_cookbooks_programs_for_processes_and_a_cluster():
    from dask.distributed import LocalCluster

    here, away = programs("docs/cookbook.md")
    known = {"__name__": "__main__"}
    exec(here, known)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        there = dict(known)
        exec(away.replace("tcp://scheduler:8786", cluster.scheduler_address), there)
        there["client"].close()
    assert len(known["records"]) == 4
    assert there["records"] == known["records"]


def test_internal_modules_are_used_inside_the_engine_only():
    pattern = re.compile(rf"engine\.(?:{'|'.join(map(re.escape, sorted(PARTS)))})\b")
    for folder in ("scoring", "tournaments", "config"):
        for path in (ROOT / folder).rglob("*.py"):
            found = pattern.search(path.read_text(encoding="utf-8"))
            assert found is None, f"{path.relative_to(ROOT)}: {found and found.group()}"


def test_the_installed_package_has_every_subpackage():
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    # A language is found by its folder, so no list names it.
    [languages] = [each for each in listed["package-data"]["chicago_engine"] if "*" in each]
    rooms = {path.parent.relative_to(ROOT) for path in (ROOT / "engine").rglob("__init__.py")}
    rooms -= {path.parent.relative_to(ROOT) for path in (ROOT / "engine").glob(languages)}
    assert {f"chicago_{'.'.join(room.parts)}" for room in rooms} == set(listed["packages"])
