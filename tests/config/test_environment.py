"""The lock files, and the script that makes the environment from them."""

import importlib.util
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from tools import environment, lock

ROOT = Path(__file__).resolve().parents[2]
PINNED = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*==[0-9][0-9a-z.+]*")


def lines(name: str) -> list[str]:
    return (ROOT / name).read_text(encoding="utf-8").split()


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_file_holds_only_names_and_versions(name: str) -> None:
    assert lines(name)
    assert [line for line in lines(name) if not PINNED.fullmatch(line)] == []
    names = [line.split("==")[0] for line in lines(name)]
    assert names == sorted(set(names))


def test_the_lock_files_match_the_tested_environment() -> None:
    pinned = dict(line.split("==") for name in environment.LOCKS["dev"] for line in lines(name))
    assert {name: metadata.version(name) for name in pinned} == pinned


@pytest.mark.parametrize("name", ["requirements", "requirements-dev"])
def test_the_lock_files_hold_all_requirements(name: str) -> None:
    wanted = lock.closure(lock.wanted(ROOT / f"{name}.in"))
    pinned = {line.split("==")[0] for file in environment.LOCKS["dev"] for line in lines(file)}
    assert set(wanted) <= pinned


def test_the_runtime_lock_has_no_test_requirements() -> None:
    runtime = lock.closure(lock.wanted(ROOT / "requirements.in"))
    assert {line.split("==")[0] for line in lines("requirements.lock")} == set(runtime)


def test_the_stamp_changes_with_the_lock_files(tmp_path: Path) -> None:
    (tmp_path / "a.lock").write_text("x==1\n", encoding="utf-8")
    before = environment.lock_hash(["a.lock"], tmp_path)
    assert environment.lock_hash(["a.lock"], tmp_path) == before
    (tmp_path / "a.lock").write_text("x==2\n", encoding="utf-8")
    assert environment.lock_hash(["a.lock"], tmp_path) != before


def test_an_up_to_date_environment_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VENV", str(tmp_path))
    python = environment.venv_python(tmp_path)
    python.parent.mkdir(parents=True)
    python.touch()
    stamp = tmp_path / ".installed-runtime"
    stamp.write_text(environment.lock_hash(environment.LOCKS["runtime"]), encoding="ascii")
    assert environment.install("runtime") is False


def test_a_python_that_cannot_make_environments_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VENV", str(tmp_path / "env"))
    find = importlib.util.find_spec
    lacking = {"ensurepip", "pip", "virtualenv"}
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name in lacking else find(name)
    )
    assert environment.main([]) == 1
    message = capsys.readouterr().err
    assert f"apt install python3.{sys.version_info.minor}-venv" in message
    assert not (tmp_path / "env").exists()


def test_the_script_needs_only_the_standard_library() -> None:
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(ROOT / "tools" / "environment.py"), "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "--dev" in run.stdout
