"""Penalties: given step by step, each a ruling on a sheet, and taken back."""

import uuid
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext_lazy as _

from scoring import writing as scoring
from scoring.enums import RowKind, SheetStatus
from scoring.errors import ScoringError
from scoring.models import HeatPenalty, SheetEntry
from scoring.reading.records import counted_entries
from scoring.reasons import coded, with_words

from ...core.clock import clock_of
from ...core.errors import Conflict, Refused
from ...core.locks import lock_event, lock_heat, lock_open_heat, lock_registration
from ...core.log import By, author, record
from ...core.permissions import DIRECT, JUDGE, needs, require
from ...core.transitions import transition_registration
from ...events.commands.events import end_with_heats
from ...heats.commands import enter_ruling
from ...models import Heat, HeatGame, Penalty, Registration
from ...models.enums import (
    EntryStatus,
    HeatStatus,
    LogAction,
    Offence,
    PenaltyLevel,
    RegistrationStatus,
)
from ...models.fields import DENOMINATOR, as_number
from ...models.ladder import COUNTED
from ...registration.commands.check_in import leave_queue

#: The target: more than any player has to lose.
MAX_POINTS = 52
#: Points are shared in twelfths.
MIN_GAME_POINTS = Fraction(1, DENOMINATOR)
RULING_ACTIONS = {
    PenaltyLevel.POINTS: "points",
    PenaltyLevel.MISS_DEAL: "sit_out_deal",
    PenaltyLevel.MISS_NEXT_DEAL: "sit_out_next_deal",
    PenaltyLevel.MISS_GAME: "sit_out_game",
    PenaltyLevel.DISQUALIFIED: "disqualify",
}


@transaction.atomic
@needs(JUDGE)
def give_penalty(
    *,
    heat: Heat,
    registration: Registration,
    level: str,
    offence: str,
    by: By,
    client_id: uuid.UUID,
    seen_version: int,
    game_seen: int | None = None,
    points: Fraction | int = 0,
    reason: str = "",
    closed: bool = False,
    last_seen: int | None = None,
) -> Penalty:
    """Give a player of an open heat a penalty; on the game's sheet it is a ruling.

    Between two games it begins the next one (rulebook §9: its deal is the one now beginning).
    Game points are taken off the player's sum over the heat, whatever the game; with ``closed``
    also from a closed heat, where the caller handles who then advances.

    With the ``client_id`` of an existing penalty nothing happens and that one is returned. A
    disqualification is for the whole event: the player plays no further heat and gets no refund.
    Refused with ``client_id_reused`` (another player's), ``not_at_table``, ``bad_points``,
    ``no_running_game`` if the penalty needs a game and none is to come, ``game_over`` if the one
    with ``seen_version`` has ended or the next is not ``game_seen``, ``other_game`` if not that
    one is played, ``nothing_to_take`` for points between two games, ``penalty_given`` if the
    player has got one since ``last_seen``, and with whatever the ruling is refused with.
    """
    heat = lock_heat(heat) if closed else lock_open_heat(heat)
    known = _known(client_id, registration)
    if known is not None:
        return known
    if last_seen is not None:
        _check_last(registration, last_seen)
    here = EntryStatus.DONE if closed else EntryStatus.SEATED
    entry = heat.entries.filter(registration=registration, status=here).first()
    if entry is None:
        raise Refused("not_at_table", _("%(name)s does not play here."), name=registration.person)
    level, offence = PenaltyLevel(level), Offence(offence)
    if closed or level == PenaltyLevel.DISQUALIFIED:
        require(DIRECT, heat.event, by)
    if level in COUNTED:
        _check_points(level, points)
    game = _running_game(heat)
    if game is not None and game_seen not in {None, game.number}:
        raise Refused(
            "other_game",
            _("The table is playing game %(game)s now. Send this again to give it there."),
            game=game.number,
        )
    if level in {PenaltyLevel.WARNING, PenaltyLevel.GAME_POINTS}:
        game = game or heat.games.exclude(sheet__started_at=None).order_by("number").last()
    if level == PenaltyLevel.WARNING:
        # Shown on the table's pages, as no line of a sheet says it.
        scoring.show_again(table_id=heat.table_id or 0)
    elif level == PenaltyLevel.GAME_POINTS:
        _take_game_points(
            heat,
            registration,
            points,
            by=by,
            client_id=client_id,
            reason=with_words(coded(f"offence.{offence}"), reason[:150]),
        )
    else:
        if game is None:
            game = _begin_next_game(
                heat, level, by=by, over=bool(seen_version), game_seen=game_seen
            )
            seen_version = game.sheet.version
        ruling = {
            "kind": "ruling",
            "action": RULING_ACTIONS[level],
            "seat": game.sheet.seats.index(registration.player_id),
            "reason": coded(f"offence.{offence}"),
        }
        if reason:
            ruling["note"] = reason[:200]
        if level == PenaltyLevel.POINTS:
            ruling["points"] = -int(points)
        enter_ruling(
            heat=heat, ruling=ruling, by=by, client_id=client_id, seen_version=seen_version
        )
    return _given(
        Penalty(
            event=heat.event,
            registration=registration,
            game=game,
            level=level,
            offence=offence,
            points=points if level in COUNTED else 0,
            reason=reason[:200],
            client_id=client_id,
            given_by=by,
        ),
        heat,
    )


