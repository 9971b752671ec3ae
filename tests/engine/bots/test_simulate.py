"""Simulation: games, heats and festivals from a seed, and `chicago-engine simulate`."""

import json
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from multiprocessing import get_context

import pytest

from engine.answers import rank_heat, replay_card_record, replay_record
from engine.bots.events import simulate_festival, simulate_heat
from engine.bots.players import BOTS
from engine.bots.series import Series
from engine.bots.simulation import TIME_IS_UP, play_game, simulate_game
from engine.bots.statistics import Tally, report
from engine.bots.tournament import tournament
from engine.cli.main import main
from engine.errors import ChicagoError
from engine.messages import languages, texts_in
from engine.ranking.overall import Result, lucky_losers
from engine.rules.presets import PRESETS
from engine.table.actions import Bid
from engine.table.errors import ActionError

NAMES = ["Anna", "Bo", "Cia", "Dag"]


# --- games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", list(PRESETS))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_simulated_game_is_a_valid_finished_record(rules, seats):
    record = simulate_game(rules, NAMES[:seats], 1)
    result = replay_record(record)
    assert result["valid"]
    assert result["state"]["finished"]


def test_the_same_seed_gives_the_same_game_and_another_seed_another_game():
    first = play_game("festival", NAMES, "a").card_record()
    assert first == play_game("festival", NAMES, "a").card_record()
    assert first["actions"] != play_game("festival", NAMES, "b").card_record()["actions"]
    assert replay_card_record(first)["valid"]


@pytest.mark.parametrize("rules", [*PRESETS, "svensk+E+L+T", "pagat+reset"])
@pytest.mark.parametrize("name", list(BOTS))
def test_what_bots_choose_unchecked_is_possible(rules, name):
    """A game of the program's own bots is played without asking whether each action is possible."""
    played = play_game(rules, NAMES, name, bots=[name] * 4, max_deals=4)
    assert replay_card_record(played.card_record())["valid"]


def test_a_player_of_ones_own_is_checked():
    with pytest.raises(ActionError) as error:
        play_game(
            "festival", NAMES, 1, bots=["regular", "regular", lambda view: Bid(view.seat, True)]
        )
    assert error.value.code == "unexpected_action"


def test_an_overlong_game_is_ended_by_a_ruling_before_the_next_deal():
    played = play_game("svensk+W", NAMES, 1, max_deals=2)
    assert played.table.finished
    last = played.game_record()["entries"][-1]
    assert last == TIME_IS_UP.as_json()
    assert played.table.sheet.win == "ended"
    assert replay_record(played.game_record())["valid"]


@pytest.mark.parametrize(
    ("rules", "names", "bots", "code"),
    [
        ("nothing", NAMES, None, "unknown_rules"),
        ("festival", ["Anna"], None, "bad_seats"),
        ("festival", NAMES, ["wizard"], "bad_value"),
    ],
)
def test_a_game_that_cannot_be_played_is_refused_with_a_code(rules, names, bots, code):
    with pytest.raises(ChicagoError) as error:
        simulate_game(rules, names, 1, bots=bots)
    assert error.value.code == code


# --- heats and festivals --------------------------------------------------------------------------


def test_a_simulated_heat_is_ranked_by_the_heat_command():
    heat = simulate_heat("festival", NAMES, 3)
    document, status = rank_heat(heat)
    assert status == 0
    assert len(heat["games"]) == 3
    assert len({tuple(game["seats"]) for game in heat["games"]}) > 1  # New seats for each game.
    assert len(document["advances"]) == 1
    assert document["needs_flip_flop"] == []


def test_heats_that_tie_get_a_flip_flop():
    """Short games of few deals: some of these seeds tie on everything over the qualifying line."""
    tied = 0
    for seed in range(80):
        heat = simulate_heat("festival", NAMES[:3], seed, games=1, max_deals=1)
        tied += "flip_flops" in heat
        assert rank_heat(heat)[0]["needs_flip_flop"] == []
    assert tied


@pytest.mark.parametrize("count", [3, 4, 5, 6, 11, 23])
def test_a_simulated_festival_ends_with_a_final_table(count):
    players = [f"P{number}" for number in range(count)]
    event = simulate_festival("festival", players, 1, games=1, max_deals=6)
    assert len(event["rounds"][-1]) == 1
    assert len(event["ranking"]) in (3, 4)
    assert len(set(event["qualified"])) == len(event["qualified"])
    for heat in event["heats"]:
        assert rank_heat(heat)[1] == 0
        assert 3 <= len(heat["players"]) <= 4
    final = event["heats"][-1]
    assert sorted(final["players"]) == sorted(event["ranking"])
    assert event == simulate_festival("festival", players, 1, games=1, max_deals=6)


def test_nobody_plays_after_qualifying_on_the_first_day():
    players = [f"P{number}" for number in range(20)]
    event = simulate_festival("festival", players, 2, games=1, max_deals=4)
    qualified: set[str] = set()
    for heat in event["heats"]:
        if heat["label"].startswith("wave"):
            assert not qualified & set(heat["players"])
            qualified |= set(rank_heat(heat)[0]["advances"])
    assert qualified == set(event["qualified"])


