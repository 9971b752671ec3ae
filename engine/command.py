"""What the commands on files have in common: arguments, files, lines, one answer per document."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence

from engine.errors import ChicagoError
from engine.record import dump_json, unreadable

#: Takes a document's text, gives the document to print and the exit status.
Answer = Callable[[bytes], tuple[object, int]]


def run_on_file(argv: Sequence[str], usage: str, answer: Answer) -> int:
    """Answer one file (``-`` for standard input), or with ``--lines`` each line that holds one.

    Prints one JSON document per document read and returns the worst exit status; a wrong
    command line prints ``usage`` on standard error and returns 2, an unreadable file answers
    ``malformed`` and returns 2.
    """
    words = list(argv)
    if words in (["-h"], ["--help"]):
        print(usage, end="")
        return 0
    lines = words.count("--lines") == 1
    names = [word for word in words if word != "--lines"]
    if len(words) - len(names) > 1 or len(names) != 1 or (names[0][:1] == "-" and names[0] != "-"):
        return misused(usage)
    try:
        content = _content(names[0])
    except (OSError, ValueError):
        _print(unreadable(ChicagoError("malformed", reason="file", name=names[0])))
        return 2
    worst = 0
    for text in content.split(b"\n") if lines else [content]:
        if lines and not text.strip():
            continue
        document, status = answer(text)
        _print(document)
        worst = max(worst, status)
    return worst


def misused(usage: str) -> int:
    """Print the usage text on standard error; the exit status of a wrong command line."""
    print(usage, end="", file=sys.stderr)
    return 2


def _content(name: str) -> bytes:
    if name != "-":
        with open(name, "rb") as file:
            return file.read()
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:  # standard input replaced by a text stream
        stream = io.BytesIO(sys.stdin.read().encode("utf-8", "surrogatepass"))
    content: bytes = stream.read()
    return content


def _print(document: object) -> None:
    sys.stdout.write(dump_json(document) + "\n")
