"""One command line for all commands, and a process that never ends in a traceback."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import Final

from .files import misused

USAGE: Final = """\
usage: python -m engine COMMAND ...

  replay RECORD.json | -        replay a game record; --facts: and what each entry did
  rules [NAME[+V...]]             a rule set, or the list of all presets and variants
  evaluate "Ah Kh Qh Jh Th" ...   categories of hands; --lines -: one hand per line
  heat HEAT.json | -            the ranking of a heat
  outlook HEAT.json | -         who has clinched, who is out, who needs what
  totals TOTALS.json | -        could these totals come from any game?
  settle RECORD.json --stake N  who pays whom
  playoff N                     tables per round for N qualifiers
  simulate ...                  games played by bots (simulate --help)
"""

#: Module and function of every command; a module is loaded when it is asked for.
COMMANDS: Final = {
    "replay": ("documents", "replay"),
    "rules": ("rules", "main"),
    "evaluate": ("evaluate", "main"),
    "heat": ("documents", "heat"),
    "outlook": ("documents", "outlook"),
    "totals": ("documents", "totals"),
    "settle": ("documents", "settle"),
    "playoff": ("playoff", "main"),
    "simulate": ("simulate", "main"),
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
    if not arguments:
        return misused(USAGE)
    command, rest = arguments[0], arguments[1:]
    if command in ("-h", "--help", "help"):
        print(USAGE, end="")
        return 0
    if command not in COMMANDS:
        print(f"unknown command: {command!a}", file=sys.stderr)
        return misused(USAGE)
    module, name = COMMANDS[command]
    run: Callable[[Sequence[str]], int]
    run = getattr(importlib.import_module(f".{module}", __package__), name)
    return run(rest)


def console() -> None:
    """Entry point of the ``chicago-engine`` command: runs it and ends the process.

    Whatever becomes of the streams, no traceback: a closed one counts as empty, where nobody
    reads any more nothing more is said, and an answer that cannot be written is exit status 2.
    """
    _open_streams()
    status = 2
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:
        _silence()
        status = 0  # the reader had enough
    except OSError as error:  # a full disk, say: commands answer for what they read themselves
        with contextlib.suppress(OSError):
            print(f"cannot write the answer: {error}", file=sys.stderr)
        _silence()
        status = 2
    except KeyboardInterrupt:
        _silence()
        status = 130
    sys.exit(status)


def _open_streams() -> None:
    """Give a process that was started without them streams that are empty and swallow all."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - it stays open


def _silence() -> None:
    """Let what is still buffered go nowhere when the process ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
