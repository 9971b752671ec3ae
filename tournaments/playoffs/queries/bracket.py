"""The play-offs as a bracket: rounds of tables, who went on, who came in, and no-shows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.formats import date_format

from engine.errors import ChicagoError
from engine.ranking.playoff import plan, table_sizes

from ...core.names import distinct_names, shown_columns
from ...draws.queries.plan import missing_players
from ...models import Event, Heat, HeatEntry, HeatResult, Registration, Stage, StagePlayer
from ...models.enums import (
    HeatStatus,
    RegistrationStatus,
    StageKind,
    StagePlayerSource,
    StageStatus,
)
from ...models.titles import round_title
from .rounds import advance_of_round


@dataclass(frozen=True)
class Seat:
    """A player at a table of the bracket.

    ``place`` and ``points`` are None until a game is finished; ``mark`` is "", "lucky_loser",
    "replacement" or "by_hand".
    """

    player_id: str
    name: str
    place: int | None = None
    points: Fraction | None = None
    goes_on: bool = False
    disqualified: bool = False
    mark: str = ""


@dataclass(frozen=True)
class BracketTable:
    """A table; without a heat it is only planned, with ``size`` empty seats."""

    size: int
    seats: tuple[Seat, ...] = ()
    heat: int | None = None
    title: str = ""
    room_table: int | None = None
    status: str = ""


@dataclass(frozen=True)
class NoShow:
    """A no-show in the round, and the substitute."""

    name: str
    instead: str


@dataclass(frozen=True)
class Round:
    """A round; ``waiting`` has its players until it is drawn, ``when`` the day of a planned one."""

    title: str
    is_final: bool
    advance: int
    tables: tuple[BracketTable, ...]
    absent: tuple[NoShow, ...] = ()
    waiting: tuple[Seat, ...] = ()
    is_planned: bool = False
    when: str = ""


@dataclass(frozen=True)
class Bracket:
    """The play-offs so far, and future rounds as empty tables."""

    rounds: tuple[Round, ...]
    champions: tuple[Seat, ...] = ()
    is_over: bool = False

    @property
    def has_begun(self) -> bool:
        """Whether any round has been made."""
        return any(not each.is_planned for each in self.rounds)


def bracket_of(event: Event) -> Bracket:
    """Return the event's bracket with public names (five queries)."""
    stages = list(event.stages.playoffs().order_by("number"))
    heats = list(
        Heat.objects.filter(stage__in=stages)
        .not_void()
        .only("stage", "number", "title", "status", "table_number")
        .order_by("number")
    )
    columns = shown_columns("registration__")
    places = list(
        StagePlayer.objects.filter(stage__in=stages)
        .select_related("registration__person")
        .only("stage", "source", "order", "absent", "replaces", "basis", *columns)
        .order_by("stage__number", "order")
    )
    entries = list(
        HeatEntry.objects.filter(heat__in=heats)
        .select_related("registration__person")
        .only("heat", *columns)
        .order_by("pk")
    )
    results = {
        row.entry_id: row for row in HeatResult.objects.filter(heat__in=heats).order_by("order")
    }
    people: dict[int, Registration] = {row.registration_id: row.registration for row in places}
    people |= {entry.registration_id: entry.registration for entry in entries}
    names = distinct_names(people.values())
    rounds = [_round(stage, heats, places, entries, results, names) for stage in stages]
    over = bool(
        stages and stages[-1].kind == StageKind.FINAL and stages[-1].status == StageStatus.FINISHED
    )
    champions = [
        seat
        for table in (rounds[-1].tables if over else ())
        for seat in table.seats
        if seat.place == 1 and table.status == HeatStatus.FINISHED
    ]
    return Bracket(
        rounds=(*rounds, *_to_come(event, stages, rounds)),
        champions=tuple(champions),
        is_over=over,
    )


