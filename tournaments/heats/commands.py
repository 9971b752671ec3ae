"""The director's actions on a heat: Auditor, link, rulings, Flip Flop, closing, voiding."""

import secrets
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine.draws.draw import TABLE_MIN
from scoring import writing as scoring
from scoring.enums import LinkRole, SheetStatus
from scoring.errors import ScoringError
from scoring.models import AskedOften, Blank, Link, Sheet, Table
from scoring.reading.names import names_of
from scoring.reading.ranking import draw_lots, heat_ranking

from ..core.errors import Refused
from ..core.limits import count
from ..core.locks import lock_heat, lock_open_heat
from ..core.log import By, author, record
from ..core.permissions import DIRECT, JUDGE, RUN_FLOOR, needs, require
from ..core.transitions import transition_entry, transition_heat
from ..draws.commands.opening import open_heat
from ..models import Heat, HeatEntry, Qualification, Registration
from ..models.enums import GONE, EntryStatus, HeatStatus, LogAction, StageKind
from ..models.heat import new_code
from ..playoffs.commands import finish_final
from ..results.commands import mark_advancing, refresh_heat, write_results
from ..results.queries.from_sheets import entries_in, games_of
from .queries.auditor import (
    can_be_auditor,
    device_key,
    has_auditor,
    named_by_page,
    named_by_staff,
)
from .queries.closing import checked_stand_ins
from .queries.codes import LET_IN, Phone, code_limits, refuse_more_codes
from .queries.links import current_link, heat_of_player, scoring_path

_QUALIFIED = AskedOften(
    lambda: (
        Qualification.objects.valid()
        .filter(event=Blank())
        .values_list("registration__number", flat=True)
    )
)
_PLAYERS = AskedOften(
    lambda: Registration.objects.filter(event=Blank(), number__in=Blank(1, several=True))
)
_LAST_QUALIFIED = AskedOften(
    lambda: (
        Qualification.objects.filter(event=Blank())
        .order_by("-order")
        .values_list("order", flat=True)[:1]
    )
)

#: Shown to a director who closes a heat with an open call or objection.
CONTESTED = _(
    "A call or an objection is open: answer it first, or say why you are closing the heat."
)


def _table(heat: Heat) -> Table:
    if heat.table is None:
        raise Refused("no_table", _("%(heat)s has no score sheets yet."), heat=heat)
    return heat.table


@transaction.atomic
@needs(RUN_FLOOR)
def set_auditor(*, heat: Heat, registration: Registration | None, by: By) -> Heat:
    """Name one of the players as the heat's Auditor, or nobody.

    An Auditor named by an account cannot be replaced from a player's own page; so an account may
    name the current Auditor again.
    """
    heat = lock_open_heat(heat)
    table = _table(heat)
    player_id = registration.player_id if registration else ""
    before = table.auditor
    if player_id == before and (not player_id or by is None or named_by_staff(heat)):
        return heat
    heat.table = scoring.set_auditor(table_id=table.pk, player_id=player_id)
    record(
        LogAction.AUDITOR_SET,
        heat,
        by,
        before={"auditor": before},
        after={"auditor": player_id},
    )
    return heat


@transaction.atomic
@needs(RUN_FLOOR)
def set_table_number(*, heat: Heat, table_number: int, by: By) -> Heat:
    """Move a heat to another table; refused with ``table_taken``."""
    heat = lock_open_heat(heat)
    if heat.table_number == table_number:
        return heat
    others = Heat.objects.filter(
        event=heat.event, status=HeatStatus.OPEN, table_number=table_number
    )
    other = others.first()
    if other is not None:
        raise Refused(
            "table_taken",
            _("%(heat)s is at table %(table)s."),
            heat=other,
            table=table_number,
        )
    before = heat.table_number
    heat.table_number = table_number
    heat.save(update_fields=["table_number"])
    record(LogAction.TABLE_SET, heat, by, before={"table": before}, after={"table": table_number})
    return heat


