"""The Auditor's page in a real browser: taps, lost networks, confirmations, other devices."""

import json
import re
import uuid

import pytest
from playwright.sync_api import Browser, Page, expect

from scoring.host import Host, register
from scoring.models import Declaration, SheetEntry
from scoring.writing import open_next_sheet, write_entry
from tests.browser.auditor import drawn, only, saved, takes_taps
from tests.scoring.factories import (
    auditor_link,
    hand,
    make_table,
    none,
    play,
    quick_win,
    ruling,
    running,
    sheet_of,
    trick,
    write,
)

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

LONG = (
    "Bartholomäus Szczęśniak-Łukasiewicz",
    "Anna-Karin Bergström-Lindqvist",
    "Mohammed al-Rashid Abdulrahman",
    "Maximiliana von Hohenzollern",
)


@pytest.fixture
def phone(chromium: Browser, live_server):
    """Return a function that opens an address on a new phone."""
    contexts = []

    def open_address(address: str, *, size=(360, 640), **more) -> Page:
        context = chromium.new_context(
            base_url=live_server.url,
            viewport={"width": size[0], "height": size[1]},
            **{"locale": "en-GB", **more},
        )
        contexts.append(context)
        context.set_default_timeout(10_000)
        page = context.new_page()
        page.goto(address)
        if page.locator("#live[data-mode=loading]").count():
            drawn(page)
        return page

    yield open_address
    for context in contexts:
        context.close()


def seat(page, number):
    return page.locator("label.cell").nth(number)


def button(page, **what):
    """Return the button that writes an entry with these fields."""
    fields = (json.dumps({key: value}, separators=(",", ":"))[1:-1] for key, value in what.items())
    values = "".join(f"[value*='{field}']" for field in fields)
    return page.locator(f":is(.answers, .nobody-slot) button{values}")


def then(page):
    """Return the hint shown when the hand is tapped before the player."""
    return page.locator("#scoring").get_attribute("data-then")


def score(page, number, value):
    expect(page.locator(".cell").nth(number).locator(".cell-score")).to_contain_text(str(value))


#: The button that calls the director with a question about the rules.
CALL = "button[value='reason:call_rules']"


def test_a_deal_with_two_taps_per_entry(phone):
    table = make_table()
    page = phone(auditor_link(table))
    seat(page, 0).click()
    button(page, category="flush").first.click()
    score(page, 0, 5)
    saved(page)
    expect(page.locator("#announcement")).to_have_text(re.compile(r"^Anna\b.*\+5"))
    # The hand may also be tapped before the player.
    button(page, category="two_pair").click()
    expect(page.locator("#hint")).to_have_text(then(page))
    seat(page, 1).click()
    score(page, 1, 2)
    # The last trick is one tap on a player.
    page.locator(".what-deuce button").nth(2).click()
    score(page, 2, 10)
    button(page, kind="none").click()
    expect(page.locator(".sheet-deal")).to_contain_text("2")
    saved(page)
    assert sheet_of(table).state["scores"] == [5, 2, 10, 0]
    assert sheet_of(table).version == 4


def test_a_chicago_is_declared_beside_the_last_trick_and_stored(phone):
    table = make_table()
    play(
        running(table),
        *(hand(1, 0, "flush"), hand(2, 0, "full_house"), trick(0), hand(3, 0, "two_pair")),
        *(none(1), none(2)),
    )
    page = phone(auditor_link(table))
    takes_taps(page)
    page.locator(".what-declare button").nth(1).click(force=True)
    expect(page.locator("#hint")).to_contain_text("Bo")
    page.locator(".what-declare button").nth(0).click()
    expect(page.locator(".question")).to_have_attribute("data-step", "chicago")
    expect(page.locator(".undo")).to_contain_text("Anna")
    # It is withdrawn and declared again, on the server, too.
    page.locator(".undo").click()
    page.locator(".what-declare button").nth(0).click()
    expect(page.locator(".question")).to_have_attribute("data-step", "chicago")
    saved(page)
    page.reload()
    expect(page.locator(".question")).to_have_attribute("data-step", "chicago")
    assert [row.seat for row in Declaration.objects.all()] == [0, None, 0]
    expect(button(page, breaker=0)).to_have_count(0)
    button(page, breaker=2).click()
    score(page, 0, 3)
    score(page, 2, 10)
    saved(page)
    assert SheetEntry.objects.last().entry == {
        "kind": "chicago",
        "seat": 0,
        "won": False,
        "breaker": 2,
    }


