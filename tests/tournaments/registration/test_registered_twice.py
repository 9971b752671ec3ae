"""A person registered twice at an event: merged with everything, and separated again."""

from __future__ import annotations

import html
import re
import uuid
from contextlib import nullcontext
from fractions import Fraction
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from scoring.models import FlipFlop, HeatPenalty, SheetEntry
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import (
    finished_heat,
    make_event,
    make_heats,
    make_players,
    play_heat,
)
from tests.tournaments.playoffs.factories import (
    close,
    played_round,
    played_to_the_end,
    prepared,
    qualified_event,
)
from tests.tournaments.refusals import refused
from tests.tournaments.registration.test_views_desk import text_of
from tournaments.cash.commands import book
from tournaments.cash.queries.ledger import owed_by
from tournaments.documents.reading import import_event
from tournaments.documents.writing import event_document
from tournaments.draws.commands.drafts import draft_round, draw_heats
from tournaments.draws.commands.seating_constraints import keep_apart
from tournaments.draws.queries.plan import present
from tournaments.events.commands.events import set_event_status
from tournaments.floor.commands.floor import SeatedPlayer, swap_seated_players
from tournaments.floor.commands.penalties import give_penalty, take_back_penalty
from tournaments.floor.commands.players import change_players
from tournaments.heats.checks import check_heat
from tournaments.heats.commands import close_heat, void_heat
from tournaments.heats.queries.cards import Need, open_heats
from tournaments.heats.queries.closing import flip_flops_of
from tournaments.models import (
    Event,
    GameResult,
    Heat,
    HeatEntry,
    HeatResult,
    KeepApart,
    PersonMerge,
    Qualification,
    Registration,
    Stage,
)
from tournaments.models.enums import (
    BookingKind,
    EventStatus,
    PenaltyLevel,
    RegistrationStatus,
    Role,
)
from tournaments.playoffs.commands import mark_absent
from tournaments.registration.commands.check_in import check_in, enter_heat
from tournaments.registration.commands.merges import merge_persons, undo_merge
from tournaments.registration.commands.people import register_person, reinstate
from tournaments.registration.queries.player_links import registration_by_token, token_of
from tournaments.registration.queries.second_qualification import merge_rows
from tournaments.results.queries.players import players_of
from tournaments.results.queries.ranking import final_ranking


def merge(kept: Registration, merged: Registration, *instead: str) -> PersonMerge:
    persons = {"kept": kept.person, "merged": merged.person}
    found = merge_persons(**persons, event=kept.event, by=None, instead=instead)
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
    assert one.entries.counted().count() == 2
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


def closed_pair(event: Event) -> tuple[list[Heat], Registration, Registration]:
    """Return two closed heats, and a player of each."""
    heats = make_heats(event, 8).heats
    for heat in heats:
        play_heat(heat)
        close_heat(heat=heat, by=None)
    one, other = (heat.entries.order_by("pk")[0].registration for heat in heats)
    return heats, one, other


@pytest.mark.parametrize(("finished", "code"), [(False, "through_elsewhere"), (True, "")])
def test_no_place_at_another_event_is_given_to_nobody_silently(
    event: Event, finished: bool, code: str
) -> None:
    other = make_event(slug="other")
    closed_pair(other)
    persons = [row.registration.person for row in other.qualifications.order_by("order")]
    if finished:
        set_event_status(event=other, to=EventStatus.FINISHED, by=None)
    for person in persons:
        register_person(event=event, by=None, person=person)
    with refused(code) if code else nullcontext():
        merge_persons(kept=persons[0], merged=persons[1], event=event, by=None)
    assert other.qualifications.valid().count() == (2 if code else 1)


