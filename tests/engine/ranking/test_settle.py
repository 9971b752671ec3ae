"""Settling stakes (rulebook §7: the sources' own examples; §8)."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cli.answers import settle_record
from engine.cli.main import main
from engine.errors import ChicagoError
from engine.ranking.settle import read_stake, settle
from tests.engine.ranking.factories import flush_win, game, hand, plain_deal, royal_win, scores


def amounts(final: list[int], winners: list[int], stake: object = 1) -> list[str]:
    return [str(amount) for amount in settle(final, winners, Fraction(str(stake)))]


def test_rulebook_7_pagat_two_winners_share_what_the_others_lack() -> None:
    assert amounts([53, 45, 53, 47], [0, 2]) == ["7", "-8", "7", "-6"]


def test_rulebook_7_pagat_one_winner_takes_the_differences() -> None:
    assert amounts([54, 45, 53, 47], [0]) == ["17", "-9", "-1", "-7"]


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


PAGAT_END = scores([0, 30, 15, 47]) + plain_deal(3, last=hand(3, 3, "two_pair"))


def test_settle_a_record() -> None:
    record = game(["A", "B", "C", "D"], PAGAT_END, rules="pagat")
    document, status = settle_record(record)
    assert (document, status) == ({"balance": ["-54", "-24", "-39", "117"]}, 0)


def test_rulebook_8_seats_that_are_out_pay_by_their_score() -> None:
    over = [*scores([10, 50, 0]), *plain_deal(1)]
    record = game(["A", "B", "C"], over + flush_win(0))
    assert settle_record(record)[0] == {"balance": ["104", "-52", "-52"]}


def test_a_royal_flush_makes_the_others_pay_in_full() -> None:
    record = game(["A", "B"], scores([0, 45]) + royal_win(0), rules="svensk")
    assert settle_record(record, 2)[0] == {"balance": ["104", "-104"]}


def test_an_unfinished_game_is_exit_1() -> None:
    document, status = settle_record(game(["A", "B"], plain_deal(0), rules="pagat"))
    assert status == 1
    assert document["valid"] is False
    assert [problem["code"] for problem in document["problems"]] == ["game_unfinished"]


def test_an_illegal_entry_is_exit_1_and_a_bad_header_exit_2() -> None:
    document, status = settle_record(game(["A", "B"], [hand(2, 0, "pair")]))
    assert (status, document["problems"][0]["code"]) == (1, "wrong_phase")
    document, status = settle_record(game(["A", "A"], []))
    assert (status, document["problems"][0]["code"]) == (2, "bad_seats")


def test_the_command(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game(["A", "B", "C", "D"], PAGAT_END, rules="pagat")))
    for argv in ([str(path), "--stake", "1/2"], ["--stake=0.5", str(path)]):
        assert main(["settle", *argv]) == 0
        assert json.loads(capsys.readouterr().out) == {"balance": ["-27", "-12", "-39/2", "117/2"]}
    assert main(["settle", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["balance"][0] == "-54"


@pytest.mark.parametrize("argv", [[], ["--stake"], ["--stake", "1"], ["x", "--stake"], ["a", "b"]])
def test_a_wrong_command_line_is_exit_2_and_usage(argv, capsys) -> None:
    assert main(["settle", *argv]) == 2
    out = capsys.readouterr()
    assert (out.out, out.err.startswith("usage:")) == ("", True)


@pytest.mark.parametrize("stake", BAD_STAKES)
def test_a_stake_that_is_not_positive_is_a_wrong_command_line(stake, tmp_path, capsys) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game(["A", "B"], flush_win(0))))
    assert main(["settle", str(path), "--stake", stake]) == 2
    assert main(["settle", str(path), f"--stake={stake}"]) == 2
    assert capsys.readouterr().out == ""
