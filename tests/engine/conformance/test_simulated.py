"""Whole games played by bots: their records are legal and score alike in both implementations."""

import pytest

from .oracle import Sheet
from .runner import run

SPECS = [
    *("festival", "sm", "svensk", "pagat", "basic", "wikipedia"),
    *("svensk+C+N+V40", "festival+Q+K", "pagat+reset+win-again", "svensk+Z+W", "basic+R+Y"),
    *("pagat+B4+need-chicago-3", "svensk+D+P10", "wikipedia+S+three-exchanges"),
]


def simulated(spec, *more):
    ran = run("simulate", "games", "--count", "2", "--rules", spec, "--seed", "conformance", *more)
    assert ran.code == 0
    assert len(ran.lines) == 2
    return ran


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("spec", SPECS)
def test_simulated_games_agree_with_the_second_implementation(spec, players):
    ran = simulated(spec, "--players", str(players))
    replayed = run("replay", "--lines", "-", stdin=ran.out)
    assert replayed.code == 0
    for document, result in zip(ran.lines, replayed.lines, strict=True):
        sheet = Sheet(spec, players, document.get("dealer", 0))
        for entry in document["entries"]:
            assert sheet.why_not(entry) is None
            sheet.enter(entry)
        state = sheet.state()
        assert {name: result["state"][name] for name in state} == state
        assert result["state"]["finished"]


@pytest.mark.parametrize("spec", SPECS[:6])
def test_card_records_replay_to_the_same_sheet(spec):
    plain = run("replay", "--lines", "-", stdin=simulated(spec).out)
    cards = run("replay", "--lines", "-", stdin=simulated(spec, "--cards").out)
    assert (plain.code, cards.code) == (0, 0)
    for one, other in zip(plain.lines, cards.lines, strict=True):
        assert {key: other["state"][key] for key in ("scores", "winners", "win", "places")} == {
            key: one["state"][key] for key in ("scores", "winners", "win", "places")
        }


def test_a_simulation_can_be_repeated():
    assert simulated("festival").out == simulated("festival").out
