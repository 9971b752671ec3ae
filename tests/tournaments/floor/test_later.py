"""A table drawn for later is not playing yet; the table comes before the heat's number."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from scoring.models import Sheet
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_heats, straight_flush, write
from tests.tournaments.refusals import refused
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.core.permissions import VIEW_DESK
from tournaments.floor.commands.clocks import set_clocks
from tournaments.floor.queries.open_tables import floor_of
from tournaments.heats.queries.cards import Need, open_heats
from tournaments.models import Event, Heat
from tournaments.models.enums import Role, Visibility
from tournaments.registration.commands.check_in import undo_check_in
from tournaments.registration.commands.people import withdraw
from tournaments.registration.queries.player_page import own_page
from tournaments.results.queries.players import player_state_label, players_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(db: None) -> Event:
    return make_event(minutes_per_heat=60)


def later(heat: Heat, minutes: int) -> None:
    """Have the heat drawn an hour ago for so many minutes from now."""
    now = timezone.now()
    heat.opened_at, heat.starts_at = now - timedelta(hours=1), now + timedelta(minutes=minutes)
    heat.save(update_fields=["opened_at", "starts_at"])


def test_nothing_drawn_for_later_alarms_or_plays(event: Event) -> None:
    first, second = make_heats(event, 8).heats
    later(first, 30)
    later(second, -30)
    cards = {card.heat: card for card in open_heats(event, by_need=True)}
    assert (cards[first].is_later, cards[first].need[0]) == (True, Need.NOTHING)
    assert (cards[second].is_later, cards[second].need[0]) == (False, Need.SILENT)
    floor = floor_of(event)
    assert (floor.playing, floor.later) == (1, 1)
    assert set_clocks(event=event, what="start", by=None) == 1
    first.refresh_from_db()
    assert first.clock_started_at is None
    # Just begun is not silent, however long ago it was drawn.
    later(second, -1)
    assert [card.need[0] for card in open_heats(event)] == [Need.NOTHING, Need.NOTHING]
    # Who begins early plays.
    write(Sheet.objects.get(table__heat=first, number=1), straight_flush(0, 1))
    assert not any(card.is_later for card in open_heats(event))


def test_a_player_is_told_when_and_not_that_it_is_now(event: Event) -> None:
    heat = make_heats(event, 4).heats[0]
    player = heat.entries.all()[0].registration
    later(heat, 30)
    assert own_page(player).card.is_later
    assert player_state_label(players_of(event).get(pk=player.pk)).startswith("Plays at ")
    page = text_of(client_of(event, Role.DIRECTOR).get(f"/e/{event.slug}/"))
    assert "Drawn for later" in page
    later(heat, -1)
    assert not own_page(player).card.is_later
    assert player_state_label(players_of(event).get(pk=player.pk)) == "Playing: Heat 1"


def test_tables_come_first_and_in_their_order(event: Event) -> None:
    first, _second = make_heats(event, 8).heats
    Heat.objects.filter(pk=first.pk).update(table_number=9)
    cards = open_heats(event, by_need=True)
    assert [card.heat.at_table for card in cards] == ["Table 2 · Heat 2", "Table 9 · Heat 1"]
    assert "Table 9 · Heat 1" in text_of(client_of(event, Role.DIRECTOR).get(url(event, "desk")))


def test_who_has_a_seat_and_leaves_is_led_to_what_helps(event: Event) -> None:
    heat = make_heats(event, 4).heats[0]
    player = heat.entries.all()[0].registration
    for leave in (undo_check_in, withdraw):
        with refused("in_open_heat") as refusal:
            leave(registration=player, by=None)
        assert "Table 1 · Heat 1" in str(refusal.value)
        assert "did not come" in str(refusal.value)
        assert "Close the heat" not in str(refusal.value)


def test_hidden_names_are_for_the_staff_only(event: Event) -> None:
    heat = make_heats(event, 4).heats[0]
    person = heat.entries.all()[0].registration.person
    person.visibility = Visibility.HIDDEN
    person.save()
    for role in Role:
        client = client_of(event, role)
        for name in ("floor", "floor_now"):
            page = text_of(client.get(url(event, name)))
            assert (person.legal_name in page) is (VIEW_DESK.split(".")[1] in role.rights)
