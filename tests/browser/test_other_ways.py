"""A line corrected, a sheet from paper, a call heard: in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from scoring.writing import call_td, clear_call
from tests.browser.auditor import is_accessible
from tests.browser.conftest import DESKTOP, Open
from tests.scoring.factories import auditor_link, hand, make_table, none, play, sheet_of, trick
from tests.tournaments.factories import make_event, make_heats, make_member, make_user
from tournaments.models import EventRole
from tournaments.models.enums import Role
from tournaments.registration.commands.pins import choose_pin

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]


def test_a_line_is_corrected_and_the_other_phone_says_so(live_server, open_page: Open) -> None:
    table = make_table()
    play(sheet_of(table), hand(1, 1), none(2), trick(3), hand(3, 0, "two_pair"))
    phone = open_page(live_server.url).page
    other = open_page(live_server.url, language="sv").page
    phone.goto(auditor_link(table))
    other.goto(auditor_link(table, "reader"))
    phone.locator(".score-sheet a[href$='games/1/1/']").click()
    expect(phone.locator("input[name=entry]").first).to_be_attached()
    is_accessible(phone)
    flush = """input[name=entry][value*='"flush"'][value*='"seat":2']"""
    phone.locator(f"label:has({flush})").click()
    phone.locator("button.btn-next").click()
    expect(phone.locator("tr.changed")).to_have_count(2)
    is_accessible(phone)
    assert sheet_of(table).version == 4
    phone.locator("button.btn-next").click()
    expect(phone.locator("#live")).to_have_attribute("data-version", "5")
    assert sheet_of(table).state["scores"] == [2, 0, 5, 5]
    expect(other.locator(".corrected")).to_be_visible()
    # For a deal; the Auditor's page, which draws it itself, too.
    expect(phone.locator(".corrected")).to_be_visible()
    for _line in range(4):
        expect(phone.locator(".held, .busy")).to_have_count(0)
        tricks = phone.locator(".what-trick button")
        (tricks.first if tricks.count() else phone.locator(".nobody-slot button")).click()
        expect(phone.locator("#saving")).to_have_attribute("data-state", "saved")
    expect(phone.locator(".corrected:visible")).to_have_count(0)
    expect(other.locator(".corrected")).to_have_count(0)


def test_staff_enters_a_sheet_from_paper_and_a_player_compares_it(
    live_server, client, open_page: Open
) -> None:
    event = make_event(slug="fest", games_per_heat=1)
    heat = make_heats(event, 4).heats[0]
    choose_pin(registration=event.registrations.get(number=2), pin="2580")
    user = make_user()
    EventRole.objects.create(event=event, user=user, role=Role.DIRECTOR)
    client.force_login(user)
    watched = open_page(live_server.url, size=DESKTOP)
    page = watched.page
    watched.expected.append("409")
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value}
    page.context.add_cookies([cookie | {"url": live_server.url}])
    page.goto(f"/e/fest/desk/heats/{heat.number}/")
    page.locator("#from-paper a").click()
    for seat, score in enumerate((53, 31, 12, 40)):
        page.fill(f"#id_score_{seat}", str(score))
    page.locator("input[name=winner]").first.check()
    page.locator("#totals button.btn-primary").click()
    # The winner has played no Chicago: the totals check says so beside the seat.
    expect(page.locator(".paper-seat").first.locator("[role=alert]")).to_be_visible()
    page.locator("#id_executed_0").check()
    page.locator("#totals button.btn-primary").click()
    expect(page.locator("tr.changed").first).to_be_visible()
    page.locator("main form button.btn-primary").click()
    page.locator("#from-paper a").click()
    page.locator("#id_player").select_option(index=1)
    page.fill("#id_pin", "2580")
    page.locator("form[action$='compared/'] button").click()
    page.locator("form[action$='close/'] button").click()
    page.wait_for_load_state()
    heat.refresh_from_db()
    assert (heat.status, heat.results.get(place=1).score_points) == ("finished", 53)


#: Counts the page's tones: two for each sound.
COUNT_TONES = """
window.tones = 0;
const create = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { window.tones++; return create.call(this); };
"""


def test_a_call_sounds_and_is_counted_in_the_floor_pages_title(
    live_server, client, open_page: Open
) -> None:
    event = make_event(slug="fest")
    heats = make_heats(event, 8).heats
    client.force_login(make_member(event, Role.FLOOR))
    watched = open_page(live_server.url)
    # Before the first tap.
    watched.expected = ["AudioContext was not allowed to start"]
    page = watched.page
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value}
    page.context.add_cookies([cookie | {"url": live_server.url}])
    page.add_init_script(COUNT_TONES)
    page.goto("/e/fest/desk/floor/")
    expect(page).not_to_have_title(re.compile(r"^\("))
    page.locator("#call-sound").check()
    assert page.evaluate("window.tones") == 2
    for number, heat in enumerate(heats, start=1):
        call_td(table_id=heat.table_id, reason="")
        expect(page).to_have_title(re.compile(rf"^\({number}\) "))
        assert page.evaluate("window.tones") == 2 + 2 * number
    # Back from a heat's page: the sound is there again, at the latest with the next tap.
    page.goto("/e/fest/desk/heats/1/")
    page.goto("/e/fest/desk/floor/")
    page.locator("h1").click()
    expect(page.locator("#call-sound")).to_be_checked()
    clear_call(table_id=heats[0].table_id)
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    call_td(table_id=heats[0].table_id, reason="")
    expect(page).to_have_title(re.compile(r"^\(2\) "))
    assert page.evaluate("window.tones") == 2
    page.locator("#call-sound").uncheck()
    page.reload()
    page.locator("h1").click()
    expect(page.locator("#call-sound")).not_to_be_checked()
