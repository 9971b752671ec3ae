"""What a table wants to know stands on the page: in words, in large text, without network."""

import re

import pytest
from playwright.sync_api import Page, expect

from engine.messages import rules_lines
from engine.sheet.entries import entry_from_json
from scoring.writing import set_away
from tests.browser.auditor import Thumb, drawn, saved, takes_taps
from tests.browser.states import RICH, seated
from tests.browser.test_auditor import phone
from tests.browser.test_offline import OfflineThumb, installed, waits
from tests.scoring.factories import (
    auditor_link,
    hand,
    make_table,
    none,
    play,
    ruling,
    running,
    trick,
)
from tests.tournaments.factories import make_event, make_heats

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]

NAMES = ("Anna Berg", "Bosse Ek", "Christoffer Lind", "Elif Yilmaz")


def opened(phone, *entries, names=NAMES, rules="festival", **more) -> Page:
    table = make_table(names, rules=rules)
    if entries:
        play(running(table), *entries)
    page: Page = phone(auditor_link(table), **more)
    while page.locator(".rulings button").count():
        page.locator(".rulings button").first.click()
        expect(page.locator(".rulings, .held")).to_have_count(0)
    return page


def test_which_exchange_it_is_and_who_speaks_first(phone) -> None:
    page = opened(phone)
    head, first = page.locator(".sheet-deal"), page.locator(".cell .turn")
    thumb = Thumb(page)
    for phase, entry in (("first", hand(1, 0)), ("second", none(2)), ("third", trick(2))):
        expect(head).to_contain_text(f"{phase} exchange")
        expect(page.locator(".turns")).to_have_text(
            f"{phase.capitalize()} exchange: Bosse speaks first"
        )
        expect(first).to_have_count(1)
        expect(page.locator("label.cell").nth(1)).to_contain_text("first")
        thumb.write(entry_from_json(entry))
    # After the tricks nobody exchanges any more.
    expect(head).not_to_contain_text("exchange")
    expect(first).to_have_count(0)
    expect(page.locator(".turns")).to_be_empty()


def test_who_is_away_does_not_speak_first(phone) -> None:
    table = make_table(NAMES)
    set_away(table_id=table.pk, player_ids=[table.players[1]], by="floor")
    page = phone(auditor_link(table))
    Thumb(page).write(entry_from_json(hand(1, 0)))
    expect(page.locator(".turns")).to_contain_text("Christoffer speaks first")


def test_what_the_players_need_is_told_during_the_game(phone) -> None:
    page = opened(phone, *RICH, ruling("points", 1, points=47))
    needs = page.locator(".needs")
    # Anna has 45 points and has played no Chicago, like Bosse; the others are far away.
    expect(needs).to_have_text(re.compile(r"^Anna needs .*; Bosse needs a Chicago$|.*Chicago.*"))
    expect(needs).to_contain_text("Anna needs a Chicago; Bosse needs a Chicago")
    page.context.set_offline(True)
    OfflineThumb(page).write(entry_from_json(none(1)))
    expect(needs).to_contain_text("Bosse needs a Chicago")


def test_what_a_chicago_needs_is_told_from_the_first_deal(phone) -> None:
    page = opened(phone, none(1), none(2))
    says = page.locator(".says")
    expect(says).to_have_text("A Chicago needs 15 points")
    page = opened(phone, none(1), none(2), rules="svensk", locale="sv-SE")
    expect(page.locator(".says")).to_have_text("Chicago kräver 15 poäng")


@pytest.mark.parametrize(
    ("rules", "said"),
    [("pagat", "Equal best hands score nothing"), ("pagat+A", "Between equal hands the suit")],
)
def test_what_equal_hands_score_is_told(phone, rules, said) -> None:
    page = opened(phone, rules=rules)
    expect(page.locator(".says")).to_contain_text(said)


def test_the_deals_fields_say_what_scored(phone) -> None:
    page = opened(phone, none(1), hand(2, 3, "two_pair"))
    field = page.locator(".field")
    expect(field.nth(0)).to_contain_text("nobody")
    expect(field.nth(1)).to_contain_text(re.compile(r"Elif\s*, ?two pair"))
    box = field.nth(1).evaluate("(e) => e.scrollHeight - e.clientHeight")
    assert box <= 0
    Thumb(page).write(entry_from_json(trick(1, deuce=True)))
    expect(field.nth(2)).to_contain_text(re.compile(r"Bosse\s*, ?with a deuce"))


@pytest.mark.parametrize(("locale", "lang"), [("sv-SE", "sv"), ("en-GB", "en")])
def test_the_rules_are_one_tap_away_also_without_network(phone, locale, lang) -> None:
    page = opened(phone, rules="svensk", locale=locale)
    installed(page)
    page.context.set_offline(True)
    page.reload()
    drawn(page)
    page.locator(".rules-told summary").click()
    told = page.locator(".rules-told li")
    expect(told).to_have_text(rules_lines("svensk", 4, lang))
    expect(told.first).to_be_visible()


