"""A whole heat on a phone: from an empty installation to the qualified list and the protocol."""

import io
import re
from itertools import count

import pypdf
import pytest
from playwright.sync_api import Page, expect

from engine.bots.simulation import play_game
from engine.cards.categories import Category
from engine.rules.variants import parse_rules
from engine.sheet.entries import Hand
from engine.sheet.sheet import start, step, warnings
from tests.browser.auditor import Thumb
from tests.browser.conftest import Open, Site, press, send_form

pytestmark = pytest.mark.pages

RULES = parse_rules("festival")
NAMES = ("Åsa Öberg", "Björn Đurić", "Łucja Groß", "Dagny Sæther")
PASSWORD = "kungens-kurva-4711"


def first_director(page: Page, site: Site) -> None:
    """Make the first account with the code printed on the console."""
    page.goto(site.path("Make the first director's account"))
    page.fill("input[name=code]", site.found("Setup code"))
    page.fill("input[name=username]", "tove")
    page.fill("input[name=password1]", PASSWORD)
    page.fill("input[name=password2]", PASSWORD)
    send_form(page)
    page.wait_for_url("**/")


def new_event(page: Page) -> None:
    """Make an event, open it, register four players and check them in."""
    page.locator("a[href='/events/new/']").click()
    page.fill("input[name=name]", "Höstcupen")
    page.fill("input[name=slug]", "host")
    send_form(page)
    page.goto("/e/host/desk/")
    press(page, "/desk/status/")
    for number, name in enumerate(NAMES, 1):
        page.locator("input[name=legal_name]").fill(name)
        press(page, "/desk/register/")
        expect(page.locator("#player-rows tbody tr")).to_have_count(number)
    for row in page.locator("#player-rows tbody tr").all():
        check_in = row.locator("form[action$='/check-in/'] button")
        if check_in.count():
            check_in.click()
    expect(page.locator("section[aria-labelledby=waiting-head] li .number")).to_have_count(4)


def draw_and_link(page: Page) -> str:
    """Draw with one button; return the scoring link that the director shows as a QR code."""
    page.once("dialog", lambda dialog: dialog.accept())
    press(page, "/desk/draw/")
    page.locator("#now .heat-card a").first.click()
    press(page, "/link/")
    assert page.locator("img.qr").evaluate("image => image.decode().then(() => image.width)") > 100
    return page.locator(".link-text a").get_attribute("href") or ""


def test_a_whole_heat_from_the_draw_to_the_qualified_list(
    empty_site: Site, open_page: Open
) -> None:
    director = open_page(empty_site.address).page
    first_director(director, empty_site)
    new_event(director)

    # One button draws; the heat has a link for its Auditor.
    link = draw_and_link(director)
    director.locator("select[name=auditor], select[name=registration]").first.select_option(index=1)
    press(director, "/auditor/")

    # Another phone, without an account.
    auditor = open_page(empty_site.address).page
    auditor.goto(link)
    thumb = Thumb(auditor)
    # Somebody watches, with the first game's deals unfolded.
    watcher = open_page(empty_site.address).page
    results = []
    for number in range(1, 4):
        expect(auditor.locator("#live")).to_have_attribute("data-game", str(number))
        games = (play_game(RULES, NAMES, f"browser {number} {n}").table for n in count())
        # Hands that end a deal would be shown before the tricks; this Auditor waits for the end.
        game = next(
            game
            for game in games
            if 20 <= len(game.entries) <= 32
            and not any(isinstance(entry, Hand) and entry.reset for entry in game.entries)
        )
        if number == 1:
            first = game.entries[0]
            # A mistap, taken back.
            wrong = Hand(1, 1, Category.FULL_HOUSE)
            if wrong == first:
                wrong = Hand(1, 2, Category.FULL_HOUSE)
            thumb.write(wrong)
            thumb.take_back()
            assert thumb.scores() == [0, 0, 0, 0]
        state = start(RULES, 4)
        for entry in game.entries:
            thumb.write(entry, sure=bool(warnings(state, entry)))
            state = step(state, entry)
            if not state.finished:
                assert thumb.scores() == list(state.scores)
            if number == 1 and entry is game.entries[0]:
                watcher.goto("/e/host/heats/1/")
                watcher.locator("#deals-1 summary").click()
                expect(watcher.locator("#deals-1 li")).to_have_count(1)
        assert state.finished
        # What is unfolded stays so, and new.
        if number == 1:
            expect(watcher.locator("#deals-1 li")).to_have_count(len(game.entries))
        results.append(state)
        if number < 3:
            auditor.locator(".btn-next").click()
            expect(auditor.locator("#live")).to_have_attribute("data-game", str(number + 1))
    auditor.wait_for_load_state("networkidle")
    ranking = auditor.locator(".ranking li")
    expect(ranking).to_have_count(4)
    winner = ranking.first.locator(".ranking-name").inner_text()
    auditor.locator("form[data-do=sign] button").click()
    expect(auditor.locator("form[data-do=sign]")).to_have_count(0)

    # The table has signed off: its heat is closed, and its winner has qualified.
    director.goto("/e/host/desk/heats/1/")
    expect(director.locator("#closed-head")).to_be_visible()
    director.goto("/e/host/qualified/")
    qualified = director.locator("main").inner_text()
    name = next(name for name in NAMES if winner.startswith(name))
    assert name in qualified
    assert not [other for other in NAMES if other != name and other in qualified]

    # The public can read and print it.
    reader = open_page(empty_site.address, language="sv").page
    reader.goto("/e/host/heats/1/")
    shown = reader.locator("main").inner_text()
    for other in NAMES:
        assert other in shown
    answer = reader.request.get("/e/host/heats/1/protocol.pdf")
    assert answer.status == 200
    pages = pypdf.PdfReader(io.BytesIO(answer.body())).pages
    text = re.sub(r"\s+", " ", " ".join(page.extract_text() for page in pages))
    for other in NAMES:
        assert other in text
    for state in results:
        for score in state.scores:
            assert str(score) in text


@pytest.mark.slow
def test_a_royal_flush_needs_confirmation_and_wins(empty_site: Site, open_page: Open) -> None:
    director = open_page(empty_site.address).page
    first_director(director, empty_site)
    new_event(director)
    link = draw_and_link(director)
    auditor = open_page(empty_site.address, language="sv").page
    auditor.goto(link)
    thumb = Thumb(auditor)
    thumb.write(Hand(1, 2, Category.FLUSH))
    # A rare hand has to be confirmed.
    thumb.write(Hand(2, 1, Category.ROYAL_FLUSH), sure=True)
    expect(auditor.locator("#live")).to_have_attribute("data-mode", "over")
    assert "11,66" in auditor.locator("main").inner_text().replace(".", ",")
