"""The play-offs as a bracket: rounds of tables, who advanced, who came in, and no-shows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format

from engine.ranking.playoff import table_sizes
from scoring.models import AskedOften, Blank

from ...core.days import day_for, playoff_day, start_of
from ...core.names import distinct_names, shown_columns
from ...draws.queries.plan import missing_players, sizes_text
from ...models import Day, Event, Heat, HeatEntry, Registration, Stage, StagePlayer
from ...models.enums import GONE, HeatStatus, StageKind, StagePlayerSource, StageStatus
from ...models.titles import heat_title, letters, round_title, table_code
from .rounds import rounds_to_come


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
    """A round; until it is drawn ``waiting`` has its players, and ``when`` its day, if known."""

    title: str
    is_final: bool
    advance: int
    tables: tuple[BracketTable, ...]
    absent: tuple[NoShow, ...] = ()
    waiting: tuple[Seat, ...] = ()
    is_planned: bool = False
    when: str = ""

    @property
    def sizes(self) -> str:
        """The sizes of its tables, in short form."""
        return sizes_text([table.size for table in self.tables])


@dataclass(frozen=True)
class EarlierRound:
    """A round too large to be shown with the others; ``number`` is its page's, if it is made."""

    title: str
    tables: int
    number: int | None = None
    #: Whether it is the last one made: it is being played, or is about to be.
    is_current: bool = False


@dataclass(frozen=True)
class Bracket:
    """The play-offs so far, and future rounds as empty tables."""

    rounds: tuple[Round, ...]
    champions: tuple[Seat, ...] = ()
    is_over: bool = False
    has_begun: bool = False
    earlier: tuple[EarlierRound, ...] = ()


def bracket_of(event: Event, most: int | None = None) -> Bracket:
    """Return the event's bracket with public names (five queries).

    ``most``: only the last rounds with so many tables together, at least the last one; those before
    are named.
    """
    stages = _stages(event)
    last = stages[-1] if stages else None
    coming = _to_come(event, len(stages), last)
    sizes = [_tables_of(stage) for stage in stages] + [len(each.tables) for each in coming]
    first = 0 if most is None else len(sizes)
    while first and (first == len(sizes) or sum(sizes[first - 1 :]) <= (most or 0)):
        first -= 1
    titles = [str(stage) for stage in stages] + [each.title for each in coming]
    shown = stages[first:]
    rounds = _rounds(shown, list(_heats_of(shown)))
    over = bool(last and last.kind == StageKind.FINAL and last.status == StageStatus.FINISHED)
    champions = [
        seat
        for table in (rounds[-1].tables if over else ())
        for seat in table.seats
        if seat.place == 1 and table.status == HeatStatus.FINISHED
    ]
    return Bracket(
        rounds=(*rounds, *coming[max(first - len(stages), 0) :]),
        champions=tuple(champions),
        is_over=over,
        has_begun=bool(stages),
        earlier=tuple(
            EarlierRound(
                titles[index],
                sizes[index],
                number=index + 1 if index < len(stages) else None,
                is_current=index + 1 == len(stages),
            )
            for index in range(first)
        ),
    )


#: Tables, or four times as many waiting players, on a page of one round.
PER_PAGE = 24


def round_of(event: Event, number: int, page: str) -> tuple[Round, Page[Any]] | None:
    """Return a page of a round, by its number from 1; None if there is none (five queries)."""
    stages = _stages(event)[number - 1 : number] if number else []
    if not stages:
        return None
    [stage] = stages
    part: Page[Any]
    if stage.status == StageStatus.PLANNED:
        part = Paginator(range(stage.waiting), 4 * PER_PAGE).get_page(page)
        some = slice(max(part.start_index() - 1, 0), part.end_index())
        return _rounds(stages, [], some)[0], part
    part = Paginator(_heats_of(stages), PER_PAGE).get_page(page)
    return _rounds(stages, list(part))[0], part


def _stages(event: Event) -> list[Any]:
    """Return the rounds that are made, with ``heats_made`` and ``waiting``: how many there are."""
    made = Count("heats", filter=~Q(heats__status=HeatStatus.VOID))
    stages: list[Any] = list(event.stages.playoffs().order_by("number").annotate(heats_made=made))
    for stage in stages:
        if stage.status == StageStatus.PLANNED:
            there = stage.players.filter(absent=False).exclude(registration__status__in=GONE)
            stage.waiting = there.count()
    return stages


