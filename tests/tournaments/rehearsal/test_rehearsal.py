"""Rehearsals: whole events by bots, checked by a second evaluation of the result."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from engine.cli.main import main
from engine.ranking.event import check_event
from scoring.models import SheetEntry
from tests.tournaments.rehearsal.event_checker import check
from tournaments.documents import BadDocument, event_document, import_event
from tournaments.models import Event, GameHands, HeatResult, LogEntry
from tournaments.models.enums import EventStatus, ScreenPart
from tournaments.rehearsal import Rehearsal, rehearse
from tournaments.rehearsal.heat import Chances
from tournaments.screens.queries.parts import part_of

pytestmark = pytest.mark.django_db


def document(event: Event, **options: Any) -> dict[str, Any]:
    """Return the document as parsed from its printed text."""
    return json.loads(json.dumps(event_document(event, **options)))


@pytest.mark.parametrize(
    ("players", "seed", "format"),
    [
        (8, "a", "festival"),
        pytest.param(21, "c", "festival", marks=pytest.mark.slow),
        pytest.param(14, "d", "sm", marks=pytest.mark.slow),
    ],
)
def test_a_rehearsal_leaves_a_complete_event(players: int, seed: str, format: str) -> None:
    event = rehearse(Rehearsal(players=players, seed=seed, format=format, waves=2))
    assert event.status == EventStatus.FINISHED
    check(document(event))
    check_event(document(event))
    assert LogEntry.objects.filter(event=event).exists()


def _played(event: Event) -> list[Any]:
    """Return what was entered, and what came of it."""
    rows = SheetEntry.objects.filter(sheet__heat_game__heat__event=event)
    results = HeatResult.objects.filter(heat__event=event).order_by("heat__number", "order")
    return [
        *rows.order_by("sheet", "sequence").values_list(
            "sheet__heat_game__heat__number", "sheet__number", "kind", "entry", "confirmed"
        ),
        *results.values_list("heat__number", "entry__registration__number", "game_points"),
        *GameHands.objects.filter(game__heat__event=event)
        .order_by("game__heat__number", "game__number")
        .values_list("game__heat__number", "length", "won", "pair"),
        *event.heats.order_by("number").values_list("status", "table__auditor"),
    ]


def test_a_pace_changes_nothing_that_happens() -> None:
    chances = Chances(taken_back=0.2, penalty=0.1, disqualified=0.05)
    plan = {"players": 9, "seed": "pace", "chances": chances}
    at_once = rehearse(Rehearsal(**plan, slug="at-once"))
    one_by_one = rehearse(Rehearsal(**plan, slug="one-by-one", pace=1e-9))
    assert _played(at_once) == _played(one_by_one)


@pytest.mark.slow
def test_one_that_stops_in_the_final_can_be_looked_at() -> None:
    event = rehearse(Rehearsal(players=12, seed="a", waves=2, stops_in_final=True))
    assert event.status == EventStatus.OPEN
    [final] = event.heats.open()
    assert final.stage.kind == "final"
    assert final.table.sheets.get(number=final.games_planned).status == "running"
    shown = part_of(event, ScreenPart.FINAL, beside=False)
    assert len(shown.more["tiles"]) in (3, 4)
    assert any(tile.need for tile in shown.more["tiles"])
    assert shown.more["race"] is not None


@pytest.mark.slow
def test_a_round_trip_gives_the_same_document() -> None:
    plan = Rehearsal(players=12, seed="round trip 2", no_show=0.4, voided=0.5, waves=2)
    event = rehearse(plan)
    first = document(event)
    check(first)
    assert any(heat["status"] == "void" for stage in first["stages"] for heat in stage["heats"])
    second = document(import_event({**first, "slug": "again"}))
    assert {**second, "slug": first["slug"]} == first


@pytest.fixture
def small() -> dict[str, Any]:
    """The document of a small event that is not in the database."""
    found: dict[str, Any] = json.loads(_small())
    return found


@cache
def _small() -> str:
    with transaction.atomic():
        text = json.dumps(event_document(rehearse(Rehearsal(players=8, seed="small"))))
        transaction.set_rollback(True)
    return text


@pytest.mark.slow
def test_the_commands_give_the_same_event_for_the_same_seed(
    small: dict[str, Any], tmp_path: Any
) -> None:
    call_command("rehearse", players=8, seed="other", slug="first", stdout=io.StringIO())
    out = io.StringIO()
    call_command("export_event", "first", stdout=out)
    path = tmp_path / "event.json"
    path.write_text(out.getvalue())
    Event.objects.update(slug="moved")
    output = io.StringIO()
    call_command("import_event", str(path), stdout=output)
    again = io.StringIO()
    call_command("export_event", "first", stdout=again)
    assert again.getvalue() == out.getvalue()
    assert output.getvalue().startswith("Rehearsal other")


def test_the_content_of_an_export(
    small: dict[str, Any], django_assert_max_num_queries: Any
) -> None:
    event = import_event(small)
    # Two queries per stage and a few for everything else, whatever the number of heats.
    with django_assert_max_num_queries(23 + 2 * event.stages.count()):
        event_document(event)
    names = [registration.person.legal_name for registration in event.registrations.all()]
    text = json.dumps(document(event, anonymous=True), ensure_ascii=False)
    assert not any(name in text for name in names)
    assert all(name in json.dumps(small, ensure_ascii=False) for name in names)
    history = document(event, history=True)["history"]
    games = [game for stage in small["stages"] for heat in stage["heats"] for game in heat["games"]]
    assert len(history) == len(games)
    assert all(len(row["hash"]) == 64 for game in history for row in game["rows"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "chicago-heat"}, "chicago-event"),
        ({"version": 2}, "version 1"),
        ({"rules": "svensk+Ä"}, r"svensk\+Ä"),
        ({"stages": [{}]}, "missing"),
        ({"registrations": [{"id": "x"}]}, "registrations"),
        ({"qualifiers": []}, "qualifiers"),
        ({"starts_on": "yesterday"}, "own fields"),
        ({"registrations": None}, "registrations"),
        ({"registrations": [{"id": "1", "status": "registered"}] * 2}, "occurs twice"),
    ],
)
def test_a_bad_document_is_refused_and_nothing_is_stored(
    small: dict[str, Any], change: dict[str, Any], message: str
) -> None:
    if "qualifiers" in change:
        change = {"stages": [], "qualifiers": ["1"]}
    with pytest.raises(BadDocument, match=message):
        import_event({**small, **change})
    assert not Event.objects.exists()


def _exchange_places(told: dict[str, Any]) -> None:
    """Let the second have won."""
    first, second, *_ = told["result"]
    first["id"], second["id"] = second["id"], first["id"]


def _exchange_ids(told: dict[str, Any]) -> None:
    told["result"][-1]["place"] -= 1


def _leave_out(told: dict[str, Any]) -> None:
    del told["result"][-1]


def _add_qualifier(told: dict[str, Any]) -> None:
    told["qualifiers"].append(told["result"][-1]["id"])


def _drop_qualifier(told: dict[str, Any]) -> None:
    del told["qualifiers"][0]


def _come_from_nowhere(told: dict[str, Any]) -> None:
    """Name somebody who went on from no heat as one who did."""
    final = told["stages"][-1]
    lost = told["result"][-1]["id"]
    row = next(each for each in final["players"] if each["source"] in ("qualified", "advanced"))
    final["players"].append({**row, "id": lost})


def _forget_the_best(told: dict[str, Any]) -> None:
    """Leave somebody who went on out of the next round."""
    final = told["stages"][-1]
    final["heats"], told["result"] = [], []
    final["players"] = [each for each in final["players"] if each["source"] != "qualified"][1:]


def _deny_a_lucky_loser(told: dict[str, Any]) -> None:
    told["lucky_losers"] = [told["result"][-1]["id"]]


def _went_on(told: dict[str, Any]) -> None:
    """Record that somebody else went on from the first heat."""
    heat = told["stages"][0]["heats"][0]
    heat["went_on"] = [p for p in heat["players"] if p not in told["qualifiers"]][:1]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (_exchange_places, "other_result"),
        (_exchange_ids, "other_result"),
        (_leave_out, "other_result"),
        (_add_qualifier, "other_qualifiers"),
        (_drop_qualifier, "other_qualifiers"),
        (_come_from_nowhere, "other_round"),
        (_forget_the_best, "other_round"),
        (_deny_a_lucky_loser, "other_lucky_losers"),
        (_went_on, "other_qualifiers"),
    ],
)
def test_a_false_outcome_is_refused_by_import_and_check(
    small: dict[str, Any], change: Any, code: str, tmp_path: Path, capsys: Any
) -> None:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(small))
    assert main(["check", str(path)]) == 0
    *_heats, whole, _summary = map(json.loads, capsys.readouterr().out.splitlines())
    assert "order_of_qualifiers" in whole["not_checked"]
    change(small)
    path.write_text(json.dumps(small))
    assert main(["check", str(path)]) == 1
    *_heats, whole, summary = map(json.loads, capsys.readouterr().out.splitlines())
    assert (whole["name"], whole["code"], summary["wrong"]) == (str(path), code, 1)
    with pytest.raises(BadDocument):
        import_event(small)
    assert not Event.objects.exists()


@pytest.mark.parametrize("key", ["result", "qualifiers", "registrations", "lucky_losers"])
def test_only_a_whole_event_is_checked(
    small: dict[str, Any], key: str, tmp_path: Path, capsys: Any
) -> None:
    del small[key]
    path = tmp_path / "event.json"
    path.write_text(json.dumps(small))
    assert main(["check", str(path)]) == 1
    *_heats, whole, _summary = map(json.loads, capsys.readouterr().out.splitlines())
    assert (whole["code"], key in whole["message"]) == ("missing_field", True)


def test_a_changed_game_is_refused(small: dict[str, Any]) -> None:
    game = small["stages"][0]["heats"][0]["games"][0]
    game["entries"].append({"kind": "none", "phase": 1})
    with pytest.raises(BadDocument, match="heat 1"):
        import_event(small)
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["export_event", "no-such-event"],
        ["import_event", "no-such-file"],
        ["rehearse", "--players", "7", "--seed", "1"],
        ["rehearse", "--players", "8", "--seed", "1", "--owner", "nobody"],
        ["rehearse", "--players", "8", "--seed", "1", "--slug", "not a slug"],
    ],
)
def test_the_commands_report_errors(arguments: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command(*arguments, stdout=io.StringIO())
    assert not Event.objects.exists()


@pytest.mark.slow
def test_the_commands_make_the_database_if_needed(tmp_path: Path) -> None:
    chosen = {"DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"}
    plain = {key: value for key, value in os.environ.items() if key not in chosen}

    def run(*arguments: str, where: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            env=plain | {"DATA_DIR": str(tmp_path / where)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("rehearse", "--players", "8", "--seed", "new", "--slug", "new", where="one")
    output = run("export_event", "new", where="one")
    path = tmp_path / "event.json"
    path.write_text(output, encoding="utf-8")
    heats = sum(len(stage["heats"]) for stage in json.loads(output)["stages"])
    assert f"{heats} heats" in run("import_event", str(path), where="other")
