"""Anybody can repeat a draw: on its page, and with the script downloaded from it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.draws import draw as plain
from engine.draws.pairing import METHOD, fair_split
from engine.ranking.playoff import snake_groups
from tests.tournaments.factories import make_event, make_heats, make_players, play_heat
from tournaments.draws.commands.drafts import draft_heats, publish, swap_players
from tournaments.draws.commands.seating_constraints import keep_apart
from tournaments.draws.queries.verification import repeat, script_of
from tournaments.heats.commands import close_heat
from tournaments.models import Draw, Event
from tournaments.registration.commands.check_in import enter_heat

pytestmark = pytest.mark.django_db


def run(script: str, folder: Path) -> tuple[int, str]:
    """Run a script as somebody at home would: plain Python in an empty folder."""
    path = folder / "repeat.py"
    path.write_text(script, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=folder,
        check=False,
        env={"PYTHONIOENCODING": "utf-8"},
    )
    return done.returncode, done.stdout + done.stderr


def stored(method: str, seed: str, players: int, label: str = "heats") -> Draw:
    """Return an unsaved draw of this method with a made-up history."""
    player_ids = [str(number) for number in range(1, players + 1)]
    sizes = plain.heat_sizes(players)
    history = {
        "met": [[a, b, 1 + int(a) % 2] for a, b in zip(player_ids, player_ids[3:], strict=False)],
        "threes": dict.fromkeys(player_ids[::2], 1),
        "apart": [[player_ids[0], player_ids[1]], [player_ids[2], player_ids[5]]],
    }
    if method == plain.METHOD:
        groups = plain.split_heats(seed, player_ids, sizes, label=label)
    elif method == METHOD:
        division = fair_split(
            seed,
            player_ids,
            sizes,
            meetings={(a, b): n for a, b, n in history["met"]},
            tables_of_three=history["threes"],
            kept_apart=[(a, b) for a, b in history["apart"]],
            label=label,
        )
        groups = [list(group) for group in division.groups]
    else:
        groups = snake_groups(player_ids)
    return Draw(
        event=Event(name="Höstfestival “Ö”", slug="x"),
        number=3,
        seed=seed,
        method=method,
        label=label,
        candidates=player_ids,
        sizes=sizes,
        history=history,
        queue=player_ids,
        drawn=groups,
        groups=groups,
    )


@pytest.mark.parametrize("method", [plain.METHOD, METHOD, "snake-1"])
@pytest.mark.parametrize(
    ("seed", "players"), [("festival-2026", 7), ("åäö ' \" \\ \n {}", 11), ("3", 30)]
)
def test_script_and_server_make_the_same_draw(
    tmp_path: Path, method: str, seed: str, players: int
) -> None:
    draw = stored(method, seed, players, label="round 2")
    again = repeat(draw)
    assert again.same
    code, output = run(script_of(draw), tmp_path)
    assert code == 0, output
    for number, group in enumerate(draw.drawn, start=1):
        assert f"{number}: {' '.join(group)}\n" in output


def test_both_detect_a_tampered_draw(tmp_path: Path) -> None:
    draw = stored(METHOD, "s", 8)
    draw.drawn[0][0], draw.drawn[1][0] = draw.drawn[1][0], draw.drawn[0][0]
    assert not repeat(draw).same
    code, output = run(script_of(draw), tmp_path)
    assert code == 1, output


@pytest.mark.parametrize(
    "damage",
    [
        {"method": "magic-1"},
        {"sizes": [4, 4]},
        {"candidates": ["1", "1", "2", "3", "4", "5", "6"]},
        {"history": {"met": [["1"]]}},
        {"sizes": "abc"},
    ],
)
def test_a_damaged_draw_is_reported_without_a_crash(damage: dict[str, object]) -> None:
    draw = stored(METHOD, "s", 7)
    for name, value in damage.items():
        setattr(draw, name, value)
    assert repeat(draw).groups is None
    assert "DRAW = json.loads(" in script_of(draw)


def test_real_draws_can_be_repeated_even_after_manual_changes(tmp_path: Path) -> None:
    event = make_event(games_per_heat=1)
    for heat in make_heats(event, 11).heats:
        play_heat(heat)
        close_heat(heat=heat, by=None)
    lost = list(event.registrations.filter(qualifications__isnull=True))
    for player in lost:
        enter_heat(registration=player, by=None)
    make_players(event, 2)
    keep_apart(event=event, one=lost[0], other=lost[1], by=None, reason="brothers")
    draw = draft_heats(event=event, by=None)
    assert draw.history["met"]
    swap_players(draw=draw, one=draw.groups[0][0], other=draw.groups[1][0], by=None)
    draw.refresh_from_db()
    publish(draw=draw, by=None)
    for each in Draw.objects.select_related("event"):
        assert repeat(each).same
        assert run(script_of(each), tmp_path)[0] == 0


def test_the_script_contains_no_names_and_no_injected_code(tmp_path: Path) -> None:
    event = make_event(name='"""); import os; os.abort() #')
    draw = make_heats(event, 4, seed="'); raise SystemExit(7) #").draw
    script = script_of(draw)
    for player in event.registrations.select_related("person"):
        assert player.person.legal_name not in script
    assert run(script, tmp_path)[0] == 0
