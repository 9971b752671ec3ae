"""``chicago-engine simulate games|heats|festivals``: makes records and statistics in any number.

The same seed gives the same records whatever the number of processes (:mod:`engine.bots.series`).
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from typing import IO, Any, Final, TextIO

from ..bots.players import BOTS, bot
from ..bots.series import Series
from ..bots.simulation import DEFAULT_BOT, MAX_DEALS, PlayerFailed
from ..bots.statistics import Tally, report
from ..errors import ChicagoError
from ..messages import say
from ..rules.variants import parse_rules
from ..sheet.record import dump_json
from .files import command, show

_MAX_PROCESSES: Final = 256  # so that a typo does not overload the machine


def _ignore_interrupts() -> None:
    """Leave Ctrl-C, which reaches every process of a terminal, to the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Progress:
    """A progress bar on standard error, if that is a terminal; otherwise silent."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self.total = total
        self.stream = sys.stderr if stream is None else stream
        self.shown = self.stream.isatty()
        self.started = time.monotonic()
        self.last = 0.0

    def at(self, done: int) -> None:
        """Show the number done, at most ten times a second."""
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
    parser = command(
        "simulate",
        "Play Chicago with bots, card by card, from a seed. Without --stats or --report the "
        "records go to standard output, one JSON document per line.",
    )
    parser.add_argument("kind", choices=("games", "heats", "festivals"))
    parser.add_argument("--count", type=int, default=1, help="how many (default 1)")
    parser.add_argument("--seed", default="1", help="any text (default 1)")
    parser.add_argument("--rules", default="festival", help="such as svensk+C+N (default festival)")
    parser.add_argument(
        "--players",
        type=int,
        help="2 or more, as the rules allow; heats 3-4; festivals 3 or more, default 24 (else 4)",
    )
    parser.add_argument(
        "--bots",
        default=DEFAULT_BOT,
        help=f"by seat, separated by commas: {', '.join(BOTS)}, or module:Name "
        f"(default {DEFAULT_BOT})",
    )
    parser.add_argument("--games", type=int, default=3, help="games per heat (default 3)")
    parser.add_argument(
        "--waves", type=int, default=3, help="waves of heats per festival (default 3)"
    )
    parser.add_argument(
        "--max-deals",
        type=int,
        default=MAX_DEALS,
        help=f"most deals per game (default {MAX_DEALS})",
    )
    parser.add_argument("--processes", type=int, default=1, help="processes to use (default 1)")
    parser.add_argument(
        "--out", metavar="FILE", help="write the records to FILE, - for standard output"
    )
    parser.add_argument("--force", action="store_true", help="replace FILE if it exists")
    parser.add_argument("--cards", action="store_true", help="card records (games only)")
    parser.add_argument(
        "--stats",
        action="store_true",
        help="print statistics (text on a terminal, else JSON)",
    )
    parser.add_argument("--report", action="store_true", help="print statistics as text")
    return parser


def _checked(argv: Sequence[str]) -> tuple[argparse.Namespace, Series]:
    parser = _parser()
    options = parser.parse_args(list(argv))
    try:
        rules = parse_rules(options.rules)
    except ChicagoError as error:
        parser.error(say(error, options.lang))
    default = 24 if options.kind == "festivals" else 4
    players = default if options.players is None else options.players
    least = 2 if options.kind == "games" else 3
    most = {"games": rules.players_max, "heats": 4}.get(options.kind, 10_000)
    if not least <= players <= most:
        parser.error(f"--players must be from {least} to {most} for {options.kind}")
    for name in ("count", "games", "waves", "max_deals", "processes"):
        if not 1 <= getattr(options, name) <= 10**9:
            parser.error(f"--{name.replace('_', '-')} must be from 1 to {10**9}")
    try:
        options.seed.encode()
    except UnicodeEncodeError:  # bytes of the command line that are no text
        parser.error(f"--seed: not a text: {options.seed!a}")
    if options.processes > _MAX_PROCESSES:
        parser.error(f"--processes must be at most {_MAX_PROCESSES}")
    bots = tuple(options.bots.split(","))
    if any(":" in name for name in bots) and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())  # so that a player's module can be in the current folder
    for name in bots:
        try:
            bot(name)
        except ChicagoError as error:
            cause = f" ({error.__cause__})" if error.__cause__ else ""
            parser.error(f"--bots: neither a strength nor a player to import: {name!a}{cause}")
    if options.cards and options.kind != "games":
        parser.error("--cards: only games have card records")
    if (options.stats or options.report) and options.out == "-":
        parser.error("--out - and statistics would both go to standard output")
    series = Series(
        options.kind,
        rules.spec,
        players,
        options.seed,
        bots,
        options.max_deals,
        options.games,
        options.waves,
        options.cards,
    )
    return options, series


def main(argv: Sequence[str]) -> int:
    """Run the command; return 0, or 2 for a wrong command line or a file that cannot be written."""
    options, series = _checked(argv)
    total = Tally()
    progress = Progress(options.count)
    with ExitStack() as stack:
        out: IO[str] | None = None
        if options.out not in (None, "-"):
            try:
                mode = "w" if options.force else "x"
                out = stack.enter_context(open(options.out, mode, encoding="utf-8"))
            except FileExistsError:
                print(f"{options.out!a} already exists; --force replaces it", file=sys.stderr)
                return 2
            except (OSError, ValueError) as error:
                print(f"cannot write {options.out!a}: {error}", file=sys.stderr)
                return 2
        elif options.out == "-" or not (options.stats or options.report):
            out = sys.stdout
        executor = None
        if (processes := min(options.processes, options.count)) > 1:
            executor = ProcessPoolExecutor(
                processes, multiprocessing.get_context("spawn"), _ignore_interrupts
            )
            stack.callback(executor.shutdown, cancel_futures=True)
        try:
            for done, (record, tally) in enumerate(
                series.results(options.count, executor), start=1
            ):
                if out is not None:
                    out.write(dump_json(record) + "\n")
                total.add(tally)
                progress.at(done)
        except ChicagoError as error:
            progress.close()
            print(say(error, options.lang), file=sys.stderr)
            return 2
        except PlayerFailed as error:
            progress.close()
            print(f"--bots: a player failed: {error}", file=sys.stderr)
            return 2
    progress.close()
    statistics = _statistics(series, total)
    if options.stats:
        show(statistics, options, lambda: report(statistics, options.lang).splitlines())
    if options.report:
        print(report(statistics, options.lang))
    return 0


def _statistics(series: Series, total: Tally) -> dict[str, Any]:
    return {"rules": series.rules, "players": series.players, **total.as_json()}