@transaction.atomic
@needs(DIRECT)
def disqualify(
    *,
    registration: Registration,
    offence: str,
    by: By,
    client_id: uuid.UUID,
    reason: str = "",
    last_seen: int | None = None,
) -> Penalty:
    """Put a player who sits at no table out of the whole event, and out of the queue.

    With the ``client_id`` of an existing penalty nothing happens and that one is returned. Refused
    with ``in_open_heat``, where it is a ruling on the sheet (:func:`give_penalty`), and with
    ``client_id_reused`` and ``penalty_given`` as there.
    """
    registration = lock_registration(registration, for_play=True)
    known = _known(client_id, registration)
    if known is not None:
        return known
    if last_seen is not None:
        _check_last(registration, last_seen)
    if registration.entries.seated().exists():
        raise Refused(
            "in_open_heat",
            _("%(name)s is playing. Give the penalty on the heat's page."),
            name=registration.person,
        )
    if registration.entries.waiting().exists():
        leave_queue(registration=registration, by=by, reason=reason)
    penalty = _given(
        Penalty(
            event=registration.event,
            registration=registration,
            level=PenaltyLevel.DISQUALIFIED,
            offence=Offence(offence),
            reason=reason[:200],
            client_id=client_id,
            given_by=by,
        )
    )
    end_with_heats(event=registration.event, by=by)
    return penalty


def _known(client_id: uuid.UUID, registration: Registration) -> Penalty | None:
    """Return the penalty that this device has sent before, if any."""
    known = Penalty.objects.filter(client_id=client_id).first()
    if known is not None and known.registration_id != registration.pk:
        raise ScoringError("client_id_reused")
    return known


def _given(penalty: Penalty, heat: Heat | None = None, *, reason: str = "") -> Penalty:
    penalty.save()
    if penalty.level == PenaltyLevel.DISQUALIFIED:
        registration = penalty.registration
        registration.refresh_from_db()
        transition_registration(registration, RegistrationStatus.DISQUALIFIED)
        registration.save(update_fields=["status"])
    record(
        LogAction.PENALTY,
        penalty,
        penalty.given_by,
        heat=heat,
        after={
            "level": penalty.level,
            "offence": penalty.offence,
            "points": as_number(penalty.points),
        },
        reason=reason or penalty.reason,
    )
    return penalty


def _check_last(registration: Registration, seen: int) -> None:
    row = (
        registration.penalties.in_force()
        .filter(pk__gt=seen)
        .select_related("given_by")
        .order_by("pk")
        .last()
    )
    if row is not None:
        raise Conflict(
            "penalty_given",
            _(
                "%(who)s gave %(name)s a penalty at %(time)s: %(penalty)s. Send this one again "
                "to give it as well."
            ),
            who=row.given_by or "–",
            name=registration.person,
            time=time_format(timezone.localtime(row.given_at), "H:i"),
            penalty=row.text,
        )


def _check_points(level: PenaltyLevel, points: Fraction | int) -> None:
    least = MIN_GAME_POINTS if level == PenaltyLevel.GAME_POINTS else 1
    if not least <= points <= MAX_POINTS or (points / least) % 1:
        raise Refused(
            "bad_points",
            _("Take off at most 52 points: whole ones on the sheet, game points in twelfths."),
        )


def _take_game_points(
    heat: Heat,
    registration: Registration,
    points: Fraction | int,
    *,
    by: By,
    client_id: uuid.UUID,
    reason: str,
) -> None:
    scoring.give_heat_penalty(
        table_id=heat.table_id or 0,
        player_id=registration.player_id,
        game_points=points,
        reason=reason,
        by=author(by),
        client_id=client_id,
    )


def _running_game(heat: Heat) -> HeatGame | None:
    return (
        heat.games.select_related("sheet__table").filter(sheet__status=SheetStatus.RUNNING).first()
    )


def _begin_next_game(
    heat: Heat, level: PenaltyLevel, *, by: By, over: bool, game_seen: int | None
) -> HeatGame:
    """Begin the game in which a penalty given between two games counts, or refuse."""
    games = heat.games.filter(sheet__status=SheetStatus.WAITING)
    game = games.select_related("sheet__table").order_by("number").first()
    clock = clock_of(heat, heat.event)
    if game is None or (clock is not None and clock.state == "over"):
        raise Refused(
            "no_running_game",
            _(
                "No further game of %(heat)s is begun. Take game points, or disqualify once the "
                "heat is closed."
            ),
            heat=heat,
        )
    if level == PenaltyLevel.POINTS:
        raise Refused(
            "nothing_to_take",
            _(
                "Game %(game)s begins at 0, so there are no points to take yet. Give this penalty "
                "while it is played, or choose another."
            ),
            game=game.number,
        )
    if over or game_seen not in {None, game.number}:
        raise Refused(
            "game_over",
            _("The game has ended meanwhile. Send this again to begin game %(game)s with it."),
            game=game.number,
        )
    # Refused if the table has begun it meanwhile: it may have lines that nobody has seen here.
    game.sheet = scoring.open_next_sheet(table_id=heat.table_id or 0, by=author(by))
    return game


