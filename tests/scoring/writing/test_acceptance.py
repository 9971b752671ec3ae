"""The players' acceptances, objections and PINs, and the sign-off that waits for them."""

import uuid
from dataclasses import replace

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from scoring.enums import AcceptedBy, LinkRole
from scoring.errors import LeaseTaken, ScoringError, SheetConflict
from scoring.host import Host, register
from scoring.models import GameAcceptance, Objection, Table
from scoring.reading.acceptance import acceptance_of, needed
from scoring.reading.merge import Take, Tap
from scoring.writing import (
    accept_games,
    accept_with_pin,
    answer_objection,
    call_td,
    choose_pin,
    correct_entry,
    create_link,
    object_to_deal,
    open_next_sheet,
    settle_waiting,
    sign_off,
    take_lease,
    void_sheet,
    withdraw_objection,
)
from scoring.writing.purge import purge_table
from tests.scoring.factories import make_table, none, play, quick_win, running, sheet_of, write

pytestmark = pytest.mark.django_db


class Asking(Host):
    """A host whose tables require as many acceptances as a test says; Bo's PIN is 1357."""

    def __init__(self, policy="majority"):
        self.policy, self.chosen = policy, {"Bo": "1357"}
        self.late = set()

    def acceptance(self, table_id):
        return self.policy

    def with_pin(self, table_id):
        return set(self.chosen)

    def check_pin(self, table_id, player_id, pin):
        if self.chosen.get(player_id) != pin:
            raise ScoringError("wrong_pin", player=player_id)

    def choose_pin(self, table_id, player_id, pin, *, late):
        if player_id in self.chosen:
            raise ScoringError("pin_chosen")
        self.chosen[player_id] = pin
        self.late |= {player_id} if late else set()

    def is_late_pin(self, table_id, player_id):
        return player_id in self.late


@pytest.fixture
def asking():
    host = Asking()
    before = register(host)
    yield host
    register(before)


@pytest.fixture
def played():
    """A table whose only game is over; Anna is the Auditor."""
    table = make_table(games=1, auditor="Anna")
    play(running(table), quick_win())
    return Table.objects.get(pk=table.pk)


def refused(code, act):
    with pytest.raises(ScoringError) as error:
        act()
    assert error.value.code == code


def accept(table, player, number=1, **more):
    seen = {number: sheet_of(table, number).version}
    accept_games(
        **{
            "table_id": table.pk,
            "player_id": player,
            "seen": seen,
            "by": "test",
            "means": AcceptedBy.OWN_PAGE,
            **more,
        }
    )


def acceptance(table):
    table.refresh_from_db()
    sheets = list(table.sheets.order_by("number"))
    return acceptance_of(table, sheets, {player: player for player in table.players})


def auditor(table):
    return create_link(table_id=table.pk, role=LinkRole.AUDITOR, by="test")


def object_(table, player="Bo", deal=1, game=1, **more):
    return object_to_deal(
        **{
            "table_id": table.pk,
            "game": game,
            "deal": deal,
            "player_id": player,
            "text": "flush, not pair",
            "client_id": uuid.uuid4(),
            "by": "test",
            **more,
        }
    )


@pytest.mark.parametrize(
    ("policy", "words"), [("auditor", 0), ("one", 1), ("majority", 2), ("all", 3), ("director", 0)]
)
def test_how_many_acceptances_a_policy_needs(policy, words):
    assert needed(policy, ["Bo", "Cia", "Dag"]) == words


@pytest.mark.parametrize(
    ("policy", "words"), [("auditor", 0), ("one", 2), ("majority", 3), ("all", 4), ("director", 0)]
)
def test_one_more_is_needed_if_whoever_keeps_the_score_is_asked(policy, words):
    assert needed(policy, ["Anna", "Bo", "Cia", "Dag"], keeper=True) == words


def test_sign_off_waits_for_the_events_number_of_acceptances(asking, played):
    link = auditor(played)
    accept(played, "Bo")
    refused("not_accepted", lambda: sign_off(table_id=played.pk, by=link))
    accept(played, "Cia")
    assert sign_off(table_id=played.pk, by=link).signed_at
    words = acceptance(played).games[0].accepted
    assert [(word.player_id, word.means) for word in words] == [
        ("Bo", "own"),
        ("Cia", "own"),
        ("Anna", "auditor"),
    ]


def test_the_auditors_tap_counts_for_the_auditor_only(asking, played):
    asking.policy = "one"
    accept(played, "Anna")
    refused("not_accepted", lambda: sign_off(table_id=played.pk, by=auditor(played)))


