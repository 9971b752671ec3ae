"""The Auditor's page with 200 % text, on 320 px and in landscape: nothing is lost or cut off."""

import re

import pytest
from playwright.sync_api import Page, expect

from scoring.enums import AcceptedBy
from scoring.writing import accept_games, confirm_seats, open_next_sheet, sign_off
from tests.browser.auditor import drawn, takes_taps
from tests.browser.test_auditor import LONG, STAGES, phone
from tests.scoring.factories import (
    auditor_link,
    chicago,
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
from tests.tournaments.factories import make_event, make_heats
from tournaments.draws.commands.drafts import draw_heats
from tournaments.floor.commands.clocks import set_clock
from tournaments.registration.commands.check_in import check_in
from tournaments.registration.commands.people import register_person
from tournaments.registration.queries.player_links import token_of

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]

#: Width, height, and text size.
SCREENS = {"200 %": (360, 740, 32), "320 px": (320, 568, 16), "landscape": (740, 340, 16)}

SIX = ("Anna", "Bo", "Cia", "Dag", "Eva", "Finn")

#: The name of an event that takes two lines.
EVENT = "Stockholms stora vinterfestival i Chicago 2026"

NARROW = ("320 px", "landscape")
SLOW = pytest.mark.slow

#: Elements that scrolling cannot reach, that overflow their box, or lie under something else.
LOST = """() => {
  const wrong = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    const beyond = [...document.body.querySelectorAll('*')].filter((part) =>
      part.getBoundingClientRect().right > root.clientWidth && !part.closest('.deals-scroll'));
    const names = beyond.map((part) => part.className || part.tagName).join();
    wrong.push(`page is ${root.scrollWidth} wide: ${names}`);
  }
  const seen = (e) => e.checkVisibility({visibilityProperty: true}) && e.getClientRects().length;
  const controls = [...document.querySelectorAll(
    'main :is(button, label.cell, summary, a[href], select, input:not([type=hidden]))')];
  for (const control of controls.filter(seen)) {
    if (control.matches('.visually-hidden, .self')) continue;
    const name = `${control.className} ${control.textContent.trim().slice(0, 20)}`;
    control.scrollIntoView({block: 'center', behavior: 'instant'});
    const box = control.getBoundingClientRect();
    if (box.left < -1 || box.right > root.clientWidth + 1) wrong.push(`${name}: out of the page`);
    if (box.width < 20 || box.height < 20) wrong.push(`${name}: ${box.width} x ${box.height}`);
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const top = document.elementFromPoint(x, y);
    if (!top || !(control.contains(top) || top.contains(control))) {
      wrong.push(`${name}: under ${top && top.className}`);
    }
    if (control.scrollWidth > control.clientWidth + 2) {
      const text = [...control.querySelectorAll('*')].some((part) => {
        const inside = part.getBoundingClientRect();
        return inside.width > 1 && inside.right > box.right + 2;
      });
      if (text) wrong.push(`${name}: wider than its box`);
    }
  }
  return wrong;
}"""
#: Sentences on lines of their own: whatever does not fit can be scrolled.
CUT = """() => [...document.querySelectorAll(
    '.stopped, .hint, .undo-text, .field-label, .sheet-head *')]
  .filter((line) => line.checkVisibility() && line.scrollHeight > line.clientHeight + 3)
  .filter((line) => getComputedStyle(line).overflowY === 'hidden')
  .map((line) => `${line.className}: ${line.textContent.trim().slice(0, 40)}`)"""


#: Where the lowest answer ends.
LOWEST = """() => Math.max(...[...document.querySelectorAll('.question button')]
    .map((button) => button.getBoundingClientRect().bottom + scrollY))"""


