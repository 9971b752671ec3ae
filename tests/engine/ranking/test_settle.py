"""Settling stakes (rulebook §7: the sources' own examples; §8)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ChicagoError
from engine.ranking.settle import read_stake, settle


def amounts(final: list[int], winners: list[int], stake: object = 1) -> list[str]:
    return [str(amount) for amount in settle(final, winners, Fraction(str(stake)))]


def test_svensk_winner_at_54_against_51_and_33() -> None:
    assert amounts([54, 51, 33], [0]) == ["24", "-3", "-21"]


def test_svensk_a_loser_ahead_of_a_straight_flush_winner_pays_nothing() -> None:
    assert amounts([52, 58, 40], [0]) == ["12", "0", "-12"]


def test_stakes_are_exact() -> None:
    assert amounts([53, 45, 53, 46], [0, 2], "1/3") == ["5/2", "-8/3", "5/2", "-7/3"]
    assert amounts([53, 46, 53], [0, 2]) == ["7/2", "-7", "7/2"]


def test_negative_scores_pay_in_full() -> None:
    assert amounts([52, -15], [0]) == ["67", "-67"]


@given(
    st.lists(st.integers(-60, 90), min_size=2, max_size=4),
    st.data(),
    st.fractions(min_value=Fraction(1, 100), max_value=1000),
)
def test_payments_balance_and_no_loser_gains(final, data, stake) -> None:
    winners = data.draw(st.sets(st.integers(0, len(final) - 1), min_size=1))
    balance = settle(final, sorted(winners), stake)
    assert sum(balance) == 0
    assert all(
        amount >= 0 if seat in winners else amount <= 0 for seat, amount in enumerate(balance)
    )


@pytest.mark.parametrize(
    ("final", "winners", "stake"),
    [([1, 2], [], 1), ([1, 2], [2], 1), ([1, 2], [-1], 1), ([1, 2], [0], 0), ([1, 2], [0], -1)],
)
def test_nonsensical_values_are_refused(final, winners, stake) -> None:
    with pytest.raises(ChicagoError) as error:
        settle(final, winners, stake)
    assert error.value.code == "bad_value"


@pytest.mark.parametrize(
    ("text", "stake"), [("1", 1), ("0.50", "1/2"), (".5", "1/2"), ("3/2", "3/2"), ("007", 7)]
)
def test_stakes_as_typed(text: str, stake: object) -> None:
    assert read_stake(text) == Fraction(str(stake))


BAD_STAKES = ["", "0", "-1", "0.0", "0/5", "1/0", "x", "1e9", "1_0", "1,5", "٣", "inf", "nan", "1 "]


@pytest.mark.parametrize("text", [*BAD_STAKES, "9" * 5000, "1e999999999", "+1", "1/-2", "\ud800"])
def test_other_stakes_are_refused(text: str) -> None:
    with pytest.raises(ChicagoError):
        read_stake(text)
