"""Draw heats from the queue: a draft that can be viewed, changed and published.

The engine draws, with a named method and a seed. Everything it needs is stored with the draw (seed,
players in queue order, table sizes, history), so anybody can repeat it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine.draws import draw as engine_draw
from engine.draws import pairing
from engine.ranking import playoff

from ...core.days import day_for
from ...core.errors import Conflict, Refused
from ...core.locks import lock_event, lock_planned_round
from ...core.log import By, record
from ...core.permissions import DIRECT, needs
from ...core.times import TIMES, set_times, stored_times, times
from ...core.transitions import transition_draw, transition_stage
from ...models import Draw, Event, Heat, HeatEntry, Stage
from ...models.enums import (
    DrawStatus,
    Grouping,
    LogAction,
    StageKind,
    StageStatus,
)
from ..queries.drafts import who_can_be_drawn
from ..queries.history import history_of
from ..queries.plan import (
    drawable,
    free_tables,
    missing_players,
    open_stage,
    plan_draw,
    present,
    tables_in_use,
)
from ..queries.verification import SNAKE_METHOD
from .opening import open_heat

#: The longest seed accepted.
MAX_SEED = 100


@dataclass(frozen=True)
class Drawn:
    """The outcome of a draw: its record, its heats in order, and the entries that still wait."""

    draw: Draw
    heats: list[Heat]
    left: list[HeatEntry]


@transaction.atomic
@needs(DIRECT)
def draw_heats(
    *,
    event: Event,
    by: By,
    seed: str | None = None,
    tables: int | None = None,
    full: bool = False,
    part: int | None = None,
) -> Drawn:
    """Draw heats from the queue and open them at once, as a draft published unchanged.

    Give ``seed`` only to repeat a draw, or if it was drawn in public; otherwise a fresh one is made
    after the players are fixed. Refused with ``too_few_waiting`` below three players.
    """
    draw = draft_heats(event=event, by=by, seed=seed, tables=tables, full=full, part=part)
    return publish(draw=draw, by=by)


@transaction.atomic
@needs(DIRECT)
def draft_heats(
    *,
    event: Event,
    by: By,
    seed: str | None = None,
    tables: int | None = None,
    full: bool = False,
    part: int | None = None,
) -> Draw:
    """Draw heats from the queue as a draft; nobody is seated yet.

    ``tables`` and ``full`` as in :func:`..queries.plan.plan_draw`; ``part``: the key of the part
    whose players are drawn, with those who play in any. Refused with ``too_few_waiting``
    below three players, ``too_few_for_full``, ``no_free_table``, ``bad_seed`` if the seed is too
    long, and ``draft_exists`` while the stage has another draft.
    """
    event = lock_event(event, for_play=True)
    stage = open_stage(event)
    waiting = drawable(event, stage, part)
    plan = plan_draw(event, waiting, tables=tables, full=full)
    if not plan.sizes:
        if plan.free == 0 and len(waiting) >= engine_draw.TABLE_MIN:
            raise Refused("no_free_table", _("No table in the room is free."), free=0)
        if full and len(waiting) >= engine_draw.TABLE_MIN:
            raise Refused(
                "too_few_for_full",
                _(
                    "A full table has %(size)s players; waiting now: %(count)s. Wait for more, or "
                    "draw without “only full tables”."
                ),
                size=event.table_size,
                count=len(waiting),
            )
        raise Refused(
            "too_few_waiting",
            _("A heat needs three players; waiting now: %(count)s."),
            count=len(waiting),
        )
    return _make_draft(
        event=event,
        stage=stage,
        queue=[entry.registration.player_id for entry in waiting],
        candidates=[entry.registration.player_id for entry in plan.seated],
        sizes=list(plan.sizes),
        seed=seed,
        wanted={"tables": tables, "full": full} | ({"part": part} if part else {}),
        by=by,
    )


def _make_draft(
    *,
    event: Event,
    stage: Stage,
    queue: list[str],
    sizes: list[int],
    by: By,
    candidates: list[str] | None = None,
    wanted: dict[str, Any] | None = None,
    seed: str | None = None,
    label: str = "heats",
    groups: list[list[str]] | None = None,
    method: str = pairing.METHOD,
) -> Draw:
    """Store a draft draw of ``candidates``; the caller holds the event's lock.

    Without ``candidates``, the first in ``queue`` are drawn. ``wanted`` records how many tables,
    and of which kind, were asked for. Give ``groups`` and the method's name if they were not drawn
    (snake order).
    """
    if Draw.objects.filter(stage=stage, status=DrawStatus.DRAFT).exists():
        raise Refused(
            "draft_exists", _("There is already a draft. Publish it or throw it away first.")
        )
    seed = (seed or "").replace("\0", "").strip() or engine_draw.new_seed()
    if len(seed) > MAX_SEED:
        raise Refused("bad_seed", _("The seed is longer than %(most)s characters."), most=MAX_SEED)
    candidates = candidates or queue[: sum(sizes)]
    history = history_of(event, candidates)
    if groups is None:
        division = history.divide(seed, candidates, sizes, label)
        groups = [list(group) for group in division.groups]
    number = (event.draws.aggregate(last=Max("number"))["last"] or 0) + 1
    draw = Draw.objects.create(
        event=event,
        stage=stage,
        number=number,
        seed=seed,
        method=method,
        label=label,
        candidates=candidates,
        sizes=sizes,
        history=history.as_json(),
        queue=queue,
        wanted=wanted or {},
        drawn=groups,
        groups=groups,
        status=DrawStatus.DRAFT,
        made_by=by,
    )
    record(LogAction.DRAFTED, draw, by, after={"seed": seed, "method": method, "sizes": sizes})
    return draw


def _lock_draft(draw: Draw, seen_version: int | None) -> Draw:
    """Return the draft, locked after its event.

    Raise ``Conflict``: ``draft_gone`` if it was published or discarded, ``draft_changed`` if
    somebody else changed it since ``seen_version``.
    """
    event = lock_event(draw.event, for_play=True)
    draw = Draw.objects.select_for_update(of=("self",)).select_related("stage").get(pk=draw.pk)
    draw.event = event
    if draw.status != DrawStatus.DRAFT:
        raise Conflict(
            "draft_gone",
            _("%(draw)s is already “%(status)s”."),
            draw=draw,
            status=DrawStatus(draw.status).label,
        )
    if seen_version is not None and seen_version != draw.version:
        raise Conflict(
            "draft_changed", _("Somebody else has changed this draft. Look at it again.")
        )
    return draw


@transaction.atomic
@needs(DIRECT)
def swap_players(
    *, draw: Draw, one: str, other: str, by: By, seen_version: int | None = None, reason: str = ""
) -> Draw:
    """Swap two players of a draft; one of them may be waiting outside it.

    Refused with ``same_table`` or ``not_in_draft``.
    """
    draw = _lock_draft(draw, seen_version)
    seats = {
        player_id: (table, seat)
        for table, group in enumerate(draw.groups)
        for seat, player_id in enumerate(group)
    }
    inside = [player_id for player_id in (one, other) if player_id in seats]
    if not inside or any(player_id not in draw.queue for player_id in (one, other)):
        raise Refused("not_in_draft", _("Choose two players of this draft."))
    if one == other or (len(inside) == 2 and seats[one][0] == seats[other][0]):
        raise Refused("same_table", _("They already sit at the same table."))
    swapped = {one: other, other: one}
    draw.groups = [
        [swapped.get(player_id, player_id) for player_id in group] for group in draw.groups
    ]
    return _adjusted(draw, {"swap": [one, other]}, by, reason)


@transaction.atomic
@needs(DIRECT)
def move_player(
    *,
    draw: Draw,
    player: str,
    table: int,
    by: By,
    seen_version: int | None = None,
    reason: str = "",
) -> Draw:
    """Move a player of a draft to another of its tables (counted from 0).

    Refused with ``table_size`` if a table would have fewer than three or more than four players,
    and with ``same_table`` or ``not_in_draft``.
    """
    draw = _lock_draft(draw, seen_version)
    if not any(player in group for group in draw.groups) or not 0 <= table < len(draw.groups):
        raise Refused("not_in_draft", _("Choose a player and a table of this draft."))
    if player in draw.groups[table]:
        raise Refused("same_table", _("They already sit at the same table."))
    groups = [[player_id for player_id in group if player_id != player] for group in draw.groups]
    groups[table].append(player)
    if any(not engine_draw.TABLE_MIN <= len(g) <= engine_draw.TABLE_MAX for g in groups):
        raise Refused(
            "table_size", _("Tables have three or four players. Swap two players instead.")
        )
    draw.groups = groups
    return _adjusted(draw, {"move": player, "table": table}, by, reason)


@transaction.atomic
@needs(DIRECT)
def take_out(
    *, draw: Draw, player: str, by: By, seen_version: int | None = None, reason: str = ""
) -> Draw:
    """Take a player out of a draft; whoever has waited longest takes the seat.

    Passed over are those who were taken out before, and those whose fixed table is in use or
    another group's. The other groups stay as they are, and the draft's queue is brought up to date
    unless others have left it. If nobody waits, a table of four becomes one of
    three; refused with ``table_size`` below that.
    """
    draw = _lock_draft(draw, seen_version)
    if draw.stage.kind != StageKind.QUALIFYING:
        raise Refused("is_round", _("Mark the player as a no-show on the play-offs page instead."))
    if not any(player in group for group in draw.groups):
        raise Refused("not_in_draft", _("Choose a player of this draft."))
    seated = {player_id for group in draw.groups for player_id in group}
    rows = who_can_be_drawn(draw)
    now = [row.player_id for row in rows]
    passed_over = seated | {change["out"] for change in draw.adjustments if "out" in change}
    others = {player_id for group in draw.groups if player not in group for player_id in group}
    used = tables_in_use(draw.event) | {row.fixed_table for row in rows if row.player_id in others}
    waits = next(
        (
            row.player_id
            for row in rows
            if row.player_id not in passed_over and row.fixed_table not in used - {None}
        ),
        None,
    )
    draw.groups = [
        [waits if player_id == player else player_id for player_id in group]
        if waits
        else [player_id for player_id in group if player_id != player]
        for group in draw.groups
    ]
    if any(len(group) < engine_draw.TABLE_MIN for group in draw.groups):
        raise Refused(
            "table_size", _("Nobody is waiting to take the seat, and two cannot play a heat.")
        )
    if seated - {player} <= {*now}:
        draw.queue = now
    elif waits and waits not in draw.queue:
        draw.queue = [*draw.queue, waits]
    return _adjusted(draw, {"out": player, "in": waits}, by, reason)


def _adjusted(draw: Draw, change: dict[str, Any], by: By, reason: str) -> Draw:
    draw.adjustments = [*draw.adjustments, {**change, "reason": reason}]
    draw.version += 1
    draw.save(update_fields=["groups", "queue", "adjustments", "version"])
    record(LogAction.DRAFT_CHANGED, draw, by, after=change, reason=reason)
    return draw


@transaction.atomic
@needs(DIRECT)
def set_draft_times(
    *, draw: Draw, planned: Mapping[str, Any], by: By, seen_version: int | None = None
) -> Draw:
    """Set doors, start and end of play of the draft's heats; nothing planned clears them."""
    draw = _lock_draft(draw, seen_version)
    before = stored_times(draw)
    set_times(draw, planned)
    if (after := stored_times(draw)) != before:
        draw.version += 1
        draw.save(update_fields=[*TIMES, "version"])
        record(LogAction.HEAT_TIMES, draw, by, before=before, after=after)
    return draw


