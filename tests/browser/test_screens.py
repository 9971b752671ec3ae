"""The hall's screens in a browser: adopted, steered, legible from afar, without network."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from django.utils import timezone
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.tournaments.factories import make_event, make_heats
from tests.tournaments.playoffs.factories import played_round, qualify
from tournaments.floor.commands.clocks import set_clocks
from tournaments.models import Event, Person, Screen
from tournaments.notices.commands.announcements import announce
from tournaments.screens.commands import adopt, steer
from tournaments.screens.queries.screens import orders_of

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

SIZES = ((1280, 720), (1920, 1080), (3840, 2160))
#: What must be read from the back row is at least this share of the height.
SHARE = 27
#: Longer than a screen waits before it asks again.
MOMENT = 40_000
MEASURED = """() => {
  const shown = (each) => each.checkVisibility() && [...each.childNodes].some(
    (node) => node.nodeType === 3 && node.data.trim());
  const all = [...document.querySelectorAll(".part *")].filter(shown);
  const size = (each) => parseFloat(getComputedStyle(each).fontSize);
  const body = document.querySelector(".part-body").getBoundingClientRect();
  const below = [...document.querySelectorAll("[data-page]:not(.is-off) :is(li, .tile)")]
    .filter((each) => each.getBoundingClientRect().bottom > body.bottom + 1);
  const cut = [...document.querySelectorAll(".tile")].filter(
    (each) => each.scrollHeight > each.clientHeight + 1);
  // What can be seen of each name: the letters that are not cut, and its end.
  const visible = (name) => {
    const [head, tail] = name.children;
    const text = head.firstChild, right = head.getBoundingClientRect().right;
    const range = document.createRange();
    let count = 0;
    for (; count < text.length; count += 1) {
      range.setStart(text, count); range.setEnd(text, count + 1);
      if (range.getBoundingClientRect().right > right + 1) break;
    }
    if (count < text.length) count -= 1; // below the dots
    return `${text.data.slice(0, count)}|${count < text.length}|${tail?.textContent ?? ""}`;
  };
  const whole = (name) => !name.children[1] ||
    name.children[1].getBoundingClientRect().right <= name.getBoundingClientRect().right + 1;
  const names = [...document.querySelectorAll(".row-name")].filter(
    (name) => name.checkVisibility());
  return {
    names: names.length, apart: new Set(names.map(visible)).size, ends: names.every(whole),
    smallest: Math.min(...all.map(size)), below: below.length, cut: cut.length,
    pages: document.querySelectorAll("[data-page]").length,
    tiles: document.querySelectorAll("[data-page]:not(.is-off) .tile").length,
    seats: document.querySelectorAll(".is-seats .rows li").length,
  };
}"""


#: Scores and sentences that are cut off, or stand outside the picture.
OUTSIDE = """() => [...document.querySelectorAll(
  ".finalist, .finalist p, .final-needs li, .lower li, .lower b, .bracket svg")].filter((each) => {
  const { left, top, right, bottom } = each.getBoundingClientRect();
  const within = each.parentElement.closest(".finalist, .lower li")?.getBoundingClientRect();
  return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight
    || (within && right > within.right + 1);
}).map((each) => each.outerHTML)"""


def hall(players: int) -> Event:
    """Return an event that plays at numbered tables, with a clock; some names are very long."""
    event = make_event(minutes_per_heat=60)
    heats = make_heats(event, players).heats
    for number, heat in enumerate(heats, start=1):
        heat.table_number = number
        heat.save()
    for row in event.registrations.filter(number__lte=6).select_related("person"):
        Person.objects.filter(pk=row.person_id).update(
            legal_name=f"Maximiliana von Lindström-Bergqvist {row.number}"
        )
    set_clocks(event=event, what="start", by=None)
    return event


def television(
    open_page: Open, site: Any, event: Event, size: tuple[int, int]
) -> tuple[Page, Screen]:
    """Open a screen and adopt it by the letters that it shows."""
    page = open_page(site.url, size=size).page
    page.goto("/screen/")
    shown = page.locator("[data-letters]")
    expect(shown).to_be_visible(timeout=MOMENT)
    screen = adopt(event=event, letters=shown.inner_text(), name="Bar", by=None)
    expect(page.locator(".part")).to_be_visible(timeout=MOMENT)
    return page, screen


def put(page: Page, event: Event, screen: Screen, part: str) -> dict[str, Any]:
    """Put a part on the screen as the desk does; return what is measured on it."""
    steer(event=event, screens=[screen], shows=part, by=None)
    expect(page.locator(f"[data-part={part}][data-orders='{orders_of(event)}']")).to_be_visible(
        timeout=MOMENT
    )
    found: dict[str, Any] = page.evaluate(MEASURED)
    return found


@pytest.mark.parametrize("size", SIZES)
def test_the_back_row_can_read_it(open_page: Open, live_server: Any, size: tuple[int, int]) -> None:
    event = hall(56)
    page, screen = television(open_page, live_server, event, size)
    for said in (False, True):
        if said:
            announce(
                event=event, texts={"sv": "Maten är klar i baren till höger om scenen"}, by=None
            )
        for part in ("tables", "seats", "clock"):
            found = put(page, event, screen, part)
            assert found["smallest"] >= size[1] / SHARE, (part, found)
            assert (found["below"], found["cut"]) == (0, 0), (part, found)
            assert (found["apart"], found["ends"]) == (found["names"], True), (part, found)
            if part == "tables" and not said:
                assert found["tiles"] == 14
                page.emulate_media(forced_colors="active")
                forced = page.evaluate(MEASURED)
                assert (forced["below"], forced["cut"]) == (0, 0), forced
                page.emulate_media(forced_colors="none")
            if part == "seats":
                assert found["seats"] == 56
        steer(event=event, screens=[screen], shows="black", by=None)
        expect(page.locator("[data-part=black]")).to_be_visible(timeout=MOMENT)


def test_120_seats_turn_their_pages(open_page: Open, live_server: Any) -> None:
    event = hall(120)
    page, screen = television(open_page, live_server, event, (1280, 720))
    found = put(page, event, screen, "seats")
    assert (found["seats"], found["pages"]) == (120, 3)
    part = page.locator(".part")
    assert int(part.get_attribute("data-page-most") or 99) <= 20
    first = page.locator("[data-page]:not(.is-off) .row-name").first.inner_text()
    expect(page.locator("[data-page]:not(.is-off) .row-name").first).not_to_have_text(
        first, timeout=MOMENT
    )


def test_a_final_fits_its_screen_and_lies_over_a_streams_picture(
    open_page: Open, live_server: Any
) -> None:
    event = make_event(games_per_heat=1, playoff_games=1, name="Mästerskapen")
    qualify(event, 3)
    played_round(event, finish=False)
    for row in event.registrations.all():
        long = f"Maximiliana von Lindström-Bergqvist {row.number}"
        Person.objects.filter(pk=row.person_id).update(legal_name=long)
    page, screen = television(open_page, live_server, event, (1920, 1080))
    found = put(page, event, screen, "final")
    assert (found["apart"], found["ends"], found["cut"]) == (found["names"], True, 0)
    assert page.evaluate(OUTSIDE) == []
    overlay = open_page(live_server.url, size=(1920, 1080)).page
    for kind, shown in (
        ("tiles", ".finalist"),
        ("lower", ".lower li"),
        ("bracket", ".bracket svg"),
    ):
        overlay.goto(f"/e/{event.slug}/overlay/sv/{kind}/")
        expect(overlay.locator(shown).first).to_be_visible(timeout=MOMENT)
        assert overlay.evaluate(OUTSIDE) == []
        picture = Image.open(BytesIO(overlay.screenshot(omit_background=True))).convert("RGBA")
        assert picture.size == (1920, 1080)
        assert picture.getpixel((960, 10))[3] == 0, kind
        assert picture.getextrema()[3][1] == 255, kind


def test_it_goes_on_without_a_server_and_says_since_when(open_page: Open, live_server: Any) -> None:
    event = hall(8)
    watched = open_page(live_server.url, size=(1280, 720))
    watched.expected += ["ERR_INTERNET_DISCONNECTED", "Failed to load resource", "net::"]
    page = watched.page
    page.goto("/screen/")
    shown = page.locator("[data-letters]")
    expect(shown).to_be_visible(timeout=MOMENT)
    screen = adopt(event=event, letters=shown.inner_text(), name="Bar", by=None)
    expect(page.locator(".part")).to_be_visible(timeout=MOMENT)
    put(page, event, screen, "tables")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    expect(page.locator("#lost")).to_be_visible(timeout=2 * MOMENT)
    expect(page.locator(".tile").first).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("#lost")).to_be_hidden(timeout=MOMENT)


def test_the_desk_sees_each_screen_small(open_page: Open, live_server: Any) -> None:
    """The same page in a frame, for the event's staff only."""
    from tests.tournaments.conftest import client_of
    from tournaments.models.enums import Role

    event = hall(8)
    _page, screen = television(open_page, live_server, event, (1280, 720))
    client = client_of(event, Role.FLOOR)
    desk = open_page(live_server.url, size=(1280, 800)).page
    session = client.cookies["sessionid"].value
    desk.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    desk.goto(f"/e/{event.slug}/desk/screens/")
    frame = desk.frame_locator(".screen-frame iframe").first
    expect(frame.locator(".part")).to_be_visible(timeout=MOMENT)
    desk.locator(".screen-card summary").first.click()
    desk.locator(".screen-card button[value=clock]").click()
    expect(
        desk.frame_locator(".screen-frame iframe").first.locator("[data-part=clock]")
    ).to_be_visible(timeout=MOMENT)
    screen.refresh_from_db()
    assert screen.shows == "clock"
    assert timezone.now() - screen.contact.heard_at < timedelta(minutes=2)
