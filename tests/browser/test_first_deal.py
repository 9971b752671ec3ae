"""Seats are confirmed before the first deal; rulings are shown at any time."""

import pytest
from playwright.sync_api import expect

from scoring.models import Sheet, SheetEntry, Table
from scoring.writing import confirm_seats
from tests.browser.auditor import drawn, only, saved, sits
from tests.browser.test_auditor import button, phone, score, seat
from tests.scoring.factories import (
    auditor_link,
    hand,
    make_table,
    play,
    quick_win,
    ruling,
    running,
    sheet_of,
    write,
)
from tests.tournaments.factories import make_event, make_heats
from tournaments.models import Penalty

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]


@pytest.mark.parametrize("locale", ["en-GB", "sv-SE"])
def test_the_seats_are_asked_for_and_corrected(phone, locale):
    table = make_table(seated=False)
    page = phone(auditor_link(table), locale=locale, has_touch=True)
    asked = page.locator(".seats-asked")
    expect(page.locator(".question")).to_have_attribute("data-step", "seats")
    asked.locator("summary").click()
    for number, name in enumerate(("Cia", "Bo", "Anna", "Dag")):
        asked.locator("select").nth(number).select_option(name)
    asked.locator("details .btn-next").click()
    expect(page.locator("label.cell").first).to_contain_text("Cia")
    expect(page.locator(".question")).to_have_attribute("data-step", "hand")
    seat(page, 0).click()
    button(page, category="flush").first.click()
    score(page, 0, 5)
    saved(page)
    assert sheet_of(table).seats == ["Cia", "Bo", "Anna", "Dag"]
    assert [row.kind for row in SheetEntry.objects.order_by("pk")] == ["reseat", "entry"]


def test_tiles_light_only_where_an_answer_waits_for_a_player(phone):
    page = phone(auditor_link(make_table(seated=False)))
    lit = page.locator("input[name=seat]:checked")
    seat(page, 1).click()
    expect(lit).to_have_count(0)
    sits(page)
    expect(page.locator(".question")).to_have_attribute("data-step", "hand")
    expect(lit).to_have_count(0)
    seat(page, 1).click()
    expect(lit).to_have_count(1)
    button(page, kind="none").first.click()
    saved(page)
    expect(page.locator("#live")).to_have_attribute("data-version", "1")
    expect(lit).to_have_count(0)


def test_the_same_player_twice_is_refused_on_the_form(phone):
    page = phone(auditor_link(make_table(seated=False)))
    asked = page.locator(".seats-asked")
    asked.locator("summary").click()
    asked.locator("select").first.select_option("Bo")
    asked.locator("details .btn-next").click()
    expect(page.locator("#pending")).not_to_be_empty()
    expect(page.locator(".question")).to_have_attribute("data-step", "seats")
    assert not SheetEntry.objects.exists()


def test_offline_confirmed_seats_wait_but_changed_seats_do_not(phone):
    table = make_table(seated=False)
    page = phone(auditor_link(table))
    drawn(page)
    page.context.set_offline(True)
    asked = page.locator(".seats-asked")
    asked.locator("summary").click()
    asked.locator("details .btn-next").click()
    expect(page.locator("#offline.untold")).to_be_visible()
    expect(page.locator(".question")).to_have_attribute("data-step", "seats")
    sits(page)
    expect(page.locator(".question")).to_have_attribute("data-step", "hand")
    seat(page, 1).click()
    button(page, category="pair").first.click()
    score(page, 1, 1)
    expect(page.locator("#pending li")).to_have_count(2)
    page.context.set_offline(False)
    saved(page)
    assert Table.objects.get().seated_at is not None
    assert sheet_of(table).state["scores"] == [0, 1, 0, 0]


