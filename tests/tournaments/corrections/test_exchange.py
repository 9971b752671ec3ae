"""One player of a heat for another: before the first line, after it, and in the play-offs."""

from __future__ import annotations

import json
import uuid

import pytest

from scoring.models import Sheet
from tests.tournaments.conftest import client_of
from tests.tournaments.corrections.test_commands import play, player
from tests.tournaments.corrections.test_preview_is_outcome import differs, listed, seen
from tests.tournaments.factories import make_heats, make_players, straight_flush, write
from tests.tournaments.refusals import refused
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.corrections.commands.exchange import Exchanged, exchange, preview_exchange
from tournaments.documents import event_document, import_event
from tournaments.draws.commands.drafts import draft_round, publish
from tournaments.floor.commands.exchange import Exchange
from tournaments.models import Event, Heat, Registration
from tournaments.models.enums import HeatStatus, Role
from tournaments.playoffs.commands import prepare_round
from tournaments.playoffs.queries.rounds import next_ones

pytestmark = pytest.mark.django_db


def exchanged(heat: Heat, out: Registration, into: Registration, *, here: bool = True) -> Exchanged:
    """Exchange them; what the preview listed is what happened."""
    wanted = Exchange(heat=heat, out=out, into=into, reason="went home ill", here=here)
    before = seen(heat.event)
    found = preview_exchange(wanted=wanted, by=None)
    assert seen(heat.event) == before
    done = exchange(wanted=wanted, by=None)
    assert listed(found) == listed(done) == differs(before, seen(heat.event))
    assert found.effects == done.effects
    document = json.loads(json.dumps(event_document(heat.event)))
    again = import_event({**document, "slug": "again"})
    assert event_document(again)["stages"][-1]["heats"] == document["stages"][-1]["heats"]
    return done


@pytest.mark.parametrize("written", [False, True])
@pytest.mark.parametrize("here", [False, True])
def test_somebody_from_the_queue_takes_a_seat(event: Event, written: bool, here: bool) -> None:
    heat = make_heats(event, 4).heats[0]
    (into,) = make_players(event, 1)
    sheet = Sheet.objects.get(table=heat.table)
    if written:
        write(sheet, straight_flush(1, 1))
    out = player(event, sheet, 2)
    done = exchanged(heat, out, into, here=here)
    heat.refresh_from_db()
    assert (done.heat == heat) is not written
    assert heat.status == (HeatStatus.VOID if written else HeatStatus.OPEN)
    assert done.heat.table_number == heat.table_number
    seats = Sheet.objects.get(table=done.heat.table).seats
    assert seats == [into.player_id if each == out.player_id else each for each in sheet.seats]
    out.refresh_from_db()
    assert out.entries.waiting().exists() is here
    assert out.status == ("checked_in" if here else "registered")
    sheet = Sheet.objects.get(table=done.heat.table)
    again = play(done.heat)
    assert event.qualifications.valid().get().registration == player(event, again, 0)


@pytest.mark.parametrize("written", [False, True])
def test_who_is_next_takes_a_seat_in_the_play_offs(
    event: Event, sheets: list[Sheet], written: bool
) -> None:
    stage = prepare_round(event=event, by=None)
    (heat,) = publish(draw=draft_round(stage=stage, by=None), by=None).heats
    stage.refresh_from_db()
    sheet = Sheet.objects.get(table=heat.table)
    if written:
        write(sheet, straight_flush(1, 1))
    out = player(event, sheet, 0)
    (best,) = next_ones(stage, 1)
    into = event.registrations.get(number=int(best.player))
    with refused("cannot_come_in"):
        exchange(wanted=Exchange(heat, out, player(event, sheet, 1), "a slip"), by=None)
    with refused("missing_reason"):
        exchange(wanted=Exchange(heat, out, into, " "), by=None)
    done = exchanged(heat, out, into)
    assert stage.players.get(registration=out).absent
    assert stage.players.get(registration=into).replaces.registration == out
    play(done.heat)
    stage.refresh_from_db()
    assert stage.status == "finished"


def test_the_page_shows_what_follows_first(event: Event) -> None:
    heat = make_heats(event, 4).heats[0]
    (into,) = make_players(event, 1)
    sheet = Sheet.objects.get(table=heat.table)
    write(sheet, straight_flush(1, 1))
    client, out = client_of(event, Role.DIRECTOR), player(event, sheet, 2)
    assert (
        url(event, "exchange", number=1)
        in client.get(url(event, "heat_desk", number=1)).content.decode()
    )
    assert "begins anew" in text_of(client.get(url(event, "exchange", number=1)))
    sent = {"out": out.number, "into": into.number, "reason": "ill", "client_id": uuid.uuid4()}
    page = text_of(client.post(url(event, "exchange_do", number=1), sent))
    assert "no longer counts" in page
    assert Heat.objects.get().status == HeatStatus.OPEN
    sent |= {"seen": f"{out.number}|{into.number}|False", "client_id": uuid.uuid4()}
    client.post(url(event, "exchange_do", number=1), sent)
    assert [heat.status for heat in Heat.objects.order_by("number")] == ["void", "open"]