def test_two_through_twice_at_two_events_are_merged_once_one_has_its_play_offs(
    event: Event,
) -> None:
    other = make_event(slug="other", games_per_heat=1)
    for _pair in range(2):
        closed_pair(other)
    kept, merged = (row.registration.person for row in other.qualifications.order_by("order")[:2])
    for person in (kept, merged):
        player = check_in(
            registration=register_person(event=event, by=None, person=person), by=None
        )
        heat = make_heats(event, 3).heats[0]
        play_heat(heat, winner=player)
        close_heat(heat=heat, by=None)
    for here in (event, other):
        with refused("through_elsewhere"):
            merge_persons(kept=kept, merged=merged, event=here, by=None, instead=())
    prepared(other)
    merge_persons(kept=kept, merged=merged, event=event, by=None, instead=())
    assert event.qualifications.valid().count() == 1
    assert other.qualifications.valid().count() == 3


@pytest.mark.parametrize("keeps_first", [True, False])
def test_the_next_goes_on_if_both_were_through(event: Event, keeps_first: bool) -> None:
    heats, one, other = closed_pair(event)
    first, second = event.qualifications.order_by("order")
    kept, merged = (one, other) if keeps_first else (other, one)
    following = second.heat.results.order_by("order")[1].entry.registration
    enter_heat(registration=following, by=None)
    with refused("through_already"):
        merge_persons(kept=kept.person, merged=merged.person, event=event, by=None)
    with refused("bad_choice"):
        merge(kept, merged, first.heat.results.order_by("order")[1].entry.registration.player_id)

    director = client_of(event, Role.DIRECTOR)
    page = reverse("tournaments:player_merge", args=[event.slug, kept.number])
    shown = director.get(page, {"q": merged.person.legal_name})
    assert re.findall(r'<option value="(\d*)">', text_of(shown)) == [
        *(str(row.entry.registration.number) for row in second.heat.results.order_by("order")[1:]),
        "",
    ]
    sent = {"person": str(merged.person.public_id), "keep": "this"}
    director.post(page, sent | {"instead": following.player_id})
    through = event.qualifications.valid().order_by("order")
    assert [row.registration for row in through] == [kept, following]
    assert [row.heat for row in through] == [first.heat, second.heat]
    assert not following.entries.waiting().exists()
    for heat in heats:
        assert check_heat(heat=heat, repair=False) == []

    [row] = merge_rows(event, PersonMerge.objects.all())
    assert (row.kept_number, row.merged_number) == (kept.number, merged.number)
    assert str(following.person) in row.cost
    asked = text_of(director.get(reverse("tournaments:merges", args=[event.slug])))
    assert row.cost in html.unescape(asked)

    undo_merge(merge=PersonMerge.objects.get(), event=event, by=None)
    assert set(event.qualifications.valid()) == {first, second}
    assert {row.registration for row in event.qualifications.valid()} == {one, other}
    for heat in heats:
        assert heat.results.filter(advances=True).count() == 1
        assert check_heat(heat=heat, repair=False) == []


def test_a_flip_flop_that_names_the_other_number_is_recorded_again(event: Event) -> None:
    heats, one, other = closed_pair(event)
    for heat, player in zip(heats, (one, other), strict=True):
        second = heat.entries.order_by("pk")[1].registration
        assert heat.table is not None
        order = [player.player_id, second.player_id]
        FlipFlop(table=heat.table, order=order, author="x", created_at=timezone.now()).save()
    before = [row for row in rows() if "registration_id" in row]
    shown = [flip_flops_of(heat, {}) for heat in heats]
    done = merge(one, other)
    assert one.entries.counted().count() == 2
    heat = Heat.objects.get(pk=heats[1].pk)
    [tossed] = flip_flops_of(heat, {})
    assert tossed.names[0] == one.player_id
    assert tossed.at == shown[1][0].at
    undo_merge(merge=done, event=event, by=None)
    assert [row for row in rows() if "registration_id" in row] == before
    for heat in heats:
        heat.refresh_from_db()
        assert check_heat(heat=heat, repair=False) == []
        assert {each.names for each in flip_flops_of(heat, {})} == {
            each.names for each in shown[heats.index(heat)]
        }