@transaction.atomic
@needs(DIRECT)
def discard(*, draw: Draw, by: By, seen_version: int | None = None, reason: str = "") -> Draw:
    """Discard a draft; it stays in the list of draws."""
    draw = _lock_draft(draw, seen_version)
    transition_draw(draw, DrawStatus.DISCARDED)
    draw.save(update_fields=["status"])
    record(LogAction.DRAFT_DISCARDED, draw, by, reason=reason)
    return draw


def _to_be_seated(draw: Draw) -> dict[str, HeatEntry]:
    """Return the entries that can be seated now, by player reference, in queue order.

    For a play-off round the entries are created here, as nobody queues for one.
    """
    event, stage = draw.event, draw.stage
    if stage.kind == StageKind.QUALIFYING:
        return {
            entry.registration.player_id: entry
            for entry in drawable(event, stage, draw.wanted.get("part"))
        }
    players = present(stage)
    last = dict(
        HeatEntry.objects.counted()
        .filter(registration__in=players)
        .values("registration")
        .annotate(last=Max("number"))
        .values_list("registration", "last")
    )
    return {
        player.player_id: HeatEntry.objects.create(
            registration=player, stage=stage, number=last.get(player.pk, 0) + 1
        )
        for player in players
    }


@transaction.atomic
@needs(DIRECT)
def publish(
    *, draw: Draw, by: By, seen_version: int | None = None, accept_changes: bool = False
) -> Drawn:
    """Seat the players of a draft: open a heat for each of its tables.

    Refused with ``draft_stale`` if a player of the draft is no longer waiting, and, unless
    ``accept_changes``, with ``queue_changed`` if the queue has changed since.
    """
    draw = _lock_draft(draw, seen_version)
    event, stage = draw.event, draw.stage
    waiting = _to_be_seated(draw)
    missing = [
        player_id for group in draw.groups for player_id in group if player_id not in waiting
    ]
    if missing:
        raise Refused(
            "draft_stale",
            _("Players in this draft who are no longer waiting: %(count)s. Draw again."),
            count=len(missing),
        )
    if not accept_changes and list(waiting) != draw.queue:
        raise Refused(
            "queue_changed",
            _("The queue has changed since this draft was made. Draw again, or publish it anyway."),
        )
    groups = [[waiting[player_id] for player_id in group] for group in draw.groups]
    tables = free_tables(event, groups)
    heats = [
        open_heat(
            event=event,
            stage=stage,
            entries=group,
            seed=draw.seed,
            method=draw.method,
            draw=draw,
            table_number=table,
            by=by,
        )
        for group, table in zip(groups, tables, strict=True)
    ]
    transition_draw(draw, DrawStatus.PUBLISHED)
    draw.save(update_fields=["status"])
    if stage.status == StageStatus.PLANNED:
        transition_stage(stage, StageStatus.OPEN)
        stage.save(update_fields=["status"])
    seated = {player_id for group in draw.groups for player_id in group}
    left = [entry for player_id, entry in waiting.items() if player_id not in seated]
    record(
        LogAction.DRAWN,
        draw,
        by,
        after={
            "seed": draw.seed,
            "method": draw.method,
            "sizes": [len(group) for group in groups],
            "heats": [heat.number for heat in heats],
            "waiting_on": [entry.registration.number for entry in left],
        },
    )
    return Drawn(draw=draw, heats=heats, left=left)


