"""The command on a terminal and elsewhere: languages, versions, whole folders of records."""

import json
import os
import pty
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import engine
from engine.cli.readable import ranked
from engine.messages import languages, points_text, status_text, texts_in
from tests.engine.conformance.runner import record, run

ROOT = Path(__file__).resolve().parents[3]
GOOD = record(entries="1a:p 2- Tb 3-")
BAD = record(entries="1a:p 1a:p")
HEAT = {
    "format": "chicago-heat",
    "version": 1,
    "rules": "festival",
    "players": GOOD["seats"],
    "games": [GOOD],
    "games_planned": 1,
    "advance": 1,
}


def test_the_version_is_the_packages():
    assert run("--version").out == f"chicago-engine {engine.__version__}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_a_terminal_gets_text_and_json_only_on_request(tmp_path):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(GOOD), "utf-8")
    for words, is_json in (([], False), (["--json"], True)):
        master, slave = pty.openpty()
        command = [sys.executable, "-m", "engine", "replay", str(path), *words]
        subprocess.run(command, cwd=ROOT, stdout=slave, check=True)
        os.close(slave)
        answer = os.read(master, 65536).decode()
        os.close(master)
        assert answer.startswith("{") is is_json
        assert GOOD["seats"][1] in answer or is_json


@pytest.mark.parametrize("lang", languages())
def test_a_heat_on_a_terminal_shows_penalties_only_if_there_are_some(lang):
    taken = {"player": GOOD["seats"][1], "game_points": "5/2", "reason": "late"}
    plain, lowered = (
        ranked(run("heat", "-", stdin=json.dumps(HEAT | more)).doc, lang)
        for more in ({}, {"penalties": [taken]})
    )
    penalty = texts_in(lang).terminal["penalty"]
    assert penalty not in plain[0]
    assert penalty in lowered[0]
    assert any(
        taken["player"] in line and points_text(Fraction(5, 2), lang) in line for line in lowered
    )


def test_sentences_are_in_the_requested_language():
    english, swedish = (
        run("replay", "-", "--lang", lang, stdin=json.dumps(BAD)).doc["problems"][0]
        for lang in ("en", "sv")
    )
    assert english["code"] == swedish["code"]
    assert english["message"] != swedish["message"]
    assert run("replay", "-", "--lang", "xx").code == 2


@pytest.mark.parametrize("before", [["--lang", "sv"], ["--lang=sv"], ["--json", "--lang", "sv"]])
def test_options_of_every_command_may_precede_it(before):
    after = run("replay", "-", *before, stdin=json.dumps(BAD))
    assert run(*before, "replay", "-", stdin=json.dumps(BAD)) == after
    assert run(*before).code == 2
    assert run("--lang", "xx", "replay", "-").code == 2


def test_names_are_printed_unescaped():
    named = GOOD | {"seats": ["Åsa", "Łucja", "♥", "Örjan"]}
    ran = run("replay", "-", stdin=json.dumps(named | {"entries": [{"kind": "none", "phase": 2}]}))
    assert "\\u" not in ran.out
    assert "å" in run("rules", "festival").out


@pytest.mark.parametrize("lang", ["en", "sv"])
@pytest.mark.parametrize(
    ("argv", "stdin", "part"),
    [
        (["replay", "-", "--facts"], GOOD, GOOD["seats"][1]),
        (["replay", "-"], BAD, "(wrong_phase)"),
        (["replay", "-"], [], "(malformed)"),
        (["replay", "-"], record(entries="1a:rf"), "= 11 2/3"),
        (["heat", "-"], HEAT, GOOD["seats"][0]),
        (["heat", "-"], HEAT | {"games": [BAD]}, "(wrong_phase)"),
        (["outlook", "-"], HEAT, GOOD["seats"][0]),
        (["settle", "-"], record("pagat", "1a:rf"), GOOD["seats"][1]),
        (["settle", "-"], GOOD, "(game_unfinished)"),
        (["totals", "-"], {}, "(malformed)"),
        (["playoff", "11"], "", "4 + 4 + 3"),
        (["rules"], "", "wikipedia"),
        (["rules", "svensk+N+C"], "", "svensk+C+N"),
        (["rules", "no"], "", "(unknown_rules)"),
        (["evaluate", "Ah Kh Qh Jh Th"], "", "royal flush"),
        (["evaluate", "Ah"], "", "(bad_value)"),
        (["check", "-"], [GOOD, BAD], "-[1]  wrong_phase  "),
    ],
)
def test_every_answer_has_a_text_form(argv, stdin, part, lang):
    answer = run(*argv, "--lang", lang, stdin=json.dumps(stdin), terminal=True)
    assert part in answer.out
    assert "{" not in answer.out
    assert answer.err == ""


def test_statuses_and_changes_are_the_sheets_words():
    game = json.dumps(record(entries="a+46"))
    lines = run("replay", "-", "--facts", stdin=game, terminal=True).out.splitlines()
    assert f"{GOOD['seats'][0]} +46" in lines[0]
    assert [line.endswith(status_text("discardless")) for line in lines[-4:]] == [True] + 3 * [
        False
    ]


def test_check_takes_files_folders_lines_and_lists(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "a.json").write_text(json.dumps(GOOD), "utf-8")
    (tmp_path / "b.jsonl").write_text(f"{json.dumps(GOOD)}\n\n{json.dumps(BAD)}\nno\n", "utf-8")
    (tmp_path / "deep" / "c.json").write_text(json.dumps([HEAT, {}], indent=1), "utf-8")
    (tmp_path / "deep" / "notes.txt").write_text("not a record", "utf-8")
    (tmp_path / "deep" / "d.json").write_text("{\nbroken", "utf-8")
    ran = run("check", str(tmp_path), str(tmp_path / "none.json"))
    *found, summary = ran.lines
    assert ran.code == 1
    assert [(Path(each["name"]).name, each["code"]) for each in found] == [
        ("a.json", "ok"),
        ("b.jsonl:1", "ok"),
        ("b.jsonl:3", "wrong_phase"),
        ("b.jsonl:4", "malformed"),
        ("c.json[0]", "ok"),
        ("c.json[1]", "malformed"),
        ("d.json", "malformed"),
        ("none.json", "malformed"),
    ]
    assert summary == {"checked": 8, "wrong": 5}
    assert run("check", str(tmp_path / "a.json")).code == 0
    assert run("check").code == 2


def test_check_looks_into_festivals():
    festival = run("simulate", "festivals", "--players", "6", "--max-deals", "1", "--waves", "1")
    ran = run("check", "-", stdin=festival.out)
    assert ran.code == 0
    assert ran.lines[-1]["checked"] == len(festival.doc["heats"])
