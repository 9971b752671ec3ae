"""``make planted``: faults planted in a copy of the tree, each noticed by the tests that it names.

A fault is a patch beside this module. Above the change it says in a sentence what is wrong, and in
lines that begin with ``Noticed by:`` which tests fail with it, or which command does. Without a
fault all of these pass. Where code was renamed, the same fault is written anew.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
BIN = Path(sys.executable).parent
#: The commands that a patch may name; everything else that it names are tests.
COMMANDS = {"lint-imports": [BIN / "lint-imports", "--no-cache"]}
#: How many faults a share has: CI plants one share, chosen by the commit.
SHARE = 10


class Unnoticed(Exception):
    """A fault that nothing notices, or that cannot be planted; the text says which."""


@dataclass(frozen=True)
class Fault:
    """A patch: its name, its sentence, the tests and commands that notice it, and its files."""

    name: str
    sentence: str
    noticed_by: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def tests(self) -> list[str]:
        return [each for each in self.noticed_by if each not in COMMANDS]

    @property
    def commands(self) -> list[str]:
        return [each for each in self.noticed_by if each in COMMANDS]


def faults() -> list[Fault]:
    """Return all faults by name; raise :class:`Unnoticed` for a patch that lacks its lines."""
    found = []
    for path in sorted(FOLDER.glob("*.patch")):
        head, _, change = path.read_text("utf-8").partition("\n--- ")
        noticed_by = tuple(re.findall(r"^Noticed by: (.+)$", head, re.M))
        files = tuple(re.findall(r"^\+\+\+ b/(.+)$", change, re.M))
        if not noticed_by or not files:
            raise Unnoticed(f"{path.stem}: the patch names no tests or no file")
        found.append(Fault(path.stem, head.splitlines()[0], noticed_by, files))
    return found


def share_of(found: Sequence[Fault], commit: str) -> list[Fault]:
    """Return a commit's share; those of enough commits are all of them."""
    shares = max(1, len(found) // SHARE)
    return list(found[int(commit, 16) % shares :: shares])


def copy_tree(tree: Path) -> None:
    """Copy what git tracks or would add, and what tests would otherwise make in each copy."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    made = [*(ROOT / "build" / "tests").glob("migrated-*"), *ROOT.glob("locale/*/*/*.mo")]
    names = [*listed.split("\0"), *(str(path.relative_to(ROOT)) for path in made)]
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)


def run_tests(tree: Path, tests: Iterable[str]) -> tuple[int, str]:
    """Run tests in a tree; return pytest's exit code and what it printed."""
    command = [sys.executable, "-m", "pytest", "-q", "-rf", "-n", "0", "--tb", "line"]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", *dict.fromkeys(tests)],
        cwd=tree,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def run_command(tree: Path, name: str) -> tuple[int, str]:
    """Run a command in a tree; return its exit code and what it printed."""
    done = subprocess.run(COMMANDS[name], cwd=tree, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def check_sound(tree: Path, found: Iterable[Fault]) -> None:
    """Raise :class:`Unnoticed` unless everything passes without a fault."""
    tests = [test for fault in found for test in fault.tests]
    runs = [run_command(tree, name) for name in {n for fault in found for n in fault.commands}]
    runs += [run_tests(tree, tests)] if tests else []
    for code, printed in runs:
        if code:
            raise Unnoticed(f"without any fault:\n{printed}")


def plant(tree: Path, fault: Fault) -> None:
    """Raise :class:`Unnoticed` unless each of its tests and commands fails with the fault."""
    patch = FOLDER / f"{fault.name}.patch"
    kept = [path for name in fault.files if (path := tree / name).exists()]
    for path in kept:
        # A copy keeps the time by which Python knows what it has compiled.
        shutil.copy2(path, path.with_suffix(".kept"))
    try:
        applied = subprocess.run(
            ["git", "apply", patch], cwd=tree, capture_output=True, text=True, check=False
        )
        if applied.returncode:
            raise Unnoticed(f"{fault.name}: the patch no longer applies:\n{applied.stderr}")
        for name in fault.commands:
            code, printed = run_command(tree, name)
            if code != 1:
                raise Unnoticed(f"{fault.name}: {name} does not notice it:\n{printed}")
        if fault.tests:
            code, printed = run_tests(tree, fault.tests)
            failed = re.findall(r"^FAILED (\S+)", printed, re.M)
            blind = [t for t in fault.tests if not any(each.startswith(t) for each in failed)]
            # Other codes say that a test is missing or cannot be read.
            if code != 1 or blind:
                raise Unnoticed(f"{fault.name}: {', '.join(blind)} did not fail:\n{printed}")
    finally:
        for name in fault.files:
            (tree / name).unlink(missing_ok=True)
        for path in kept:
            path.with_suffix(".kept").replace(path)


def check(found: Sequence[Fault], workers: int) -> int:
    """Plant these faults, a worker's in its own copy of the tree; return how many go unnoticed."""
    with tempfile.TemporaryDirectory(prefix="chicago-planted-") as folder:
        trees: SimpleQueue[Path] = SimpleQueue()
        first = Path(folder) / "0"
        copy_tree(first)
        check_sound(first, found)
        trees.put(first)
        for number in range(1, workers):
            trees.put(Path(shutil.copytree(first, Path(folder) / str(number))))

        def noticed(fault: Fault) -> bool:
            tree, began = trees.get(), time.monotonic()
            try:
                plant(tree, fault)
            except Unnoticed as error:
                print(error, flush=True)
                return False
            finally:
                trees.put(tree)
            print(f"{time.monotonic() - began:4.0f} s  {fault.name}: {fault.sentence}", flush=True)
            return True

        with ThreadPoolExecutor(workers) as pool:
            return [*pool.map(noticed, found)].count(False)


def main() -> int:
    """Plant the named faults, a commit's share, or all; exit 1 unless all of them are noticed."""
    parser = argparse.ArgumentParser(prog="make planted", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="faults to plant; default: all")
    parser.add_argument("--commit", help="the hash whose share of the faults is planted")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    try:
        found = faults()
        if unknown := set(options.names) - {fault.name for fault in found}:
            parser.error(f"no such fault: {', '.join(sorted(unknown))}")
        if options.names:
            found = [fault for fault in found if fault.name in options.names]
        if options.commit:
            found = share_of(found, options.commit)
        unnoticed = check(found, options.workers)
    except Unnoticed as error:
        print(error)
        return 1
    print(f"{len(found) - unnoticed} of {len(found)} faults are noticed.")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
