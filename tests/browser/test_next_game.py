"""Opening the next game, and taking that back, without a network."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from engine.sheet.entries import entry_from_json
from scoring.enums import RowKind
from scoring.models import SheetEntry
from scoring.reading.names import names_of
from scoring.writing import call_td, correct_entry, open_next_sheet, void_sheet
from tests.browser.auditor import Thumb, only, saved
from tests.browser.test_offline import OfflineThumb, phone, waits
from tests.scoring.factories import (
    auditor_link,
    hand,
    make_table,
    none,
    play,
    quick_win,
    running,
    sheet_of,
    write,
)
from tests.tournaments.factories import make_event, make_heats
from tournaments.floor.commands.clocks import set_clock

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]


def test_the_next_game_opened_offline_is_taken_back(phone):
    table = make_table()
    page = phone(auditor_link(table))
    play(running(table), none(1), none(2), hand(3, 0, "straight_flush"))
    expect(page.locator("[data-next-game], .btn-next")).to_be_visible()
    page.context.set_offline(True)
    page.locator("[data-next-game], .btn-next").click()
    live = page.locator("#live")
    expect(live).to_have_attribute("data-game", "2")
    page.locator("button.undo").click()
    expect(live).to_have_attribute("data-game", "1")
    expect(page.locator(".result-winner")).to_be_visible()
    page.context.set_offline(False)
    saved(page)
    assert sheet_of(table, 2).status == "waiting"
    page.locator("[data-next-game], .btn-next").click()
    expect(live).to_have_attribute("data-game", "2")
    saved(page)
    assert sheet_of(table, 2).status == "running"


def test_a_next_game_under_way_is_taken_back_by_a_row_of_its_own(phone):
    """The answer was lost, so the server may have opened the game."""
    table = make_table()
    page = phone(auditor_link(table))
    play(running(table), none(1), none(2), hand(3, 0, "straight_flush"))
    live, back, following = (
        page.locator("#live"),
        page.locator("button.undo"),
        page.locator(".btn-next"),
    )
    expect(following).to_be_visible()
    away, answers = [True], []

    def lose_the_answer(route):
        if not away:
            route.continue_()
            return
        if not answers and '"next"' in route.request.post_data:
            answers.append(route.fetch().status)
        route.abort()

    page.route("**/sync/", lose_the_answer)
    following.click()
    expect(live).to_have_attribute("data-game", "2")
    waits(page, 1)
    back.click()
    waits(page, 2)
    expect(live).to_have_attribute("data-game", "1")
    expect(page.locator(".result-winner")).to_have_text("Anna")
    # Nor is what waits lost with the page, and the game can be opened again.
    page.reload()
    waits(page, 2)
    expect(live).to_have_attribute("data-game", "1")
    following.click()
    waits(page, 3)
    expect(live).to_have_attribute("data-game", "2")
    back.click()
    away.clear()
    saved(page)
    assert answers == [200]
    assert sheet_of(table, 2).status == "waiting"


@pytest.mark.parametrize("rules", ["festival", "svensk"])
def test_a_game_that_the_server_has_opened_is_closed_without_network(phone, rules):
    table = make_table(rules=rules)
    page = phone(auditor_link(table))
    play(running(table), none(1), none(2), hand(3, 0, "straight_flush"))
    live, back = page.locator("#live"), page.locator("button.undo")
    page.locator(".btn-next").click()
    saved(page)
    expect(live).to_have_attribute("data-game", "2")
    page.context.set_offline(True)
    back.click()
    waits(page, 1)
    expect(live).to_have_attribute("data-game", "1")
    page.locator(".btn-next").click()
    waits(page, 2)
    expect(live).to_have_attribute("data-game", "2")
    OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    page.context.set_offline(False)
    saved(page)
    assert sheet_of(table, 2).state["scores"] == [5, 0, 0, 0]


def test_between_two_games_who_goes_on_heeds_the_clock_when_it_runs_out(phone):
    heat = make_heats(make_event(minutes_per_heat=60), 4).heats[0]
    set_clock(heat=heat, what="start", by=None)
    write(running(heat.table), quick_win(0))
    page = phone(auditor_link(heat.table))
    through = page.locator(".need-through:visible")
    expect(page.locator(".opens-game")).to_be_visible()
    expect(through).to_have_count(0)
    # Nothing is asked of the server.
    page.context.set_offline(True)
    page.locator(".clock").evaluate("clock => { clock.dataset.ends = new Date(0).toISOString(); }")
    expect(through).to_have_count(1)
    expect(page.locator(".opens-game")).to_be_hidden()


def test_a_later_games_seats_are_exchanged_before_its_first_deal(phone):
    table = make_table()
    write(running(table), quick_win(0))
    page = phone(auditor_link(table))
    page.context.set_offline(True)
    page.locator(".btn-next:visible").first.click()
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    exchange = page.locator(".seats-exchanged")
    exchange.locator("summary").click()
    chosen = exchange.locator("option:checked")
    expect(chosen).to_have_text(["Anna", "Bo", "Cia", "Dag"])
    # That needs the network, and is said.
    exchange.locator(".btn-next").click()
    expect(page.locator("#offline.untold")).to_be_visible()
    # What is chosen stays when the server's page comes.
    exchange.locator("select").nth(2).select_option(label="Anna")
    page.context.set_offline(False)
    saved(page)
    page.wait_for_timeout(1000)
    expect(chosen).to_have_text(["Anna", "Bo", "Anna", "Dag"])
    for number, name in enumerate(("Cia", "Bo")):
        exchange.locator("select").nth(number).select_option(label=name)
    exchange.locator(".btn-next").click()
    expect(page.locator("label.cell").first).to_contain_text("Cia")
    saved(page)
    OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    saved(page)
    expect(exchange).to_have_count(0)
    sheet = sheet_of(table, 2)
    assert (sheet.seats[0], sheet.state["scores"]) == ("Cia", [5, 0, 0, 0])


def test_the_device_draws_the_game_to_which_it_goes(phone):
    table = make_table(games=2)
    play(running(table), hand(1, 1), hand(2, 0, "straight_flush"))
    page = phone(auditor_link(table))
    live, result = page.locator("#live"), page.locator(".result-winner")
    expect(page.locator(".opens-game")).to_be_visible()

    def goes(button: str, game: str) -> None:
        page.locator(button).click()
        expect(live).to_have_attribute("data-game", game)
        saved(page)
        page.wait_for_timeout(700)

    goes(".opens-game", "2")
    expect(page.locator("details.earlier")).to_have_count(1)
    goes("button.undo", "1")
    expect(result).to_contain_text("Anna")
    goes("button.undo", "1")
    expect(page.locator(".score-now")).to_have_text(["0", "1", "0", "0"])
    thumb = Thumb(page)
    thumb.write(entry_from_json(hand(2, 2, "straight_flush")), sure=True)
    expect(page.locator(".opens-game")).to_be_visible()
    goes(".opens-game", "2")
    thumb.write(entry_from_json(hand(1, 3, "flush")))
    page.reload()
    expect(page.locator(".score-now").nth(3)).to_have_text("5")
    assert [sheet_of(table, number).version for number in (1, 2)] == [4, 1]


@pytest.mark.parametrize("comes", [True, False])
def test_next_game_is_the_one_that_was_tapped_though_a_poll_shows_it_first(phone, comes):
    """The answer comes after the page has shown the game, or never: then the tap is sent again."""
    table = make_table(games=3)
    write(running(table), quick_win(1))
    page = phone(auditor_link(table))
    live = page.locator("#live")
    expect(page.locator(".opens-game")).to_be_visible()
    asked, failed = [], []
    page.on("pageerror", lambda error: failed.append(error))

    def a_poll_is_first(route):
        asked.append(route.request.post_data_json)
        response = route.fetch()
        if len(asked) == 1:
            page.evaluate("document.body.dispatchEvent(new Event('stream-changed'))")
            expect(live).to_have_attribute("data-game", "2")
            # What the answer leads to must not be hidden by the next poll.
            page.route("**/sync/", only(lambda each: each.abort()))
        if comes or len(asked) > 1:
            route.fulfill(response=response)
        else:
            route.abort()

    page.route("**/sync/", only(a_poll_is_first, "next"))
    page.locator(".opens-game").click()
    page.wait_for_timeout(1500)
    saved(page)
    expect(live).to_have_attribute("data-game", "2")
    taps = [tap for each in asked[1:] for tap in each["taps"]]
    assert [tap["game"] for tap in taps] == ([] if comes else [2])
    assert [sheet.status for sheet in table.sheets.order_by("number")] == [
        "finished",
        "running",
        "waiting",
    ]
    assert not failed


def test_names_chosen_in_the_exchange_of_seats_stay_when_the_page_is_redrawn(phone):
    table = make_table(games=2)
    page = phone(auditor_link(table))
    exchange = page.locator(".seats-exchanged")
    exchange.locator("summary").click()
    # Also where it is the first name of the list.
    exchange.locator("select").nth(2).select_option(label="Anna")
    call_td(table_id=table.pk, reason="rules")
    expect(page.locator(".notice.called")).to_be_visible()
    chosen = exchange.locator("option:checked")
    expect(chosen).to_have_text(["Anna", "Bo", "Anna", "Dag"])
    expect(page.locator("[id='seat-0']")).to_have_count(1)


@pytest.mark.parametrize("away", [False, True])
def test_a_game_with_exchanged_seats_is_still_left_for_the_one_before(phone, away):
    """With or without network; begun again, its players sit as exchanged."""
    table = make_table(games=2)
    write(running(table), quick_win(0))
    page = phone(auditor_link(table))
    live, back = page.locator("#live"), page.locator("button.undo")
    page.locator(".btn-next:visible").first.click()
    exchange = page.locator(".seats-exchanged")
    exchange.locator("summary").click()
    for number, name in enumerate(("Dag", "Cia", "Bo", "Anna")):
        exchange.locator("select").nth(number).select_option(label=name)
    exchange.locator(".btn-next").click()
    expect(page.locator("label.cell").first).to_contain_text("Dag")
    saved(page)
    page.context.set_offline(away)
    back.click()
    expect(live).to_have_attribute("data-game", "1")
    if away:
        waits(page, 1)
    else:
        saved(page)
        assert sheet_of(table, 2).status == "waiting"
    page.locator(".btn-next:visible").first.click()
    expect(live).to_have_attribute("data-game", "2")
    expect(page.locator("label.cell").first).to_contain_text("Dag")
    OfflineThumb(page).write(entry_from_json(hand(1, 0, "flush")))
    expect(back).to_contain_text("Dag")
    page.context.set_offline(False)
    saved(page)
    sheet = sheet_of(table, 2)
    assert (sheet.seats[0], sheet.version, sheet.state["scores"]) == ("Dag", 2, [5, 0, 0, 0])


def test_back_from_the_third_game_is_the_second(phone):
    table = make_table()
    for winner in (1, 2):
        write(running(table), quick_win(winner))
        open_next_sheet(table_id=table.pk, by="test")
    page = phone(auditor_link(table))
    page.context.set_offline(True)
    page.locator("button.undo").click()
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    expect(page.locator(".result-winner")).to_have_text(
        names_of(table)[sheet_of(table, 2).seats[2]]
    )


#: The game to which the button leads.
FIRST = re.compile(r"\b1\s*$")


def test_back_from_the_third_game_is_the_first_where_the_second_is_void(phone):
    table = make_table()
    play(running(table), quick_win())
    void_sheet(sheet_id=sheet_of(table, 2).pk, reason="wrong pack")
    page = phone(auditor_link(table))
    page.locator(".btn-next").click()
    expect(page.locator("#live")).to_have_attribute("data-game", "3")
    expect(page.locator("button.undo")).to_have_text(FIRST)
    saved(page)
    page.reload()
    expect(page.locator("button.undo")).to_have_text(FIRST)


@pytest.mark.parametrize("away", [True, False])
def test_no_other_game_begins_in_place_of_one_that_has_become_void(phone, away):
    """The tap waited, or the page did not know it yet."""
    table = make_table()
    write(running(table), quick_win(0))
    page = phone(auditor_link(table))
    page.route("**/sync/", only(lambda route: route.abort()))
    page.context.set_offline(away)
    if away:
        page.locator(".btn-next:visible").first.click()
        expect(page.locator("#live")).to_have_attribute("data-game", "2")
    void_sheet(sheet_id=sheet_of(table, 2).pk, reason="wrong pack")
    if not away:
        page.locator(".btn-next:visible").first.click()
    page.unroute("**/sync/")
    page.context.set_offline(False)
    saved(page)
    expect(page.locator("#live")).to_have_attribute("data-game", "1")
    expect(page.locator("#pending")).to_contain_text("2")
    assert sheet_of(table, 3).status == "waiting"
    page.locator(".btn-next:visible").first.click()
    expect(page.locator("#live")).to_have_attribute("data-game", "3")
    saved(page)
    assert sheet_of(table, 3).status == "running"


def test_lines_of_a_game_that_has_not_begun_after_all_stay_as_taken_back(phone):
    table = make_table()
    page = phone(auditor_link(table))
    play(running(table), none(1), none(2), hand(3, 0, "straight_flush"))
    expect(page.locator(".btn-next")).to_be_visible()
    page.context.set_offline(True)
    page.locator(".btn-next").click()
    expect(page.locator("#live")).to_have_attribute("data-game", "2")
    OfflineThumb(page).write(entry_from_json(hand(1, 1, "flush")))
    first = sheet_of(table, 1)
    correct_entry(
        sheet_id=first.pk,
        client_id=uuid.uuid4(),
        seen_version=first.version,
        author="director",
        kind=RowKind.VOID,
        by_director=True,
    )
    page.context.set_offline(False)
    page.locator("[data-choice=theirs]").click()
    saved(page)
    expect(page.locator("#live")).to_have_attribute("data-game", "1")
    expect(page.locator("#pending")).to_contain_text("Game 2")
    expect(page.locator("#pending li")).to_have_count(0)
    kinds = SheetEntry.objects.filter(sheet=sheet_of(table, 2)).values_list("kind", flat=True)
    assert (list(kinds), sheet_of(table, 2).status) == (["entry", "void"], "waiting")
