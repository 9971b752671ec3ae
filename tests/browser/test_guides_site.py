"""The built site of guides in a browser: its policy holds, its search finds, its words fit."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import DESKTOP, PHONE, Open
from tests.config.server import ROOT, Server

pytestmark = pytest.mark.pages


@pytest.fixture(scope="module")
def guides(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of the site, which is built first if nobody has."""
    if not (ROOT / "build/site/site.json").exists():
        subprocess.run([sys.executable, "tools/environment.py", "--docs"], cwd=ROOT, check=True)
        python = ROOT / "build/docs-venv" / ("Scripts" if sys.platform == "win32" else "bin")
        subprocess.run([python / "python", "-m", "tools.guides"], cwd=ROOT, check=True)
    folder: Path = tmp_path_factory.mktemp("guides")
    server = Server(folder, DEMO="0")
    server.start()
    yield f"{server.address}/docs/"
    server.stop()


@pytest.mark.parametrize("language", ["en", "sv"])
def test_a_figure_is_found(guides: str, open_page: Open, language: str) -> None:
    page = open_page(guides, language=language, size=DESKTOP).page
    page.goto(guides)
    page.locator("input.sidebar-search").fill("52")
    page.keyboard.press("Enter")
    first = page.locator("#search-results li").first
    first.locator("a").click()
    page.wait_for_url(f"**/{language}/glossary.html*")
    wins = {"en": "the score that wins a game", "sv": "poängen som vinner ett parti"}[language]
    assert wins in page.locator("tr:target").inner_text()


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
@pytest.mark.parametrize("name", ["index", "director", "api", "glossary", "genindex"])
def test_pages_load_nothing_from_elsewhere(
    guides: str, open_page: Open, name: str, size: tuple[int, int]
) -> None:
    page = open_page(guides, language="sv", size=size, dark=True).page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{guides}sv/{name}.html", wait_until="networkidle")
    host = guides.removesuffix("docs/")
    assert [one for one in asked if not one.startswith((host, "data:"))] == []
    # Wide tables scroll by themselves.
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    # Its inline script has run: the policy knows its hash.
    assert page.locator("body").get_attribute("data-theme") == "auto"


def test_the_theme_speaks_swedish(guides: str, open_page: Open) -> None:
    page = open_page(guides, language="sv", size=DESKTOP).page
    page.goto(f"{guides}sv/director.html")
    page.evaluate("document.querySelector('article').remove()")
    text = page.evaluate("document.body.textContent + document.body.innerHTML")
    for english in ("On this page", "Skip to", "Back to top", "Made with", "Next", "Previous"):
        assert english not in text
    for english in ("Toggle", "Light mode", "Dark mode", "Contents", "Search"):
        assert english not in text
    page.get_by_role("link", name="In English").click()
    page.wait_for_url("**/docs/en/director.html")
