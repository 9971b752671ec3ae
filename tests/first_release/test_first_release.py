"""The first release's data still work: its database, event documents, game records and digests.

``data/`` was written by the program of that time and is never written again:

- ``database.sqlite3.xz``: the demo festival half-way through its first day; two rehearsed events
  (``rehearsed-festival``, ``rehearsed-sm``) with entries taken back, points deducted, and
  disqualifications carried over into later games; ``club``, an event under way with a correction,
  penalties, a call to the director, money, a job, a waiting list; tables that belong to no event.
- ``events/``: ``export_event`` of its four events.
- ``shown.json``: the last hash of every sheet, how many rows there were, and the numbers and
  names in the lists that a director downloads.
- ``records.jsonl.xz``: a game of every preset and every variant, and card records; what
  ``replay`` printed for them is in ``replays.jsonl``.
- ``digests.json``: digests of rule sets.
"""

from __future__ import annotations

import io
import json
import lzma
import os
import re
import subprocess
import sys
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.management import call_command

from engine import parse_rules
from engine.sheet.record import FORMAT, read_record
from tests.engine.conformance.runner import run
from tests.engine.sheet.test_facts import check_folds

DATA = Path(__file__).with_name("data")
EVENTS = ("demo", "rehearsed-festival", "rehearsed-sm", "club")


def unpacked(name: str) -> bytes:
    return lzma.decompress((DATA / f"{name}.xz").read_bytes())


def holds(kept: Any, now: Any) -> bool:
    """Return whether everything in the old value is still there; fields may have been added."""
    if isinstance(kept, dict):
        return all(key in now and holds(value, now[key]) for key, value in kept.items())
    if isinstance(kept, list):
        return len(kept) == len(now) and all(map(holds, kept, now))
    return bool(kept == now)


def exact(cell: str) -> str | Fraction:
    """Parse a cell by its meaning, however it is written.

    A mixed number equals the fraction it was in the first release: 48 1/2 is 97/2. A time is local
    time here, and was UTC then.
    """
    if re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:]+\+00:00", cell):
        here = datetime.fromisoformat(cell).astimezone(ZoneInfo("Europe/Stockholm"))
        return f"{here:%Y-%m-%d %H:%M}"
    if re.fullmatch(r"-?\d+\.\d+", cell):
        return Fraction(cell)
    found = re.fullmatch(r"(?:(-?\d+) )?(\d+/\d+)", cell)
    return Fraction(found[1] or 0) + Fraction(found[2]) if found else cell


# --- the database -------------------------------------------------------------------------------


