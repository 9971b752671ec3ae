"""Taking back, replacing, inserting, reseating: by further rows, later entries checked again."""

import uuid

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.sheet.sheet import legal_entries
from scoring.enums import RowKind
from scoring.errors import IllegalEntry, LaterEntries, LeaseTaken, ScoringError, SheetConflict
from scoring.models import Sheet, Table
from scoring.reading.check import verify_sheet
from scoring.reading.correction import plan_correction
from scoring.reading.games import table_games
from scoring.writing import correct_entry, open_next_sheet, reseat, sign_off, void_sheet

from ..factories import (
    chicago,
    hand,
    make_table,
    none,
    play,
    quick_win,
    ruling,
    running,
    sheet_of,
    trick,
    write,
)

pytestmark = pytest.mark.django_db


def version(sheet):
    return Sheet.objects.values_list("version", flat=True).get(pk=sheet.pk)


def void(sheet, **more):
    return correct_entry(
        kind=RowKind.VOID,
        **{
            "sheet_id": sheet.pk,
            "client_id": uuid.uuid4(),
            "seen_version": version(sheet),
            "author": "test",
            **more,
        },
    )


def amend(sheet, sequence, entry, **more):
    return correct_entry(
        kind=RowKind.AMEND,
        by_director=True,
        **{
            "sheet_id": sheet.pk,
            "client_id": uuid.uuid4(),
            "seen_version": version(sheet),
            "author": "director",
            "sequence": sequence,
            "entry": entry,
            "reason": "misheard",
            **more,
        },
    )


def insert(sheet, before, entry, **more):
    return correct_entry(
        kind=RowKind.INSERT,
        by_director=True,
        **{
            "sheet_id": sheet.pk,
            "client_id": uuid.uuid4(),
            "seen_version": version(sheet),
            "author": "director",
            "sequence": before,
            "entry": entry,
            "reason": "forgotten",
            **more,
        },
    )


def whole(sheet):
    return verify_sheet(sheet_id=sheet.pk)[1]


