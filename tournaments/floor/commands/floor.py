"""The director's actions on the floor: extra time, missing players, wrong seats."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext_lazy as _

from scoring import writing as scoring
from scoring.models import Sheet, Table

from ...core.clock import needed_clock
from ...core.errors import Conflict, Refused
from ...core.locks import lock_heat, lock_open_heat
from ...core.log import By, author, record
from ...core.permissions import DIRECT, JUDGE, RUN_FLOOR, needs
from ...core.times import TIMES, set_times, stored_times
from ...models import Heat, LogEntry, Registration
from ...models.enums import EntryStatus, HeatStatus, LogAction
from ...results.commands import forget_results, refresh_heat

MAX_MINUTES = 120


# --- time -------------------------------------------------------------------------------------


@transaction.atomic
@needs(JUDGE)
def grant_extra_time(
    *, heat: Heat, minutes: int, by: By, seen: int | None = None, reason: str = ""
) -> Heat:
    """Give an open heat more minutes, or with a negative number take some back.

    ``seen``: how many extra minutes the director saw. Refused with ``minutes_given`` if somebody
    has given or taken some since, with ``bad_minutes``, and with ``no_clock`` if the event has no
    time limit.
    """
    heat = lock_open_heat(heat)
    needed_clock(heat)
    before = heat.extra_minutes
    if seen is not None and seen != before:
        last = LogEntry.objects.filter(
            event=heat.event, action=LogAction.EXTRA_TIME, heat_number=heat.number
        ).first()
        raise Conflict(
            "minutes_given",
            _(
                "%(who)s changed the extra time of %(heat)s at %(time)s; now it is %(now)s "
                "minutes. Send it again to add these as well."
            ),
            who=(last and last.actor) or "–",
            time=time_format(timezone.localtime(last.at), "H:i") if last else "–",
            heat=heat,
            now=before,
        )
    after = before + minutes
    if minutes == 0 or not 0 <= after <= MAX_MINUTES:
        raise Refused(
            "bad_minutes",
            _("Extra time is between 0 and %(most)s minutes; now it is %(now)s."),
            most=MAX_MINUTES,
            now=before,
        )
    heat.extra_minutes = after
    heat.save(update_fields=["extra_minutes"])
    scoring.show_again(table_id=heat.table_id or 0)
    record(
        LogAction.EXTRA_TIME,
        heat,
        by,
        before={"minutes": before},
        after={"minutes": after},
        reason=reason,
    )
    return heat


@transaction.atomic
@needs(DIRECT)
def set_heat_times(*, heat: Heat, planned: Mapping[str, Any], by: By) -> Heat:
    """Set doors, start and end of play of an open heat; nothing planned clears them."""
    heat = lock_open_heat(heat)
    before = stored_times(heat)
    set_times(heat, planned)
    if (after := stored_times(heat)) != before:
        heat.save(update_fields=TIMES)
        record(LogAction.HEAT_TIMES, heat, by, before=before, after=after)
    return heat


# --- missing players --------------------------------------------------------------------------


@transaction.atomic
@needs(RUN_FLOOR)
def set_missing(
    *, heat: Heat, registration: Registration, missing: bool, by: By, reason: str = ""
) -> Heat:
    """Mark a player of an open heat as gone, or back.

    A player who is gone sits out the running game (score 0, out) and all later ones, so that the
    heat can be finished and closed. A player who is back plays from the next game on.
    """
    table, player_id = _table_of(heat, registration)
    if (player_id in table.absent) == missing:
        return heat
    player_ids = _with(table.absent, player_id, there=missing)
    scoring.set_absent(table_id=table.pk, player_ids=player_ids, by=author(by), reason=reason)
    record(
        LogAction.PLAYER_MISSING,
        heat,
        by,
        after={"player": registration.number, "missing": missing},
        reason=reason,
    )
    return heat


@transaction.atomic
@needs(RUN_FLOOR)
def set_away(
    *, heat: Heat, registration: Registration, away: bool, by: By, reason: str = ""
) -> Heat:
    """Mark a player of an open heat as called away, or back.

    A player who is away keeps the points and folds every deal, beginning with the current one. A
    player who is back plays from the first deal in which nothing has been entered.
    """
    table, player_id = _table_of(heat, registration)
    before = table.away or []
    if (player_id in before) == away:
        return heat
    player_ids = _with(before, player_id, there=away)
    scoring.set_away(table_id=table.pk, player_ids=player_ids, by=author(by))
    record(
        LogAction.PLAYER_MISSING,
        heat,
        by,
        after={"player": registration.number, "away": away},
        reason=reason,
    )
    return heat


def _table_of(heat: Heat, registration: Registration) -> tuple[Table, str]:
    """Return an open heat's table and the player's reference."""
    table = lock_open_heat(heat).table
    assert table is not None
    if registration.player_id not in table.players:
        raise Refused("not_at_table", _("%(name)s does not play here."), name=registration.person)
    return table, registration.player_id


def _with(player_ids: Sequence[str], player_id: str, *, there: bool) -> list[str]:
    others = [each for each in player_ids if each != player_id]
    return [*others, player_id] if there else others


# --- wrong seats ------------------------------------------------------------------------------


@dataclass(frozen=True)
class SeatedPlayer:
    """A player in a heat."""

    heat: Heat
    registration: Registration


@transaction.atomic
@needs(DIRECT)
def swap_seated_players(*, one: SeatedPlayer, other: SeatedPlayer, by: By, reason: str) -> None:
    """Swap two players who sat down at each other's tables; every line stays with its seat.

    Refused with ``missing_reason``, ``same_table``, ``heat_not_open`` and ``not_at_table``.
    """
    if not reason.strip():
        raise Refused("missing_reason", _("Say why."))
    if one.heat.pk == other.heat.pk:
        raise Refused("same_table", _("They already sit at the same table."))
    heats = {heat.pk: lock_open_heat(heat) for heat in (one.heat, other.heat)}
    entries = {}
    for player in (one, other):
        entry = (
            heats[player.heat.pk]
            .entries.filter(registration=player.registration, status=EntryStatus.SEATED)
            .first()
        )
        if entry is None:
            raise Refused(
                "not_at_table", _("%(name)s does not play here."), name=player.registration.person
            )
        entries[player.heat.pk] = entry
    for player, elsewhere in ((one, other), (other, one)):
        if heats[elsewhere.heat.pk].entries.filter(registration=player.registration).exists():
            # Somebody who was registered twice has seats at both.
            raise Refused("same_table", _("They already sit at the same table."))
    first, second = entries[one.heat.pk], entries[other.heat.pk]
    for pk in sorted(heats):
        scoring.locked_sheets(heats[pk].table_id or 0)
    # A heat may hold a player only once, so the results are deleted here and made again below.
    for heat in heats.values():
        forget_results(heat=heat)
    first.heat, second.heat = heats[other.heat.pk], heats[one.heat.pk]
    first.save(update_fields=["heat"])
    second.save(update_fields=["heat"])
    player_ids = {one.heat.pk: (one, other), other.heat.pk: (other, one)}
    for pk in sorted(heats):
        wrong, right = player_ids[pk]
        scoring.replace_players(
            table_id=heats[pk].table_id or 0,
            replaced={wrong.registration.player_id: right.registration.player_id},
            by=author(by),
            reason=reason,
        )
    for heat in heats.values():
        refresh_heat(heat=heat)
        record(
            LogAction.SWAPPED,
            heat,
            by,
            before={"player": player_ids[heat.pk][0].registration.number},
            after={"player": player_ids[heat.pk][1].registration.number},
            reason=reason,
        )


@transaction.atomic
@needs(DIRECT)
def reseat(
    *,
    heat: Heat,
    sheet: Sheet,
    seats: Sequence[str],
    follow: str,
    by: By,
    client_id: uuid.UUID,
    seen_version: int,
    reason: str,
) -> None:
    """Change the seats of a game's players without losing entries.

    With ``follow="player"`` the points move with the players; with ``"seat"`` they stay with the
    seats (the Auditor took one player for another).
    """
    heat = lock_open_heat(heat)
    if sheet.table_id != heat.table_id:
        raise Refused("wrong_sheet", _("This game belongs to another heat."))
    before = list(sheet.seats)
    scoring.reseat(
        sheet_id=sheet.pk,
        client_id=client_id,
        seen_version=seen_version,
        author=author(by),
        seats=list(seats),
        follow=follow,
        reason=reason,
    )
    record(
        LogAction.RESEATED,
        heat,
        by,
        before={"game": sheet.number, "seats": before},
        after={"seats": list(seats), "follow": follow},
        reason=reason,
    )


# --- results ----------------------------------------------------------------------------------


@transaction.atomic
@needs(DIRECT)
def review_heat(*, heat: Heat, by: By) -> Heat:
    """Note that a director has checked a closed heat's results."""
    heat = lock_heat(heat)
    if heat.status != HeatStatus.FINISHED:
        raise Refused("heat_not_closed", _("%(heat)s has not been closed yet."), heat=heat)
    if heat.reviewed_at is None:
        heat.reviewed_at = timezone.now()
        heat.save(update_fields=["reviewed_at"])
        record(LogAction.REVIEWED, heat, by)
    return heat
