"""Who can be drawn now, into how many tables, and who has to wait."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.draws import draw as engine_draw
from engine.rules.variants import parse_rules
from scoring.models import AskedOften, Blank

from ...core.errors import Refused
from ...models import Event, HeatEntry, Qualification, Registration, Stage
from ...models.enums import EntryStatus, RegistrationStatus
from ...models.validators import room_tables

_STAGES = AskedOften(
    lambda: Stage.objects.filter(event=Blank()).qualifying().open().order_by("number")
)

#: Five players cannot be divided into tables of three and four (rulebook §6).
CANNOT_SPLIT = 5


def seats_to_draw(waiting: int, table_size: int = 4) -> list[int]:
    """Return the table sizes for this many waiting players; none if they are too few.

    Of five, the four who have waited longest play, and one keeps waiting. ``table_size`` 3 makes as
    many tables of three as possible instead of as many of four.

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


@dataclass(frozen=True)
class DrawPlan:
    """What a draw would do now: who is seated, at tables of which sizes, and who keeps waiting.

    ``most`` is the largest number of tables that can be asked for. ``stays`` gives a code for each
    entry that keeps waiting: ``fixed_taken`` (its table is in use), ``fixed_shared`` (somebody
    before it
    has the same), ``room`` (no free table), ``full`` (only full tables were wanted), ``tables`` (no
    more tables were wanted) or ``five``.
    """

    seated: tuple[HeatEntry, ...]
    sizes: tuple[int, ...]
    stays: tuple[tuple[HeatEntry, str], ...]
    free: int
    most: int


def plan_draw(
    event: Event, waiting: Sequence[HeatEntry], *, tables: int | None = None, full: bool = False
) -> DrawPlan:
    """Return what a draw of these entries would do now (one query).

    ``tables``: how many; by default as many as are needed and free. ``full``: only tables of the
    event's preferred size. Those who have waited longest are seated first. There are no sizes if
    nothing can be drawn. Refused with ``no_free_table`` for more tables than are free, and with
    ``too_few_waiting`` for more than the players can fill.
    """
    taken = tables_in_use(event)
    can: list[HeatEntry] = []
    stays: list[tuple[HeatEntry, str]] = []
    for entry in waiting:
        if entry.registration.fixed_table in taken - {None}:
            stays.append((entry, "fixed_taken"))
        else:
            can.append(entry)
    plan = _plan(event, can, free_count(event, taken, len(can)), tables, full)
    shared = _shared_fixed(can) if len(plan.sizes) > 1 else []
    if shared:
        # The lots may separate them, and a group has only one table.
        stays += [(entry, "fixed_shared") for entry in shared]
        can = [entry for entry in can if entry not in shared]
        plan = _plan(event, can, free_count(event, taken, len(can)), tables, full)
    return replace(plan, stays=(*stays, *plan.stays))


def _shared_fixed(waiting: Sequence[HeatEntry]) -> list[HeatEntry]:
    """Return the entries whose fixed table is also that of somebody before them."""
    seen: set[int] = set()
    found = []
    for entry in waiting:
        table = entry.registration.fixed_table
        if table in seen:
            found.append(entry)
        elif table is not None:
            seen.add(table)
    return found