def phases(table):
    """Lead a table through every question of its page; yield the name of each."""
    yield "seats"
    table.refresh_from_db()
    play(running(table), hand(1, 0, "flush"))
    yield "second exchange, with the likely answers"
    play(running(table), hand(2, 0, "full_house"))
    yield "last trick"
    play(running(table), trick(0), hand(3, 0, "full_house"), hand(1, 0, "flush"), none(2))
    yield "who declares a Chicago"
    play(running(table), chicago(0))
    yield "a Chicago was won"
    for _turn in range(2):
        play(running(table), hand(1, 1, "full_house"), none(2), trick(1, deuce=True), none(3))
    play(running(table), ruling("points", 1, points=20))
    yield "a ruling, and somebody near the target who may not exchange"
    write(running(table), quick_win(2))
    yield "a game is over"
    open_next_sheet(table_id=table.pk, by="test")
    write(running(table), quick_win(1))
    yield "all games are over"
    sign_off(table_id=table.pk, by="test", by_director=True)
    yield "signed off"


def test_hints_move_nothing(phone):
    table = make_table(LONG)
    play(running(table), hand(1, 0, "flush"))
    page: Page = phone(auditor_link(table), size=(360, 740), has_touch=True)
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    where = """[...document.querySelectorAll("#entry :is(label.cell, button)")]
        .map((part) => part.getBoundingClientRect().y + scrollY)"""
    page.locator(".nobody-slot button").scroll_into_view_if_needed()
    takes_taps(page)
    before = page.evaluate(where)
    page.evaluate("document.getElementById('hint').textContent = 'A long hint. '.repeat(20)")
    assert page.evaluate(where) == before


@pytest.mark.parametrize(
    ("size", "language", "deal"),
    [((320, 568), "sv-SE", "(giv 2)"), ((360, 640), "en-GB", "(deal 2)")],
)
def test_long_names_are_not_cut_off_in_the_head_and_in_what_was_written(
    phone, size, language, deal
):
    """Online and offline."""
    heat = make_heats(make_event(name=f"{EVENT}, andra dagens kval"), 4).heats[0]
    page = phone(auditor_link(heat.table), size=size)
    label = page.locator(".sheet-label")
    assert label.evaluate("(label) => label.scrollHeight - label.clientHeight") <= 1
    # On its side the head has no room for it.
    page.set_viewport_size({"width": 568, "height": 320})
    expect(page.locator(".sheet-foot")).to_contain_text(heat.event.name)
    assert page.locator(".sheet-foot").evaluate("(e) => e.scrollHeight - e.clientHeight") <= 1
    table = make_table(LONG)
    play(running(table), hand(1, 2, "full_house"), hand(2, 2, "full_house"), trick(2), none(3))
    play(running(table), none(1), none(2), chicago(2, won=False, breaker=0))
    page = phone(auditor_link(table), size=size, locale=language)
    drawn(page)
    line = page.locator(".undo-text")
    expect(line).to_contain_text(deal)
    assert line.evaluate("(line) => line.scrollHeight - line.clientHeight") <= 1
    # A call waits, and the device draws the page.
    page.context.set_offline(True)
    page.locator("details.call summary").click()
    page.locator("details.call button").first.click()
    expect(page.locator("[data-take-back] .undo-text")).to_contain_text(deal)
    assert line.evaluate("(line) => line.scrollHeight - line.clientHeight") <= 1


@pytest.mark.parametrize("size", [(360, 640), (320, 568), (640, 360), (568, 320)])
@pytest.mark.parametrize(
    "names", [SIX, pytest.param((*LONG, "Gunnar-Alexander Ek", "Wilhelmina Ek"), id="long")]
)
@pytest.mark.parametrize("language", ["sv-SE", pytest.param("en-GB", marks=SLOW)])
def test_all_answers_are_on_the_phone_with_six_players(phone, language, names, size):
    """At a kitchen table; and whatever stands in a cell, the answers stay where they are."""
    table = make_table(names, rules="svensk", directed=False, label=", ".join(names)[:120])
    confirm_seats(table_id=table.pk, seen_version=0, by="test")
    sheet, tops = running(table), set()
    for entries in (
        (ruling("points", 0, points=35), ruling("points", 1, points=20)),
        (hand(1, 3),),
        (none(2),),
        (chicago(0), ruling("sit_out_next_deal", 2), ruling("sit_out_game", 4)),
        (ruling("sit_out_deal", 3),),
    ):
        play(sheet, *entries)
        page = phone(auditor_link(table), size=size, locale=language)
        assert page.evaluate(LOWEST) <= size[1]
        undo = page.locator(".undo-slot").bounding_box()
        assert undo["y"] + undo["height"] <= size[1]
        tops.add(page.locator(".question").bounding_box()["y"])
    assert len(tops) == 1


