"""Rules for the whole source tree: file sizes, layers inside the apps, forbidden strings."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "scoring", "tournaments", "config")


def tracked(*patterns: str) -> list[Path]:
    """Return the files that git tracks or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def modules(package: str) -> Iterator[Path]:
    """Yield a package's modules, without migrations."""
    for path in sorted((ROOT / package).rglob("*.py")):
        if "migrations" not in path.parts:
            yield path


def imports(path: Path) -> Iterator[str]:
    """Yield the full names of the modules that a module imports from."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_every_package_and_every_room_has_a_contract() -> None:
    """A contract's containers are named one by one: a room that is in none has no layers inside."""
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    assert set(tool["root_packages"]) == {*PACKAGES}
    inside = {name for contract in tool["contracts"] for name in contract.get("containers", ())}
    rooms = {
        f"{package}.{path.parent.name}"
        for package in ("engine", "scoring", "tournaments")
        for path in (ROOT / package).glob("*/__init__.py")
        if path.parent.name not in {"management", "migrations", "templatetags"}
    }
    assert len(rooms) > 30
    assert rooms - inside == set()


def test_the_engine_imports_nothing_but_the_standard_library() -> None:
    import sys

    foreign = {
        f"{path.name}: {name}"
        for path in modules("engine")
        for name in imports(path)
        if (top := name.split(".")[0]) not in sys.stdlib_module_names and top != "engine"
    }
    assert foreign == set()


def test_views_do_not_write() -> None:
    writes = re.compile(
        r"\.(objects\.(create|bulk_create|update|get_or_create|update_or_create)|save|delete)\("
    )
    views = [
        path
        for app in ("scoring", "tournaments")
        for path in modules(app)
        if {"views", "views.py", "web"} & set(path.parts)
    ]
    assert len(views) > 20
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in views
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if writes.search(line)
    ]
    assert found == []


def test_no_package_index_or_machine_path_is_named() -> None:
    # Assembled from parts, so that this file does not match itself.
    hosts = ["files.pythonho" + "sted", "pypi" + ".org", "registry.np" + "mjs", "deb.deb" + "ian"]
    places = ["/ro" + "ot/", "/wo" + "rk/", r"/ho" + r"me/[a-z]+/"]
    forbidden = re.compile("|".join([re.escape(host) for host in hosts] + places))
    found = []
    for path in tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [
            f"{path.relative_to(ROOT)}: {match.group()}" for match in forbidden.finditer(text)
        ]
    assert found == []


def test_every_template_compiles() -> None:
    from django.template.loader import get_template

    names = [str(path.relative_to(ROOT / "templates")) for path in tracked("templates/*.html")]
    assert names
    for name in names:
        get_template(name)


def test_every_static_file_that_a_template_names_is_there() -> None:
    from django.contrib.staticfiles import finders

    named = {
        name
        for path in tracked("templates/*.html")
        for name in re.findall(
            r"{%\s*static\s+['\"]([^'\"]+)['\"]\s*%}", path.read_text(encoding="utf-8")
        )
    }
    assert named
    assert [name for name in sorted(named) if finders.find(name) is None] == []
