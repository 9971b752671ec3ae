"""What tests share that start the program: a data folder, made once for all processes."""

import os
import shutil
import time
from pathlib import Path

import pytest

from tests.config.server import Server


@pytest.fixture(scope="session")
def demo_installation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo festival; only to be copied."""
    return _installed(tmp_path_factory, "demo")


@pytest.fixture(scope="session")
def empty_installation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder of the program's first day; only to be copied."""
    return _installed(tmp_path_factory, "empty", DEMO="0")


def _installed(temporary: pytest.TempPathFactory, name: str, **environment: str) -> Path:
    """Let one of the test processes start the program; the others wait."""
    base = temporary.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"{name}-installation"
    made = folder / "made"
    try:
        folder.mkdir()
    except FileExistsError:
        # Another process is at it.
        deadline = time.monotonic() + 180
        while not made.exists():
            assert time.monotonic() < deadline, f"{name}: not made"
            time.sleep(0.2)
    else:
        with Server(folder, **environment) as server:
            server.stop()
        made.touch()
    return folder


@pytest.fixture
def demo_data(tmp_path: Path, demo_installation: Path) -> Path:
    """A data folder in which the demo festival has been loaded, this test's own."""
    return Path(shutil.copytree(demo_installation, tmp_path / "data"))
