"""Entries that waited on a device while others wrote: both sides on one page, and the choice."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string

from ..enums import LinkRole, SheetStatus
from ..errors import LeaseTaken, ScoringError
from ..models import Link, Sheet, Table
from ..reading.history import Row, Slot
from ..reading.merge import BEHIND, Side, Take, Tap, as_seated, is_over, merge_of, only_theirs
from ..reading.names import ShownText, names_of, shown_entry
from ..reading.rules import rules_of
from ..reading.tables import current_sheet
from ..reading.words import entry_text, short_names
from ..writing import settle_waiting, take_lease
from ..writing.merge import check_taps
from .access import LinkRequest, link_view
from .forms import read_fields, read_number, read_word
from .fragment import fragment_answer

#: More than a whole game needs; a device sends one game at a time.
_MOST_TAPS = 500


@dataclass(frozen=True, slots=True)
class MergeLine:
    """One entry of one side; ``gone`` marks one that this side took back."""

    text: str
    at: datetime | None
    gone: bool = False


@dataclass(frozen=True, slots=True)
class MergeDeal:
    """What each side has of a deal, numbered from 1."""

    number: int
    theirs: tuple[MergeLine, ...]
    mine: tuple[MergeLine, ...]


@dataclass(frozen=True, slots=True)
class Sent:
    """A device's request: the game, its last known row, the waiting entries, and the choice."""

    sheet: Sheet
    base: int
    version: int
    taps: tuple[Tap, ...]
    take: str


@link_view(method="POST", role=LinkRole.AUDITOR)
def waiting_settle(request: LinkRequest, link: Link) -> HttpResponse:
    """Show both sides, or carry out the choice (``take``)."""
    device = request.device
    sent = _read(request, link)
    if not sent.take:
        check_taps(sent.sheet, sent.taps)
        return JsonResponse({"ok": True, **_panel(request, link, sent, device)})
    if taken := _taken(link, device):
        raise LeaseTaken(holder=taken.lease_author, since=taken.lease_since)
    if sent.sheet.status in {SheetStatus.FINISHED, SheetStatus.VOID}:
        # Whoever has the running game's lease chooses for an earlier game, too.
        take_lease(sheet_id=sent.sheet.pk, device=device, author=link)
    told = {}
    try:
        settle_waiting(
            sheet_id=sent.sheet.pk,
            seen_version=sent.version,
            base=sent.base,
            taps=sent.taps,
            take=Take(sent.take),
            author=link,
            device=device,
        )
    except ScoringError as error:
        # The answer to another choice was lost: what it did is shown, and said.
        if error.code != "already_chosen":
            raise
        told = {"problems": [error.as_json()]}
    link.table = Table.objects.get(pk=link.table_id)
    return JsonResponse({"ok": True, **told, **fragment_answer(request, link, None)})


def _read(request: LinkRequest, link: Link) -> Sent:
    fields = read_fields(request)
    taps, take = fields.get("taps"), read_word({"take": fields.get("take") or ""}, "take")
    if not isinstance(taps, list) or not 0 < len(taps) <= _MOST_TAPS or take not in {"", *Take}:
        raise ScoringError("malformed")
    sheet = Sheet.objects.filter(table=link.table_id, number=read_number(fields, "game")).first()
    if sheet is None:
        raise ScoringError("malformed")
    sheet.table = link.table
    return Sent(
        sheet=sheet,
        # A server restored from a backup may have fewer rows than the device saw.
        base=min(read_number(fields, "base"), sheet.version),
        version=read_number(fields, "version"),
        taps=tuple(_tap(tap) for tap in taps),
        take=take,
    )


def _tap(document: object) -> Tap:
    if not isinstance(document, Mapping):
        raise ScoringError("malformed")
    entry, at = document.get("entry"), document.get("at")
    if entry is not None and not isinstance(entry, dict):
        raise ScoringError("malformed")
    try:
        return Tap(
            uuid.UUID(str(document.get("id"))),
            entry,
            datetime.fromtimestamp(float(str(at)) / 1000, UTC),
            read_word({"seating": document.get("seating") or ""}, "seating"),
        )
    except (ValueError, OverflowError, OSError) as error:
        raise ScoringError("malformed") from error


def _panel(request: LinkRequest, link: Link, sent: Sent, device: str) -> dict[str, Any]:
    sheet = sent.sheet
    stored = list(sheet.entries.select_related("target").order_by("sequence"))
    rows = [
        Row(row.sequence, row.kind, row.entry, row.target.sequence if row.target else None)
        for row in stored
    ]
    taps = as_seated(sheet, rows, sent.taps)
    merge = merge_of(
        rules_of(link.table),
        rows,
        sheet.drawn_seats,
        sheet.dealer,
        sent.base,
        taps,
        over=is_over(sheet),
    )
    names = names_of(link.table)
    shorts = short_names([names.get(player_id, player_id) for player_id in sheet.seats])
    text = ShownText(link.table)
    times: dict[int, datetime] = {row.sequence: row.created_at for row in stored}
    times |= {BEHIND + number: tap.at for number, tap in enumerate(sent.taps)}

    def line(slot: Slot, *, gone: bool = False) -> MergeLine:
        words = entry_text(shown_entry(slot.entry, text), shorts)
        return MergeLine(words, None if gone else times.get(slot.written), gone)

    theirs, mine = (_lines(side, line) for side in (merge.theirs, merge.mine))
    deals = [
        MergeDeal(deal + 1, tuple(theirs.get(deal, ())), tuple(mine.get(deal, ())))
        for deal in sorted({*theirs, *mine})
    ]
    refusal = only_theirs(sheet, rows, taps)
    context = {
        # The page may show a later one.
        "number": sheet.number,
        "deals": deals,
        "others": any(deal.theirs for deal in deals),
        "choices": [Take.THEIRS] if refusal else merge.choices,
        "refusal": refusal.message() if refusal else "",
        "unopened": sheet.status == SheetStatus.WAITING,
        "taken": _taken(link, device),
    }
    html = render_to_string("scoring/_merge.html", context, request)
    return {"html": html, "version": sheet.version}


def _taken(link: Link, device: str) -> Sheet | None:
    """Return the sheet now written on, if another device has its lease."""
    sheet = current_sheet(link.table_id)
    return sheet if sheet and sheet.lease_device not in {"", device} else None


def _lines(side: Side, line: Callable[..., MergeLine]) -> dict[int, list[MergeLine]]:
    found: dict[int, list[MergeLine]] = {}
    for slot in side.gone:
        found.setdefault(side.played.state.deal, []).append(line(slot, gone=True))
    for deal, slot in side.written:
        found.setdefault(deal, []).append(line(slot))
    return found
