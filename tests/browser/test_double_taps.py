"""Every kind of button, tapped twice: what was meant is written once, or not at all."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from urllib.parse import urlsplit

import pytest
from django.db import connection
from playwright.sync_api import Page, Request, expect

from scoring.models import Objection, SheetEntry
from scoring.reasons import FOLD
from tests.browser import states
from tests.browser.auditor import drawn, saved, takes_taps
from tests.browser.states import STATES, Tap
from tests.browser.test_auditor import phone
from tests.browser.test_taps import GAPS, Thumb, nothing_begun
from tests.scoring.factories import (
    auditor_link,
    hand,
    make_table,
    none,
    play,
    running,
    sheet_of,
    trick,
    write,
)

pytestmark = [pytest.mark.pages, pytest.mark.sqlite, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]


def sent(requests: list[Request]) -> list[dict]:
    """Return the taps that were sent; one that was sent again counts once."""
    found: dict[str, dict] = {}
    for request in requests:
        if request.url.endswith("/sync/"):
            for tap in request.post_data_json["taps"]:
                found.setdefault(tap["id"], tap)
    return list(found.values())


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
            assert [each["act"] for each in made] == ([tap.sends] if tap.sends else []), tap
            for each in made:
                if tap.entry:
                    assert each["entry"] == tap.entry, tap
                elif meant:
                    assert meant in {*map(str, each.values()), "typed"}, tap
                nothing_begun(page)


def start_again(page: Page, thumb: Thumb, first: sqlite3.Connection) -> None:
    """Restore the database, and begin with a new phone."""
    site = page.url
    page.goto("about:blank")
    if not site.startswith("about:"):
        everything = {"origin": site, "storageTypes": "cookies,indexeddb,local_storage"}
        thumb.browser.send("Storage.clearDataForOrigin", everything)
    first.backup(connection.connection)


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
    "both": (FOLD | {"seat": 2}, [5, 0, 0, 0]),
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
    # Through the table's own link: a director's line is no conflict as long as both fit.
    write(running(table), written, author=table.links.get())
    page.unroute("**/sync/")
    button = page.locator(f"[data-choice={choice}]")
    expect(button).to_be_visible()
    requests.clear()
    thumb = Thumb(page, gap)
    button.scroll_into_view_if_needed()
    thumb.twice(button)
    choices = [each.post_data_json.get("take") for each in requests]
    assert [each for each in choices if each] == [choice]
    nothing_begun(page)
    assert sheet_of(table).state["scores"] == scores


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
    assert sent(requests) == []
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
        line = page.locator(".deal-line a[href$='games/1/3/']")
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
