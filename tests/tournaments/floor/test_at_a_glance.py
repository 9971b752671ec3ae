"""The floor page's overview: leaders, tables behind schedule, the room, the number of calls."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.translation import gettext

from scoring.models import Sheet
from scoring.writing import call_td, object_to_deal, open_next_sheet
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_heats, make_players, play_game, play_heat
from tests.tournaments.floor.test_commands import sheet_of
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.core.transitions import transition_registration
from tournaments.floor.commands.clocks import set_clocks
from tournaments.floor.commands.floor import set_away, set_missing
from tournaments.floor.queries.open_tables import floor_of
from tournaments.heats.commands import close_heat, set_auditor
from tournaments.heats.queries.cards import SITTING_DOWN, Need
from tournaments.models import Event, Heat
from tournaments.models.enums import RegistrationStatus, Role
from tournaments.results.commands import refresh_heat

pytestmark = pytest.mark.django_db


@pytest.fixture
def heats() -> list[Heat]:
    """Three heats: two in their third game, one in its first."""
    heats = make_heats(make_event(room_plan="1-5"), 12).heats
    for heat in heats[:2]:
        for number in (1, 2):
            play_game(sheet_of(heat, number), 0)
            open_next_sheet(table_id=heat.table_id or 0, by="test")
        refresh_heat(heat=heat)
    return heats


def test_the_leader_and_the_table_that_is_behind(heats: list[Heat]) -> None:
    cards = {card.heat.pk: card for card in floor_of(heats[0].event).cards}
    assert [cards[heat.pk].card.behind for heat in heats] == [False, False, True]
    assert [bool(cards[heat.pk].leads) for heat in heats] == [True, True, False]


def test_a_disqualified_player_does_not_lead(heats: list[Heat]) -> None:
    heat = heats[0]
    first, second = heat.entries.order_by("result__order")[:2]
    transition_registration(first.registration, RegistrationStatus.DISQUALIFIED)
    first.registration.save()
    card = next(card for card in floor_of(heat.event).cards if card.heat == heat)
    assert card.leads.startswith(card.card.names[second.registration.player_id])


def test_who_is_level_leads_together(heats: list[Heat]) -> None:
    heat = heats[0]
    heat.results.update(place=1)
    card = next(card for card in floor_of(heat.event).cards if card.heat == heat)
    assert all(name in card.leads for name in card.card.names.values())


def test_who_is_away_or_gone_is_named_on_the_card(heats: list[Heat]) -> None:
    heat = heats[0]
    one, two = (entry.registration for entry in heat.entries.order_by("pk")[:2])
    set_away(heat=heat, registration=one, away=True, by=None)
    set_missing(heat=heat, registration=two, missing=True, by=None)
    page = client_of(heat.event, Role.FLOOR).get(url(heat.event, "floor"))
    card = next(card for card in page.context["floor"].cards if card.heat == heat)
    names = [str(one.person), str(two.person)]
    assert [*card.away, *card.absent] == names
    tags = re.findall(r'<span class="tag tag-amber">([^<]*)</span>', text_of(page))
    assert all(any(name in tag for tag in tags) for name in names)


def test_whoever_calls_is_due_before_the_time_runs_out(heats: list[Heat]) -> None:
    Event.objects.update(minutes_per_heat=60)
    set_clocks(event=Event.objects.get(), what="start", by=None)
    call_td(table_id=heats[1].table_id or 0, reason="")
    assert floor_of(Event.objects.get()).due_heat == heats[1].number


def test_the_table_whose_time_runs_out_first_is_due() -> None:
    event = make_event(minutes_per_heat=60)
    heats = make_heats(event, 8).heats
    for heat in heats:
        set_auditor(heat=heat, registration=heat.entries.all()[0].registration, by=None)
    set_clocks(event=event, what="start", by=None)
    started = timezone.now() - timedelta(minutes=20)
    Heat.objects.filter(pk=heats[1].pk).update(clock_started_at=started)
    floor = floor_of(event)
    assert [card.heat for card in floor.cards] == heats
    assert floor.due_heat == heats[1].number


def test_the_table_behind_stands_out_when_the_others_are_closed() -> None:
    event = make_event()
    heats = make_heats(event, 12).heats
    for heat in heats[:2]:
        play_heat(heat)
        close_heat(heat=heat, by=None)
    make_heats(event, 12)
    assert [card.heat for card in floor_of(event).cards if card.card.behind] == heats[2:]


def test_a_table_without_an_auditor_needs_somebody(heats: list[Heat]) -> None:
    assert needs_of(heats[2]) == Need.BEHIND  # It may still be sitting down.
    Heat.objects.update(opened_at=timezone.now() - SITTING_DOWN)
    assert needs_of(heats[2]) == Need.AUDITOR
    # Lines on a device that nobody knows make it no better.
    Sheet.objects.filter(table=heats[2].table_id).update(last_entry_at=timezone.now())
    assert needs_of(heats[2]) == Need.AUDITOR
    set_auditor(heat=heats[2], registration=heats[2].entries.all()[0].registration, by=None)
    assert needs_of(heats[2]) == Need.BEHIND


def test_the_cards_and_the_desk_agree_on_who_lacks_an_auditor(heats: list[Heat]) -> None:
    event = heats[0].event
    client = client_of(event, Role.OWNER)
    tag = f">{gettext('no Auditor')}<"
    desk = client.get(url(event, "desk"))
    assert (desk.context["without_auditor"], desk.text.count(tag)) == ([], 0)
    Heat.objects.update(opened_at=timezone.now() - SITTING_DOWN)
    desk = client.get(url(event, "desk"))
    lacking = [card.heat for card in desk.context["cards"] if card.lacks_auditor]
    assert (lacking, desk.text.count(tag)) == (heats, len(heats))
    # The first two have unusual lines, which are more urgent.
    assert desk.context["without_auditor"] != []
    assert {card.heat for card in desk.context["without_auditor"]} <= set(lacking)
    marks = [each.auditor_tag for each in floor_of(event).cards]
    assert marks.count("tag tag-amber") == len(heats)


def test_a_table_with_an_open_objection_needs_an_answer(heats: list[Heat]) -> None:
    sheet = sheet_of(heats[1], 1)
    row = object_to_deal(
        table_id=sheet.table_id,
        game=1,
        deal=1,
        player_id=sheet.seats[2],
        text="that was a flush",
        client_id=uuid.uuid4(),
        by="test",
    )
    card = next(card for card in floor_of(heats[1].event).cards if card.heat == heats[1])
    assert [(each.pk, each.player_id) for each in card.objections] == [(row.pk, row.player)]


def needs_of(heat: Heat) -> Need:
    return next(card for card in floor_of(heat.event).cards if card.heat == heat).card.need[0]


def test_the_desk_begins_with_what_needs_a_hand(heats: list[Heat]) -> None:
    event = heats[0].event
    heat = make_heats(event, 4).heats[0]
    set_auditor(heat=heat, registration=heat.entries.all()[0].registration, by=None)
    make_players(event, 2, here=False)
    Event.objects.update(buy_in=10000)
    desk = client_of(event, Role.OWNER).get(url(event, "desk"))
    # Straight flushes in the first exchange, which nobody has looked at.
    assert [card.heat for card in desk.context["needs"]] == heats
    assert desk.context["without_auditor"] == []
    Heat.objects.update(opened_at=timezone.now() - SITTING_DOWN)
    desk = client_of(event, Role.OWNER).get(url(event, "desk"))
    assert [card.heat for card in desk.context["needs"]] == heats[:2]
    assert [card.heat for card in desk.context["without_auditor"]] == heats[2:]
    assert (desk.context["owing"], desk.context["missing"]) == (18, 2)


def test_room_shows_every_table_and_calls_are_counted(heats: list[Heat]) -> None:
    call_td(table_id=heats[1].table_id or 0, reason="")
    floor = floor_of(heats[0].event)
    tones = {table.number: table.tone for table in floor.room}
    del tones[1]  # Its straight flushes in the first exchange are unusual.
    assert tones == {2: "is-call", 3: "is-silent", 4: "is-free", 5: "is-free"}
    assert floor.calls == 1
    page = client_of(heats[0].event, Role.FLOOR).get(url(heats[0].event, "floor"))
    assert 'data-calls="1"' in text_of(page)


@pytest.mark.parametrize(
    ("chain", "tied"),
    [(["game_points", "flip_flop"], True), (["game_points", "score_points"], False)],
)
def test_a_tie_needs_a_flip_flop_only_where_one_decides(chain: list[str], tied: bool) -> None:
    event = make_event(games_per_heat=1, advance_per_heat=2, tie_chain=chain)
    heat = make_heats(event).heats[0]
    play_game(sheet_of(heat))
    refresh_heat(heat=heat)
    assert [each.card.tied for each in floor_of(event).cards] == [tied]