@pytest.mark.parametrize("language", [pytest.param("sv-SE", marks=pytest.mark.slow), "en-GB"])
@pytest.mark.parametrize("size", [(320, 568), (360, 640), (568, 320), (640, 360)])
def test_all_answers_are_on_the_smallest_phone_beside_both_clocks(phone, size, language):
    event = make_event(name=EVENT, minutes_per_heat=60, shot_clock_seconds=30)
    heat = make_heats(event, 4).heats[0]
    set_clock(heat=heat, what="start", by=None)
    page = phone(auditor_link(heat.table), size=size, locale=language)
    expect(page.locator(".seats-asked > .btn-next")).to_be_in_viewport(ratio=1)
    confirm_seats(table_id=heat.table_id, seen_version=0, by="test")
    # Somebody may declare a Chicago.
    play(running(heat.table), ruling("points", 2, points=20))
    for entry in (hand(1, 0), hand(2, 0), trick(1), none(3), none(1), none(2)):
        play(running(heat.table), entry)
        page = phone(auditor_link(heat.table), size=size, locale=language)
        expect(page.locator(".clock-left")).to_have_text(re.compile(r"^(\d:)?\d\d:\d\d$"))
        expect(page.locator("[data-shot]")).to_be_in_viewport()
        assert page.evaluate(LOWEST) <= size[1]
    page.locator(".rulings button").click()
    expect(page.locator(".rulings, .held")).to_have_count(0)
    page.locator("[name=announce]:not(.off)").click()
    expect(page.locator(".question")).to_have_attribute("data-step", "chicago")
    assert page.evaluate(LOWEST) <= size[1]


@pytest.mark.parametrize("language", [pytest.param("sv-SE", marks=pytest.mark.slow), "en-GB"])
@pytest.mark.parametrize("size", [(320, 568), (360, 640), (568, 320), (640, 360)])
def test_the_likely_answers_are_whole_with_names_of_three_lines(phone, size, language):
    table = make_table(("Karl-Gustaf Andersson-Ö", "Karl-Gustaf Andersson-Å", "Bo", "Cia"))
    play(running(table), hand(1, 0))
    page = phone(auditor_link(table), size=size, locale=language)
    likely = page.locator(".what-again button")
    expect(likely).to_have_count(3)
    for each in likely.all():
        assert each.evaluate("(button) => button.scrollHeight - button.clientHeight") <= 0


@pytest.mark.parametrize("language", [pytest.param("en-GB", marks=pytest.mark.slow), "sv-SE"])
@pytest.mark.parametrize("entries", STAGES.values(), ids=STAGES)
def test_four_long_names_on_the_smallest_phone(phone, entries, language):
    table = make_table(LONG)
    for entry in entries:
        play(running(table), entry)
    page = phone(auditor_link(table), locale=language)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    small = page.evaluate(
        """[...document.querySelectorAll('button, summary, label.cell, select, a')]
        .filter(e => e.checkVisibility() && !e.matches('.skip-link'))
        .map(e => [e.innerText, e.getBoundingClientRect()])
        .filter(([text, box]) => box.height < 44 || box.width < 44)
        .map(([text, box]) => `${text} ${box.width}x${box.height}`)"""
    )
    assert small == []
    needed = page.locator(".undo, .btn-next, .question .kind-royal_flush, .kind-nobody")
    boxes = [found.bounding_box() for found in needed.all() if found.is_visible()]
    bottoms = [box["y"] + box["height"] for box in boxes]
    assert max(bottoms) <= 640


#: Where each line of the texts ends, and where it begins on the screen.
TEXTS = """(parts) => parts.flatMap((part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    const boxes = [...range.getClientRects()].filter(({ width }) => width > 1);
    return boxes.map(({ right, top }) => [right, top]);
})"""


