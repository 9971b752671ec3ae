"""A Saturday with eighty people and twelve tables, as a director sees and taps it."""

from collections.abc import Callable
from io import BytesIO

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Page, expect

from engine.cards.categories import Category
from engine.sheet.entries import Hand
from tests.browser.auditor import Thumb
from tests.browser.conftest import DESKTOP, Open, Site, press
from tests.browser.hall import AtTheDoor, Staff, Tables, helper
from tests.browser.test_heat import first_director

pytestmark = [pytest.mark.pages, pytest.mark.slow]

GIVEN = ("Åsa", "Björn", "Cia", "Dag", "Eva", "Łucja", "Göran", "Hanna", "Ivar", "Örjan")
FAMILY = ("Öberg", "Đurić", "Sæther", "Nyström", "Ek", "Strauß", "Łukasz", "Lindqvist")
NAMES = [f"{given} {family}" for family in FAMILY for given in GIVEN]
#: Eighty are on the list: two never come, two come after the first draw.
NEVER, LATE = NAMES[-2:], NAMES[-4:-2]
TABLES = 12


class Day:
    """The Saturday: its staff, and what has happened so far."""

    def __init__(self, site: Site, open_page: Open) -> None:
        self.site = site
        self.open_page = open_page
        self.director = Staff(open_page(site.address, size=DESKTOP).page)
        self.doors: list[AtTheDoor] = []
        self.tables = Tables(site)


def the_event_is_made(day: Day) -> None:
    """Make and open an event with a room, a clock, a buy-in and prizes."""
    director, page = day.director, day.director.page
    first_director(page, day.site)
    director.follow("a[href='/events/new/']")
    page.fill("input[name=name]", "Lördag")
    for part in page.locator("details.part").all():
        if part.get_attribute("open") is None:
            part.locator("> summary").click()
    page.fill("input[name=room_plan]", f"1-{TABLES}")
    page.fill("input[name=minutes_per_heat]", "120")
    page.fill("input[name=buy_in]", "200")
    page.fill("input[name=prizes]", "50 % 30 % 20 %")
    page.locator("main form.event-form button.btn-primary").click()
    page.wait_for_url("**/e/lordag/desk/")
    director.press("/desk/status/")


def eighty_are_imported(day: Day) -> None:
    """Import the list: first every row is previewed, then all are registered."""
    director, page = day.director, day.director.page
    director.tab("/desk/")
    director.follow("a[href$='/desk/import/']")
    page.fill("textarea[name=text]", "\n".join(["Namn", *NAMES]))
    page.locator("main form button.btn-primary").click()
    expect(page.locator(".preview-table tbody tr")).to_have_count(len(NAMES))
    director.press("/desk/import/do/")
    director.done()


def two_check_in_at_the_door(day: Day) -> None:
    """Two helpers with invitations check players in on their phones, in turn."""
    day.doors = [helper(day.director, day.site, day.open_page, name) for name in ("ett", "tva")]
    for number, name in enumerate(n for n in NAMES if n not in NEVER + LATE):
        day.doors[number % 2].here(name)


def a_draw_is_taken_back_and_made_again(day: Day) -> None:
    """A draw made too early is taken back; then a draft, from which a player is removed."""
    director, page = day.director, day.director.page
    director.tab("/desk/")
    waiting = page.locator("section[aria-labelledby=waiting-head] ol > li")
    expect(waiting).to_have_count(76)
    first = waiting.first.inner_text()
    page.once("dialog", lambda dialog: dialog.accept())
    director.button("/desk/draw/").click()
    expect(page.locator("#now .heat-card")).to_have_count(TABLES)
    expect(waiting).to_have_count(76 - 4 * TABLES)
    director.follow("#now a[href$='/draws/']")
    director.follow("main a[href$='/draws/1/']")
    director.unfold("#take-back")
    page.fill("#take-back-reason", "The doors were still open")
    director.press("/draws/1/take-back/")
    director.tab("/desk/")
    expect(page.locator("#now .heat-card")).to_have_count(0)
    expect(waiting).to_have_count(76)
    assert waiting.first.inner_text().split()[:3] == first.split()[:3]

    page.locator("#draw-full").check()
    director.press("/draws/make/")
    cards = page.locator(".draft-card:not(.draft-waiting)")
    expect(cards).to_have_count(TABLES)
    expect(page.locator(".draft-waiting .picks li")).to_have_count(76 - 4 * TABLES)
    phones_at_home = cards.first.locator(".picks .grow").first.inner_text().strip()
    cards.first.locator(".picks label").first.click()
    page.fill("#swap-reason", "Has gone to fetch a phone")
    page.locator("#out-button").click()
    expect(page.locator(".draft-waiting")).to_contain_text(phones_at_home)
    director.press("/publish/")
    assert len(director.heats()) == TABLES


