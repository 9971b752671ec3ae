"""The command line: runs one command and never ends in a traceback."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import Final

from .. import __version__

USAGE: Final = """\
usage: chicago-engine COMMAND ...

  check PATH...                 check all records in files and folders, one line each
  replay RECORD.json | -        replay a game record; --facts adds what each entry did
  rules [NAME[+V...]]           a rule set, or the list of all presets and variants
  evaluate "Ah Kh Qh Jh Th" ... categories of hands; --lines -: one hand per line
  heat HEAT.json | -            the ranking of a heat
  outlook HEAT.json | -         who has clinched, who is out, who needs what
  totals TOTALS.json | -        could these totals come from any game?
  settle RECORD.json --stake N  who pays whom
  playoff N                     tables per round for N qualifiers
  simulate KIND ...             games, heats or festivals played by bots
  schema [NAME]                 the JSON Schema of a format

Readable on a terminal, JSON in a pipe or with --json; --lang sv for sentences in Swedish.
COMMAND --help shows more; --version shows the version.
Exit status: 0 fine, 1 readable but not legal, 2 not readable or a wrong command line.
"""

#: Module and function of every command; a module is imported only when its command runs.
COMMANDS: Final = {
    "check": ("check", "main"),
    "replay": ("documents", "replay"),
    "rules": ("rules", "main"),
    "evaluate": ("evaluate", "main"),
    "heat": ("documents", "heat"),
    "outlook": ("documents", "outlook"),
    "totals": ("documents", "totals"),
    "settle": ("documents", "settle"),
    "playoff": ("playoff", "main"),
    "simulate": ("simulate", "main"),
    "schema": ("schemas", "main"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    >>> main(["rules", "svensk+X+W"])
    {"valid": false, "problems": [{"code": "unknown_rules", "severity": "error", "entry": null, \
"expected": [], "message": "\\"svensk+X+W\\" is not a rule set: \\"W\\" and \\"X\\" contradict \
each other."}], "state": null}
    2
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    common = _common(arguments)
    command, rest = (arguments[0], [*common, *arguments[1:]]) if arguments else ("", [])
    if command in ("-h", "--help", "help"):
        print(USAGE, end="")
        return 0
    if command == "--version":
        print(f"chicago-engine {__version__}")
        return 0
    if command not in COMMANDS:
        if command:
            print(f"unknown command: {command!a}", file=sys.stderr)
        print(USAGE, end="", file=sys.stderr)
        return 2
    module, name = COMMANDS[command]
    run: Callable[[Sequence[str]], int]
    run = getattr(importlib.import_module(f".{module}", __package__), name)
    try:
        return run(rest)
    except SystemExit as stop:  # argparse: help, or a wrong command line
        return stop.code if isinstance(stop.code, int) else 2


def _common(arguments: list[str]) -> list[str]:
    """Remove and return the common options given before the command's name.

    >>> words = ["--lang", "sv", "check", "."]
    >>> _common(words), words
    (['--lang', 'sv'], ['check', '.'])
    """
    taken: list[str] = []
    while arguments and (arguments[0] == "--json" or arguments[0].startswith("--lang")):
        count = 2 if arguments[0] == "--lang" else 1
        taken += arguments[:count]
        del arguments[:count]
    return taken


def console() -> None:
    """Entry point of the ``chicago-engine`` command: run it and end the process.

    No stream causes a traceback: a closed one counts as empty, a reader who stops reading is no
    error, and an answer that cannot be written is exit status 2.
    """
    _open_streams()
    status = 2
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:
        _silence()
        status = 0  # the reader has stopped reading
    except OSError as error:  # a full disk, say: commands handle errors of their own input
        with contextlib.suppress(OSError):
            print(f"cannot write the answer: {error}", file=sys.stderr)
        _silence()
        status = 2
    except KeyboardInterrupt:
        _silence()
        status = 130
    sys.exit(status)


def _open_streams() -> None:
    """Replace missing standard streams by empty ones that discard all output.

    Documents are UTF-8 whatever the locale; letters that a terminal lacks are escaped.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - it stays open
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")


def _silence() -> None:
    """Discard what is still buffered when the process ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
