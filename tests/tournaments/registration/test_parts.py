"""Parts of a day: their places, waiting lists, check-in and draws."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.tournaments.factories import make_event, make_players
from tests.tournaments.refusals import codes_in, refused
from tests.tournaments.registration.lists import rows_from_text
from tests.tournaments.registration.test_views_desk import text_of, url
from tests.tournaments.registration.test_views_player_page import page
from tournaments.cash.commands import set_free_starts
from tournaments.draws.commands.drafts import draft_heats
from tournaments.events.commands.events import set_timetable
from tournaments.models import Day, Event, Registration
from tournaments.models.enums import FreeReason, RegistrationStatus
from tournaments.registration.commands.check_in import begin_part, check_in
from tournaments.registration.commands.imports import import_rows
from tournaments.registration.commands.merges import merge_persons, undo_merge
from tournaments.registration.commands.people import register_person, withdraw
from tournaments.registration.commands.sign_up import sign_up
from tournaments.registration.commands.waiting_list import choose_part
from tournaments.registration.queries.door import door_of
from tournaments.registration.queries.import_preview import plan_rows
from tournaments.registration.queries.queue import queue_of
from tournaments.registration.queries.waiting_list import waiting_number

pytestmark = pytest.mark.django_db

REGISTERED, WAITS = RegistrationStatus.REGISTERED, RegistrationStatus.WAIT_LISTED
DOORS = timezone.now().replace(hour=10, minute=0, second=0, microsecond=0)


def with_parts(places: int = 3, **fields: object) -> tuple[Event, Day, Day]:
    """Return an event with 1A today and 1B the same day, each with this many places."""
    event = make_event(**fields)
    for index, name in enumerate(("1A", "1B")):
        starts = DOORS + timedelta(hours=3 * index)
        Day.objects.create(event=event, name=name, starts_at=starts, places=places)
    one, other = event.timetable.all()
    return event, one, other


def registered(event: Event, name: str, part: Day | None) -> Registration:
    return register_person(event=event, by=None, legal_name=name, part=part)


def test_each_part_has_its_waiting_list() -> None:
    event, one, other = with_parts()
    first = [registered(event, f"Anna {n}", one) for n in range(4)]
    assert [row.status for row in first] == [REGISTERED] * 3 + [WAITS]
    second = [registered(event, f"Bo {n}", other) for n in range(2)]
    assert [row.status for row in second] == [REGISTERED] * 2
    last = registered(event, "Cia Any", None)
    beyond = registered(event, "Dag Any", None)
    # All six places are taken: one of 1B by somebody who plays in any part.
    assert (last.status, beyond.status) == (REGISTERED, WAITS)
    assert (waiting_number(first[3]), waiting_number(beyond)) == (1, 2)
    withdraw(registration=second[0], by=None)
    assert Registration.objects.get(pk=first[3].pk).status == WAITS
    assert Registration.objects.get(pk=beyond.pk).status == REGISTERED
    withdraw(registration=first[0], by=None)
    assert Registration.objects.get(pk=first[3].pk).status == REGISTERED


def test_more_places_let_the_first_of_the_part_in() -> None:
    event, one, _other = with_parts()
    waits = [registered(event, f"Anna {n}", one) for n in range(4)][3]
    days = list(event.timetable.all())
    days[0].places = 4
    set_timetable(event=event, days=days, by=None)
    waits.refresh_from_db()
    assert (waits.status, waits.part) == (REGISTERED, one)


def test_a_part_is_chosen_while_it_has_places(client: Client) -> None:
    event, one, other = with_parts()
    rows = [registered(event, f"Anna {n}", one) for n in range(3)]
    moved = registered(event, "Bo Ek", other)
    with refused("part_full"):
        choose_part(registration=moved, part=one, by=None)
    with refused("no_part"):
        choose_part(registration=moved, part=with_parts()[1], by=None)
    answer = client.post(page(rows[0], "player_page_part"), {"part": other.pk})
    assert answer.status_code == 303
    rows[0].refresh_from_db()
    assert rows[0].part == other
    choose_part(registration=moved, part=one, by=None)
    answer = client.post(page(rows[0], "player_page_part"), {"part": one.pk}, follow=True)
    assert codes_in(answer) == {"part_full"}


def test_sign_up_and_list_choose_a_part(client: Client) -> None:
    event, one, other = with_parts(sign_up_opens_at=timezone.now())
    assert "1A:" in text_of(client.get(url(event, "sign_up")))
    form = {"legal_name": "Eva Ny", "visibility": "public", "part": other.pk}
    client.post(url(event, "sign_up"), form)
    assert event.registrations.get().part == other
    sign_up(event=event, legal_name="Fia Ny", part=one)
    plans = plan_rows(event, rows_from_text("name;del\nGun Ek;1b\nHans Ek;9\nIda Ek;\n"))
    assert [(plan.waits, len(plan.row.hints)) for plan in plans] == [
        (False, 0), (False, 1), (False, 0),
    ]  # fmt: skip
    made = import_rows(event=event, plans=plans, by=None)
    assert [row.part for row in made] == [other, None, None]


def test_a_new_day_begins_with_nobody_here(director: Client) -> None:
    event, _one, other = with_parts()
    second = Day.objects.create(event=event, name="2", starts_at=DOORS + timedelta(days=1))
    players = make_players(event, 5)
    begin_part(event=event, part=other, by=None)
    # On the same day who waits for a heat stays.
    assert event.registrations.filter(status=RegistrationStatus.CHECKED_IN).count() == 5
    assert begin_part(event=event, part=second, by=None) == 5
    assert (door_of(event, key=str(second.pk)).here, len(queue_of(event).waiting)) == (0, 0)
    with refused("part_begun"):
        begin_part(event=event, part=second, by=None)
    players[2].refresh_from_db()
    check_in(registration=players[2], by=None)
    # The turn is kept, and nothing is to be paid a second time.
    assert [entry.number for entry in queue_of(event).waiting] == [1]


def test_door_queue_and_draw_by_part(event: Event, director: Client) -> None:
    for index, name in enumerate(("1A", "1B")):
        starts = DOORS + timedelta(hours=index)
        Day.objects.create(event=event, name=name, starts_at=starts, places=20)
    one, other = event.timetable.all()
    players = make_players(event, 7)
    for player in players[:3]:
        choose_part(registration=player, part=one, by=None)
    for player in players[3:]:
        choose_part(registration=player, part=other, by=None)
    assert len(queue_of(event, staff=True, key=str(one.pk)).waiting) == 3
    assert door_of(event, key=str(other.pk)).here == 4
    text = text_of(director.get(url(event, "desk"), {"part": other.pk}))
    assert f'name="part" value="{other.pk}"' in text
    draw = draft_heats(event=event, by=None, part=other.pk)
    assert sorted(draw.candidates) == ["4", "5", "6", "7"]
    answer = director.post(url(event, "part_begin"), {"part": other.pk}, follow=True)
    assert not codes_in(answer)
    assert Day.objects.get(pk=other.pk).begun_at is not None


def test_part_and_free_starts_are_kept_in_a_merge() -> None:
    event, one, _other = with_parts()
    kept, merged = registered(event, "Anna Ek", None), registered(event, "Anna Ekk", one)
    set_free_starts(registration=merged, starts=1, why=FreeReason.GUEST, by=None)
    merge = merge_persons(kept=kept.person, merged=merged.person, event=event, by=None)
    kept.refresh_from_db()
    assert (kept.part, kept.free_starts, kept.free_reason) == (one, 1, "guest")
    undo_merge(merge=merge, event=event, by=None)
    kept.refresh_from_db()
    assert (kept.part, kept.free_starts, kept.free_reason) == (None, 0, "")
