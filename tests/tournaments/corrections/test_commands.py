"""Corrections of closed heats: previewed, decided, applied completely or not at all."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from scoring.enums import RowKind
from scoring.models import Sheet, SheetEntry
from tests.tournaments.factories import (
    make_event,
    make_heats,
    make_players,
    play_game,
    straight_flush,
    write,
)
from tests.tournaments.played_once import played_once
from tests.tournaments.refusals import refused
from tournaments.cash.commands import book, void_booking
from tournaments.core.errors import Refused
from tournaments.core.names import staff_name
from tournaments.corrections.commands.correct import correct, preview_correction
from tournaments.corrections.commands.wanted import Correction
from tournaments.corrections.queries.consequences import (
    REDRAW,
    TABLE,
    Consequences,
    other_wins_text,
)
from tournaments.documents import event_document, import_event
from tournaments.draws.commands.drafts import draft_heats, draft_round, publish
from tournaments.draws.queries.drafts import is_stale
from tournaments.draws.queries.plan import present
from tournaments.heats.checks import check_heat
from tournaments.heats.commands import close_heat
from tournaments.models import (
    Event,
    Heat,
    HeatEntry,
    HeatResult,
    LogEntry,
    PersonMerge,
    Qualification,
    Registration,
)
from tournaments.models.enums import BookingKind, DrawStatus, HeatStatus, LogAction, StageStatus
from tournaments.playoffs.commands import prepare_round
from tournaments.registration.commands.check_in import enter_heat
from tournaments.registration.commands.merges import merge_persons, undo_merge
from tournaments.registration.queries.second_qualification import merge_rows
from tournaments.results.queries.ranking import final_ranking
from tournaments.results.queries.stood import STAND, stood_of

pytestmark = pytest.mark.django_db


def play(heat: Heat, before: list[dict[str, Any]] | None = None) -> Sheet:
    """Let seat 0 win the heat's only game, with different scores for the others, and close."""
    sheet = Sheet.objects.get(table=heat.table)
    hands = [
        {"kind": "hand", "phase": 1, "seat": 1, "category": "full_house"},
        {"kind": "hand", "phase": 2, "seat": 2, "category": "flush"},
    ]
    write(sheet, *(before if before is not None else hands))
    sheet.refresh_from_db()
    write(sheet, straight_flush(0, sheet.state["phase"]))
    close_heat(heat=heat, by=None)
    sheet.refresh_from_db()
    return sheet


def player(event: Event, sheet: Sheet, seat: int) -> Registration:
    return event.registrations.get(number=int(sheet.seats[seat]))


def other_winner(
    sheet: Sheet,
    seat: int = 1,
    reason: str = "the flush was at the other seat",
    **decisions: Any,
) -> Correction:
    """Return a correction: the straight flush was another player's."""
    last = SheetEntry.objects.filter(sheet=sheet, entry__kind="hand").order_by("sequence").last()
    assert last is not None
    assert last.entry is not None
    return Correction(
        sheet=sheet,
        kind=RowKind.AMEND,
        sequence=last.sequence,
        entry=straight_flush(seat, last.entry["phase"]),
        reason=reason,
        seen_version=sheet.version,
        **decisions,
    )


def standing() -> Any:
    """Return everything that a refused correction must leave alone."""
    return (
        list(SheetEntry.objects.values_list("sheet", "hash").order_by("pk")),
        list(Qualification.objects.values_list("registration", "revoked_at").order_by("pk")),
        list(Heat.objects.values_list("pk", "status").order_by("pk")),
        list(HeatEntry.objects.values_list("pk", "status").order_by("pk")),
        LogEntry.objects.count(),
    )


@played_once
def played_event(heats: int) -> Event:
    """Return an event with heats of one game, so that one entry decides who goes on."""
    event = make_event(slug="fest", name="Festival", games_per_heat=1, playoff_games=1)
    for heat in make_heats(event, 4 * heats).heats if heats else ():
        play(heat)
    return event


