"""Taps that come twice or too late: the intended entry is written, or nothing."""

import time
import uuid
from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError, expect

from scoring.enums import AcceptedBy
from scoring.models import SheetEntry
from scoring.writing import accept_games, call_td, object_to_deal, open_next_sheet
from tests.browser.auditor import is_accessible, saved, takes_taps
from tests.browser.states import RICH, seated
from tests.browser.test_auditor import STAGES, button, phone, seat, then
from tests.scoring.factories import (
    auditor_link,
    hand,
    make_table,
    none,
    penalise,
    play,
    quick_win,
    running,
    sheet_of,
    trick,
)

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]

SLOW = pytest.mark.slow
GAPS = [50, 300, pytest.param(150, marks=SLOW), pytest.param(500, marks=SLOW)]


class Thumb:
    """A thumb that taps the same place twice, whatever is there by then.

    Each touch carries its time: on a busy machine the second tap may be delivered late.
    """

    def __init__(self, page, gap):
        self.page = page
        self.gap = gap
        self.browser = page.context.new_cdp_session(page)

    def tap(self, what, times=1):
        takes_taps(self.page)
        expect(self.page.locator(".held, .busy")).to_have_count(0)
        box = what.bounding_box()
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        first = time.time()
        for turn in range(times):
            if turn:
                self.page.wait_for_timeout(self.gap)
            at = first + turn * self.gap / 1000
            self.touch("touchStart", [point], at)
            self.touch("touchEnd", [], at + 0.03)

    def touch(self, kind, points, at):
        touch = {"type": kind, "touchPoints": points, "timestamp": at}
        # A touch on a page that is just being left may never be acknowledged.
        with suppress(TimeoutError):
            self.browser.send("Input.dispatchTouchEvent", touch, timeout=3000)

    def twice(self, what):
        self.tap(what, 2)
        # By then, whatever the second tap could trigger is over.
        self.page.wait_for_timeout(300)
        saved(self.page)


def written():
    return [(row.kind, row.entry) for row in SheetEntry.objects.order_by("pk")]


def nothing_begun(page):
    expect(page.locator("input[name=seat]:checked, .chosen")).to_have_count(0)


@pytest.mark.parametrize("gap", GAPS)
def test_an_answer_tapped_twice_counts_once(phone, gap):
    page = phone(auditor_link(make_table()), has_touch=True)
    thumb = Thumb(page, gap)
    kinds = []

    def wrote(entry):
        kinds.append(("entry", entry))
        expect(page.locator("#live")).to_have_attribute("data-version", str(len(kinds)))
        assert written() == kinds
        nothing_begun(page)

    thumb.twice(seat(page, 0))
    thumb.twice(button(page, category="pair").first)
    nothing_begun(page)
    thumb.tap(seat(page, 0))
    thumb.twice(button(page, category="pair").first)
    wrote(hand(1, 0))
    expect(page.locator(".undo.fresh")).to_contain_text("Anna")
    # The hand first, then the player.
    thumb.tap(button(page, category="two_pair"))
    thumb.twice(seat(page, 1))
    wrote(hand(2, 1, "two_pair"))
    thumb.twice(page.locator(".what-trick button").nth(2))
    wrote(trick(2))
    thumb.twice(button(page, kind="none"))
    wrote(none(3))
    thumb.twice(page.locator(".undo"))
    kinds.append(("void", None))
    assert [kind for kind, _entry in written()] == [kind for kind, _entry in kinds]
    expect(page.locator(".sheet-deal")).to_contain_text("1")


@pytest.mark.parametrize("gap", GAPS)
def test_the_likely_answer_and_the_trick_with_a_deuce_tapped_twice_count_once(phone, gap):
    table = make_table()
    play(running(table), hand(1, 2, "two_pair"))
    page = phone(auditor_link(table), has_touch=True)
    thumb = Thumb(page, gap)
    thumb.twice(page.locator(".what-again button").first)
    assert [entry for _kind, entry in written()][1:] == [hand(2, 2, "two_pair")]
    thumb.twice(page.locator(".what-deuce button").nth(1))
    assert [entry for _kind, entry in written()][2:] == [trick(1, deuce=True)]
    thumb.twice(page.locator(".what-again button").first)
    assert [entry for _kind, entry in written()][3:] == [hand(3, 2, "two_pair")]
    nothing_begun(page)