@transaction.atomic
@needs(RUN_FLOOR)
def let_phones_in(*, heat: Heat, by: By) -> Heat:
    """Give each phone at the table tries of its own for ten minutes, whatever strangers tried."""
    heat = lock_open_heat(heat)
    count(LET_IN, str(heat.pk))
    record(LogAction.CODES_LET_IN, heat, by)
    return heat


def keep_score_by_code(*, heat: Heat, code: str, phone: Phone) -> str:
    """Return the scoring page's path for a phone at the table that has the code.

    Nobody knows whose phone it is, so an Auditor named by a player's own page no longer is one.
    Each code works once; the next phone needs a new one, which the floor sees. Refused with
    ``wrong_code``, and with ``too_many_codes`` after too many of them (see :func:`code_limits`).
    """
    refuse_more_codes(heat, phone)
    with transaction.atomic():
        heat = lock_open_heat(heat)
        # Again: many tries sent at once have waited for each other at the lock.
        refuse_more_codes(heat, phone)
        if secrets.compare_digest(code.strip().encode(), heat.code.encode()):
            count("table_code_right", f"{heat.event_id} {phone.address}")
            heat.code = new_code()
            heat.save(update_fields=["code"])
            make_link(heat=heat, by=None)
            record(LogAction.CODE_USED, heat, None, after={"device": device_key(phone.device)})
            if named_by_page(heat) and _table(heat).signed_at is None:
                set_auditor(heat=heat, registration=None, by=None)
            return scoring_path(heat)
        for what, whom, _most in code_limits(heat, phone):
            count(what, whom)
    raise Refused("wrong_code", _("This is not the code of this table. The floor knows it."))


@transaction.atomic
def keep_score_as_player(*, registration: Registration, device: str) -> str:
    """Return the scoring page's path for a player of an open heat, who is now its Auditor.

    Not if the staff has named one who is still there, nor once the table has signed off. Refused
    with ``not_at_table``.
    """
    heat = lock_open_heat(heat_of_player(registration))
    make_link(heat=heat, by=None)
    after = {"player": registration.number, "device": device_key(device)}
    record(LogAction.SCORE_TAKEN, heat, None, after=after)
    table = _table(heat)
    named = named_by_staff(heat) and has_auditor(heat)
    if not named and table.signed_at is None and can_be_auditor(table, registration):
        set_auditor(heat=heat, registration=registration, by=None)
    return scoring_path(heat)


@transaction.atomic
@needs(RUN_FLOOR)
def make_link(*, heat: Heat, by: By) -> Link:
    """Return the heat's scoring link, creating one if needed."""
    heat = lock_open_heat(heat)
    link = current_link(heat)
    if link is None:
        link = scoring.create_link(table_id=_table(heat).pk, role=LinkRole.AUDITOR, by=author(by))
        _log_link(heat, LogAction.LINK_MADE, by)
    return link


@transaction.atomic
@needs(RUN_FLOOR)
def revoke_link(*, heat: Heat, by: By, reason: str = "") -> None:
    """Revoke the heat's scoring links."""
    heat = lock_heat(heat)
    while (link := current_link(heat)) is not None:
        scoring.revoke_link(link_id=link.pk, by=author(by))
        _log_link(heat, LogAction.LINK_REVOKED, by, reason)


@transaction.atomic
@needs(RUN_FLOOR)
def replace_link(*, heat: Heat, by: By) -> Link:
    """Revoke the heat's scoring link and make a new one."""
    revoke_link(heat=heat, by=by)
    return make_link(heat=heat, by=by)


def _log_link(heat: Heat, action: LogAction, by: By, reason: str = "") -> None:
    record(action, heat, by, reason=reason)