def test_a_preview_shows_the_changes_and_makes_none(event: Event, sheet: Sheet) -> None:
    before = standing()
    found: Consequences = preview_correction(correction=other_winner(sheet), by=None)
    assert standing() == before
    assert (found.lost, found.won) == ((sheet.seats[0],), (sheet.seats[1],))
    assert found.ranking_before[0].entry_id != found.ranking_after[0].entry_id
    assert found.needs == ()
    assert found.seats[0].before == (52, 1, 20, "in")
    assert found.seats[1].after == (52, 1, 20, "in")
    assert found.ranking_after[0].entry.registration.player_id == sheet.seats[1]


def test_a_correction_does_what_the_preview_showed(event: Event, sheet: Sheet) -> None:
    preview = preview_correction(correction=other_winner(sheet), by=None)
    done = correct(correction=other_winner(sheet), by=None)
    assert (done.lost, done.won) == (preview.lost, preview.won)
    valid = Qualification.objects.get(revoked_at__isnull=True)
    assert valid.registration == player(event, sheet, 1)
    assert Qualification.objects.count() == 2
    heat = Heat.objects.get()
    assert heat.status == HeatStatus.FINISHED
    assert heat.results.get(place=1).advances
    assert heat.table is not None
    assert heat.table.signed_at is not None
    row = LogEntry.objects.get(action=LogAction.CORRECTED)
    assert row.reason == "the flush was at the other seat"


def test_correction_needs_a_reason(event: Event, sheet: Sheet) -> None:
    before = standing()
    wanted = other_winner(sheet)
    with pytest.raises(Refused) as refused:
        correct(
            correction=Correction(
                sheet=sheet,
                kind=wanted.kind,
                sequence=wanted.sequence,
                entry=wanted.entry,
                reason="  ",
                seen_version=sheet.version,
            ),
            by=None,
        )
    assert refused.value.code == "missing_reason"
    assert standing() == before


def test_an_impossible_entry_is_refused_with_the_engines_sentence(
    event: Event, sheet: Sheet
) -> None:
    with pytest.raises(Refused) as refused:
        preview_correction(
            correction=Correction(
                sheet=sheet,
                kind=RowKind.AMEND,
                sequence=1,
                entry={"kind": "chicago", "seat": 1, "won": True},
                reason="x",
                seen_version=sheet.version,
            ),
            by=None,
        )
    assert str(refused.value)


def test_prizes_paid_to_players_whose_place_changes_are_listed(event: Event, sheet: Sheet) -> None:
    for seat in range(4):
        paid = player(event, sheet, seat)
        book(event=event, kind=BookingKind.PAYOUT, amount=1000, registration=paid, by=None)
    # Second and third place are swapped: nobody's qualification changes, but a prize does.
    third = Correction(
        sheet=sheet,
        kind=RowKind.AMEND,
        sequence=1,
        entry={"kind": "hand", "phase": 1, "seat": 1, "category": "pair"},
        reason="a pair",
        seen_version=sheet.version,
    )
    found = preview_correction(correction=third, by=None)
    assert (found.lost, found.won) == ((), ())
    assert found.payouts == ((sheet.seats[1], 1000, "SEK"), (sheet.seats[2], 1000, "SEK"))
    found = preview_correction(correction=other_winner(sheet), by=None)
    assert {player_id for player_id, _amount, _currency in found.payouts} >= set(sheet.seats[:2])


def test_a_voided_payout_is_not_listed(event: Event, sheet: Sheet) -> None:
    for seat in range(2):
        paid = player(event, sheet, seat)
        booking = book(
            event=event, kind=BookingKind.PAYOUT, amount=1000, registration=paid, by=None
        )
    void_booking(booking=booking, by=None, reason="paid to the wrong player")
    found = preview_correction(correction=other_winner(sheet), by=None)
    assert [player_id for player_id, _amount, _currency in found.payouts] == [sheet.seats[0]]


def test_a_player_who_now_qualifies_leaves_the_queue(event: Event, sheet: Sheet) -> None:
    winner = player(event, sheet, 1)
    enter_heat(registration=winner, by=None)
    done = correct(correction=other_winner(sheet), by=None)
    assert done.left_queue == (winner.player_id,)
    assert not winner.entries.filter(status="waiting").exists()


