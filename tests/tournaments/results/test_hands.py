"""Hands and Chicagos beside chance, and the picture of a player's road."""

from __future__ import annotations

import uuid

import pytest

from engine.bots.chance import COUNTED, SEED, count
from engine.messages import category_text
from scoring.enums import RowKind
from scoring.models import Sheet
from scoring.pictures.shapes import Dot, Line
from scoring.writing.correct import correct_entry
from scoring.writing.write import write_game
from tests.tournaments.factories import finished_heat, make_event, make_heats, straight_flush, write
from tests.tournaments.playoffs.factories import finished_event
from tournaments.heats.checks import check_heat
from tournaments.models import Event, Heat
from tournaments.models.enums import HeatStatus
from tournaments.results.commands import add_simulated
from tournaments.results.queries.chance import Simulated, expected, unknown_chances
from tournaments.results.queries.final import champions_of
from tournaments.results.queries.hands import Hands, hands_of
from tournaments.results.queries.tally import CAME, tally_of

pytestmark = pytest.mark.django_db


def hands(event: Event) -> Hands:
    return hands_of(tally_of(event))


def came(found: Hands) -> dict[str, int]:
    return {row.label.lower(): row.came for row in [*found.hands, *found.chicagos] if row.came}


def english(**times: int) -> dict[str, int]:
    return {category_text(key): count for key, count in times.items()}


def correct(sheet: Sheet, kind: RowKind, sequence: int, category: str = "") -> None:
    sheet.refresh_from_db()
    entry = {"kind": "hand", "phase": 1, "seat": 0, "category": category} if category else None
    correct_entry(
        sheet_id=sheet.pk, client_id=uuid.uuid4(), seen_version=sheet.version, author="test",
        kind=kind, sequence=sequence, entry=entry, reason="misheard", by_director=True,
    )  # fmt: skip


def test_hands_of_finished_games_are_counted() -> None:
    event = make_event()
    finished_heat(event, 4)
    make_heats(event, 4)
    found = hands(event)
    assert found.games == 3
    assert came(found) == english(full_house=1, pair=1, straight_flush=3)
    assert found.compares
    pair = found.hands[0]
    assert pair.expected is not None
    assert 0 < pair.expected.times < 5
    assert pair.expected.least < pair.expected.times < pair.expected.most
    # Three straight flushes in three games are far beyond chance, which expects hardly one.
    shown = [row.picture.shapes if row.picture else () for row in found.hands[-2:]]
    assert [any(isinstance(shape, Line) for shape in each) for each in shown] == [True, False]


def test_what_was_taken_back_or_replaced_is_not_counted() -> None:
    event = make_event(games_per_heat=1)
    sheet = Sheet.objects.get(heat_game__heat=make_heats(event, 4).heats[0])
    write(sheet, {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"})
    correct(sheet, RowKind.AMEND, 1, "flush")
    correct(sheet, RowKind.AMEND, 1, "two_pair")
    write(sheet, {"kind": "hand", "phase": 2, "seat": 0, "category": "straight"})
    correct(sheet, RowKind.VOID, 4)
    write(sheet, straight_flush(0, 2))
    assert came(hands(event)) == english(two_pair=1, straight_flush=1)


def test_a_finished_game_that_is_corrected_is_counted_anew() -> None:
    event = make_event(games_per_heat=2)
    sheet = Sheet.objects.get(heat_game__heat=make_heats(event, 4).heats[0], number=1)
    write(sheet, {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"})
    write(sheet, straight_flush(0, 2))
    correct(sheet, RowKind.AMEND, 1, "flush")
    assert came(hands(event)) == english(flush=1, straight_flush=1)
    correct(sheet, RowKind.VOID, 2)
    assert (hands(event).games, came(hands(event))) == (0, {})


def test_a_game_written_at_once_that_is_corrected_is_counted_anew() -> None:
    event = make_event(games_per_heat=2)
    heat = make_heats(event, 4).heats[0]
    sheet = Sheet.objects.get(heat_game__heat=heat, number=1)
    pair = {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"}
    write_game(sheet=sheet, entries=[pair, straight_flush(0, 2)], author="test")
    assert came(hands(event)) == english(pair=1, straight_flush=1)
    assert check_heat(heat=heat) == []
    correct(sheet, RowKind.AMEND, 1, "flush")
    assert came(hands(event)) == english(flush=1, straight_flush=1)
    assert check_heat(heat=heat) == []


def test_a_void_heat_is_not_counted() -> None:
    event = make_event()
    finished_heat(event, 4)
    Heat.objects.update(status=HeatStatus.VOID)
    assert hands(event).games == 0


def test_without_games_there_is_nothing(event: Event) -> None:
    found = hands(event)
    assert (found.games, found.deals, came(found)) == (0, 0, {})


def test_chance_by_other_rules_is_known_once_they_are_simulated() -> None:
    event = make_event(rules="festival+A", games_per_heat=1)
    sheet = Sheet.objects.get(heat_game__heat=make_heats(event, 4).heats[0])
    write(sheet, straight_flush(0))
    assert not hands(event).compares
    assert unknown_chances() == []
    Event.objects.update(status="finished")
    assert unknown_chances() == [("festival+A", 4, 0)]
    for first in (0, 2, 2):
        found = count(4, 2, SEED, "festival+A", first)
        add_simulated(rules="festival+A", players=4, first=first, games=2, came=found)
    # The same games again are not counted twice.
    assert unknown_chances() == [("festival+A", 4, 4)]
    found = hands(event)
    assert found.compares
    assert [(each.games, each.seed) for each in found.simulations] == [(4, SEED)]


def test_the_interval_holds_what_other_games_give() -> None:
    simulated = Simulated(2000, SEED, COUNTED[3])
    played = count(3, 12, "another seed")
    asked = {
        phase: sum(times for (of, _what), times in played.items() if of == phase)
        for phase in range(4)
    }
    inside = [
        by_chance.least <= sum(played[phase, key] for phase in asked) <= by_chance.most
        for key in CAME
        if (by_chance := expected([(asked, simulated)], key))
    ]
    assert inside.count(False) <= 1


def test_the_champions_road_has_a_dot_for_each_heat() -> None:
    event = finished_event(4)
    (champion,) = champions_of(event)
    assert champion.road is not None
    dots = [shape for shape in champion.road.shapes if isinstance(shape, Dot)]
    assert [dot.kind for dot in dots] == ["on"] * len(champion.way)
    ways = [shape for shape in champion.road.shapes if getattr(shape, "kind", "") == "champion"]
    assert len(ways) == len(champion.way) - 1
    assert all(str(station.heat) in champion.road.text for station in champion.way)