def run_alone(module: str, folder: Path) -> dict[str, Any]:
    """Return the output of a separate process whose database is in this folder."""
    chosen = {"DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"}
    done = subprocess.run(
        [sys.executable, "-m", module],
        env={name: value for name, value in os.environ.items() if name not in chosen}
        | {"DATA_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the program shows of the old database after migrating it."""
    folder = tmp_path_factory.mktemp("first-release")
    (folder / "chicago.sqlite3").write_bytes(unpacked("database.sqlite3"))
    (folder / "static").mkdir()
    return run_alone("tests.first_release.opened", folder)


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    kept: dict[str, Any] = json.loads((DATA / "shown.json").read_text(encoding="utf-8"))
    return kept


def test_the_database_keeps_every_row(opened: dict[str, Any], shown: dict[str, Any]) -> None:
    renamed = {
        "scoring.PenChange": "scoring.LeaseChange",
        "tournaments.LookedAt": "tournaments.WarningReview",
    }
    kept = {renamed.get(name, name): count for name, count in shown["counts"].items()}
    assert holds(kept, opened["counts"])


def test_the_database_is_guarded_as_a_new_one(opened: dict[str, Any]) -> None:
    assert opened["broken_guards"] == []


def test_the_database_belongs_to_one_organiser(
    opened: dict[str, Any], shown: dict[str, Any]
) -> None:
    [organiser] = opened["organisers"]
    assert organiser["events"] == shown["counts"]["tournaments.Event"]
    assert organiser["persons"] == shown["counts"]["tournaments.Person"]
    # There was no superuser, so whoever could make events owns it.
    assert organiser["members"] == {"arne": True}


def test_the_databases_sheets_are_intact(opened: dict[str, Any], shown: dict[str, Any]) -> None:
    # check_sheets would have failed on a broken chain or a state that replaying does not give.
    assert opened["chains"] == shown["chains"]


@pytest.mark.parametrize("slug", EVENTS)
def test_the_database_exports_the_same_documents(opened: dict[str, Any], slug: str) -> None:
    now, kept = json.loads(opened["documents"][slug]), json.loads(unpacked(f"events/{slug}.json"))
    # Settings that the database had and the document lacked have been added.
    assert now["settings"].items() >= kept["settings"].items()
    assert json.dumps(now | {"settings": kept["settings"]}) == json.dumps(kept)


@pytest.mark.parametrize("slug", EVENTS)
def test_the_database_shows_the_same_results(
    opened: dict[str, Any], shown: dict[str, Any], slug: str
) -> None:
    for name, rows in shown["lists"][slug].items():
        now = opened["lists"][slug][name]
        assert len(now) == len(rows), name
        for before, after in zip(rows, now, strict=True):
            # A play-off heat has its name where its number was.
            if columns := {"result": (3, 5), "standings": (0, 0)}.get(name):
                was, stands = columns
                if not after[stands].isdigit():
                    before = [*before[:was], *before[was + 1 :]]
            # Seats in the play-offs were counted as entries.
            if (entries := {"players": -1, "desk/registrations": -2}.get(name)) is not None:
                before = [*before[:entries], *before[entries:][1:]]
            # Columns may be added and wording changed; numbers and names stay, in their order.
            cells = iter([exact(cell) for cell in after])
            assert all(exact(cell) in cells for cell in before), (name, before, after)


@pytest.mark.slow
def test_contacts_go_to_the_registrations(tmp_path: Path) -> None:
    answer = run_alone("tests.first_release.contacts", tmp_path)
    assert answer["registrations"] == [
        ["one", "anna@example.org", "", "wheelchair"],
        # Moved by a merge: with the contacts that it was made with.
        ["other", "anna@example.org", "070", "wheelchair"],
    ]
    assert answer["members"] == [["boss", True], ["maker", False]]
    assert answer["logged"] == [["Nobody", {"email": "nobody@example.org"}]]
    assert answer["public_ids"] == 3


# --- documents and records ----------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    "slug",
    # Replaying the large events takes seconds; the small ones cover the same features.
    [
        pytest.param(slug, marks=pytest.mark.slow if slug in {"demo", "rehearsed-sm"} else ())
        for slug in EVENTS
    ],
)
def test_a_document_imports_and_exports_unchanged(slug: str, tmp_path: Path) -> None:
    path = tmp_path / "event.json"
    path.write_bytes(unpacked(f"events/{slug}.json"))
    call_command("import_event", str(path), stdout=io.StringIO())
    out = io.StringIO()
    call_command("export_event", slug, stdout=out)
    assert out.getvalue().encode() == path.read_bytes()


def test_records_replay_to_the_same_states() -> None:
    kept = [json.loads(line) for line in (DATA / "replays.jsonl").read_text("utf-8").splitlines()]
    digests = json.loads((DATA / "digests.json").read_text("utf-8"))
    records = [json.loads(line) for line in unpacked("records.jsonl").splitlines()]
    for record in records:
        # A bare record is read with its name's current meaning; the digest says which one it meant.
        if record["rules"] in digests:
            record["meta"] = {"rules_digest": digests[record["rules"]]}
    lines = "\n".join(map(json.dumps, records))
    now = run("replay", "--lines", "-", stdin=lines).lines
    assert [line["state"]["scores"] for line in now] == [line["state"]["scores"] for line in kept]
    assert holds(kept, now)


def test_the_facts_of_records_give_their_states() -> None:
    digests = json.loads((DATA / "digests.json").read_text("utf-8"))
    records = [json.loads(line) for line in unpacked("records.jsonl").splitlines()]
    games = [record for record in records if record["format"] == FORMAT]
    assert games
    for record in games:
        record["meta"] = {"rules_digest": digests.get(record["rules"])}
        check_folds(read_record(record).replay())


def test_digests_of_rule_sets_are_unchanged() -> None:
    kept = json.loads((DATA / "digests.json").read_text("utf-8"))
    assert {rules: parse_rules(rules, kept[rules]).digest() for rules in kept} == kept
    assert parse_rules("festival").digest() == kept["festival"]
    assert parse_rules("sm").digest() == kept["sm"]
