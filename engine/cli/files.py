"""What the commands on files have in common: arguments, files, lines, one answer per document."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator, Sequence

from ..errors import ChicagoError
from ..sheet.record import dump_json
from .answers import unreadable

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
    worst = 0
    try:
        for text in texts(names[0], lines=lines):
            document, status = answer(text)
            _print(document)
            worst = max(worst, status)
    except Unread:
        _print(unreadable(ChicagoError("malformed", reason="file", name=names[0])))
        return 2
    return worst


class Unread(Exception):
    """The input cannot be read, as against the output that cannot be written."""


def texts(name: str, *, lines: bool) -> Iterator[bytes]:
    """Give the whole text of a file, or one line after the other that is not blank.

    Raises :class:`Unread`. No more than a line is kept in memory at a time.
    """
    try:
        with _opened(name) as stream:
            if not lines:
                yield stream.read()
                return
            while line := stream.readline():
                if line.strip():
                    yield line
    except (OSError, ValueError) as error:
        raise Unread from error


@contextlib.contextmanager
def _opened(name: str) -> Iterator[io.BufferedIOBase]:
    """The bytes of a file, or of standard input for ``-``."""
    if name == "-":
        stream = getattr(sys.stdin, "buffer", None)
        if stream is None:  # standard input replaced by a text stream
            stream = io.BytesIO(sys.stdin.read().encode("utf-8", "surrogatepass"))
        yield stream
        return
    with open(name, "rb") as file:
        yield file


def misused(usage: str) -> int:
    """Print the usage text on standard error; the exit status of a wrong command line."""
    print(usage, end="", file=sys.stderr)
    return 2


def _print(document: object) -> None:
    sys.stdout.write(dump_json(document) + "\n")