def test_a_draft_with_a_player_who_now_qualifies_is_named(event: Event, sheet: Sheet) -> None:
    winner = player(event, sheet, 1)
    enter_heat(registration=winner, by=None)
    make_players(event, 3)
    draw = draft_heats(event=event, by=None)
    assert preview_correction(correction=other_winner(sheet), by=None).stale == (draw.number,)
    assert preview_correction(correction=other_winner(sheet, 2), by=None).stale == ()
    correct(correction=other_winner(sheet), by=None)
    draw.refresh_from_db()
    assert is_stale(draw)
    with pytest.raises(Refused) as refused:
        publish(draw=draw, by=None)
    assert refused.value.code == "draft_stale"


def test_a_player_who_now_qualifies_may_be_playing_and_qualifies_once(
    event: Event, sheet: Sheet
) -> None:
    winner = player(event, sheet, 1)
    enter_heat(registration=winner, by=None)
    second = make_heats(event, 3).heats[0]
    done = correct(correction=other_winner(sheet), by=None)
    assert done.playing_now == ((winner.player_id, second.number),)
    other = Sheet.objects.get(table=second.table)
    play_game(other, other.seats.index(winner.player_id))
    with refused("through_already"):
        close_heat(heat=second, by=None)
    next_best = player(
        event, other, next(s for s in range(3) if other.seats[s] != winner.player_id)
    )
    with refused("missing_reason"):
        close_heat(heat=second, by=None, instead=[next_best.player_id])
    with refused("bad_choice"):
        close_heat(heat=second, by=None, instead=[winner.player_id], reason="twice")
    (made,) = close_heat(heat=second, by=None, instead=[next_best.player_id], reason="the next")
    assert (made.registration, made.heat) == (next_best, second)
    assert Qualification.objects.filter(revoked_at__isnull=True).count() == 2
    again = import_event({**event_document(event), "slug": "again"})
    assert again.qualifications.valid().count() == 2


def test_a_corrected_winner_already_qualified_in_another_heat_needs_a_decision(
    event: Event, sheet: Sheet
) -> None:
    winner, third = player(event, sheet, 1), player(event, sheet, 2)
    enter_heat(registration=winner, by=None)
    second = make_heats(event, 3).heats[0]
    other = Sheet.objects.get(table=second.table)
    play_game(other, other.seats.index(winner.player_id))
    close_heat(heat=second, by=None)
    wanted = other_winner(sheet)
    found = preview_correction(correction=wanted, by=None)
    assert found.needs == ("instead",)
    assert third.player_id in found.stand_ins
    with refused("needs_decision"):
        correct(correction=wanted, by=None)
    done = correct(correction=replace(wanted, instead=third.player_id), by=None)
    assert done.won == (third.player_id,)
    qualified = Qualification.objects.filter(revoked_at__isnull=True)
    assert {row.registration for row in qualified} == {winner, third}


def test_reopening_a_game_needs_a_decision(event: Event, sheet: Sheet) -> None:
    wanted: dict[str, Any] = {
        "sheet": sheet,
        "kind": RowKind.VOID,
        "sequence": sheet.version,
        "entry": None,
        "reason": "no straight flush at all",
        "seen_version": sheet.version,
    }
    before = standing()
    assert preview_correction(correction=Correction(**wanted), by=None).needs == ("end_game",)
    with pytest.raises(Refused) as refused:
        correct(correction=Correction(**wanted), by=None)
    assert refused.value.code == "needs_decision"
    assert standing() == before
    correct(correction=Correction(**wanted, end_game=True), by=None)
    sheet.refresh_from_db()
    assert sheet.state["win"] == "ended"
    assert Qualification.objects.get(revoked_at__isnull=True).registration == player(
        event, sheet, 1
    )


