"""``python -m engine simulate games|heats|festivals``: records, statistics, as many as wanted.

The same seed gives the same records whatever the number of processes: every game, heat or
festival has a seed of its own, made of ``--seed`` and its number.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, TextIO

from ..bots.events import simulate_festival, simulate_heat
from ..bots.players import BOTS, bot
from ..bots.simulation import DEFAULT_BOT, MAX_DEALS, Record, play_game
from ..bots.statistics import Tally, report
from ..errors import ChicagoError
from ..messages import say
from ..rules.variants import parse_rules

NAMES: Final = (
    "Anna",
    "Bo",
    "Cia",
    "Dag",
    "Eva",
    "Folke",
    "Greta",
    "Hugo",
    "Ines",
    "Jan",
    "Karin",
    "Leo",
    "Maja",
    "Nils",
    "Olga",
    "Per",
    "Rut",
    "Sven",
    "Tyra",
    "Ulf",
    "Vera",
    "Wille",
    "Ylva",
    "Zeb",
    "Åsa",
    "Ärla",
    "Örjan",
)
"""What bots are called."""

_CHUNK: Final = 8  # played by a process at a time, fewer where there are few
_AHEAD: Final = 4  # chunks per process begun before the first of them is asked for
_MOST_PROCESSES = 256  # a mistyped number shall not bring the machine down


@dataclass(frozen=True, slots=True)
class Job:
    """What to play: one game, heat or festival per number."""

    kind: str
    rules: str
    players: int
    seed: str
    bots: tuple[str, ...]
    max_deals: int
    games: int
    waves: int
    cards: bool
    tally: bool

    def run(self, number: int) -> tuple[Record, Tally]:
        """Play the one with this number; the same number always gives the same."""
        seed = f"{self.seed}/{self.kind} {number}"
        names = _names(self.players)
        tally = Tally()
        if self.kind == "games":
            bots = [self.bots[seat % len(self.bots)] for seat in range(self.players)]
            played = play_game(
                self.rules,
                names,
                seed,
                dealer=number % self.players,
                bots=bots,
                max_deals=self.max_deals,
            )
            record = played.card_record() if self.cards else played.game_record()
            if self.tally:
                tally.game(played.game_record())
            return record, tally
        strengths = {name: self.bots[at % len(self.bots)] for at, name in enumerate(names)}
        if self.kind == "heats":
            record = simulate_heat(
                self.rules,
                names,
                seed,
                games=self.games,
                bots=strengths,
                max_deals=self.max_deals,
            )
        else:
            record = simulate_festival(
                self.rules,
                names,
                seed,
                waves=self.waves,
                games=self.games,
                bots=strengths,
                max_deals=self.max_deals,
            )
        if self.tally:
            for heat in [record] if self.kind == "heats" else record["heats"]:
                tally.heat(heat)
        return record, tally


def _names(count: int) -> list[str]:
    """So many different names."""
    return [
        NAMES[number] if number < len(NAMES) else f"{NAMES[number % len(NAMES)]} {number}"
        for number in range(count)
    ]


def _run(job: Job, numbers: range) -> list[tuple[str, Tally]]:
    played = map(job.run, numbers)
    return [(json.dumps(record), tally) for record, tally in played]


def _results(job: Job, count: int, processes: int) -> Iterator[tuple[str, Tally]]:
    """The results in the order of their numbers; only so many are played ahead of the reader.

    Whatever the count, and however slowly the output is read, memory stays what it is.
    """
    processes = min(processes, count)
    if processes == 1:
        for number in range(count):
            yield from _run(job, range(number, number + 1))
        return
    size = max(1, min(_CHUNK, count // (_AHEAD * processes)))
    chunks = (range(first, min(first + size, count)) for first in range(0, count, size))
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes, _ignore_interrupts) as pool:
        begun = deque(
            pool.apply_async(_run, (job, numbers)) for numbers in islice(chunks, _AHEAD * processes)
        )
        while begun:
            done = begun.popleft().get()
            begun.extend(pool.apply_async(_run, (job, numbers)) for numbers in islice(chunks, 1))
            yield from done


def _ignore_interrupts() -> None:
    """Leave Ctrl-C, which reaches all processes of a terminal, to the one that started the rest."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Progress:
    """A progress bar on a terminal; silent anywhere else.

    It goes to standard error, so that output can be piped away.
    """

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self.total = total
        self.stream = sys.stderr if stream is None else stream
        self.shown = self.stream.isatty()
        self.started = time.monotonic()
        self.last = 0.0

    def at(self, done: int) -> None:
        """Show that so many are done, at most ten times a second."""
        now = time.monotonic()
        if not self.shown or (now - self.last < 0.1 and done < self.total):
            return
        self.last = now
        spent = now - self.started
        left = spent / done * (self.total - done) if done else 0.0
        width = 30
        full = width * done // max(1, self.total)
        bar = "█" * full + "·" * (width - full)
        if (getattr(self.stream, "encoding", None) or "").lower() not in ("utf-8", "utf8"):
            bar = "#" * full + "." * (width - full)
        print(f"\r{bar} {done}/{self.total}, {left:4.0f} s left", end="", file=self.stream)
        self.stream.flush()

    def close(self) -> None:
        """End the line."""
        if self.shown:
            print(file=self.stream)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m engine simulate",
        description="Play Chicago with bots, card by card, from a seed. Without --stats or "
        "--report the records go to standard output, one JSON document per line.",
    )
    parser.add_argument("kind", choices=("games", "heats", "festivals"))
    parser.add_argument("--count", type=int, default=1, help="how many (default 1)")
    parser.add_argument("--seed", default="1", help="any text (default 1)")
    parser.add_argument("--rules", default="festival", help="such as svensk+C+N")
    parser.add_argument(
        "--players", type=int, help="2-4 per game, 3-4 per heat (default 4), 3 or more per festival"
    )
    parser.add_argument(
        "--bots",
        default=DEFAULT_BOT,
        help=f"by seat, separated by commas: {', '.join(BOTS)}, or module:Name "
        f"(default {DEFAULT_BOT})",
    )
    parser.add_argument("--games", type=int, default=3, help="games per heat (default 3)")
    parser.add_argument("--waves", type=int, default=3, help="waves of heats per festival")
    parser.add_argument(
        "--max-deals", type=int, default=MAX_DEALS, help=f"end a game after (default {MAX_DEALS})"
    )
    parser.add_argument("--processes", type=int, default=1, help="processes to use (default 1)")
    parser.add_argument("--out", metavar="FILE", help="write the records there, - for stdout")
    parser.add_argument("--cards", action="store_true", help="card records (games only)")
    parser.add_argument("--stats", action="store_true", help="print statistics as JSON")
    parser.add_argument("--report", action="store_true", help="print statistics as text")
    return parser


