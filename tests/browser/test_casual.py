"""Kitchen tables: started from the first page, found again, begun without network."""

import re

import pytest
from playwright.sync_api import expect

from engine.sheet.entries import entry_from_json
from scoring.models import Sheet, Table
from scoring.reading.words import short_names, softened
from tests.browser.auditor import Thumb, drawn, is_accessible, saved, sits
from tests.browser.conftest import Open
from tests.browser.test_large_text import LOWEST
from tests.browser.test_offline import OfflineThumb, becomes, scores, waits
from tests.scoring.factories import hand, none, trick
from tests.tournaments.factories import make_event
from tournaments.casual.commands import start_table

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]


def test_a_casual_game(live_server, open_page: Open) -> None:
    make_event()
    watched = open_page(live_server.url, language="sv")
    # The page's service worker may still be loading when the network goes.
    watched.expected += ["ERR_INTERNET_DISCONNECTED", "when fetching the script"]
    page = watched.page
    page.goto("/")
    page.locator("a[href='/play/']").click()
    for number, name in enumerate(("Åsa", "Bo", "Cia"), 1):
        page.fill(f"#id_player_{number}", name)
    # Offline nothing leads to the browser's error page, and what was typed stays.
    page.context.set_offline(True)
    page.locator("form.form-page button.btn-primary").click()
    expect(page.locator(".stale")).to_be_visible()
    expect(page.locator("#id_player_1")).to_have_value("Åsa")
    page.context.set_offline(False)
    page.locator("form.form-page button.btn-primary").click()
    page.wait_for_url(re.compile("/s/"))
    table = Table.objects.get()
    assert (table.players, table.directed) == (["Åsa", "Bo", "Cia"], False)
    drawn(page)
    sits(page)
    page.locator("label.cell").first.click()
    page.locator(".question:not([hidden]) button[value*='\"two_pair\"']").first.click()
    expect(page.locator("#live")).to_have_attribute("data-version", "1")
    saved(page)
    assert sorted(Sheet.objects.get(table=table).state["scores"]) == [0, 0, 2]
    page.goto("/play/")
    page.locator("a.row-link[href^='/s/']").click()
    expect(page.locator("#live")).to_have_attribute("data-version", "1")


def test_the_casual_start_page_opens_offline(live_server, open_page: Open) -> None:
    watched = open_page(live_server.url)
    watched.expected += ["ERR_INTERNET_DISCONNECTED", "htmx:(afterRequest|sendError)"]
    page = watched.page
    page.goto("/play/")
    manifest = page.request.get(page.locator("link[rel=manifest]").get_attribute("href")).json()
    assert (manifest["start_url"], manifest["scope"]) == ("/play/", "/")
    becomes(page, "async () => Boolean(await caches.match(location.href))", seconds=60)
    for number, name in enumerate(("Anna", "Bo"), 1):
        page.fill(f"#id_player_{number}", name)
    page.locator("form.form-page button.btn-primary").click()
    page.wait_for_url(re.compile("/s/"))
    # The link is on the page that this device has cached.
    page.goto("/play/")
    game = page.locator("a.row-link[href^='/s/']")
    expect(game).to_have_count(1)
    page.context.set_offline(True)
    page.goto("about:blank")
    page.goto("/play/")
    expect(game).to_have_count(1)
    expect(page.locator(".stale")).to_be_visible()
    # With names that are alike no game can begin here, either.
    page.fill("#id_player_1", "Cia")
    page.fill("#id_player_2", "Cia")
    for control in (".brand", "[name=language]", "form.form-page button.btn-primary"):
        page.locator(control).click()
        page.wait_for_timeout(500)
    expect(page.locator("#id_player_1")).to_have_value("Cia")
    expect(page.locator("#alike")).to_be_visible()
    page.fill("#id_player_2", "Dag")
    # What other rules are is not known here, and nothing is said of those chosen before.
    expect(page.locator(".rules-spec")).to_have_text("svensk")
    page.locator("#id_rules").select_option("festival")
    expect(page.locator(".rules-spec")).to_have_count(0)
    page.context.set_offline(False)
    expect(page.locator(".rules-spec")).to_have_text("festival")
    page.locator("form.form-page button.btn-primary").click()
    # A new game, not the one that the cached page started earlier.
    page.wait_for_url(re.compile("/s/"))
    assert [table.players for table in Table.objects.order_by("pk")] == [
        ["Anna", "Bo"],
        ["Cia", "Dag"],
    ]


def test_more_than_the_rules_allow_are_told_so(live_server, open_page: Open) -> None:
    watched = open_page(live_server.url)
    watched.expected += ["422"]
    page = watched.page
    page.goto("/play/")
    for number in range(1, 6):
        page.fill(f"#id_player_{number}", f"Player {number}")
    page.locator("#id_rules").select_option("festival")
    page.locator("#start button.btn-primary").click()
    expect(page.locator("#id_rules-field ~ .invalid-feedback")).to_be_visible()
    assert not Table.objects.exists()