def test_the_likely_answer_is_one_tap(phone):
    table = make_table()
    play(running(table), hand(1, 2, "two_pair"))
    page = phone(auditor_link(table))
    again = page.locator(".what-again button")
    expect(again).to_have_count(2)
    again.nth(1).click()
    score(page, 2, 8)
    saved(page)
    assert SheetEntry.objects.last().entry == hand(2, 2, "full_house")


def test_a_disabled_button_explains_itself_when_touched(phone):
    table = make_table()
    sheet = running(table)
    play(sheet, hand(1, 0, "four_of_a_kind"))
    page = phone(auditor_link(table))
    seat(page, 0).click()
    reset = button(page, category="four_of_a_kind", reset=True)
    expect(reset).to_have_attribute("aria-disabled", "true")
    reset.click(force=True)
    expect(page.locator("#hint")).to_contain_text("Anna")
    assert sheet_of(table).version == 1


def test_a_rare_hand_needs_confirmation(phone):
    table = make_table()
    page = phone(auditor_link(table))
    seat(page, 3).click()
    button(page, category="straight_flush").click()
    expect(page.locator("dialog")).to_contain_text("Dag")
    page.locator("[data-answer=no]").click()
    saved(page)
    assert sheet_of(table).version == 0
    seat(page, 3).click()
    button(page, category="straight_flush").click()
    page.locator("[data-answer=yes]").click()
    expect(page.locator(".result-winner")).to_have_text("Dag")
    page.locator(".btn-next").click()
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    page.locator(".undo").click()
    page.locator(".undo").click()
    expect(page.locator(".question")).to_have_attribute("data-step", "hand")
    score(page, 3, 0)


def test_a_confirmed_entry_is_shown_before_anything_else_can_be_tapped(phone):
    """A busy browser fires the dialog's close event late; that must not lead to a second tap."""
    table = make_table()
    page = phone(auditor_link(table))
    seat(page, 0).click()
    button(page, category="straight_flush").first.click()
    yes = page.locator("#confirm [data-answer=yes]")
    yes.wait_for()
    shown = "(button) => { button.click(); return document.getElementById('live').dataset.mode; }"
    assert yes.evaluate(shown) == "over"
    expect(page.locator("#live")).to_have_attribute("data-version", "1")
    saved(page)
    assert SheetEntry.objects.count() == 1


def test_a_tap_without_network_is_kept_and_sent_once(phone):
    table = make_table()
    page = phone(auditor_link(table))
    page.context.set_offline(True)
    seat(page, 1).click()
    button(page, category="full_house").click()
    saved(page, "waiting")
    expect(page.locator("#pending li")).to_have_text(re.compile(r"^\s*Bo\b.*\+6"))
    page.context.set_offline(False)
    score(page, 1, 6)
    saved(page)
    assert SheetEntry.objects.count() == 1


# The entry that waits on the device.
WAITING = """() => new Promise((resolve) => {
    indexedDB.open("chicago sheets").onsuccess = ({ target }) => {
        const store = target.result.transaction("taps").objectStore("taps");
        store.getAll().onsuccess = (event) => {
            target.result.close();
            resolve(event.target.result);
        };
    };
})"""


def test_a_tap_survives_a_reload(phone):
    table = make_table()
    page = phone(auditor_link(table))
    page.route("**/sync/", only(lambda route: route.abort(), "entry"))
    seat(page, 1).click()
    button(page, category="full_house").click()
    saved(page, "waiting")
    (waiting,) = page.evaluate(WAITING)
    page.unroute("**/sync/")
    page.reload()
    score(page, 1, 6)
    saved(page)
    assert str(SheetEntry.objects.get().client_id) == waiting["id"]
    assert page.evaluate(WAITING) == []