class TestVoid:
    def test_takes_the_last_entry_back_and_keeps_it(self):
        sheet = running(make_table())
        play(sheet, none(1), hand(2, 1, "flush"))
        result = void(sheet)
        assert (result.version, result.state["scores"]) == (3, [0, 0, 0, 0])
        assert [row.kind for row in sheet.entries.all()] == ["entry", "entry", "void"]
        assert whole(sheet)

    def test_goes_further_back_each_time(self):
        sheet = running(make_table())
        play(sheet, hand(1, 0), hand(2, 1, "flush"))
        void(sheet)
        assert void(sheet).state["phase"] == 1
        with pytest.raises(ScoringError) as caught:
            void(sheet)
        assert caught.value.code == "nothing_to_take_back"

    def test_the_same_uuid_takes_back_once(self):
        sheet = running(make_table())
        play(sheet, hand(1, 0), hand(2, 1, "flush"))
        client_id = uuid.uuid4()
        first = void(sheet, client_id=client_id)
        again = void(sheet, client_id=client_id, seen_version=2)
        assert again.repeated
        assert again.state == first.state
        assert version(sheet) == 3

    def test_an_entrys_uuid_cannot_be_a_voids(self):
        sheet = running(make_table())
        client_id = uuid.uuid4()
        write(sheet, none(1), client_id=client_id)
        with pytest.raises(ScoringError) as caught:
            void(sheet, client_id=client_id)
        assert caught.value.code == "client_id_reused"

    def test_another_version_is_a_conflict(self):
        sheet = running(make_table())
        play(sheet, none(1), none(2))
        with pytest.raises(SheetConflict):
            void(sheet, seen_version=1)

    def test_needs_the_lease(self):
        sheet = running(make_table())
        write(sheet, none(1), device="one")
        with pytest.raises(LeaseTaken):
            void(sheet, device="two")

    def test_of_an_earlier_entry_lists_what_could_not_stay(self):
        sheet = running(make_table())
        play(sheet, none(1), none(2), trick(0), none(3))
        with pytest.raises(LaterEntries) as caught:
            void(sheet, sequence=3)
        assert caught.value.sequences == (4,)
        assert caught.value.problems[4].code == "unexpected_kind"
        assert "#4" in str(caught.value)
        result = void(sheet, sequence=3, with_later=True)
        assert result.version == 6
        assert result.state["stage"] == "tricks"
        assert [(r.kind, r.target.sequence) for r in sheet.entries.filter(kind="void")] == [
            ("void", 3),
            ("void", 4),
        ]
        assert whole(sheet)

    def test_of_an_unknown_or_voided_entry(self):
        sheet = running(make_table())
        write(sheet, none(1))
        with pytest.raises(ScoringError) as caught:
            void(sheet, sequence=7)
        assert caught.value.code == "unknown_entry"
        void(sheet)
        with pytest.raises(ScoringError) as caught:
            void(sheet, sequence=1)
        assert caught.value.code == "already_void"

    def test_of_the_deciding_entry_reopens_the_game(self):
        sheet = running(make_table())
        write(sheet, quick_win())
        result = void(sheet)
        sheet.refresh_from_db()
        assert not result.finished
        assert (sheet.status, sheet.finished_at) == ("running", None)
        assert whole(sheet)

    def test_a_ruling_is_taken_back_by_the_director_only(self):
        sheet = running(make_table())
        write(sheet, ruling("points", 0, points=3))
        with pytest.raises(ScoringError) as caught:
            void(sheet)
        assert caught.value.code == "ruling_only_director"
        assert void(sheet, by_director=True).state["scores"] == [0, 0, 0, 0]

    def test_a_casual_table_takes_its_own_rulings_back(self):
        sheet = running(make_table(directed=False))
        write(sheet, ruling("end_game"))
        assert not void(sheet).finished

    def test_not_once_the_next_game_has_begun(self):
        table = make_table()
        sheet = running(table)
        write(sheet, quick_win())
        open_next_sheet(table_id=table.pk, by="test")
        with pytest.raises(ScoringError) as caught:
            void(sheet)
        assert caught.value.code == "would_reopen"
        sheet.refresh_from_db()
        assert (sheet.status, sheet.version) == ("finished", 1)

    def test_not_after_the_table_signed_unless_by_the_director(self):
        table = make_table(games=1)
        sheet = running(table)
        write(sheet, quick_win())
        sign_off(table_id=table.pk, by="link 1")
        with pytest.raises(ScoringError) as caught:
            void(sheet)
        assert caught.value.code == "signed_off"
        void(sheet, by_director=True)
        assert Table.objects.get(pk=table.pk).signed_at is None