def test_a_tap_delivered_late_counts_by_its_own_time(phone):
    """A busy browser may deliver a tap when its place has long been unlocked again."""
    page = phone(auditor_link(make_table()), has_touch=True)
    thumb = Thumb(page, 300)
    thumb.tap(seat(page, 0))
    late = time.time() + 0.3
    thumb.tap(button(page, category="pair").first)
    saved(page)
    expect(page.locator(".held")).to_have_count(0)
    place = button(page, category="pair").first.bounding_box()
    point = {"x": place["x"] + 10, "y": place["y"] + 10}
    thumb.touch("touchStart", [point], late)
    thumb.touch("touchEnd", [], late + 0.03)
    page.wait_for_timeout(300)
    nothing_begun(page)
    assert len(written()) == 1


@pytest.mark.parametrize("gap", GAPS)
def test_confirmations_and_next_buttons_tapped_twice_count_once(phone, gap):
    table = make_table()
    for entry in STAGES["tricks"]:
        play(running(table), entry)
    before = len(written())
    page = phone(auditor_link(table), has_touch=True)
    thumb = Thumb(page, gap)
    thumb.twice(page.locator(".what-declare button").first)
    expect(page.locator(".question")).to_have_attribute("data-step", "chicago")
    assert len(written()) == before
    thumb.twice(page.locator(".what-broken .kind-broken").last)
    assert len(written()) == before + 1
    thumb.tap(seat(page, 3))
    thumb.twice(button(page, category="straight_flush"))
    expect(page.locator("dialog")).to_be_visible()
    assert len(written()) == before + 1
    thumb.twice(page.locator("[data-answer=yes]"))
    expect(page.locator(".result-winner")).to_have_text("Dag")
    assert len(written()) == before + 2
    thumb.twice(page.locator(".btn-next"))
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    assert len(written()) == before + 2
    nothing_begun(page)


#: Counts how often the phone is told to vibrate.
VIBRATES = """window.shaken = 0;
navigator.vibrate = () => { window.shaken += 1; return true; }"""


@pytest.mark.parametrize("rules", ["festival", "svensk"])
def test_what_is_written_or_declared_is_told_in_the_bar_and_felt_once(phone, rules):
    table = make_table(rules=rules)
    play(running(table), *RICH, hand(1, 1))
    page = phone(auditor_link(table), has_touch=True)
    page.add_init_script(VIBRATES)
    page.reload()
    takes_taps(page)
    bar = page.locator(".undo.fresh")

    def felt(times):
        saved(page)
        assert page.evaluate("window.shaken") == times

    expect(bar).to_have_count(0)
    page.locator(".nobody-slot button").click()
    expect(bar).to_have_count(1)
    felt(1)
    # What was told before is over by then.
    page.reload()
    takes_taps(page)
    page.locator("button[name=announce][value='0']").click()
    expect(bar).to_contain_text("Anna")
    felt(1)
    bar.click()
    expect(page.locator(".question")).to_have_attribute("data-step", "trick")
    felt(1)


def test_a_penalty_that_appears_under_the_finger_is_not_put_away_by_it(phone):
    """Points of the heat's result: the sheet and its buttons stay as they are below it."""
    table = make_table()
    page = phone(auditor_link(table), has_touch=True)
    page.add_init_script(STAYS_HELD)
    page.reload()
    page.evaluate("document.getAnimations().forEach((held) => held.finish())")
    penalise(table, "Bo")
    page.evaluate("document.body.dispatchEvent(new Event('stream-changed'))")
    read = page.locator(".rulings button")
    expect(read).to_be_visible()
    box = read.bounding_box()
    # What was in its place before holds it, too, for 600 ms.
    page.wait_for_timeout(800)
    expect(page.locator(".held")).to_have_count(0)
    for held in (True, False):
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(page.locator(".rulings")).to_have_count(int(held))
        page.evaluate("document.getAnimations().forEach((held) => held.finish())")


