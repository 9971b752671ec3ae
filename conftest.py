"""For all tests: compiled translations, no tests skipped unnoticed.

``NO_SKIPS=1`` (set by .ci/run) turns a skipped test into a failed run.
"""

import os
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connection, transaction
from django.utils import translation

from config import texts

TESTS = Path(__file__).parent / "tests"
#: Where databases may differ: locks, triggers, raw SQL, sums, the order of names, and one walk over
#: all pages. Whole festivals on each are played by ``make soak``.
ON_EACH_DATABASE = (
    "config/",
    "scoring/test_models.py",
    "scoring/writing/",
    "tournaments/cash/",
    "tournaments/core/test_models.py",
    "tournaments/core/test_once.py",
    "tournaments/core/test_page_cache.py",
    "tournaments/corrections/test_commands.py",
    "tournaments/documents/",
    "tournaments/mail/",
    "tournaments/playoffs/test_commands.py",
    "tournaments/prints/test_views_jobs.py",
    "tournaments/registration/test_alphabet.py",
    "tournaments/registration/test_imports.py",
    "tournaments/registration/test_registered_twice.py",
    "tournaments/results/test_results.py",
    "tournaments/results/test_views_player_standings.py",
    "tournaments/series/test_cached.py",
    "tournaments/test_gets_write_nothing.py",
    "tournaments/verify/",
)

#: The marks of all tests in some folders; none in those that hold no tests.
MARKS_IN: dict[str, tuple[str, ...]] = {
    "browser": ("pages", "slow"),
    "hosts": ("hosts",),
    "fuzz": (),
    "planted": (),
    "simulation": (),
}


def pytest_configure(config: pytest.Config) -> None:
    """Compile the catalogues if they are older than their sources."""
    if not hasattr(config, "workerinput"):
        texts.compile_all()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave alone what this run would deselect: reading it takes each process seconds."""
    wanted = MARKS_IN.get(collection_path.name) if collection_path.parent == TESTS else None
    asked = config.getoption("markexpr", "")
    return True if wanted is not None and not any(mark in asked for mark in wanted) else None


@pytest.fixture(autouse=True, scope="session")
def _emptying() -> None:
    """Let tests that commit be cleaned up: disable the triggers that forbid emptying tables.

    The program itself never empties its tables.
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

    type(connection.ops).execute_sql_flush = execute_sql_flush


@pytest.fixture(autouse=True)
def _empty_cache(request: pytest.FixtureRequest) -> None:
    """Start every test with an empty page cache, and let event versions change at once.

    On PostgreSQL the triggers that change them are deferred to the commit, which most tests lack.
    """
    caches["pages"].clear()
    if settings.REDIS_URL:
        # Restored rows have the versions under which an earlier test cached its pages.
        prefix = uuid.uuid4().hex
        caches.settings["default"]["KEY_PREFIX"] = prefix
        caches["default"].key_prefix = prefix
    has_database = "db" in request.fixturenames or request.node.get_closest_marker("django_db")
    if connection.vendor == "postgresql" and has_database:
        request.getfixturevalue("db")
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS event_version IMMEDIATE")


@pytest.fixture(autouse=True)
def _language() -> None:
    """Start every test in the default language; a request leaves its reader's language active."""
    translation.deactivate()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests that need a server that is not configured or have a make target of their own.

    On another database, only tests that may differ there are run again.
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
    """Return whether a test belongs to this run; on SQLite `pages` tests must be requested, too."""
    for name in ("slow", "hosts", *(["pages"] if embedded else [])):
        if item.get_closest_marker(name):
            return name in asked
    return True


def _asks_services(item: pytest.Item) -> bool:
    """Return whether another database or Redis could change a test's outcome."""
    if item.get_closest_marker("services") or item.get_closest_marker("redis"):
        return True
    if item.get_closest_marker("sqlite"):
        return False
    fixtures = set(getattr(item, "fixturenames", ()))
    mark = item.get_closest_marker("django_db")
    if "transactional_db" in fixtures or (mark and mark.kwargs.get("transaction")):
        return True
    here = item.path.relative_to(TESTS).as_posix()
    return here.startswith(ON_EACH_DATABASE) and bool(mark or "db" in fixtures)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail a run in which a test was skipped, if NO_SKIPS is set."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or os.environ.get("NO_SKIPS") != "1":
        return
    if reporter.stats.get("skipped") and exitstatus == pytest.ExitCode.OK:
        reporter.write_line("Tests were skipped, and NO_SKIPS=1 does not allow that.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