class TestAmend:
    def test_replaces_an_earlier_entry(self):
        sheet = running(make_table())
        play(sheet, hand(1, 0, "pair"), hand(2, 0, "flush"))
        result = amend(sheet, 1, hand(1, 1, "two_pair"))
        assert result.state["scores"] == [5, 2, 0, 0]
        row = sheet.entries.get(kind="amend")
        assert (row.reason, row.author, row.target.sequence) == ("misheard", "director", 1)
        assert whole(sheet)

    def test_of_two_the_last_one_counts(self):
        sheet = running(make_table())
        write(sheet, hand(1, 0, "pair"))
        amend(sheet, 1, hand(1, 1, "two_pair"))
        assert amend(sheet, 1, hand(1, 2, "flush")).state["scores"] == [0, 0, 5, 0]
        assert whole(sheet)

    def test_needs_a_reason(self):
        sheet = running(make_table())
        write(sheet, hand(1, 0))
        with pytest.raises(ScoringError) as caught:
            amend(sheet, 1, hand(1, 1), reason=" ")
        assert caught.value.code == "missing_reason"

    def test_an_entry_illegal_in_its_place_is_refused(self):
        sheet = running(make_table())
        play(sheet, hand(1, 0), none(2))
        with pytest.raises(IllegalEntry) as caught:
            amend(sheet, 1, chicago(0))
        assert caught.value.problem.code == "unexpected_kind"
        with pytest.raises(IllegalEntry):
            amend(sheet, 1, {"kind": "nonsense"})

    def test_that_ends_the_game_earlier_drops_the_rest_on_request(self):
        sheet = running(make_table())
        play(sheet, hand(1, 0), none(2), trick(1), none(3), none(1))
        win = hand(1, 3, "straight_flush")
        plan = plan_correction(sheet, kind=RowKind.AMEND, sequence=1, entry=win)
        assert list(plan.voids) == [2, 3, 4, 5]
        assert plan.state.winners == (3,)
        assert version(sheet) == 5
        with pytest.raises(LaterEntries) as caught:
            amend(sheet, 1, win)
        assert caught.value.sequences == (2, 3, 4, 5)
        assert {p.code for p in caught.value.problems.values()} == {"game_finished"}
        assert version(sheet) == 5
        result = amend(sheet, 1, win, with_later=True)
        assert (result.version, result.finished) == (10, True)
        sheet.refresh_from_db()
        assert sheet.status == "finished"
        assert whole(sheet)

    def test_that_would_reopen_an_old_game_needs_an_end(self):
        table = make_table()
        sheet = running(table)
        write(sheet, quick_win(0))
        open_next_sheet(table_id=table.pk, by="test")
        with pytest.raises(ScoringError) as caught:
            amend(sheet, 1, hand(1, 0, "flush"))
        assert caught.value.code == "would_reopen"
        result = amend(sheet, 1, hand(1, 0, "flush"), then=[ruling("end_game")])
        assert result.finished
        assert result.state["scores"] == [5, 0, 0, 0]
        sheet.refresh_from_db()
        assert sheet.version == result.version == 3
        assert whole(sheet)

    def test_an_illegal_end_is_refused(self):
        sheet = running(make_table())
        write(sheet, hand(1, 0))
        with pytest.raises(IllegalEntry):
            amend(sheet, 1, hand(1, 1), then=[none(1)])

    def test_of_a_finished_game_keeps_it_finished_and_notifies(self):
        table = make_table(games=1)
        sheet = running(table)
        play(sheet, hand(1, 1, "flush"), hand(2, 0, "straight_flush"))
        sign_off(table_id=table.pk, by="x")
        result = amend(sheet, 1, hand(1, 2, "pair"))
        assert result.finished
        assert result.state["scores"] == [52, 0, 1, 0]
        assert Table.objects.get(pk=table.pk).signed_at is None

    def test_is_listed_among_the_corrections(self):
        table = make_table()
        sheet = running(table)
        play(sheet, hand(1, 0, "pair"), none(2))
        amend(sheet, 1, hand(1, 1, "two_pair"))
        void(sheet)
        game = table_games(table).games[0]
        first, second = game.corrections
        assert (first.kind, first.entry, first.replacement) == (
            "amend",
            hand(1, 0, "pair"),
            hand(1, 1, "two_pair"),
        )
        assert (second.kind, second.sequence, second.entry) == ("void", 2, none(2))
        assert game.deals[0].entries[0].replaced


class TestInsert:
    def test_puts_a_forgotten_entry_before_another(self):
        sheet = running(make_table())
        play(sheet, hand(1, 0), trick_free := none(2), trick(1))
        assert trick_free
        result = insert(sheet, 3, {"kind": "revoke", "seat": 0})
        assert result.state["scores"] == [0, 5, 0, 0]
        assert whole(sheet)

    def test_an_inserted_entry_can_be_taken_back(self):
        sheet = running(make_table())
        play(sheet, hand(1, 0), none(2), trick(1))
        number = insert(sheet, 3, {"kind": "revoke", "seat": 0}).sequence
        assert void(sheet, sequence=number).state["scores"] == [1, 5, 0, 0]
        assert whole(sheet)

    def test_before_an_unknown_entry(self):
        sheet = running(make_table())
        write(sheet, none(1))
        with pytest.raises(ScoringError) as caught:
            insert(sheet, 5, none(1))
        assert caught.value.code == "unknown_entry"


