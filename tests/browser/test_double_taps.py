"""Every kind of button, tapped twice: what was meant is written once, or not at all."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from playwright.sync_api import Page, Request, expect

from scoring.models import Objection, SheetEntry
from tests.browser import states
from tests.browser.auditor import drawn, takes_taps
from tests.browser.states import STATES, Tap
from tests.browser.test_auditor import phone, saved
from tests.browser.test_offline import becomes
from tests.browser.test_restored import COUNT_WRITTEN
from tests.browser.test_taps import GAPS, Thumb, nothing_begun
from tests.scoring.factories import (
    auditor_link,
    hand,
    make_table,
    none,
    play,
    ruling,
    running,
    sheet_of,
    trick,
)

pytestmark = [pytest.mark.pages, pytest.mark.sqlite, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]

#: What the page asks by itself: which entries the server lacks.
ASKS = "/kept/"


def sent(requests: list[Request]) -> list[tuple[str, dict]]:
    """Return what was sent; a tap that was sent again counts once."""
    found: dict[tuple[str, str], dict] = {}
    for request in requests:
        path = urlsplit(request.url).path
        text = request.post_data or ""
        body = json.loads(text) if text.startswith("{") else parse_qs(text)
        if not path.endswith(ASKS):
            found.setdefault((path, str(body.get("id", len(found)))), body)
    return [(path, body) for (path, _id), body in found.items()]


def prepare(page: Page, tap: Tap) -> None:
    """Tap and type what the button needs first."""
    takes_taps(page)
    for control in tap.before:
        page.locator(control).click()
        expect(page.locator(".held, .busy")).to_have_count(0)
    for control, text in tap.fills.items():
        typed = page.locator(control)
        if typed.evaluate("element => element.tagName") == "SELECT":
            typed.select_option(text or None, **({} if text else {"index": 1}))
        else:
            typed.fill(text)


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_a_button_tapped_twice(phone, state: Callable[[], str], gap: int) -> None:
    address = state()
    page = phone("/static/site/icon.svg", has_touch=True, service_workers="block")
    thumb = Thumb(page, gap)
    requests: list[Request] = []
    page.on("request", lambda request: request.method == "POST" and requests.append(request))
    with closing(sqlite3.connect(":memory:")) as first:
        connection.connection.backup(first)
        for tap in STATES[state]:
            start_again(page, thumb, first)
            page.goto(address)
            prepare(page, tap)
            saved(page)
            requests.clear()
            control = page.locator(tap.control)
            control.scroll_into_view_if_needed()
            meant = control.get_attribute("value")
            thumb.twice(control)
            made = sent(requests)
            assert [path.rpartition(address.rstrip("/"))[2] for path, _body in made] == (
                [tap.sends] if tap.sends else []
            ), tap
            for _path, body in made:
                if tap.entry:
                    assert body["entry"] == tap.entry, tap
                elif meant:
                    assert meant in {str(value) for value in body.values()}, tap
                nothing_begun(page)


def start_again(page: Page, thumb: Thumb, first: sqlite3.Connection) -> None:
    """Restore the database, and begin with a new phone."""
    site = page.url
    page.goto("about:blank")
    if not site.startswith("about:"):
        everything = {"origin": site, "storageTypes": "cookies,indexeddb,local_storage"}
        thumb.browser.send("Storage.clearDataForOrigin", everything)
    first.backup(connection.connection)
    # The same versions get other contents.


def opened(phone, address: str) -> tuple[Page, list[Request]]:
    """Open the page; return it, and the list of what it sends."""
    page = phone(address, has_touch=True)
    requests: list[Request] = []
    page.on("request", lambda request: request.method == "POST" and requests.append(request))
    drawn(page)
    takes_taps(page)
    return page, requests


@pytest.mark.parametrize("gap", GAPS)
def test_offline_a_button_tapped_twice(phone, gap: int) -> None:
    table = make_table()
    play(running(table), hand(1, 0), none(2))
    page, _requests = opened(phone, auditor_link(table))
    page.context.set_offline(True)
    live, waiting = page.locator("#live"), page.locator("#pending li")

    def twice(control: str, waits: int, *, game: int = 1) -> None:
        tapped = page.locator(control)
        tapped.scroll_into_view_if_needed()
        Thumb(page, gap).tap(tapped, 2)
        page.wait_for_timeout(300)
        expect(waiting).to_have_count(waits)
        expect(live).to_have_attribute("data-game", str(game))
        nothing_begun(page)

    twice(".what-trick button >> nth=2", 1)
    twice("[data-take-back]", 0)
    twice(".what-deuce button >> nth=2", 1)
    twice(".nobody-slot button", 2)
    page.locator("label.cell").first.click()
    page.locator(".question .kind-straight_flush").first.click()
    # The page below the question is shorter afterwards, and scrolls back.
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    twice("#confirm [data-answer=yes]", 3)
    twice("[data-next-game]", 4, game=2)
    twice("[data-take-back]", 3)
    twice("[data-take-back]", 2)
    page.context.set_offline(False)
    saved(page)
    assert sheet_of(table).version == 4
    assert sheet_of(table, 2).status == "waiting"


def test_an_objection_that_was_sent_closes_its_fold(phone) -> None:
    page, _requests = opened(phone, states.in_an_exchange())
    fold = page.locator("#own-objection")
    fold.locator("summary").click()
    page.locator("#objection-who").select_option(index=1)
    page.fill("#objection-pin", "1234")
    # Refused, it stays as it is.
    fold.locator("button").click()
    expect(page.locator("#pending.refusal")).to_be_visible()
    expect(fold).to_have_attribute("open", "")
    page.fill("#objection-pin", states.PIN)
    fold.locator("button").click()
    expect(fold).not_to_have_attribute("open", "")
    assert Objection.objects.count() == 2


#: What was written meanwhile, and the scores after each choice.
OTHERS = {
    "mine": (hand(1, 3, "straight"), [5, 0, 0, 0]),
    "theirs": (hand(1, 3, "straight"), [0, 0, 0, 4]),
    "both": (ruling("points", 1, points=20), [5, 20, 0, 0]),
}


@pytest.mark.parametrize("choice", OTHERS)
@pytest.mark.parametrize("gap", GAPS)
def test_a_choice_between_two_sides_tapped_twice(phone, gap: int, choice: str) -> None:
    table = make_table()
    page, requests = opened(phone, auditor_link(table))
    page.route("**/sync/", lambda route: route.abort())
    page.locator("label.cell").first.click()
    page.locator(".question .kind-flush").first.click()
    written, scores = OTHERS[choice]
    play(running(table), written)
    page.unroute("**/sync/")
    button = page.locator(f"[data-choice={choice}]")
    expect(button).to_be_visible()
    requests.clear()
    thumb = Thumb(page, gap)
    button.scroll_into_view_if_needed()
    thumb.twice(button)
    choices = [body.get("take") for _path, body in sent(requests)]
    assert [each for each in choices if each] == [choice]
    nothing_begun(page)
    assert sheet_of(table).state["scores"] == scores


@pytest.mark.parametrize("sends", [True, False])
@pytest.mark.parametrize("gap", GAPS)
def test_what_a_restored_server_is_offered_tapped_twice(phone, gap: int, sends: bool) -> None:
    table = make_table()
    address = auditor_link(table)
    page, requests = opened(phone, address)
    thumb = Thumb(page, gap)
    panel = page.locator("#recovery")

    def twice(button: int, given: list[tuple[int, int]]) -> None:
        """Tap the panel's button twice; check the requests' entries and rulings."""
        requests.clear()
        tapped = panel.locator("button").nth(button)
        expect(tapped).to_be_visible()
        tapped.scroll_into_view_if_needed()
        thumb.tap(tapped, 2)
        page.wait_for_timeout(300)
        bodies = [each.post_data_json for each in requests if each.url.endswith(ASKS)]
        assert [
            (len(each["taps"]), len(each["told"])) for each in bodies if "taps" in each
        ] == given

    with closing(sqlite3.connect(":memory:")) as backup:
        connection.connection.backup(backup)
        page.locator("label.cell").first.click()
        page.locator(".question .kind-flush").first.click()
        saved(page)
        play(running(table), ruling("points", 1, points=20))
        becomes(page, f"async () => (await ({COUNT_WRITTEN})()) === 2")
        page.goto("about:blank")
        backup.backup(connection.connection)
    page.goto(address)
    if sends:
        # "Send them": the director's ruling still waits to be entered again.
        twice(0, [(1, 1)])
        assert sheet_of(table).state["scores"] == [5, 0, 0, 0]
        expect(panel.locator("li")).to_have_count(1)
        twice(0, [])
    else:
        # "Go on without them" brings a second question, which the second tap does not answer.
        twice(1, [])
        expect(panel.locator("button")).to_have_count(2)
        twice(1, [])
        expect(panel).to_be_hidden()
        # Of the ruling it is told once the page is opened again.
        page.reload()
        expect(panel.locator("li")).to_have_count(1)
        twice(1, [])
        assert sheet_of(table).state["scores"] == [0, 0, 0, 0]
    expect(panel).to_be_hidden()
    nothing_begun(page)


@pytest.mark.parametrize("gap", GAPS)
def test_calling_the_director_to_a_restored_server_tapped_twice(phone, gap: int) -> None:
    """The button that ends it comes to lie where the one that calls was."""
    table = make_table()
    address = auditor_link(table)
    play(running(table), hand(1, 0, "flush"))
    page, requests = opened(phone, address)
    with closing(sqlite3.connect(":memory:")) as backup:
        connection.connection.backup(backup)
        play(running(table), ruling("points", 1, points=20))
        becomes(page, f"async () => (await ({COUNT_WRITTEN})()) === 1")
        page.goto("about:blank")
        backup.backup(connection.connection)
    page.goto(address)
    lost = page.locator("#recovery li")
    button = page.locator("#recovery button").first
    expect(lost).to_have_count(1)
    requests.clear()
    button.scroll_into_view_if_needed()
    thumb = Thumb(page, gap)
    thumb.twice(button)
    bodies = [each.post_data_json for each in requests if each.url.endswith(ASKS)]
    assert [body["taps"] for body in bodies if "taps" in body] == [[]]
    expect(lost).to_have_count(1)
    table.refresh_from_db()
    assert table.call_since is not None
    requests.clear()
    button.scroll_into_view_if_needed()
    thumb.twice(button)
    assert sent(requests) == []
    expect(lost).to_have_count(0)
    becomes(page, f"async () => (await ({COUNT_WRITTEN})()) === 0")
    nothing_begun(page)


#: Buttons and links that lead to another page, and how its address ends.
LEADS = {
    ".share": "/share/",
    "button[name=language]": "",
    ".fields a >> nth=0": "/games/1/1/",
    ".deal-line a >> nth=0": "/games/1/1/",
}


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("control", LEADS)
def test_what_leads_away_tapped_twice(phone, control: str, gap: int) -> None:
    table = make_table()
    play(running(table), hand(1, 0))
    address = auditor_link(table)
    page, requests = opened(phone, address)
    tapped = page.locator(control)
    tapped.scroll_into_view_if_needed()
    Thumb(page, gap).tap(tapped, 2)
    if control == "button[name=language]":
        expect(page.locator("html")).to_have_attribute("lang", "sv")
    # A link tapped twice may be followed anew: the driver tells the first navigation as aborted.
    expect(page).to_have_url(re.compile(f"{address.rstrip('/')}{LEADS[control] or '/'}$"))
    page.wait_for_timeout(300)
    assert urlsplit(page.url).path == f"{address.rstrip('/')}{LEADS[control] or '/'}"
    assert not any("/entry/" in path or "/take-back/" in path for path, _body in sent(requests))
    assert sheet_of(table).version == 1


@pytest.mark.parametrize("gap", GAPS)
def test_a_line_corrected_inserted_and_removed_tapped_twice(phone, gap: int) -> None:
    table = make_table()
    play(running(table), hand(1, 0), none(2), trick(2))
    page, _requests = opened(phone, auditor_link(table))
    thumb = Thumb(page, gap)
    kinds = ["entry"] * 3

    def twice(control: str) -> None:
        tapped = page.locator(control).first
        tapped.scroll_into_view_if_needed()
        thumb.tap(tapped, 2)

    for kind, entry, seat in (("amend", "last_trick", 3), ("insert", "revoke", 1), ("void", "", 0)):
        page.goto(auditor_link(table))
        line = page.locator(".deal-line a[href$='/games/1/3/']")
        line.scroll_into_view_if_needed()
        line.click()
        twice(f"label:has(input[name=kind][value={kind}])")
        if entry:
            value = f"input[name=entry][value*='{entry}'][value*='\"seat\":{seat}']"
            folded = page.locator(f"details:not([open]):has({value}) summary")
            if folded.count():
                folded.click()
            twice(f"label:has({value})")
        twice(".btn-next")
        expect(page.locator("input[name=sure]")).to_be_attached()
        page.wait_for_timeout(300)
        assert [row.kind for row in SheetEntry.objects.order_by("pk")] == kinds
        kinds.append(kind)
        twice(".btn-next")
        expect(page.locator("#live")).to_have_attribute("data-version", str(len(kinds)))
        page.wait_for_timeout(300)
        assert [row.kind for row in SheetEntry.objects.order_by("pk")] == kinds
        nothing_begun(page)
