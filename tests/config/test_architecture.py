"""Rules for the whole source tree: file sizes, layers inside the apps, forbidden strings."""

import ast
import re
import subprocess
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


def test_no_module_is_longer_than_about_600_lines() -> None:
    # A script talks to one page; cutting it in two costs that page a request.
    bounds = {".py": 620, ".js": 750}
    long = {
        str(path.relative_to(ROOT)): count
        for path in tracked("*.py", "*.js")
        if "migrations" not in path.parts
        and (count := len(path.read_text(encoding="utf-8").splitlines())) > bounds[path.suffix]
    }
    assert long == {}


def test_no_template_has_a_long_if_chain() -> None:
    """Choices among three or more belong in the view model: a label, a tag, a sentence."""
    long = []
    for path in tracked("templates/*.html"):
        branches: list[int] = []
        for tag in re.findall(r"{% (if|elif|endif) ?", path.read_text(encoding="utf-8")):
            if tag == "if":
                branches.append(1)
            elif tag == "elif":
                branches[-1] += 1
            elif branches.pop() > 2:
                long.append(path.name)
    # A django-allauth button gets nothing but its tags.
    assert long == ["button.html"]


def test_no_template_nests_choices_and_loops_more_than_four_deep() -> None:
    deepest: dict[str, int] = {}
    for path in tracked("templates/*.html"):
        depth = most = 0
        for end in re.findall(r"{% (end)?(?:if|for)\b", path.read_text(encoding="utf-8")):
            depth += -1 if end else 1
            most = max(most, depth)
        deepest[path.name] = most
    assert {name: depth for name, depth in deepest.items() if depth > 4} == {}


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


def test_no_floats_where_points_are_counted() -> None:
    found = [
        str(path.relative_to(ROOT))
        for package in ("scoring", "tournaments")
        for path in modules(f"{package}/models")
        if "FloatField" in path.read_text(encoding="utf-8")
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


def test_third_party_scripts_and_styles_are_not_copied_into_the_tree() -> None:
    assert [path.name for path in tracked("static/*") if ".min." in path.name] == []


INLINE = re.compile(
    r"<style\b|\sstyle\s*=|<script(?![^>]*\bsrc=)[^>]*>|javascript:|\shx-on"
    r"|\son(abort|blur|change|click|error|focus|input|key\w+|load|mouse\w+|pointer\w+|scroll"
    r"|submit|toggle|touch\w+)\s*=",
    re.IGNORECASE,
)


def test_templates_have_no_inline_script_or_style() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {match.group().strip()}"
        for path in tracked("templates/*.html")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (match := INLINE.search(line)) and 'type="application/json"' not in line
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