def a_no_show_and_a_latecomer(day: Day) -> None:
    """A no-show is replaced by the next in the queue; a latecomer joins another table."""
    director, page = day.director, day.director.page
    first, second = director.heats()[:2]
    director.at_heat(first)
    gone = director.change_players(out=1, into=1)
    assert gone not in director.seated()
    assert len(director.seated()) == 4
    director.at_heat(second)
    director.change_players(out=1, into=0)
    assert len(director.seated()) == 3
    for name, door in zip(LATE, day.doors, strict=True):
        door.here(name)
    page.reload()
    options = page.locator("select[name=players-into] option").all_text_contents()
    late = next(i for i, option in enumerate(options) if LATE[0] in option)
    director.change_players(out=0, into=late)
    assert any(LATE[0] in name for name in director.seated())


def clocks_start_and_there_is_a_break(day: Day) -> None:
    """All clocks start at once, stop for the break, and go on."""
    director, page = day.director, day.director.page
    director.tab("/desk/floor/")
    for what, state in (("start", "running"), ("pause", "paused"), ("go_on", "running")):
        page.locator(f"form.clocks button[value={what}]").click()
        expect(page.locator(f"#floor .floor-cards .clock.is-{state}")).to_have_count(TABLES)


def game_points_are_taken_off(day: Day) -> None:
    """Take fractional game points from somebody who came late."""
    director, page = day.director, day.director.page
    director.at_heat(director.heats()[3])
    director.unfold("#do-penalty")
    page.locator("input[name=penalty-player]").last.check()
    page.select_option("select[name=penalty-offence]", "slow")
    page.select_option("select[name=penalty-level]", "game_points")
    page.fill("input[name=penalty-points]", "5/2")
    director.press("/penalty/")
    director.done()
    expect(page.locator("section[aria-labelledby=penalties-head] li")).to_have_count(1)


def one_is_registered_twice(day: Day) -> None:
    """A player waits under two spellings: the desk merges the registrations."""
    director, page = day.director, day.director.page
    director.tab("/desk/")
    twice = NAMES[70]
    page.fill("input[name=legal_name]", twice)
    page.locator("#id_somebody_else").check()
    director.button("/desk/register/").click()
    page.fill("#player-q", twice)
    rows = page.locator("#player-rows tbody tr")
    expect(rows).to_have_count(2)
    director.follow("#player-rows tbody tr:last-child a[href$='/merge/']")
    page.locator("button[name=keep][value=other]").click()
    director.done()
    director.tab("/desk/")
    page.fill("#player-q", twice)
    expect(rows).to_have_count(1)


def tables_play(day: Day) -> None:
    """One table plays on a phone by its card and code, one on paper, the others by themselves."""
    director, page = day.director, day.director.page
    heats = director.heats()
    card = page.locator("#floor article", has=page.locator(f"h2 a[href$='/heats/{heats[0]}/']"))
    code = card.locator("footer strong.tabular").inner_text()
    number = card.locator(".table-number").inner_text().split()[0]
    watched = day.open_page(day.site.address)
    # A rare hand has to be confirmed.
    watched.expected = [r"^422 POST .*/entry/$", r"status of 422"]
    phone = watched.page
    # The address in the QR code of the table's card.
    phone.goto(f"/e/lordag/table/{number}/")
    phone.fill("input[name=code]", code)
    phone.locator("main form.inline-form button.btn-primary").click()
    a_deal_is_dealt_again(day, phone, heats[0])
    plays_on_a_phone(phone)

    from_paper(director, heats[1], helper(director, day.site, day.open_page, "tre", "floor"))
    day.tables.play(heats[2:])
    director.tab("/desk/floor/")
    expect(page.locator("#floor article")).to_have_count(0)


