"""What holds for every test: texts are compiled, nothing is skipped unseen.

``NO_SKIPS=1`` (set by .ci/run) turns a skipped test into a failed run.
"""

import os
import uuid
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connection, transaction
from django.utils import translation

from config import texts


def pytest_configure(config: pytest.Config) -> None:
    """Compile the Swedish texts where they are older than their sources."""
    if not hasattr(config, "workerinput"):
        texts.compile_all()


@pytest.fixture(autouse=True, scope="session")
def _emptying() -> None:
    """Let a test that commits be cleaned up after: the program itself never empties its tables.

    Tables that the database keeps have triggers against that, which here are off meanwhile.
    """
    flush = type(connection.ops).execute_sql_flush

    def execute_sql_flush(self: Any, sql_list: list[str]) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
                triggers = cursor.fetchall()
                off = [f"DROP TRIGGER {name}" for name, _sql in triggers]
                on = [sql for _name, sql in triggers]
            else:
                cursor.execute(
                    "SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal"
                )
                tables = [table for (table,) in cursor.fetchall()]
                off = [f"ALTER TABLE {table} DISABLE TRIGGER USER" for table in tables]
                on = [f"ALTER TABLE {table} ENABLE TRIGGER USER" for table in tables]
            for statement in off:
                cursor.execute(statement)
            flush(self, sql_list)
            for statement in on:
                cursor.execute(statement)

    type(connection.ops).execute_sql_flush = execute_sql_flush  # type: ignore[method-assign]


@pytest.fixture(autouse=True)
def _nothing_kept(request: pytest.FixtureRequest) -> None:
    """Begin every test without kept pages; a version moves with the write, not with the commit.

    On PostgreSQL the triggers that move it wait for the end of the transaction, and most tests
    have none.
    """
    caches["pages"].clear()
    if settings.REDIS_URL:
        # Rows that are put back have the versions under which an earlier test kept its pages.
        prefix = uuid.uuid4().hex
        caches.settings["default"]["KEY_PREFIX"] = prefix
        caches["default"].key_prefix = prefix
    if connection.vendor == "postgresql" and "db" in request.fixturenames:
        request.getfixturevalue("db")
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS event_version IMMEDIATE")


@pytest.fixture(autouse=True)
def _language() -> None:
    """Begin every test in the site's own language; a request leaves its reader's behind."""
    translation.deactivate()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs a server that is not configured, and what has a target of its own.

    On another database only that is tested again which uses it, or Redis.
    """
    embedded = "sqlite3" in settings.DATABASES["default"]["ENGINE"]
    asked = config.getoption("markexpr", "")
    out = [
        item
        for item in items
        if (embedded and item.get_closest_marker("services"))
        or not (embedded or _asks_services(item))
        or not _is_asked(item, asked, embedded)
    ]
    if out:
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in set(out)]


def _is_asked(item: pytest.Item, asked: str, embedded: bool) -> bool:
    """Whether a test belongs to this run; the slow ones of the running program are slow."""
    for name in ("slow", "hosts", *(["pages"] if embedded else [])):
        if item.get_closest_marker(name):
            return name in asked
    return True


def _asks_services(item: pytest.Item) -> bool:
    """Whether a test may end otherwise with another database, or with Redis."""
    if item.get_closest_marker("services") or item.get_closest_marker("redis"):
        return True
    if item.get_closest_marker("any_database") or item.get_closest_marker("sqlite"):
        return False
    uses = {"db", "transactional_db"} & set(getattr(item, "fixturenames", ()))
    return bool(uses or item.get_closest_marker("django_db"))


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail a run in which something was skipped, where that was asked for."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or os.environ.get("NO_SKIPS") != "1":
        return
    if reporter.stats.get("skipped") and exitstatus == pytest.ExitCode.OK:
        reporter.write_line("Tests were skipped, and NO_SKIPS=1 does not allow that.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