def test_a_ruling_is_shown_on_each_phone_until_read(phone):
    table = make_table()
    address = auditor_link(table)
    page, other = phone(address), phone(auditor_link(table, role="reader"), locale="sv-SE")
    write(running(table), hand(1, 0))
    board = page.locator(".board").bounding_box()
    write(running(table), ruling("points", 1, points=-5))
    for each in (page, other):
        each.evaluate("document.body.dispatchEvent(new Event('stream-changed'))")
        expect(each.locator(".ruling")).to_have_count(1)
    # It covers the head: the board has not moved.
    assert page.locator(".board").bounding_box() == board
    page.reload()
    expect(page.locator(".ruling")).to_be_visible()
    page.locator(".rulings button").click()
    expect(page.locator(".rulings")).to_have_count(0)
    page.reload()
    expect(page.locator("#live")).to_be_visible()
    expect(page.locator(".rulings")).to_have_count(0)
    expect(other.locator(".ruling")).to_be_visible()


def test_a_ruling_read_offline_is_reported_later(phone):
    table = make_table()
    write(running(table), ruling("points", 1, points=-5))
    page = phone(auditor_link(table))
    drawn(page)
    page.context.set_offline(True)
    page.locator(".rulings button").click()
    expect(page.locator(".rulings")).to_be_hidden()
    seat(page, 0).click()
    button(page, category="pair").first.click()
    score(page, 0, 1)
    page.context.set_offline(False)
    saved(page)
    page.reload()
    expect(page.locator("#live")).to_be_visible()
    expect(page.locator(".rulings")).to_have_count(0)
    assert Sheet.objects.get(status="running").version == 2


def test_whoever_is_out_cannot_be_picked_at_any_question(phone):
    table = make_table()
    write(running(table), ruling("sit_out_game", 2))
    page = phone(auditor_link(table))
    page.locator(".rulings button").click()
    expect(page.locator(".rulings, .held")).to_have_count(0)
    for answer in ({"kind": "none"}, {"kind": "none"}, {"seat": 0, "kind": "last_trick"}, {}):
        step = page.locator(".question").get_attribute("data-step")
        seat(page, 2).click()
        expect(page.locator("#hint")).to_contain_text("Cia")
        expect(page.locator("input[name=seat]:checked")).to_have_count(0)
        if step == "trick":
            page.locator(".what-trick button").nth(2).click(force=True)
        if answer:
            version = sheet_of(table).version
            button(page, **answer).first.click()
            expect(page.locator("#live")).to_have_attribute("data-version", str(version + 1))
            saved(page)
    assert sheet_of(table).version == 4


def test_tab_order_follows_the_layout(phone):
    table = make_table()
    write(running(table), hand(1, 0, "two_pair"))
    page = phone(auditor_link(table))
    tops = page.evaluate("""() => [...document.querySelectorAll(
        '#entry input[name=seat], #entry button, #entry summary')]
        .filter((control) => control.checkVisibility())
        .map((control) => control.closest('label, button, summary').getBoundingClientRect().y)""")
    assert len(tops) > 10
    assert tops == sorted(tops)


#: Four names, and what tells the first two apart.
ALIKE = {
    ("Alexandra-Maria Berg", "Alexandra-Maria Dahl", "Bo Ek", "Cia Falk"): ("B", "D"),
    ("Alexandra-Maria", "Alexandra-Marie", "Bo", "Cia"): ("Maria", "Marie"),
    ("Karl-Gustaf Andersson-Ö", "Karl-Gustaf Andersson-Å", "Bo", "Cia"): ("Ö", "Å"),
}


@pytest.mark.parametrize(("names", "ends"), ALIKE.items())
def test_equal_first_names_are_distinguished_in_a_deals_narrow_fields(phone, names, ends):
    table = make_table(names)
    play(running(table), hand(1, 0), hand(2, 1))
    page = phone(auditor_link(table), size=(320, 568))
    drawn(page)
    shown = """() => [...document.querySelectorAll('.field-text')].map((field) => {
        const apart = field.children[1];
        if (!apart) return '';
        const [a, b] = [apart.getBoundingClientRect(), field.getBoundingClientRect()];
        return a.left >= b.left && a.right <= b.right + 1 ? apart.textContent : 'cut';
    })"""
    assert page.evaluate(shown)[:2] == [*ends]
    # Also when the device draws it.
    page.context.set_offline(True)
    page.locator(".what-trick button").first.click()
    expect(page.locator("#live")).to_have_attribute("data-version", "3")
    assert page.evaluate(shown)[:3] == [*ends, ends[0]]