def test_by_default_nobody_is_asked(played):
    assert acceptance(played).asked == ()
    assert sign_off(table_id=played.pk, by=auditor(played)).signed_at


def test_if_the_director_accepts_the_table_cannot_sign(asking, played):
    asking.policy = "director"
    refused("only_director_signs", lambda: sign_off(table_id=played.pk, by=auditor(played)))
    assert sign_off(table_id=played.pk, by="director").signed_at


def test_absent_or_disqualified_players_are_not_asked(asking, played):
    Table.objects.filter(pk=played.pk).update(absent=["Dag"])
    assert [each.player_id for each in acceptance(played).asked] == ["Bo", "Cia"]


def test_accepting_twice_counts_once(asking, played):
    accept(played, "Bo")
    revision = Table.objects.get(pk=played.pk).revision
    accept(played, "Bo")
    assert GameAcceptance.objects.count() == 1
    assert Table.objects.get(pk=played.pk).revision == revision


def test_a_correction_requires_acceptance_again(asking, played):
    accept(played, "Bo")
    sheet = sheet_of(played)
    correct_entry(
        kind="void",
        sheet_id=sheet.pk,
        client_id=uuid.uuid4(),
        seen_version=sheet.version,
        author="test",
    )
    play(running(played), quick_win(1))
    assert acceptance(played).of("Bo") is not None


def test_rows_that_change_no_result_leave_what_was_said(played):
    for player in ("Cia", "Bo"):
        accept(played, player)
    sign_off(table_id=played.pk, by=auditor(played))
    before = acceptance(played).games[0].accepted
    sheet = sheet_of(played)
    late = Tap(uuid.uuid4(), none(1), timezone.now())
    for taps in ([late], [replace(late, client_id=uuid.uuid4(), entry=None)]):
        settle_waiting(
            sheet_id=sheet.pk,
            seen_version=sheet_of(played).version,
            base=sheet.version,
            taps=taps,
            take=Take.THEIRS,
            author="test",
            device="",
        )
    assert sheet_of(played).version == sheet.version + 2
    assert acceptance(played).games[0].accepted == before
    assert [word.player_id for word in before] == ["Cia", "Bo", "Anna"]


def test_players_accept_the_version_they_were_shown(asking, played):
    with pytest.raises(SheetConflict):
        accept(played, "Bo", seen={1: sheet_of(played).version - 1})


def test_only_finished_games_are_accepted(asking):
    table = make_table(games=2, auditor="Anna")
    refused("not_finished", lambda: accept(table, "Bo"))
    refused("not_finished", lambda: accept(table, "Bo", seen={9: 0}))
    play(running(table), quick_win())
    refused("unknown_player", lambda: accept(table, "Eve"))


def test_the_next_game_may_go_on_meanwhile(asking):
    table = make_table(games=2, auditor="Anna")
    play(running(table), quick_win())
    open_next_sheet(table_id=table.pk, by="test")
    write(running(table), none(1))
    accept(table, "Bo")
    assert [each.numbers for each in acceptance(table).asked] == ["", "1", "1"]


def test_a_pin_accepts_on_another_phone(asking, played):
    seen = {1: sheet_of(played).version}
    by = auditor(played)
    more = {"table_id": played.pk, "player_id": "Bo", "seen": seen, "by": by}
    refused("wrong_pin", lambda: accept_with_pin(pin="1111", **more))
    accept_with_pin(pin="1357", **more)
    row = GameAcceptance.objects.get()
    assert (row.player, row.means, row.author_link) == ("Bo", "pin", by)
    assert "1357" not in str(vars(row))


def choose(table, player_id, pin, device="phone"):
    choose_pin(table_id=table.pk, player_id=player_id, pin=pin, device=device)


def test_a_pin_is_chosen_during_the_first_deal(asking):
    table = make_table(games=1)
    refused("bad_pin", lambda: choose(table, "Cia", "7777"))
    refused("bad_pin", lambda: choose(table, "Cia", "12a4"))
    refused("unknown_player", lambda: choose(table, "Eve", "2468"))
    choose(table, "Cia", "2468")
    refused("pin_chosen", lambda: choose(table, "Cia", "9753"))


