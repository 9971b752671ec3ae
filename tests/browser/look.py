"""Screenshots of every page for visual checks: `make look` writes them to build/look/.

Each page at 360 and 1280 pixels, light and dark, in Swedish and English. ARGS: parts of the names
of the pages wanted; none for all.
"""

import re
import sys
import tempfile
from itertools import product
from pathlib import Path

from playwright.sync_api import sync_playwright

from engine.messages import languages, texts_in
from tests.browser.conftest import ARGUMENTS, Site, find_chromium, sign_in
from tests.browser.pages import LATER, ON_SCREENS, PAGES, fill, play_an_event
from tests.config.server import ROOT

FOLDER = ROOT / "build" / "look"


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
        wanted = [
            (place, fill(place, site, event))
            for pages, event in ((PAGES, ""), (ON_SCREENS, ""), (LATER, play_an_event(site)))
            for place in pages
            if not sys.argv[1:] or any(part in place.name for part in sys.argv[1:])
        ]
        browser = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
        for language, width, light in product(languages(), (360, 1280), ("light", "dark")):
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
                page.goto(address)
                page.wait_for_load_state("load" if place in ON_SCREENS else "networkidle")
                if place in ON_SCREENS:
                    # A screen never falls silent.
                    page.wait_for_timeout(1500)
                name = re.sub(r"[^a-z0-9]+", "-", place.name.lower())
                page.screenshot(path=into / f"{name}.png", full_page=True)
            for page in windows.values():
                page.context.close()
        browser.close()
    print(f"Written: {FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
