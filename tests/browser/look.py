"""Screenshots of every page for visual checks: `make look` writes them to build/look/.

Each page at 360 and 1280 pixels, light and dark, in Swedish and English; what the hall's screens
show at 1280 × 720 only, before, in and after a final. ARGS: parts of the names of the pages wanted;
none for all.
"""

import re
import sys
import tempfile
from itertools import product
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from engine.messages import languages, texts_in
from tests.browser.conftest import ARGUMENTS, Site, find_chromium, sign_in
from tests.browser.pages import (
    AFTER_A_FINAL,
    IN_A_FINAL,
    LATER,
    ON_SCREENS,
    PAGES,
    SCREENS,
    fill,
    play_a_season,
    play_to_the_final,
)
from tests.config.server import ROOT

#: Of what the hall's screens show, and of the wide pages.
WIDTH = 1280
FOLDER = ROOT / "build" / "look"


def look_at_screen(page: Page, address: str, file: Path, *, dark: bool) -> None:
    """Take a picture of what a screen or an overlay shows, whose ground stays transparent."""
    before = page.viewport_size
    page.set_viewport_size({"width": WIDTH, "height": 720})
    page.goto(address)
    # It never falls silent.
    page.locator(".part, .overlay-part, .hall-letters").first.wait_for()
    page.wait_for_timeout(500)
    page.evaluate("(dark) => document.body.classList.toggle('is-dark', dark)", dark)
    page.screenshot(path=file, omit_background="/overlay/" in address)
    if before:
        page.set_viewport_size(before)


def main() -> int:
    """Take the screenshots; return the exit status."""
    path = find_chromium()
    if path is None:
        print("The pictures are taken with Chromium, and none was found.", file=sys.stderr)
        return 1
    with (
        tempfile.TemporaryDirectory() as folder,
        Site(Path(folder)) as site,
        sync_playwright() as driver,
    ):
        played = play_a_season(site)
        sets = ((PAGES, ""), (ON_SCREENS, ""), (LATER + AFTER_A_FINAL, played))
        wanted = [
            (place, fill(place, site, event))
            for pages, event in (*sets, (IN_A_FINAL, play_to_the_final(site)))
            for place in pages
            if not sys.argv[1:] or any(part in place.name for part in sys.argv[1:])
        ]
        browser = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
        for language, width, light in product(languages(), (360, WIDTH), ("light", "dark")):
            into = FOLDER / f"{language}-{width}-{light}"
            windows = {}
            for who in {place.who for place, _address in wanted}:
                context = browser.new_context(
                    base_url=site.address,
                    viewport={"width": width, "height": 800},
                    locale=texts_in(language).locale,
                    color_scheme=light,
                    reduced_motion="reduce",
                )
                windows[who] = context.new_page()
                if who:
                    sign_in(windows[who], *site.found(who).split(" / "))
            for place, address in wanted:
                page = windows[place.who]
                name = re.sub(r"[^a-z0-9]+", "-", place.name.lower())
                if place not in SCREENS:
                    page.goto(address)
                    page.wait_for_load_state("networkidle")
                    page.screenshot(path=into / f"{name}.png", full_page=True)
                elif width == WIDTH:
                    look_at_screen(page, address, into / f"{name}.png", dark=light == "dark")
            for page in windows.values():
                page.context.close()
        browser.close()
    print(f"Written: {FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