def test_a_lost_answer_does_not_write_twice(phone):
    table = make_table()
    page = phone(auditor_link(table))
    lost = []

    def lose_the_answer(route):
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().status)
            route.abort()

    page.route("**/sync/", only(lose_the_answer, "entry"))
    seat(page, 2).click()
    button(page, category="pair").first.click()
    score(page, 2, 1)
    saved(page)
    assert lost == [200]
    assert SheetEntry.objects.count() == 1


def test_a_server_in_trouble_is_tried_again(phone):
    page = phone(auditor_link(make_table()))
    answers = []

    def trouble_once(route):
        answers.append(1)
        route.fulfill(status=502, body="oops") if len(answers) == 1 else route.continue_()

    page.route("**/sync/", only(trouble_once, "entry"))
    seat(page, 2).click()
    button(page, category="pair").first.click()
    score(page, 2, 1)
    saved(page)
    assert len(answers) == 2


def choices(page):
    expect(page.locator("[data-choice]").first).to_be_visible()
    return page.locator("[data-choice]").evaluate_all("all => all.map(b => b.dataset.choice)")


def test_another_device_wrote_first(phone):
    table = make_table()
    page = phone(auditor_link(table))
    page.route("**/sync/", only(lambda route: route.abort()))
    seat(page, 0).click()
    write_entry(
        sheet_id=running(table).pk,
        client_id=uuid.uuid4(),
        seen_version=0,
        entry=hand(1, 3, "flush"),
        author="director",
    )
    button(page, category="pair").first.click()
    expect(page.locator("#merge td").nth(0)).to_contain_text("Anna")
    expect(page.locator("#merge td").nth(1)).to_contain_text("Dag")
    score(page, 3, 5)
    saved(page, "conflict")
    # A hand of one phase is never offered for another.
    assert choices(page) == ["mine", "theirs"]
    page.locator("[data-choice=theirs]").click()
    saved(page)
    assert [row.kind for row in SheetEntry.objects.order_by("sequence")] == [
        "entry",
        "entry",
        "void",
    ]
    assert sheet_of(table).state["scores"] == [0, 0, 0, 5]


def test_a_ruling_meanwhile_is_no_conflict_where_the_line_still_fits(phone):
    table = make_table()
    page = phone(auditor_link(table))
    page.route("**/sync/", only(lambda route: route.abort()))
    seat(page, 0).click()
    write_entry(
        sheet_id=running(table).pk,
        client_id=uuid.uuid4(),
        seen_version=0,
        entry={"kind": "ruling", "action": "points", "seat": 1, "points": 2, "reason": "x"},
        author="director",
    )
    button(page, category="pair").first.click()
    score(page, 0, 1)
    score(page, 1, 2)
    expect(page.locator(".rulings")).to_be_visible()
    assert sheet_of(table).state["scores"] == [1, 2, 0, 0]


def test_a_second_device_may_take_over(phone):
    table = make_table()
    address = auditor_link(table)
    first, second = phone(address), phone(address)
    # The second device has not noticed that the first one writes.
    second.route("**/sync/", only(lambda route: route.abort()))
    seat(first, 0).click()
    button(first, category="pair").first.click()
    score(first, 0, 1)
    saved(first)
    seat(second, 1).click()
    button(second, category="flush").first.click()
    # Both sides are shown, but the first device chooses unless the second one takes over.
    expect(second.locator("#merge td").nth(1)).to_contain_text("Anna")
    expect(second.locator("form[data-do=take]:visible")).to_have_count(1)
    assert second.locator("[data-choice]").count() == 0
    second.unroute("**/sync/")
    second.locator("#merge form[data-do=take] button").click()
    # A hand of the finished phase is not offered for the next one.
    assert choices(second) == ["mine", "theirs"]
    saved(second, "conflict")
    second.locator("[data-choice=theirs]").click()
    expect(second.locator("#merge")).to_be_hidden()
    seat(second, 1).click()
    button(second, category="flush").first.click()
    score(second, 1, 5)
    expect(first.locator(".lease")).to_be_visible()


