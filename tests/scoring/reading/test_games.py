"""The replayed games: seats, deals, which scores were zeroed and why, places, names."""

from fractions import Fraction
from uuid import uuid4

import pytest

from engine.messages.outlook import sentences
from engine.ranking.outlook import HeatSoFar, PlayerOutlook, outlook
from engine.sheet.facts import ScoreChanged
from scoring.enums import RowKind
from scoring.host import Clock, Host, register
from scoring.models import Sheet
from scoring.reading.correction import plan_correction
from scoring.reading.games import table_games
from scoring.reading.names import names_for
from scoring.reading.outlook import needs_of
from scoring.reading.pages import change_text
from scoring.reading.protocol import protocol_of
from scoring.reading.ranking import heat_ranking
from scoring.reading.words import entry_text
from scoring.templatetags.scoring_sheet import fence
from scoring.writing import correct_entry, create_link, open_next_sheet

from ..factories import (
    FOUR,
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


#: One deal that gives a seat 18 points, so that it may declare a Chicago.
def eighteen(seat):
    return (
        hand(1, seat, "flush"),
        hand(2, seat, "full_house"),
        trick(seat),
        hand(3, seat, "two_pair"),
    )


def score_changes(entry):
    return [fact for fact in entry.facts if isinstance(fact, ScoreChanged)]


def game(table, number=1):
    return table_games(table).games[number - 1]


def test_deals_have_their_dealer_entries_and_scores():
    table = make_table()
    play(running(table), *eighteen(1), none(1), none(2), chicago(1, False, breaker=3), none(1))
    first, second, third = game(table).deals
    assert (first.number, first.dealer, first.scores) == (1, 0, (0, 18, 0, 0))
    assert (second.number, second.dealer, second.scores) == (2, 1, (0, 3, 0, 10))
    assert (third.number, third.dealer) == (3, 2)
    assert [(fact.seat, fact.gain, fact.cause) for fact in score_changes(second.entries[2])] == [
        (1, -15, "chicago_lost"),
        (3, 10, "breaker"),
    ]
    assert [entry.sequence for entry in second.entries] == [5, 6, 7]
    assert game(table).deals_played == 3


def test_a_game_stopped_before_its_first_deal_has_no_deals():
    table = make_table()
    play(running(table), ruling("points", 1, points=-5), ruling("end_game"))
    assert game(table).deals_played == 0
    assert [len(deal.entries) for deal in game(table).deals] == [2]


def test_seats_show_everything_on_the_sheet():
    table = make_table()
    play(running(table), *eighteen(1), none(1), none(2), chicago(1), *eighteen(1)[:3])
    seat = game(table).seats[1]
    assert (seat.name, seat.score, seat.executed, seat.asterisks) == ("Bo", 49, True, 1)
    assert seat.discardless
    assert (seat.status, seat.places, seat.game_points) == ("in", None, None)
    assert [row.dealer for row in game(table).seats] == [False, False, True, False]


def zeroed(table):
    return {
        seat.name: [(z.deal, z.score_before, z.cause) for z in seat.zeroed]
        for seat in game(table).seats
        if seat.zeroed
    }


class TestZeroed:
    def test_at_the_target_without_a_chicago(self):
        table = make_table()
        play(running(table), *eighteen(0), *eighteen(0), *eighteen(0)[:3])
        assert zeroed(table) == {"Anna": [(3, 52, "no_chicago")]}
        assert game(table).seats[0].status == "out"
        last = game(table).last[1]
        assert [(fact.before, fact.after, fact.cause) for fact in score_changes(last)] == [
            (47, 52, "last_trick"),
            (52, 0, "no_chicago"),
        ]
        assert change_text(last, ["Anna", "Bo", "Cia", "Dag"]).endswith(" 52")

    def test_by_a_last_trick_with_a_deuce(self):
        table = make_table()
        play(running(table), *eighteen(0), *eighteen(0), *eighteen(0)[:2], trick(0, deuce=True))
        assert zeroed(table) == {"Anna": [(3, 57, "no_chicago")]}

    def test_by_the_bonus_for_breaking_a_chicago(self):
        table = make_table()
        play(running(table), *eighteen(0), *eighteen(0), *eighteen(1), *eighteen(0)[:2])
        play(running(table), chicago(1, False, breaker=0))
        assert zeroed(table) == {"Anna": [(4, 57, "no_chicago")]}
        change = change_text(game(table).last[1], ["Anna", "Bo", "Cia", "Dag"])
        assert change.startswith("Bo −15, Anna ")
        assert change.endswith(" 57")

    def test_after_the_deal_by_the_entry_that_closes_it(self):
        table = make_table(rules="svensk")
        play(running(table), *eighteen(0), *eighteen(0), *eighteen(0)[:3], hand(3, 1, "pair"))
        assert zeroed(table) == {"Anna": [(3, 52, "no_chicago")]}
        assert game(table).seats[0].status == "in"

    def test_by_four_of_a_kind(self):
        table = make_table()
        play(running(table), *eighteen(0), hand(1, 2, "four_of_a_kind", reset=True))
        assert zeroed(table) == {"Anna": [(2, 18, "reset")]}

    def test_by_a_royal_flush(self):
        table = make_table()
        play(running(table), *eighteen(0), hand(1, 2, "royal_flush"))
        assert zeroed(table) == {"Anna": [(2, 18, "royal_flush")]}

    def test_by_an_illegal_exchange(self):
        table = make_table()
        play(
            running(table),
            *eighteen(0),
            *eighteen(0),
            *eighteen(0)[:2],
            {"kind": "illegal_discard", "seat": 0},
        )
        assert zeroed(table) == {"Anna": [(3, 47, "illegal_discard")]}

    def test_by_the_director(self):
        table = make_table()
        play(running(table), *eighteen(0), ruling("sit_out_game", 0))
        assert zeroed(table) == {"Anna": [(2, 18, "sit_out_game")]}

    def test_a_broken_chicago_is_not_reported_as_zeroing(self):
        table = make_table()
        play(running(table), *eighteen(0), ruling("points", 0, points=-3))
        play(running(table), none(1), none(2), chicago(0, False))
        assert game(table).seats[0].score == 0
        assert zeroed(table) == {}


def test_places_are_shared_and_points_exact():
    table = make_table()
    play(running(table), hand(1, 0), hand(2, 1, "royal_flush"))
    read = game(table)
    assert [seat.places for seat in read.seats] == [(2, 4), (1, 1), (2, 4), (2, 4)]
    assert read.seats[0].game_points == Fraction(35, 3)
    assert read.points_sum == read.points_expected == 55
    assert (read.winners, read.win) == ((1,), "royal_flush")


class TestProtocol:
    def test_every_game_and_the_ranking_with_its_reason(self):
        table = make_table(("A", "B", "C"), games=2, auditor="B")
        write(running(table), quick_win(0))
        protocol = protocol_of(table.pk)
        assert (protocol.auditor, protocol.limit) == ("B", 45)
        assert protocol.provisional
        assert [row.advances for row in protocol.ranking] == [False, False, False]
        assert protocol.ranking[0].points_per_game == (Fraction(20), None)
        assert (protocol.checksum, protocol.checksum_expected) == (47, 47)

    def test_the_code_changes_with_every_row(self):
        table = make_table()
        codes = {protocol_of(table.pk).code}
        for entry in (none(1), none(2), trick(0)):
            write(running(table), entry)
            codes.add(protocol_of(table.pk).code)
        assert len(codes) == 4
        assert all(len(code) == 14 for code in codes)

    def test_a_fixed_number_of_queries(self, django_assert_max_num_queries):
        table = make_table()
        play(running(table), *eighteen(0), *eighteen(1))
        # The last one fetches the acceptances.
        with django_assert_max_num_queries(6):
            protocol_of(table.pk)


def test_a_corrections_effect_on_the_ranking():
    table = make_table(("A", "B", "C"), games=1)
    play(running(table), hand(1, 0), hand(2, 0, "straight_flush"))
    sheet = sheet_of(table)
    change = hand(2, 1, "straight_flush")
    plan = plan_correction(sheet, kind=RowKind.AMEND, sequence=2, entry=change)
    after = heat_ranking(table=table, sheets=[sheet], replaced={sheet.pk: plan.state.as_json()})
    assert after.rows[0].player == "B"
    assert heat_ranking(table=table, sheets=[sheet]).rows[0].player == "A"
    correct_entry(
        kind=RowKind.AMEND,
        by_director=True,
        sheet_id=sheet.pk,
        client_id=sheet.public_id,
        seen_version=2,
        author="x",
        sequence=2,
        entry=change,
        reason="misheard",
    )
    assert protocol_of(table.pk).ranking[0].name == "B"


class Namesakes(Host):
    """A tournament where two players have the same name and one is unknown."""

    def names(self, table_ids):
        return {table_id: {"1": "Anna", "2": "Anna", "3": "Cia"} for table_id in table_ids}


class TestNames:
    def test_references_become_distinct_names(self):
        register(Namesakes())
        table = make_table(("1", "2", "3", "9"))
        assert names_for([table])[table.pk] == {"1": "Anna", "2": "Anna (2)", "3": "Cia", "9": "9"}

    def test_pages_show_names_only(self, client):
        from ..factories import auditor_link
        from ..web.phone import told_by

        register(Namesakes())
        table = make_table(("1", "2", "3"), games=1)
        play(running(table), hand(1, 0, "flush"), hand(2, 1, "flush"), ruling("end_game"))
        told = told_by(client, auditor_link(table))
        assert "Anna (2)" in told["document"]["games"][0]["seats"]
        assert 'value="2\n1"' in told["parts"]["ties"]["html"]
        assert [row.name for row in protocol_of(table.pk).ranking][2] == "Cia"


def test_a_ruling_in_points_says_how_many_once():
    table = make_table()
    play(running(table), hand(1, 1, "flush"), ruling("points", 1, points=-5))
    names = ["Anna", "Bo", "Cia", "Dag"]
    first, ruled = (row for deal in game(table).deals for row in deal.entries)
    assert entry_text(ruled.entry, names).count("5") == 1
    assert (change_text(first, names), change_text(ruled, names)) == ("+5", "")


def test_no_stroke_stands_alone_in_a_row_of_fences():
    tens = [str(fence(52)).split('class="ten"'), str(fence(46)).split('class="ten"')]
    assert [ten.count("<use") for ten in tens[0][1:]] == [2, 2, 2, 2, 3]
    assert [ten.count("<use") for ten in tens[1][1:]] == [2, 2, 2, 2, 2]


def test_only_who_is_level_in_everything_needs_the_flip_flop():
    """Rulebook §5, tie chain: sheet points come before the Flip Flop."""
    table = make_table(("A", "B", "C"), games=3, advance=2)
    for number, scores in enumerate(((6, 3, 1), (1, 5, 3), (3, 1, 5))):
        if number:
            open_next_sheet(table_id=table.pk, by="test")
        points = (ruling("points", seat, points=score) for seat, score in enumerate(scores))
        play(running(table), *points, ruling("end_game"))
    protocol = protocol_of(table.pk)
    assert protocol.needs_flip_flop == (("B", "C"),)
    level, *flip_flop = (need.sentences for need in needs_of(protocol))
    found = {name: PlayerOutlook(name, False, False, 0, tied=True) for name in "ABC"}
    assert level == tuple(sentences(found["A"]))
    assert flip_flop == [tuple(sentences(found[name], flip_flop=True)) for name in "BC"]


def test_corrections_at_the_table_are_by_the_auditor_with_name():
    table = make_table(auditor=FOUR[1])
    sheet = running(table)
    write(sheet, hand(1, 0))
    link = create_link(table_id=table.pk, role="auditor", by="test")
    done = {"sheet_id": sheet.pk, "kind": RowKind.VOID, "sequence": 1, "reason": "misheard"}
    correct_entry(**done, client_id=uuid4(), seen_version=1, author=link)
    (made,) = game(table).corrections
    assert (made.at_table, made.author) == (True, names_for([table])[table.pk][FOUR[1]])


def test_what_players_need_is_told_after_each_game():
    table = make_table(("A", "B", "C"), games=3)
    play(running(table), hand(1, 0))
    assert needs_of(protocol_of(table.pk)) == ()
    play(running(table), quick_win(0) | {"phase": 2})
    assert [need.after for need in needs_of(protocol_of(table.pk))] == [1, 1, 1]
    # In the middle of the second game "the next one" is still that one.
    play(open_next_sheet(table_id=table.pk, by="test"), hand(1, 0))
    assert [need.after for need in needs_of(protocol_of(table.pk))] == [1, 1, 1]


def test_a_game_not_begun_when_the_time_is_up_decides_nothing():
    table = make_table(("A", "B", "C"), games=3)
    write(running(table), quick_win(0))
    protocol, over = protocol_of(table.pk), Clock("over", 0)

    def tags():
        return [need.tag for need in needs_of(protocol_of(table.pk), clock=over)]

    found = needs_of(protocol, clock=Clock("running", 60))
    assert [(need.when, need.tag) for need in found] == [
        *(("until-time-up", ""),) * 3,
        *(("when-time-up", tag) for tag in ("through", "gone", "gone")),
    ]
    assert tags() == ["through", "gone", "gone"]
    write(open_next_sheet(table_id=table.pk, by="test"), none(1))
    points = {row.player_id: row.game_points for row in protocol.ranking}
    heat = HeatSoFar(points, games_left=1)
    found = [tuple(sentences(each)) for each in outlook(heat)]
    assert [each.sentences for each in needs_of(protocol_of(table.pk), clock=over)] == found


def test_nobody_needs_anything_if_the_time_was_up_before_the_first_game():
    table = make_table(("A", "B", "C"))
    Sheet.objects.filter(table=table).update(status="waiting")
    assert needs_of(protocol_of(table.pk), clock=Clock("over", 0)) == ()
