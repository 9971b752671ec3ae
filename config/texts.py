"""The catalogues of texts: compiling them and finding what they lack, without GNU gettext.

``compile_all()`` writes the ``.mo`` files that Django reads. They are not kept in git, so the run
command and the tests call it. ``python -m config.texts`` lists texts in the sources that a
language has no translation of (this needs Babel, a development requirement). The languages are
those of :mod:`engine.messages`; the texts in the sources are the English ones.
"""

import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import polib
from django.utils.translation import to_locale

from engine.messages import languages
from engine.messages.languages import DEFAULT

BASE_DIR = Path(__file__).resolve().parent.parent
SOURCES = ("config", "scoring", "tournaments", "templates")
KEYWORDS: dict[str, Any] = {
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "_": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}


class Message(NamedTuple):
    """One text in the sources: its key in a catalogue, and where it stands."""

    context: str | None
    text: str
    plural: str | None
    where: str


def catalogues(base: Path = BASE_DIR) -> list[Path]:
    """Return every catalogue of this project."""
    return sorted((base / "locale").glob("*/*/LC_MESSAGES/*.po"))


def compile_all(base: Path = BASE_DIR) -> list[Path]:
    """Compile the catalogues that are newer than their compiled form; return the files written."""
    written = []
    for source in catalogues(base):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime_ns >= source.stat().st_mtime_ns:
            continue
        # Write to another name and rename, so that a process reading at the same time sees a whole
        # file.
        aside = target.with_suffix(f".{os.getpid()}.tmp")
        polib.pofile(str(source)).save_as_mofile(str(aside))
        aside.replace(target)
        written.append(target)
    return written


def messages_in_sources(base: Path = BASE_DIR) -> Iterator[Message]:
    """Yield every text that the code and the templates mark for translation."""
    for folder in SOURCES:
        for path in sorted((base / folder).rglob("*")):
            if path.suffix in {".html", ".txt", ".py"} and "migrations" not in path.parts:
                yield from messages_in(path, base)


def messages_in(path: Path, base: Path = BASE_DIR) -> Iterator[Message]:
    """Yield the texts marked for translation in one file."""
    from babel.messages.extract import extract
    from django.utils.translation.template import templatize

    source = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        source = templatize(source, origin=str(path))
        # Python's tokenizer requires consistent indentation, which templates do not have.
        source = "\n".join(line.lstrip() for line in source.splitlines())
    file = io.BytesIO(source.encode())
    for line, found, _comments, context in extract(
        "python", file, keywords=KEYWORDS, options={"encoding": "utf-8"}
    ):
        parts = (found,) if isinstance(found, str) else found
        text, plural = parts[0], parts[1] if len(parts) > 1 else None
        yield Message(context, text, plural, f"{path.relative_to(base)}:{line}")


def translations(code: str) -> set[tuple[str | None, str]]:
    """Return (context, text) of everything with a finished translation into this language."""
    return {
        (entry.msgctxt, entry.msgid)
        for path in catalogues()
        if path.parts[-3] == to_locale(code)
        for entry in polib.pofile(str(path))
        if entry.translated()
    }


def missing() -> dict[str, list[Message]]:
    """Return the texts in the sources that a language has no finished translation of, by code."""
    found = list(messages_in_sources())
    return {
        code: [each for each in found if (each.context, each.text) not in known]
        for code in languages()
        if code != DEFAULT
        for known in [translations(code)]
    }


def main() -> int:
    """List missing translations as catalogue entries, ready to be filled in."""
    lacking = missing()
    for code, texts in lacking.items():
        for message in texts:
            entry = polib.POEntry(
                msgctxt=message.context,
                msgid=message.text,
                comment=message.where,
            )
            if message.plural:
                entry.msgid_plural = message.plural
                entry.msgstr_plural = {0: "", 1: ""}
            print(entry)
        print(f"{code}: {len(texts)} texts have no translation.", file=sys.stderr)
    return 1 if any(lacking.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