class TestReseat:
    def reseat(self, sheet, seats, **more):
        return reseat(
            **{
                "sheet_id": sheet.pk,
                "client_id": uuid.uuid4(),
                "seen_version": version(sheet),
                "author": "director",
                "seats": seats,
                "reason": "sat down wrongly",
                **more,
            }
        )

    def test_points_go_with_the_players(self):
        table = make_table()
        sheet = running(table)
        play(sheet, hand(1, 0, "flush"), hand(2, 3, "straight"))
        result = self.reseat(sheet, ["Dag", "Bo", "Cia", "Anna"])
        assert result.state["scores"] == [4, 0, 0, 5]
        sheet.refresh_from_db()
        assert sheet.seats == ["Dag", "Bo", "Cia", "Anna"]
        assert whole(sheet)
        write(sheet, trick(0))
        seats = table_games(table).games[0].seats
        assert {seat.name: seat.score for seat in seats} == {"Anna": 5, "Bo": 0, "Cia": 0, "Dag": 9}

    def test_a_waiting_game_may_be_reseated(self):
        table = make_table()
        sheet = sheet_of(table, 2)
        self.reseat(sheet, ["Dag", "Bo", "Cia", "Anna"])
        write(running(table), quick_win())
        opened = open_next_sheet(table_id=table.pk, by="x")
        assert opened.seats == ["Dag", "Bo", "Cia", "Anna"]
        assert whole(opened)

    def test_a_void_game_may_not(self):
        sheet = running(make_table())
        void_sheet(sheet_id=sheet.pk, reason="x")
        with pytest.raises(ScoringError) as caught:
            self.reseat(sheet, ["Dag", "Bo", "Cia", "Anna"])
        assert caught.value.code == "not_running"

    def test_points_stay_with_the_seats(self):
        sheet = running(make_table())
        write(sheet, hand(1, 0, "flush"))
        result = self.reseat(sheet, ["Bo", "Anna", "Cia", "Dag"], follow="seat")
        assert result.state["scores"] == [5, 0, 0, 0]
        assert whole(sheet)

    def test_sent_again_gets_the_same_answer(self):
        sheet = running(make_table())
        client_id = uuid.uuid4()
        seats = ["Bo", "Anna", "Cia", "Dag"]
        self.reseat(sheet, seats, client_id=client_id)
        assert self.reseat(sheet, seats, client_id=client_id, seen_version=0).repeated

    @pytest.mark.parametrize(
        ("more", "code"),
        [
            ({"seats": ["Anna", "Bo", "Cia"]}, "bad_seats"),
            ({"seats": ["Anna", "Bo", "Cia", "Eva"]}, "bad_seats"),
            ({"follow": "money"}, "bad_seats"),
            ({"reason": ""}, "missing_reason"),
        ],
    )
    def test_refusals(self, more, code):
        sheet = running(make_table())
        with pytest.raises(ScoringError) as caught:
            self.reseat(sheet, **{"seats": ["Dag", "Bo", "Cia", "Anna"], **more})
        assert caught.value.code == code

    def test_is_listed_among_the_corrections(self):
        table = make_table()
        sheet = running(table)
        self.reseat(sheet, ["Dag", "Bo", "Cia", "Anna"])
        [correction] = table_games(table).games[0].corrections
        assert correction.kind == "reseat"
        assert correction.entry == {"seats": ["Anna", "Bo", "Cia", "Dag"]}
        assert correction.seats == ("Dag", "Bo", "Cia", "Anna")


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_voided_entry_leaves_no_effect(data):
    """Random games in which any entry may be written and taken back on the way."""
    table = make_table(games=1, seed=str(uuid.uuid4()))
    sheet = running(table)
    kept = []
    for _ in range(data.draw(st.integers(1, 12))):
        state = table_games(table).games[0].state
        if state.finished:
            break
        entry = data.draw(st.sampled_from(legal_entries(state))).as_json()
        write(sheet, entry)
        if data.draw(st.booleans()):
            void(sheet)
        else:
            kept.append(entry)
    twin = make_table(games=1)
    for entry in kept:
        write(running(twin) if not sheet_of(twin).finished_at else sheet_of(twin), entry)
    assert sheet_of(table).state == sheet_of(twin).state
    assert sheet_of(table).status == sheet_of(twin).status
    assert whole(sheet)
