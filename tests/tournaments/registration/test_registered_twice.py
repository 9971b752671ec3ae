"""A person registered twice at an event: merged with everything, and separated again."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.models import FlipFlop, SheetEntry
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import (
    finished_heat,
    make_event,
    make_heats,
    make_players,
    play_heat,
)
from tests.tournaments.refusals import refused
from tournaments.cash.commands import book
from tournaments.cash.queries.ledger import owed_by
from tournaments.draws.commands.drafts import draw_heats
from tournaments.draws.commands.seating_constraints import keep_apart
from tournaments.heats.checks import check_heat
from tournaments.heats.commands import close_heat
from tournaments.models import (
    Event,
    GameResult,
    HeatEntry,
    HeatResult,
    KeepApart,
    PersonMerge,
    Qualification,
    Registration,
)
from tournaments.models.enums import BookingKind, RegistrationStatus, Role
from tournaments.registration.commands.check_in import check_in, enter_heat
from tournaments.registration.commands.merges import merge_persons, undo_merge
from tournaments.registration.commands.people import register_person, reinstate
from tournaments.registration.commands.player_links import registration_by_token, token_of
from tournaments.results.queries.players import players_of


def merge(kept: Registration, merged: Registration) -> PersonMerge:
    found = merge_persons(kept=kept.person, merged=merged.person, event=kept.event, by=None)
    kept.refresh_from_db()
    merged.refresh_from_db()
    return found


def rows() -> list[dict[str, Any]]:
    """Return what merging could change, without the keys of rows that are made anew."""
    found: list[dict[str, Any]] = []
    for model in (Registration, HeatEntry, GameResult, HeatResult, Qualification, KeepApart):
        for row in model.objects.order_by("pk").values():
            if model in (GameResult, HeatResult, KeepApart):
                del row["id"]
            found.append(row)
    return found


def again(event: Event, name: str = "Anna Akerlund", **fields: Any) -> Registration:
    return register_person(event=event, by=None, legal_name=name, **fields)


def test_a_registration_without_heats_passes_on_contacts_status_and_payment(event: Event) -> None:
    event.buy_in = 20000
    event.save()
    [kept] = make_players(event, 1, here=False)
    merged = check_in(registration=again(event, email="a@example.org"), by=None)
    book(event=event, kind=BookingKind.BUY_IN, amount=20000, registration=merged, by=None)
    before = rows()
    done = merge(kept, merged)
    assert (kept.status, kept.email) == (RegistrationStatus.CHECKED_IN, "a@example.org")
    assert merged.status == RegistrationStatus.WITHDRAWN
    assert kept.entries.waiting().count() == 1
    assert owed_by(event)[kept.pk] == 0
    assert list(players_of(event)) == [kept]
    for each in (kept, merged):
        assert registration_by_token(token_of(each)) == kept
    gone = reverse("tournaments:player_edit", args=[event.slug, merged.number])
    assert client_of(event, Role.OWNER).get(gone).status_code == 404
    with refused("merged"):
        reinstate(registration=merged, by=None)
    undo_merge(merge=done, event=event, by=None)
    assert rows() == before
    assert owed_by(event)[merged.pk] == 0


def test_the_number_used_at_tables_is_kept(event: Event) -> None:
    kept = again(event, "Anna Ny")
    heat = finished_heat(event)
    merged = heat.entries.order_by("pk")[0].registration
    number, before, sheets = merged.number, rows(), SheetEntry.objects.count()
    done = merge(kept, merged)
    assert kept.number == number
    assert SheetEntry.objects.count() == sheets
    assert Qualification.objects.get().registration == kept
    assert check_heat(heat=heat, repair=False) == []
    undo_merge(merge=done, event=event, by=None)
    assert rows() == before


def test_two_that_played_at_different_tables(event: Event) -> None:
    heats = make_heats(event, 8).heats
    one, other = (heat.entries.order_by("pk")[0].registration for heat in heats)
    for heat in heats:
        play_heat(heat)
        close_heat(heat=heat, by=None)
        assert heat.table is not None
        heat.table.refresh_from_db()
    signed = [heat.table.signed_at for heat in heats if heat.table]
    numbers = (one.number, other.number)
    before = [row for row in rows() if "registration_id" in row]
    done = merge(one, other)
    assert (one.number, other.number) == numbers
    assert one.entries.paid().count() == 2
    assert sorted(one.entries.values_list("number", flat=True)) == [1, 2]
    # The player is qualified just once.
    assert one.qualifications.valid().count() == 1
    for heat in heats:
        heat.refresh_from_db()
        assert heat.table is not None
        assert one.player_id in heat.table.players
        assert {row.entry.registration for row in heat.results.filter(advances=True)} == {one}
    assert [heat.table.signed_at for heat in heats if heat.table] == signed
    undo_merge(merge=done, event=event, by=None)
    assert [row for row in rows() if "registration_id" in row] == before
    for heat in heats:
        assert check_heat(heat=heat, repair=False) == []


@pytest.mark.parametrize("named", [False, True])
def test_a_flip_flop_at_both_tables_matters_only_to_whom_it_names(
    event: Event, named: bool
) -> None:
    heats = make_heats(event, 8).heats
    pairs = [[e.registration for e in heat.entries.order_by("pk")[:3]] for heat in heats]
    (one, *_rest), (other, *_others) = pairs
    for heat, (player, second, third) in zip(heats, pairs, strict=True):
        play_heat(heat)
        close_heat(heat=heat, by=None)
        order = [(player if named else third).player_id, second.player_id]
        assert heat.table is not None
        FlipFlop(table=heat.table, order=order, author="x", created_at=timezone.now()).save()
    if named:
        with refused("played_off"):
            merge(one, other)
        return
    before = [row for row in rows() if "registration_id" in row]
    done = merge(one, other)
    assert one.entries.paid().count() == 2
    undo_merge(merge=done, event=event, by=None)
    assert [row for row in rows() if "registration_id" in row] == before
    for heat in heats:
        heat.refresh_from_db()
        assert check_heat(heat=heat, repair=False) == []


def test_a_playing_player_keeps_playing_and_leaves_the_queue(event: Event) -> None:
    heat = make_heats(event, 3).heats[0]
    merged = heat.entries.order_by("pk")[0].registration
    kept = check_in(registration=again(event), by=None)
    done = merge(kept, merged)
    assert kept.entries.open().get().heat == heat
    play_heat(heat)
    close_heat(heat=heat, by=None)
    undo_merge(merge=done, event=event, by=None)
    assert heat.entries.filter(registration=merged).count() == 1
    assert Qualification.objects.get().registration == merged
    assert check_heat(heat=heat, repair=False) == []


@pytest.mark.parametrize("entered_since", [False, True])
def test_undoing_gives_the_kept_player_the_place_in_the_queue_back(
    event: Event, entered_since: bool
) -> None:
    heat = make_heats(event, 3).heats[0]
    merged = heat.entries.order_by("pk")[1].registration
    kept = check_in(registration=again(event), by=None)
    [was] = kept.entries.waiting()
    done = merge(kept, merged)
    if entered_since:
        play_heat(heat)
        close_heat(heat=heat, by=None)
        enter_heat(registration=kept, by=None)
    undo_merge(merge=done, event=event, by=None)
    [now] = kept.entries.waiting()
    assert (now.stage, now.entered_at) == (was.stage, was.entered_at)
    assert now.number == (2 if entered_since else was.number)
    assert merged.entries.paid().get().heat == heat


def test_a_merge_of_an_earlier_version_can_be_undone(event: Event) -> None:
    one, other = make_players(event, 2)
    done = merge(other, one)
    del done.carried[0]["kept_waited"]
    done.carried[0]["ahead"] = []
    done.save()
    undo_merge(merge=done, event=event, by=None)
    assert [row.entries.waiting().count() for row in (one, other)] == [1, 1]


def test_two_players_at_one_table_cannot_be_merged(event: Event) -> None:
    heat = make_heats(event, 4).heats[0]
    one, other = (entry.registration for entry in heat.entries.order_by("pk")[:2])
    before = rows()
    with refused("same_table"):
        merge(one, other)
    assert rows() == before


def test_two_who_are_both_playing_cannot_be_merged(event: Event) -> None:
    heats = make_heats(event, 8).heats
    one, other = (heat.entries.order_by("pk")[0].registration for heat in heats)
    with refused("both_play"):
        merge(one, other)


def test_pairs_kept_apart_stay_apart(event: Event) -> None:
    one, other, third = make_players(event, 3)
    keep_apart(event=event, one=other, other=third, by=None)
    keep_apart(event=event, one=one, other=other, by=None)
    before = rows()
    done = merge(one, other)
    assert [(pair.one, pair.other) for pair in KeepApart.objects.all()] == [(one, third)]
    # The longer wait counts.
    assert one.entries.waiting().count() == 1
    undo_merge(merge=done, event=event, by=None)
    assert [(row["one_id"], row["other_id"]) for row in rows() if "one_id" in row] == [
        (row["one_id"], row["other_id"]) for row in before if "one_id" in row
    ]
    assert other.entries.waiting().count() == 1


def test_both_wait_since_when_they_did_once_a_merge_is_undone(event: Event) -> None:
    one, other = make_players(event, 2)
    waited = [row.entries.waiting().get().entered_at for row in (one, other)]
    done = merge(other, one)
    assert other.entries.waiting().get().entered_at == waited[0]
    undo_merge(merge=done, event=event, by=None)
    assert [row.entries.waiting().get().entered_at for row in (one, other)] == waited


def test_a_merged_player_is_drawn_once(event: Event) -> None:
    players = make_players(event, 5)
    merge(players[0], players[1])
    drawn = draw_heats(event=event, by=None)
    assert [heat.entries.count() for heat in drawn.heats] == [4]
    with refused("in_open_heat"):
        enter_heat(registration=players[0], by=None)


@pytest.mark.parametrize("undo", [False, True])
def test_a_freed_place_is_given_away(undo: bool, db: None) -> None:
    event = make_event(capacity=3)
    one, other, _third, waits = make_players(event, 4, here=False)
    done = merge(one, other)
    waits.refresh_from_db()
    assert waits.status == RegistrationStatus.REGISTERED
    if undo:
        undo_merge(merge=done, event=event, by=None)
        other.refresh_from_db()
        assert other.status == RegistrationStatus.REGISTERED
