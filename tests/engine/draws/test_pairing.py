"""Rulebook §6: draws that avoid repeated opponents and that anybody can repeat."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.draws.draw import heat_sizes, split_heats
from engine.draws.pairing import NOTHING, fair_split, pair_of
from engine.errors import ChicagoError

NAMES = [f"P{number:02}" for number in range(16)]


def test_paragraph_6_without_history_it_equals_the_plain_draw() -> None:
    division = fair_split("seed", NAMES, heat_sizes(16))
    assert [list(group) for group in division.groups] == split_heats("seed", NAMES)
    assert division.attempt == 0


def test_paragraph_6_tables_of_four_are_drawn_without_a_repeat_while_possible() -> None:
    met: dict[tuple[str, str], int] = {}
    for number in range(3):
        division = fair_split(f"round {number}", NAMES, [4, 4, 4, 4], meetings=met)
        assert division.cost == NOTHING, number
        for group in division.groups:
            for a, b in combinations(group, 2):
                met[pair_of(a, b)] = met.get(pair_of(a, b), 0) + 1


def test_paragraph_6_keeping_apart_outweighs_earlier_meetings() -> None:
    players = ["A", "B", "C", "D", "E", "F"]
    met = {pair_of(a, b): 5 for a in "ABC" for b in "DEF"}
    division = fair_split("s", players, [3, 3], meetings=met, kept_apart=[("B", "A")])
    assert not any({"A", "B"} <= set(group) for group in division.groups)
    assert division.cost.kept_apart == 0
    assert division.cost.meetings > 0


def test_paragraph_6_tables_of_three_go_to_those_who_had_fewest() -> None:
    players = NAMES[:7]
    tables_of_three = dict.fromkeys(players[:4], 1)
    division = fair_split("s", players, [4, 3], tables_of_three=tables_of_three)
    assert set(division.groups[1]) == set(players[4:])


def test_paragraph_6_sizes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ChicagoError) as caught:
        fair_split("s", NAMES[:7], [4, 4])
    assert caught.value.code == "cannot_split"


@settings(max_examples=60, deadline=None)
@given(
    seed=st.text(max_size=8),
    count=st.integers(6, 14),
    data=st.data(),
)
def test_paragraph_6_everybody_sits_once_and_order_of_the_list_does_not_matter(
    seed: str, count: int, data: st.DataObject
) -> None:
    players = NAMES[:count]
    pairs = st.sampled_from([pair_of(a, b) for a, b in combinations(players, 2)])
    met = data.draw(st.dictionaries(pairs, st.integers(1, 3), max_size=20))
    sizes = heat_sizes(count)
    division = fair_split(seed, players, sizes, meetings=met)
    assert sorted(name for group in division.groups for name in group) == players
    assert [len(group) for group in division.groups] == sizes
    again = fair_split(
        seed, players[::-1], sizes, meetings={(b, a): n for (a, b), n in met.items()}
    )
    assert again == division
