"""A table's life: created, game after game, calls, sign-off."""

import pytest

from engine.draws.draw import seat_order
from engine.errors import ChicagoError
from scoring.enums import LinkRole
from scoring.errors import ScoringError
from scoring.models import FlipFlop, Sheet, Table
from scoring.reading.check import verify_sheet
from scoring.reading.protocol import protocol_of
from scoring.reading.rules import rules_of
from scoring.signals import table_changed
from scoring.writing import (
    call_td,
    clear_call,
    confirm_seats,
    create_link,
    create_table,
    open_next_sheet,
    record_flip_flop,
    return_to_previous,
    set_auditor,
    sign_off,
    void_sheet,
)

from ..factories import (
    FOUR,
    hand,
    make_table,
    none,
    play,
    quick_win,
    ruling,
    running,
    sheet_of,
    write,
)

pytestmark = pytest.mark.django_db


def code_of(call, **arguments):
    with pytest.raises(ScoringError) as caught:
        call(**arguments)
    return caught.value.code


class TestCreate:
    def test_all_games_are_there_and_the_first_is_running(self):
        table = make_table(plan=False)
        sheets = Sheet.objects.filter(table=table).order_by("number")
        assert [sheet.status for sheet in sheets] == ["running", "waiting", "waiting"]
        assert [sheet.seats for sheet in sheets] == [
            seat_order("seed", number, list(FOUR)) for number in (1, 2, 3)
        ]
        assert {sheet.rules_digest for sheet in sheets} == {table.rules_digest}
        assert all(sheet.state["scores"] == [0, 0, 0, 0] for sheet in sheets)

    def test_rules_are_stored_by_their_canonical_name(self):
        assert make_table(rules="svensk+N+C").rules == "svensk+C+N"

    @pytest.mark.parametrize(
        "change",
        [
            {"players": ["A"]},
            {"players": list("ABCDE")},
            {"players": ["A", "A", "B"]},
            {"players": ["A", " ", "B"]},
            {"games_planned": 0},
            {"games_planned": 21},
            {"label": " "},
        ],
    )
    def test_impossible_tables(self, change):
        arguments = {
            "label": "x",
            "rules": "festival",
            "players": ["A", "B", "C"],
            "games_planned": 3,
            "seed": "s",
            "by": "test",
            **change,
        }
        assert code_of(create_table, **arguments) == "bad_table"
        assert not Table.objects.exists()

    def test_unknown_rules(self):
        with pytest.raises(ChicagoError):
            make_table(rules="poker")

    def test_seats_by_hand_name_the_players(self):
        assert code_of(make_table, seat_plan=[["A", "B"]] * 3) == "bad_seats"
        assert code_of(make_table, seat_plan=[list(FOUR)]) == "bad_seats"

    def test_the_auditor_must_sit_at_the_table(self):
        assert make_table(auditor="Bo").auditor == "Bo"
        assert code_of(make_table, auditor="Eva") == "unknown_player"

    def test_other_game_points(self):
        table = make_table(games=1, overrides={"game_points": [10, 5, 2, 1], "out_points": "zero"})
        write(running(table), quick_win())
        points = sheet_of(table).state["game_points"]
        assert points == ["10", "8/3", "8/3", "8/3"]

    def test_impossible_game_points(self):
        for overrides in ({"game_points": "x"}, {"out_points": "some"}, {"target": 40}):
            assert code_of(make_table, overrides=overrides) == "bad_overrides"


