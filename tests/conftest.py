"""What tests share that start the program with its demo festival."""

import shutil
from pathlib import Path

import pytest

from tests.config.server import Server


@pytest.fixture(scope="session")
def _demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installation")
    with Server(folder) as server:
        server.stop()
    return folder


@pytest.fixture
def demo_data(tmp_path: Path, _demo: Path) -> Path:
    """A data folder in which the demo festival has been loaded, this test's own."""
    return Path(shutil.copytree(_demo, tmp_path / "data"))