def test_an_entry_tapped_without_the_lease_is_not_lost(phone):
    table = make_table()
    address = auditor_link(table)
    first, second = phone(address), phone(address)
    seat(first, 0).click()
    button(first, category="pair").first.click()
    score(first, 0, 1)
    saved(first)
    first.route("**/sync/", only(lambda route: route.abort()))
    second.locator("form[data-do=take] button").click()
    expect(seat(second, 0)).to_be_visible()
    # The first device has not noticed.
    seat(first, 1).click()
    button(first, category="flush").first.click()
    expect(first.locator("#merge td").nth(0)).to_contain_text("Bo")
    first.locator("#merge form[data-do=take] button").click()
    # Nothing else was written: no choice is left.
    score(first, 1, 5)
    saved(first)
    assert sheet_of(table).state["scores"] == [1, 5, 0, 0]


def test_a_player_who_is_out_is_not_picked_after_a_hand_either(phone):
    table = make_table()
    play(running(table), ruling("disqualify", 3))
    page = phone(auditor_link(table))
    page.locator(".rulings button").click()
    expect(page.locator(".rulings")).to_have_count(0)
    button(page, category="flush").click()
    expect(page.locator("#hint")).to_have_text(then(page))
    seat(page, 3).click()
    expect(page.locator("#hint")).not_to_have_text(then(page))
    expect(page.locator("input[name=seat]:checked")).to_have_count(0)
    seat(page, 0).click()
    score(page, 0, 5)
    saved(page)


class WithPins(Host):
    """A host whose players all have a PIN."""

    def acceptance(self, table_id):
        return "all"

    def with_pin(self, table_id):
        return {"Anna", "Bo", "Cia", "Dag"}


def test_an_objection_is_to_the_latest_deal_unless_another_is_typed(phone):
    before = register(WithPins())
    try:
        table = make_table()
        play(running(table), none(1), none(2), trick(0))
        page, reader = (phone(auditor_link(table, role)) for role in ("auditor", "reader"))
        for each in (page, reader):
            expect(each.locator("#objection-deal")).to_have_value("1")
        button(page, kind="none").click()
        button(page, kind="none").click()
        saved(page)
        for each in (page, reader):
            expect(each.locator("#objection-deal")).to_have_value("2")
            each.locator(".own-objection summary").click()
            each.locator("#objection-deal").fill("1")
        button(page, kind="none").click()
        expect(reader.locator("#live")).to_have_attribute("data-version", "6")
        for each in (page, reader):
            expect(each.locator("#objection-deal")).to_have_value("1")
    finally:
        register(before)


def test_a_tap_on_a_deal_objects_to_it_where_no_line_is_corrected(phone):
    before = register(WithPins())
    try:
        table = make_table(games=2)
        play(running(table), none(1), none(2), trick(0), none(3), quick_win(1))
        open_next_sheet(table_id=table.pk, by="test")
        play(running(table), none(1), none(2), trick(0), none(3), none(1))
        page, reader = (phone(auditor_link(table, role)) for role in ("auditor", "reader"))
        expect(page.locator("[data-object]")).to_have_count(0)
        reader.locator(".earlier > summary").click()
        reader.locator(".earlier .deals > summary").click()
        for game, deal in (("2", "1"), ("1", "2")):
            reader.locator(f"[data-object='{game}']", has_text=deal).click()
            expect(reader.locator("#objection-game")).to_have_value(game)
            expect(reader.locator("#objection-deal")).to_have_value(deal)
            expect(reader.locator("#objection-pin")).to_be_in_viewport()
        play(running(table), none(2))
        expect(reader.locator("#live")).to_have_attribute("data-version", "6")
        expect(reader.locator("#objection-deal")).to_have_value("2")
    finally:
        register(before)


