"""The command line: ``python -m engine COMMAND …`` (game-record.md).

Every command prints one JSON document on standard output and nothing else there.  Exit status
0: fine; 1: readable, but not legal; 2: not readable, or a wrong command line (then the usage is
on standard error).
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Sequence

from engine.command import run_on_file
from engine.errors import ChicagoError
from engine.messages.sentences import LANGUAGES
from engine.presets import PRESETS
from engine.record import dump_json, load_json, replay_record, unreadable
from engine.variants import VARIANTS, parse_rules

USAGE = """\
usage: python -m engine COMMAND ...

  replay RECORD.json | -        replay a game record; --lines: one record per line
  rules [NAME[+V...]]             a rule set, or the list of all presets and variants
  evaluate "Ah Kh Qh Jh Th" ...   categories of hands; --lines -: one hand per line
  heat HEAT.json | -            the ranking of a heat
  outlook HEAT.json | -         who has clinched, who is out, who needs what
  totals TOTALS.json | -        could these totals come from any game?
  settle RECORD.json --stake N  who pays whom
  playoff N                     tables per round for N qualifiers
  simulate ...                  games played by bots (simulate --help)
"""

#: Commands that live in modules of their own, loaded when asked for.
_ELSEWHERE: dict[str, tuple[str, ...]] = {
    "evaluate": ("engine.evaluate_cmd",),
    "heat": ("engine.heat",),
    "outlook": ("engine.outlook",),
    "totals": ("engine.totals",),
    "settle": ("engine.settle",),
    "playoff": ("engine.playoff",),
    "simulate": ("engine.simulate",),
}


class UsageError(Exception):
    """A command line that cannot be understood."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    >>> main(["rules", "svensk+X+W"])
    {"valid": false, "problems": [{"code": "unknown_rules", "severity": "error", "entry": null, \
"message": "\\"svensk+X+W\\" makes no rule set: \\"W\\" and \\"X\\" contradict each other.", \
"expected": []}], "state": null}
    2
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        if not arguments:
            raise UsageError
        command, rest = arguments[0], arguments[1:]
        own = command in ("replay", "rules") and rest in (["-h"], ["--help"])
        if own or command in ("-h", "--help", "help"):
            print(USAGE, end="")
            return 0
        if command == "replay":
            return run_on_file(rest, USAGE, _replayed)
        if command == "rules":
            return _rules(rest)
        if command in _ELSEWHERE:
            return _elsewhere(command, rest)
        raise UsageError(f"unknown command: {command!a}")
    except UsageError as error:
        _complain(str(error))
        return 2


def _complain(text: str) -> None:
    if text:
        print(text, file=sys.stderr)
    print(USAGE, end="", file=sys.stderr)


def _elsewhere(command: str, rest: list[str]) -> int:
    for name in _ELSEWHERE[command]:
        module = importlib.import_module(name)
        status: int = module.main(rest)
        return status
    raise UsageError  # pragma: no cover - every command has a module


def _emit(document: object) -> None:
    sys.stdout.write(dump_json(document) + "\n")


def _replayed(text: bytes) -> tuple[object, int]:
    """Replay a game record, or a card record, which says so in its ``format``."""
    try:
        document = load_json(text)
    except ChicagoError as error:
        result = unreadable(error)
    else:
        if isinstance(document, dict) and document.get("format") == "chicago-card-record":
            from engine.table_record import replay_card_record

            result = replay_card_record(document)
        else:
            result = replay_record(document)
    if result["valid"]:
        return result, 0
    return result, 2 if result["state"] is None else 1


def _rules(arguments: list[str]) -> int:
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        raise UsageError("rules takes one name, or none for the list")
    if not arguments:
        _emit(catalogue())
        return 0
    try:
        rules = parse_rules(arguments[0])
    except ChicagoError as error:
        _emit(unreadable(error))
        return 2
    texts = {
        lang: [
            PRESETS[rules.preset].text(lang),
            *(VARIANTS[name].text(lang) for name in rules.variants),
        ]
        for lang in LANGUAGES
    }
    _emit({**rules.as_json(), "text": texts})
    return 0


def catalogue() -> dict[str, object]:
    """Return all presets and variants with a sentence each, in English and Swedish.

    >>> [preset["name"] for preset in catalogue()["presets"]][:2]
    ['festival', 'sm']
    """
    return {
        "presets": [
            {
                "name": preset.name,
                "text": {"en": preset.text("en"), "sv": preset.text("sv")},
                "digest": preset.rules.digest(),
            }
            for preset in PRESETS.values()
        ],
        "variants": [
            {
                "name": variant.name,
                "text": {"en": variant.text("en"), "sv": variant.text("sv")},
            }
            for variant in VARIANTS.values()
        ],
    }


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
        status = 2
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


if __name__ == "__main__":
    console()
