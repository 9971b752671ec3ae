"""Writing one entry on a sheet."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from engine.errors import EntryError, Problem
from engine.sheet.entries import entry_from_json
from engine.sheet.losses import losses
from engine.sheet.sheet import step, warnings
from engine.sheet.state import EXCHANGE

from ..enums import RowKind, SheetStatus
from ..errors import IllegalEntry, NeedsConfirmation, ScoringError, SheetConflict
from ..models import Author, Sheet, SheetEntry, Table, insert_all
from ..reading.history import Folds, Slot, Step, folds_of
from ..reading.rows import keep_steps, state_of
from .announce import announce_games, announce_sheet
from .lease import hold_lease
from .locks import sheet_for_entry
from .rows import append_folds, append_row, next_row, settle_state
from .status import transition

#: The fields of a sheet that every entry changes, and those that some do.
WRITTEN = ("state", "version", "chain", "last_entry_at")
STATUS = ("status", "finished_at")
LEASE = ("lease_device", "lease_author", "lease_since")
#: Even an entry with a reason of a few sentences is far shorter (in characters).
MAX_ENTRY = 2000

_READABLE = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The answer to a writer: the sheet after the write.

    ``repeated`` is true if the same UUID had been written before, so nothing happened now. An
    entry written now comes with its ``row``, its table's ``revision``, and whether it is the
    first of its game (``opens``).
    """

    sheet_id: int
    sequence: int
    version: int
    state: Mapping[str, Any]
    warnings: tuple[Mapping[str, Any], ...] = ()
    repeated: bool = False
    row: SheetEntry | None = None
    revision: int = 0
    opens: bool = False

    @property
    def finished(self) -> bool:
        """Whether the game is over after this write."""
        return bool(self.state["finished"])


def write_entry(
    *,
    sheet_id: int,
    client_id: uuid.UUID,
    seen_version: int | None = None,
    follows: uuid.UUID | None = None,
    entry: Mapping[str, Any],
    author: Author,
    device: str = "",
    confirmed: bool = False,
    careful: bool = False,
) -> WriteResult:
    """Write ``entry`` as the next row of a running sheet.

    The writer makes one ``client_id`` per tap; repeating it returns the same answer and changes
    nothing. ``seen_version`` is the version of the sheet that the writer saw, or ``follows`` the id
    of its last row. ``device`` is the
    writing device, which then holds the sheet's lease; without it (the director, a replay) the
    lease is not checked. ``careful`` asks for confirmation before somebody loses many points.

    Raises ``Sheet.DoesNotExist``, :class:`IllegalEntry` (against the rules, with the engine's
    problem), :class:`SheetConflict` (the sheet has changed since), :class:`NeedsConfirmation` (the
    engine warns, or that costs much, and ``confirmed`` is false), :class:`LeaseTaken`, and
    :class:`ScoringError` ``not_running`` or ``client_id_reused``.
    """
    check_storable(entry)
    try:
        with transaction.atomic():
            sheet, last = sheet_for_entry(sheet_id)
            if seen_version is None and follows and last == follows:
                seen_version = sheet.version
            check_writable(sheet, seen_version)
            return _write(sheet, client_id, entry, author, device, confirmed, careful)
    except (IntegrityError, ScoringError):
        # It may have been written before: then the first answer counts.
        known = SheetEntry.objects.filter(client_id=client_id).first()
        if known is None:
            raise
        return answer_again(known, sheet_id=sheet_id, kind=RowKind.ENTRY, entry=entry)


def _write(
    sheet: Sheet,
    client_id: uuid.UUID,
    entry: Mapping[str, Any],
    author: Author,
    device: str,
    confirmed: bool,
    careful: bool,
) -> WriteResult:
    now = timezone.now()
    status, lease = sheet.status, sheet.lease_device
    hold_lease(sheet, device=device, author=author, at=now)
    try:
        before = state_of(sheet)
        parsed = entry_from_json(entry, before.rules)
        found = tuple(warnings(before, parsed))
        after = step(before, parsed)
    except EntryError as error:
        raise IllegalEntry(error.problem) from error
    lost = losses(after.facts) if careful else ()
    if (found or lost) and not confirmed:
        raise NeedsConfirmation(found, lost, before.rules.target)
    folds: Folds = ()
    if after.deal != before.deal:
        away = Table.objects.values_list("away", flat=True).get(pk=sheet.table_id)
        after, folds = folds_of(after, sheet.seats, away)
    document = after.as_json()
    answer = _answer(sheet.version + 1, document, found, len(folds))
    row = append_row(
        sheet,
        kind=RowKind.ENTRY,
        client_id=client_id,
        author=author,
        at=now,
        answer=answer,
        entry=dict(entry),
        confirmed=bool(found),
    )
    append_folds(sheet, folds, author=author, at=now, client_id=client_id, answer=answer)
    settle_state(sheet, after, at=now, document=document)
    columns: tuple[str, ...] = WRITTEN
    columns += STATUS if sheet.status != status else ()
    columns += LEASE if sheet.lease_device != lease else ()
    _store(sheet, columns)
    revision = announce_sheet(sheet, results=after.finished)
    opens = (before.deal, before.stage, before.phase) == (0, EXCHANGE, 1)
    return replace(result_of(sheet.pk, answer), row=row, revision=revision, opens=opens)


