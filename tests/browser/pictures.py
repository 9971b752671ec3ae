"""The pictures in the README and the guides, taken from the running program: `make pictures`.

Needs Chromium, and pdftoppm (poppler-utils) for the protocol.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import ARGUMENTS, Site, find_chromium

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
#: A finished heat of the demo, and the range of its running heats.
PROTOCOL_OF, FIRST_RUNNING, LAST_RUNNING = 2, 12, 16

#: The data on the demo's day cards, in both languages.
GUIDE = {"door": "desk/check-in/", "floor": "desk/floor/"}


def scoring_page(page: Page, event: str) -> str:
    """Return the scoring link of the running heat with the most entries."""
    found = []
    for number in range(FIRST_RUNNING, LAST_RUNNING + 1):
        page.goto(f"{event}desk/heats/{number}/")
        link = page.locator(".link-text a").get_attribute("href") or ""
        page.goto(link)
        asks_for_hand = page.locator("#live").get_attribute("data-step") in {"hand", ""}
        marks = page.locator(".cell .mark, .cell .asterisks, .cell .executed").count()
        calm = page.locator(".called").count() == 0
        found.append((calm, asks_for_hand, marks, link))
    return max(found)[-1]


def main() -> int:
    """Take the pictures; return the exit status."""
    path = find_chromium()
    if path is None:
        print("The pictures are taken with Chromium, and none was found.", file=sys.stderr)
        return 1
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        Site(Path(folder)) as site,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
        context = browser.new_context(
            base_url=site.address,
            viewport={"width": 390, "height": 844},
            device_scale_factor=2,
            locale="en-GB",
            color_scheme="light",
            reduced_motion="reduce",
        )
        page = context.new_page()
        page.goto("/accounts/login/")
        name, password = site.found("Director").split(" / ")
        page.fill("input[name=login]", name)
        page.fill("input[name=password]", password)
        page.locator("main form button").first.click()
        page.wait_for_url(lambda url: "login" not in url)
        page.goto(scoring_page(page, site.path("Event")))
        page.wait_for_load_state("networkidle")
        page.locator("label.cell:not(.status-out):not(.off)").first.click()
        page.screenshot(path=FOLDER / "scoring.png")
        for language in ("en", "sv"):
            cookie = {"name": "django_language", "value": language, "url": site.address}
            context.add_cookies([cookie])
            for name, path in GUIDE.items():
                page.goto(f"{site.path('Event')}{path}")
                page.wait_for_load_state("networkidle")
                page.screenshot(path=FOLDER / f"{name}.{language}.png", scale="css")
        protocol = page.request.get(f"{site.path('Event')}heats/{PROTOCOL_OF}/protocol.pdf")
        (Path(folder) / "protocol.pdf").write_bytes(protocol.body())
        subprocess.run(
            ["pdftoppm", "-png", "-r", "80", "-singlefile", "-f", "1", "-l", "1"]
            + [str(Path(folder) / "protocol.pdf"), str(FOLDER / "protocol")],
            check=True,
        )
        browser.close()
    print(f"Written: {', '.join(sorted(file.name for file in FOLDER.glob('*.png')))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
