"""The Auditor's page offline: a table goes on, and nothing is lost, duplicated or guessed."""

import re
import time

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from engine.rules.variants import parse_rules
from engine.sheet.entries import Chicago, NoHand, entry_from_json
from engine.sheet.sheet import start, step
from scoring.models import SheetEntry, Table
from scoring.writing import revoke_link, set_away
from tests.browser.auditor import Thumb, drawn, only, saved, takes_taps
from tests.scoring.factories import (
    auditor_link,
    hand,
    make_table,
    none,
    play,
    running,
    sheet_of,
    trick,
)

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def phone(chromium: Browser, live_server):
    """Return a function that opens an address on a new phone."""
    contexts = []

    def open_address(address: str, **more) -> Page:
        context = chromium.new_context(
            base_url=live_server.url,
            viewport={"width": 360, "height": 640},
            has_touch=True,
            **{"locale": "en-GB", **more},
        )
        contexts.append(context)
        context.set_default_timeout(10_000)
        page = context.new_page()
        page.goto(address)
        # The data that it needs to go on offline have arrived.
        drawn(page)
        return page

    yield open_address
    for context in contexts:
        context.close()


def waits(page: Page, number: int) -> None:
    """Wait until this many taps are listed as waiting."""
    expect(page.locator("#pending li")).to_have_count(number)
    expect(page.locator("#saving")).to_have_attribute("data-state", "waiting")


def becomes(page: Page, function: str, arg: object = None, seconds: int = 15) -> None:
    """Wait until an async function returns true; `wait_for_function` takes any promise for true."""
    deadline = time.monotonic() + seconds
    while not page.evaluate(function, arg):
        assert time.monotonic() < deadline, function
        page.wait_for_timeout(50)


class OfflineThumb(Thumb):
    """Taps offline: an entry counts as saved as soon as it waits."""

    def saved(self, version: int) -> None:
        expect(self.page.locator("#live")).to_have_attribute("data-version", str(version))


def scores(page: Page) -> list[int]:
    shown = page.locator("#live .score-now").all_inner_texts()
    return [int(re.match(r"\d+", text.strip())[0]) for text in shown]


def test_waiting_entries_can_be_taken_back_and_survive_a_reload(phone):
    table = make_table()
    page = phone(auditor_link(table))
    thumb = OfflineThumb(page)
    page.route("**/sync/", only(lambda route: route.abort(), "entry"))
    page.route("**/sync/", only(lambda route: route.abort(), "back"))
    for entry in (hand(1, 0, "flush"), hand(2, 1, "pair"), {"kind": "last_trick", "seat": 2}):
        thumb.write(entry_from_json(entry))
    waits(page, 3)
    page.locator("[data-take-back]").click()
    waits(page, 2)
    assert scores(page) == [5, 1, 0, 0]
    page.reload()
    waits(page, 2)
    expect(page.locator("#live .score-now").first).to_have_text("5")
    assert scores(page) == [5, 1, 0, 0]
    page.unroute("**/sync/")
    saved(page)
    assert sheet_of(table).state["scores"] == [5, 1, 0, 0]
    assert SheetEntry.objects.count() == 2


def test_an_entry_that_may_have_arrived_is_taken_back_by_a_row(phone):
    """An entry whose response was lost may be on the server, so it cannot simply be forgotten."""
    table = make_table()
    page = phone(auditor_link(table), locale="sv-SE")
    thumb = OfflineThumb(page)

    away, answers = [True], []

    def lose_the_answer(route):
        if not away:
            route.continue_()
            return
        if not answers and '"entry"' in route.request.post_data:
            answers.append(route.fetch().status)
        route.abort()

    page.route("**/sync/", lose_the_answer)
    thumb.write(entry_from_json(hand(1, 0, "flush")))
    waits(page, 1)
    page.locator("[data-take-back]").click()
    waits(page, 2)
    assert scores(page) == [0, 0, 0, 0]
    away.clear()
    saved(page)
    assert answers == [200]
    assert [row.kind for row in SheetEntry.objects.order_by("sequence")] == ["entry", "void"]


