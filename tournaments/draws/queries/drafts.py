"""A draft of a draw as its page shows it: tables, reasons, warnings, and whether it is stale."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from engine.draws import draw as engine_draw
from engine.draws.draw import TABLE_MAX, TABLE_MIN
from engine.draws.pairing import Cost, History, pair_of

from ...core.errors import Refused
from ...core.names import staff_name
from ...models import (
    Draw,
    Event,
    HeatEntry,
    KeepApart,
    Qualification,
    Registration,
    Stage,
)
from ...models.enums import (
    EntryStatus,
    RegistrationStatus,
    StageKind,
)
from ...models.validators import room_tables
from .history import tables_so_far
from .reasons import ERROR, NOTE, WARNING, Past, SeatingReason, past_of, seating_reasons


@dataclass(frozen=True)
class DraftPlayer:
    """One player of a draft; ``gone`` can no longer be seated, ``moved`` was put here by hand."""

    player_id: str
    name: str
    tables_of_three: int
    fixed_table: int | None
    moved: bool = False
    gone: bool = False


@dataclass(frozen=True)
class DraftTable:
    """One table of a draft: who sits there, at which table of the room, what is to be said."""

    index: int
    number: int | None
    players: tuple[DraftPlayer, ...]
    remarks: tuple[SeatingReason, ...]

    @property
    def refused(self) -> bool:
        """Whether it cannot be played like this."""
        return any(remark.level == ERROR for remark in self.remarks)

    @property
    def can_take(self) -> bool:
        """Whether there is room for one more."""
        return len(self.players) < TABLE_MAX


@dataclass(frozen=True)
class DraftView:
    """A draft with everything that its page says about it."""

    draw: Draw
    tables: tuple[DraftTable, ...]
    waiting: tuple[DraftPlayer, ...]
    came: tuple[str, ...]
    left: tuple[str, ...]
    missing: tuple[str, ...]
    reordered: bool
    refusal: str
    cost: Cost
    cost_as_drawn: Cost

    @property
    def is_stale(self) -> bool:
        """Whether who could be drawn has changed since."""
        return bool(self.came or self.left or self.reordered)

    @property
    def can_publish(self) -> bool:
        """Whether everybody of it can still be seated, and every table has its place."""
        return not self.missing and not self.refusal

    @property
    def changed(self) -> bool:
        """Whether somebody was moved by hand."""
        return bool(self.draw.groups != self.draw.drawn)


def who_can_be_drawn(draw: Draw) -> list[Registration]:
    """Return who could be drawn in a draft's stage now, in the order of the queue or ranking."""
    if draw.stage.kind == StageKind.QUALIFYING:
        return [entry.registration for entry in drawable(draw.event, draw.stage)]
    return present(draw.stage)


def draft_view(draw: Draw) -> DraftView:
    """Return a draft as its page shows it (seven queries, whatever its size)."""
    event = draw.event
    now = who_can_be_drawn(draw)
    current = [registration.player_id for registration in now]
    everybody = {*draw.queue, *current}
    rows = {
        row.player_id: row
        for row in event.registrations.filter(number__in=map(int, everybody)).select_related(
            "person"
        )
    }
    names = staff_names(rows)
    past = past_of(tables_so_far(event), reasons_apart(event), everybody)
    numbers, refusal = _room(event, draw, rows)
    taken = set() if refusal == "" else _open_tables(event)
    first_places = {
        player_id: index for index, group in enumerate(draw.drawn) for player_id in group
    }
    seated = {player_id for group in draw.groups for player_id in group}
    missing = seated - set(current)

    def player(player_id: str, table: int | None) -> DraftPlayer:
        return DraftPlayer(
            player_id=player_id,
            name=names[player_id],
            tables_of_three=past.tables_of_three.get(player_id, 0),
            fixed_table=rows[player_id].fixed_table,
            moved=first_places.get(player_id) != table,
            gone=player_id not in current,
        )

    wanted_twice = _wanted_twice(draw.groups, rows)
    tables = tuple(
        DraftTable(
            index=index,
            number=numbers[index] if numbers else None,
            players=tuple(player(player_id, index) for player_id in group),
            remarks=(
                *_fixed_remarks(group, rows, names, numbers, index, taken, wanted_twice),
                *seating_reasons(group, past, names),
            ),
        )
        for index, group in enumerate(draw.groups)
    )
    weigh = _weights(past)
    return DraftView(
        draw=draw,
        tables=tables,
        waiting=tuple(
            player(player_id, None) for player_id in draw.queue if player_id not in seated
        ),
        came=tuple(names[player_id] for player_id in current if player_id not in draw.queue),
        left=tuple(names[player_id] for player_id in draw.queue if player_id not in current),
        missing=tuple(names[player_id] for player_id in draw.queue if player_id in missing),
        reordered=set(current) == set(draw.queue) and current != draw.queue,
        refusal=refusal,
        cost=weigh.total(draw.groups),
        cost_as_drawn=weigh.total(draw.drawn),
    )


