"""Every page: no browser errors, nothing wider than the screen, fully accessible."""

import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, StorageState, expect

from tests.browser.conftest import DESKTOP, PHONE, Open, Site
from tests.browser.pages import LATER, PAGES, CheckedPage, fill, play_an_event
from tests.config.server import ROOT

pytestmark = pytest.mark.pages

WIDTH = """() => {
    const wide = document.documentElement.clientWidth;
    const over = [...document.querySelectorAll("body *")].filter((element) => {
        const box = element.getBoundingClientRect();
        return box.right > wide + 1 && box.width > 0 && !element.closest(
            ".table-responsive, .visually-hidden, [data-scrolls]");
    });
    return {
        over: document.documentElement.scrollWidth - wide,
        by: over.slice(0, 5).map((element) => element.outerHTML.slice(0, 120)),
    };
}"""
SMALL = """() => [...document.querySelectorAll(
    "a[href], button, input:not([type=hidden]), select, summary, [role=button]")]
    .filter((element) => {
        const box = element.getBoundingClientRect();
        const style = getComputedStyle(element);
        if (!box.width || !box.height || style.visibility === "hidden") return false;
        if (element.closest(
            ".visually-hidden, .visually-hidden-focusable, [aria-hidden=true]")) return false;
        // A link inside a sentence, or a field that its label enlarges, needs no size of its own.
        if (element.tagName === "A" && style.display === "inline") return false;
        if (element.closest("label, tbody, thead") || element.matches(".form-check-input")) {
            return false;
        }
        return box.height < 43.5 && box.width < 400;
    })
    .map((element) => element.outerHTML.slice(0, 120))"""


def look(page: Page, path: str) -> None:
    """Open a page and wait until it has settled."""
    answer = page.goto(path)
    assert answer is not None
    assert answer.status == 200, path
    page.wait_for_load_state("networkidle")


def inspect(page: Page, language: str, size: tuple[int, int]) -> None:
    """Check the open page's language, head, width, targets and accessibility."""
    assert page.locator("html").get_attribute("lang") == language
    assert page.locator("h1").count() == 1
    assert page.title().strip()
    # On a phone also the narrowest, and twice as large text.
    text = "document.documentElement.style.fontSize = '{}'"
    sizes = ((320, ""), (360, "200%"), (360, ""), (412, ""))
    for width, large in sizes if size == PHONE else ((768, ""), (1280, "")):
        page.set_viewport_size({"width": width, "height": size[1]})
        page.evaluate(text.format(large))
        wide = page.evaluate(WIDTH)
        assert wide["over"] <= 0, f"wider than {width} {large}: {wide['by']}"
    if size == PHONE:
        assert page.evaluate(SMALL) == []
        for head in page.locator(".site-header").all():
            assert (head.bounding_box() or {})["height"] < 60, "the head takes two lines"
    result = Axe().run(page)
    assert result.violations_count == 0, result.generate_report()


Windows = Callable[..., Iterator[tuple[Page, str, tuple[int, int]]]]


@pytest.fixture
def windows(festival_site: Site, open_page: Open, keys: dict[str, StorageState | None]) -> Windows:
    """Return a function that opens a dark Swedish phone, then a light English desktop."""

    def opened(who: str = "", *expected: str) -> Iterator[tuple[Page, str, tuple[int, int]]]:
        for dark, size, language in ((True, PHONE, "sv"), (False, DESKTOP, "en")):
            watched = open_page(
                festival_site.address, size=size, dark=dark, language=language, state=keys[who]
            )
            watched.expected = list(expected)
            yield watched.page, language, size
            watched.page.context.close()

    return opened


@pytest.fixture(scope="session")
def played_event(festival_site: Site) -> str:
    """The path of an event that bots have played to its end on the running site."""
    return play_an_event(festival_site)


@pytest.fixture(scope="session")
def open_event(festival_site: Site) -> str:
    """The path of an event on the running site with an open sign-up."""
    make = """
from django.utils import timezone
from tournaments.events.commands.events import create_event
create_event(name="Öppet hus", slug="open", by=None, status="open", capacity=3,
             sign_up_opens_at=timezone.now())
"""
    subprocess.run(
        [sys.executable, "manage.py", "shell", "--verbosity", "0", "-c", make],
        cwd=ROOT,
        env=festival_site.environment,
        check=True,
    )
    return "/e/open/"


