"""Processor time of a rehearsal and of the demo, beside an earlier program in the same run.

`make bench ARGS="rehearsal 88 --before FOLDER"`: each program in a process of its own, on an empty
database, starting included. The programs take turns, and the best of several rounds counts: on a
busy machine processor time grows, too.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import clients

COMMANDS = {
    "rehearsal": ("rehearse", "--seed", "bench", "--slug", "bench", "--players"),
    "demo": ("load_demo",),
}


def seconds(program: Path, database: Path, *arguments: str) -> float:
    """Return the processor time that a command of this program takes on a copy of a database."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(database, folder, dirs_exist_ok=True)
        began = os.times()
        run(program, Path(folder), *arguments)
        ended = os.times()
    spent = ended.children_user + ended.children_system
    return spent - began.children_user - began.children_system


def run(program: Path, folder: Path, *arguments: str) -> None:
    """Run a management command of this program on a folder's data."""
    environment = dict(os.environ) | {"DATA_DIR": str(folder), "DEMO": "0"}
    # Compiled once, as in an installed program.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "manage.py", *arguments]
    subprocess.run(command, cwd=program, env=environment, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    """Print the table; without an earlier program, append it to the file of past results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", nargs="?", default="88")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--before", type=Path, metavar="FOLDER", help="an earlier checkout")
    options = parser.parse_args()
    programs = {"now": clients.ROOT}
    if options.before:
        programs = {"before": options.before.resolve()} | programs
    best: dict[str, dict[str, float]] = {name: {} for name in COMMANDS}
    with tempfile.TemporaryDirectory() as name:
        for which, program in programs.items():
            Path(name, which).mkdir()
            run(program, Path(name, which), "migrate", "-v0")
        for _round in range(options.rounds):
            for what, command in COMMANDS.items():
                last = (options.players,) if what == "rehearsal" else ()
                for which, program in programs.items():
                    taken = seconds(program, Path(name, which), *command, *last)
                    best[what][which] = min(taken, best[what].get(which, taken))
    print(f"| seconds | {' | '.join(programs)} | |\n|---|{'---|' * len(programs)}---|")
    for what, times in best.items():
        ratio = f"{times['before'] / times['now']:.2f} ×" if options.before else ""
        print(f"| {what} | {' | '.join(f'{each:.1f}' for each in times.values())} | {ratio} |")
    if not options.before:
        clients.keep("rehearsal", {what: round(times["now"], 2) for what, times in best.items()})


if __name__ == "__main__":
    main()