def from_paper(director: Staff, heat: int, second: Staff) -> None:
    """Enter three games by their totals; somebody from the floor compares them; close the heat."""
    page = director.page
    director.at_heat(heat)
    scores: dict[str, int] = {}
    for game in range(3):
        director.follow(f"#from-paper li:nth-child({game + 1}) a")
        names = page.locator(".paper-seat legend").all_text_contents()
        scores = scores or dict(zip(names, (53, 31, 12, 40), strict=False))
        for seat, name in enumerate(names):
            page.fill(f"#id_score_{seat}", str(scores[name]))
            if scores[name] == 53:
                page.locator(f"#id_executed_{seat}").check()
                page.locator("input[name=winner]").nth(seat).check()
        page.locator("#totals button.btn-primary").click()
        expect(page.locator("tr.changed").first).to_be_visible()
        director.press("/paper/enter/")
    second.at_heat(heat)
    for game in range(3):
        second.follow(f"#from-paper li:nth-child({game + 1}) a")
        second.press("/compared/")
    page.reload()
    director.press("/close/")
    expect(page.locator("#closed-head")).to_be_visible()


def a_deal_is_dealt_again(day: Day, phone: Page, heat: int) -> None:
    """A hand is written, then a card lies face up: the director orders a redeal."""
    director, page = day.director, day.director.page
    thumb = Thumb(phone)
    thumb.write(Hand(1, 0, Category.FLUSH))
    written = thumb.version()
    director.at_heat(heat)
    director.unfold("#do-ruling")
    page.select_option("#do-ruling select[name=action]", "redeal")
    page.fill("#do-ruling input[name=reason]", "A card lay face up in the pack")
    director.press("/ruling/")
    director.done()
    thumb.saved(written + 1)
    assert thumb.scores() == [0, 0, 0, 0]


def plays_on_a_phone(phone: Page) -> None:
    """Tap three games, each won by the same player, and sign off."""
    thumb = Thumb(phone)
    name = phone.locator("input[name=seat]").first.get_attribute("data-name")
    for number in range(1, 4):
        expect(phone.locator("#live")).to_have_attribute("data-game", str(number))
        winner = phone.locator(f"input[name=seat][data-name='{name}']").get_attribute("value")
        thumb.write(Hand(1, int(winner or 0), Category.STRAIGHT_FLUSH), sure=True)
        if number < 3:
            phone.locator(".btn-next").click()
    press(phone, "/sign/")
    expect(phone.locator("form[action$='/sign/']")).to_have_count(0)


def the_second_and_the_third_wave(day: Day) -> None:
    """Losers enter again; five tables are drawn, then all full ones, and each time some wait."""
    director, page = day.director, day.director.page
    director.tab("/desk/")
    waiting = page.locator("section[aria-labelledby=waiting-head] ol > li")
    expect(waiting).to_have_count(28)
    page.select_option("#player-state", "free")
    for number in range(29, 38):
        again = page.locator("#player-rows form[action$='/enter/']")
        action = again.first.get_attribute("action")
        again.first.locator("button").click()
        expect(waiting).to_have_count(number)
        # The next one's button comes to the same spot, and takes no tap before it has been seen.
        page.wait_for_timeout(700)
        expect(page.locator(f"form[action='{action}']")).to_have_count(0)
    stay = page.locator(".draft-waiting .picks li")
    page.fill("#draw-tables", "5")
    director.press("/draws/make/")
    expect(stay).to_have_count(17)
    director.press("/publish/")
    day.tables.play(director.heats())
    director.tab("/desk/")
    page.locator("#draw-full").check()
    director.press("/draws/make/")
    expect(page.locator(".draft-card:not(.draft-waiting)")).to_have_count(4)
    expect(stay).to_have_count(1)
    director.press("/publish/")
    day.tables.play(director.heats())
    # Who got no table goes home.
    director.tab("/desk/")
    page.select_option("#player-state", "waiting")
    page.locator("#player-rows form[action$='/leave/'] button").click()
    expect(waiting).to_have_count(0)
    director.tab("/qualified/")
    expect(page.locator("main tbody tr")).to_have_count(TABLES + 5 + 4)


