"""One table of all that is measured, one turn each: ``make bench-all``.

    python -m benchmarks all                                this program
    python -m benchmarks all --before FOLDER                beside an earlier checkout
    python -m benchmarks all --players 24 --tables 20 --seconds 15       smaller

An earlier checkout is measured part by part in turns, with its own environment (``.venv``) and its
own phones, on data that it has made. What a side cannot measure is "not here", for the reason on
standard error: memory, processor time of servers and the hall on one core need Linux, two hosts
root and network namespaces besides, and start this program only.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from urllib.request import urlopen

from benchmarks import bench, clients, growth, hall, hosts, pages, pdf, rehearsal

#: Pages that are made in one process.
MADE = ("e/bench/standings/", "e/bench/heats/1/", "e/bench/desk/")
#: How long each page is asked for again; and when servers are idle: so little work in so long.
PAGE_SECONDS, IDLE_WORK, IDLE_SECONDS = 0.5, 0.1, 3.0
#: Games that bots play; experts think longer.
GAMES = {"regular": 20, "expert": 4}
WATCHERS = 2
#: What a measurement raises that is not possible here, or not of an earlier program.
IMPOSSIBLE = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, OSError, ValueError),
    *(HTTPException, SystemExit, subprocess.SubprocessError),
)


@dataclass(frozen=True)
class Side:
    """A measured program, a folder for its data, and how much is asked for."""

    program: clients.Program
    data: Path
    options: argparse.Namespace

    @property
    def empty(self) -> Path:
        """The data of a program that has only been started."""
        return self.data / "empty"

    @property
    def played(self) -> Path:
        """The data of a rehearsed event."""
        return self.data / "played"


def starts(side: Side) -> dict[str, float]:
    """Serve an empty folder, and again, until a page is answered."""
    side.empty.mkdir(parents=True)
    rows = {}
    for start in ("first start", "second start"):
        began = time.perf_counter()
        with side.program.serve(side.empty) as (port, _live, _said):
            urlopen(f"http://127.0.0.1:{port}/").close()
            row = f"`serve`, {start} until the first page"
            rows[f"{row}, elapsed s"] = time.perf_counter() - began
            rows[f"{row}, processor time of all processes, s"] = clients.processor_time(port)
    return rows


def commands(side: Side) -> dict[str, float]:
    """Rehearse an event, and import it where there is none."""
    shutil.copytree(side.empty, side.played)
    players = str(side.options.players)
    played = rehearsal.seconds(side.program, side.played, *clients.REHEARSAL, players)
    document = side.data / "event.json"
    document.write_text(side.program.manage(side.played, "export_event", "bench"))
    read = rehearsal.on_a_copy(side.program, side.empty, "import_event", str(document))
    return {"a rehearsal, processor time, s": played, "`import_event`, processor time, s": read}


def served(side: Side) -> dict[str, float]:
    """Serve that event: memory when idle, the floor, and pages when they are asked for first."""
    with side.program.serve(side.played) as (port, _live, _said):
        urlopen(f"http://127.0.0.1:{port}/").close()
        worked = -1.0
        while (now := clients.processor_time(port)) - worked > IDLE_WORK:
            worked = now
            time.sleep(IDLE_SECONDS)
        memory = clients.memory(port)
        floor, *found = pages.measure(port, PAGE_SECONDS).items()
    return {
        "memory of all processes, idle after a rehearsal, MB": memory,
        "floor: a bare view, ms": floor[1]["again, p50 ms"],
        **{f"/{page}, first, × floor": each["first × floor"] for page, each in found},
    }


def making(side: Side) -> dict[str, float]:
    """Make pages in one process."""
    growth.add(side.program, side.played, *growth.OTHERS)
    found = growth.measure(side.program, side.played)["pages"]
    return {f"/{page}, made in one process, ms": found[page][0] for page in MADE}


def bots(side: Side) -> dict[str, float]:
    """Let bots play."""
    return {
        f"{name} bots, deals a second": bench.speed(side.program, name, games)
        for name, games in GAMES.items()
    }


def protocol(side: Side) -> dict[str, float]:
    """Draw a protocol."""
    speed = pdf.speed(pdf.drawn(side.program), pdf.BARE)
    return {"a protocol, × the speed of a bare canvas with its fonts": speed}


def hall_on_one_core(side: Side) -> dict[str, float]:
    """Serve a hall on one core."""
    sizes = side.options.tables, WATCHERS, side.options.seconds
    found = hall.figures(side.program, *sizes, one_core=True, told=False)
    given = {"tables", "watchers", "entries"}
    return {f"hall on one core: {row}": found[row] for row in found if row not in given}


def two_hosts(side: Side) -> dict[str, float]:
    """Read and write at one host, and at two."""
    if side.program != clients.HERE:
        raise SystemExit("Hosts start this program only.")
    found = hosts.figures()
    one, two = found["one"], found["two"]
    return {f"two hosts: {row}, × one": two[row] / value for row, value in one.items()}


Parts = tuple[Callable[[Side], dict[str, float]], ...]
PARTS: Parts = (starts, commands, served, making, bots, protocol, hall_on_one_core, two_hosts)


def measured(sides: Mapping[str, Side], parts: Parts = PARTS) -> dict[str, dict[str, float]]:
    """Return rows, each with the figures of the sides that could measure it; parts go in turns."""
    found: dict[str, dict[str, float]] = {}
    for part in parts:
        rows: dict[str, dict[str, float]] = {}
        name = part.__name__.replace("_", " ")
        for which, side in sides.items():
            print(f"{name}, {which} ...", file=sys.stderr, flush=True)
            try:
                for row, value in part(side).items():
                    rows.setdefault(row, {})[which] = round(value, 3)
            except IMPOSSIBLE as error:
                print(f"not here: {error!r}", file=sys.stderr)
        found |= rows or {name: {}}
    return found


def table(sides: Collection[str], found: Mapping[str, Mapping[str, float]]) -> str:
    """Return the table in Markdown; ratio: what is now in parts of what was before."""
    lines = [f"| | {' | '.join(sides)} | ratio |", "|---|" + "---|" * (len(sides) + 1)]
    for row, values in found.items():
        cells = [f"{values[which]:,.4g}" if which in values else "not here" for which in sides]
        both = len(sides) == len(values) == 2 and all(values.values())
        ratio = f"{values['now'] / values['before']:.2f}" if both else ""
        lines.append(f"| {row} | {' | '.join(cells)} | {ratio} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table, and append it to the file of past results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks all", description=__doc__)
    parser.add_argument("--before", type=Path, metavar="FOLDER", help="an earlier checkout")
    parser.add_argument("--players", type=int, default=88, help="of the rehearsed event")
    parser.add_argument("--tables", type=int, default=200, help="of the hall")
    parser.add_argument("--seconds", type=int, default=60, help="that they score")
    options = parser.parse_args()
    programs = {"now": clients.HERE}
    if options.before:
        programs = {"before": clients.Program.before(options.before)} | programs
    with tempfile.TemporaryDirectory() as name:
        found = measured(
            {which: Side(each, Path(name, which), options) for which, each in programs.items()}
        )
    commits = {which: clients.commit(each) for which, each in programs.items()}
    sizes = {name: getattr(options, name) for name in ("players", "tables", "seconds")}
    print(f"{bench.machine()}; {commits}; {sizes}\n\n{table(programs, found)}")
    clients.keep("all", {"commits": commits, "sizes": sizes, "rows": found})


if __name__ == "__main__":
    main()