@pytest.fixture(scope="session")
def long_names(festival_site: Site) -> str:
    """The path of an event on the running site whose players have names of 85 letters."""
    make = f"""
from django.contrib.auth.models import User
from tests.tournaments.factories import play_heat
from tournaments.draws.commands.drafts import draw_heats
from tournaments.events.commands.events import create_event
from tournaments.registration.commands.people import register_person
from tournaments.registration.commands.check_in import check_in
owner = User.objects.get(username="{festival_site.found("Owner").split(" / ")[0]}")
event = create_event(name="Långa namn", slug="long", by=owner, status="open")
for first in ("Åsa", "Bo", "Cia", "Dag", "Eva", "Fia", "Gun", "Wilhelmina"):
    name = first + " Alexandra Charlotta von Schantz af Rosenborg-Lejonhufvudsdotter-Ehrenkrona"
    check_in(registration=register_person(event=event, legal_name=name, by=None), by=None)
play_heat(draw_heats(event=event, by=None, seed="long").heats[0])
"""
    subprocess.run(
        [sys.executable, "manage.py", "shell", "--verbosity", "0", "-c", make],
        cwd=ROOT,
        env=festival_site.environment,
        check=True,
    )
    return "/e/long/"


@pytest.mark.parametrize(
    "page", ["", "heats/1/", "standings/", "standings/heats/", "desk/", "desk/floor/"]
)
def test_a_very_long_name_makes_no_page_wider(
    page: str, long_names: str, festival_site: Site, windows: Windows
) -> None:
    for shown, _language, _size in windows("Owner" if page.startswith("desk") else ""):
        look(shown, long_names + page)
        wide = shown.evaluate(WIDTH)
        assert wide["over"] <= 0, wide["by"]


def test_what_decided_a_heat_has_most_of_a_phone_s_width(
    played_event: str, festival_site: Site, windows: Windows
) -> None:
    for page, _language, size in windows(""):
        look(page, played_event + "standings/heats/")
        wide = page.evaluate("document.querySelector('.name-cell:has(.reason)').offsetWidth")
        assert wide > size[0] / 2 or size != PHONE


@pytest.mark.parametrize("place", PAGES, ids=lambda place: place.name)
def test_a_page_is_accessible_and_fits(
    place: CheckedPage, festival_site: Site, windows: Windows
) -> None:
    for page, language, size in windows(place.who):
        look(page, fill(place, festival_site))
        inspect(page, language, size)


@pytest.mark.parametrize("place", LATER, ids=lambda place: place.name)
def test_a_page_of_a_played_event_is_accessible_and_fits(
    place: CheckedPage, played_event: str, festival_site: Site, windows: Windows
) -> None:
    for page, language, size in windows(place.who):
        look(page, fill(place, festival_site, played_event))
        inspect(page, language, size)


def test_a_players_own_page_is_accessible_and_fits(festival_site: Site, windows: Windows) -> None:
    staff, *_ = next(windows("Director"))
    look(staff, f"{festival_site.path('Event')}desk/players/1/slip/")
    address = staff.locator(".slip .link-text").inner_text()
    staff.context.close()
    for page, language, size in windows():
        look(page, "/p/" + address.partition("/p/")[2])
        inspect(page, language, size)


def test_the_code_for_the_others_at_a_table_is_accessible_and_fits(
    festival_site: Site, windows: Windows
) -> None:
    for page, language, size in windows():
        look(page, festival_site.path("Scoring link"))
        page.locator("form[action$='share/'] button").click()
        page.locator(".share-code").wait_for(timeout=30_000)
        inspect(page, language, size)


def test_a_list_s_preview_is_accessible_and_fits(festival_site: Site, windows: Windows) -> None:
    for page, language, size in windows("Director"):
        look(page, f"{festival_site.path('Event')}desk/import/")
        page.locator("textarea[name=text]").fill(f"name;e-mail\n{'A' * 300};a@b.se\nBo Ek;no")
        page.locator("main form button.btn-primary").click()
        page.locator(".preview-table").wait_for(timeout=30_000)
        inspect(page, language, size)


