"""The document in an answer: its data, and what the hall adds as parts in words.

A part is a template of its own, sent only where the phone's copy is another one. The same templates
are on the page for readers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, cast

from django.http import HttpRequest
from django.template.loader import render_to_string

from engine.sheet.state import EXCHANGE

from ..live import Topic, stream_url
from ..models import Link, Sheet, Table
from ..reading.device import device_questions
from ..reading.document import document_of
from ..reading.links import find_link
from ..reading.pages import TablePage, table_page
from ..reading.practice import PRACTICE
from ..reading.rules import rules_of
from ..words import lang
from ..writing import WriteResult
from .access import LinkRequest

#: The parts of a table's page that are sent in words, each with its template.
PARTS = {
    "rulings": "scoring/parts/rulings.html",
    "clock": "scoring/parts/clock.html",
    "call": "scoring/parts/call.html",
    "notes": "scoring/parts/notes.html",
    "practice": "scoring/_practice.html",
    "lease": "scoring/parts/lease.html",
    "seats": "scoring/parts/seats.html",
    "slow": "scoring/parts/slow.html",
    "time-up": "scoring/_time_up.html",
    "told": "scoring/parts/told.html",
    "corrected": "scoring/parts/corrected.html",
    "accept": "scoring/parts/accept.html",
    "ties": "scoring/parts/ties.html",
    "signed": "scoring/parts/signed.html",
    "sign-off": "scoring/parts/sign_off.html",
    "outlook": "scoring/parts/outlook.html",
    "own-word": "scoring/parts/own_word.html",
    "foot": "scoring/parts/foot.html",
    "questions": "scoring/parts/questions.html",
}

#: The questions of a deal, which take long to make; the device puts in the players' names.
_QUESTIONS: dict[tuple[object, ...], str] = {}
_MOST_QUESTIONS = 200


def document_version(request: LinkRequest, link: Link, sheets: Sequence[Sheet]) -> str:
    """Return a text that changes whenever the document does, for this device (no query).

    The table's revision counts every write; the last hashes of its sheets tell a server that was
    restored and has been written on since.
    """
    lasts = " ".join(sheet.chain for sheet in sheets)
    about = f"{link.table_id} {link.table.revision} {lang()} {request.device}"
    text = f"{about} {request.seen_rulings} {lasts}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def document_answer(request: LinkRequest, link: Link, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document, and those of its parts, and the rules, that the phone lacks.

    ``asked["parts"]`` maps parts to the marks of the phone's copies, ``asked["rules"]`` is the
    digest of its rules.
    """
    page = table_page(link, device=request.device, seen_rulings=request.seen_rulings)
    known = asked.get("parts")
    known = known if isinstance(known, Mapping) else {}
    parts = {}
    for name, template in PARTS.items():
        html = _part(request, page, link, name, template)
        mark = hashlib.sha256(html.encode()).hexdigest()[:8] if html else ""
        if known.get(name, "") != mark:
            parts[name] = {"mark": mark, "html": html}
    # Anybody can make as many casual tables as they like: those share the public places.
    topic = Topic("table", link.table_id, f"link {link.pk}" if link.table.directed else "")
    found: dict[str, Any] = {
        "document": {
            **document_of(page),
            "live": stream_url(request, topic, link.table.revision),
        }
    }
    if parts:
        found["parts"] = parts
    if asked.get("rules") != link.table.rules_digest:
        found["rules"] = rules_of(link.table).as_json()
    return found


def blank_document(request: HttpRequest, token: str) -> dict[str, Any]:
    """Return what :func:`document_answer` would tell a phone that has nothing of this table."""
    asked = cast(LinkRequest, request)
    asked.token, asked.device, asked.seen_rulings = token, "", ()
    return document_answer(asked, find_link(token=token), {})


def _part(request: LinkRequest, page: TablePage, link: Link, name: str, template: str) -> str:
    context: dict[str, Any] = {"page": page, "link": link, "game": page.game}
    if name != "questions":
        return _by_line(render_to_string(template, context, request))
    table, seats = page.table, len(page.game.seats)
    key = (table.rules_digest, lang(), seats, table.directed, page.about.shot_seconds)
    html = _QUESTIONS.get(key)
    if html is None:
        stages = device_questions(page, [f"{{seat{seat}}}" for seat in range(seats)])
        html = _by_line(render_to_string(template, context | {"stages": stages}, request))
        if len(_QUESTIONS) >= _MOST_QUESTIONS:
            _QUESTIONS.clear()
        _QUESTIONS[key] = html
    return html


def _by_line(html: str) -> str:
    """Return HTML without indentation and empty lines, which every answer would have to carry."""
    return "\n".join(filter(None, (line.strip() for line in html.split("\n"))))


def is_unchanged(before: Table, after: Table, results: Sequence[WriteResult]) -> bool:
    """Return whether entries have changed nothing but the lines of a game that goes on.

    The document is another one where somebody else has written, when a first deal begins or ends
    (the page asks about seats and offers PINs), in a practice game (the page says what comes
    next), and at the end of a game.
    """
    return (
        bool(results)
        and before.created_by != PRACTICE
        and after.revision == before.revision + len(results)
        and all(result.version == result.sequence for result in results)
        and all(_within(result.state) for result in results)
    )


def _within(state: Mapping[str, Any]) -> bool:
    """Return whether a state is in the middle of a game, after the first deal."""
    just = (state["deal"], state["stage"], state["phase"]) == (1, EXCHANGE, 1)
    return not state["finished"] and state["deal"] > 0 and not just
