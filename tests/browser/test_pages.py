"""Every page: no browser errors, nothing wider than the screen, fully accessible."""

import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, StorageState, expect

from tests.browser.conftest import DESKTOP, PHONE, Open, Site
from tests.browser.pages import LATER, PAGES, CheckedPage, fill, play_a_season
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

#: Cells whose text lies on another's, or goes over their right edge.
ON_EACH_OTHER = """() => {
    const SKIPPED = ".visually-hidden, svg, details:not([open]) > :not(summary)";
    const texts = [], wrong = [], range = document.createRange();
    for (const cell of document.querySelectorAll("td, th")) {
        const hidden = cell.closest(".visually-hidden") || cell.closest("thead");
        if (hidden && getComputedStyle(hidden).clipPath !== "none") continue;
        const edge = cell.getBoundingClientRect().right + 1;
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const text = walker.currentNode;
            if (!text.data.trim() || text.parentElement.closest(SKIPPED)) continue;
            range.selectNodeContents(text);
            for (const box of range.getClientRects()) {
                if (box.right > edge) wrong.push(`${text.data} goes over its edge`);
                texts.push([cell, box, text.data.trim()]);
            }
        }
    }
    for (const [cell, box, text] of texts) for (const [other, under, name] of texts) {
        if (cell !== other && box.left < under.right - 1 && under.left < box.right - 1
            && box.top < under.bottom - 4 && under.top < box.bottom - 4) {
            wrong.push(`${text} lies on ${name}`);
        }
    }
    return wrong.slice(0, 5);
}"""


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
    return play_a_season(festival_site)


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


@pytest.fixture(scope="session")
def written_from_the_right(festival_site: Site) -> str:
    """The path of an event on the running site whose players have names in Arabic."""
    make = f"""
from django.contrib.auth.models import User
from tests.tournaments.factories import play_heat
from tournaments.draws.commands.drafts import draw_heats
from tournaments.events.commands.events import create_event
from tournaments.registration.commands.people import register_person
from tournaments.registration.commands.check_in import check_in
owner = User.objects.get(username="{festival_site.found("Owner").split(" / ")[0]}")
event = create_event(name="Från höger", slug="right", by=owner, status="open")
for name in ("كريم عيسى", "ليلى عيسى", "سامي عيسى", "نور عيسى"):
    check_in(registration=register_person(event=event, legal_name=name, by=None), by=None)
play_heat(draw_heats(event=event, by=None, seed="right").heats[0])
"""
    festival_site.manage("shell", "--verbosity", "0", "-c", make)
    return "/e/right/"


#: Figures that a name written from right to left has drawn to its other side.
DRAWN_OVER = """() => {
    const range = document.createRange(), texts = [];
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    for (let last = null; walker.nextNode(); last = walker.currentNode) {
        const text = walker.currentNode;
        const is_name = last && /\\p{Script=Arabic}\\s*$/u.test(last.data);
        if (!is_name || !/^\\s*\\d/.test(text.data)) continue;
        const [name, figure] = [last, text].map((each) => {
            range.selectNodeContents(each);
            return range.getBoundingClientRect();
        });
        const one_line = Math.abs(name.bottom - figure.bottom) < 12;
        texts.push(one_line && figure.left < name.right - 1 ? last.data + text.data : "");
    }
    return texts;
}"""


@pytest.mark.parametrize("path", ["desk/heats/1/games/1/", "heats/1/", "standings/heats/"])
def test_names_from_the_right_leave_their_neighbours_in_place(
    path: str, written_from_the_right: str, windows: Windows
) -> None:
    for page, _language, _size in windows("Owner" if "desk" in path else ""):
        look(page, written_from_the_right + path)
        found = page.evaluate(DRAWN_OVER)
        assert found or "desk" not in path
        assert not any(found), found