def test_game_points_stay_off_under_the_right_number(event: Event) -> None:
    heats = make_heats(event, 8).heats
    one, other = (heat.entries.order_by("pk")[0].registration for heat in heats)
    for heat, player in zip(heats, (one, other), strict=True):
        play_heat(heat)
        given = give_penalty(
            heat=heat,
            registration=player,
            level=PenaltyLevel.GAME_POINTS,
            offence="slow",
            points=Fraction(5, 2),
            by=None,
            client_id=uuid.uuid4(),
            seen_version=0,
        )
        close_heat(heat=heat, by=None)

    def points() -> list[Fraction]:
        return [HeatResult.objects.get(heat=heat, order=1).game_points for heat in heats]

    off = points()
    done = merge(one, other)
    assert points() == off
    given.refresh_from_db()
    assert given.registration == one
    [taken] = HeatPenalty.objects.in_force().filter(table=heats[1].table_id)
    assert (taken.client_id, taken.player) == (given.client_id, one.player_id)
    assert check_heat(heat=Heat.objects.get(pk=heats[1].pk), repair=False) == []
    undo_merge(merge=done, event=event, by=None)
    assert points() == off
    given.refresh_from_db()
    assert given.registration == other
    heat = Heat.objects.get(pk=heats[1].pk)
    take_back_penalty(penalty=given, by=None, reason="wrong", closed=True)
    assert not HeatPenalty.objects.in_force().filter(table=heat.table_id).exists()


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
    assert merged.entries.counted().get().heat == heat


def test_two_players_at_one_table_cannot_be_merged(event: Event) -> None:
    heat = make_heats(event, 4).heats[0]
    one, other = (entry.registration for entry in heat.entries.order_by("pk")[:2])
    before = rows()
    with refused("same_table"):
        merge(one, other)
    assert rows() == before


def both_playing(event: Event) -> tuple[list[Heat], Registration, Registration]:
    heats = make_heats(event, 8).heats
    one, other = (heat.entries.order_by("pk")[0].registration for heat in heats)
    return heats, one, other


def test_two_who_are_both_playing_hold_two_seats_until_the_floor_frees_one(event: Event) -> None:
    heats, one, other = both_playing(event)
    before = rows()
    done = merge(one, other)
    assert {entry.heat for entry in one.entries.seated()} == set(heats)
    for heat in heats:
        heat.refresh_from_db()
        assert heat.table is not None
        assert one.player_id in heat.table.players
    with refused("in_open_heat"):
        enter_heat(registration=one, by=None)
    cards = open_heats(event, by_need=True)
    assert {(card.need[0], card.elsewhere) for card in cards} == {
        (Need.TWO_SEATS, one.person.legal_name)
    }
    desk = client_of(event, Role.OWNER).get(reverse("tournaments:floor", args=[event.slug]))
    assert desk.content.decode().count(cards[0].two_seats) == 3
    undo_merge(merge=done, event=event, by=None)
    assert rows() == before
    merge(one, other)
    change_players(heat=heats[1], out=one, by=None)
    one.refresh_from_db()
    assert one.status == RegistrationStatus.CHECKED_IN
    assert one.entries.open().get().heat == heats[0]
    assert heats[1].entries.count() == 3
    assert not any(card.elsewhere for card in open_heats(event, by_need=True))


def test_two_seats_are_each_played_out(event: Event) -> None:
    heats, one, other = both_playing(event)
    done = merge(one, other)
    for heat in heats:
        heat.refresh_from_db()
        play_heat(heat)
        close_heat(heat=heat, by=None, instead=[], reason="through")
        assert check_heat(heat=heat, repair=False) == []
    assert one.qualifications.valid().count() == 1
    undo_merge(merge=done, event=event, by=None)
    assert [entry.heat for entry in other.entries.counted()] == [heats[1]]
    for heat in heats:
        heat.refresh_from_db()
        assert check_heat(heat=heat, repair=False) == []