@transaction.atomic
def write_game(*, sheet: Sheet, entries: Sequence[Mapping[str, Any]], author: Author) -> None:
    """Write many entries at once, confirmed, where nobody plays, such as in a rehearsal.

    The sheet is locked, and no player is away. The rows are those of :func:`write_entry` for each
    entry; raises as that does, and writes nothing then.
    """
    check_writable(sheet, sheet.version)
    status = sheet.status
    insert_all(SheetEntry, enter_game(sheet=sheet, entries=entries, author=author))
    _store(sheet, WRITTEN + (STATUS if sheet.status != status else ()))
    announce_sheet(sheet, results=sheet.state["finished"])


@transaction.atomic
def write_games(*, sheets: Sequence[Sheet], rows: Sequence[Mapping[str, Any]], begun: int) -> None:
    """Write what :func:`enter_game` has entered on these locked sheets of a table.

    ``begun``: how many of them waited. The caller writes the results, once for all games.
    """
    insert_all(SheetEntry, rows)
    for sheet in sheets:
        _store(sheet, (*WRITTEN, *STATUS, "started_at"))
    announce_games(sheets, begun=begun)


def enter_game(
    *, sheet: Sheet, entries: Sequence[Mapping[str, Any]], author: Author
) -> list[Mapping[str, Any]]:
    """Bring a locked sheet, begun now if it waits, to where these entries lead.

    The caller writes it and the new rows; their values are returned. Raises as
    :func:`write_entry` does.
    """
    now = timezone.now()
    if sheet.status == SheetStatus.WAITING:
        transition(sheet, SheetStatus.RUNNING, at=now)
    state = state_of(sheet)
    document = state.as_json()
    rows: list[Mapping[str, Any]] = []
    steps: list[Step] = []
    whole = not sheet.version
    for entry in entries:
        check_storable(entry)
        try:
            parsed = entry_from_json(entry, state.rules)
            found = tuple(warnings(state, parsed))
            before, state = state, step(state, parsed)
        except EntryError as error:
            raise IllegalEntry(error.problem) from error
        document = state.as_json()
        sequence = sheet.version + 1
        rows.append(
            next_row(
                sheet,
                kind=RowKind.ENTRY,
                client_id=uuid.uuid4(),
                author=author,
                at=now,
                answer=_answer(sequence, document, found),
                entry=dict(entry),
                confirmed=bool(found),
            )
        )
        steps.append(Step(Slot(sequence, sequence, entry), before, state, found))
    settle_state(sheet, state, at=now, document=document)
    if whole and state.finished:
        keep_steps(sheet, steps)
    return rows


def _answer(
    sequence: int, document: Mapping[str, Any], found: Iterable[Problem], folds: int = 0
) -> dict[str, Any]:
    """Return what a row answers its writer, now and again."""
    return {
        "sequence": sequence,
        "version": sequence + folds,
        "state": document,
        "warnings": [{"code": problem.code, "severity": problem.severity} for problem in found],
    }


def _store(sheet: Sheet, columns: tuple[str, ...]) -> None:
    """Write these fields of a locked sheet."""
    fields = [field for field in Sheet._meta.concrete_fields if field.name in columns]
    values = [field.get_db_prep_save(getattr(sheet, field.name), connection) for field in fields]
    given = ", ".join(f"{field.column} = %s" for field in fields)
    with connection.cursor() as cursor:
        # Raw SQL: every entry passes here, and a query set takes three times as long.
        cursor.execute(f"UPDATE scoring_sheet SET {given} WHERE id = %s", [*values, sheet.pk])


def check_storable(document: object, *, longest: float = MAX_ENTRY) -> None:
    """Refuse what no database could store: zero bytes, lone surrogates, endless notes.

    Raises ``ScoringError("malformed")``.
    """
    try:
        text = _READABLE.encode(document)
        text.encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise ScoringError("malformed") from error
    if "\\u0000" in text or len(text) > longest:
        raise ScoringError("malformed")


def check_writable(sheet: Sheet, seen_version: int | None, *, waiting: bool = False) -> None:
    """Raise unless the sheet is at ``seen_version`` and running (or may be ``waiting``)."""
    if seen_version != sheet.version:
        raise SheetConflict(seen=seen_version, version=sheet.version, state=sheet.state)
    refused = {SheetStatus.VOID} if waiting else {SheetStatus.WAITING, SheetStatus.VOID}
    if sheet.status in refused:
        raise ScoringError("not_running", status=SheetStatus(sheet.status).label)


def result_of(sheet_id: int, answer: Mapping[str, Any], *, repeated: bool = False) -> WriteResult:
    """Return a stored answer as the writer gets it."""
    return WriteResult(
        sheet_id=sheet_id,
        sequence=answer["sequence"],
        version=answer["version"],
        state=answer["state"],
        warnings=tuple(answer["warnings"]),
        repeated=repeated,
    )


def answer_again(
    known: SheetEntry,
    *,
    sheet_id: int,
    kind: RowKind,
    entry: Mapping[str, Any] | None = None,
    target: int | None = None,
) -> WriteResult:
    """Return the stored answer of a row if the repeated request is the same.

    Raises ``ScoringError("client_id_reused")`` otherwise: a UUID stands for one write.
    """
    same = known.sheet_id == sheet_id and known.kind == kind
    if entry is not None:
        same = same and known.entry == dict(entry)
    if target is not None:
        same = same and known.target is not None and known.target.sequence == target
    if not same:
        raise ScoringError("client_id_reused")
    return result_of(sheet_id, known.answer, repeated=True)
