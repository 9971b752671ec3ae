"""What the commands share: options, reading files and lines, printing answers."""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
from collections.abc import Callable, Iterator, Sequence

from ..answers import unreadable
from ..errors import ChicagoError
from ..messages import languages
from ..sheet.record import dump_json

#: Takes a document's text; returns the document to print and the exit status.
Answer = Callable[[bytes], tuple[object, int]]
#: Takes the printed document and the text that was read; returns lines for people.
Readable = Callable[[object, bytes], Sequence[str]]


def command(name: str, description: str) -> argparse.ArgumentParser:
    """Return a parser with the options of every command; a wrong command line exits with 2."""
    parser = argparse.ArgumentParser(
        prog=f"chicago-engine {name}", description=description, allow_abbrev=False
    )
    parser.add_argument("--json", action="store_true", help="print JSON even on a terminal")
    parser.add_argument(
        "--lang", choices=languages(), default="en", help="language of the sentences (default en)"
    )
    return parser


def file_command(name: str, what: str, description: str) -> argparse.ArgumentParser:
    """Return the parser of a command that reads a file; ``what`` names the kind of file."""
    parser = command(name, description)
    parser.add_argument("file", metavar=what, help="a file, or - for standard input")
    parser.add_argument("--lines", action="store_true", help="one document per line")
    return parser


def run_on_file(options: argparse.Namespace, answer: Answer, readable: Readable) -> int:
    """Answer one file, or with ``--lines`` each line that holds a document.

    Shows one answer per document and returns the worst exit status; an unreadable file gives
    ``malformed`` and 2.
    """
    worst = 0
    try:
        for text in texts(options.file, lines=options.lines):
            document, status = answer(text)
            show(document, options, lambda: readable(document, text))  # noqa: B023 - called at once
            worst = max(worst, status)
    except Unread:
        error = ChicagoError("malformed", reason="file", name=options.file)
        document = unreadable(error, options.lang)
        show(document, options, lambda: readable(document, b""))
        return 2
    return worst


def for_people(options: argparse.Namespace) -> bool:
    """True if the answer goes to a terminal and JSON was not asked for."""
    return not options.json and sys.stdout.isatty()


def show(
    document: object, options: argparse.Namespace, readable: Callable[[], Sequence[str]]
) -> None:
    """Print a document on one line, or the lines of ``readable`` if it is for people."""
    lines = readable() if for_people(options) else [dump_json(document)]
    sys.stdout.write("".join(f"{line}\n" for line in lines))


#: The longest file, or line, that is read: 100,000 games. A device such as /dev/zero never ends.
MAX_BYTES = 512 * 2**20


class Unread(Exception):
    """The input cannot be read, as opposed to output that cannot be written."""


def texts(name: str, *, lines: bool) -> Iterator[bytes]:
    """Yield the whole text of a file, or one by one its lines that are not blank.

    Raises :class:`Unread`, also for more than ``MAX_BYTES``. With ``lines``, no more than one line
    is kept in memory.
    """
    try:
        with _opened(name) as stream:
            if not lines:
                yield _within_limit(stream.read(MAX_BYTES + 1))
                return
            while line := _within_limit(stream.readline(MAX_BYTES + 1)):
                if line.strip():
                    yield line
    except (OSError, ValueError, MemoryError) as error:
        raise Unread from error


def _within_limit(text: bytes) -> bytes:
    if len(text) > MAX_BYTES:
        raise ValueError
    return text


@contextlib.contextmanager
def _opened(name: str) -> Iterator[io.BufferedIOBase]:
    """Open a file for reading, or standard input for ``-``."""
    if name == "-":
        stream = getattr(sys.stdin, "buffer", None)
        if stream is None:  # a text stream replaced standard input
            stream = io.BytesIO(sys.stdin.read().encode("utf-8", "surrogatepass"))
        yield stream
        return
    with open(name, "rb") as file:
        yield file