#: What a page just opened holds it goes on holding until it is told.
STAYS_HELD = """addEventListener(
    "animationstart", ({target}) => target.getAnimations().forEach((held) => held.pause()), true)"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_second_tap_does_not_reach_the_page_that_the_first_opens(phone, motion):
    table = make_table()
    play(running(table), hand(1, 0, "flush"))
    page = phone(auditor_link(table), has_touch=True, reduced_motion=motion)
    page.locator(".score-sheet a[href$='games/1/1/']").click()
    page.locator("label:has(input[name=entry][value*='\"straight\"'])").first.click()
    page.add_init_script(STAYS_HELD)
    thumb = Thumb(page, 120)

    def opens(button, there):
        """Tap a button twice, then a button of the page that it opens."""
        button.scroll_into_view_if_needed()
        thumb.tap(button, 2)
        expect(there).to_be_visible()
        if page.locator("#live").count():
            # What the phone holds is shown first, and then what was written.
            expect(page.locator("#live")).to_have_attribute("data-version", "2")
        there.scroll_into_view_if_needed()
        box = there.bounding_box()
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        before = page.url, written()
        thumb.touch("touchStart", [point], time.time())
        thumb.touch("touchEnd", [], time.time())
        page.wait_for_timeout(300)
        assert (page.url, written()) == before
        page.evaluate("document.getAnimations().forEach((held) => held.finish())")

    opens(page.locator(".btn-next"), page.locator("form:has(.changed) .btn-next"))
    assert len(written()) == 1
    opens(page.locator(".btn-next"), page.locator(".nobody-slot button"))
    assert [kind for kind, _entry in written()] == ["entry", "amend"]
    thumb.tap(page.locator(".nobody-slot button"))
    saved(page)
    assert len(written()) == 3


def test_nothing_moves_and_the_nobody_button_has_its_own_place(phone):
    table = make_table()
    page = phone(auditor_link(table), has_touch=True)
    # A page just opened takes no tap; the browser's driver scrolls while it waits.
    takes_taps(page)
    where = """[...document.querySelectorAll(
        '#entry label.cell, #entry button, #entry summary')]
        .filter(e => e.checkVisibility({visibilityProperty: true}))
        .map(e => JSON.stringify(e.getBoundingClientRect())).join()"""
    first = page.evaluate(where)
    button(page, category="two_pair").click()
    expect(page.locator("#hint")).to_have_text(then(page))
    assert page.evaluate(where) == first
    # Any other tap cancels it: the next player tapped is only picked.
    page.locator("h1").click(position={"x": 5, "y": 5})
    seat(page, 1).click()
    expect(page.locator("label.cell.picked")).to_have_count(1)
    assert page.evaluate(where) == first
    assert written() == []
    nobody, back = set(), set()
    for version, entry in enumerate((*STAGES["tricks"], trick(0)), 1):
        play(running(table), entry)
        page.reload()
        expect(page.locator("#live")).to_have_attribute("data-version", str(version))
        back.add(page.locator(".undo").bounding_box()["y"])
        nobody.add(page.locator(".nobody-slot").bounding_box()["y"])
    assert (len(nobody), len(back)) == (1, 1)


@pytest.mark.parametrize("size", [(360, 640), (568, 320)])
@pytest.mark.parametrize("offline", [False, True], ids=["online", "offline"])
def test_at_the_end_of_a_game_take_back_lies_where_it_was(phone, size, offline):
    where = "JSON.stringify(document.querySelector('.undo').getBoundingClientRect())"
    table = make_table(games=2)
    page = phone(auditor_link(table), size=size, has_touch=True)
    for mode in ("over", "end"):
        play(running(table), none(1), none(2), trick(0))
        page.reload()
        expect(page.locator("#live")).to_have_attribute("data-version", "3")
        before = page.evaluate(where)
        page.context.set_offline(offline)
        seat(page, 0).click()
        button(page, category="straight_flush").click()
        page.locator("#confirm[open] [data-answer=yes]").click()
        expect(page.locator("#live")).to_have_attribute("data-mode", mode)
        expect(page.locator(".outcome")).to_be_visible()
        assert page.evaluate(where) == before
        # The board is there to be read, also once it takes taps again.
        expect(page.locator(".held")).to_have_count(0)
        seat(page, 1).click(force=True)
        nothing_begun(page)
        if offline:
            page.context.set_offline(False)
        saved(page)
        assert page.evaluate(where) == before
        is_accessible(page)
        if mode == "over":
            open_next_sheet(table_id=table.pk, by="Anna")


def a_call_moves_nothing(page, table, where):
    """Call the director elsewhere; `where` is a script that returns where things are."""
    before = page.evaluate(where)
    call_td(table_id=table.pk, reason="A quarrel")
    page.evaluate("document.body.dispatchEvent(new Event('stream-changed'))")
    expect(page.locator(".called")).to_be_visible()
    assert page.evaluate(where) == before
    page.locator("a.call").click()
    expect(page.locator(".called")).to_be_in_viewport()
    is_accessible(page)


def test_news_from_others_moves_nothing(phone):
    table = make_table()
    play(running(table), hand(1, 0))
    page = phone(auditor_link(table), has_touch=True)
    where = """[...document.querySelectorAll('#entry :is(label.cell, button, summary), .fields a')]
        .filter(e => e.checkVisibility({visibilityProperty: true}))
        .map(e => JSON.stringify(e.getBoundingClientRect())).join()"""
    before = page.evaluate(where)
    object_to_deal(
        table_id=table.pk,
        game=1,
        deal=1,
        player_id="Bo",
        text="A flush",
        client_id=uuid.uuid4(),
        by="x",
    )
    page.evaluate("document.body.dispatchEvent(new Event('stream-changed'))")
    expect(page.locator(".objection")).to_be_visible()
    expect(page.locator(".call > summary.waits")).to_be_visible()
    assert page.evaluate(where) == before
    a_call_moves_nothing(page, table, where)


@pytest.mark.parametrize(("games", "locale"), [(1, "sv-SE"), (2, "en-GB")])
def test_news_from_others_moves_nothing_at_the_end_of_a_game(phone, games, locale):
    """They accept, and one calls the director: what can be tapped stays where it was."""
    table = seated(games_per_heat=games)
    play(running(table), hand(1, 0), quick_win() | {"phase": 2})
    page = phone(auditor_link(table), has_touch=True, locale=locale)
    where = """[...document.querySelectorAll('.btn-next, .undo, .accept li:last-child')]
        .map(e => e.getBoundingClientRect().y).join()"""
    expect(page.locator(".accept form")).to_have_count(3)
    before = page.evaluate(where)
    for count, player in enumerate(table.players[:3], 1):
        accept_games(
            table_id=table.pk,
            player_id=player,
            seen={1: sheet_of(table).version},
            by="x",
            means=AcceptedBy.PIN,
        )
        page.evaluate("document.body.dispatchEvent(new Event('stream-changed'))")
        expect(page.locator(".accepted .word")).to_have_count(count)
        assert page.evaluate(where) == before
    a_call_moves_nothing(page, table, where)


def test_a_tap_begun_before_an_update_does_not_count_after_it(phone):
    table = make_table()
    page = phone(auditor_link(table))
    box = button(page, kind="none").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    play(running(table), hand(1, 1, "flush"))
    page.evaluate("document.body.dispatchEvent(new Event('stream-changed'))")
    expect(page.locator("#live")).to_have_attribute("data-version", "1")
    page.wait_for_timeout(700)
    page.mouse.up()
    page.wait_for_timeout(300)
    assert len(written()) == 1