def test_the_device_draws_the_same_tallies(phone):
    table = make_table()
    page = phone(auditor_link(table))
    drawn(page)
    tallies = """() => [...document.querySelectorAll('.score-fences .fences')].map((tally) =>
        [...tally.querySelectorAll('.ten')].map((ten) =>
            [...ten.querySelectorAll('use')].map((use) => use.getAttribute('href'))))"""
    page.context.set_offline(True)
    for phase in (1, 2):
        seat(page, 0).click()
        button(page, category="full_house").first.click()
        expect(page.locator("#live")).to_have_attribute("data-version", str(phase))
    on_device = page.evaluate(tallies)
    # 12 points: two fives and two strokes, which stay together.
    assert [len(ten) for ten in on_device[0]] == [3]
    page.context.set_offline(False)
    saved(page)
    page.reload()
    expect(page.locator("#live")).to_be_visible()
    assert page.evaluate(tallies) == on_device


def test_the_shot_clock_counts_down_and_a_first_violation_takes_two_taps(phone):
    heat = make_heats(make_event(shot_clock_seconds=30), 4).heats[0]
    page = phone(auditor_link(heat.table), has_touch=True)
    sits(page)
    clock = page.locator("[data-shot]")
    clock.click()
    expect(clock.locator(".shot-left")).not_to_have_text("30")
    page.locator(".slow summary").click()
    page.locator(".slow button").first.click()
    expect(page.locator(".slow")).not_to_have_attribute("open", "")
    # A second tap would cost points: the page says that the first has counted.
    expect(page.locator(".ruling")).to_have_count(1)
    assert [each.level for each in Penalty.objects.all()] == ["warning"]


def test_a_violation_noted_offline_is_sent_once(phone):
    heat = make_heats(make_event(shot_clock_seconds=30), 4).heats[0]
    confirm_seats(table_id=heat.table_id, seen_version=0, by="test")
    write(running(heat.table), quick_win())
    page = phone(auditor_link(heat.table), has_touch=True)
    drawn(page)
    expect(page.locator("[data-shot]")).to_be_hidden()
    page.context.set_offline(True)
    # The game that begins offline has the shot clock, too.
    page.locator(".opens-game").click()
    page.locator("[data-shot]").click()
    page.locator(".slow summary").click()
    page.locator(".slow button").first.click()
    expect(page.locator("#pending li")).to_have_count(2)
    expect(page.locator(".slow")).not_to_have_attribute("open", "")
    page.context.set_offline(False)
    saved(page)
    assert [each.level for each in Penalty.objects.all()] == ["warning"]


def test_a_violation_whose_answer_was_lost_counts_once(phone):
    heat = make_heats(make_event(shot_clock_seconds=30), 4).heats[0]
    page = phone(auditor_link(heat.table), has_touch=True)
    drawn(page)
    sits(page)
    answers = []

    def lose_the_first_answer(route):
        answers.append(route.fetch())
        if len(answers) == 1:
            route.abort()
        else:
            route.fulfill(response=answers[-1])

    page.route("**/sync/", only(lose_the_first_answer, "slow"))
    page.locator(".slow summary").click()
    with page.expect_response("**/sync/"):
        page.locator(".slow button").first.click()
    saved(page)
    assert [answer.status for answer in answers] == [200, 200]
    # A second one would have called the director.
    assert [each.level for each in Penalty.objects.all()] == ["warning"]
    assert Table.objects.get().call_since is None