@needs(JUDGE)
def enter_ruling(
    *,
    heat: Heat,
    ruling: Mapping[str, Any],
    by: By,
    client_id: uuid.UUID,
    seen_version: int,
    game: int | None = None,
) -> None:
    """Write a director's ruling on the running sheet.

    ``ruling`` is an entry of the engine (game-record.md). Refused with the engine's or scoring's
    message, with ``no_running_game``, or with ``other_game`` if it is not this ``game``. A judge
    disqualifies nobody.
    """
    if ruling.get("action") == "disqualify":
        require(DIRECT, heat.event, by)
    with transaction.atomic():
        heat = lock_open_heat(heat)
        sheet = Sheet.objects.filter(table=heat.table_id, status=SheetStatus.RUNNING).first()
        if sheet is None:
            raise Refused("no_running_game", _("No game of %(heat)s is running."), heat=heat)
        if game not in {None, sheet.number}:
            raise Refused(
                "other_game",
                _("The table is playing game %(game)s now. Say again whom the ruling is for."),
                game=sheet.number,
            )
        names = _names(heat, sheet)
        try:
            scoring.write_entry(
                sheet_id=sheet.pk,
                client_id=client_id,
                seen_version=seen_version,
                entry=dict(ruling),
                author=author(by),
                confirmed=True,
            )
        except ScoringError as error:
            raise Refused(error.code, error.message(names=names)) from error
        seat = ruling.get("seat")
        record(
            LogAction.RULING,
            heat,
            by,
            after={
                "game": sheet.number,
                "ruling": dict(ruling),
                "player": sheet.seats[seat] if isinstance(seat, int) else None,
            },
            reason=str(ruling.get("reason", "")),
        )


def _names(heat: Heat, sheet: Sheet) -> list[str]:
    names = names_of(_table(heat))
    return [names[player_id] for player_id in sheet.seats]


@transaction.atomic
@needs(RUN_FLOOR)
def clear_call(*, heat: Heat, by: By, reason: str | None = None, seen: str | None = None) -> None:
    """Note that the director has been at the table, or has answered this ``reason`` of a call.

    ``seen`` is the mark of the call that the page showed; refused with ``called_again`` if the
    table has called since.
    """
    heat = lock_heat(heat)
    table = _table(heat)
    if table.call_since is None:
        return
    if seen is not None and seen != table.call_mark:
        raise Refused("called_again", _("They have called again since. Look at what it is now."))
    scoring.clear_call(table_id=table.pk, reason=reason)
    record(
        LogAction.CALL_ANSWERED,
        heat,
        by,
        before={
            "since": table.call_since,
            "reason": table.call_reason if reason is None else reason,
        },
    )


@transaction.atomic
@needs(RUN_FLOOR)
def answer_objection(*, heat: Heat, objection_id: int, reason: str, by: By) -> None:
    """Answer a player's objection with a reason; this is final.

    Raises ``ScoringError``: ``missing_reason``, ``no_such_objection`` or ``answered``.
    """
    heat = lock_heat(heat)
    row = scoring.answer_objection(
        table_id=_table(heat).pk, objection_id=objection_id, reason=reason, by=author(by)
    )
    about = {"game": row.sheet.number, "deal": row.deal, "player": row.player}
    record(LogAction.OBJECTION_ANSWERED, heat, by, before=about, reason=reason)


@transaction.atomic
@needs(DIRECT)
def record_flip_flop(
    *, heat: Heat, order: Sequence[str], by: By, lots: bool = False, seed: str | None = None
) -> None:
    """Record a Flip Flop: the tied players' references, best first.

    With ``lots`` the program draws the order instead, a house rule; ``seed`` is that of lots drawn
    earlier (for imports). Refused with ``no_tie`` if none is needed, perhaps because it has been
    recorded.
    """
    heat = lock_open_heat(heat)
    if not refresh_heat(heat=heat).needs_flip_flop:
        raise Refused("no_tie", _("No tie of %(heat)s needs a Flip Flop."), heat=heat)
    # Logged first, because with the Flip Flop a heat whose table has signed off closes.
    if lots:
        seed, order = draw_lots(order)
    drawn = {"seed": seed} if seed else {}
    record(LogAction.FLIP_FLOP, heat, by, after={"order": list(order), **drawn})
    scoring.record_flip_flop(
        table_id=_table(heat).pk, order=order, by=author(by), by_director=True, seed=seed
    )


