"""The players' own words: accepting games, objecting to deals, and the table's sign-off."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from ..enums import Acceptance, AcceptedBy, SheetStatus
from ..errors import LeaseTaken, ScoringError, SheetConflict
from ..host import host
from ..models import (
    AskedOften,
    Author,
    Blank,
    GameAcceptance,
    Link,
    Objection,
    ObjectionAnswer,
    Sheet,
    Table,
    author_fields,
    author_text,
)
from ..reading.acceptance import (
    acceptance_of,
    check_shape,
    first_deal,
    gone_from,
    in_hand,
    signing_auditor,
)
from ..reading.games import unchecked_games
from ..reading.names import names_of
from ..reading.ranking import heat_ranking
from .announce import change_table
from .locks import locked_sheet, locked_sheets

_UNANSWERED = AskedOften(
    lambda: Objection.objects.unanswered().filter(sheet__table=Blank()).values_list("pk")
)


@transaction.atomic
def accept_games(
    *,
    table_id: int,
    player_id: str,
    seen: Mapping[int, int],
    by: Author,
    means: AcceptedBy,
) -> None:
    """Accept finished games for a player; ``seen`` maps each game to the version shown.

    Accepting again changes nothing. Raises ``SheetConflict`` (the game has been corrected since)
    and ``ScoringError`` ``unknown_player``, ``not_finished`` or ``own_objection``.
    """
    sheets = {sheet.number: sheet for sheet in locked_sheets(table_id)}
    meant = [sheets[number] for number in seen if number in sheets]
    if not meant or len(meant) < len(seen):
        raise ScoringError("not_finished")
    for sheet in meant:
        if player_id not in sheet.seats:
            raise ScoringError("unknown_player")
        if sheet.status != SheetStatus.FINISHED:
            raise ScoringError("not_finished")
        if sheet.version != seen[sheet.number]:
            raise SheetConflict(seen=seen[sheet.number], version=sheet.version, state=sheet.state)
    open_ones = Objection.objects.unanswered().filter(sheet__in=meant, player=player_id)
    if open_ones.exists():
        raise ScoringError("own_objection")
    if _note(meant, player_id, by, means):
        change_table(meant[0].table)


def accept_with_pin(
    *, table_id: int, player_id: str, pin: str, seen: Mapping[int, int], by: Author
) -> None:
    """Accept games for a player on another person's device. The PIN is only checked, not stored.

    Raises the host's errors about the PIN, and those of :func:`accept_games`.
    """
    # Before any locks or checks: a wrong PIN counts even if the request is refused.
    host().check_pin(table_id, player_id, pin)
    late = host().is_late_pin(table_id, player_id)
    means = AcceptedBy.LATE_PIN if late else AcceptedBy.PIN
    accept_games(table_id=table_id, player_id=player_id, seen=seen, by=by, means=means)


@transaction.atomic
def choose_pin(*, table_id: int, player_id: str, pin: str, device: str) -> None:
    """Store a player's first PIN, entered at the table before the player has accepted anything.

    After the first deal the phone that keeps the score is not the one for it: whoever holds that
    could answer for everybody. Raises ``unknown_player``, ``bad_pin``, ``late_pin``,
    ``pin_elsewhere`` and the host's errors.
    """
    host().lock(table_id)
    sheets = locked_sheets(table_id)
    table = sheets[0].table
    if player_id not in table.players:
        raise ScoringError("unknown_player")
    late = not first_deal(sheets)
    if GameAcceptance.objects.filter(sheet__table=table, player=player_id).exists():
        raise ScoringError("late_pin")
    if late and device in {sheet.lease_device for sheet in sheets}:
        raise ScoringError("pin_elsewhere")
    check_shape(pin)
    host().choose_pin(table_id, player_id, pin, late=late)
    change_table(table)


def _note(sheets: Iterable[Sheet], player_id: str, by: Author, means: AcceptedBy) -> int:
    """Write the rows that are missing; return how many."""
    new = 0
    for sheet in sheets:
        known = GameAcceptance.objects.filter(
            sheet=sheet, player=player_id, chain=sheet.chain
        ).exists()
        if not known:
            new += 1
            GameAcceptance(
                sheet=sheet,
                player=player_id,
                means=means,
                chain=sheet.chain,
                **author_fields(by),
                created_at=timezone.now(),
            ).save()
    return new


def keep_words(sheet: Sheet, *, before: str) -> None:
    """Note what was said at the chain ``before`` again, after rows that change no result."""
    if sheet.chain == before:
        return
    for row in GameAcceptance.objects.filter(sheet=sheet, chain=before).order_by("pk"):
        row.pk, row.chain = None, sheet.chain
        row._state.adding = True
        row.save()


@transaction.atomic
def object_to_deal(
    *,
    table_id: int,
    game: int,
    deal: int,
    player_id: str,
    text: str,
    client_id: uuid.UUID,
    by: Author,
) -> Objection:
    """Record a player's objection to a deal; play goes on, but the table cannot sign off.

    The same UUID again changes nothing. Raises ``ScoringError`` ``signed_off``, ``no_such_deal``,
    ``unknown_player`` or ``client_id_reused``.
    """
    sheets = {sheet.number: sheet for sheet in locked_sheets(table_id)}
    known: Objection | None = (
        Objection.objects.filter(client_id=client_id).select_related("sheet").first()
    )
    if known is not None:
        if (known.sheet.table_id, known.player) != (table_id, player_id):
            raise ScoringError("client_id_reused")
        return known
    sheet = sheets.get(game)
    if sheet is None or sheet.status in {SheetStatus.WAITING, SheetStatus.VOID}:
        raise ScoringError("no_such_deal")
    if player_id not in sheet.seats:
        raise ScoringError("unknown_player")
    if sheet.table.signed_at is not None:
        raise ScoringError("signed_off")
    if not 1 <= deal <= sheet.state["deal"] + 1:
        raise ScoringError("no_such_deal")
    row = Objection(
        sheet=sheet,
        player=player_id,
        deal=deal,
        text=" ".join(text.split())[:200],
        client_id=client_id,
        **author_fields(by),
        created_at=timezone.now(),
    )
    row.save()
    change_table(sheet.table)
    return row


@transaction.atomic
def answer_objection(*, table_id: int, objection_id: int, reason: str, by: Author) -> Objection:
    """Answer an objection as the director, with a reason; this is final.

    Raises ``ScoringError`` ``missing_reason``, ``no_such_objection`` or ``answered``.
    """
    if not reason.strip():
        raise ScoringError("missing_reason")
    return _end(table_id, objection_id, by, reason=reason.strip()[:200])


@transaction.atomic
def withdraw_objection(
    *, table_id: int, objection_id: int, player_id: str, by: Author
) -> Objection:
    """Withdraw a player's own objection.

    Raises ``ScoringError`` ``no_such_objection`` or ``answered``.
    """
    return _end(table_id, objection_id, by, player_id=player_id)


def _end(
    table_id: int, objection_id: int, by: Author, *, reason: str = "", player_id: str = ""
) -> Objection:
    row: Objection | None = Objection.objects.filter(pk=objection_id, sheet__table=table_id).first()
    if row is None or (player_id and row.player != player_id):
        raise ScoringError("no_such_objection")
    sheet = locked_sheet(row.sheet_id)
    if ObjectionAnswer.objects.filter(objection=row).exists():
        raise ScoringError("answered")
    ObjectionAnswer(
        objection=row,
        reason=reason,
        withdrawn=bool(player_id),
        **author_fields(by),
        created_at=timezone.now(),
    ).save()
    change_table(sheet.table)
    return row


@transaction.atomic
def restore_statements(
    *,
    table_id: int,
    acceptances: Collection[Mapping[str, Any]],
    objections: Collection[Mapping[str, Any]],
    by: Author,
) -> None:
    """Restore the acceptances and objections of a document, each with its own time.

    Raises ``ScoringError`` ``not_finished``, ``no_such_deal`` or ``unknown_player``, ``KeyError``
    for a missing field, and ``ValueError`` for an unreadable time.
    """
    if not (acceptances or objections):
        return
    sheets = {sheet.number: sheet for sheet in locked_sheets(table_id)}
    for row in acceptances:
        sheet = _meant(sheets, row, "not_finished")
        if sheet.status != SheetStatus.FINISHED:
            raise ScoringError("not_finished")
        GameAcceptance(
            sheet=sheet,
            player=row["player"],
            means=AcceptedBy(row["means"]),
            chain=sheet.chain,
            **author_fields(by),
            created_at=datetime.fromisoformat(row["at"]),
        ).save()
    for row in objections:
        sheet = _meant(sheets, row, "no_such_deal")
        # After a correction there may be fewer deals than the objections name.
        if row["deal"] < 1:
            raise ScoringError("no_such_deal")
        objection = Objection(
            sheet=sheet,
            player=row["player"],
            deal=row["deal"],
            text=row["text"][:200],
            client_id=uuid.uuid4(),
            **author_fields(by),
            created_at=datetime.fromisoformat(row["at"]),
        )
        objection.save()
        if (answer := row.get("answer")) is not None:
            ObjectionAnswer(
                objection=objection,
                reason=answer.get("reason", "")[:200],
                withdrawn="reason" not in answer,
                **author_fields(by),
                created_at=datetime.fromisoformat(answer["at"]),
            ).save()


def _meant(sheets: Mapping[int, Sheet], row: Mapping[str, Any], code: str) -> Sheet:
    sheet = sheets.get(row["game"])
    if sheet is None or sheet.status == SheetStatus.WAITING:
        raise ScoringError(code)
    if row["player"] not in sheet.seats:
        raise ScoringError("unknown_player")
    return sheet


@transaction.atomic
def sign_off(
    *,
    table_id: int,
    by: Author,
    device: str = "",
    protest: str = "",
    by_director: bool = False,
    locked: Sequence[Sheet] = (),
) -> Table:
    """Sign off the table's results; after that only the director corrects.

    If ``by`` is a link, the others must have accepted before, as many as the host requires. On the
    Auditor's own device, if it keeps the score, this is also the Auditor's own word, and nobody
    else's; otherwise the Auditor is one of the others. With ``protest``, a reason, the director
    signs off despite an open call or objection. ``locked``: the table's sheets, if the caller has
    locked them and what the host locks.

    Raises ``LeaseTaken`` if another device than ``device`` keeps the score, and ``ScoringError``
    ``games_unfinished``, ``call_open``, ``objection_open``, ``needs_flip_flop``,
    ``only_director_signs`` or ``not_accepted``. Unless ``by_director`` (who may correct later),
    raises ``paper_unchecked`` while a game from paper has not been compared with it.
    """
    at_table = isinstance(by, Link)
    if not locked:
        host().lock(table_id)
    sheets = locked or locked_sheets(table_id)
    if any(s.status in {SheetStatus.WAITING, SheetStatus.RUNNING} for s in sheets):
        raise ScoringError("games_unfinished")
    unchecked = [] if by_director else unchecked_games(sheets)
    if unchecked:
        raise ScoringError("paper_unchecked", game=unchecked[0])
    table = sheets[0].table
    if table.signed_at is not None:
        return change_table(table)
    sheet = in_hand(sheets)
    if device and sheet is not None and sheet.lease_device not in {"", device}:
        raise LeaseTaken(holder=sheet.lease_author, since=sheet.lease_since)
    called = table.call_since is not None
    objected = bool(_UNANSWERED.rows(table.pk))
    if at_table or not protest.strip():
        if called:
            raise ScoringError("call_open")
        if objected:
            raise ScoringError("objection_open")
    if at_table:
        if heat_ranking(table=table, sheets=sheets).needs_flip_flop:
            raise ScoringError("needs_flip_flop")
        _check_words(table, sheets)
        auditor = signing_auditor(table, sheets)
        for each in sheets if auditor not in gone_from(table) else ():
            if each.status == SheetStatus.FINISHED and auditor in each.seats:
                _note([each], auditor, by, AcceptedBy.AUDITOR)
    kept = protest.strip()[:200] if called or objected else None
    return change_table(table, signed_at=timezone.now(), signed_by=author_text(by), protest=kept)


def _check_words(table: Table, sheets: Sequence[Sheet]) -> None:
    """Refuse a sign-off at the table while a required word is missing."""
    found = acceptance_of(table, sheets, names_of(table))
    if found.policy == Acceptance.DIRECTOR:
        raise ScoringError("only_director_signs")
    lacking = [word for game in found.games if game.lacks for word in game.missing]
    if lacking:
        names = dict.fromkeys(word.name for word in lacking)
        raise ScoringError("not_accepted", players=", ".join(names))
