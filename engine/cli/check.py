"""``chicago-engine check``: checks all records in files and folders, one line per record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from ..answers import (
    check_event_document,
    check_series_document,
    check_totals,
    rank_heat,
    replay_card_record,
    replay_record,
    unreadable,
)
from ..errors import ChicagoError
from ..messages import texts_in
from ..ranking.event import FORMAT as EVENT_FORMAT
from ..ranking.event import NOT_CHECKED
from ..ranking.series_record import FORMAT as SERIES_FORMAT
from ..sheet.record import load_json
from .files import Unread, command, show, texts

SUFFIXES: Final = (".json", ".jsonl", ".ndjson")
#: Documents that hold heats; an event holds them by stages.
_HOLDERS: Final = (EVENT_FORMAT, "chicago-simulated-festival")


def main(argv: Sequence[str]) -> int:
    """Exit 0 if all is well, 1 if anything is not, 2 for a wrong command line."""
    parser = command(
        "check",
        "Check game records, card records, heats, totals, events and series: files, or folders "
        f"with all their {', '.join(SUFFIXES)}. A file holds one document, a list of them, or one "
        "per line.",
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="- for standard input")
    options = parser.parse_args(argv)
    number = wrong = 0
    for path in options.paths:
        for name, document in _documents(path, options.lang):
            found = {"name": name, **_verdict(document, options.lang)}
            number += 1
            wrong += not found["valid"]
            show(found, options, partial(_line, found))
    summary = {"checked": number, "wrong": wrong}
    summary_line = texts_in(options.lang).terminal["checked"].format(number=number, wrong=wrong)
    show(summary, options, lambda: [summary_line])
    return 1 if wrong else 0


def _line(found: dict[str, Any]) -> list[str]:
    return ["  ".join(str(found[key]) for key in ("name", "code", "message") if found[key])]


def _documents(path: str, lang: str) -> Iterator[tuple[str, object]]:
    """Yield every document under a path with a name for it, or a refusal for an unreadable one."""
    folder = Path(path)
    if path != "-" and folder.is_dir():
        for file in sorted(folder.rglob("*")):
            if file.suffix.lower() in SUFFIXES and file.is_file():
                yield from _of_file(str(file), lang)
        return
    yield from _of_file(path, lang)


def _of_file(name: str, lang: str) -> Iterator[tuple[str, object]]:
    try:
        (text,) = texts(name, lines=False)
    except Unread:
        yield name, ChicagoError("malformed", reason="file", name=name)
        return
    try:
        yield from _parts(name, load_json(text))
        return
    except ChicagoError as error:
        lines = [(at, line) for at, line in enumerate(text.splitlines(), start=1) if line.strip()]
        # Treat lines as records only if the first one ends like one; anything else is one broken
        # document.
        if len(lines) < 2 or not lines[0][1].rstrip().endswith(b"}"):
            yield name, error
            return
    for at, line in lines:
        try:
            yield from _parts(f"{name}:{at}", load_json(line))
        except ChicagoError as error:
            yield f"{name}:{at}", error


def _parts(name: str, document: object) -> Iterator[tuple[str, object]]:
    """Yield a document, or the documents it holds; an event after its heats."""
    if isinstance(document, list):
        for at, each in enumerate(document):
            yield f"{name}[{at}]", each
    elif isinstance(document, dict) and document.get("format") in _HOLDERS:
        stages = document.get("stages", [document])
        heats = [
            heat
            for stage in (stages if isinstance(stages, list) else [])
            if isinstance(stage, dict) and isinstance(stage.get("heats"), list)
            for heat in stage["heats"]
        ]
        if not heats and document["format"] != EVENT_FORMAT:
            yield name, ChicagoError("missing_field", field="heats", kind=None)
        for at, heat in enumerate(heats):
            yield f"{name}[{at}]", heat
        if document["format"] == EVENT_FORMAT:
            yield name, document
    else:
        yield name, document


def _verdict(document: object, lang: str) -> dict[str, Any]:
    """Return whether a document is valid, and if not its first problem."""
    form = document.get("format") if isinstance(document, dict) else None
    answer: Any
    if isinstance(document, ChicagoError):
        answer = unreadable(document, lang)
    elif form == "chicago-heat":
        answer, _ = rank_heat(document, lang)
    elif form == EVENT_FORMAT:
        answer = check_event_document(document, lang)
    elif form == SERIES_FORMAT:
        answer = check_series_document(document, lang)
    elif form == "chicago-totals":
        answer, _ = check_totals(document, lang)
    elif form == "chicago-card-record":
        answer = replay_card_record(document, lang=lang)
    else:
        answer = replay_record(document, lang=lang)
    errors = [
        problem
        for problem in answer.get("problems", ())
        if problem.get("severity", "error") == "error"
    ]
    if not errors and form == EVENT_FORMAT:
        # A result is true as far as the games and recorded decisions go.
        told = texts_in(lang).terminal["not_checked"]
        return {"valid": True, "code": "ok", "message": told, "not_checked": list(NOT_CHECKED)}
    if not errors:
        return {"valid": True, "code": "ok", "message": ""}
    return {"valid": False, "code": errors[0]["code"], "message": errors[0]["message"]}
