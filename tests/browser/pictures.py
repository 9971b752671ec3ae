"""The pictures in the README and the guides, taken from the running program: `make pictures`.

Needs Chromium, and pdftoppm (poppler-utils) for what is printed.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import ARGUMENTS, Site, find_chromium, press
from tests.browser.pages import play_an_event, play_to_the_final

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
#: A finished heat of the demo, and the range of its running heats.
FINISHED, FIRST_RUNNING, LAST_RUNNING = 2, 12, 16
REASON = {"en": "The hands were equal", "sv": "Händerna var lika"}


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


def draw_a_print(page: Page, address: str, name: str, resolution: int) -> None:
    """Write the first page of a PDF as a picture."""
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(page.request.get(address).body())
        file.flush()
        subprocess.run(
            ["pdftoppm", "-png", "-r", str(resolution), "-singlefile", "-f", "1", "-l", "1"]
            + [file.name, str(FOLDER / name)],
            check=True,
        )


def take_guide(page: Page, event: str, played: str, language: str) -> None:
    """Take the pictures of the director's guide in one language."""

    def shoot(name: str) -> None:
        page.wait_for_load_state("networkidle")
        page.screenshot(path=FOLDER / f"{name}.{language}.png", scale="css")

    page.goto(f"{event}desk/check-in/")
    shoot("door")
    page.goto(f"{event}desk/floor/")
    shoot("floor")

    page.goto(f"{event}desk/")
    press(page, "/draws/make/")
    page.locator(".draft-cards .picks label").first.click()
    shoot("draft")
    press(page, "/discard/")

    page.goto(f"{event}desk/heats/{FINISHED}/games/1/2/")
    page.locator("label.choice:has(input[name=entry]:not(:checked)):visible").first.click()
    page.fill("[name=reason]", REASON[language])
    page.locator("form[action*='/preview/'] button.btn-primary").click()
    shoot("correction")

    page.goto(f"{event}desk/prints/")
    page.locator("button[name=kind][value=table_cards]").click()
    ready = page.locator("#jobs .panel").first.locator("a.btn-primary")
    ready.wait_for(timeout=60_000)
    draw_a_print(page, ready.get_attribute("href") or "", f"cards.{language}", 45)

    # A phone has the rounds alone.
    phone = page.viewport_size
    page.set_viewport_size({"width": 1000, "height": 844})
    page.goto(f"{played}play-offs/")
    page.locator(".bracket").screenshot(path=FOLDER / f"bracket.{language}.png", scale="css")
    if phone:
        page.set_viewport_size(phone)


def take_screens(page: Page, event: str, final: str, language: str) -> None:
    """Take the pictures of the hall's screens: the desk's page on a phone, tables and a final."""
    page.goto(f"{event}desk/screens/")
    frames = page.frame_locator(".screen-frame iframe")
    frames.first.locator(".part").wait_for()
    page.screenshot(path=FOLDER / f"screens.{language}.png", scale="css")
    phone = page.viewport_size
    page.set_viewport_size({"width": 1280, "height": 720})
    for name, address in (
        ("screen-tables", f"{event}desk/screens/1/view/?part=tables"),
        ("screen-final", f"{final}desk/screens/1/view/?part=final"),
    ):
        page.goto(address)
        page.locator(".tile, .finalist").first.wait_for()
        page.screenshot(path=FOLDER / f"{name}.{language}.png", scale="css")
    if phone:
        page.set_viewport_size(phone)


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
        event = site.path("Event")
        sheet = scoring_page(page, event)
        draw_a_print(page, f"{event}heats/{FINISHED}/protocol.pdf", "protocol", 80)
        played, final = play_an_event(site), play_to_the_final(site)
        for language in ("en", "sv"):
            cookie = {"name": "django_language", "value": language, "url": site.address}
            context.add_cookies([cookie])
            page.goto(sheet)
            page.wait_for_load_state("networkidle")
            page.locator("label.cell:not(.status-out):not(.off)").first.click()
            page.screenshot(path=FOLDER / f"scoring.{language}.png")
            take_guide(page, event, played, language)
            take_screens(page, event, final, language)
        browser.close()
    print(f"Written: {', '.join(sorted(file.name for file in FOLDER.glob('*.png')))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