def staff_names(rows: Mapping[str, Registration]) -> dict[str, str]:
    """Return the staff's names by reference; those that several share get the number."""
    plain = {player_id: staff_name(row.person) for player_id, row in rows.items()}
    seen: dict[str, int] = {}
    for name in plain.values():
        seen[name] = seen.get(name, 0) + 1
    return {
        player_id: name if seen[name] == 1 else f"{name} ({player_id})"
        for player_id, name in plain.items()
    }


def reasons_apart(event: Event) -> dict[tuple[str, str], str]:
    """Return the pairs to be kept apart, each with its reason (one query)."""
    return {
        pair_of(str(one), str(other)): reason
        for one, other, reason in KeepApart.objects.filter(event=event).values_list(
            "one__number", "other__number", "reason"
        )
    }


def _weights(past: Past) -> History:
    return History(
        {pair: len(heats) for pair, heats in past.meetings.items()},
        past.tables_of_three,
        frozenset(past.kept_apart),
    )


def _room(
    event: Event, draw: Draw, rows: Mapping[str, Registration]
) -> tuple[list[int] | None, str]:
    """Return the tables of the room that the groups would get, or why they cannot."""
    groups = [
        [HeatEntry(registration=rows[player_id]) for player_id in group] for group in draw.groups
    ]
    try:
        return free_tables(event, groups), ""
    except Refused as refused:
        return None, str(refused)


def _open_tables(event: Event) -> set[int | None]:
    return set(event.heats.open().values_list("table_number", flat=True))


def _wanted_twice(groups: Sequence[Sequence[str]], rows: Mapping[str, Registration]) -> set[int]:
    """Return the tables that players of different groups have as their fixed one."""
    by_table: dict[int, set[int]] = {}
    for index, group in enumerate(groups):
        for player_id in group:
            table = rows[player_id].fixed_table
            if table is not None:
                by_table.setdefault(table, set()).add(index)
    return {table for table, groups_there in by_table.items() if len(groups_there) > 1}


def _fixed_remarks(
    group: Sequence[str],
    rows: Mapping[str, Registration],
    names: Mapping[str, str],
    numbers: Sequence[int] | None,
    index: int,
    taken: set[int | None],
    wanted_twice: set[int],
) -> list[SeatingReason]:
    """Return what is to be said of players who always sit at one table."""
    found = []
    for player_id in group:
        table = rows[player_id].fixed_table
        if table is None:
            continue
        what = {"name": names[player_id], "table": table}
        if table in taken:
            text = _("%(name)s always sits at table %(table)s, where a heat is being played.")
            found.append(SeatingReason(ERROR, "fixed_taken", text % what, (player_id,)))
        elif table in wanted_twice:
            text = _("%(name)s always sits at table %(table)s, and so does somebody else here.")
            found.append(SeatingReason(ERROR, "fixed_clash", text % what, (player_id,)))
        elif numbers is not None and numbers[index] != table:
            text = _("%(name)s always sits at table %(table)s, but not in this draft.")
            found.append(SeatingReason(WARNING, "fixed_other", text % what, (player_id,)))
        else:
            text = _("%(name)s always sits at table %(table)s.")
            found.append(SeatingReason(NOTE, "fixed", text % what, (player_id,)))
    return found


#: Five cannot be divided into tables of three and four (rulebook §6).
CANNOT_SPLIT = 5