def test_6_five_qualifiers_get_the_rulebooks_lucky_loser():
    """Tables of three and four are compared as in a real event."""
    players = [f"P{number}" for number in range(18)]
    for seed in range(3):
        event = simulate_festival("festival", players, seed, waves=1, games=1, max_deals=3)
        assert (len(event["qualified"]), event["rounds"]) == (5, [[3, 3], [4]])
        found = []
        for heat in event["heats"]:
            if not heat["label"].startswith("wave"):
                continue
            table = (20, 15, 12, 8)[: len(heat["players"])]
            for row in rank_heat(heat)[0]["ranking"]:
                points = Fraction(row["game_points"]), row["score_points"], row["asterisks"]
                found.append(Result(row["player"], *points, games=1, place_points=table))
        (lucky,) = lucky_losers(found, event["qualified"], 1, event["seed"])
        there = {
            name
            for heat in event["heats"]
            if heat["label"] == "round 1"
            for name in heat["players"]
        }
        assert there == {*event["qualified"], lucky.player}


def test_two_players_are_too_few_for_a_festival():
    with pytest.raises(ChicagoError) as error:
        simulate_festival("festival", ["Anna", "Bo"], 1)
    assert error.value.code == "cannot_split"


# --- statistics -----------------------------------------------------------------------------------


def test_statistics_of_parts_add_up_to_the_whole():
    whole, left, right = Tally(), Tally(), Tally()
    for seed in range(6):
        record = simulate_game("festival", NAMES, seed, dealer=seed % 4)
        whole.game(record)
        (left if seed < 3 else right).game(record)
    left.add(right)
    assert left.deals == whole.deals
    assert left.as_json() == whole.as_json()
    numbers = whole.as_json()
    assert numbers["games"] == 6
    assert sum(row["wins"] for row in numbers["positions"]) == pytest.approx(1)
    for lang in languages():
        lines, texts = report(numbers, lang).splitlines(), texts_in(lang)
        assert lines[0].split() == [texts.statistics["games"], "6"]
        starts = [line[:35].rstrip() for line in lines]
        assert f"  {texts.categories['three_of_a_kind']}" in starts


def test_a_score_lost_for_lack_of_a_chicago_is_counted():
    tally = Tally()
    points = {"kind": "ruling", "action": "points", "seat": 0, "points": 51, "reason": "x"}
    record = {
        "format": "chicago-game-record",
        "version": 1,
        "rules": "festival",
        "seats": NAMES[:2],
        "entries": [points, {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"}],
    }
    tally.game(record)
    assert tally.zeroed == 1
    assert tally.wins == {"last_standing": 1}


def test_the_spread_of_deals_equals_that_of_the_single_values():
    values = [9, 3, 3, 5, 5, 5, 8, 8, 14, 20, 2]
    spread = Tally(games=11, deals=Counter(values)).as_json()["deals_per_game"]
    assert spread == {"mean": 7.45, "least": 2, "median": 5, "nine_in_ten": 14, "most": 20}


# --- the command ----------------------------------------------------------------------------------


def run(capsys, *argv):
    code = main(["simulate", *argv])
    out = capsys.readouterr()
    return code, out.out.splitlines(), out.err


def test_records_come_one_per_line_and_depend_on_the_seed_only(capsys, tmp_path):
    code, lines, error = run(capsys, "games", "--count", "3", "--seed", "x", "--max-deals", "3")
    assert (code, len(lines), error) == (0, 3, "")
    assert all(replay_record(line)["valid"] for line in lines)
    assert run(capsys, "games", "--count", "3", "--seed", "x", "--max-deals", "3")[1] == lines
    assert run(capsys, "games", "--count", "3", "--seed", "y", "--max-deals", "3")[1] != lines
    path = tmp_path / "records.jsonl"
    assert run(capsys, "games", "--count", "3", "--seed", "x", "--max-deals", "3", "--out",
               str(path))[1] == []  # fmt: skip
    assert path.read_text("utf-8").splitlines() == lines


def test_the_number_of_processes_changes_nothing(capsys):
    argv = ("games", "--count", "5", "--max-deals", "2", "--players", "3", "--stats")
    assert run(capsys, *argv) == run(capsys, *argv, "--processes", "2")


SERIES = Series("games", "svensk+C", 3, "far away", ("novice", "regular"), max_deals=1)


@pytest.mark.slow
def test_a_series_is_the_same_on_processes_and_on_a_dask_cluster():
    # Imported here: every other run would pay half a second for it.
    from dask.distributed import Client, LocalCluster

    alone = list(SERIES.records(6))
    duel = tournament(["novice", "regular"], 4, "far away", max_deals=1)
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        assert list(SERIES.records(6, executor)) == alone
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        executor = client.get_executor()
        assert list(SERIES.records(6, executor)) == alone
        played = tournament(["novice", "regular"], 4, "far away", max_deals=1, executor=executor)
        assert played == duel


def test_card_records_heats_and_festivals(capsys):
    _, (line,), _ = run(capsys, "games", "--cards", "--max-deals", "2", "--rules", "svensk+N+C")
    assert replay_card_record(line)["valid"]
    assert json.loads(line)["rules"] == "svensk+C+N"
    _, (line,), _ = run(capsys, "heats", "--max-deals", "2", "--players", "3")
    assert rank_heat(line)[1] == 0
    code, (line,), _ = run(
        capsys, "festivals", "--players", "9", "--max-deals", "2", "--games", "1", "--waves", "1"
    )
    assert code == 0
    assert json.loads(line)["format"] == "chicago-simulated-festival"


def test_statistics_as_json_and_as_text(capsys):
    code, lines, _ = run(capsys, "heats", "--count", "2", "--max-deals", "3", "--stats", "--report")
    assert code == 0
    numbers = json.loads(lines[0])
    assert (numbers["games"], numbers["heats"], numbers["players"]) == (6, 2, 4)
    assert any(line.split() == ["games", "6"] for line in lines[1:])