def test_an_illegal_entry_is_disabled_with_a_reason(phone):
    table = make_table()
    play(running(table), none(1), none(2))
    page = phone(auditor_link(table), locale="sv-SE")
    thumb = OfflineThumb(page)
    page.context.set_offline(True)
    thumb.write(entry_from_json({"kind": "last_trick", "seat": 2}))
    thumb.write(entry_from_json(hand(3, 0, "four_of_a_kind")))
    thumb.write(entry_from_json(hand(1, 0, "four_of_a_kind")))
    page.locator("label.cell").nth(0).click()
    reset = page.locator(".question .kind-reset")
    expect(reset).to_have_attribute("aria-disabled", "true")
    expect(page.locator(".held")).to_have_count(0)
    reset.click(force=True)
    expect(page.locator("#hint")).to_contain_text("Anna")


def test_falling_to_zero_is_warned_of_confirmed_and_reported(phone):
    """With the server's own sentences, and before anything is written."""
    table = make_table()
    for _deal in range(4):
        play(running(table), hand(1, 0, "full_house"), none(2), trick(1), none(3))
    play(running(table), hand(1, 0, "full_house"), hand(2, 0, "full_house"), trick(0))
    play(running(table), hand(3, 0, "full_house"), hand(1, 1, "pair"))
    assert sheet_of(table).state["scores"][0] == 47
    page = phone(auditor_link(table), locale="sv-SE")
    news = page.locator(".news")
    before = news.inner_text()
    assert "Anna" in before
    assert "52" in before
    page.context.set_offline(True)
    OfflineThumb(page).write(entry_from_json(hand(2, 2, "pair")))
    expect(news).to_have_text(before)
    page.locator(".what-trick button").first.click()
    told = page.locator("#confirm-text").inner_text()
    assert "Anna" in told
    waits(page, 1)
    page.locator("#confirm [data-answer=yes]").click()
    waits(page, 2)
    expect(news).to_have_text(told)
    page.context.set_offline(False)
    saved(page)
    page.reload()
    expect(news).to_have_text(told)
    assert sheet_of(table).state["scores"][0] == 0


def test_a_player_called_away_folds_every_deal_offline_too(phone):
    table = make_table()
    page = phone(auditor_link(table))
    set_away(table_id=table.pk, player_ids=["Dag"], by="floor")
    thumb = OfflineThumb(page)
    expect(page.locator("#live")).to_have_attribute("data-version", "1")
    # Announced once, at the beginning; later folds are not announced.
    page.locator(".rulings button").click()
    expect(page.locator(".rulings")).to_have_count(0)
    page.context.set_offline(True)
    deal = [entry_from_json(each) for each in (none(1), none(2), trick(1))]
    for number in (1, 2):
        thumb.play(deal)
        page.locator(".nobody-slot [name=what]").click()
        # The last hand and the next deal's fold.
        thumb.saved(5 * number + 1)
    page.locator("[data-take-back]").click()
    thumb.saved(9)
    page.locator(".nobody-slot [name=what]").click()
    thumb.saved(11)
    page.context.set_offline(False)
    saved(page)
    sheet = sheet_of(table)
    assert (sheet.version, sheet.state["deal"]) == (11, 2)
    assert sheet.state["scores"] == [0, 10, 0, 0]
    assert sheet.state["sitting_out"] == [False, False, False, True]


def test_a_revoked_link_erases_the_devices_data(phone):
    table = make_table()
    address = auditor_link(table)
    page = phone(address)
    thumb = OfflineThumb(page)
    thumb.write(entry_from_json(hand(1, 0, "flush")))
    saved(page)
    page.context.set_offline(True)
    thumb.write(entry_from_json(hand(2, 0, "flush")))
    waits(page, 1)
    for link in Table.objects.get(pk=table.pk).links.all():
        revoke_link(link_id=link.pk, by="director")
    page.context.set_offline(False)
    expect(page.locator(".gone")).to_be_visible()
    becomes(
        page,
        """() => new Promise((resolve) => {
            indexedDB.open("chicago sheets").onsuccess = ({ target }) => {
                const names = ["taps", "tables"];
                const both = target.result.transaction(names);
                const found = [];
                for (const name of names) {
                    both.objectStore(name).getAll().onsuccess = (e) => found.push(e.target.result);
                }
                both.oncomplete = () => { target.result.close(); resolve(!found.flat().length); };
            };
        })""",
    )
    assert SheetEntry.objects.count() == 1