def _round(
    stage: Stage,
    heats: Iterable[Heat],
    places: Sequence[StagePlayer],
    entries: Sequence[HeatEntry],
    results: dict[int, HeatResult],
    names: dict[str, str],
) -> Round:
    own = [row for row in places if row.stage_id == stage.pk]
    marks = {row.registration_id: mark_of(row) for row in own}
    by_pk = {row.pk: row for row in own}
    replaced = {row.replaces_id: row for row in own if row.replaces_id in by_pk}
    tables = []
    for heat in heats:
        if heat.stage_id != stage.pk:
            continue
        here = [entry for entry in entries if entry.heat_id == heat.pk]
        here.sort(key=lambda entry: results[entry.pk].order if entry.pk in results else 0)
        tables.append(
            BracketTable(
                size=len(here),
                seats=tuple(
                    _seat(entry, results.get(entry.pk), heat, stage, names, marks) for entry in here
                ),
                heat=heat.number,
                title=str(heat),
                room_table=heat.table_number if heat.status == HeatStatus.OPEN else None,
                status=heat.status,
            )
        )
    waiting: tuple[Seat, ...] = ()
    if stage.status == StageStatus.PLANNED:
        waiting = tuple(
            Seat(row.registration.player_id, names[row.registration.player_id], mark=mark_of(row))
            for row in own
            if not row.absent and not _gone(row)
        )
        if not missing_players(len(waiting)):
            sizes = table_sizes(len(waiting))
            tables = [BracketTable(size=size) for size in sizes]
    absent = tuple(
        NoShow(
            names[row.registration.player_id],
            names[replaced[row.pk].registration.player_id] if row.pk in replaced else "",
        )
        for row in own
        if row.absent
    )
    return Round(
        title=str(stage),
        is_final=stage.kind == StageKind.FINAL,
        advance=0 if stage.kind == StageKind.FINAL else stage.advance,
        tables=tuple(tables),
        absent=absent,
        waiting=waiting,
    )


def mark_of(row: StagePlayer) -> str:
    """Return how a player came into a round, empty if by going on."""
    if row.basis.get("by_hand"):
        return "by_hand"
    if row.source in (StagePlayerSource.LUCKY_LOSER, StagePlayerSource.REPLACEMENT):
        return str(row.source)
    return ""


def _gone(row: StagePlayer) -> bool:
    return row.registration.status in (
        RegistrationStatus.WITHDRAWN,
        RegistrationStatus.DISQUALIFIED,
    )


def _seat(
    entry: HeatEntry,
    result: HeatResult | None,
    heat: Heat,
    stage: Stage,
    names: dict[str, str],
    marks: dict[int, str],
) -> Seat:
    player_id = entry.registration.player_id
    played = result is not None and result.games > 0
    return Seat(
        player_id=player_id,
        name=names[player_id],
        place=result.place if result is not None and played else None,
        points=result.game_points if result is not None and played else None,
        goes_on=bool(
            result is not None
            and result.advances
            and heat.status == HeatStatus.FINISHED
            and stage.kind != StageKind.FINAL
        ),
        disqualified=bool(result is not None and result.disqualified),
        mark=marks.get(entry.registration_id, ""),
    )


def _to_come(event: Event, stages: Sequence[Stage], rounds: Sequence[Round]) -> list[Round]:
    """Return future rounds as empty tables, as they will be if nothing changes."""
    if stages and stages[-1].kind == StageKind.FINAL:
        return []
    done = len(stages)
    if rounds:
        last = rounds[-1]
        going_on = last.advance * len(last.tables)
        players = going_on + missing_players(going_on) if last.tables else 0
        # A void table leaves the number of players open until the round is redrawn.
        if not players:
            return []
    else:
        qualified = event.qualifications.valid().count()
        players = qualified if qualified >= 3 else 0
        players += missing_players(players) if players else 0
    if not players:
        return []
    steps = [advance_of_round(event, done + 1 + step) for step in range(12)]
    try:
        coming = plan(players, steps)
    except ChicagoError:
        # All of a table of three would go on for ever: such a plan never reaches a final.
        return []
    sizes = coming.rounds
    # In an event of several days, the play-offs are on the last.
    last_day = event.ends_on if event.ends_on > event.starts_on else None
    when = date_format(last_day, "l j F") if last_day else ""
    return [
        Round(
            title=round_title(len(sizes) - index, done + index),
            is_final=index == len(sizes),
            advance=0 if index == len(sizes) else coming.advance[index - 1],
            tables=tuple(BracketTable(size=size) for size in each),
            is_planned=True,
            when=when,
        )
        for index, each in enumerate(sizes, start=1)
    ]
