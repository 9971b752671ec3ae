"""The benchmarks that print one table: it says what a side cannot measure, and they start."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from benchmarks import all as bench_all
from benchmarks import clients
from benchmarks.__main__ import OTHERS
from tests.config.server import ROOT


def test_each_has_its_command_in_the_notes() -> None:
    notes = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    assert [each for each in OTHERS if f"ARGS={each}`" not in notes] == ["all"]
    assert "`make bench-all`" in notes


def test_the_table_compares_what_both_sides_could_measure() -> None:
    found = {
        "both": {"before": 4.0, "now": 1.0},
        "none of either": {"before": 0.0, "now": 0.0},
        "now only": {"now": 1234.5678},
        "nobody": {},
    }
    assert bench_all.table(["before", "now"], found).splitlines()[2:] == [
        "| both | 4 | 1 | 0.25 |",
        "| none of either | 0 | 0 |  |",
        "| now only | not here | 1,235 |  |",
        "| nobody | not here | not here |  |",
    ]


@pytest.mark.pages
def test_a_side_is_started_and_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the other parts are measured with; a program that is not there measures nothing."""
    monkeypatch.delenv("DJANGO_SETTINGS_MODULE")
    options = Namespace(players=8)
    nowhere = clients.Program.before(tmp_path / "nowhere")
    found = bench_all.measured(
        {
            "before": bench_all.Side(nowhere, tmp_path / "before", options),
            "now": bench_all.Side(clients.HERE, tmp_path / "now", options),
        },
        (bench_all.starts, bench_all.commands),
    )
    assert len(found) == 6
    assert all(list(each) == ["now"] for each in found.values())
    assert (tmp_path / "now" / "event.json").stat().st_size
