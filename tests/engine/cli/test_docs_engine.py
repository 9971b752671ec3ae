"""The engine's pages and docstrings: every example runs, every public name occurs in one."""

from __future__ import annotations

import ast
import doctest
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
#: Guides with examples, and how many they have at least.
PAGES = {
    "docs/engine.md": 25,
    "docs/engine-reference.md": 80,
    "docs/formats/card-record.md": 5,
    "docs/simulation.md": 5,
    "docs/cookbook/README.md": 30,
    "engine/README.md": 8,
}

#: Internal modules: nothing outside the engine imports them.
PARTS = {
    *("sheet.closing", "sheet.effects", "sheet.legality", "sheet.warnings"),
    *("bots.cards", "bots.knowledge", "totals.search", "totals.seat", "totals.ways"),
    *("table.flow", "table.hands", "table.legal", "table.scoring", "table.tricks"),
}
MODULES = {
    ".".join(path.relative_to(ROOT / "engine").with_suffix("").parts): path
    for path in sorted((ROOT / "engine").rglob("*.py"))
    if path.read_text(encoding="utf-8")
}
#: Modules for others to import; commands, messages and document types have tests of their own.
PUBLIC = {
    name: path
    for name, path in MODULES.items()
    if name not in PARTS and name.split(".")[0] not in ("cli", "messages", "documents", "__main__")
}
SUBJECTS = {name: path for name, path in PUBLIC.items() if "__init__" not in name}
Definition = ast.FunctionDef | ast.ClassDef


def public(nodes: list[ast.stmt]) -> list[Definition]:
    """Yield the functions and classes with public names among the nodes."""
    return [
        node
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and "overload" not in map(ast.unparse, node.decorator_list)
    ]


def examples(text: str) -> str:
    """Return the source of all examples in a text."""
    return "".join(example.source for example in doctest.DocTestParser().get_examples(text))


def docstrings(tree: ast.AST) -> str:
    """Return all docstrings below a node."""
    kinds = ast.Module | ast.FunctionDef | ast.ClassDef
    nodes = [node for node in ast.walk(tree) if isinstance(node, kinds)]
    return "\n\n".join(ast.get_docstring(node) or "" for node in nodes)


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_the_engines_pages(page):
    """They import the installed package; here its folder is called engine."""
    text = (ROOT / page).read_text(encoding="utf-8").replace("chicago_engine", "engine")
    test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    found = doctest.DocTestRunner().run(test)
    assert found.attempted > PAGES[page]
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

    here, away = programs("docs/cookbook/README.md")
    known = {"__name__": "__main__"}
    exec(here, known)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        there = dict(known)
        exec(away.replace("tcp://scheduler:8786", cluster.scheduler_address), there)
        there["client"].close()
    assert len(known["records"]) == 4
    assert there["records"] == known["records"]


@pytest.mark.parametrize("path", SUBJECTS.values(), ids=SUBJECTS.keys())
def test_every_public_module_names_its_paragraph(path):
    """Names without a paragraph of their own belong to their module's."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    assert re.search(r"rulebook §[1-9]", text)


@pytest.mark.parametrize("path", PUBLIC.values(), ids=PUBLIC.keys())
def test_functions_that_raise_say_so(path):
    """A public function that raises an error documents it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in public(tree.body):
        for function in [node] if isinstance(node, ast.FunctionDef) else public(node.body):
            refusals = {
                part.exc.func.id
                for part in ast.walk(function)
                if isinstance(part, ast.Raise)
                and isinstance(part.exc, ast.Call)
                and isinstance(part.exc.func, ast.Name)
            }
            if any(name.endswith("Error") for name in refusals):
                assert "aise" in (ast.get_docstring(function) or ""), function.name


@pytest.mark.parametrize("path", PUBLIC.values(), ids=PUBLIC.keys())
def test_every_public_name_is_in_an_example(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    pages = [(ROOT / page).read_text(encoding="utf-8") for page in PAGES]
    shown = examples("\n\n".join([docstrings(tree), *pages]))
    for node in public(tree.body):
        if node.name == "main":  # Shown by the conformance tests, command by command.
            continue
        own = bool(examples(docstrings(node)))
        assert own or re.search(rf"\b{node.name}\b", shown), f"no example with {node.name}"


def test_internal_modules_are_used_inside_the_engine_only():
    pattern = re.compile(rf"engine\.(?:{'|'.join(map(re.escape, sorted(PARTS)))})\b")
    for folder in ("scoring", "tournaments", "config"):
        for path in (ROOT / folder).rglob("*.py"):
            found = pattern.search(path.read_text(encoding="utf-8"))
            assert found is None, f"{path.relative_to(ROOT)}: {found and found.group()}"


def test_the_installed_package_has_every_subpackage():
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    rooms = {path.parent.relative_to(ROOT) for path in (ROOT / "engine").rglob("__init__.py")}
    assert {f"chicago_{'.'.join(room.parts)}" for room in rooms} == set(listed["packages"])
