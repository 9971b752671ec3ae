"""One heat with every special case of the rules, on one phone, in both languages."""

import re

import pytest
from playwright.sync_api import Page, expect

from engine.sheet.entries import Chicago, Entry, entry_from_json
from engine.sheet.losses import losses
from engine.sheet.sheet import step, warnings
from scoring.models import Sheet
from scoring.reading.rows import state_of
from scoring.reasons import FOLD
from tests.browser.auditor import Thumb
from tests.browser.test_auditor import phone
from tests.scoring.factories import (
    auditor_link,
    chicago,
    hand,
    none,
    ruling,
    running,
    sheet_of,
    trick,
    write,
)
from tests.tournaments.factories import make_event, make_heats
from tournaments.models import Heat
from tournaments.models.enums import HeatStatus

pytestmark = [pytest.mark.pages, pytest.mark.django_db(transaction=True)]

__all__ = ["phone"]

DIRECTOR = "director"
#: What the Auditor taps, and what the director rules between the taps.
GAMES = (
    (
        # The same player twice, each share of a deal.
        *(hand(1, 0), hand(2, 0, "two_pair"), trick(2), hand(3, 1, "flush")),
        # Nobody, and the last trick with a deuce.
        *(none(1), none(2), trick(0, deuce=True), none(3)),
        # The director gives points, which opens the way to a Chicago; it is won.
        (DIRECTOR, ruling("points", 0, points=2)),
        (DIRECTOR, ruling("points", 2, points=20)),
        *(hand(1, 0, "three_of_a_kind"), none(2), chicago(0)),
        # From 45 points on nobody may exchange.
        *(hand(1, 0, "flush"), hand(2, 3, "straight"), trick(0), hand(3, 0, "three_of_a_kind")),
        # 52 without a Chicago: down to 0 and out.
        (DIRECTOR, ruling("points", 1, points=43)),
        *(hand(1, 1, "flush"), none(2), trick(2), hand(3, 3)),
        # A Chicago is broken, and who breaks it wins with that.
        *(none(1), none(2), chicago(2, won=False, breaker=0)),
    ),
    (
        # Somebody who may not exchange does so, and falls to 0.
        (DIRECTOR, ruling("points", 3, points=46)),
        {"kind": "illegal_discard", "seat": 3},
        *(none(1), none(2), trick(3), none(3)),
        # A straight flush is asked about, and wins at once.
        *(hand(1, 0), hand(2, 1, "straight_flush")),
    ),
    (
        # Four of a kind: all others are set to 0, and the deal is over.
        *(hand(1, 2, "full_house"), hand(2, 1, "four_of_a_kind", reset=True)),
        # Four of a kind for its points.
        *(hand(1, 1, "four_of_a_kind"), FOLD | {"seat": 3}, none(2), {"kind": "revoke", "seat": 2}),
        # The director has the deal dealt again, calls a penalty and gives points.
        (DIRECTOR, ruling("redeal")),
        (DIRECTOR, ruling("sit_out_next_deal", 3)),
        (DIRECTOR, ruling("points", 1, points=20)),
        *(none(1), none(2), trick(0), none(3)),
        # A Chicago is conceded: nobody breaks it.
        *(none(1), none(2), chicago(1, won=False)),
        # Out for the rest of the heat.
        (DIRECTOR, ruling("disqualify", 3)),
        # A royal flush is asked about twice and wins at once.
        *(none(1), hand(2, 2, "royal_flush")),
    ),
    (
        *(hand(1, 0), none(2), trick(1), hand(3, 2, "straight")),
        # Time is up: places by score.
        (DIRECTOR, ruling("end_game")),
    ),
)


class Phone(Thumb):
    """An Auditor's phone that opens folded answers and confirms what is asked about."""

    def tap(self, where: str) -> None:
        """Tap an answer; unfold it first if needed."""
        panel = self.page.locator(where).first.locator("xpath=ancestor::details[not(@open)]")
        if panel.count():
            panel.locator("summary").click()
        super().tap(where)

    def enter(self, sheet: Sheet, entry: Entry) -> None:
        """Tap an entry and compare what the page shows with the engine."""
        before = state_of(sheet)
        after = step(before, entry)
        lost = losses(after.facts)
        # The question for who broke a Chicago names its loss.
        told = isinstance(entry, Chicago) and [loss.seat for loss in lost] == [entry.seat]
        asked = warnings(before, entry) or (lost and not told)
        self.write(entry, sure=bool(asked))
        if not after.finished:
            # A mark stands where the score of a player who is out was.
            shown = self.page.locator(".cell-score").all_inner_texts()
            found = [re.match(r"\d+", text.strip()) for text in shown]
            scores = zip(after.scores, after.status, strict=True)
            expected = [str(score) if status == "in" else None for score, status in scores]
            assert [each and each[0] for each in found] == expected