@transaction.atomic
@needs(DIRECT)
def close_heat(
    *,
    heat: Heat,
    by: By,
    reason: str = "",
    went_on: Sequence[str] | None = None,
    instead: Sequence[str] | None = None,
    protest: str = "",
) -> list[Qualification]:
    """Close a heat whose games are all finished; return the new qualifications, best first.

    There are none in a play-off round. ``went_on``: who advanced, if a director let tables that had
    begun play on against the sheets (for imports). ``instead``, with a reason: who advances for a
    player whom a correction has qualified from another heat; empty for nobody. ``protest``: why it
    is closed in spite of an open call or objection (otherwise refused with ``call_open`` or
    ``objection_open``).

    Also refused with ``games_unfinished``, ``needs_flip_flop`` if a tie still decides who advances,
    ``through_already`` without the ``instead`` needed, and ``paper_unchecked`` if a second person
    has not compared a game with its paper.
    """
    heat = lock_open_heat(heat)
    sheets = scoring.locked_sheets(_table(heat).pk)
    ranking = heat_ranking(table=_table(heat), sheets=sheets)
    to_go = sum(each.status in {SheetStatus.WAITING, SheetStatus.RUNNING} for each in sheets)
    if to_go:
        raise Refused(
            "games_unfinished",
            _("Not all games of %(heat)s are finished: %(count)s to go."),
            heat=heat,
            count=to_go,
        )
    if ranking.needs_flip_flop:
        raise Refused(
            "needs_flip_flop",
            _("There is a tie. Record the Flip Flop of %(heat)s first."),
            heat=heat,
        )
    qualifying = heat.stage.kind == StageKind.QUALIFYING
    advances = list(ranking.advances)
    if went_on is not None:
        advances = list(went_on)
    elif qualifying:
        advances += checked_stand_ins(heat, advances, instead, reason)
    now = timezone.now()
    transition_heat(heat, HeatStatus.FINISHED)
    heat.finished_at = now
    heat.save(update_fields=["status", "finished_at"])
    entries = entries_in(heat)
    for entry in entries:
        transition_entry(entry, EntryStatus.DONE)
        entry.ended_at = now
    HeatEntry.objects.bulk_update(entries, ["status", "ended_at"])
    write_results(heat=heat, games=games_of(heat, sheets), entries=entries, ranking=ranking)
    if advances != list(ranking.advances):
        mark_advancing(heat=heat, player_ids=advances)
    if _table(heat).signed_at is None:
        # From here on only the director corrects; the Auditor's page stays readable. An imported
        # sign-off stays as it is.
        try:
            scoring.sign_off(
                table_id=_table(heat).pk,
                by=author(by),
                by_director=by is None,
                protest=protest,
                locked=sheets,
            )
        except ScoringError as error:
            if error.code in {"call_open", "objection_open"}:
                raise Refused(error.code, CONTESTED) from error
            raise
    record(
        LogAction.HEAT_CLOSED,
        heat,
        by,
        after={
            "ranking": [row.as_json() for row in ranking.rows],
            "advances": advances,
        },
        reason=reason or protest,
    )
    if not qualifying:
        finish_final(stage=heat.stage, by=by)
        return []
    return qualify_best(heat=heat, player_ids=advances, by=by)


@transaction.atomic
def close_signed(*, heat: Heat) -> None:
    """Close a heat whose table has signed off, unless the event's director closes all heats.

    It stays open for the director if a tie is not played off, or if its winner has already
    qualified from another heat.
    """
    if _table(heat).signed_at is None or heat.event.results_need_director:
        return
    try:
        close_heat(heat=heat, by=None)
    except Refused as refused:
        if refused.code not in {"needs_flip_flop", "through_already"}:
            raise


