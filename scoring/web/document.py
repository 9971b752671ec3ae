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
    "rules": "scoring/parts/rules.html",
}

#: What only depends on a table's rules: the questions of a deal, which take long to make and into
#: which the device puts the players' names, and the rules in words.
_OF_RULES: dict[tuple[object, ...], str] = {}
_MOST_OF_RULES = 400


def document_version(request: LinkRequest, table: Table, sheets: Sequence[Sheet]) -> str:
    """Return a text that changes whenever the document does, for this device (no query).

    The table's revision counts every write; the last hashes of its sheets tell a server that was
    restored and has been written on since.
    """
    lasts = " ".join(sheet.chain for sheet in sheets)
    about = f"{table.pk} {table.revision} {lang()} {request.device} {request.seen_rulings}"
    return hashlib.sha256(f"{about} {lasts}".encode()).hexdigest()[:24]


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
    if name not in {"questions", "rules"}:
        return _by_line(render_to_string(template, context, request))
    table, seats = page.table, len(page.game.seats)
    key = (name, table.rules_digest, lang(), seats, table.directed, page.about.shot_seconds)
    html = _OF_RULES.get(key)
    if html is None:
        if name == "questions":
            context["stages"] = device_questions(page, [f"{{seat{seat}}}" for seat in range(seats)])
        html = _by_line(render_to_string(template, context, request))
        if len(_OF_RULES) >= _MOST_OF_RULES:
            _OF_RULES.clear()
        _OF_RULES[key] = html
    return html


def _by_line(html: str) -> str:
    """Return HTML without indentation and empty lines, which every answer would have to carry."""
    return "\n".join(filter(None, (line.strip() for line in html.split("\n"))))


def is_unchanged(table: Table, results: Sequence[WriteResult]) -> bool:
    """Return whether entries have changed nothing of a document that the phone cannot reckon.

    It is another one when a first deal begins or ends (the page asks about seats and offers PINs),
    in a practice game (the page says what comes next), at the end of a game, and when a redeal
    takes back a declared Chicago.
    """
    return table.created_by != PRACTICE and all(_within(each) for each in results)


def _within(result: WriteResult) -> bool:
    """Return whether a deal goes on, and the game's first one has not just begun or ended."""
    state = result.state
    entry = result.row.entry if result.row else None
    if entry and entry.get("action") == "redeal":
        return False
    ended = (state["deal"], state["stage"], state["phase"]) == (1, EXCHANGE, 1)
    return not (state["finished"] or ended or result.opens)
