"""Play-off rounds: prepared from those who advanced, completed by rule, drawn and published.

A round is a stage with its players. It is prepared when the stage before is over; no-shows are
marked and replaced, and lucky losers taken in. Then a draft is drawn or put in snake order
(:mod:`tournaments.draws.commands.drafts`), and published.
"""

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from engine.ranking.overall import Result, lucky_losers

from ..core.errors import Refused
from ..core.locks import lock_event, lock_planned_round
from ..core.log import By, record
from ..core.permissions import DIRECT, needs
from ..core.transitions import transition_draw, transition_stage
from ..draws.queries.plan import missing_players, present
from ..models import Event, Registration, Stage, StagePlayer
from ..models.enums import (
    DrawStatus,
    LogAction,
    NoShowRule,
    StageKind,
    StagePlayerSource,
    StageStatus,
)
from ..results.queries.ranking import finished_rows
from .queries.rounds import (
    basis_of,
    free_results,
    lot_seed,
    next_ones,
    next_round,
    rounds_after,
    source_stages,
)


@transaction.atomic
@needs(DIRECT)
def prepare_round(*, event: Event, by: By) -> Stage:
    """Create the next play-off round from those who advanced, and finish the stage before.

    Takes in lucky losers if needed. Refused with ``round_not_ready`` and the reasons, or with
    ``no_next_round`` after the final.
    """
    event = lock_event(event, for_play=True)
    coming = next_round(event)
    if coming is None:
        raise Refused("no_next_round", _("There is no further round: the final has been drawn."))
    if coming.blockers:
        raise Refused("round_not_ready", " ".join(coming.blockers))
    previous = coming.previous
    if previous.status == StageStatus.OPEN:
        _finish(previous, by)
    stage = Stage.objects.create(
        event=event,
        kind=StageKind.FINAL if coming.is_final else StageKind.PLAYOFF,
        number=previous.number + 1,
        round=previous.round + 1
        if previous.kind == StageKind.PLAYOFF and not coming.is_final
        else 1,
        advance=coming.advance,
        games=(coming.is_final and event.final_games) or event.playoff_games,
    )
    source = (
        StagePlayerSource.QUALIFIED
        if previous.kind == StageKind.QUALIFYING
        else StagePlayerSource.ADVANCED
    )
    for order, candidate in enumerate(coming.candidates, start=1):
        StagePlayer.objects.create(
            stage=stage,
            registration=candidate.registration,
            source=source,
            order=order,
            basis=basis_of(candidate.result),
        )
    record(
        LogAction.ROUND_PREPARED,
        stage,
        by,
        after=stage.as_json() | {"players": [c.registration.number for c in coming.candidates]},
    )
    fill_up(stage=stage, by=by)
    stage.refresh_from_db(fields=["rounds_left"])
    return stage


def _finish(stage: Stage, by: By) -> None:
    before = stage.as_json()
    transition_stage(stage, StageStatus.FINISHED)
    stage.save(update_fields=["status"])
    record(LogAction.STAGE_STATUS, stage, by, before=before, after=stage.as_json())


def _take_in(
    stage: Stage,
    result: Result,
    source: StagePlayerSource,
    by: By,
    replaces: StagePlayer | None = None,
    reason: str = "",
    by_hand: bool = False,
) -> StagePlayer:
    last = stage.players.aggregate(last=Max("order"))["last"] or 0
    row = StagePlayer.objects.create(
        stage=stage,
        registration=stage.event.registrations.get(number=int(result.player)),
        source=source,
        order=last + 1,
        replaces=replaces,
        basis=basis_of(result) | ({"by_hand": reason} if by_hand else {}),
    )
    record(
        LogAction.REPLACED if replaces else LogAction.LUCKY_LOSER,
        row,
        by,
        before={"player": replaces.registration.number} if replaces else None,
        after={"player": row.registration.number} | row.basis,
        reason=reason,
    )
    return row