def test_who_has_two_seats_is_queued_once(event: Event) -> None:
    heats, one, other = both_playing(event)
    merge(one, other)
    void_heat(heat=heats[0], by=None, reason="fire")
    assert [entry.heat for entry in one.entries.open()] == [heats[1]]
    void_heat(heat=heats[1], by=None, reason="fire")
    assert [entry.heat for entry in one.entries.open()] == [None]


def test_who_has_two_seats_is_not_swapped_into_one_table(event: Event) -> None:
    heats, one, other = both_playing(event)
    merge(one, other)
    neighbour = heats[1].entries.exclude(registration=one).earliest("pk").registration
    with refused("same_table"):
        swap_seated_players(
            one=SeatedPlayer(heats[0], one),
            other=SeatedPlayer(heats[1], neighbour),
            by=None,
            reason="wrong seats",
        )


def test_open_heats_with_a_merged_player_survive_export_and_import(event: Event) -> None:
    _heats, one, other = both_playing(event)
    merge(one, other)
    again = import_event({**event_document(event), "slug": "again"})
    assert again.registrations.get(number=one.number).entries.seated().count() == 2


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


def winners(event: Event) -> tuple[Registration, Registration]:
    """Return two who have qualified from different heats."""
    one, other, *_rest = event.qualifications.order_by("order")
    return one.registration, other.registration


def places(stage: Stage) -> list[tuple[int, bool]]:
    found = stage.players.order_by("order")
    return list(found.values_list("registration__number", "absent"))


def test_two_in_a_planned_round_are_one_and_a_no_show(db: None) -> None:
    event = qualified_event(4)
    stage = prepared(event)
    draft_round(stage=stage, by=None)
    one, other = winners(event)
    before = places(stage)
    done = merge(one, other)
    there = present(stage)
    assert one in there
    assert other not in there
    # Somebody else plays in the second place, by the event's rule.
    assert len(there) == 4
    assert not stage.draws.drafts().exists()
    undo_merge(merge=done, event=event, by=None)
    assert places(stage) == before


def test_who_came_to_a_round_under_the_other_number_is_there(db: None) -> None:
    event = qualified_event(4)
    stage = prepared(event)
    one, other = winners(event)
    mark_absent(player=stage.players.get(registration=one), by=None)
    instead = stage.players.get(replaces__registration=one)
    before = places(stage)
    done = merge(one, other)
    assert {one, instead.registration} < set(present(stage))
    assert other not in present(stage)
    undo_merge(merge=done, event=event, by=None)
    assert places(stage) == before


def test_two_at_two_tables_of_a_round_can_be_merged(db: None) -> None:
    event = qualified_event(8)
    stage = played_round(event, finish=False)
    heats = list(stage.heats.all())
    one, other = (heat.entries.order_by("pk")[0].registration for heat in heats)
    done = merge(one, other)
    assert {entry.heat for entry in one.entries.seated()} == set(heats)
    for name in ("playoffs", "rounds", "result", "standings"):
        where = reverse(f"tournaments:{name}", args=[event.slug])
        assert client_of(event, Role.OWNER).get(where).status_code == 200
    undo_merge(merge=done, event=event, by=None)
    assert [heat.entries.order_by("pk")[0].registration for heat in heats] == [one, other]
    merge(one, other)
    for heat in heats:
        heat.refresh_from_db()
        close(heat)
    played_to_the_end(event)
    ranks = [each.player_id for each in final_ranking(event)]
    assert len(ranks) == len(set(ranks)) == 31


def test_nobody_left_to_fill_up_does_not_prevent_a_merge(db: None) -> None:
    event = qualified_event(3)
    stage = prepared(event)
    one, other = winners(event)
    event.registrations.exclude(qualifications__isnull=False).update(
        status=RegistrationStatus.WITHDRAWN
    )
    merge(one, other)
    assert len(present(stage)) == 2