@transaction.atomic
@needs(DIRECT)
def draft_round(
    *, stage: Stage, by: By, seed: str | None = None, grouping: str | None = None
) -> Draw:
    """Make the draft of a planned round: drawn, or in snake order of its ranking.

    Its heats begin when the timetable says that the round does, if that is still to come.

    Refused with ``cannot_split`` if the number of players cannot be divided into tables.
    """
    stage = lock_planned_round(stage)
    event = stage.event
    players = [registration.player_id for registration in present(stage)]
    if missing_players(len(players)):
        raise Refused(
            "cannot_split",
            _("%(count)s players cannot be divided into tables of three and four."),
            count=len(players),
        )
    sizes = engine_draw.heat_sizes(len(players))
    snake = (grouping or event.playoff_grouping) == Grouping.SNAKE
    draw = _make_draft(
        event=event,
        stage=stage,
        queue=players,
        sizes=sizes,
        by=by,
        seed=seed,
        label=f"round {stage.number}",
        groups=playoff.snake_groups(players) if snake else None,
        method=SNAKE_METHOD if snake else pairing.METHOD,
    )
    day = day_for(event.timetable.all(), stage.rounds_left)
    if day is not None and day.starts_at > timezone.now():
        # The day's end is not the round's, as others may follow.
        set_times(draw, times(day) | {"ends_at": None})
        draw.save(update_fields=TIMES)
    return draw