def test_dropping_later_entries_needs_a_decision(event: Event, sheet: Sheet) -> None:
    wanted: dict[str, Any] = {
        "sheet": sheet,
        "kind": RowKind.AMEND,
        "sequence": 1,
        "entry": straight_flush(1),
        "reason": "the game was over at once",
        "seen_version": sheet.version,
    }
    found = preview_correction(correction=Correction(**wanted), by=None)
    assert found.needs == ("with_later",)
    assert [number for number, _why in found.later] == [2, 3]
    done = correct(correction=Correction(**wanted, with_later=True), by=None)
    assert done.won == (sheet.seats[1],)


def test_a_new_decisive_tie_needs_a_flip_flop(event: Event) -> None:
    heat = make_heats(event, 3).heats[0]
    hands = [{"kind": "hand", "phase": 1, "seat": 1, "category": "flush"}]
    sheet = play(heat, hands)
    wanted: dict[str, Any] = {
        "sheet": sheet,
        "kind": RowKind.AMEND,
        "sequence": sheet.version,
        "entry": {"kind": "hand", "phase": 2, "seat": 0, "category": "flush"},
        "reason": "a flush, not a straight one",
        "seen_version": sheet.version,
        "end_game": True,
    }
    found = preview_correction(correction=Correction(**wanted), by=None)
    assert found.needs == ("flip_flop",)
    (group,) = found.flip_flop_groups
    order = tuple(reversed(group))
    lots = [
        preview_correction(correction=Correction(**wanted, lots=True), by=None) for _ in range(2)
    ]
    assert lots[0].needs == ()
    assert lots[0].won == lots[1].won
    done = correct(correction=Correction(**wanted, flip_flops=(order,)), by=None)
    assert done.ranking_after[0].entry.registration.player_id == order[0]


def test_a_prepared_round_gets_the_right_players_and_loses_its_draft(
    event: Event, sheets: list[Sheet]
) -> None:
    stage = prepare_round(event=event, by=None)
    draw = draft_round(stage=stage, by=None)
    done = correct(correction=other_winner(sheets[0]), by=None)
    assert done.round is not None
    assert done.round.begun == ()
    assert done.drafts == (draw.number,)
    draw.refresh_from_db()
    assert draw.status == DrawStatus.DISCARDED
    assert {row.player_id for row in present(stage)} == {
        sheets[0].seats[1],
        sheets[1].seats[0],
        sheets[2].seats[0],
    }
    publish(draw=draft_round(stage=stage, by=None), by=None)


@pytest.fixture
def begun(event: Event, sheets: list[Sheet]) -> list[Sheet]:
    publish(draw=draft_round(stage=prepare_round(event=event, by=None), by=None), by=None)
    return sheets


def test_a_started_play_off_table_needs_a_decision(event: Event, begun: list[Sheet]) -> None:
    before = standing()
    found = preview_correction(correction=other_winner(begun[0]), by=None)
    assert found.needs == ("round",)
    assert found.round is not None
    assert [heat.number for heat in found.round.begun] == [4]
    with pytest.raises(Refused) as refused:
        correct(correction=other_winner(begun[0]), by=None)
    assert refused.value.code == "needs_decision"
    assert standing() == before


def test_started_table_may_stand(event: Event, begun: list[Sheet]) -> None:
    correct(correction=other_winner(begun[0], round=STAND), by=None)
    assert Qualification.objects.filter(revoked_at__isnull=False).count() == 0
    assert Heat.objects.get(number=4).status == HeatStatus.OPEN
    assert Heat.objects.get(number=1).results.get(place=1).entry.registration == player(
        event, begun[0], 1
    )


