"""Both sides of a game after a conflict: what waits on a phone, and what was written meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string

from ..enums import SheetStatus
from ..errors import ScoringError
from ..models import Link, Sheet
from ..reading.history import Row, Slot
from ..reading.log import Held
from ..reading.merge import BEHIND, Side, Take, as_seated, is_over, merge_of, only_theirs
from ..reading.names import ShownText, names_of, shown_entry
from ..reading.rules import rules_of
from ..reading.tables import current_sheet
from ..reading.words import entry_text, short_names
from ..writing.merge import check_taps
from ..writing.sync import SentTap, base_of, waiting
from .access import LinkRequest


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


def sides_html(
    request: LinkRequest, link: Link, sent: Sequence[SentTap], held: Mapping[int, Held]
) -> dict[str, Any]:
    """Return the panel that shows both sides and the choices, and the sheet's version in it.

    ``same``: both have written the same, so that there is nothing to choose.

    Raises ``ScoringError`` for a game that the table does not have, and the errors of
    :func:`scoring.writing.merge.check_taps`.
    """
    sheet = Sheet.objects.filter(table=link.table_id, number=sent[0].game).first()
    if sheet is None:
        raise ScoringError("malformed")
    sheet.table = link.table
    waits = [waiting(tap) for tap in sent if tap.game == sheet.number]
    check_taps(sheet, waits)
    stored = list(sheet.entries.select_related("target").order_by("sequence"))
    rows = [
        Row(row.sequence, row.kind, row.entry, row.target.sequence if row.target else None)
        for row in stored
    ]
    taps = as_seated(sheet, rows, waits)
    base = base_of(sheet, sent[0].follows, held) or 0
    merge = merge_of(
        rules_of(link.table),
        rows,
        sheet.drawn_seats,
        sheet.dealer,
        base,
        taps,
        over=is_over(sheet),
    )
    names = names_of(link.table)
    shorts = short_names([names.get(player_id, player_id) for player_id in sheet.seats])
    text = ShownText(link.table)
    times: dict[int, datetime] = {row.sequence: row.created_at for row in stored}
    times |= {BEHIND + number: tap.at for number, tap in enumerate(waits)}

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
        "taken": _taken(link, request.device),
    }
    html = render_to_string("scoring/_merge.html", context, request)
    same = _entries(merge.mine) == _entries(merge.theirs) and not context["taken"]
    return {"html": html, "version": sheet.version, "same": same}


def _taken(link: Link, device: str) -> Sheet | None:
    """Return the sheet now written on, if another device has its lease."""
    sheet = current_sheet(link.table_id)
    return sheet if sheet and sheet.lease_device not in {"", device} else None


def _entries(side: Side) -> list[Any]:
    return [
        *((deal, slot.entry) for deal, slot in side.written),
        *(slot.sequence for slot in side.gone),
    ]


def _lines(side: Side, line: Callable[..., MergeLine]) -> dict[int, list[MergeLine]]:
    found: dict[int, list[MergeLine]] = {}
    for slot in side.gone:
        found.setdefault(side.played.state.deal, []).append(line(slot, gone=True))
    for deal, slot in side.written:
        found.setdefault(deal, []).append(line(slot))
    return found