class TestNextGame:
    def test_opens_in_order(self):
        table = make_table()
        write(running(table), quick_win())
        sheet = open_next_sheet(table_id=table.pk, by="test")
        assert (sheet.number, sheet.status) == (2, "running")
        assert sheet.started_at is not None

    def test_not_while_one_runs(self):
        assert code_of(open_next_sheet, table_id=make_table().pk, by="x") == "game_running"

    def test_not_after_the_last(self):
        table = make_table(games=1)
        write(running(table), quick_win())
        assert code_of(open_next_sheet, table_id=table.pk, by="x") == "no_more_games"

    def test_the_lease_carries_over(self):
        table = make_table()
        write(running(table), quick_win(), device="one", author="link 1")
        sheet = open_next_sheet(table_id=table.pk, by="test")
        assert (sheet.lease_device, sheet.lease_author) == ("one", "link 1")

    def test_a_disqualified_player_stays_disqualified(self):
        table = make_table(seat_plan=[list(FOUR), ["Dag", "Anna", "Bo", "Cia"], list(FOUR)])
        play(running(table), ruling("disqualify", 3), quick_win())
        sheet = open_next_sheet(table_id=table.pk, by="test")
        assert sheet.state["status"] == ["disqualified", "in", "in", "in"]
        assert sheet.version == 1
        play(sheet, quick_win(1))
        third = open_next_sheet(table_id=table.pk, by="test")
        assert third.state["status"] == ["in", "in", "in", "disqualified"]
        assert verify_sheet(sheet_id=third.pk)[1]

    def test_a_single_player_left_wins_without_playing(self):
        table = make_table(("A", "B", "C"))
        play(running(table), ruling("disqualify", 0), ruling("disqualify", 1))
        sheet = open_next_sheet(table_id=table.pk, by="test")
        assert (sheet.status, sheet.state["win"]) == ("finished", "last_standing")

    def test_a_void_game_is_skipped(self):
        table = make_table()
        void_sheet(sheet_id=sheet_of(table, 2).pk, reason="no time")
        write(running(table), quick_win())
        assert open_next_sheet(table_id=table.pk, by="x").number == 3

    def test_back_to_the_previous_game(self):
        table = make_table()
        write(running(table), quick_win())
        open_next_sheet(table_id=table.pk, by="x")
        assert return_to_previous(table_id=table.pk).number == 1
        assert sheet_of(table, 2).status == "waiting"

    def test_back_although_seats_were_exchanged_which_stay_so(self):
        table = make_table()
        write(running(table), quick_win())
        order = open_next_sheet(table_id=table.pk, by="x").seats[::-1]
        confirm_seats(table_id=table.pk, seen_version=0, by="x", order=order, game=2)
        assert return_to_previous(table_id=table.pk).number == 1
        again = open_next_sheet(table_id=table.pk, by="x")
        assert (again.number, again.seats, again.version) == (2, order, 1)

    def test_a_named_game_is_closed_once_and_no_other(self):
        table = make_table()
        write(running(table), quick_win())
        open_next_sheet(table_id=table.pk, by="x")
        for _again in range(2):
            assert return_to_previous(table_id=table.pk, number=2).number == 1
            assert sheet_of(table, 2).status == "waiting"
        other = {"table_id": table.pk, "number": 3}
        assert code_of(return_to_previous, **other) == "nothing_to_take_back"

    def test_not_back_once_something_is_written(self):
        table = make_table()
        write(running(table), quick_win())
        write(open_next_sheet(table_id=table.pk, by="x"), none(1))
        assert code_of(return_to_previous, table_id=table.pk) == "has_entries"

    def test_not_back_from_the_first_game_or_from_none(self):
        table = make_table()
        assert code_of(return_to_previous, table_id=table.pk) == "nothing_to_take_back"
        write(running(table), quick_win())
        assert code_of(return_to_previous, table_id=table.pk) == "nothing_to_take_back"