def test_a_table_that_stands_says_who_plays_on_and_who_gets_no_place(
    event: Event, begun: list[Sheet]
) -> None:
    elof, stig = player(event, begun[0], 0), player(event, begun[0], 1)
    wanted = other_winner(begun[0], round=STAND)
    found = preview_correction(correction=wanted, by=None)
    assert (found.lost, found.won) == ((), ())
    assert found.stood is not None
    sentence = found.stood.sentence()
    assert f"{elof.person} plays on although no longer the winner" in sentence
    assert f"{stig.person} gets no place" in sentence
    done = correct(correction=wanted, by=None)
    assert done.stood is not None
    assert done.stood.sentence() == sentence
    heat = Heat.objects.get(number=1)
    log = LogEntry.objects.filter(action=LogAction.CORRECTED).latest("pk")
    assert log.after["stands"]["plays_on"] == [elof.player_id]
    assert log.after["stands"]["no_place"] == [stig.player_id]
    assert log.after["no_longer_through"] == []
    assert stood_of([heat])[heat.pk].at == log.at


def test_only_the_table_concerned_begins_anew(event: Event, begun: list[Sheet]) -> None:
    table = Heat.objects.get(number=4)
    sheet = Sheet.objects.get(table=table.table)
    write(sheet, {"kind": "hand", "phase": 1, "seat": 0, "category": "flush"})
    out, into = player(event, begun[0], 0), player(event, begun[0], 1)
    found = preview_correction(correction=other_winner(begun[0]), by=None)
    assert found.round is not None
    assert (found.round.concerned, found.round.lost([table])) == ((table,), 1)
    done = correct(correction=other_winner(begun[0], round=TABLE), by=None)
    assert (done.lost, done.won) == ((out.player_id,), (into.player_id,))
    new = Heat.objects.get(number=5)
    table.refresh_from_db()
    assert (table.status, new.status) == (HeatStatus.VOID, HeatStatus.OPEN)
    assert (new.table_number, new.title) == (table.table_number, table.title)
    seats = Sheet.objects.get(table=new.table).seats
    assert seats == [into.player_id if each == out.player_id else each for each in sheet.seats]
    again = import_event({**json.loads(json.dumps(event_document(event))), "slug": "again"})
    assert {row.number for row in through(again)} == {row.number for row in through(event)}


def test_a_table_without_a_line_keeps_its_heat(event: Event, begun: list[Sheet]) -> None:
    out, into = player(event, begun[0], 0), player(event, begun[0], 1)
    correct(correction=other_winner(begun[0], round=TABLE), by=None)
    (heat,) = Heat.objects.filter(stage__number=2)
    assert heat.status == HeatStatus.OPEN
    assert into.player_id in heat.table.players
    assert out.player_id not in heat.table.players
    assert not out.entries.open().exists()


def test_a_started_round_may_be_drawn_again(event: Event, begun: list[Sheet]) -> None:
    correct(correction=other_winner(begun[0], round=REDRAW), by=None)
    assert Heat.objects.get(number=4).status == HeatStatus.VOID
    stage = event.stages.get(number=2)
    assert stage.status == StageStatus.PLANNED
    drawn = publish(draw=draft_round(stage=stage, by=None), by=None)
    assert player(event, begun[0], 1).player_id in drawn.draw.groups[0]
    sheet = Sheet.objects.get(table=drawn.heats[0].table)
    play_game(sheet)
    close_heat(heat=drawn.heats[0], by=None)
    stage.refresh_from_db()
    assert stage.status == StageStatus.FINISHED


def test_a_finished_final_may_be_drawn_again(event: Event, begun: list[Sheet]) -> None:
    play(Heat.objects.get(number=4))
    correct(correction=other_winner(begun[0], round=REDRAW), by=None)
    assert Heat.objects.get(number=4).status == HeatStatus.VOID
    stage = event.stages.get(number=2)
    assert stage.status == StageStatus.PLANNED
    publish(draw=draft_round(stage=stage, by=None), by=None)
    play(Heat.objects.get(number=5))
    assert (
        final_ranking(event)[0].player_id
        == Heat.objects.get(number=5).results.get(place=1).entry.registration.player_id
    )


def test_a_decision_to_keep_a_table_survives_export_and_import(
    event: Event, begun: list[Sheet]
) -> None:
    play(Heat.objects.get(number=4))
    correct(correction=other_winner(begun[0], round=STAND), by=None)
    document = json.loads(json.dumps(event_document(event)))
    assert begun[0].seats[0] in document["qualifiers"]
    heats = document["stages"][0]["heats"]
    assert [heat.get("went_on") for heat in heats] == [[begun[0].seats[0]], None, None]
    again = import_event({**document, "slug": "again"})
    copied = {**json.loads(json.dumps(event_document(again))), "slug": event.slug}
    # The copy's sheets have hash chains of their own.
    assert copied == document


