"""What tests share that start the program with its demo festival."""

import os
import shutil
import time
from pathlib import Path

import pytest

from tests.config.server import Server


@pytest.fixture(scope="session")
def demo_installation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo festival, made once for all processes; only to be copied."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "demo-installation"
    made = folder / "made"
    try:
        folder.mkdir()
    except FileExistsError:
        # Another process is at it.
        deadline = time.monotonic() + 180
        while not made.exists():
            assert time.monotonic() < deadline, "the demo festival was not made"
            time.sleep(0.2)
    else:
        with Server(folder) as server:
            server.stop()
        made.touch()
    return folder


@pytest.fixture
def demo_data(tmp_path: Path, demo_installation: Path) -> Path:
    """A data folder in which the demo festival has been loaded, this test's own."""
    return Path(shutil.copytree(demo_installation, tmp_path / "data"))
