"""Data of a released version keeps working: databases, backups, documents (docs/operations.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.rules.ruleset import rules_from_json
from tests.config.cluster import Cluster, programs
from tests.config.server import Browser, Server
from tests.released import FOLDER, SLUG, manage

VERSIONS = sorted(path for path in FOLDER.iterdir() if (path / "event.json").exists())
every_version = pytest.mark.parametrize("version", VERSIONS, ids=lambda path: path.name)


def test_there_are_versions() -> None:
    assert [path.name for path in VERSIONS][:1] == ["0.1.0"]


@every_version
def test_rule_sets_play_as_they_did(version: Path) -> None:
    documents = json.loads((version / "rules.json").read_text())
    assert len(documents) > 20
    for document in documents:
        rules = rules_from_json(document)
        assert (rules.spec, rules.digest()) == (document["rules"], document["digest"])


def same_event(folder: Path, version: Path, slug: str = SLUG, database: str = "") -> None:
    """Compare an event's results with those that the version wrote."""
    found = json.loads(manage(folder, "export_event", slug, database=database))
    then = json.loads((version / "event.json").read_text())
    for name in ("registrations", "stages", "qualifiers", "penalties", "result", "rules_digest"):
        assert found[name] == then[name], name


@every_version
def test_a_document_is_imported(version: Path, tmp_path: Path) -> None:
    manage(tmp_path, "import_event", str(version / "event.json"), "--slug", "again")
    same_event(tmp_path, version, "again")


@pytest.mark.pages
@every_version
def test_a_backup_of_sqlite_is_restored_and_served(version: Path, tmp_path: Path) -> None:
    manage(tmp_path, "restore", str(version / "sqlite.zip"))
    same_event(tmp_path, version)
    with Server(tmp_path, DEMO="0") as server:
        browser = Browser(server.address)
        event = json.loads((version / "event.json").read_text())
        names = {each["id"]: each["name"] for each in event["registrations"]}
        first = names[event["result"][0]["id"]]
        for page in ("", "standings/", "result/", "play-offs/"):
            status, text = browser.get(f"/e/{SLUG}/{page}")
            assert status == 200, page
            assert first in text, page


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with Cluster() as running:
        yield running


@pytest.mark.services
@pytest.mark.skipif(programs() is None, reason="needs PostgreSQL's own programs")
@every_version
def test_a_backup_of_postgresql_is_restored(
    version: Path, tmp_path: Path, cluster: Cluster
) -> None:
    manage(tmp_path, "restore", str(version / "postgresql.zip"), database=cluster.address)
    same_event(tmp_path, version, database=cluster.address)