@pytest.fixture(scope="session")
def priced_event(festival_site: Site) -> str:
    """The path of an event on the running site with a queue, starts that cost, and a payment."""
    make = f"""
from django.contrib.auth.models import User
from tournaments.cash.commands import book
from tournaments.events.commands.events import create_event
from tournaments.registration.commands.check_in import check_in
from tournaments.registration.commands.people import register_person
owner = User.objects.get(username="{festival_site.found("Owner").split(" / ")[0]}")
event = create_event(name="Pris", slug="priced", by=owner, status="open", buy_in=20000)
event.prizes = {{"1": [60, 40]}}
event.save()
for name in ("Lars-Åke Gyllenstierna", "Wilhelmina von Schantz"):
    player = register_person(event=event, legal_name=name, by=None)
    check_in(registration=player, by=None)
book(event=event, kind="buy_in", amount=20000, registration=player, by=None)
"""
    festival_site.manage("shell", "--verbosity", "0", "-c", make)
    return "/e/priced/"


#: Fields and buttons of opened forms that are too narrow to be used.
NARROW = """() => [...document.querySelectorAll(
    "main .more[open] :is(.form-control, .form-select, button)")].filter((part) => {
        const box = part.getBoundingClientRect();
        return part.matches("button") ? box.height > 80 : box.width < 120;
    }).map((part) => part.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize(
    "path", ["players/", "check-in/?q=a", "cash/", "cash/players/2/", "cash/prizes/"]
)
def test_a_form_that_opens_has_room(path: str, priced_event: str, windows: Windows) -> None:
    for page, _language, _size in windows("Owner"):
        look(page, f"{priced_event}desk/{path}")
        page.evaluate("for (const one of document.querySelectorAll('main .more')) one.open = true")
        assert page.evaluate(NARROW) == []
        assert page.evaluate(ON_EACH_OTHER) == []
        assert page.evaluate(WIDTH)["over"] <= 0


@pytest.mark.parametrize(
    "path", ["result/", "standings/heats/", "standings/", "heats/2/", "play-offs/1/"]
)
@pytest.mark.parametrize("large", ["100%", "150%", "200%"])
def test_no_points_lie_on_a_name(
    path: str, large: str, played_event: str, festival_site: Site, open_page: Open
) -> None:
    page = open_page(festival_site.address, size=(390, 800), language="sv").page
    look(page, played_event + path)
    page.evaluate("(large) => (document.documentElement.style.fontSize = large)", large)
    assert page.evaluate(ON_EACH_OTHER) == []
    # Nothing has to be scrolled sideways to be read.
    boxes = ".ranking-box, .table-responsive:has(> .standings-table), .game"
    sideways = "(boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth + 1).length"
    assert page.locator(boxes).evaluate_all(sideways) == 0


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
        own = "/p/" + address.partition("/p/")[2]
        for part in ("", "career/", "series/"):
            look(page, own + part)
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


def test_a_list_s_button_counts_what_is_left(festival_site: Site, windows: Windows) -> None:
    for page, _language, _size in windows("Director"):
        look(page, f"{festival_site.path('Event')}desk/import/")
        page.locator("textarea[name=text]").fill("Namn\nSixten Nilsson\nTyra Nilsson")
        page.locator("main form button.btn-primary").click()
        new = page.locator("[data-tally=new]")
        expect(new).to_have_text("2")
        page.locator("[value=out]").first.check()
        expect(new).to_have_text("1")
        page.locator("[value=out]").first.uncheck()
        expect(new).to_have_text("2")


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


def test_a_framed_piece_is_renewed_where_it_is_read(festival_site: Site, open_page: Open) -> None:
    page = open_page(festival_site.address).page
    page.clock.install()
    look(page, "/embed/demo/standings/")
    rows = page.locator("tbody tr")
    count = rows.count()
    assert count > 1
    page.evaluate("document.querySelector('tbody tr').remove(); window.stays = true")
    page.clock.run_for(61_000)
    expect(rows).to_have_count(count)
    assert page.evaluate("window.stays")


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