@pytest.mark.parametrize("language", ["sv", "en"])
def test_a_practice_deal_fits_a_small_phone_and_says_nothing_old_offline(
    live_server, open_page: Open, language: str
) -> None:
    token = start_table(
        players=("Anna", "Bo", "Cia", "Dag"), rules="festival", games=1, seated=True, practice=True
    )
    watched = open_page(live_server.url, language=language)
    watched.expected += ["ERR_INTERNET_DISCONNECTED"]
    page = watched.page
    page.goto(f"/s/{token}/")
    drawn(page)
    thumb = Thumb(page)
    board = page.locator(".board").bounding_box()
    wrong, *right = (
        none(1),
        hand(1, 1, "two_pair"),
        none(2),
        trick(3),
        hand(3, 0, "three_of_a_kind"),
    )
    thumb.write(entry_from_json(wrong))
    thumb.take_back()
    for entry in right:
        thumb.write(entry_from_json(entry))
        page.evaluate("scrollTo(0, 0)")
        assert page.evaluate(LOWEST) <= 640
        assert page.locator(".board").bounding_box() == board
    lesson, waits_for_it = page.locator(".lesson"), page.locator(".lesson-waits")
    expect(lesson).to_be_visible()
    page.context.set_offline(True)
    OfflineThumb(page).write(entry_from_json(hand(1, 0)))
    expect(lesson).to_be_hidden()
    expect(waits_for_it).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    assert page.locator(".board").bounding_box()["y"] == board["y"]
    page.context.set_offline(False)
    expect(lesson).to_be_visible()
    expect(waits_for_it).to_be_hidden()


TAPS = """async () => new Promise((done) => {
    indexedDB.open("chicago sheets").onsuccess = ({ target }) => {
        const store = target.result.transaction("taps").objectStore("taps");
        store.getAll().onsuccess = ({ target: { result } }) => done(result);
    };
})"""


def test_a_casual_game_begins_and_goes_on_offline_until_the_server_has_it(chromium, live_server):
    context = chromium.new_context(
        base_url=live_server.url, viewport={"width": 360, "height": 640}, locale="sv-SE"
    )
    context.set_default_timeout(10_000)
    page = context.new_page()
    page.goto("/play/")
    becomes(
        page,
        """async () => {
            const cache = await caches.open("chicago /play/");
            const kept = (await cache.keys()).map(({ url }) => url);
            const parts = ["festival", "sm", "svensk", "pagat", "basic", "wikipedia"]
                .map((rules) => `blank/${rules}/`)
                .concat("shell/", "table.", "count.", "count/effects.", "sheet.");
            return parts.every((part) => kept.some((url) => url.includes(part)));
        }""",
        seconds=60,
    )
    # Fetched once a day: making them takes the database's write lock.
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload(wait_until="networkidle")
    assert not [url for url in asked if "/blank/" in url]
    names = ("Åsa <i>Öberg", "Bo Ek", "Maximiliana Ahl")
    # Where the page changes, the browser is online for a moment.
    context.route("**/play/begin/", lambda route: route.abort())
    context.set_offline(True)
    for number, name in enumerate(names, 1):
        page.fill(f"#id_player_{number}", name)
    page.fill("#id_games", "2")
    expect(page.locator("#id_rules")).to_have_value("svensk")
    page.locator("#start button.btn-primary").click()
    page.wait_for_url(re.compile(r"/play/[0-9a-f-]{36}/"))
    drawn(page)
    thumb = OfflineThumb(page)
    # Long names are broken where the server's page would break them.
    board = page.locator(".cell-name [aria-hidden]").all_text_contents()
    assert board == [softened(name) for name in short_names(names)]
    entries = [hand(1, 0, "flush"), none(2), trick(1), hand(3, 2, "two_pair")]
    for entry in entries:
        thumb.write(entry_from_json(entry))
    assert [tap.get("entry") for tap in page.evaluate(TAPS)] == [None, *entries]
    assert thumb.scores() == [5, 5, 2]
    assert scores(page) == [5, 5, 2]
    expect(page.locator("h1 .sheet-label")).to_have_text(", ".join(names))
    waits(page, 5)
    is_accessible(page)
    # Closed and found again.
    page.goto("about:blank")
    page.goto("/play/")
    page.locator("#started a[href^='/play/']").click()
    expect(page.locator("#live")).to_have_attribute("data-version", "4")
    assert not Table.objects.exists()
    context.unroute("**/play/begin/")
    context.set_offline(False)
    page.wait_for_url(re.compile("/s/"))
    saved(page)
    table = Table.objects.get()
    assert (table.players, table.rules) == (list(names), "svensk")
    expect(page.locator("#live")).to_have_attribute("data-version", "4")
    first, second = table.sheets.order_by("number")
    assert first.state["scores"] == [5, 5, 2]
    assert (first.seats, second.seats) == (list(names), [*names[1:], names[0]])
    page.goto("/play/")
    expect(page.locator("#started a[href^='/s/']")).to_have_count(1)
    expect(page.locator("#started a[href^='/play/']")).to_have_count(0)
    context.close()
