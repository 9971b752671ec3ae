"""What holds for every test: texts are compiled, nothing is skipped unseen.

``NO_SKIPS=1`` (set by .ci/run) turns a skipped test into a failed run.
"""

import os

import pytest
from django.conf import settings
from django.utils import translation

from config import texts


def pytest_configure(config: pytest.Config) -> None:
    """Compile the Swedish texts where they are older than their sources."""
    if not hasattr(config, "workerinput"):
        texts.compile_all()


@pytest.fixture(autouse=True)
def _language() -> None:
    """Begin every test in the site's own language; a request leaves its reader's behind."""
    translation.deactivate()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs a server that is not configured, and what is too slow unless asked."""
    embedded = "sqlite3" in settings.DATABASES["default"]["ENGINE"]
    asked = config.getoption("markexpr", "")
    out = [
        item
        for item in items
        if (embedded and item.get_closest_marker("services"))
        or any(item.get_closest_marker(name) and name not in asked for name in ("slow", "pages"))
    ]
    if out:
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in set(out)]


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail a run in which something was skipped, where that was asked for."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or os.environ.get("NO_SKIPS") != "1":
        return
    if reporter.stats.get("skipped") and exitstatus == pytest.ExitCode.OK:
        reporter.write_line("Tests were skipped, and NO_SKIPS=1 does not allow that.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
