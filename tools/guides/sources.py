"""Lay out the guides as Sphinx wants them: a tree of its own for each language.

In the repository ``x.md`` is the English guide and ``x.sv.md`` the Swedish one beside it, and links
are those of the files. Translating one tree by gettext would break links in silence.
"""

import os
import re
import shutil
from pathlib import Path

from tools.guides.openapi import reference

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
#: Pages from elsewhere in the repository, by their names on the site.
ELSEWHERE = {
    "security": ROOT / "SECURITY.md",
    "contributing": ROOT / "CONTRIBUTING.md",
    "changelog": ROOT / "CHANGELOG.md",
    "engine-changelog": ROOT / "engine/CHANGELOG.md",
    "benchmarks": ROOT / "benchmarks/README.md",
}
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\]\()([^)\s]+)(\))")
CODE = re.compile(r"(```.*?```|^    .*?$|`[^`\n]*`)", re.MULTILINE | re.DOTALL)


def trees() -> dict[str, dict[Path, str]]:
    """Return, for each language, the files of its tree and their names on the site."""
    found: dict[str, dict[Path, str]] = {"en": {}, "sv": {}}
    for path in sorted(DOCS.rglob("*.md")):
        name = path.relative_to(DOCS).with_suffix("").as_posix()
        language = "sv" if name.endswith(".sv") else "en"
        name = re.sub(r"(^|/)README$", r"\1index", name.removesuffix(".sv"))
        found[language][path] = name
    found["en"].update({path: name for name, path in ELSEWHERE.items()})
    return found


def lay_out(language: str, folder: Path) -> None:
    """Write the tree of a language, with what is made from the engine and the API's description."""
    shutil.rmtree(folder, ignore_errors=True)
    files = trees()[language]
    for path, name in files.items():
        text = relink(path, name, language)
        if name == "index":
            text += contents(text, language)
        write(folder / f"{name}.md", text)
    shutil.copytree(DOCS / "pictures", folder / "pictures")
    (folder / "formats").mkdir(exist_ok=True)
    shutil.copy(DOCS / "formats/openapi.yaml", folder / "formats")
    if language == "en":
        write(folder / "api-reference.md", reference(DOCS / "formats/openapi.yaml"))
        for room, text in engine_pages().items():
            write(folder / f"engine/{room}.md", text)


def write(path: Path, text: str) -> None:
    """Write a page."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def relink(path: Path, name: str, language: str) -> str:
    """Return a guide with links to where its neighbours stand in the trees."""
    by_path = {
        file: (tree, page) for tree, files in trees().items() for file, page in files.items()
    }
    here = Path(name).parent

    def moved(link: re.Match[str]) -> str:
        before, target, after = link.groups()
        file, _, anchor = target.partition("#")
        if ":" in target or not file:
            return link[0]
        found = (path.parent / file).resolve()
        tree, page = by_path.get(found, (language, ""))
        if not page:
            relative = found.relative_to(DOCS)
            return f"{before}{os.path.relpath(relative, here)}{after}"
        end = f"#{anchor}" if anchor else ""
        if tree == language:
            return f"{before}{os.path.relpath(page, here)}.md{end}{after}"
        up = "../" * (len(here.parts) + 1)
        return f"{before}site:{up}{tree}/{page}.html{end}{after}"

    parts = CODE.split(path.read_text(encoding="utf-8"))
    # Every second part is code; a link's text may hold some, so it is put together again before.
    marks = {f"\0{number}\0": part for number, part in enumerate(parts) if number % 2}
    text = "".join(f"\0{number}\0" if number % 2 else part for number, part in enumerate(parts))
    text = LINK.sub(moved, text)
    return re.sub(r"\0\d+\0", lambda mark: marks[mark[0]], text)


def contents(text: str, language: str) -> str:
    """Return the tables of contents: one for each section of the first page, with what it lists."""
    seen: set[str] = set()
    tables = []
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title = section.partition("\n")[0]
        pages = [
            target
            for target in re.findall(r"\]\(([^)#:\s]+)\.md\)", section)
            if not (target in seen or seen.add(target))
        ]
        if language == "en" and "api-reference" not in seen and title == "Reference":
            pages += ["api-reference", *(f"engine/{room}" for room in engine_pages())]
        if pages:
            lines = "\n".join(pages)
            tables.append(
                f"```{{toctree}}\n:hidden:\n:caption: {title}\n:maxdepth: 1\n\n{lines}\n```\n"
            )
    return "\n" + "\n".join(tables)


#: The engine's rooms, with the words that their pages begin with.
ROOMS = {
    "chicago_engine": "The engine: the package itself",
    "rules": "The engine: rule sets",
    "cards": "The engine: cards and hands",
    "sheet": "The engine: score sheets",
    "ranking": "The engine: heats, events, play-offs",
    "draws": "The engine: draws",
    "totals": "The engine: totals of paper sheets",
    "table": "The engine: card play",
    "bots": "The engine: bots and simulation",
    "messages": "The engine: sentences and names",
}


def engine_pages() -> dict[str, str]:
    """Return the pages of the engine's reference: each room's modules by their docstrings."""
    pages = {}
    for room, title in ROOMS.items():
        folder = ROOT / "engine" if room == "chicago_engine" else ROOT / "engine" / room
        names = [path.stem for path in sorted(folder.glob("*.py")) if path.stem[0] != "_"]
        start = "chicago_engine" if room == "chicago_engine" else f"chicago_engine.{room}"
        lines = [f"# {title}", ""]
        for name in names:
            lines += [f"## `{start}.{name}`", "", "```{eval-rst}"]
            lines += [f".. automodule:: {start}.{name}", "   :members:", "```", ""]
        pages[room] = "\n".join(lines)
    return pages
