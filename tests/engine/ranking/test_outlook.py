"""The outlook of an unfinished heat, against plain enumeration (docs/formats/heat.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import ChicagoError
from engine.ranking.heat import PlayerResult, rank
from engine.ranking.outlook import FESTIVAL_POINTS, HeatSoFar, Unless, outlook, status

SM_POINTS = tuple(Fraction(points) for points in (20, 12, 8, 5))


def standing(points: Mapping[str, object], games_left: int, advance: int = 1, **more) -> HeatSoFar:
    exact = {name: Fraction(str(value)) for name, value in points.items()}
    return HeatSoFar(exact, games_left, advance, **more)


def every_end(heat: HeatSoFar) -> Iterator[dict[str, Fraction]]:
    """Yield all final game points, trying every order of every remaining game."""
    names = list(heat.points)
    for orders in product(permutations(names), repeat=heat.games_left):
        final = dict(heat.points)
        for order in orders:
            for place, name in enumerate(order):
                final[name] += heat.place_points[place]
        yield final


def by_enumeration(heat: HeatSoFar, player: str) -> tuple[bool, bool]:
    """Return (clinched, eliminated) as docs/formats/heat.md defines them."""
    if player in heat.disqualified:
        return False, True
    rivals = [name for name in heat.points if name != player and name not in heat.disqualified]
    clinched, eliminated = heat.advance > 0, True
    for final in every_end(heat):
        level_or_above = sum(final[rival] >= final[player] for rival in rivals)
        above = sum(final[rival] > final[player] for rival in rivals)
        clinched = clinched and level_or_above < heat.advance
        eliminated = eliminated and above >= heat.advance
    return clinched, eliminated


@st.composite
def standings(draw: st.DrawFn, games: int) -> HeatSoFar:
    names = "ABCD"[: draw(st.integers(2, 4))]
    table = draw(st.sampled_from([FESTIVAL_POINTS, SM_POINTS]))
    points = {
        name: draw(st.sampled_from([0, 8, 12, 15, 20, 28, 35, 40, Fraction(27, 2)]))
        for name in names
    }
    return HeatSoFar(
        {name: Fraction(value) for name, value in points.items()},
        draw(st.integers(0, games)),
        draw(st.integers(0, 3)),
        table,
        frozenset(draw(st.sets(st.sampled_from(names), max_size=1))),
    )


@settings(max_examples=150, deadline=None)
@given(standings(games=2))
def test_clinched_and_eliminated_match_enumeration(heat: HeatSoFar) -> None:
    for found in outlook(heat):
        assert (found.clinched, found.eliminated) == by_enumeration(heat, found.player)


@settings(max_examples=150, deadline=None)
@given(standings(games=2), st.randoms())
def test_the_ranking_lets_go_on_who_had_clinched_and_nobody_who_was_out(heat, chance) -> None:
    final = chance.choice(list(every_end(heat)))
    results = [
        PlayerResult(
            name, points, chance.randrange(150), chance.randrange(3), name in heat.disqualified
        )
        for name, points in final.items()
    ]
    advances = rank(results, advance=heat.advance).advances
    for before in outlook(heat):
        assert before.player in advances or not before.clinched
        assert before.player not in advances or not before.eliminated


@settings(max_examples=60, deadline=None)
@given(standings(games=2))
def test_the_outcome_of_a_place_holds_for_every_order(heat: HeatSoFar) -> None:
    for found in outlook(heat):
        for outcome in found.next_game:
            others = [name for name in heat.points if name != found.player]
            for order in permutations(others):
                whole = [*order[: outcome.place - 1], found.player, *order[outcome.place - 1 :]]
                after = HeatSoFar(
                    {n: heat.points[n] + heat.place_points[whole.index(n)] for n in heat.points},
                    heat.games_left - 1,
                    heat.advance,
                    heat.place_points,
                    heat.disqualified,
                )
                spoiled = order in outcome.orders or any(
                    whole.index(condition.player) < condition.place for condition in outcome.unless
                )
                assert (status(after, found.player) != outcome.then) is spoiled
                assert not spoiled or outcome.otherwise is not None


def test_a_condition_is_the_same_whether_it_spoils_all_or_leaves_a_tie() -> None:
    assert Unless("Bo", 1, level=True) == Unless("Bo", 1)


def test_second_is_enough_unless_bo_wins() -> None:
    heat = standing({"Anna": 35, "Bo": 35, "Cia": 24, "Dag": 16}, 1)
    anna = outlook(heat)[0]
    second = anna.next_game[1]
    assert (second.place, second.then, second.otherwise) == (2, "clinched", "eliminated")
    assert [(c.player, c.place) for c in second.unless] == [("Bo", 1)]
    assert anna.enough == 1
    assert anna.needed == 3
    assert anna.as_json()["needs"]["next_game"][1] == {
        "place": 2,
        "then": "clinched",
        "unless": [{"player": "Bo", "place": 1}],
        "orders": [],
        "otherwise": "eliminated",
    }


def test_a_tie_on_game_points_is_neither_clinched_nor_eliminated() -> None:
    first, second, third = outlook(standing({"A": 47, "B": 47, "C": 30}, 0))
    assert (first.clinched, first.eliminated, first.tied) == (False, False, True)
    assert first.as_json()["needs"] == {"games_left": 0, "tie": True}
    assert second.tied
    assert third.eliminated
    assert third.as_json()["needs"] is None


def test_everybody_is_clinched_if_there_are_places_for_all() -> None:
    assert all(found.clinched for found in outlook(standing({"A": 0, "B": 50, "C": 9}, 3, 3)))


def test_disqualified_players_are_eliminated_and_take_no_advancing_place() -> None:
    heat = standing({"A": 60, "B": 40, "C": 10}, 0, disqualified=frozenset("A"))
    assert [(o.clinched, o.eliminated) for o in outlook(heat)] == [
        (False, True),
        (True, False),
        (False, True),
    ]


@pytest.mark.parametrize("games_left", [6, 100])
def test_long_heats_are_answered(games_left: int) -> None:
    heat = standing({"A": 40, "B": 35, "C": 31, "D": 20}, games_left, 2)
    assert not any(found.clinched or found.eliminated for found in outlook(heat))


@pytest.mark.parametrize(
    "heat",
    [
        standing({"A": 1}, 1),
        standing(dict.fromkeys("ABCDE", 0), 1),
        standing({"A": 1, "B": 2}, -1),
        standing({"A": 1, "B": 2}, 101),
        standing({"A": 1, "B": 2}, 1, -1),
        standing({"A": 1, "B": 2, "C": 3}, 1, place_points=SM_POINTS[:2]),
    ],
)
def test_values_out_of_range_are_refused(heat: HeatSoFar) -> None:
    with pytest.raises(ChicagoError) as error:
        outlook(heat)
    assert error.value.code == "bad_value"