def buy_ins_are_taken(day: Day) -> None:
    """One pays cash, one by card; the day's cash is counted, and a difference is explained."""
    director, page = day.director, day.director.page
    for way in ("cash", "card"):
        director.tab("/desk/cash/")
        page.locator(".cash-list a.btn-primary").first.click()
        page.locator(f"button[name=payment_method][value={way}]").click()
        director.done()
    director.tab("/desk/cash/")
    till = page.locator("section[aria-labelledby=close] li").first
    till.locator("summary").click()
    till.locator("input[name=counted]").fill("100")
    till.locator("input[name=note]").fill("The rest lies in the other box")
    director.press("/cash/count/")
    expect(till.locator(".tag-red")).to_have_count(1)


def day_two_to_the_champion(day: Day) -> None:
    """Check in for day 2, one stays away; round after round until the final is over."""
    director, page = day.director, day.director.page
    director.tab("/desk/")
    to_the_rounds = "main a[href$='/desk/play-offs/']"
    sizes = []
    while page.locator(to_the_rounds).count():
        director.follow(to_the_rounds)
        director.press("/play-offs/prepare/")
        if not sizes:
            missed = page.locator(".planned li").nth(1)
            name = missed.locator(".who").inner_text()
            page.fill("#absence-reason", "Not there at noon")
            missed.locator("button.btn-outline-danger").click()
            expect(page.locator(".planned li.is-off .who")).to_have_text(name)
            for _turn in range(3):
                page.locator(".toggles [aria-pressed=false].btn-outline-primary").first.click()
            expect(page.locator(".toggles .btn-primary[aria-pressed=true]")).to_have_count(3)
        page.locator("form[action$='/play-offs/draft/'] button.btn-primary").click()
        expect(page.locator("#draft")).to_be_visible()
        director.press("/publish/")
        heats = director.heats()
        sizes.append(len(heats))
        day.tables.play(heats)
        director.tab("/desk/")
    assert sizes == [6, 3, 2, 1]
    director.follow("main a[href$='/result/']")
    director.follow("main a[href$='/champion/']")
    expect(page.locator("main h1")).not_to_be_empty()


def prizes_are_paid_and_the_books_closed(day: Day) -> None:
    """The event ends; the first three get their prizes, and the closing report adds up."""
    director, page = day.director, day.director.page
    director.tab("/desk/")
    director.press("/desk/status/")
    director.done()
    director.tab("/desk/cash/")
    director.follow("a[href$='/cash/prizes/']")
    due = page.locator("details[id^=prize-]")
    expect(due).to_have_count(3)
    for left in (2, 1, 0):
        due.first.locator("summary").click()
        due.first.locator("button[value=cash]").click()
        expect(due).to_have_count(left)
    director.tab("/desk/cash/")
    pdf, xlsx = (
        page.request.get(page.locator(f"a[href$='/closing.{end}']").get_attribute("href") or "")
        for end in ("pdf", "xlsx")
    )
    assert pdf.body().startswith(b"%PDF")
    booked = load_workbook(BytesIO(xlsx.body())).worksheets[-1]
    # Below the headings: two players' buy-ins and three prizes.
    assert booked.max_row >= 1 + 2 + 3


STAGES: list[Callable[[Day], None]] = [
    the_event_is_made,
    eighty_are_imported,
    two_check_in_at_the_door,
    a_draw_is_taken_back_and_made_again,
    a_no_show_and_a_latecomer,
    clocks_start_and_there_is_a_break,
    game_points_are_taken_off,
    one_is_registered_twice,
    tables_play,
    the_second_and_the_third_wave,
    buy_ins_are_taken,
    day_two_to_the_champion,
    prizes_are_paid_and_the_books_closed,
]


@pytest.mark.timeout(1800)
def test_a_saturday(empty_site: Site, open_page: Open) -> None:
    day = Day(empty_site, open_page)
    with day.tables:
        for stage in STAGES:
            stage(day)
