"""The one call by which a phone and the server agree about a table.

The phone says what it has and what was tapped there; the answer says what became of each tap, which
lines the phone lacks, and what else has changed. Every answer carries the program's mark.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from ..enums import LinkRole, RowKind
from ..errors import ScoringError
from ..models import Link, Sheet, Table
from ..reading.log import (
    Held,
    lines_of,
    lines_since,
    rows_after,
    sheets_now,
    unknown_of,
    unlike,
)
from ..reading.merge import Take
from ..reading.names import ShownText, names_of
from ..writing import WriteResult
from ..writing.sync import LINES, READERS, Done, SentTap, carry_out
from .access import MARK, LinkRequest, link_view, remember_rulings, with_seen
from .document import document_answer, document_version, is_unchanged
from .forms import read_number, read_same_origin, read_seen, read_uuid, read_word
from .shell import shell_of
from .sides import sides_html

#: After these a person compares both sides.
COMPARED = frozenset(
    {"conflict", "not_running", "other_seats", "lease_taken", "signed_off", "game_finished"}
    | {"wrong_phase", "unexpected_kind", "seat_out"}
)
#: More taps than this come in several calls: each is a transaction.
MAX_TAPS = 100
#: More lines than a game can have, and games than a table.
_MOST_IDS, _MOST_GAMES, _MOST_SEATS = 5000, 20, 6
_LATEST = datetime(2200, 1, 1, tzinfo=UTC).timestamp()


@csrf_exempt
@link_view(method="POST")
def table_sync(request: LinkRequest, link: Link) -> HttpResponse:
    """Carry out a phone's taps, and answer with what it lacks.

    Only same-origin JSON is read, so that no other site's page can send it with this device's
    cookie; the page itself carries no token.
    """
    fields = read_same_origin(request)
    shown = read_word({"version": fields.get("version") or ""}, "version")
    take = read_word({"take": fields.get("take") or ""}, "take")
    held = _held(fields.get("have", {}))
    taps = [_tap(each) for each in _list(fields, "taps", MAX_TAPS)]
    if take not in {"", *Take}:
        raise ScoringError("malformed")
    seen = [each for each in taps if each.act == "read"]
    for each in seen:
        request.seen_rulings = with_seen(request, each.about["rulings"])
    taps = [each for each in taps if each.act != "read"]
    if link.role != LinkRole.AUDITOR and any(each.act not in READERS for each in taps):
        raise ScoringError("read_only")
    user = request.user if request.user.is_authenticated else None
    sheets = sheets_now(link.table_id)
    before = document_version(request, link.table, sheets)
    done = carry_out(
        link=link,
        sheets=sheets,
        held=held,
        device=request.device,
        user=user,
        taps=taps,
        take=take,
    )
    done.took += [each.client_id for each in seen]
    answer: dict[str, Any] = {
        "mark": MARK,
        "took": [str(client_id) for client_id in done.took],
        "now": round(timezone.now().timestamp() * 1000),
        **_refusal(request, link, done, taps, held),
    }
    if link.role == LinkRole.AUDITOR:
        answer["shell"] = shell_of()[1]
        plain = done.plain and not seen and done.error is None and shown == before
        written = _written(request, link.table, sheets, held, done.results) if plain else None
        answer |= written or _agreed(request, link, held, shown, fields)
    response = JsonResponse(
        answer, json_dumps_params={"separators": (",", ":"), "ensure_ascii": False}
    )
    if seen:
        remember_rulings(request, response, request.seen_rulings)
    return response


def _written(
    request: LinkRequest,
    table: Table,
    sheets: Sequence[Sheet],
    held: Mapping[int, Held],
    results: Sequence[WriteResult],
) -> dict[str, Any] | None:
    """Return the lines just written, if any, where a phone lacks no others (no query).

    ``more``: the document is another one now, too. The phone asks for it at once, so that no tap
    waits until it is made.
    """
    rows = [each.row for each in results if each.row and each.version == each.sequence]
    if len(rows) < len(results):
        return None
    if rows and results[-1].revision != table.revision + len(rows):
        return None  # somebody else has written, too
    lines = lines_since(sheets, held, rows, ShownText(table))
    if lines is None:
        return None
    if not rows:
        return {"version": document_version(request, table, sheets)}
    if not is_unchanged(table, results):
        return {"lines": lines, "more": True}
    table.revision = results[-1].revision
    return {"version": document_version(request, table, sheets), "lines": lines}


def _agreed(
    request: LinkRequest,
    link: Link,
    held: Mapping[int, Held],
    shown: str,
    asked: Mapping[str, Any],
) -> dict[str, Any]:
    """Return what the phone lacks: lines, and the document where it has changed."""
    found_sheets = Sheet.objects.filter(table=link.table_id).select_related("table")
    sheets = list(found_sheets.order_by("number"))
    link.table = sheets[0].table
    version = document_version(request, link.table, sheets)
    found: dict[str, Any] = {"version": version}
    behind, other = unlike(sheets, held)
    text = ShownText(link.table)
    lines: dict[str, Any] = {}
    wanted = []
    for sheet in sheets:
        if sheet.number in behind:
            lines[str(sheet.number)] = lines_of(behind[sheet.number], text)
        elif sheet.number in other:
            ids = held[sheet.number].ids
            if ids is None:
                wanted.append(sheet.number)
                continue
            found.setdefault("lacks", {})[str(sheet.number)] = [
                str(each) for each in unknown_of(link.table_id, ids)
            ]
            lines[str(sheet.number)] = lines_of(rows_after(sheet), text)
            found.setdefault("whole", []).append(sheet.number)
    if lines:
        found["lines"] = lines
    if wanted:
        # Until the phone has answered, its lines are other ones than those of this version.
        found["wanted"] = wanted
        del found["version"]
    if shown == version:
        return found
    return found | document_answer(request, link, asked)


def _refusal(
    request: LinkRequest,
    link: Link,
    done: Done,
    taps: Sequence[SentTap],
    held: Mapping[int, Held],
) -> dict[str, Any]:
    """Return the first refused tap with its reason, and after a conflict both sides."""
    error, tap = done.error, done.refused
    if error is None:
        return {}
    names = None
    if tap is not None and tap.game:
        sheet = Sheet.objects.filter(table=link.table_id, number=tap.game).first()
        known = names_of(link.table)
        names = [known.get(each, each) for each in sheet.seats] if sheet else None
    refused: dict[str, Any] = {"problem": error.as_json(None, names)}
    if tap is None:
        return {"told": error.message()}
    refused["tap"] = str(tap.client_id)
    # What the rules forbid has the engine's code.
    if refused["problem"]["code"] in COMPARED and tap.act in LINES:
        # Only lines can be chosen, as in `carry_out`.
        left = [each for each in taps[taps.index(tap) :] if each.act in LINES]
        with suppress(ScoringError):
            refused["sides"] = sides_html(request, link, left, held)
    return {"refused": refused}


# ------------------------------------------------------------------------------------- reading


def _list(fields: Mapping[str, Any], name: str, most: int) -> list[Any]:
    found = fields.get(name, [])
    if not isinstance(found, list) or len(found) > most:
        raise ScoringError("malformed")
    return found


def _held(document: Any) -> dict[int, Held]:
    if not isinstance(document, Mapping) or len(document) > _MOST_GAMES:
        raise ScoringError("malformed")
    found = {}
    for game, has in document.items():
        if not isinstance(has, Mapping):
            raise ScoringError("malformed")
        number = read_number({"game": game}, "game")
        if "ids" in has:
            ids = tuple(read_uuid({"id": each}, "id") for each in _list(has, "ids", _MOST_IDS))
            found[number] = Held(len(ids), None, ids)
        else:
            last = read_uuid(has, "last") if has.get("last") else None
            found[number] = Held(read_number(has, "rows"), last)
    return found


def _optional_uuid(document: Mapping[str, Any], name: str) -> uuid.UUID | None:
    return read_uuid(document, name) if document.get(name) else None


def _words(document: Mapping[str, Any], name: str, most: int = _MOST_SEATS) -> tuple[str, ...]:
    return tuple(read_word({name: each}, name) for each in _list(document, name, most))


def _seat(document: Mapping[str, Any], name: str = "seat") -> int | None:
    return None if document.get(name) is None else read_number(document, name)


def _entry_of(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    entry = document.get("entry")
    if not isinstance(entry, dict | None):
        raise ScoringError("malformed")
    return entry


def _required_entry(document: Mapping[str, Any]) -> dict[str, Any]:
    entry = _entry_of(document)
    if entry is None:
        raise ScoringError("malformed")
    return {"entry": entry, "confirmed": document.get("confirmed") is True}


def _correction(document: Mapping[str, Any]) -> dict[str, Any]:
    kind = read_word(document, "kind")
    if kind not in {RowKind.AMEND, RowKind.INSERT, RowKind.VOID}:
        raise ScoringError("malformed")
    entry = _entry_of(document)
    if entry is None and kind != RowKind.VOID:
        raise ScoringError("malformed")
    return {
        "kind": RowKind(kind),
        "target": read_uuid(document, "target"),
        "entry": entry,
        "later": document.get("later") is True,
    }


def _seats(document: Mapping[str, Any]) -> dict[str, Any]:
    order = None if document.get("order") is None else _words(document, "order")
    return {
        "order": order,
        "version": read_number({"version": document.get("version", 0)}, "version"),
    }


def _person(document: Mapping[str, Any], *more: str) -> dict[str, Any]:
    return {name: read_word(document, name) for name in ("player", *more)}


#: What each act needs besides its place.
_ABOUT: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "entry": _required_entry,
    "back": lambda tap: {"target": _optional_uuid(tap, "target")},
    "correct": _correction,
    "chicago": lambda tap: {"seat": _seat(tap)},
    "seats": _seats,
    "next": lambda tap: {},
    "return": lambda tap: {},
    "take": lambda tap: {},
    "call": lambda tap: {"reason": read_word({"reason": tap.get("reason") or ""}, "reason")},
    "uncall": lambda tap: {},
    "lost": lambda tap: {"text": read_word(tap, "text")[:2000]},
    "slow": _person,
    "sign": lambda tap: {},
    "read": lambda tap: {"rulings": read_word(tap, "rulings")},
    "accept": lambda tap: {
        **_person(tap, "pin"),
        "seen": read_seen(read_word(tap, "seen")),
    },
    "pin": lambda tap: _person(tap, "pin"),
    "object": lambda tap: {
        **_person(tap, "pin"),
        "deal": read_number(tap, "deal"),
        "text": read_word({"text": tap.get("text") or ""}, "text"),
    },
    "flip": lambda tap: {"order": _words(tap, "order"), "lots": _words(tap, "lots")},
}
#: Acts on one game's sheet.
_ON_A_SHEET = frozenset(
    {"entry", "back", "correct", "chicago", "seats", "next", "return", "object"}
)


def _tap(document: Any) -> SentTap:
    if not isinstance(document, Mapping):
        raise ScoringError("malformed")
    client_id = read_uuid(document, "id")
    try:
        return _read_tap(document, client_id)
    except ScoringError:
        # Refused by itself: a tap that cannot be read must not keep the others from being sent.
        return SentTap(client_id, "", timezone.now())


def _read_tap(document: Mapping[str, Any], client_id: uuid.UUID) -> SentTap:
    act = read_word(document, "act")
    about = _ABOUT[act](document) if act in _ABOUT else {}
    if act in LINES and "version" in document:
        about["version"] = read_number(document, "version")
    return SentTap(
        client_id=client_id,
        act=act,
        at=_moment(document),
        about=about,
        game=read_number(document, "game") if act in _ON_A_SHEET else 0,
        position=_position(document),
        seating=read_word({"seating": document.get("seating") or ""}, "seating"),
        follows=_optional_uuid(document, "follows"),
        waited=document.get("waited") is True,
        kept=document.get("kept") is True,
        away=tuple(
            read_number({"seat": seat}, "seat") for seat in _list(document, "away", _MOST_SEATS)
        ),
        names=_words(document, "names"),
    )


def _position(document: Mapping[str, Any]) -> tuple[int, str, int] | None:
    place = document.get("place")
    if place is None:
        return None
    if not isinstance(place, Mapping):
        raise ScoringError("malformed")
    # A phone has no phase where a game is over.
    phase = read_number({"phase": place.get("phase") or 0}, "phase")
    return read_number(place, "deal"), read_word(place, "stage"), phase


def _moment(document: Mapping[str, Any]) -> datetime:
    at = document.get("at", 0)
    if type(at) not in {int, float}:
        raise ScoringError("malformed")
    try:
        # A clock may be wrong, but every time can be shown in every time zone.
        return datetime.fromtimestamp(min(max(at, 0) / 1000, _LATEST), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise ScoringError("malformed") from error
