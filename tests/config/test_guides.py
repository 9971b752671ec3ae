"""The guides: links lead somewhere, both languages say the same, buttons have their real names."""

import re
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.core.management import get_commands

from config import texts
from engine.messages import texts_in
from tests.config.server import ROOT

PAGES = sorted(
    path
    for folder in ("*", "docs/**/*", "engine/*", "benchmarks/*")
    for path in ROOT.glob(f"{folder}.md")
    if not path.name.startswith(".")
)
PAIRS = [
    (path, path.with_suffix(".sv.md")) for path in PAGES if path.with_suffix(".sv.md").exists()
]
CODE = re.compile(r"```.*?```|^    .*?$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def prose(path: Path) -> str:
    """Return a page's text without code."""
    return CODE.sub("", path.read_text(encoding="utf-8"))


def anchors(path: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub and GitLab make them."""
    found = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    plain = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in found]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in plain}


def named(path: Path) -> Iterator[str]:
    """Yield what a guide sets in italics: names of buttons, tabs and pages."""
    for name in re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", prose(path)):
        yield " ".join(name.split()).rstrip(".:")


def shown(language: str) -> set[str]:
    """Return the texts of pages in one language, in lower case and up to their first gap."""
    engine = texts_in(language)
    found = [*engine.rulings.values()]
    found += [*engine.entries.values()]
    for catalogue in texts.catalogues():
        for entry in polib.pofile(str(catalogue)):
            forms = [entry.msgstr, *entry.msgstr_plural.values()]
            found += [entry.msgid, entry.msgid_plural] if language == "en" else forms
    return {re.split(r"%\(|\{", text)[0].strip().rstrip(".:").lower() for text in found} | {
        re.split(r"[:?]", text)[0].strip().lower() for text in found
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        target, _, anchor = link.partition("#")
        if ":" in target:
            continue
        path = (page.parent / target).resolve() if target else page
        if not path.exists() or (anchor and anchor not in anchors(path)):
            broken.append(link)
    assert broken == []


def test_every_guide_is_listed_on_its_first_page() -> None:
    """The menus of the site are made of these lists (tools/guides)."""
    for first in ("README.md", "README.sv.md"):
        listed = set(re.findall(r"\]\(([^)#:]+)\)", (ROOT / "docs" / first).read_text("utf-8")))
        guides = {
            path.relative_to(ROOT / "docs").as_posix()
            for path in PAGES
            if path.is_relative_to(ROOT / "docs")
            and path.name.endswith(".sv.md") == (".sv." in first)
        }
        assert guides - listed == {first}


@pytest.mark.parametrize(("english", "swedish"), PAIRS, ids=lambda page: page.name)
def test_a_swedish_guide_is_as_complete_as_the_english_one(english: Path, swedish: Path) -> None:
    def shape(page: Path) -> list[str]:
        """Return headings by level, pictures, and rows of tables, in order."""
        return re.findall(
            r"^(#+ |!\[|\||- |\d+\. )", page.read_text(encoding="utf-8"), re.MULTILINE
        )

    assert shape(swedish) == shape(english)


@pytest.mark.parametrize(
    "page", [page for pair in PAIRS for page in pair], ids=lambda page: page.name
)
def test_guides_call_buttons_by_their_names(page: Path) -> None:
    texts_shown = shown("sv" if ".sv." in page.name else "en")
    # "Take 600" stands for the button with any amount, "+5 min" for any number of minutes.
    gaps = re.compile(r" ?(\d+|…).*$")
    unknown = [
        name
        for name in named(page)
        if name.lower() not in texts_shown
        and gaps.sub("", name).strip().lower() not in texts_shown
        and not name.startswith("+5 min")
    ]
    assert unknown == []


def test_commands_in_guides_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][a-z-]*):", makefile, re.MULTILINE))
    unknown = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        unknown += [
            name for name in re.findall(r"manage\.py ([a-z_]+)", text) if name not in get_commands()
        ]
        unknown += [name for name in re.findall(r"`make ([a-z-]+)", text) if name not in targets]
    assert unknown == []
