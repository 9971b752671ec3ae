"""One table of measurements: ours, the peer's in the same run, the ratio, and the requirement.

Every time is processor time, the best of several rounds. Ours and the peers' rounds alternate, so a
busy machine affects all alike. ``--quick`` runs shorter rounds; ``--before FOLDER`` compares
with the engine of an earlier checkout. The exit status is 1 if a requirement is not met.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from importlib import import_module, metadata
from pathlib import Path
from types import ModuleType

from benchmarks import clients
from engine.answers import replay_record
from engine.bots.simulation import play_game, simulate_game
from engine.cards.cards import DECK
from engine.cards.hands import CODES, count_categories, strength, strength_of_codes
from engine.rules.presets import FESTIVAL
from engine.sheet.sheet import replay

ROUNDS = 5
EARLIER = Path(__file__).with_name("earlier.py")


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    measure: str
    ours: str
    theirs: str = ""
    ratio: float | None = None
    wanted: str = ""
    met: bool = True


def peer(name: str) -> ModuleType | None:
    """Import a peer if it is installed."""
    try:
        return import_module(name)
    except ImportError:
        return None


def best(*tasks: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """Return each task's best time in seconds; the tasks alternate."""
    times = [float("inf")] * len(tasks)
    for _ in range(rounds):
        for index, task in enumerate(tasks):
            gc.collect()
            start = time.process_time()
            task()
            times[index] = min(times[index], time.process_time() - start)
    return times


def per_second(count: int, seconds: float) -> str:
    return f"{count / seconds:,.0f}/s"


# --- evaluation -----------------------------------------------------------------------------------


def evaluation(count: int) -> list[Row]:
    """Five cards: bare codes and the validating call, compared with treys and phevaluator."""
    rng = random.Random(1)
    hands = [tuple(rng.sample(DECK, 5)) for _ in range(count)]
    codes = [tuple(CODES[card] for card in hand) for hand in hands]

    def bare() -> None:
        for hand in codes:
            strength_of_codes(*hand)

    def checked() -> None:
        for hand in hands:
            strength(hand)

    tasks: dict[str, Callable[[], None]] = {"bare": bare, "checked": checked}
    treys, phe = peer("treys"), peer("phevaluator")
    if treys is not None:
        evaluate = treys.Evaluator().evaluate
        theirs = [[treys.Card.new(str(card)) for card in hand] for hand in hands]

        def treys_five() -> None:
            for hand in theirs:
                evaluate([], hand)

        tasks["treys"] = treys_five
    if phe is not None:
        evaluate_cards = phe.evaluate_cards
        numbers = [tuple(map(int, hand)) for hand in hands]

        def phe_five() -> None:
            for hand in numbers:
                evaluate_cards(*hand)

        tasks["phevaluator"] = phe_five
    spent = dict(zip(tasks, best(*tasks.values()), strict=True))
    rows = []
    for ours, other, wanted in (
        ("bare", "treys", 2.0),
        ("checked", "treys", 0.4),
        ("checked", "phevaluator", None),
    ):
        name, speed = f"five cards, {ours}", per_second(count, spent[ours])
        if other not in spent:
            rows.append(Row(name, speed, f"{other}: not there"))
            continue
        ratio = spent[other] / spent[ours]
        rows.append(
            Row(
                name,
                speed,
                f"{other} {per_second(count, spent[other])}",
                ratio,
                "" if wanted is None else str(wanted),
                wanted is None or ratio >= wanted,
            )
        )
    (whole,) = best(count_categories, rounds=1)
    rows.append(
        Row("all 2,598,960 hands", f"{whole:.2f} s", "", None, "5 s", whole < 5),
    )
    return rows


# --- replay ---------------------------------------------------------------------------------------


def long_game() -> list[dict[str, object]]:
    """Return the first 60 entries of a simulated game that has that many."""
    for seed in range(1000):
        entries = simulate_game(FESTIVAL, ["Anna", "Bo", "Cia", "Dag"], f"bench {seed}")["entries"]
        if len(entries) >= 60:
            return list(entries[:60])
    raise AssertionError("no game of 60 entries")


