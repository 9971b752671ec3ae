"""People in the hall on a Saturday: the director, two helpers at the door, and playing tables."""

import re
import subprocess
import sys
from collections.abc import Iterable

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Open, Site
from tests.config.server import ROOT

PASSWORD = "kungens-kurva-4711"

#: Runs beside the site, on its data: plays the heats whose numbers it reads and signs them off, as
#: phones at the tables would. The desk's work is done on its pages.
PLAY = """
import sys
from scoring.models import Link
from scoring.writing.acceptance import sign_off
from tests.tournaments.factories import play_heat
from tournaments.heats.commands import make_link
from tournaments.models import Heat

for line in sys.stdin:
    heat = play_heat(Heat.objects.get(event__slug="lordag", number=int(line)))
    sign_off(table_id=heat.table_id, by=make_link(heat=heat, by=None))
    print("played", heat.number, flush=True)
"""


class Tables:
    """The tables, which play by themselves while the ``with`` block runs."""

    def __init__(self, site: Site) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "shell", "-v", "0", "-c", PLAY],
            cwd=ROOT,
            env=site.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def play(self, heats: Iterable[int]) -> None:
        """Play heats until they are signed off."""
        assert self.process.stdin
        assert self.process.stdout
        for heat in heats:
            self.process.stdin.write(f"{heat}\n")
            self.process.stdin.flush()
            assert self.process.stdout.readline() == f"played {heat}\n"

    def __enter__(self) -> "Tables":
        return self

    def __exit__(self, *_error: object) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.wait(timeout=60)
        self.process.stdout.close()


class Staff:
    """A staff member with a browser, who uses tabs, links and buttons, never typed addresses."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def tab(self, address: str) -> None:
        """Tap a tab of the event."""
        self.follow(f".tabs a[href$='{address}']")

    def follow(self, link: str) -> None:
        """Tap a link and wait for its page."""
        found = self.page.locator(link).first
        href = found.get_attribute("href") or ""
        found.click()
        self.page.wait_for_url(lambda url: url.endswith(href))

    def button(self, address: str) -> Locator:
        """Return the visible button that posts to an address with this ending."""
        return self.page.locator(
            f"form[action$='{address}'] button:not([formaction]):visible,"
            f" button[formaction$='{address}']:visible"
        ).first

    def press(self, address: str) -> None:
        """Tap the button that posts to an address with this ending, and wait for the new page."""
        with self.page.expect_navigation():
            self.button(address).click()

    def sure(self, address: str) -> None:
        """Tap a button that asks for confirmation, and confirm."""
        self.page.once("dialog", lambda dialog: dialog.accept())
        self.press(address)

    def done(self) -> None:
        """Check that the page reports success."""
        expect(self.page.locator(".notice-success").first).to_be_visible()

    def unfold(self, part: str) -> Locator:
        """Unfold a part of the page if it is folded; return it."""
        found = self.page.locator(part)
        if found.get_attribute("open") is None:
            found.locator("summary").first.click()
        return found

    def heats(self) -> list[int]:
        """Return the numbers of the open heats shown on the floor."""
        self.tab("/desk/floor/")
        links = self.page.locator("#floor .floor-cards h2 a").all()
        return sorted(int(re.findall(r"\d+", a.get_attribute("href") or "")[-1]) for a in links)

    def at_heat(self, number: int) -> None:
        """Go from the floor to a heat's page."""
        self.tab("/desk/floor/")
        self.follow(f"#floor h2 a[href$='/heats/{number}/']")

    def seated(self) -> list[str]:
        """Return the players in the penalty form of the heat's page."""
        return [text.strip() for text in self.page.locator("#do-penalty label.form-check-label")
                .all_text_contents()]  # fmt: skip

    def change_players(self, *, out: int, into: int) -> str:
        """Change the players of a heat that has not begun, by their positions in the two lists.

        Return the names of those who leave.
        """
        part = self.unfold("#do-players")
        chosen = part.locator("select[name=players-out] option").nth(out)
        name = (chosen.text_content() or "").strip()
        part.locator("select[name=players-out]").select_option(index=out)
        part.locator("select[name=players-into]").select_option(index=into)
        self.press("/players/")
        return name


class AtTheDoor(Staff):
    """A helper's phone at the door: type a name, tap once, next."""

    def here(self, name: str) -> None:
        """Check in a player."""
        self.page.fill("#door-q", name)
        row = self.page.locator(".door-row")
        expect(row).to_have_count(1)
        expect(row.locator(".who")).to_have_text(name)
        row.locator("form[action$='/check-in/'] button").click()
        # The field is empty for the next name.
        expect(self.page.locator("#door-q")).to_have_value("")


def helper(
    director: Staff, site: Site, open_page: Open, name: str, role: str = "cashier"
) -> AtTheDoor:
    """Invite a helper, who opens the link on a phone and goes to the door page."""
    director.tab("/desk/staff/")
    director.follow("a[href$='/staff/invite/']")
    director.page.select_option("select[name=role]", role)
    director.page.fill("input[name=note]", name)
    director.page.locator("main form.panel button.btn-primary").click()
    link = director.page.locator("main :text-matches('/invitation/')").first.text_content() or ""
    address = re.search(r"https?://\S+/invitation/\S+", link)
    assert address
    phone = open_page(site.address).page
    phone.goto(address[0])
    phone.fill("input[name=username]", name)
    phone.fill("input[name=password1]", PASSWORD)
    phone.fill("input[name=password2]", PASSWORD)
    phone.locator("main form button.btn-primary").click()
    phone.wait_for_url("**/e/lordag/**")
    found = AtTheDoor(phone)
    found.tab("/desk/check-in/")
    return found