def test_signing_up_is_accessible_and_fits(
    open_event: str, festival_site: Site, windows: Windows
) -> None:
    for page, language, size in windows("", "^422 POST .*/sign-up/", "status of 422"):
        look(page, open_event)
        inspect(page, language, size)
        look(page, f"{open_event}sign-up/")
        inspect(page, language, size)
        send = page.locator("main form button.btn-lg")
        send.click()
        page.wait_for_load_state("networkidle")
        assert page.locator("[aria-invalid=true]").count()
        inspect(page, language, size)
        page.locator("input[name=legal_name]").fill(f"Åsa Öberg {language}")
        page.locator("input[name=visibility]").first.check()
        send.click()
        page.wait_for_url("**/p/**")
        page.wait_for_load_state("networkidle")
        inspect(page, language, size)


def test_an_invitation_is_accessible_and_fits(festival_site: Site, windows: Windows) -> None:
    staff, *_ = next(windows("Owner"))
    look(staff, f"{festival_site.path('Event')}desk/staff/invite/")
    staff.locator("main form button[type=submit], main form button:not([type])").first.click()
    staff.wait_for_load_state("networkidle")
    inspect(staff, "sv", PHONE)
    address = staff.locator(".link-text").first.inner_text()
    staff.context.close()
    for page, language, size in windows():
        look(page, "/invitation/" + address.partition("/invitation/")[2])
        inspect(page, language, size)


def test_the_import_preview_is_accessible_and_fits(festival_site: Site, windows: Windows) -> None:
    for page, language, size in windows("Director"):
        look(page, f"{festival_site.path('Event')}desk/import/")
        page.locator("textarea").fill("name;club\nÅsa Öberg;Malmö\n;\nÅsa Öberg;Malmö\nBo Ek;")
        page.locator("main form button").first.click()
        page.wait_for_load_state("networkidle")
        assert page.get_by_text("Åsa Öberg").count()
        inspect(page, language, size)


def test_a_corrections_preview_is_accessible_and_fits(
    festival_site: Site, windows: Windows
) -> None:
    for page, language, size in windows("Director"):
        look(page, f"{festival_site.path('Event')}desk/heats/2/games/1/2/")
        page.locator("input[name=kind][value=void]").check()
        page.locator("[name=reason]").fill("Den räknades två gånger")
        page.locator("main form button[type=submit], main form button:not([type])").last.click()
        page.wait_for_load_state("networkidle")
        assert page.url.endswith("/preview/")
        inspect(page, language, size)


def test_dark_and_light_really_differ(festival_site: Site, open_page: Open) -> None:
    grounds = set()
    for dark in (False, True):
        page = open_page(festival_site.address, dark=dark).page
        look(page, "/")
        grounds.add(page.evaluate("() => getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == 2


def test_the_reader_switches_the_language(festival_site: Site, open_page: Open) -> None:
    page = open_page(festival_site.address, language="en").page
    look(page, festival_site.path("Event"))
    page.locator("button[name=language]").click()
    page.wait_for_load_state("networkidle")
    assert page.locator("html").get_attribute("lang") == "sv"
    look(page, "/")
    assert page.locator("html").get_attribute("lang") == "sv"


def test_a_missing_page_says_so(festival_site: Site, open_page: Open) -> None:
    watched = open_page(festival_site.address)
    watched.expected = [r"^404 GET ", r"status of 404"]
    answer = watched.page.goto("/e/nothing-here/")
    assert answer is not None
    assert answer.status == 404
    assert watched.page.locator("h1").count() == 1
    assert Axe().run(watched.page).violations_count == 0


def test_a_print_of_the_whole_event_is_made_in_the_background(
    festival_site: Site, open_page: Open, keys: dict[str, StorageState | None]
) -> None:
    page = open_page(festival_site.address, state=keys["Director"]).page
    look(page, f"{festival_site.path('Event')}desk/prints/")
    page.locator("button[name=kind]").first.click()
    link = page.locator("a[href$='.pdf']").first
    expect(link).to_be_visible(timeout=60_000)
    answer = page.request.get(link.get_attribute("href") or "")
    assert answer.status == 200
    assert answer.body().startswith(b"%PDF")