def _plan(
    event: Event, can: Sequence[HeatEntry], free: int, tables: int | None, full: bool
) -> DrawPlan:
    """Return the plan for entries that may all sit at any of the free tables."""
    smallest = event.table_size if full else engine_draw.TABLE_MIN
    most = min(free, len(can) // smallest)
    if tables is not None and tables > free:
        raise Refused(
            "no_free_table",
            _("Tables needed: %(needed)s. Free tables in the room: %(free)s."),
            free=free,
            needed=tables,
        )
    if tables is not None and tables > most:
        raise Refused(
            "too_few_waiting",
            _("Too few are waiting for so many tables: %(count)s for %(tables)s."),
            count=len(can),
            tables=tables,
        )
    sizes = _sizes(len(can), event.table_size, most, tables, full)
    why = why_waits_on(len(sizes), free, tables, full)
    stays = tuple((entry, why) for entry in can[sum(sizes) :])
    return DrawPlan(tuple(can[: sum(sizes)]), tuple(sizes), stays, free, most)


def tables_in_use(event: Event) -> set[int | None]:
    """Return the numbers of the tables with open heats."""
    return set(event.heats.open().values_list("table_number", flat=True))


def tables_of_room(event: Event) -> list[int]:
    """Return the room's tables; without a room plan, as many as the players fill."""
    planned = room_tables(event.room_plan)
    if planned:
        return planned
    used = event.heats.aggregate(most=Max("table_number"))["most"] or 0
    return list(range(1, max(used, -(-event.registrations.count() // 4), 1) + 1))


def tables_with_cards(event: Event) -> list[int]:
    """Return the tables that get a card; without a room plan, enough for the event's places."""
    tables = tables_of_room(event)
    if event.room_plan:
        return tables
    return list(range(1, max(len(tables), -(-(event.capacity or 0) // 4)) + 1))


def free_count(event: Event, taken: Collection[int | None], players: int) -> int:
    """Return how many tables are free; without a room plan, as many as there are players."""
    room = room_tables(event.room_plan)
    return sum(number not in taken for number in room) if room else players


def why_waits_on(count: int, free: int, tables: int | None, full: bool) -> str:
    """Return the code why somebody is not seated at ``count`` tables (see :class:`DrawPlan`)."""
    if count == free:
        return "room"
    if tables is not None:
        return "tables"
    return "full" if full else "five"


def _sizes(waiting: int, table_size: int, most: int, tables: int | None, full: bool) -> list[int]:
    """Return the sizes of ``tables`` tables, or of as many as are needed and available."""
    if full:
        return [table_size] * (most if tables is None else tables)
    usual = seats_to_draw(waiting, table_size)
    if tables is None and len(usual) <= most:
        return usual
    count = most if tables is None else tables
    players = min(waiting, count * engine_draw.TABLE_MAX)
    larger = players - count * engine_draw.TABLE_MIN
    return [engine_draw.TABLE_MAX] * larger + [engine_draw.TABLE_MIN] * (count - larger)


#: The plan's codes in words.
STAYS = {
    "fixed_taken": gettext_lazy("always sits at a table where a heat is played"),
    "fixed_shared": gettext_lazy("always sits at the same table as somebody before"),
    "room": gettext_lazy("no table is free"),
    "full": gettext_lazy("waits for a full table"),
    "tables": gettext_lazy("waits for the next draw"),
    "five": gettext_lazy("cannot be seated at a table of three or four"),
}


def waiting_entries(event: Event, stage: Stage | None = None) -> QuerySet[HeatEntry]:
    """Return the entries that can be drawn now, of a stage or of the open qualifying stage.

    Leaves out players who are no longer checked in or have qualified. Players of an open heat
    cannot be waiting, as the database allows one open entry per registration.
    """
    qualified = Qualification.objects.filter(
        registration=OuterRef("registration"), revoked_at__isnull=True
    )
    stages = event.stages.qualifying().open() if stage is None else [stage]
    return HeatEntry.objects.filter(
        ~Exists(qualified),
        registration__event=event,
        registration__status=RegistrationStatus.CHECKED_IN,
        stage__in=stages,
        status=EntryStatus.WAITING,
    )


def drawable(event: Event, stage: Stage, part: int | None = None) -> list[HeatEntry]:
    """Return these entries with their players, longest wait first.

    ``part``: the key of a part; then without players who have chosen another one.
    """
    found = waiting_entries(event, stage).select_related("registration__person")
    if part is not None:
        found = found.filter(Q(registration__part=part) | Q(registration__part=None))
    return list(found.order_by("entered_at", "pk"))


def free_tables(event: Event, groups: Sequence[Sequence[HeatEntry]]) -> list[int]:
    """Return a free table for each group, in the order of the room plan.

    A player's fixed table goes to the whole group; of several, the lowest free one. Refused with
    ``no_free_table`` if the room plan has too few, with ``fixed_table_shared`` if two groups have
    players with the same one, and with ``fixed_table_taken`` if a fixed table is not free.
    """
    taken = tables_in_use(event)
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
            if min(wanted) in given.values():
                raise Refused(
                    "fixed_table_shared",
                    _(
                        "%(name)s always sits at table %(table)s, and so does somebody of another "
                        "group. Put both in one group."
                    ),
                    name=wanted[min(wanted)],
                    table=min(wanted),
                )
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
            _("Tables needed: %(needed)s. Free tables in the room: %(free)s."),
            free=len(free) + len(given),
            needed=len(groups),
        )
    rest = iter(free)
    return [given[index] if index in given else next(rest) for index in range(len(groups))]


def no_open_stage() -> Refused:
    """Return the refusal for an event without an open qualifying stage."""
    return Refused("no_open_stage", _("No qualifying stage is open."))


def open_stage(event: Event) -> Stage:
    """Return the open qualifying stage, or refuse with ``no_open_stage``."""
    for stage in _STAGES.rows(event.pk):
        stage.event = event
        return stage
    raise no_open_stage()


def sizes_text(sizes: Sequence[int]) -> str:
    """Return table sizes in short form.

    >>> sizes_text([4, 4, 3])
    '2×4 + 1×3'
    """
    counted = sorted(Counter(sizes).items(), reverse=True)
    return " + ".join(f"{count}×{size}" for size, count in counted)


def missing_players(count: int) -> int:
    """Return how many lucky losers are needed.

    One for five players, up to three for fewer than three.
    """
    return 1 if count == CANNOT_SPLIT else max(0, engine_draw.TABLE_MIN - count)


def present(stage: Stage) -> list[Registration]:
    """Return the players of a round who are present, best first."""
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


def own_numbers(event: Event, players: int) -> dict[str, object]:
    """Return where the event differs from its rule set, for a table of this size."""
    rules = parse_rules(event.rules)
    points = event.points_for(players)
    overrides: dict[str, object] = {}
    if tuple(points) != rules.place_points(players):
        overrides["game_points"] = points
    if event.out_points != rules.out_points.value:
        overrides["out_points"] = event.out_points
    return overrides
