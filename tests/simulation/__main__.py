"""Simulated festivals, one after the other; ``python -m tests.simulation --help``."""

from __future__ import annotations

import argparse
import logging
import os
import secrets
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path

SEEDS = Path(__file__).with_name("seeds.txt")


def main() -> int:
    """Play until something breaks, the time is up or somebody stops it."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", help="play only this festival")
    parser.add_argument("--seconds", type=float, help="stop after this time (default: never)")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--known", action="store_true", help="only the seeds of seeds.txt")
    which.add_argument(
        "--fresh", nargs="?", const="", metavar="NAME", help="only seeds drawn now, or by this name"
    )
    parser.add_argument("--log", action="store_true", help="log every step")
    options = parser.parse_args()

    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    # Not the database of tests that may run at the same time.
    os.environ["TEST_DATABASE"] = "chicago_simulation"
    import django
    from django.test.utils import setup_test_environment

    from config import texts

    texts.compile_all()
    django.setup()
    setup_test_environment()
    # Refusals are part of the game.
    logging.disable(logging.WARNING)

    from tests.simulation.festival import play
    from tests.simulation.world import Databases, seconds

    databases = Databases()
    began, played, met = seconds(), 0, Counter[str]()
    try:
        for seed in [options.seed] if options.seed else _seeds(options):
            if options.seconds and seconds() - began > options.seconds:
                break
            databases.fresh()
            # Named first: it may be stopped from outside.
            print(f"{seed}:", end=" ", flush=True)
            try:
                world = play(seed, print if options.log else lambda _text: None)
            except Exception:  # noqa: BLE001 - whatever it is, the seed must be reported
                traceback.print_exc()
                print(f"\nSeed {seed}: python -m tests.simulation --seed {seed} --log")
                return 1
            played += 1
            met += world.met
            print(f"{world.met.total()} requests, {seconds() - began:.0f} s", flush=True)
    except KeyboardInterrupt:
        pass
    finally:
        databases.done()
    print(f"{played} festivals in {seconds() - began:.0f} s, {met.total()} requests:")
    print(", ".join(f"{count} {fault}" for fault, count in met.most_common()))
    return 0


def _seeds(options: argparse.Namespace) -> Iterator[str]:
    for line in SEEDS.read_text(encoding="utf-8").splitlines() if options.fresh is None else []:
        if line and not line.startswith("#"):
            yield line.split()[0]
    for number in [] if options.known else count(1):
        yield f"{options.fresh}-{number}" if options.fresh else secrets.token_hex(4)


if __name__ == "__main__":
    sys.exit(main())