def test_at_the_tricks_tiles_light_only_where_a_player_is_asked_for(phone) -> None:
    page = opened(phone, none(1), none(2), has_touch=True)
    takes_taps(page)
    cell = page.locator("label.cell").nth(2)
    cell.tap()
    expect(page.locator("#hint")).not_to_be_empty()
    expect(page.locator(".cell.picked, input[name=seat]:checked")).to_have_count(0)
    page.locator(".panel-wrong summary, details:has(> .what-fold) > summary").first.tap()
    expect(page.locator(".held")).to_have_count(0)
    cell.tap()
    expect(page.locator(".cell.picked")).to_have_count(1)


def test_who_confirms_the_seats_by_key_is_taken_to_the_question(phone) -> None:
    heat = make_heats(make_event(), 4).heats[0]
    page = phone(auditor_link(heat.table))
    takes_taps(page)
    page.locator(".seats-asked > .btn-next").press("Enter")
    expect(page.locator(".question .ask")).to_be_focused()
    assert not page.locator(".seats-asked").count()


def test_times_are_the_servers_on_a_phone_whose_clock_is_wrong(phone) -> None:
    table = seated()
    page = phone(auditor_link(table), timezone_id="UTC")
    installed(page)
    slow = "{ const now = Date.now; Date.now = () => now() - 5 * 3600e3; }"
    page.context.add_init_script(slow)
    with page.expect_response("**/sync/"):
        page.reload()
    saved(page)
    page.context.set_offline(True)
    page.reload()
    drawn(page)
    OfflineThumb(page).write(entry_from_json(hand(1, 0)))
    waits(page, 1)
    server = page.evaluate("""() => {
        const now = performance.timeOrigin + performance.now();
        const time = (minutes) => new Date(now - minutes * 6e4).toISOString().slice(11, 16);
        return [time(0), time(1)];
    }""")
    [line] = page.locator("#pending li").all_text_contents()
    assert any(line.endswith(time) for time in server), (line, server)


#: Elements that name a player or a hand and that a browser would translate, except rules.
TRANSLATED = """(words) => {
    const walk = document.createTreeWalker(document.getElementById('live'), NodeFilter.SHOW_TEXT);
    const found = [];
    while (walk.nextNode()) {
        const { data, parentElement: part } = walk.currentNode;
        const rules = part.closest('option, .says, .rules-told');
        const names = !rules && words.some((word) => data.includes(word));
        const told = `${part.className}: ${data.trim()}`;
        if (names && !part.closest('[translate=no]')) found.push(told);
    }
    return found;
}"""


def test_no_browser_translates_names_and_hands(phone) -> None:
    words = ["Anna", "Bosse", "Christoffer", "Elif", "flush", "Flush", "Pair"]
    for entries in ((), (hand(1, 0, "flush"), none(2)), (*RICH, none(1), none(2))):
        page = opened(phone, *entries)
        assert page.evaluate(TRANSLATED, words) == []


def test_what_would_be_zero_is_not_the_smallest_text(phone) -> None:
    names = ("Christoffer Lund", "Christina Ek", "Maximilian", "Elisabeth")
    rulings = [ruling("points", seat, points=47) for seat in range(2)]
    for size in ((360, 640), (320, 568)):
        page = opened(phone, *rulings, hand(1, 2), names=names, size=size)
        expect(page.locator(".news")).to_contain_text("52")
        smallest = """() => {
            const size = (part) => parseFloat(getComputedStyle(part).fontSize);
            const news = size(document.querySelector('.news'));
            const others = [...document.querySelectorAll('#live *')].filter((part) =>
                part.checkVisibility() && [...part.childNodes].some(({ nodeType, data }) =>
                    nodeType === Node.TEXT_NODE && data.trim()));
            return news > Math.min(...others.map(size));
        }"""
        assert page.evaluate(smallest)


#: Width, height, text size in pixels: text or the page at 130 %, and at 200 %.
LARGE = {
    "130 % text": (360, 740, 20.8),
    "130 % zoom": (277, 569, 16),
    "200 % text": (390, 844, 32),
    "200 % zoom": (195, 422, 16),
}
#: What of the question is on the screen: its title, and how many answers.
ON_SCREEN = """() => {
    const whole = (part) => {
        const { top, bottom, left, right } = part.getBoundingClientRect();
        const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return bottom <= innerHeight && top >= 0 && part.contains(seen);
    };
    const answers = [...document.querySelectorAll('.question button')];
    return [whole(document.querySelector('.question .ask')), answers.filter(whole).length];
}"""


@pytest.mark.parametrize("locale", ["sv-SE", "en-GB"])
@pytest.mark.parametrize("size", LARGE)
def test_the_question_and_six_answers_are_on_the_screen_in_large_text(phone, size, locale) -> None:
    width, height, text = LARGE[size]
    near = [ruling("points", 1, points=47), ruling("points", 2, points=8)]
    for entries in ((), (hand(1, 2, "two_pair"),), (none(1), none(2)), (*RICH, *near, hand(1, 1))):
        page = opened(phone, *entries, size=(width, height), locale=locale, has_touch=True)
        page.evaluate("(size) => { document.documentElement.style.fontSize = size; }", f"{text}px")
        takes_taps(page)
        expect(page.locator(".held")).to_have_count(0)
        asked, answers = page.evaluate(ON_SCREEN)
        assert asked
        assert answers >= 6, entries
        if size.startswith("130"):
            cells = page.locator("label.cell").all()
            assert len({cell.bounding_box()["y"] for cell in cells}) == 1