@pytest.mark.parametrize("rules", ["svensk+P10+R", "pagat", "basic", "wikipedia"])
def test_by_any_rules_a_game_goes_on_offline_with_scores_dealer_and_order_of_asking(phone, rules):
    parsed = parse_rules(rules)
    table = make_table(rules=rules, games=2)
    page = phone(auditor_link(table))
    thumb = OfflineThumb(page)
    page.context.set_offline(True)
    last = parsed.exchanges
    deal = [hand(1, 0, "flush"), *(none(phase) for phase in range(2, last)), trick(1)]
    state = start(parsed, 4)
    for entry in map(entry_from_json, [*deal, hand(last, 2, "pair")]):
        thumb.write(entry)
        state = step(state, entry)
        assert thumb.scores() == list(state.scores)
    dealer = page.locator("#live .cell:has(.sign-dealer)")
    expect(dealer).to_have_count(1)
    expect(dealer.locator("input")).to_have_attribute("value", str(state.dealer))
    rest = [entry.as_json() for entry in (*map(NoHand, range(1, last)), Chicago(3, True))]
    if parsed.chicago_minimum is not None:
        rest[-1] = trick(2)
    for entry in map(entry_from_json, rest):
        if isinstance(entry, Chicago):
            numbers = page.locator(".what-declare .what-points")
            turns = [(turn - state.dealer - 1) % 4 + 1 for turn in range(4)]
            expect(numbers).to_have_text([f"{turn}." for turn in turns])
        thumb.write(entry)
        state = step(state, entry)
        assert thumb.scores() == list(state.scores)
    page.context.set_offline(False)
    saved(page)
    assert sheet_of(table).state["scores"] == list(state.scores)


def test_a_game_by_svensk_is_ended_offline_with_its_places_and_the_next_one_begun(phone):
    table = make_table(rules="svensk+P10+R", games=2)
    page = phone(auditor_link(table))
    thumb = OfflineThumb(page)
    page.context.set_offline(True)
    thumb.write(entry_from_json(hand(1, 2, "straight_flush")), sure=True)
    expect(page.locator("#live")).to_have_attribute("data-mode", "over")
    expect(page.locator(".result-winner")).to_have_text("Cia")
    expect(page.locator(".result-table tbody tr")).to_have_count(4)
    page.locator(".btn-next:visible").first.click()
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    thumb.write(entry_from_json(hand(1, 0, "flush")))
    page.context.set_offline(False)
    saved(page)
    assert sheet_of(table, 1).state["winners"] == [2]
    assert sheet_of(table, 2).state["scores"] == [5, 0, 0, 0]


def test_dead_hands_end_a_deal_offline(phone):
    table = make_table(rules="sm+K")
    play(running(table), none(1), none(2))
    page = phone(auditor_link(table))
    thumb = OfflineThumb(page)
    page.context.set_offline(True)
    for seat in range(4):
        page.locator("#entry details:has([value*='revoke']) > summary").click()
        thumb.write(entry_from_json({"kind": "revoke", "seat": seat}))
    expect(page.locator("#live")).to_have_attribute("data-version", "6")
    expect(page.locator("[data-field='1']")).to_have_class("field now")
    page.context.set_offline(False)
    saved(page)
    assert sheet_of(table).state["deal"] == 1


CACHED = """async (address) => {
    const names = await caches.keys();
    const caches_ = await Promise.all(names.map((name) => caches.open(name)));
    const pages = await Promise.all(caches_.map((cache) => cache.match(address)));
    const files = await Promise.all(caches_.map((cache) => cache.keys()));
    const wanted = ["count", "machine"];
    const kept = (name) => files.flat().some(({ url }) => url.includes(name));
    return pages.some(Boolean) && wanted.every(kept);
}"""


def installed(page: Page) -> None:
    """Wait until the page would open again offline."""
    becomes(page, CACHED, page.url)


def test_the_page_opens_offline_with_the_last_known_state(phone):
    table = make_table()
    address = auditor_link(table)
    page = phone(address, locale="sv-SE")
    installed(page)
    manifest = page.request.get(f"{address}app.webmanifest").json()
    assert manifest["start_url"] == manifest["scope"] == address
    thumb = OfflineThumb(page)
    thumb.write(entry_from_json(hand(1, 0, "flush")))
    saved(page)
    page.context.set_offline(True)
    thumb.write(entry_from_json(hand(2, 1, "pair")))
    context = page.context
    page.close()
    # The tab was closed; the page comes from the phone, the state from the server's last answer.
    page = context.new_page()
    page.goto(address)
    waits(page, 1)
    expect(page.locator("#live .score-now").first).to_have_text("5")
    assert scores(page) == [5, 1, 0, 0]
    context.set_offline(False)
    saved(page)
    assert sheet_of(table).state["scores"] == [5, 1, 0, 0]
    assert SheetEntry.objects.count() == 2


