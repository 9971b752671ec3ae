"""Other forms sent twice: from paper, a kitchen table, a player's own page. Each counts once."""

import re

import pytest
from playwright.sync_api import Page, expect

from scoring.models import GameAcceptance, Objection, Sheet, SheetEntry, Table
from tests.browser.test_auditor import phone
from tests.browser.test_taps import GAPS, Thumb
from tests.tournaments.factories import (
    finished_heat,
    make_event,
    make_heats,
    make_member,
    play_game,
)
from tournaments.models import LogEntry
from tournaments.models.enums import Role
from tournaments.registration.commands.pins import choose_pin
from tournaments.registration.queries.player_links import token_of

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]


def twice(page: Page, gap: int, control: str) -> None:
    tapped = page.locator(control).first
    tapped.scroll_into_view_if_needed()
    Thumb(page, gap).tap(tapped, 2)


@pytest.mark.parametrize("gap", GAPS)
def test_a_sheet_from_paper(phone, live_server, client, gap: int) -> None:
    event = make_event(slug="fest", games_per_heat=1)
    heat = make_heats(event, 4).heats[0]
    choose_pin(registration=event.registrations.get(number=2), pin="2580")
    client.force_login(make_member(event, Role.DIRECTOR))
    page = phone("/e/fest/", has_touch=True)
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value}
    page.context.add_cookies([cookie | {"url": live_server.url}])
    paper = f"/e/fest/desk/heats/{heat.number}/games/1/paper/"
    page.goto(paper)
    for seat, score in enumerate((53, 31, 12, 40)):
        page.fill(f"#id_score_{seat}", str(score))
    page.locator("#id_executed_0").check()
    page.locator("input[name=winner]").first.check()
    twice(page, gap, "#totals button.btn-primary")
    expect(page.locator("tr.changed").first).to_be_visible()
    page.wait_for_timeout(300)
    assert SheetEntry.objects.count() == 0
    twice(page, gap, "main form[action$='enter/'] button.btn-primary")
    # The second tap's "already made" may stand beside the first one's answer.
    expect(page.locator(".notice-success").first).to_be_visible()
    assert [row.kind for row in SheetEntry.objects.all()] == ["paper"]
    page.goto(paper)
    page.locator("#id_player").select_option(index=1)
    page.fill("#id_pin", "2580")
    twice(page, gap, "form[action$='compared/'] button")
    expect(page.locator(".notice-success").first).to_be_visible()
    before = LogEntry.objects.count()
    page.wait_for_timeout(300)
    assert LogEntry.objects.count() == before
    twice(page, gap, "form[action$='close/'] button")
    expect(page.locator("#closed-head")).to_be_visible()
    heat.refresh_from_db()
    assert (heat.status, heat.results.count()) == ("finished", 4)


@pytest.mark.parametrize("gap", GAPS)
def test_a_kitchen_table(phone, gap: int) -> None:
    page = phone("/play/", has_touch=True)
    twice(page, gap, "form[action$='practice/'] button")
    expect(page).to_have_url(re.compile("/s/"))
    page.goto("/play/")
    for number, name in enumerate(("Anna", "Bo"), 1):
        page.fill(f"#id_player_{number}", name)
    twice(page, gap, "#start button.btn-primary")
    expect(page).to_have_url(re.compile("/s/"))
    page.wait_for_timeout(300)
    assert Table.objects.count() == 2
    expect(page.locator(".seats-asked")).to_be_visible()
    assert SheetEntry.objects.count() == 0


@pytest.mark.parametrize("gap", GAPS)
def test_a_players_own_page(phone, gap: int) -> None:
    event = make_event(slug="fest", acceptance="all", games_per_heat=2)
    heat = make_heats(event, 4).heats[0]
    player = heat.entries.order_by("pk").last().registration
    page = phone(f"/p/{token_of(player)}/", has_touch=True)
    posts: list[str] = []
    page.on("request", lambda sent: sent.method == "POST" and posts.append(sent.url))

    def only(form: str) -> None:
        """Tap a form's button twice: nothing else was sent, and what it did is said."""
        posts.clear()
        twice(page, gap, f"form[action$='/{form}/'] button")
        expect(page.locator(".notice-success").first).to_be_visible()
        page.wait_for_timeout(600)
        assert {url.rstrip("/").rpartition("/")[2] for url in posts} == {form}
        page.reload()

    page.locator("#own-pin summary").click()
    page.fill("#own-pin-digits", "2580")
    only("pin")
    play_game(Sheet.objects.get(table=heat.table, number=1))
    page.reload()
    page.locator("#own-object-1 summary").click()
    page.fill("#own-deal-1", "1")
    only("object")
    assert Objection.objects.unanswered().count() == 1
    only("take-back")
    only("accept")
    assert [row.player for row in GameAcceptance.objects.all()] == [player.player_id]
    heat = finished_heat(make_event(slug="again", games_per_heat=1), 4)
    loser = heat.entries.order_by("pk").last().registration
    page.goto(f"/p/{token_of(loser)}/")
    only("enter")
    assert loser.entries.count() == 2