class TestCalls:
    def test_a_call_is_kept_until_cleared(self):
        table = make_table()
        called = call_td(table_id=table.pk, reason=" a question ")
        assert called.call_reason == "a question"
        again = call_td(table_id=table.pk, reason="hurry")
        assert (again.call_since, again.call_reasons) == (
            called.call_since, ["a question", "hurry"],
        )  # fmt: skip
        cleared = clear_call(table_id=table.pk)
        assert (cleared.call_since, cleared.call_reason) == (None, "")

    def test_one_reason_of_several_is_cleared(self):
        table = make_table()
        for reason in ("", "hurry", "hurry"):
            call_td(table_id=table.pk, reason=reason)
        left = clear_call(table_id=table.pk, reason="hurry")
        assert (left.call_since is None, left.call_reasons) == (False, [""])
        assert clear_call(table_id=table.pk, reason="").call_since is None

    def test_listeners_run_in_the_transaction(self):
        heard = []

        def listen(sender, **details):
            heard.append((details["table_id"], details["sheet"]))

        table = make_table()
        table_changed.connect(listen)
        try:
            call_td(table_id=table.pk, reason="")
        finally:
            table_changed.disconnect(listen)
        assert heard == [(table.pk, None)]

    def test_the_auditor_can_be_replaced(self):
        table = make_table(auditor="Bo")
        assert set_auditor(table_id=table.pk, player_id="Cia").auditor == "Cia"
        assert set_auditor(table_id=table.pk, player_id="").auditor == ""
        assert code_of(set_auditor, table_id=table.pk, player_id="Eva") == "unknown_player"


class TestEnd:
    def test_sign_off_after_the_last_game(self):
        table = make_table(games=1)
        assert code_of(sign_off, table_id=table.pk, by="x") == "games_unfinished"
        write(running(table), quick_win())
        assert protocol_of(table.pk).provisional
        signed = sign_off(table_id=table.pk, by="link 1")
        assert signed.signed_by == "link 1"
        assert sign_off(table_id=table.pk, by="link 2").signed_by == "link 1"
        assert not protocol_of(table.pk).provisional

    def test_a_flip_flop_orders_a_whole_tied_group(self):
        table = make_table(("A", "B", "C"), games=1)
        arguments = {"table_id": table.pk, "by": "link 1"}
        assert code_of(record_flip_flop, order=["A", "B"], **arguments) == "games_unfinished"
        play(
            running(table),
            hand(1, 0, "flush"),
            hand(2, 1, "flush"),
            ruling("end_game"),
        )
        assert protocol_of(table.pk).needs_flip_flop == (("A", "B"),)
        for order in (["A"], ["A", "C"], ["A", "B", "C"], ["A", "A"], []):
            assert code_of(record_flip_flop, order=order, **arguments) == "not_a_tie"
        link = create_link(table_id=table.pk, role=LinkRole.AUDITOR, by="x")
        assert code_of(sign_off, table_id=table.pk, by=link) == "needs_flip_flop"
        record_flip_flop(order=["B", "A"], **arguments)
        protocol = protocol_of(table.pk)
        assert [row.name for row in protocol.ranking] == ["B", "A", "C"]
        assert protocol.ranking[0].decided_by == "flip_flop"
        assert protocol.needs_flip_flop == ()
        record_flip_flop(order=["A", "B"], **arguments)
        assert [row.name for row in protocol_of(table.pk).ranking] == ["A", "B", "C"]
        assert FlipFlop.objects.get(order=["B", "A"]).author == "link 1"
        sign_off(table_id=table.pk, by="x")
        assert code_of(record_flip_flop, order=["B", "A"], **arguments) == "signed_off"

    def test_a_void_game_counts_for_nothing(self):
        table = make_table(games=1)
        write(running(table), quick_win(0))
        assert code_of(void_sheet, sheet_id=sheet_of(table).pk, reason="") == ("missing_reason")
        void_sheet(sheet_id=sheet_of(table).pk, reason="wrong table")
        protocol = protocol_of(table.pk)
        assert protocol.games == ()
        assert {row.game_points for row in protocol.ranking} == {0}


@pytest.mark.django_db
def test_a_changed_preset_does_not_affect_existing_tables() -> None:
    table = make_table()
    stored = {**table.ruleset, "fields": {**table.ruleset["fields"], "target": 60}}
    Table.objects.filter(pk=table.pk).update(ruleset=stored, rules_digest="another way to play")
    table.refresh_from_db()
    assert rules_of(table).target == 60
    assert rules_of(make_table()).target == 52