def three_deals() -> tuple[list, list[int]]:
    """Return three deals of a table, and the scores after them."""
    entries = [
        *(hand(1, 0, "flush"), hand(2, 1, "pair"), trick(2), none(3)),
        *(none(1), hand(2, 3, "straight"), trick(1), hand(3, 1)),
        *(hand(1, 2, "two_pair"), none(2), trick(0), hand(3, 0, "full_house")),
    ]
    return [entry_from_json(entry) for entry in entries], [16, 7, 7, 4]


def test_three_deals_in_airplane_mode_with_reload_and_closing_of_the_tab(phone):
    """In Swedish; over plain http in English (test_plain_http.py)."""
    table = make_table()
    entries, after = three_deals()
    page = phone(auditor_link(table), locale="sv-SE")
    address, context = page.url, page.context
    installed(page)
    context.set_offline(True)
    OfflineThumb(page).play(entries[:5])
    page.reload()
    waits(page, 5)
    OfflineThumb(page).play(entries[5:9])
    page.close()
    page = context.new_page()
    page.goto(address)
    waits(page, 9)
    expect(page.locator("html")).to_have_attribute("lang", "sv")
    OfflineThumb(page).play(entries[9:])
    assert scores(page) == after
    context.set_offline(False)
    expect(page.locator("#pending")).to_be_hidden(timeout=30_000)
    saved(page)
    rows = SheetEntry.objects.order_by("sequence")
    assert [row.entry for row in rows] == [entry.as_json() for entry in entries]
    assert sheet_of(table).state["scores"] == after


def test_a_line_is_corrected_once_back_online(phone):
    table = make_table()
    play(running(table), hand(1, 0, "flush"))
    page = phone(auditor_link(table))
    installed(page)
    address = page.url
    page.context.set_offline(True)
    # Far below the question, too, it says why not.
    page.locator(".deal-line [data-correct]").click()
    expect(page.locator("#offline.untold")).to_be_in_viewport()
    page.locator("#offline").click()
    expect(page.locator("#offline.untold")).to_have_count(0)
    # The first tap afterwards waits as always.
    OfflineThumb(page).write(entry_from_json(hand(2, 1, "pair")))
    assert page.url == address
    page.context.set_offline(False)
    saved(page)
    page.locator("[data-correct]:visible").first.click()
    page.wait_for_url("**/games/1/*/")


def test_a_casual_table_goes_on_offline(phone):
    page = phone(auditor_link(make_table(("Anna", "Bo"), games=1, directed=False)))
    entries, _after = three_deals()
    installed(page)
    page.context.set_offline(True)
    OfflineThumb(page).play(entries[:2])
    assert scores(page) == [5, 1]
    page.context.set_offline(False)
    saved(page)
    assert SheetEntry.objects.count() == 2


def test_a_game_stopped_offline_ends_in_the_last_deal_played(phone):
    table = make_table(("Anna", "Bo"), games=1, directed=False)
    play(running(table), hand(1, 0), none(2), trick(1), none(3))
    page = phone(auditor_link(table))
    page.context.set_offline(True)
    page.locator(".panel-stop summary").click()
    page.locator(".panel-stop button").click()
    page.locator("#confirm [data-answer=yes]").click()
    waits(page, 1)
    lines = page.locator(".deals-table [data-deal='1'] .deal-line")
    expect(lines).to_have_count(5)
    page.context.set_offline(False)
    saved(page)
    page.reload()
    expect(lines).to_have_count(5)


def test_a_revoked_link_leaves_nothing_when_opened_again(phone):
    table = make_table()
    page = phone(auditor_link(table))
    installed(page)
    for link in Table.objects.get(pk=table.pk).links.all():
        revoke_link(link_id=link.pk, by="director")
    page.reload()
    expect(page.locator(".gone")).to_be_visible()
    becomes(page, "async () => (await caches.keys()).length === 0")
    becomes(page, "navigator.serviceWorker.getRegistrations().then((all) => all.length === 0)")