def seats_to_draw(waiting: int, table_size: int = 4) -> list[int]:
    """Return the table sizes for so many waiting players; empty where there are too few.

    Of five the four who have waited longest play; one waits on. ``table_size`` 3 makes as many
    tables of three as possible instead of as many of four.

    >>> seats_to_draw(11), seats_to_draw(5), seats_to_draw(2)
    ([4, 4, 3], [4], [])
    >>> seats_to_draw(12, 3), seats_to_draw(11, 3)
    ([3, 3, 3, 3], [4, 4, 3])
    """
    if waiting < engine_draw.TABLE_MIN:
        return []
    if waiting == CANNOT_SPLIT:
        waiting = CANNOT_SPLIT - 1
    if table_size == engine_draw.TABLE_MIN:
        small, larger = divmod(waiting, waiting // table_size)
        return [small + 1] * larger + [small] * (waiting // table_size - larger)
    return engine_draw.heat_sizes(waiting)


def drawable(event: Event, stage: Stage) -> list[HeatEntry]:
    """Return the waiting entries that may be drawn now, those who wait longest first.

    Left out are players who are not here any more or have qualified. Who sits in an open heat
    cannot wait: the database allows one open entry per registration.
    """
    through = Qualification.objects.filter(
        registration=OuterRef("registration"), revoked_at__isnull=True
    )
    return list(
        HeatEntry.objects.filter(
            ~Exists(through),
            registration__event=event,
            registration__status=RegistrationStatus.CHECKED_IN,
            stage=stage,
            status=EntryStatus.WAITING,
        )
        .select_related("registration__person")
        .order_by("entered_at", "pk")
    )


def free_tables(event: Event, groups: Sequence[Sequence[HeatEntry]]) -> list[int]:
    """Return a free table of the room for each group, in the order of the room plan.

    Who has a fixed table gets it for the whole group; of several the lowest that is free.
    Refused with ``no_free_table`` where the room plan names fewer tables than are needed, and
    with ``fixed_table_taken`` where a fixed table is not free.
    """
    taken = set(event.heats.open().values_list("table_number", flat=True))
    plan = room_tables(event.room_plan) or range(1, len(taken) + len(groups) + 100)
    free = [number for number in plan if number not in taken]
    given: dict[int, int] = {}
    for index, group in enumerate(groups):
        wanted = {
            entry.registration.fixed_table: entry.registration.person
            for entry in group
            if entry.registration.fixed_table is not None
        }
        if not wanted:
            continue
        number = min((each for each in wanted if each in free), default=None)
        if number is None:
            raise Refused(
                "fixed_table_taken",
                _("%(name)s sits at table %(table)s, which is not free."),
                name=wanted[min(wanted)],
                table=min(wanted),
            )
        given[index] = number
        free.remove(number)
    if len(free) < len(groups) - len(given):
        raise Refused(
            "no_free_table",
            _("The room plan has %(free)s free tables; %(needed)s are needed."),
            free=len(free) + len(given),
            needed=len(groups),
        )
    rest = iter(free)
    return [given[index] if index in given else next(rest) for index in range(len(groups))]


def open_stage(event: Event) -> Stage:
    """Return the qualifying stage that is played now, or refuse."""
    stage = event.stages.qualifying().open().first()
    if stage is None:
        raise Refused("no_open_stage", _("No qualifying stage is open."))
    return stage


def sizes_text(sizes: Sequence[int]) -> str:
    """Return table sizes as people write them.

    >>> sizes_text([4, 4, 3])
    '2×4 + 1×3'
    """
    counted = sorted(Counter(sizes).items(), reverse=True)
    return " + ".join(f"{count}×{size}" for size, count in counted)


#: Cannot be divided into tables of three and four (rulebook §6).


def missing_players(count: int) -> int:
    """Return how many lucky losers so many players need: one for five, up to three for less."""
    return 1 if count == CANNOT_SPLIT else max(0, TABLE_MIN - count)


def present(stage: Stage) -> list[Registration]:
    """Return who plays in a round, best first: everybody of it but the no-shows."""
    return [
        row.registration
        for row in stage.players.filter(absent=False)
        .exclude(
            registration__status__in=[
                RegistrationStatus.WITHDRAWN,
                RegistrationStatus.DISQUALIFIED,
            ]
        )
        .select_related("registration__person")
        .order_by("order")
    ]