def _checked(argv: Sequence[str]) -> tuple[argparse.Namespace, Job]:
    parser = _parser()
    options = parser.parse_args(list(argv))
    default = 24 if options.kind == "festivals" else 4
    players = default if options.players is None else options.players
    least = 2 if options.kind == "games" else 3
    most = 10_000 if options.kind == "festivals" else 4
    if not least <= players <= most:
        parser.error(f"--players must be from {least} to {most} for {options.kind}")
    for name in ("count", "games", "waves", "max_deals", "processes"):
        if not 1 <= getattr(options, name) <= 10**9:
            parser.error(f"--{name.replace('_', '-')} must be from 1 to {10**9}")
    if options.processes > _MOST_PROCESSES:
        parser.error(f"--processes must be at most {_MOST_PROCESSES}")
    bots = tuple(options.bots.split(","))
    if any(":" in name for name in bots) and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())  # a module beside the one who asks
    for name in bots:
        try:
            bot(name)
        except ChicagoError:
            parser.error(f"--bots: no such strength: {name!a}")
    if options.cards and options.kind != "games":
        parser.error("--cards: only games have card records")
    if (options.stats or options.report) and options.out == "-":
        parser.error("--out - and statistics would both go to standard output")
    try:
        rules = parse_rules(options.rules)
    except ChicagoError as error:
        parser.error(say(error))
    tally = options.stats or options.report
    job = Job(
        options.kind,
        rules.spec,
        players,
        options.seed,
        bots,
        options.max_deals,
        options.games,
        options.waves,
        options.cards,
        tally,
    )
    return options, job


def main(argv: Sequence[str]) -> int:
    """Run the command; 0, or 2 for a wrong command line or a file that cannot be written."""
    try:
        options, job = _checked(argv)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    total = Tally()
    progress = Progress(options.count)
    with ExitStack() as stack:
        out: TextIO | None = None
        if options.out not in (None, "-"):
            try:
                out = stack.enter_context(open(options.out, "w", encoding="utf-8"))
            except (OSError, ValueError) as error:
                print(f"cannot write {options.out!a}: {error}", file=sys.stderr)
                return 2
        elif options.out == "-" or not job.tally:
            out = sys.stdout
        try:
            for done, (line, tally) in enumerate(
                _results(job, options.count, options.processes), start=1
            ):
                if out is not None:
                    out.write(line + "\n")
                total.add(tally)
                progress.at(done)
        except ChicagoError as error:
            progress.close()
            print(say(error), file=sys.stderr)
            return 2
    progress.close()
    if options.stats:
        print(json.dumps(_statistics(job, total)))
    if options.report:
        print(report(_statistics(job, total)))
    return 0


def _statistics(job: Job, total: Tally) -> dict[str, Any]:
    return {"rules": job.rules, "players": job.players, **total.as_json()}
