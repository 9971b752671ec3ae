"""Processor time of a rehearsal and of the demo, beside an earlier program in the same run.

`make bench ARGS="rehearsal 88 --before FOLDER"`: each program in a process of its own, on an empty
database, starting included. The programs take turns, and the best of several rounds counts: on a
busy machine processor time grows, too.
"""

import argparse
import os
import shutil
import tempfile
from pathlib import Path

from benchmarks import clients

COMMANDS = {"rehearsal": clients.REHEARSAL, "demo": ("load_demo",)}


def seconds(program: clients.Program, data: Path, *arguments: str) -> float:
    """Return the processor time that a management command takes on a folder's data."""
    began = os.times()
    program.manage(data, *arguments)
    ended = os.times()
    spent = ended.children_user + ended.children_system
    return spent - began.children_user - began.children_system


def on_a_copy(program: clients.Program, database: Path, *arguments: str) -> float:
    """Return the same on a copy of a database."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(database, folder, dirs_exist_ok=True)
        return seconds(program, Path(folder), *arguments)


def main() -> None:
    """Print the table; without an earlier program, append it to the file of past results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", nargs="?", default="88")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--before", type=Path, metavar="FOLDER", help="an earlier checkout")
    options = parser.parse_args()
    programs = {"now": clients.HERE}
    if options.before:
        programs = {"before": clients.Program.before(options.before)} | programs
    best: dict[str, dict[str, float]] = {name: {} for name in COMMANDS}
    with tempfile.TemporaryDirectory() as name:
        for which, program in programs.items():
            Path(name, which).mkdir()
            program.manage(Path(name, which), "migrate", "-v0")
        for _round in range(options.rounds):
            for what, command in COMMANDS.items():
                last = (options.players,) if what == "rehearsal" else ()
                for which, program in programs.items():
                    taken = on_a_copy(program, Path(name, which), *command, *last)
                    best[what][which] = min(taken, best[what].get(which, taken))
    print(f"| seconds | {' | '.join(programs)} | |\n|---|{'---|' * len(programs)}---|")
    for what, times in best.items():
        ratio = f"{times['before'] / times['now']:.2f} ×" if options.before else ""
        print(f"| {what} | {' | '.join(f'{each:.1f}' for each in times.values())} | {ratio} |")
    if not options.before:
        clients.keep("rehearsal", {what: round(times["now"], 2) for what, times in best.items()})


if __name__ == "__main__":
    main()
