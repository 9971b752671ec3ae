"""Entries that a device gives back to a server restored from a backup."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from django.http import HttpResponse, JsonResponse

from ..enums import LinkRole, RowKind
from ..errors import ScoringError
from ..models import Link, Table
from ..reading.recover import lacking, written_at
from ..writing import (
    RecoveredChicago,
    RecoveredCorrection,
    RecoveredEntry,
    RecoveredSeats,
    RecoveredSignOff,
    RecoveredTap,
    call_for_lost_decisions,
    write_recovered,
)
from ..writing.rows import MAX_ROWS
from .access import LinkRequest, link_view
from .forms import read_fields, read_number, read_uuid, read_word
from .fragment import fragment_answer

#: More than a whole evening needs. Asking about an id costs little, a tap is a write.
_MOST_IDS, _MOST_TAPS, _MOST_SEATS = 5000, MAX_ROWS, 6


@link_view(method="POST", role=LinkRole.AUDITOR)
def recover(request: LinkRequest, link: Link) -> HttpResponse:
    """Answer which of ``ids`` the table lacks, or write those of the ``taps`` that it lacks.

    With ``known`` ids, answer what else phones wrote. ``told`` are the director's decisions that it
    lacks, in words: they call the director.
    """
    fields = read_fields(request)
    if "known" in fields:
        rows = written_at(table_id=link.table_id, known=_ids(fields, "known"))
        return JsonResponse({"ok": True, "rows": rows})
    if "taps" not in fields:
        lacks = lacking(table_id=link.table_id, client_ids=_ids(fields, "ids"))
        return JsonResponse({"ok": True, "lacks": lacks})
    told = [read_word({"text": each}, "text") for each in _list(fields, "told", 100)]
    refused = write_recovered(
        table_id=link.table_id,
        taps=[_tap(each) for each in _list(fields, "taps", _MOST_TAPS)],
        author=link,
        device=request.device,
    )
    if told:
        call_for_lost_decisions(table_id=link.table_id, told=told)
    link.table = Table.objects.get(pk=link.table_id)
    answer = {"ok": True, **fragment_answer(request, link, None)}
    return JsonResponse({**answer, "problems": [refused.as_json()]} if refused else answer)


def _ids(fields: Mapping[str, object], name: str) -> list[uuid.UUID]:
    return [read_uuid({"id": each}, "id") for each in _list(fields, name, _MOST_IDS)]


def _list(fields: Mapping[str, object], name: str, most: int) -> list[object]:
    found = fields.get(name, [] if name in {"told", "away", "names"} else None)
    if not isinstance(found, list) or len(found) > most:
        raise ScoringError("malformed")
    return found


def _tap(document: object) -> RecoveredTap | RecoveredSignOff:
    if not isinstance(document, Mapping):
        raise ScoringError("malformed")
    act = read_word({"act": document.get("act") or ""}, "act")
    if act == "sign":
        return RecoveredSignOff(read_uuid(document, "id"))
    entry, position = document.get("entry"), document.get("place")
    if not isinstance(entry, Mapping | None) or not isinstance(position, Mapping):
        raise ScoringError("malformed")
    tap = (
        read_uuid(document, "id"),
        read_number(document, "game"),
        (
            read_number(position, "deal"),
            read_word(position, "stage"),
            # The script has none where a game is over.
            read_number({"phase": position.get("phase") or 0}, "phase"),
        ),
        read_word({"seating": document.get("seating") or ""}, "seating"),
        tuple(read_number({"seat": seat}, "seat") for seat in _list(document, "away", _MOST_SEATS)),
        tuple(read_word({"name": each}, "name") for each in _list(document, "names", _MOST_SEATS)),
    )
    if act == "chicago":
        seat = document.get("announce")
        return RecoveredChicago(*tap, None if seat is None else read_number(document, "announce"))
    if act in {"correction", "mend"}:  # "mend": stored by an earlier script
        kind = read_word(document, "kind")
        if kind == RowKind.RESEAT and entry:
            seats = _list(entry, "seats", _MOST_SEATS)
            return RecoveredSeats(*tap, tuple(read_word({"seat": each}, "seat") for each in seats))
        if kind not in {RowKind.AMEND, RowKind.INSERT, RowKind.VOID}:
            raise ScoringError("malformed")
        return RecoveredCorrection(
            *tap,
            RowKind(kind),
            read_uuid(document, "target"),
            entry,
            document.get("later") is True,
        )
    return RecoveredEntry(*tap, entry)