def test_language_and_sharing_need_the_server_and_the_page_says_so(phone):
    page = phone(auditor_link(make_table()))
    saved(page)
    address = page.url
    page.route("**/*", lambda route: route.abort())
    for control in ("button[name=language]", "form[action$='share/'] button"):
        page.locator(control).click()
        expect(page.locator("#offline.untold")).to_be_visible()
        page.locator("#offline").click()
    OfflineThumb(page).play([entry_from_json(hand(1, 0, "flush"))])
    waits(page, 1)
    assert page.url == address
    page.unroute("**/*")
    saved(page)
    page.locator("button[name=language]").click()
    expect(page.locator("html")).to_have_attribute("lang", "sv")
    drawn(page)
    page.locator("form[action$='share/'] button").click()
    page.wait_for_url("**/share/")
    expect(page.locator(".share-code")).to_be_visible()


def test_no_link_leads_to_the_browsers_own_error_page(phone):
    table = make_table()
    play(sheet_of(table), hand(1, 1))
    page = phone(auditor_link(table))
    saved(page)
    address = page.url
    page.route("**/*", lambda route: route.abort())
    page.locator("[data-correct]").first.click()
    expect(page.locator("#offline.untold")).to_be_visible()
    assert page.url == address


def newer_shell(route):
    """Answer as a server does that has another version of the page."""
    answer = route.fetch()
    body = answer.json() | {"shell": "newer"}
    route.fulfill(response=answer, json=body)


def test_an_older_page_sends_its_taps_and_is_exchanged_between_two_deals(phone):
    table = make_table()
    page = phone(auditor_link(table))
    thumb = OfflineThumb(page)
    page.evaluate("window.older = true")
    page.context.set_offline(True)
    deal = [hand(1, 0, "flush"), hand(2, 1, "pair"), trick(2)]
    thumb.play([entry_from_json(entry) for entry in deal])
    waits(page, 3)
    page.route("**/sync/", newer_shell)
    page.context.set_offline(False)
    saved(page)
    assert sheet_of(table).state["scores"] == [5, 1, 5, 0]
    # Within a deal it stays, and takes taps.
    page.wait_for_timeout(1500)
    assert page.evaluate("window.older")
    thumb.write(entry_from_json(none(3)))
    page.wait_for_function("() => window.older === undefined", timeout=30_000)
    # It is not loaded over and over, should the server go on saying so.
    drawn(page)
    page.evaluate("window.older = true")
    page.wait_for_timeout(1500)
    assert page.evaluate("window.older")
    assert scores(page) == [5, 1, 5, 0]
    page.unroute_all(behavior="ignoreErrors")


def test_an_older_page_is_not_exchanged_while_somebody_is_choosing(phone):
    page = phone(auditor_link(make_table()))
    saved(page)
    takes_taps(page)
    page.evaluate("window.older = true")
    seat = page.locator("label.cell").first
    seat.click()
    page.route("**/sync/", newer_shell)
    with page.expect_response("**/sync/"):
        page.evaluate("window.dispatchEvent(new Event('online'))")
    page.wait_for_timeout(1500)
    assert page.evaluate("window.older")
    seat.click()
    page.wait_for_function("() => window.older === undefined", timeout=30_000)
    page.unroute_all(behavior="ignoreErrors")


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_waiting_entries_and_questions_are_accessible(phone, scheme):
    table = make_table(seated=False)
    page = phone(auditor_link(table), color_scheme=scheme)

    def accessible() -> None:
        result = Axe().run(page)
        assert result.violations_count == 0, result.generate_report()

    page.locator(".seats-other > summary").click()
    accessible()
    thumb = OfflineThumb(page)
    saved(page)
    page.route("**/sync/", lambda route: route.abort())
    thumb.write(entry_from_json(hand(1, 0, "flush")))
    waits(page, 1)
    page.locator("#pending summary").click()
    accessible()
    page.locator("label.cell").nth(3).click()
    page.locator(".answers [value*='straight_flush']").first.click()
    accessible()
    page.locator("#confirm [data-answer=no]").click()
    play(running(table), hand(1, 3, "straight"))
    page.unroute("**/sync/")
    expect(page.locator("[data-choice=mine]")).to_be_visible()
    accessible()