@pytest.mark.parametrize(
    ("size", "text"), [((360, 640), 32), ((360, 640), 16), ((640, 360), 16), ((568, 320), 16)]
)
def test_what_waits_covers_neither_the_heads_text_nor_the_call(phone, size, text):
    """In large text the head leaves the screen with the rest of the page."""
    heat = make_table(LONG, label="Semi-final A")
    kitchen = make_table(LONG, directed=False, label=", ".join(LONG))
    timed = make_heats(make_event(name=EVENT, minutes_per_heat=60), 4).heats[0]
    set_clock(heat=timed, what="start", by=None)
    confirm_seats(table_id=timed.table_id, seen_version=0, by="test")
    for table in (heat, kitchen, timed.table):
        page: Page = phone(auditor_link(table), size=size, has_touch=True)
        drawn(page)
        page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", f"{text}px")
        # What has moved takes no tap for a while, whenever that is noticed.
        page.evaluate("dispatchEvent(new Event('resize'))")
        expect(page.locator(".held")).to_have_count(0)
        page.context.set_offline(True)
        page.locator(".nobody-slot button").click()
        expect(page.locator("#pending li")).to_have_count(1)
        page.evaluate("scrollTo(0, 0)")
        waits = page.locator("#pending").bounding_box()
        texts = page.locator(".sheet-label, .sheet-deal, .sheet-head .clock, .call")
        for x, y in texts.evaluate_all(TEXTS):
            assert x <= waits["x"] or y >= waits["y"] + waits["height"]
        page.evaluate("scrollTo(0, 2000)")
        sticks = page.locator(".sheet-head").bounding_box()["y"] >= 0
        assert sticks == (text == 16)


#: What has a place of its own in landscape.
PARTS = (".board", ".undo-slot", ".ask", ".what-again", ".answers", ".nobody-slot")
#: Where it is, from the top of the page.
WHERE = """(parts) => Object.fromEntries(parts.map((part) => {
    const { left, top, right, bottom } = document.querySelector(part).getBoundingClientRect();
    return [part, { left, top: top + scrollY, right, bottom: bottom + scrollY }];
}))"""


@pytest.mark.parametrize(
    ("size", "locale"),
    [
        ((568, 320), "en-GB"),
        ((667, 375), "sv-SE"),
        pytest.param((568, 320), "sv-SE", marks=SLOW),
        pytest.param((667, 375), "en-GB", marks=SLOW),
        pytest.param((740, 360), "en-GB", marks=SLOW),
    ],
)
def test_landscape_has_the_board_on_the_left_and_the_answers_on_the_right(
    phone, size, locale, request
):
    table = make_table(LONG)
    width, height = size
    page: Page = phone(auditor_link(table), size=size, locale=locale, has_touch=True)
    entries = [hand(1, 0, "flush"), hand(2, 0, "full_house"), trick(0), hand(3, 0, "full_house")]
    entries += [hand(1, 0, "flush"), none(2), chicago(0)]
    first = None
    for number, entry in enumerate([None, *entries]):
        if entry:
            play(running(table), entry)
        expect(page.locator("#live")).to_have_attribute("data-version", str(number))
        takes_taps(page)
        page.evaluate("scrollTo(0, 0)")
        folder = request.config.rootpath / "build" / "large-text"
        page.screenshot(path=folder / f"landscape {width} {locale} {number}.png")
        places = page.evaluate(WHERE, PARTS)
        for part in (".ask", ".what-again", ".answers", ".nobody-slot"):
            assert places[part]["left"] >= places[".board"]["right"], part
        assert places[".undo-slot"]["top"] >= places[".board"]["bottom"]
        assert places[".undo-slot"]["right"] <= places[".answers"]["left"]
        assert places[".nobody-slot"]["left"] >= places[".what-again"]["right"]
        first = first or places
        for part, place in places.items():
            assert (place["left"], place["top"]) == (first[part]["left"], first[part]["top"]), part
        # Every answer is on the screen at once.
        assert places[".undo-slot"]["bottom"] <= height
        assert page.evaluate(LOWEST) <= height, number
        assert page.evaluate(LOST) + page.evaluate(CUT) == []