@transaction.atomic
def fill_up(*, stage: Stage, by: By) -> list[StagePlayer]:
    """Take in as many lucky losers as needed (rulebook §6).

    Refused with ``no_lucky_loser`` if nobody is left to take in.
    """
    stage = lock_planned_round(stage)
    added: list[StagePlayer] = []
    while missing_players(len(present(stage))):
        best = next_ones(stage, 1)
        if not best:
            raise _nobody_left()
        added.append(_take_in(stage, best[0], StagePlayerSource.LUCKY_LOSER, by))
    _name_round(stage)
    return added


def _name_round(stage: Stage) -> None:
    """Store how many rounds follow a planned one, which gives it its title."""
    stage.rounds_left = rounds_after(stage, len(present(stage)))
    stage.save(update_fields=["rounds_left"])


def _no_show(player: StagePlayer) -> Refused:
    text = _("%(name)s is marked as a no-show.")
    return Refused("absent", text, name=player.registration.person)


@transaction.atomic
@needs(DIRECT)
def mark_absent(*, player: StagePlayer, by: By, reason: str = "") -> StagePlayer | None:
    """Mark a no-show and replace the player by the event's rule; return the replacement.

    Refused with ``round_drawn`` once the round is drawn.
    """
    stage = lock_planned_round(player.stage)
    player = stage.players.select_related("registration").get(pk=player.pk)
    if player.absent:
        raise _no_show(player)
    player.absent, player.here = True, False
    player.save(update_fields=["absent", "here"])
    record(LogAction.NO_SHOW, player, by, reason=reason)
    instead = _replacement(stage, player, by)
    fill_up(stage=stage, by=by)
    return instead


def _replacement(stage: Stage, player: StagePlayer, by: By) -> StagePlayer | None:
    rule = stage.event.no_show_rule
    if rule == NoShowRule.NOBODY:
        return None
    results, taken = free_results(stage)
    if rule == NoShowRule.NEXT_OF_HEAT:
        rows = finished_rows(stage.event, source_stages(stage))
        by_player_id = {each.player: each for each in results}
        heats = [
            row.heat_id
            for row in rows
            if row.registration_id == player.registration_id and row.advances
        ]
        following = [row.player_id for row in rows if row.heat_id in heats and not row.disqualified]
        for player_id in following:
            if player_id not in taken and player_id in by_player_id:
                return _take_in(
                    stage, by_player_id[player_id], StagePlayerSource.REPLACEMENT, by, player
                )
    best = lucky_losers(results, taken, 1, lot_seed(stage))
    if not best:
        return None
    return _take_in(stage, best[0], StagePlayerSource.REPLACEMENT, by, player)


@transaction.atomic
@needs(DIRECT)
def mark_present(*, player: StagePlayer, by: By, reason: str = "") -> StagePlayer:
    """Undo a no-show, unless somebody else already has; the replacement leaves the round again."""
    stage = lock_planned_round(player.stage)
    player = stage.players.select_related("registration").get(pk=player.pk)
    if not player.absent:
        return player
    instead = stage.players.filter(replaces=player).first()
    if instead is not None:
        if instead.absent:
            raise Refused(
                "replacement_absent",
                _("Mark the replacement as here first, then %(name)s."),
                name=player.registration.person,
            )
        instead.delete()
    player.absent, player.here = False, True
    player.save(update_fields=["absent", "here"])
    record(LogAction.SHOWED_UP, player, by, reason=reason)
    # Lucky losers who are no longer needed leave again, the last one first; whom the director took
    # in was a decision and stays.
    lucky = stage.players.filter(source=StagePlayerSource.LUCKY_LOSER)
    for extra in lucky.exclude(basis__has_key="by_hand").order_by("-order"):
        others = [each for each in present(stage) if each.pk != extra.registration_id]
        if missing_players(len(others)):
            break
        extra.delete()
    fill_up(stage=stage, by=by)
    return player


@transaction.atomic
def check_in_to_round(*, player: StagePlayer, here: bool, by: By) -> StagePlayer:
    """Mark a player of a planned round as present, or undo it; a no-show is refused."""
    stage = lock_planned_round(player.stage)
    player = stage.players.select_related("registration").get(pk=player.pk)
    if player.absent:
        raise _no_show(player)
    if player.here == here:
        return player
    player.here = here
    player.save(update_fields=["here"])
    record(LogAction.SHOWED_UP if here else LogAction.CHECK_IN_UNDONE, player, by)
    return player