def test_a_later_pin_needs_another_phone_and_is_marked_until_a_game_is_accepted(asking):
    table = make_table(games=1)
    take_lease(sheet_id=running(table).pk, device="phone", author=auditor(table))
    play(running(table), quick_win())
    sheet = sheet_of(table)
    refused("pin_elsewhere", lambda: choose(table, "Cia", "2468"))
    choose(table, "Cia", "2468", device="another")
    more = {"table_id": table.pk, "seen": {1: sheet.version}, "by": auditor(table)}
    accept_with_pin(player_id="Cia", pin="2468", **more)
    accept_with_pin(player_id="Bo", pin="1357", **more)
    rows = GameAcceptance.objects.values_list("player", "means")
    assert dict(rows) == {"Cia": "late_pin", "Bo": "pin"}
    accept_games(player_id="Dag", means=AcceptedBy.OWN_PAGE, **more)
    refused("late_pin", lambda: choose(table, "Dag", "9753", device="another"))


def test_an_unanswered_objection_prevents_the_sign_off(played):
    row = object_(played)
    link = auditor(played)
    refused("objection_open", lambda: sign_off(table_id=played.pk, by=link))
    refused("missing_reason", lambda: answer(played, row, " "))
    answer(played, row, "The flush stands.")
    refused("answered", lambda: answer(played, row, "Again."))
    assert sign_off(table_id=played.pk, by=link).signed_at
    refused("signed_off", lambda: object_(played))


def answer(table, row, reason):
    answer_objection(table_id=table.pk, objection_id=row.pk, reason=reason, by="director")


def test_an_objection_is_made_once_and_play_goes_on():
    table = make_table()
    client_id = uuid.uuid4()
    first = object_(table, client_id=client_id)
    assert object_(table, client_id=client_id).pk == first.pk
    refused("client_id_reused", lambda: object_(table, "Cia", client_id=client_id))
    write(running(table), none(1))
    assert Objection.objects.count() == 1


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("no_such_deal", {"deal": 2}),
        ("no_such_deal", {"deal": 0}),
        ("no_such_deal", {"game": 2}),
        ("unknown_player", {"player": "Eve"}),
    ],
)
def test_an_objection_must_name_a_deal_that_was_played(code, wrong):
    refused(code, lambda: object_(make_table(), **wrong))


def test_only_the_player_who_objected_can_withdraw_it(asking, played):
    row = object_(played)
    refused("own_objection", lambda: accept(played, "Bo"))
    mine = {"table_id": played.pk, "objection_id": row.pk, "by": "test"}
    refused("no_such_objection", lambda: withdraw_objection(player_id="Cia", **mine))
    other = make_table()
    refused(
        "no_such_objection",
        lambda: withdraw_objection(**{**mine, "table_id": other.pk, "player_id": "Bo"}),
    )
    withdraw_objection(player_id="Bo", **mine)
    accept(played, "Bo")


def test_an_open_call_prevents_the_sign_off(played):
    call_td(table_id=played.pk, reason="")
    refused("call_open", lambda: sign_off(table_id=played.pk, by=auditor(played)))


def test_the_director_signs_under_protest(played):
    object_(played)
    refused("objection_open", lambda: sign_off(table_id=played.pk, by="director"))
    signed = sign_off(table_id=played.pk, by="director", protest="Nobody remembers the deal.")
    assert signed.protest == "Nobody remembers the deal."


def test_no_link_signs_under_protest(played):
    object_(played)
    link = auditor(played)
    refused("objection_open", lambda: sign_off(table_id=played.pk, by=link, protest="I say so"))


def test_a_device_without_the_lease_cannot_sign():
    table = make_table(games=1)
    write(running(table), quick_win(), device="one")
    with pytest.raises(LeaseTaken):
        sign_off(table_id=table.pk, by=auditor(table), device="other")
    assert sign_off(table_id=table.pk, by=auditor(table), device="one").signed_at


def test_a_void_last_game_gives_no_other_device_the_sign_off():
    table = make_table(games=2)
    write(running(table), quick_win(), device="one")
    void_sheet(sheet_id=sheet_of(table, 2).pk, reason="not begun")
    with pytest.raises(LeaseTaken):
        sign_off(table_id=table.pk, by=auditor(table), device="other")
    assert sign_off(table_id=table.pk, by=auditor(table), device="one").signed_at


@pytest.mark.parametrize("table_name", ["gameacceptance", "objection", "objectionanswer"])
@pytest.mark.parametrize(
    "statement", ["UPDATE scoring_{} SET author = 'x'", "DELETE FROM scoring_{}"]
)
def test_the_database_keeps_acceptances_and_objections(played, table_name, statement):
    accept(played, "Cia")
    answer(played, object_(played), "No.")
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement.format(table_name))


def test_a_casual_table_is_deleted_with_its_acceptances():
    table = make_table(games=1, directed=False)
    play(running(table), quick_win())
    accept(table, "Bo")
    answer(table, object_(table), "No.")
    purge_table(table_id=table.pk)
    assert not Table.objects.filter(pk=table.pk).exists()