@pytest.mark.parametrize("screen", ["200 %", *(pytest.param(s, marks=SLOW) for s in NARROW)])
@pytest.mark.parametrize("locale", [pytest.param("en-GB", marks=SLOW), "sv-SE"])
def test_nothing_is_cut_off_or_covered(phone, screen, locale, request):
    width, height, text = SCREENS[screen]
    table = make_table(LONG, games=2, seated=False)
    page: Page = phone(auditor_link(table), size=(width, height), locale=locale, has_touch=True)
    wrong = {}
    for number, phase in enumerate(phases(table)):
        page.reload()
        takes_taps(page)
        page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", f"{text}px")
        if page.locator(".rulings button").count():
            page.locator(".rulings button").click()
            expect(page.locator(".rulings")).to_have_count(0)
        for fold in page.locator("details:not([open]) > summary").all():
            if fold.is_visible() and fold.locator("xpath=..").get_attribute("class") != "call":
                fold.click()
        found = page.evaluate(LOST) + page.evaluate(CUT)
        if found:
            wrong[phase] = found
        folder = request.config.rootpath / "build" / "large-text"
        page.screenshot(path=folder / f"{screen} {locale} {number}.png", full_page=True)
    assert wrong == {}


#: 47 points each and no Chicago: nobody of them may exchange.
NEAR = [
    entry
    for seat in (0, 1)
    for entry in (
        *(hand(1, seat, "full_house"), hand(2, seat, "full_house"), trick(seat, deuce=True)),
        *(hand(3, seat, "full_house"), hand(1, seat, "full_house"), hand(2, seat, "full_house")),
        *(trick(seat), hand(3, seat, "two_pair")),
    )
]


@pytest.mark.parametrize("locale", [pytest.param("sv-SE", marks=SLOW), "en-GB"])
@pytest.mark.parametrize(
    ("size", "text"), [((320, 568), 16), ((360, 640), 16), ((568, 320), 16), ((360, 640), 32)]
)
def test_who_may_not_exchange_and_lacks_a_chicago_is_told_whole(phone, size, text, locale):
    table = make_table(("Christoffer Lund", "Christina Ek", "Maximilian", "Elisabeth"))
    play(running(table), *NEAR)
    page: Page = phone(auditor_link(table), size=size, locale=locale, has_touch=True)
    page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", f"{text}px")
    line = page.locator(".stopped")
    expect(line.locator(".stopped-text")).to_contain_text("Christoffer, Christina")
    expect(line.locator(".news")).to_contain_text("Christoffer, Christina")
    assert line.evaluate("(line) => line.scrollHeight - line.clientHeight") <= 3
    # And then what breaking it costs.
    play(running(table), {"kind": "illegal_discard", "seat": 0})
    expect(line.locator(".news")).to_contain_text("47")
    takes_taps(page)
    assert page.evaluate(CUT) == []


@pytest.mark.parametrize("size", [(360, 640), (740, 360)])
def test_the_events_name_and_the_deals_fields_are_whole_in_large_text(phone, size):
    heat = make_heats(make_event(name=EVENT, shot_clock_seconds=30), 4).heats[0]
    page: Page = phone(auditor_link(heat.table), size=size)
    page.evaluate("document.documentElement.style.fontSize = '32px'")
    label = page.locator(".sheet-label")
    for way in ("Width", "Height"):
        assert label.evaluate(f"(label) => label.scroll{way} - label.client{way}") <= 1
    for field in page.locator(".field-label").all():
        assert len(field.evaluate_all(TEXTS)) == 1


def test_no_answer_stays_marked_where_a_finger_was(phone):
    page: Page = phone(auditor_link(make_table()), has_touch=True, is_mobile=True)
    one, other = (page.locator(f".question .kind-{kind}") for kind in ("pair", "two_pair"))
    takes_taps(page)
    # As some phones do after a tap.
    one.hover()
    colours = [each.evaluate("(e) => getComputedStyle(e).backgroundColor") for each in (one, other)]
    assert colours[0] == colours[1]


