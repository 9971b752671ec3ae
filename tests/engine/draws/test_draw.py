"""Draws from a recorded seed (rulebook §6)."""

from __future__ import annotations

import contextlib
import hashlib
import io
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.draws import draw
from engine.errors import ChicagoError

DOCS = Path(__file__).parents[3] / "docs" / "draw.md"


def the_documents_script() -> str:
    found = re.search(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found.group(1)


def test_the_documented_script_repeats_the_engines_draw() -> None:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(the_documents_script(), "draw.md", "exec"), {})
    players = ["Anna", "Bo", "Cia", "Dag", "Eva", "Fia", "Åke"]
    heats = draw.split_heats("festival-2026", players)
    assert out.getvalue().splitlines() == [str(heat) for heat in heats]


def test_the_documented_script_is_ten_lines_and_needs_only_hashlib() -> None:
    lines = [line for line in the_documents_script().splitlines() if line.strip()]
    assert len(lines) <= 10
    assert [line for line in lines if "import" in line] == ["import hashlib"]


def test_a_lot_is_the_sha256_of_three_lines() -> None:
    expected = hashlib.sha256("s\nheats\nÅke".encode()).hexdigest()
    assert draw.lot("s", "heats", "Åke") == expected


@given(st.lists(st.text(), unique=True, max_size=12), st.text(), st.text(), st.randoms())
def test_the_order_given_does_not_matter_and_nobody_is_lost(items, seed, label, chance) -> None:
    mixed = items[:]
    chance.shuffle(mixed)
    drawn = draw.shuffled(seed, label, items)
    assert drawn == draw.shuffled(seed, label, mixed)
    assert sorted(drawn) == sorted(items)


def test_invalid_unicode_gets_a_lot_too() -> None:
    assert sorted(draw.shuffled("\ud800", "x", ["\udfff", "a"])) == ["a", "\udfff"]


def test_a_repeated_item_is_refused() -> None:
    with pytest.raises(ChicagoError) as error:
        draw.shuffled("s", "l", ["Bo", "Anna", "Bo"])
    assert error.value.code == "repeated_item"
    assert error.value.params == {"item": "Bo"}


def test_every_game_has_its_own_seats() -> None:
    players = ["Anna", "Bo", "Cia", "Dag"]
    orders = {tuple(draw.seat_order("seed", number, players)) for number in range(1, 20)}
    assert len(orders) > 8
    assert draw.seat_order("seed", 2, players) == draw.shuffled("seed", "game 2", players)


def test_all_orders_of_four_seats_are_about_equally_frequent() -> None:
    seen = Counter(
        tuple(draw.shuffled(str(seed), "game 1", ["A", "B", "C", "D"])) for seed in range(4800)
    )
    assert len(seen) == 24
    assert 140 < min(seen.values()) <= max(seen.values()) < 260


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (3, [3]),
        (4, [4]),
        (6, [3, 3]),
        (7, [4, 3]),
        (8, [4, 4]),
        (9, [3, 3, 3]),
        (10, [4, 3, 3]),
        (11, [4, 4, 3]),
        (12, [4, 4, 4]),
        (13, [4, 3, 3, 3]),
        (24, [4] * 6),
    ],
)
def test_heat_sizes(players: int, sizes: list[int]) -> None:
    assert draw.heat_sizes(players) == sizes


@pytest.mark.parametrize("players", [-4, 0, 1, 2, 5])
def test_numbers_that_cannot_be_split_are_refused(players: int) -> None:
    with pytest.raises(ChicagoError) as error:
        draw.heat_sizes(players)
    assert error.value.code == "cannot_split"


def test_every_other_number_splits_into_threes_and_fours() -> None:
    for players in [3, 4, *range(6, 3000)]:
        sizes = draw.heat_sizes(players)
        assert sum(sizes) == players
        assert set(sizes) <= {3, 4}
        assert sizes == sorted(sizes, reverse=True)
        assert len(sizes) == -(-players // 4)


@settings(max_examples=50)
@given(st.integers(6, 60), st.text(max_size=5))
def test_split_heats_seats_everybody_once(players: int, seed: str) -> None:
    names = [f"p{n}" for n in range(players)]
    heats = draw.split_heats(seed, names)
    assert [len(heat) for heat in heats] == draw.heat_sizes(players)
    assert sorted(name for heat in heats for name in heat) == sorted(names)


@pytest.mark.parametrize("sizes", [[3, 3], [4, 4], [7, 0], [8, -1]])
def test_split_heats_refuses_sizes_that_do_not_fit(sizes: list[int]) -> None:
    with pytest.raises(ChicagoError, match="7"):
        draw.split_heats("s", list("abcdefg"), sizes)


def test_split_heats_takes_given_sizes() -> None:
    heats = draw.split_heats("s", list("abcde"), [3, 2])
    assert [len(heat) for heat in heats] == [3, 2]


def test_new_seeds_differ() -> None:
    assert len({draw.new_seed() for _ in range(50)}) == 50