@transaction.atomic
@needs(DIRECT)
def draw_again(
    *, draw: Draw, by: By, seen_version: int | None = None, seed: str | None = None
) -> Draw:
    """Discard a draft and make a new one of those who can be drawn now, with a new seed.

    A round keeps its grouping; a draw of the queue keeps its number of tables, or as many as are
    free and can be filled; both keep their times. The old draft stays if no new one can be made.
    """
    draw = discard(draw=draw, by=by, seen_version=seen_version)
    fresh = _drawn_again(draw, by, seed)
    set_times(fresh, times(draw))
    fresh.save(update_fields=TIMES)
    return fresh


def _drawn_again(draw: Draw, by: By, seed: str | None) -> Draw:
    if draw.stage.kind == StageKind.QUALIFYING:
        wanted, full = draw.wanted.get("tables"), draw.wanted.get("full", False)
        part = draw.wanted.get("part")
        most = plan_draw(draw.event, drawable(draw.event, draw.stage, part), full=full).most
        return draft_heats(
            event=draw.event,
            by=by,
            seed=seed,
            tables=min(wanted, most) if wanted else None,
            full=full,
            part=part,
        )
    grouping = Grouping.SNAKE if draw.method == SNAKE_METHOD else Grouping.DRAW
    return draft_round(stage=draw.stage, by=by, seed=seed, grouping=grouping)