@transaction.atomic
@needs(DIRECT)
def take_in_by_hand(
    *, stage: Stage, registration: Registration, by: By, reason: str
) -> StagePlayer:
    """Take in somebody whom the rule does not choose, by the director's decision.

    Refused with ``missing_reason``, ``already_in``, and ``no_result`` for a player without a
    finished heat.
    """
    if not reason.strip():
        raise Refused("missing_reason", _("Say why."))
    stage = lock_planned_round(stage)
    results, taken = free_results(stage)
    if registration.player_id in taken:
        raise Refused("already_in", _("%(name)s cannot be taken in."), name=registration.person)
    result = next((each for each in results if each.player == registration.player_id), None)
    if result is None:
        raise Refused("no_result", _("%(name)s has no result."), name=registration.person)
    row = _take_in(stage, result, StagePlayerSource.LUCKY_LOSER, by, reason=reason, by_hand=True)
    _name_round(stage)
    return row


@transaction.atomic
def exchange_in_round(
    *, stage: Stage, out: Registration, into: Registration, by: By, reason: str
) -> StagePlayer:
    """Have ``into`` play in the place of ``out``, who is missing from here on.

    Whoever sits at a table sees to the seats. Refused with ``cannot_come_in`` for a player who is
    in the round, out of the event or without a result in the stage before.
    """
    results, taken = free_results(stage)
    result = next((each for each in results if each.player == into.player_id), None)
    if result is None or into.player_id in taken:
        raise Refused(
            "cannot_come_in", _("%(name)s cannot come into this round."), name=into.person
        )
    row = stage.players.get(registration=out)
    row.absent, row.here = True, False
    row.save(update_fields=["absent", "here"])
    record(LogAction.NO_SHOW, row, by, reason=reason)
    return _take_in(stage, result, StagePlayerSource.REPLACEMENT, by, row, reason)


@transaction.atomic
def take_in_next(*, stage: Stage, by: By, reason: str) -> Registration:
    """Take in the next lucky loser, whatever the round's numbers; return the player.

    Refused with ``no_lucky_loser``.
    """
    best = next_ones(stage, 1)
    if not best:
        raise _nobody_left()
    row = _take_in(stage, best[0], StagePlayerSource.LUCKY_LOSER, by, reason=reason)
    return row.registration


def _nobody_left() -> Refused:
    return Refused("no_lucky_loser", _("Nobody is left to be a lucky loser. Play another heat."))


@transaction.atomic
@needs(DIRECT)
def discard_round(*, stage: Stage, by: By, reason: str = "") -> None:
    """Take back a planned round, so that the stage before can go on.

    Its thrown-away drafts stay in the list of draws, with the stage before, and so do draws that
    were taken back, with their void heats, which then have numbers only.
    """
    stage = lock_planned_round(stage)
    record(LogAction.ROUND_DISCARDED, stage, by, before=stage.as_json(), reason=reason)
    previous = stage.event.stages.filter(number__lt=stage.number).latest("number")
    for draw in stage.draws.filter(status=DrawStatus.PUBLISHED):
        # A correction has voided its heats.
        transition_draw(draw, DrawStatus.TAKEN_BACK)
        draw.save(update_fields=["status"])
    stage.draws.update(stage=previous)
    stage.heats.update(stage=previous, title="")
    stage.entries.update(stage=previous)
    stage.delete()
    if previous.status == StageStatus.FINISHED:
        transition_stage(previous, StageStatus.OPEN)
        previous.save(update_fields=["status"])


@transaction.atomic
def finish_final(*, stage: Stage, by: By) -> None:
    """Finish the final's stage once its table is closed; the caller holds the event's lock."""
    if stage.kind != StageKind.FINAL or stage.status != StageStatus.OPEN:
        return
    if not stage.heats.open().exists():
        _finish(stage, by)