def slip(thumb: Phone) -> None:
    """Tap a wrong answer, check what the page says, take it back."""
    before = thumb.scores()
    thumb.write(entry_from_json(hand(1, 3, "full_house")))
    expect(thumb.page.locator(".undo-text")).not_to_be_empty()
    thumb.take_back()
    assert thumb.scores() == before


def declared_and_taken_back(thumb: Phone) -> None:
    """Declare a Chicago that turns out not to be one."""
    thumb.page.locator("button[name=announce][value='0']").click()
    expect(thumb.page.locator(".question")).to_have_attribute("data-step", "chicago")
    thumb.page.locator(".undo").click()
    expect(thumb.page.locator(".question")).to_have_attribute("data-step", "trick")


def first_line_corrected(thumb: Phone) -> None:
    """Correct the game's first line, and back: pair, two pair, pair."""
    page = thumb.page
    for category in ("two_pair", "pair"):
        version = thumb.version()
        page.locator(".score-sheet a[href$='games/1/1/']").click()
        value = f"""input[name=entry][value*='"{category}"'][value*='"seat":0']"""
        page.locator(f"label:has({value})").click()
        page.locator("button.btn-next").click()
        expect(page.locator("tr.changed")).not_to_have_count(0)
        page.locator("button.btn-next").click()
        thumb.saved(version + 1)


@pytest.mark.parametrize("locale", ["sv-SE", pytest.param("en-GB", marks=pytest.mark.slow)])
def test_a_heat_with_every_special_case(phone, locale: str) -> None:
    event = make_event(slug="fest", games_per_heat=len(GAMES))
    heat = make_heats(event, 4).heats[0]
    table = heat.table
    page: Page = phone(auditor_link(table), locale=locale, has_touch=True)
    thumb = Phone(page)
    for number, entries in enumerate(GAMES, 1):
        expect(page.locator("#live")).to_have_attribute("data-game", str(number))
        # The phone has begun it before the server.
        expect(page.locator("#saving")).to_have_attribute("data-state", "saved")
        for at, each in enumerate(entries):
            sheet = running(table)
            if isinstance(each, tuple):
                write(sheet, each[1], author=DIRECTOR)
                thumb.saved(sheet.version + 1)
                continue
            if (number, at) == (1, 4):
                slip(thumb)
                first_line_corrected(thumb)
            if (number, at) == (1, 15):
                declared_and_taken_back(thumb)
            thumb.enter(running(table), entry_from_json(each))
        assert sheet_of(table, number).status == "finished"
        if number < len(GAMES):
            page.locator(".btn-next").click()
    declared = [row.seat for row in sheet_of(table, 1).declarations.order_by("pk")]
    assert declared == [0, 0, None, 2]
    winners = [sheet_of(table, number).state["winners"] for number in (1, 2, 3)]
    assert winners == [[0], [1], [2]]
    page.locator("form[data-do=sign] button").first.click()
    expect(page.locator("form[data-do=sign]")).to_have_count(0)
    assert Heat.objects.get().status == HeatStatus.FINISHED


@pytest.mark.parametrize("locale", ["en-GB", "sv-SE"])
def test_a_heat_that_ends_level_is_decided_by_a_flip_flop(phone, locale: str) -> None:
    heat = make_heats(make_event(slug="fest", games_per_heat=1), 4).heats[0]
    page: Page = phone(auditor_link(heat.table), locale=locale, has_touch=True)
    thumb = Phone(page)
    for entry in (hand(1, 0, "flush"), hand(2, 1, "flush")):
        thumb.enter(running(heat.table), entry_from_json(entry))
    sheet = running(heat.table)
    write(sheet, ruling("end_game"), author=DIRECTOR)
    expect(page.locator(".flip-flop")).to_be_visible()
    expect(page.locator(".sign-off")).to_be_hidden()
    page.locator(".flip-flop select").select_option(f"{sheet.seats[1]}\n{sheet.seats[0]}")
    expect(page.locator(".held")).to_have_count(0)
    page.locator(".flip-flop button").click()
    sign = page.locator(".sign-off button")
    expect(sign).to_be_visible()
    expect(page.locator(".held")).to_have_count(0)
    sign.click()
    expect(page.locator(".sign-off")).to_have_count(0)
    heat.refresh_from_db()
    assert heat.status == HeatStatus.FINISHED
    assert heat.results.get(place=1).entry.registration.player_id == sheet.seats[1]