@transaction.atomic
@needs(DIRECT)
def take_back_penalty(*, penalty: Penalty, by: By, reason: str, closed: bool = False) -> Penalty:
    """Take a penalty back while the heat is open or void, and void an open sheet's ruling.

    ``closed``: also game points in a closed heat. Refused with ``missing_reason``, with
    ``taken_back`` the second time, and if later entries would be impossible without the ruling.
    """
    if not reason.strip():
        raise Refused("missing_reason", _("Say why."))
    lock_event(penalty.event)
    penalty = Penalty.objects.select_related("registration__person", "game__heat").get(
        pk=penalty.pk
    )
    if penalty.taken_back_at is not None:
        raise Refused("taken_back", _("This penalty has already been taken back."))
    if penalty.game is None or penalty.game.heat.status == HeatStatus.VOID:
        # Of a void heat nothing counts, so its rows stay as they are.
        return _undo(penalty, by=by, reason=reason)
    row = SheetEntry.objects.filter(client_id=penalty.client_id).select_related("sheet").first()
    if row is not None:
        lock_open_heat(penalty.game.heat)
        scoring.correct_entry(
            kind=RowKind.VOID,
            sheet_id=row.sheet_id,
            client_id=uuid.uuid4(),
            seen_version=row.sheet.version,
            sequence=row.sequence,
            author=author(by),
            reason=reason,
            by_director=True,
        )
    taken = HeatPenalty.objects.filter(client_id=penalty.client_id).first()
    if taken is not None:
        if not closed:
            lock_open_heat(penalty.game.heat)
        scoring.take_back_heat_penalty(
            penalty=taken, reason=reason, by=author(by), client_id=uuid.uuid4()
        )
    if penalty.level == PenaltyLevel.WARNING:
        scoring.show_again(table_id=penalty.game.heat.table_id or 0)
    return _undo(penalty, by=by, reason=reason)


def _undo(penalty: Penalty, *, by: By, reason: str) -> Penalty:
    penalty.taken_back_at = timezone.now()
    penalty.save(update_fields=["taken_back_at"])
    if penalty.level == PenaltyLevel.DISQUALIFIED:
        transition_registration(penalty.registration, RegistrationStatus.CHECKED_IN)
        penalty.registration.checked_in_at = penalty.registration.checked_in_at or timezone.now()
        penalty.registration.save(update_fields=["status", "checked_in_at"])
    record(
        LogAction.PENALTY_TAKEN_BACK,
        penalty,
        by,
        heat=penalty.game.heat if penalty.game else None,
        before={"level": penalty.level, "points": as_number(penalty.points)},
        reason=reason,
    )
    return penalty


@transaction.atomic
def sync_penalties_with_rulings(
    *, heat: Heat, by: By, reason: str, again: Mapping[uuid.UUID, uuid.UUID] | None = None
) -> None:
    """Adjust a heat's penalties after a correction of their rulings.

    A penalty whose ruling is void or a different one counts as taken back; corrected points are
    copied. It counts again with its ruling: ``again`` maps the ids of struck lines to those of the
    rows that write them again.
    """
    penalties = list(
        Penalty.objects.filter(game__heat=heat, level__in=RULING_ACTIONS).select_related(
            "registration__person", "game__heat", "game__sheet", "event"
        )
    )
    if not penalties:
        return
    for penalty in penalties:
        if again and penalty.client_id in again:
            penalty.client_id = again[penalty.client_id]
            penalty.save(update_fields=["client_id"])
    rulings = counted_entries([each.client_id for each in penalties])
    for penalty in penalties:
        ruling = rulings.get(penalty.client_id)
        stands = ruling is not None and _is_its_ruling(penalty, ruling)
        if stands != (penalty.taken_back_at is None):
            change = _again if stands else _undo
            change(penalty, by=by, reason=reason)
        if stands and penalty.level == PenaltyLevel.POINTS and ruling is not None:
            points = Fraction(-ruling["points"])
            if penalty.points != points:
                penalty.points = points
                penalty.save(update_fields=["points"])


def _is_its_ruling(penalty: Penalty, ruling: Mapping[str, Any]) -> bool:
    assert penalty.game is not None
    level = PenaltyLevel(penalty.level)
    return (
        ruling.get("action") == RULING_ACTIONS[level]
        and ruling.get("seat") == penalty.game.sheet.seats.index(penalty.registration.player_id)
        and (level != PenaltyLevel.POINTS or ruling["points"] < 0)
    )


def _again(penalty: Penalty, *, by: By, reason: str) -> None:
    """Let a penalty count again whose ruling counts again."""
    penalty.taken_back_at = None
    penalty.given_by = by or penalty.given_by
    _given(penalty, penalty.game.heat if penalty.game else None, reason=reason)
