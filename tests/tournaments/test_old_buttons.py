"""A button on a page that has slept acts on what it showed, or does nothing and says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from scoring.writing import call_td
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import (
    finished_heat,
    make_event,
    make_heats,
    make_players,
    play_heat,
)
from tests.tournaments.floor.test_shot_clock import slow
from tests.tournaments.html_forms import Page
from tests.tournaments.playoffs.factories import close, prepared, qualified_event
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_desk import url
from tournaments.cash.commands import book
from tournaments.draws.commands.drafts import draft_round, draw_heats, publish
from tournaments.floor.commands.clocks import set_clock
from tournaments.heats.commands import make_link, replace_link
from tournaments.models import Event, Heat, HeatResult, LogEntry
from tournaments.models.enums import BookingKind, PaymentMethod, Role
from tournaments.playoffs.commands import discard_round
from tournaments.registration.commands.player_links import renew_link

pytestmark = pytest.mark.django_db


@dataclass
class Old:
    """A page, one of its forms, what that form sends, and what happens after the page was shown."""

    event: Event
    page: str
    form: str
    change: Callable[[], Any]
    fields: dict[str, Any]
    code: str = "changed_since"


def table_of(heat: Heat) -> int:
    assert heat.table_id is not None
    return heat.table_id


def a_heat(**fields: Any) -> Heat:
    (heat,) = make_heats(make_event(slug="fest", **fields), 4).heats
    return heat


def of_heat(heat: Heat, form: str, change: Callable[[], Any], **fields: Any) -> Old:
    number = heat.number
    page = url(heat.event, "heat_desk", number=number)
    return Old(heat.event, page, url(heat.event, form, number=number), change, fields)


def other_results(heat: Heat) -> Callable[[], Any]:
    return lambda: HeatResult.objects.filter(heat=heat, place=1).update(score_points=1)


def new_link(form: str) -> Old:
    heat = a_heat()
    make_link(heat=heat, by=None)
    return of_heat(heat, form, lambda: replace_link(heat=heat, by=None))


def closing() -> Old:
    heat = play_heat(a_heat(games_per_heat=1))
    return of_heat(heat, "heat_close", other_results(heat))


def reviewing() -> Old:
    heat = finished_heat(make_event(slug="fest", games_per_heat=1))
    return of_heat(heat, "heat_review", other_results(heat))


def answering() -> Old:
    heat = a_heat()
    call_td(table_id=table_of(heat), reason="two aces of spades")
    old = of_heat(
        heat, "heat_call_clear", lambda: call_td(table_id=table_of(heat), reason="a card")
    )
    old.page, old.code = url(heat.event, "floor"), "called_again"
    return old


def too_slow() -> Old:
    heat = a_heat(shot_clock_seconds=30)
    slow(heat)
    slow(heat)
    old = of_heat(heat, "heat_slow", lambda: call_td(table_id=table_of(heat), reason="a card"))
    old.page = url(heat.event, "floor")
    return old


def emptying() -> Old:
    event = make_event(slug="fest")
    make_players(event, 2)
    change = lambda: make_players(event, 1)  # noqa: E731
    return Old(event, url(event, "desk"), url(event, "queue_empty"), change, {})


def drawing(page: str) -> Old:
    event = make_event(slug="fest")
    make_players(event, 8)

    def change() -> None:
        draw_heats(event=event, by=None, tables=1)

    form = "draft_make" if page == "desk" else "desk_draw"
    return Old(event, url(event, page), url(event, form), change, {"to": "desk_draw"})


def starting(what: str) -> Old:
    event = make_event(slug="fest", minutes_per_heat=60)
    make_heats(event, 4)
    if what == "end":
        event.heats.update(clock_started_at=timezone.now() - timedelta(hours=3))
    elif what != "start":
        set_clock(heat=event.heats.get(), what="start", by=None)

    def change() -> None:
        (heat,) = make_heats(event, 4).heats
        if what == "end":
            Heat.objects.filter(pk=heat.pk).update(
                clock_started_at=timezone.now() - timedelta(hours=3)
            )
        elif what != "start":
            set_clock(heat=heat, what="start", by=None)

    return Old(event, url(event, "floor"), url(event, "clocks"), change, {"what": what})


def paying() -> Old:
    event = make_event(slug="fest", buy_in=10000, currency="SEK")
    (player, *_others) = make_players(event, 1)

    def change() -> None:
        book(
            event=event, kind=BookingKind.BUY_IN, amount=4000, by=None, registration=player,
            method=PaymentMethod.CASH,
        )  # fmt: skip

    page = url(event, "cash_player", number=player.number)
    return Old(event, page, url(event, "cash_pay"), change, {"payment_method": "cash"})


def preparing() -> Old:
    event = qualified_event(12)

    def change() -> None:
        draw = draft_round(stage=prepared(event), by=None)
        for heat in publish(draw=draw, by=None).heats:
            close(heat)

    return Old(event, url(event, "rounds"), url(event, "round_prepare"), change, {})


def taking_back() -> Old:
    event = qualified_event(4)
    stage = prepared(event)

    def change() -> None:
        discard_round(stage=stage, by=None)
        prepared(event)

    form = url(event, "round_discard")
    return Old(event, url(event, "rounds"), form, change, {"discard-reason": "wrong"})


def renewing() -> Old:
    event = make_event(slug="fest")
    (player,) = make_players(event, 1)
    page = url(event, "player_edit", number=player.number)
    form = url(event, "player_link_renew", number=player.number)
    return Old(event, page, form, lambda: renew_link(registration=player, by=None), {})


BUTTONS: dict[str, Callable[[], Old]] = {
    "new link": lambda: new_link("heat_link"),
    "end the link": lambda: new_link("heat_link_revoke"),
    "close": closing,
    "reviewed": reviewing,
    "been there": answering,
    "give the penalty": too_slow,
    "empty the queue": emptying,
    "draw at once": lambda: drawing("desk"),
    "draw now": lambda: drawing("floor"),
    "start the clocks": lambda: starting("start"),
    "stop the clocks": lambda: starting("pause"),
    "end the heats": lambda: starting("end"),
    "paid": paying,
    "prepare": preparing,
    "take back": taking_back,
    "new player link": renewing,
}


@pytest.mark.parametrize("name", BUTTONS)
def test_a_button_does_nothing_else_than_it_showed(name: str) -> None:
    old = BUTTONS[name]()
    owner = client_of(old.event, Role.OWNER)
    page = Page(old.page, 200, owner.get(old.page).content.decode())
    to = url(old.event, old.fields.pop("to")) if "to" in old.fields else old.form
    sent = {**page.form(old.form).sent, **old.fields}
    old.change()
    before = LogEntry.objects.count()
    assert codes_in(owner.post(to, sent, follow=True)) == {old.code}
    assert LogEntry.objects.count() == before
    # Whoever looks again can.
    fresh = Page(old.page, 200, owner.get(old.page).content.decode()).form(old.form).sent
    again = owner.post(to, {**fresh, **old.fields}, follow=True)
    assert old.code not in codes_in(again)
