"""game-record: the command itself, as a process: exit codes, streams, lines, no traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .runner import record, run, spell

ROOT = Path(__file__).resolve().parents[3]
GOOD = json.dumps(record(entries="1a:p 2- Tb 3-"))
ILLEGAL = json.dumps(record(entries="1a:p 1a:p"))
BROKEN = '{"format": "chicago-game-record"'


def process(*argv, stdin="", **env):
    """Run the command as another program would, with almost no environment."""
    data = stdin if isinstance(stdin, bytes) else stdin.encode()
    return subprocess.run(
        [sys.executable, "-m", "engine", *argv],
        input=data,
        capture_output=True,
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **env},
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("text", "code", "valid"),
    [(GOOD, 0, True), (ILLEGAL, 1, False), (BROKEN, 2, False), ("", 2, False)],
    ids=["valid", "illegal entry", "unreadable", "empty"],
)
def test_process_exit_codes(text, code, valid):
    ran = process("replay", "-", stdin=text)
    assert ran.returncode == code
    assert json.loads(ran.stdout)["valid"] is valid
    assert ran.stderr == b""


def test_process_ascii_locale_and_names_in_any_script(tmp_path):
    names = ["Åsa Öberg", "Łukasz", "李小龍", "🂡"]
    path = tmp_path / "åäö.json"
    text = json.dumps(record(entries="a+52 1a:p", seats=names), ensure_ascii=False)
    path.write_text(text, encoding="utf-8")
    for argv, stdin in ((("replay", "-"), text), (("replay", str(path)), "")):
        ran = process(*argv, stdin=stdin, LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
        assert (ran.returncode, ran.stderr) == (1, b"")
        assert "Åsa Öberg" in json.loads(ran.stdout)["problems"][-1]["message"]


def test_process_prints_a_lone_surrogate():
    text = json.dumps(record(entries="a+52 1a:p", seats=["\ud800\udfff", "\udcff"]))
    for env in ({}, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}):
        ran = process("replay", "-", stdin=text, **env)
        assert (ran.returncode, ran.stderr) == (1, b"")
        assert json.loads(ran.stdout)["valid"] is False


def test_process_a_long_record_and_a_deeply_nested_one():
    long = json.dumps(record(entries=spell("a+1 a-1") * 5000))
    assert process("replay", "-", stdin=long).returncode == 0
    deep = process("replay", "-", stdin="[" * 200_000)
    assert (deep.returncode, deep.stderr) == (2, b"")
    assert json.loads(deep.stdout)["problems"][0]["code"] == "malformed"


def test_process_numbers_of_any_length():
    text = GOOD.replace('"phase": 1', '"phase": ' + "9" * 6000, 1)
    ran = process("replay", "-", stdin=text)
    assert ran.returncode in (1, 2)
    assert ran.stderr == b""
    assert json.loads(ran.stdout)["valid"] is False


@pytest.mark.parametrize(
    "argv",
    [
        *([], ["nonsense"], ["replay"], ["replay", "-", "--nonsense"], ["replay", "a", "b"]),
        *(
            ["settle", "-", "--stake"],
            ["settle", "-", "--stake", "x"],
            ["heat"],
            ["rules", "a", "b"],
        ),
        *(["rules", "a", "b"], ["evaluate"], ["playoff"], ["outlook", "--nonsense"]),
    ],
    ids=" ".join,
)
def test_wrong_command_line(argv):
    ran = run(*argv, stdin=GOOD)
    assert (ran.code, ran.out) == (2, "")
    assert "usage" in ran.err.lower()
    assert "Traceback" not in ran.err


def test_process_wrong_command_line():
    ran = process("replay", "--nonsense")
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert b"usage" in ran.stderr.lower()
    assert b"Traceback" not in ran.stderr


@pytest.mark.parametrize("command", ["replay", "heat", "outlook", "settle"])
def test_a_missing_file(command, tmp_path):
    for path in (tmp_path / "none.json", tmp_path):
        ran = run(command, str(path))
        assert ran.code == 2
        assert "Traceback" not in ran.err


def test_replay_of_a_file(tmp_path):
    path = tmp_path / "record.json"
    path.write_text(GOOD, encoding="utf-8")
    assert run("replay", str(path)).out == run("replay", "-", stdin=GOOD).out


def test_standard_output_holds_exactly_one_document():
    ran = run("replay", "-", stdin=GOOD)
    assert json.loads(ran.out)["valid"]
    assert ran.out.endswith("\n")
    assert ran.err == ""


# --- --lines ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        ([GOOD, GOOD], 0),
        ([GOOD, ILLEGAL], 1),
        ([ILLEGAL, GOOD], 1),
        ([BROKEN, ILLEGAL, GOOD], 2),
        ([GOOD, BROKEN], 2),
    ],
    ids=["valid", "illegal last", "illegal first", "broken first", "broken last"],
)
def test_lines_one_document_per_line_and_the_worst_code(texts, code):
    ran = run("replay", "--lines", "-", stdin="\n".join(texts))
    assert ran.code == code
    assert ran.lines == [run("replay", "-", stdin=text).doc for text in texts]


def test_lines_blank_lines_are_skipped():
    ran = run("replay", "--lines", "-", stdin=f"\n{GOOD}\n   \n\t\n{ILLEGAL}\n\n")
    assert [doc["valid"] for doc in ran.lines] == [True, False]


def test_lines_windows_line_ends():
    ran = run("replay", "--lines", "-", stdin=f"{GOOD}\r\n\r\n{GOOD}\r\n")
    assert (ran.code, len(ran.lines)) == (0, 2)


@pytest.mark.parametrize("text", ["", "\n", "\n  \n\n"], ids=["empty", "newline", "blank"])
def test_lines_empty_input(text):
    ran = run("replay", "--lines", "-", stdin=text)
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_lines_of_a_file_with_the_option_after_it(tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_text(f"{GOOD}\n{ILLEGAL}\n", encoding="utf-8")
    first, second = run("replay", str(path), "--lines"), run("replay", "--lines", str(path))
    assert (first.code, first.out) == (second.code, second.out)
    assert first.code == 1


def test_lines_one_bad_line_does_not_affect_others():
    ran = run("replay", "--lines", "-", stdin=b"\xff\xfe\n" + GOOD.encode() + b"\n[[[\n")
    assert ran.code == 2
    assert [doc["valid"] for doc in ran.lines] == [False, True, False]


def test_process_lines():
    ran = process("replay", "--lines", "-", stdin=f"{GOOD}\n{BROKEN}\n")
    assert ran.returncode == 2
    assert [json.loads(line)["valid"] for line in ran.stdout.splitlines()] == [True, False]
    assert ran.stderr == b""
