"""The command with closed pipes, full disks and missing streams: never a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.conformance.runner import run

ROOT = Path(__file__).resolve().parents[3]
SEATS = {"seats": ["Anna", "Bo"], "entries": [{"kind": "none", "phase": 1}]}
RECORD = {"format": "chicago-game-record", "version": 1, "rules": "festival", **SEATS}
ALL = [
    *("replay", "rules", "evaluate", "heat", "outlook", "totals", "settle", "playoff", "simulate"),
    *("check", "schema"),
]
#: A command that reads, one that only prints, one that reports an error.
COMMANDS = ["replay -", "playoff 9", "nonsense"]


def in_a_shell(command: str, redirect: str, tmp_path: Path) -> tuple[int, str]:
    """Return the command's exit status and standard error with its streams tampered with."""
    noted = tmp_path / "stderr"
    line = f"exec 2>'{noted}'; exec '{sys.executable}' -m engine {command} {redirect}"
    ran = subprocess.run(
        ["sh", "-c", line],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=False,
        timeout=60,
    )
    return ran.returncode, noted.read_text(encoding="utf-8", errors="replace")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_missing_stream_counts_as_empty(command, tmp_path):
    usual = in_a_shell(command, "", tmp_path)
    assert "Traceback" not in usual[1]
    for redirect in ("<&-", ">&-", "<&- >&-"):
        assert in_a_shell(command, redirect, tmp_path) == usual


@pytest.mark.parametrize("command", COMMANDS[:2])
def test_output_that_cannot_be_written_is_exit_2(command, tmp_path):
    status, message = in_a_shell(command, ">/dev/full", tmp_path)
    assert status == 2
    assert message.startswith("cannot write the answer: ")
    assert len(message.splitlines()) == 1


@pytest.mark.parametrize("redirect", ["2>&-", "2>/dev/full", ">/dev/full 2>&1"])
def test_errors_without_standard_error_are_silent(redirect, tmp_path):
    assert in_a_shell("nonsense", redirect, tmp_path)[0] == 2


@pytest.mark.parametrize("command", ["replay --lines -", "simulate games --count 500 --seed x"])
def test_a_reader_who_leaves_early_causes_no_error(command):
    ran = subprocess.Popen(
        [sys.executable, "-m", "engine", *command.split()],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert ran.stdin is not None
    assert ran.stdout is not None
    assert ran.stderr is not None
    if command.startswith("replay"):
        ran.stdin.write((json.dumps(RECORD) + "\n").encode() * 3)
        ran.stdin.flush()
        ran.stdout.close()
        ran.stdin.close()
    else:
        ran.stdin.close()
        assert json.loads(ran.stdout.readline())["format"] == "chicago-game-record"
        ran.stdout.close()
    assert ran.stderr.read() == b""
    ran.stderr.close()
    assert ran.wait(60) == 0


@pytest.mark.parametrize("command", ["", *ALL])
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_is_printed_on_standard_output(command, option):
    ran = run(*command.split(), option)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("usage: ")


@pytest.mark.parametrize("command", ["replay", "evaluate"])
def test_lines_are_answered_as_they_come(command):
    """One document per line, without buffering: the next line may come much later."""
    words = ["evaluate", "--lines", "-"] if command == "evaluate" else [command, "--lines", "-"]
    ran = subprocess.Popen(
        [sys.executable, "-u", "-m", "engine", *words],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert ran.stdin is not None
    assert ran.stdout is not None
    for _ in range(2):
        ran.stdin.write(b"\n \nnothing\n")
        ran.stdin.flush()
        assert json.loads(ran.stdout.readline())["valid"] is False
    ran.stdin.close()
    assert ran.stdout.read() == b""
    ran.stdout.close()
    assert ran.wait(60) == 2


def test_what_never_ends_is_not_read(capsys, monkeypatch, tmp_path):
    from engine.cli import files
    from engine.cli.main import main

    monkeypatch.setattr(files, "MAX_BYTES", 10)
    long = tmp_path / "long.json"
    long.write_text("[0, 0, 0, 0]")
    for words in (["check"], ["replay"], ["replay", "--lines"]):
        assert main([*words, str(long)]) in {1, 2}
        found = json.loads(capsys.readouterr().out.splitlines()[0])
        assert found.get("code") or found["problems"][0]["code"] == "malformed"
        assert str(long) in json.dumps(found)