def _tables_of(stage: Any) -> int:
    """Return how many tables a round has or will have."""
    if stage.status != StageStatus.PLANNED:
        return int(stage.heats_made)
    return 0 if missing_players(stage.waiting) else len(table_sizes(stage.waiting))


def _heats_of(stages: Sequence[Stage]) -> QuerySet[Heat]:
    return (
        Heat.objects.filter(stage__in=stages)
        .not_void()
        .only("stage", "number", "title", "status", "table_number")
        .order_by("number")
    )


class _Entry(NamedTuple):
    """What a table shows of a player; the last six are the result, None before the first game."""

    heat: int
    player: int
    order: int | None
    place: int | None
    points: Fraction | None
    games: int | None
    advances: bool | None
    disqualified: bool | None


_RESULT = ("order", "place", "game_points", "games", "advances", "disqualified")


_COLUMNS = ("pk", "stage", "registration", "source", "absent", "replaces", "basis")
_PLAYERS: AskedOften[Any] = AskedOften(
    lambda: (
        StagePlayer.objects.filter(stage__in=Blank(several=True))
        .order_by("stage__number", "order")
        .values_list(*_COLUMNS, "registration__status", named=True)
    )
)
_ENTRIES: AskedOften[Any] = AskedOften(
    lambda: (
        HeatEntry.objects.filter(heat__in=Blank(several=True))
        .order_by("pk")
        .values_list("heat", "registration", *(f"result__{each}" for each in _RESULT))
    )
)
_SHOWN = AskedOften(
    lambda: (
        Registration.objects.filter(pk__in=Blank(several=True))
        .select_related("person")
        .only(*shown_columns())
    )
)


def _rounds(
    stages: Sequence[Stage], heats: Sequence[Heat], some: slice = slice(None)
) -> list[Round]:
    """Return these rounds with these of their heats, or ``some`` of those who wait for them.

    Of players only the shown ones are read, each once.
    """
    stage_players = _PLAYERS.rows([stage.pk for stage in stages])
    entries: dict[int, list[_Entry]] = {}
    for entry in map(_Entry._make, _ENTRIES.rows([heat.pk for heat in heats])):
        entries.setdefault(entry.heat, []).append(entry)
    planned = {stage.pk for stage in stages if stage.status == StageStatus.PLANNED}
    waiting: dict[int, list[Any]] = {stage.pk: [] for stage in stages}
    for row in stage_players:
        if row.stage in planned and not row.absent and row.registration__status not in GONE:
            waiting[row.stage].append(row)
    shown = {entry.player for here in entries.values() for entry in here}
    shown |= {row.registration for here in waiting.values() for row in here[some]}
    shown |= {row.registration for row in stage_players if row.absent or row.replaces}
    players = {row.pk: row for row in _SHOWN.rows(list(shown))}
    names = distinct_names(players.values())
    return [
        _round(
            stage,
            [heat for heat in heats if heat.stage_id == stage.pk],
            [row for row in stage_players if row.stage == stage.pk],
            entries,
            waiting[stage.pk],
            some,
            {pk: (row.player_id, names[row.player_id]) for pk, row in players.items()},
        )
        for stage in stages
    ]


