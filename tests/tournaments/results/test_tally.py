"""Counts and records: what is taken in, that they add up, and whose names are shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.models import Sheet
from tests.tournaments.factories import finished_heat, make_event, make_heats, write
from tournaments.models import GameHands, GameResult, Heat
from tournaments.models.enums import HeatStatus
from tournaments.results.queries.records import statistics_of
from tournaments.results.queries.tally import (
    CHICAGOS,
    FAST,
    RARE,
    RUN,
    SAD,
    SCORE,
    Record,
    Tally,
    added,
    best,
    tally_from,
    tally_of,
)

pair = {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"}


@pytest.mark.django_db
def test_records_of_an_event() -> None:
    event = make_event()
    heat = finished_heat(event, 4)
    winner = heat.entries.order_by("pk")[0].registration
    tally = tally_of(event)
    assert tally.games == 3
    assert tally.tables["4"]["games"] == 3
    assert tally.tables["4"]["lengths"] == 3
    assert tally.hands == {event.rules: {"4": tally.hands[event.rules]["4"]}}
    assert tally.hands[event.rules]["4"]["straight_flush"] == 3
    assert tally.records[RUN][0][:2] == (3, winner.pk)
    assert [row.registration for row in tally.records[RARE]][:3] == [winner.pk] * 3
    assert tally.records[SAD] == tally.records[CHICAGOS] == []
    dealers = sum(
        result.seat == result.game.sheet.dealer for result in GameResult.objects.filter(place=1)
    )
    assert tally.tables["4"]["dealer"] == dealers
    found = statistics_of(tally)
    rows = {each.key: each.rows for each in found.records}
    assert rows[RUN][0].name == winner.person.legal_name
    assert rows[RARE][0].href == heat.get_absolute_url()
    winner.visibility = "hidden"
    winner.save()
    named = {row.name for each in statistics_of(tally).records for row in each.rows}
    assert winner.person.legal_name not in named


@pytest.mark.django_db
def test_whoever_reaches_the_target_without_a_chicago_is_on_the_sad_list() -> None:
    event = make_event(games_per_heat=1)
    sheet = Sheet.objects.get(heat_game__heat=make_heats(event, 4).heats[0])
    quads = [pair | {"category": "four_of_a_kind", "phase": phase, "seat": 1} for phase in (1, 2)]
    tricks = {"kind": "last_trick", "seat": 1, "deuce": False}
    last = pair | {"category": "four_of_a_kind", "phase": 3, "seat": 1}
    while sheet.status != "finished" and "out" not in sheet.state["status"]:
        for entry in (*quads, tricks, last):
            if "out" not in sheet.state["status"]:
                sheet = write(sheet, entry)
    phase = sheet.state["phase"]
    sheet = write(sheet, pair | {"category": "straight_flush", "phase": phase})
    assert sheet.status == "finished"
    fallen = GameResult.objects.get(zeroed=1)
    assert fallen.seat == 1
    assert fallen.came["four_of_a_kind"] >= 3
    assert tally_of(event).records[SAD] == [Record(1, fallen.entry.registration_id)]
    assert tally_of(event).tables["4"]["zeroed"] == 1
    assert GameHands.objects.get().length == 3
    Heat.objects.update(status=HeatStatus.VOID)
    assert tally_of(event).games == 0


@pytest.mark.django_db
def test_a_stored_tally_is_the_same() -> None:
    event = make_event()
    finished_heat(event, 3)
    tally = tally_of(event)
    assert tally_from(tally.as_json()) == tally
    assert tally_from({}) == Tally()
    both = added([tally, Tally(), tally_from(tally.as_json())])
    assert both.games == 6
    assert both.tables["3"]["games"] == 6
    assert both.records[SCORE][0] == tally.records[SCORE][0]


values = st.lists(st.integers(0, 60), max_size=9)


@given(values, values, st.sampled_from([SCORE, FAST]))
def test_the_best_of_parts_are_the_best_of_all(one: list[int], other: list[int], name: str) -> None:
    rows = [[Record(value, 1) for value in each] for each in (one, other)]
    parts = [Tally(records={name: best(name, each)}) for each in rows]
    assert added(parts).records[name] == best(name, rows[0] + rows[1])