def replays(games: int, memory: int) -> list[Row]:
    """Replay one record of 60 entries, ten thousand, and check memory after a hundred thousand."""
    sixty = long_game()
    (one,) = best(lambda: replay(FESTIVAL, 4, sixty), rounds=50)
    rows = [Row("replay of 60 entries", f"{one * 1000:.3f} ms", "", None, "1 ms", one < 0.001)]

    different = max(1, games // 20)
    records = [
        simulate_game(FESTIVAL, ["Anna", "Bo", "Cia", "Dag"], f"bench {seed}")
        for seed in range(different)
    ]

    def all_games() -> None:
        for number in range(games):
            assert replay_record(records[number % different])["valid"]

    (spent,) = best(all_games, rounds=1)
    scaled = spent * 10_000 / games
    told = f"{scaled:.2f} s" + ("" if games == 10_000 else " (scaled)")
    name = f"10,000 records replayed ({different} different)"
    rows.append(Row(name, told, "", None, "10 s", scaled < 10))

    short = records[0]["entries"][:20]
    for _ in range(1000):
        replay(FESTIVAL, 4, short)
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(memory):
        replay(FESTIVAL, 4, short)
    gc.collect()
    grown = sys.getallocatedblocks() - before
    rows.append(
        Row(f"memory after {memory:,} replays", f"{grown:+,} blocks", "", None, "flat", grown < 500)
    )
    return rows


# --- play -----------------------------------------------------------------------------------------


def holdem(pokerkit: ModuleType, players: int) -> None:
    """Play one hand of fixed-limit hold'em, checking and calling to the showdown."""
    on = pokerkit.Automation
    state = pokerkit.FixedLimitTexasHoldem.create_state(
        (
            on.ANTE_POSTING,
            on.BET_COLLECTION,
            on.BLIND_OR_STRADDLE_POSTING,
            on.CARD_BURNING,
            on.HOLE_DEALING,
            on.BOARD_DEALING,
            on.HOLE_CARDS_SHOWING_OR_MUCKING,
            on.HAND_KILLING,
            on.CHIPS_PUSHING,
            on.CHIPS_PULLING,
        ),
        True,
        0,
        (1, 2),
        2,
        4,
        200,
        players,
    )
    while state.status:
        state.check_or_call()


def simulation(games: int) -> list[Row]:
    """Deals played by bots, compared with PokerKit's hold'em with as many players."""
    rows = []
    pokerkit = peer("pokerkit")
    for players in (4, 2):
        names = ["Anna", "Bo", "Cia", "Dag"][:players]
        deals = 0

        def bots(names: Sequence[str] = names) -> None:
            nonlocal deals
            deals = sum(
                play_game(FESTIVAL, names, f"bench {seed}").table.sheet.deal + 1
                for seed in range(games)
            )

        name = f"deals by bots, {players} players, one core"
        if pokerkit is None:
            (ours,) = best(bots, rounds=3)
            rows.append(Row(name, per_second(deals, ours), "pokerkit: not there"))
            continue
        hands = 100

        def hold(players: int = players, hands: int = hands) -> None:
            for _ in range(hands):
                holdem(pokerkit, players)

        ours, other = best(bots, hold, rounds=3)
        ratio = (deals / ours) / (hands / other)
        theirs = f"pokerkit {per_second(hands, other)}"
        rows.append(Row(name, per_second(deals, ours), theirs, ratio, "1.0", ratio >= 1))
    return rows


def strengths(games: int) -> list[Row]:
    """What experts' decisions cost compared with regulars'."""
    names = ["Anna", "Bo", "Cia", "Dag"]
    deals = dict.fromkeys(("regular", "expert"), 0)

    def playing(name: str, count: int) -> None:
        deals[name] = sum(
            play_game(FESTIVAL, names, f"bench {seed}", bots=[name] * 4).table.sheet.deal + 1
            for seed in range(count)
        )

    spent = best(
        lambda: playing("regular", games), lambda: playing("expert", max(1, games // 8)), rounds=3
    )
    regular, expert = (deals[name] / time for name, time in zip(deals, spent, strict=True))
    return [
        Row("deals by experts", f"{expert:,.0f}/s", f"regulars {regular:,.0f}/s", expert / regular)
    ]


def speed(program: clients.Program, measure: str, size: int) -> float:
    """Return how many deals or replays a checkout's engine does in a second of processor time."""
    told = program.run(str(EARLIER), str(program.folder), measure, str(size))
    count, seconds = map(float, told.split())
    return count / seconds


def since(folder: Path, games: int) -> list[Row]:
    """Compare this engine with an earlier checkout's, in alternating rounds."""
    rows = []
    for name, measure, size, wanted in (
        ("deals by regulars", "regular", games, 1.2),
        ("deals by experts", "expert", max(1, games // 8), None),
        ("replays of 60 entries", "replays", 100, 1.0),
    ):
        # The same Python for both: it has the peers, and the engine needs nothing.
        found = {clients.HERE: 0.0, clients.Program(folder): 0.0}
        for _ in range(ROUNDS):
            for program in found:
                found[program] = max(found[program], speed(program, measure, size))
        ours, theirs = found.values()
        ratio = ours / theirs
        rows.append(
            Row(
                name,
                f"{ours:,.0f}/s",
                f"before {theirs:,.0f}/s",
                ratio,
                "" if wanted is None else str(wanted),
                wanted is None or ratio >= wanted,
            )
        )
    return rows


# --- the table ---------------------------------------------------------------------------------


def show(rows: Sequence[Row]) -> None:
    """Print the table."""
    head = ("measure", "ours", "theirs", "ratio", "asked", "")
    cells = [head] + [
        (
            row.measure,
            row.ours,
            row.theirs,
            "" if row.ratio is None else f"{row.ratio:.2f}",
            row.wanted,
            "" if not row.wanted else ("yes" if row.met else "NO"),
        )
        for row in rows
    ]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for number, row in enumerate(cells):
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        )
        if not number:
            print("  ".join("-" * width for width in widths))


def machine() -> str:
    """Return the processor, the number of cores, and the operating system."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    name = names[0] if names else platform.processor() or platform.machine()
    return f"{os.cpu_count()} × {name}, {platform.system()} {platform.release()}"


def main(argv: Sequence[str]) -> int:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter rounds")
    parser.add_argument(
        "--before", type=Path, metavar="FOLDER", help="an earlier checkout, measured in turns"
    )
    options = parser.parse_args(argv)
    quick = options.quick
    versions = []
    for name in ("treys", "phevaluator", "pokerkit"):
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            versions.append(f"{name} not installed")
    print(f"{date.today()}, {machine()}")
    print(f"Python {platform.python_version()}, {', '.join(versions)}")
    rows = evaluation(10_000 if quick else 50_000)
    rows += replays(1_000 if quick else 10_000, 2_000 if quick else 100_000)
    rows += simulation(10 if quick else 40)
    rows += strengths(10 if quick else 40)
    if options.before:
        rows += since(options.before.resolve(), 10 if quick else 20)
    show(rows)
    return 0 if all(row.met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