def _round(
    stage: Stage,
    heats: Iterable[Heat],
    stage_players: Sequence[Any],
    entries: Mapping[int, Sequence[_Entry]],
    waiting: Sequence[Any],
    some: slice,
    players: Mapping[int, tuple[str, str]],
) -> Round:
    marks = {row.registration: _mark_of(row) for row in stage_players}
    instead = {row.replaces: players[row.registration][1] for row in stage_players if row.replaces}
    tables = []
    for heat in heats:
        here = sorted(entries.get(heat.pk, ()), key=lambda entry: entry.order or 0)
        tables.append(
            BracketTable(
                size=len(here),
                seats=tuple(
                    _seat(entry, heat, stage, *players[entry.player], marks.get(entry.player, ""))
                    for entry in here
                ),
                heat=heat.number,
                title=str(heat),
                room_table=heat.table_number if heat.status == HeatStatus.OPEN else None,
                status=heat.status,
            )
        )
    when = ""
    if stage.status == StageStatus.PLANNED:
        named = day_for(stage.event.timetable.all(), stage.rounds_left)
        when = start_of(named) if named else ""
    if waiting and not missing_players(len(waiting)):
        tables = [BracketTable(size=size) for size in table_sizes(len(waiting))]
    return Round(
        title=str(stage),
        is_final=stage.kind == StageKind.FINAL,
        advance=0 if stage.kind == StageKind.FINAL else stage.advance,
        tables=tuple(tables),
        absent=tuple(
            NoShow(players[row.registration][1], instead.get(row.pk, ""))
            for row in stage_players
            if row.absent
        ),
        waiting=tuple(
            Seat(*players[row.registration], mark=_mark_of(row)) for row in waiting[some]
        ),
        when=when,
    )


def _mark_of(row: Any) -> str:
    """Return how a player came into a round, empty if by advancing."""
    if row.basis.get("by_hand"):
        return "by_hand"
    if row.source in (StagePlayerSource.LUCKY_LOSER, StagePlayerSource.REPLACEMENT):
        return str(row.source)
    return ""


def _seat(entry: _Entry, heat: Heat, stage: Stage, player_id: str, name: str, mark: str) -> Seat:
    played = bool(entry.games)
    return Seat(
        player_id=player_id,
        name=name,
        place=entry.place if played else None,
        points=entry.points if played else None,
        goes_on=bool(
            entry.advances and heat.status == HeatStatus.FINISHED and stage.kind != StageKind.FINAL
        ),
        disqualified=bool(entry.disqualified),
        mark=mark,
    )


def _to_come(event: Event, done: int, last: Any) -> list[Round]:
    """Return future rounds as empty tables, as they will be if nothing changes.

    ``last`` of those that are made, if any.
    """
    if last is not None and last.kind == StageKind.FINAL:
        return []
    if last is not None:
        going_on = last.advance * _tables_of(last)
        players = going_on + missing_players(going_on) if going_on else 0
        # A void table leaves the number of players open until the round is redrawn.
        if not players:
            return []
    else:
        qualified = event.qualifications.valid().count()
        players = qualified if qualified >= 3 else 0
        players += missing_players(players) if players else 0
    coming = rounds_to_come(event, done=done, players=players) if players else None
    if coming is None:
        return []
    sizes = coming.rounds
    days = list(event.timetable.all())
    # A day's start is that of the first round on it that is still to be played.
    first: dict[Day | None, int] = {}
    if last is not None and last.status != StageStatus.FINISHED:
        first[day_for(days, last.rounds_left)] = -1
    for index in range(len(sizes)):
        first.setdefault(day_for(days, len(sizes) - index - 1), index)
    return [
        Round(
            title=round_title(len(sizes) - index, done + index),
            is_final=index == len(sizes),
            advance=0 if index == len(sizes) else coming.advance[index - 1],
            tables=tuple(
                BracketTable(
                    size=size,
                    title=heat_title(table_code(len(sizes) - index, done + index, letter), 0),
                )
                for size, letter in zip(each, letters(), strict=False)
            ),
            is_planned=True,
            when=_when(
                event,
                days,
                len(sizes) - index,
                entering=last is None,
                timed=first[day_for(days, len(sizes) - index)] == index - 1,
            ),
        )
        for index, each in enumerate(sizes, start=1)
    ]


def _when(event: Event, days: Sequence[Day], left: int, *, entering: bool, timed: bool) -> str:
    """Return when a coming round is played, with ``left`` after it; empty where it is not known.

    Where the timetable names no day for it, the final is on the last day; with other days before
    it, a round may be on any of them.
    """
    named = day_for(days, left)
    if named is not None:
        return start_of(named, timed=timed)
    dates = {timezone.localdate(day.starts_at) for day in days}
    dates = dates or {event.starts_on, event.ends_on}
    if len(dates) == 1:
        return ""
    final = max(dates)
    coming = playoff_day(days, entering=entering)
    known = not left or coming is None or timezone.localdate(coming.starts_at) == final
    return date_format(final, "l j F") if known else ""