@pytest.mark.parametrize(
    ("size", "text"), [((320, 568), 16), ((360, 640), 16), ((568, 320), 16), ((360, 740), 32)]
)
def test_the_longest_reason_of_a_grey_button_is_whole(phone, size, text):
    table = make_table(LONG)
    play(running(table), hand(1, 0, "four_of_a_kind"), none(2), trick(1))
    page: Page = phone(auditor_link(table), size=size, has_touch=True)
    page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", f"{text}px")
    takes_taps(page)
    page.locator("label.cell").first.click()
    page.locator(".question .kind-reset").click(force=True)
    hint = page.locator("#hint")
    expect(hint).to_contain_text(LONG[0])
    hint.scroll_into_view_if_needed()
    whole = """(hint) => {
        const { left, top, bottom, width } = hint.getBoundingClientRect();
        const seen = (y) => document.elementFromPoint(left + width / 2, y) === hint;
        return hint.scrollHeight <= hint.clientHeight && seen(top + 4) && seen(bottom - 4);
    }"""
    assert hint.evaluate(whole)
    # What it covers is reached with one more tap.
    hint.click()
    expect(hint).to_be_empty()
    expect(page.get_by_role("button", name=re.compile("^Take back "))).to_have_count(1)


def test_many_rulings_leave_their_button_in_sight(phone):
    table = make_table(LONG)
    rulings = [ruling("points", seat, points=-1, reason="peeked " * 5) for seat in range(4)]
    play(running(table), hand(1, 0), *rulings)
    page = phone(auditor_link(table), size=(320, 568))
    box, button = (page.locator(f".rulings{part}").bounding_box() for part in ("", " button"))
    assert button["y"] + button["height"] <= box["y"] + box["height"]


@pytest.mark.parametrize("width", [320, 360])
def test_long_names_that_accepted_or_broke_a_chicago_stay_on_the_page(phone, width):
    event = make_event(slug="fest", acceptance="all")
    for name in ("Jane O'Neill-Featherstonehaugh", *LONG[:3]):
        check_in(registration=register_person(event=event, by=None, legal_name=name), by=None)
    table = draw_heats(event=event, by=None, seed="test").heats[0].table
    confirm_seats(table_id=table.pk, seen_version=0, by="test", device="")
    rich = (*(hand(phase, 0, "full_house") for phase in (1, 2)), trick(0), hand(3, 0, "full_house"))
    broken = (none(1), none(2), chicago(0, won=False, breaker=1))
    play(running(table), *rich, *broken, hand(1, 0, "royal_flush"))
    own = phone(f"/p/{token_of(event.registrations.latest('pk'))}/", size=(width, 640))
    expect(own.locator("#own-accept")).to_be_visible()
    assert own.evaluate("document.documentElement.scrollWidth") == width
    seen = {1: sheet_of(table).version}
    for player in table.players:
        means = AcceptedBy.OWN_PAGE
        accept_games(table_id=table.pk, player_id=player, seen=seen, by="test", means=means)
    page = phone(auditor_link(table), size=(width, 640), locale="sv-SE")
    expect(page.locator(".accepted .word")).to_have_count(4)
    page.locator(".deals > summary").click()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    lines = page.locator(".deals .deals-scroll")
    assert lines.evaluate("(box) => box.scrollWidth - box.clientWidth") == 0


@pytest.mark.parametrize("locale", [pytest.param("en-GB", marks=SLOW), "sv-SE"])
def test_a_correction_and_its_preview_fit_in_large_text(phone, locale):
    table = make_table(LONG)
    play(running(table), hand(1, 0, "flush"), none(2), trick(1))
    page: Page = phone(auditor_link(table), size=(360, 740), locale=locale, has_touch=True)
    page.add_init_script(
        "addEventListener('DOMContentLoaded',"
        " () => { document.documentElement.style.fontSize = '32px'; })"
    )
    page.goto(f"{auditor_link(table)}games/1/1/")
    takes_taps(page)
    assert page.evaluate(LOST) == []
    page.locator("label:has(input[name=kind][value=void])").click()
    page.locator(".btn-next").click()
    expect(page.locator(".change-table tr.changed")).not_to_have_count(0)
    takes_taps(page)
    assert page.evaluate(LOST) == []