def test_a_correction_of_the_final_changes_the_champion(event: Event, begun: list[Sheet]) -> None:
    heat = Heat.objects.get(number=4)
    sheet = play(heat, [{"kind": "hand", "phase": 1, "seat": 1, "category": "flush"}])
    done = correct(correction=other_winner(sheet), by=None)
    assert done.ranking_after[0].entry.registration == player(event, sheet, 1)
    assert done.round is None


def twice_through(event: Event, *instead: int) -> tuple[Sheet, Sheet, PersonMerge]:
    """Return two sheets with one winner, who was registered twice; who went on instead by seat."""
    first, second = (play(heat) for heat in make_heats(event, 8).heats)
    one, other = player(event, first, 0), player(event, second, 0)
    merged = merge_persons(
        kept=one.person,
        merged=other.person,
        event=event,
        by=None,
        instead=[second.seats[seat] for seat in instead],
    )
    first.refresh_from_db()
    second.refresh_from_db()
    return first, second, merged


def findings(event: Event) -> list[Any]:
    return [found for heat in event.heats.all() for found in check_heat(heat=heat)]


def through(event: Event) -> dict[Registration, Heat | None]:
    return {row.registration: row.heat for row in event.qualifications.valid()}


def test_who_loses_a_heat_stays_through_by_another_that_nobody_else_has(db: None) -> None:
    event = played_event(0)
    first, second, _merge = twice_through(event)
    winner, now = player(event, first, 0), player(event, first, 1)
    found = preview_correction(correction=other_winner(first), by=None)
    assert found.lost == ()
    assert [(win.heat.pk, win.instead) for win in found.other_wins] == [
        (second.heat_game.heat_id, "")
    ]
    correct(correction=other_winner(first), by=None)
    assert through(event) == {winner: second.heat_game.heat, now: first.heat_game.heat}
    assert findings(event) == []


def test_who_loses_a_heat_is_told_who_has_the_place_of_another_they_won(db: None) -> None:
    event = played_event(0)
    first, second, merge = twice_through(event, 1)
    winner, now = player(event, first, 0), player(event, first, 1)
    instead = player(event, second, 1)
    found = correct(correction=other_winner(first), by=None)
    assert found.lost == (winner.player_id,)
    (win,) = found.other_wins
    assert (win.heat, win.instead) == (second.heat_game.heat, staff_name(instead.person))
    assert instead.person.legal_name in other_wins_text(found.other_wins, {})
    assert through(event) == {instead: second.heat_game.heat, now: first.heat_game.heat}
    assert findings(event) == []
    again = import_event({**event_document(event), "slug": "again"})
    assert {row.number for row in through(again)} == {instead.number, now.number}
    undo_merge(merge=merge, event=event, by=None)
    assert through(event) == {
        merge.merged.registrations.get(): second.heat_game.heat,
        now: first.heat_game.heat,
    }
    assert findings(event) == []


@pytest.mark.parametrize("instead", [(), (1,), (2,)])
def test_undoing_a_merge_gives_no_place_back_that_a_correction_took(
    instead: tuple[int, ...], db: None
) -> None:
    event = played_event(0)
    first, second, merge = twice_through(event, *instead)
    winner, now = player(event, first, 0), player(event, second, 1)
    correct(correction=other_winner(second), by=None)
    expected = {winner: first.heat_game.heat, now: second.heat_game.heat}
    assert through(event) == expected
    [row] = merge_rows(event, [merge])
    assert row.cost == ""
    undo_merge(merge=merge, event=event, by=None)
    assert through(event) == expected
    assert findings(event) == []
    won = HeatResult.objects.filter(heat=second.heat_game.heat, advances=True)
    assert [row.entry.registration for row in won] == [now]