@transaction.atomic
def qualify_best(*, heat: Heat, player_ids: Sequence[str], by: By) -> list[Qualification]:
    """Qualify these players of a heat; the caller holds the event's lock.

    Those already qualified (by a correction during this heat) stay so from the earlier heat.
    """
    qualified = set(_QUALIFIED.rows(heat.event_id))
    numbers = [int(player_id) for player_id in player_ids if int(player_id) not in qualified]
    found = {row.number: row for row in _PLAYERS.rows(heat.event_id, numbers)}
    return [qualify(registration=found[number], heat=heat, by=by) for number in numbers]


@transaction.atomic
def qualify(
    *,
    registration: Registration,
    heat: Heat,
    by: By,
) -> Qualification:
    """Qualify a player, next in order; the caller holds the event's lock."""
    event = heat.event
    last = max(_LAST_QUALIFIED.rows(event.pk), default=0)
    row = Qualification.objects.create(
        event=event,
        registration=registration,
        stage=heat.stage,
        heat=heat,
        order=last + 1,
        qualified_by=by,
    )
    record(LogAction.QUALIFIED, row, by, heat=heat, after={"order": row.order})
    return row


@transaction.atomic
@needs(DIRECT)
def void_heat(*, heat: Heat, by: By, reason: str) -> list[HeatEntry]:
    """Void an open heat: it does not count, and its players wait again where they stood.

    Returns their new entries; the sheets stay readable. In a play-off round the same players begin
    a new heat at once, with new seats. Disqualified players do neither, nor does somebody with a
    seat at another table. Refused with
    ``missing_reason``, with ``heat_finished`` for a closed heat, whose winner may be playing on,
    and with ``too_few_left`` if fewer than three could begin the new heat.
    """
    if not reason.strip():
        raise Refused("missing_reason", _("Say why the heat is voided."))
    heat = lock_heat(heat)
    if heat.status == HeatStatus.FINISHED:
        raise Refused(
            "heat_finished",
            _("%(heat)s is closed. Correct its sheets instead of voiding it."),
            heat=heat,
        )
    again = dissolve_heat(heat=heat, by=by, reason=reason)
    if heat.stage.kind != StageKind.QUALIFYING:
        if len(again) < TABLE_MIN:
            raise Refused(
                "too_few_left",
                _("%(heat)s cannot begin again: only %(count)s can play. Let them play it out."),
                heat=heat,
                count=len(again),
            )
        open_heat(
            event=heat.event,
            stage=heat.stage,
            entries=again,
            seed=heat.draw.seed if heat.draw else heat.seed,
            method=heat.method,
            draw=heat.draw,
            table_number=heat.table_number,
            by=by,
        )
    return again


@transaction.atomic
def dissolve_heat(*, heat: Heat, by: By, reason: str, requeue: bool = True) -> list[HeatEntry]:
    """Void a heat; with ``requeue`` its players wait again, except those out of the event.

    The caller holds the locks.
    """
    transition_heat(heat, HeatStatus.VOID)
    now = timezone.now()
    if heat.table_id is not None:
        revoke_link(heat=heat, by=by, reason=reason)
        for sheet in scoring.locked_sheets(heat.table_id):
            scoring.void_sheet(sheet_id=sheet.pk, reason=reason)
    heat.finished_at = now
    heat.save(update_fields=["status", "finished_at"])
    again = []
    for entry in heat.entries.select_related("registration__event").order_by("pk"):
        transition_entry(entry, EntryStatus.VOID)
        entry.ended_at = now
        entry.save(update_fields=["status", "ended_at"])
        if not requeue or entry.registration.status in GONE:
            continue
        if entry.registration.entries.open().exists():
            # Somebody who was registered twice sits at another table.
            continue
        again.append(
            HeatEntry.objects.create(
                registration=entry.registration,
                stage=entry.stage,
                number=entry.number,
                replaces=entry,
                entered_at=entry.entered_at,
            )
        )
    if heat.table_id is not None:
        refresh_heat(heat=heat)
    record(
        LogAction.HEAT_VOIDED,
        heat,
        by,
        before={"players": [entry.registration.number for entry in again]},
        reason=reason,
    )
    return again
