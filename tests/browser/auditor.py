"""An Auditor's taps: turns the engine's entries into taps on the page."""

import json
import re
from collections.abc import Callable, Sequence

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from engine.sheet.entries import Chicago, Entry, LastTrick


def sits(page: Page) -> None:
    """Confirm the seating if the page asks."""
    if page.locator(".seats-asked").count():
        page.locator(".seats-asked > .btn-next").click()
        expect(page.locator(".seats-asked")).to_have_count(0)
        # The next question has taken its place: a tap at once is nobody's answer to it.
        expect(page.locator(".held")).to_have_count(0)


def drawn(page: Page, timeout: float = 10_000) -> None:
    """Wait until the page shows the table."""
    page.locator("#live[data-version]").wait_for(timeout=timeout)


def takes_taps(page: Page) -> None:
    """Wait until a page just opened takes taps: the sheet, and what came in another's place."""
    page.evaluate("Promise.allSettled(document.getAnimations().map(({finished}) => finished))")
    expect(page.locator(".held")).to_have_count(0)


def saved(page: Page, state: str = "saved") -> None:
    """Wait until the page says that nothing waits to be sent, or another ``state``.

    After a tap the score is painted first; a frame later the page says that something waits.
    """
    page.evaluate(
        "new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(done))))"
    )
    expect(page.locator("#saving")).to_have_attribute("data-state", state)


def is_accessible(page: Page) -> None:
    """Assert that axe finds nothing on the page as it is, light and dark."""
    for scheme in ("dark", "light"):
        # Otherwise colours fade from the one to the other.
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        result = Axe().run(page)
        assert result.violations_count == 0, result.generate_report()


class Thumb:
    """Taps entries into the Auditor's page: at most two taps each, plus a confirmation if asked."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0
        drawn(page)
        sits(page)

    def write(self, entry: Entry, *, sure: bool = False) -> None:
        """Write one entry and wait until the page shows that it is saved."""
        if self.page.locator(".rulings").count():
            self.page.locator(".rulings button").click()
            expect(self.page.locator(".rulings")).to_have_count(0)
        version = self.version()
        self.taps = 0
        if isinstance(entry, Chicago) and self.question() != "chicago":
            self.tap(f"button[name=announce][value='{entry.seat}']")
            expect(self.page.locator(".question")).to_have_attribute("data-step", "chicago")
        what = entry.as_json()
        seat = None if isinstance(entry, Chicago | LastTrick) else what.pop("seat", None)
        button = f"#entry [name=what][value='{json.dumps(what, separators=(',', ':'))}']"
        # A tile lights only where an answer waits for its player.
        fold = self.page.locator(button).first.locator("xpath=ancestor::details[not(@open)]")
        if fold.count():
            fold.locator("summary").click()
        if seat is not None:
            self.tap(f"label.cell:has(input[name=seat][value='{seat}'])")
        self.tap(button)
        assert self.taps <= 2
        if sure:
            self.page.locator("#confirm [data-answer=yes]").click()
        self.saved(version + 1)

    def question(self) -> str:
        """Return what the page asks for: ``hand``, ``trick`` or ``chicago``."""
        return self.page.locator(".question").get_attribute("data-step") or ""

    def tap(self, where: str) -> None:
        """Tap an element that is visible on the screen."""
        self.taps += 1
        self.page.locator(where).first.click()

    def take_back(self) -> None:
        """Take back the last entry."""
        version = self.version()
        self.page.locator("button.undo").click()
        self.saved(version + 1)

    def version(self) -> int:
        """Return the version of the sheet on the page."""
        return int(self.page.locator("#live").get_attribute("data-version") or -1)

    def saved(self, version: int) -> None:
        """Wait until the page shows this version as saved."""
        expect(self.page.locator("#live")).to_have_attribute("data-version", str(version))
        expect(self.page.locator("#saving")).to_have_attribute("data-state", "saved")

    def scores(self) -> list[int]:
        """Return the scores on the board, clockwise."""
        shown = self.page.locator(".cell-score").all_inner_texts()
        return [int(re.match(r"-?\d+", text.strip())[0]) for text in shown]

    def play(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self.write(entry)


def only(handle: Callable[[Route], object], *acts: str) -> Callable[[Route], object]:
    """Return a handler for the calls that carry such taps, or no taps; all others pass."""

    def handled(route: Route) -> object:
        taps = {tap["act"] for tap in json.loads(route.request.post_data or "{}").get("taps", ())}
        wanted = bool(taps & set(acts)) if acts else not taps
        return handle(route) if wanted else route.fallback()

    return handled
