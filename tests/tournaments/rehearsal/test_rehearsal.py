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

from tests.tournaments.rehearsal.event_checker import check
from tournaments.documents import BadDocument, event_document, import_event
from tournaments.models import Event, LogEntry
from tournaments.models.enums import EventStatus
from tournaments.rehearsal import Rehearsal, rehearse

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
    assert LogEntry.objects.filter(event=event).exists()


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
        ({"registrations": [{"id": "1", "status": "registered"}] * 2}, "already exists"),
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