@pytest.mark.parametrize("rules", ["festival", "svensk"])
def test_a_half_typed_objection_stays_that_games(phone, rules):
    before = register(WithPins())
    try:
        table = make_table(rules=rules)
        play(running(table), none(1), none(2), trick(0), none(3), none(1))
        page = phone(auditor_link(table))
        page.locator(".own-objection summary").click()
        page.fill("#objection-text", "It was a flush")
        takes_taps(page)
        button(page, kind="none").click()
        saved(page)
        play(running(table), trick(0), hand(3, 1, "royal_flush"))
        expect(page.locator("#live")).to_have_attribute("data-mode", "over")
        page.locator(".btn-next").click()
        expect(page.locator("#live")).to_have_attribute("data-game", "2")
        button(page, kind="none").click()
        saved(page)
        shown = [page.locator(f"#objection-{each}") for each in ("game", "deal", "text")]
        assert [each.input_value() for each in shown] == ["1", "2", "It was a flush"]
    finally:
        register(before)


def test_the_next_game_is_shown_from_the_top(phone):
    table = make_table()
    play(running(table), hand(1, 3, "straight_flush"))
    page = phone(auditor_link(table), size=(360, 380))
    page.locator(".btn-next").click()
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    expect(page.locator(".ask")).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0


def test_a_page_opened_between_two_games_keeps_the_phone_awake_in_the_next(phone):
    table = make_table()
    write(running(table), quick_win(1))
    page = phone(auditor_link(table))
    page.add_init_script(
        """window.asked = 0;
        Object.defineProperty(navigator, "wakeLock", {value: {request: async () => {
            window.asked += 1;
            return {released: false};
        }}})"""
    )
    page.reload()
    page.locator(".btn-next").click()
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    assert page.evaluate("window.asked") == 0
    for _tap in range(2):
        page.locator("h1").click(position={"x": 5, "y": 5})
    assert page.evaluate("window.asked") == 1


def test_readers_see_entries_arrive_and_are_told_when_they_are_offline(phone):
    table = make_table()
    page = phone(auditor_link(table, "reader"))
    play(running(table), hand(1, 2, "flush"))
    score(page, 2, 5)
    page.context.set_offline(True)
    expect(page.locator("#offline")).to_be_visible()
    expect(page.locator(".saving-lost")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("#offline")).to_be_hidden()


def test_calling_the_director(phone):
    table = make_table()
    page = phone(auditor_link(table))
    page.locator(".call > summary").click()
    page.locator(CALL).click()
    expect(page.locator(".called")).to_be_visible()
    table.refresh_from_db()
    assert table.call_reason == "reason:call_rules"


def test_a_call_without_network_is_kept_and_sent(phone):
    table = make_table()
    page = phone(auditor_link(table))
    page.context.set_offline(True)
    seat(page, 1).click()
    button(page, category="full_house").click()
    saved(page, "waiting")
    page.locator(".call > summary").click()
    page.locator(CALL).click()
    expect(page.locator("#pending li")).to_have_count(2)
    expect(page.locator(CALL)).to_be_hidden()
    page.context.set_offline(False)
    score(page, 1, 6)
    expect(page.locator(".called")).to_be_visible()
    expect(page.locator("#offline")).to_be_hidden()


def test_without_scripts_the_sheet_can_be_read(phone):
    table = make_table()
    play(running(table), hand(1, 0, "flush"))
    page = phone(auditor_link(table), java_script_enabled=False)
    expect(page.locator("#live .score-now").first).to_have_text("5")
    expect(page.locator("[name=what]")).to_have_count(0)


def test_with_the_keyboard_alone(phone):
    table = make_table()
    page = phone(auditor_link(table))
    page.locator('input[name="seat"]').first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert sheet_of(table).version == 0
    button(page, category="flush").first.focus()
    page.keyboard.press("Enter")
    score(page, 1, 5)
    saved(page)
    expect(page.locator(".question .ask")).to_be_focused()
    # The hand first: arrow keys over the players write nothing, Enter does.
    button(page, category="two_pair").press("Enter")
    page.locator('input[name="seat"]').first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert sheet_of(table).version == 1
    page.keyboard.press("Enter")
    score(page, 2, 2)


STAGES = {
    "first exchange": (),
    "tricks": (
        *(hand(1, 0, "flush"), hand(2, 0, "full_house"), trick(0), hand(3, 0, "two_pair")),
        *(none(1), none(2)),
    ),
    "end of the game": (hand(1, 0), hand(2, 1, "royal_flush")),
}
