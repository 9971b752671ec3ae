"""The standing of a series, from what is stored of each event."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from engine.messages import points_text
from engine.ranking.series import Line, PointRules, Result, can_reach, can_win, ranked
from scoring.words import lang

from ...core.names import hidden_name, person_names
from ...models import (
    EventPlace,
    EventSummary,
    OutsideResult,
    Person,
    SamePlayer,
    Series,
    SeriesEvent,
    Stage,
)
from ...models.enums import EventStatus, SizeBy, StageKind, StageStatus
from ...models.search import plain
from .points import rules_of


@dataclass(frozen=True)
class Column:
    """An event of the series, in the order of play; ``number`` counts from 1.

    ``is_over``: it counts. ``is_stale``: it has changed, and what it gave is to be made anew.
    """

    number: int
    joined: SeriesEvent
    name: str
    slug: str
    is_over: bool
    is_stale: bool
    size: int
    day: date
    #: Of the event, and of what is stored of it.
    versions: tuple[int, int] = (0, 0)

    def __str__(self) -> str:
        return f"{self.number}. {self.name}"

    @property
    def told(self) -> str:
        """The event's name where no page stands beside it, which would say that it is stale."""
        again = _("being worked out again")
        return f"{self.name} ({again})" if self.is_stale else self.name

    @property
    def elsewhere(self) -> bool:
        return not self.slug


@dataclass(frozen=True)
class Gave:
    """What an event gave a player, and whether it is dropped; ``place`` is the one there.

    ``slug``: the event's, in whose standing the player is found by the name shown here; "" if
    played elsewhere, or if no name is shown.
    """

    points: Fraction
    place: int
    dropped: bool
    slug: str = ""


@dataclass(frozen=True)
class Row:
    """A line of the standing.

    ``most``: the most points with which the player can end, without bonuses for play. ``short``:
    what these leave to be won by such bonuses, None if nothing. None and no if no event is to come.
    """

    place: int
    shared: bool
    name: str
    club: str
    total: Fraction
    gave: tuple[Gave | None, ...]
    can_win: bool
    most: Fraction | None
    short: Fraction | None
    is_champion: bool

    @property
    def most_text(self) -> str:
        return "" if self.most is None else points_text(self.most, lang())

    @property
    def short_text(self) -> str:
        return points_text(self.short, lang()) if self.short else ""


@dataclass(frozen=True)
class Standing:
    """A series as of an event, ``after`` so many that count.

    ``coming``: the numbers, from 0, of those that do not.
    """

    rules: PointRules
    columns: tuple[Column, ...]
    #: All events, those after it, too.
    every: tuple[Column, ...]
    after: int
    lines: Sequence[Line]
    coming: tuple[int, ...]
    is_over: bool
    #: The persons who are one player, by the key of the first of them.
    persons: Mapping[int, tuple[int, ...]]

    @property
    def left(self) -> int:
        """How many events are still to come."""
        return len(self.coming)

    @property
    def is_stale(self) -> bool:
        return any(column.is_stale for column in self.columns)

    @property
    def played(self) -> int:
        """How many events count."""
        return sum(column.is_over for column in self.columns)


def joined_events(series: Series) -> list[Column]:
    """Return the events that are part of a series, in the order of play (one query)."""
    finals = Stage.objects.filter(kind=StageKind.FINAL, status=StageStatus.FINISHED)
    rows = (
        series.joined.filter(agreed_at__isnull=False)
        .exclude(event__status=EventStatus.DRAFT)
        .select_related("event__summary", "event__version")
        .annotate(
            may_be_over=Q(event__status=EventStatus.FINISHED)
            | Exists(finals.filter(event=OuterRef("event")))
        )
    )
    ordered = sorted(rows, key=lambda row: (_day(row), row.pk))
    return [_column(number, row, series) for number, row in enumerate(ordered, start=1)]


def _day(row: SeriesEvent) -> date:
    found = row.event.ends_on if row.event is not None else row.played_on
    assert found is not None
    return found


def _column(number: int, row: SeriesEvent, series: Series) -> Column:
    event = row.event
    if event is None:
        return Column(
            number, row, row.name, "", is_over=True, is_stale=False, size=0, day=_day(row)
        )
    summary: EventSummary | None = getattr(event, "summary", None)
    return Column(
        number,
        row,
        event.name,
        event.slug,
        is_over=summary is not None and summary.is_over,
        is_stale=_is_stale(row, summary),
        size=_size(summary, series.size_by),
        day=_day(row),
        versions=(event.version.directed, summary.version if summary else 0),
    )


def _is_stale(row: Any, summary: EventSummary | None) -> bool:
    """Return whether an event gave something, or may give, that is not what is stored of it."""
    if summary is None:
        return bool(row.may_be_over)
    changed = summary.version != row.event.version.directed
    return changed and bool(summary.is_over or row.may_be_over)


def _size(summary: EventSummary | None, size_by: str) -> int:
    if summary is None:
        return 0
    return summary.entries if size_by == SizeBy.ENTRIES else summary.players


def standing_of(series: Series, after: int | None = None) -> Standing:
    """Return the standing, or as it was after the event of this number (at most six queries)."""
    rules = rules_of(series)
    columns = joined_events(series)
    counted = [
        column for column in columns if column.is_over and (after is None or column.number <= after)
    ]
    lines, persons = _lines(series, rules, counted)
    there = {column.number for column in counted}
    coming = tuple(column.number - 1 for column in columns if column.number not in there)
    return Standing(
        rules=rules,
        columns=tuple(columns if after is None else counted),
        every=tuple(columns),
        after=len(counted),
        lines=lines,
        coming=coming,
        is_over=series.is_finished and not coming and after is None,
        persons=persons,
    )


#: The lines of a standing, and the persons who are one player.
Lines = tuple[Sequence[Line], Mapping[int, tuple[int, ...]]]
#: An event whose results are in a standing: key, index, size, versions of it and of its summary.
Counted = tuple[int, int, int, tuple[int, int]]


def _lines(series: Series, rules: PointRules, columns: Sequence[Column]) -> Lines:
    events = tuple(
        (column.joined.event_id, column.number - 1, column.size, column.versions)
        for column in columns
        if column.joined.event_id is not None
    )
    elsewhere = {column.joined.pk: column for column in columns if column.elsewhere}
    return _ranked(rules, events, tuple(_outside(elsewhere)), tuple(_same(series).items()))


@lru_cache(maxsize=16)
def _ranked(
    rules: PointRules,
    events: tuple[Counted, ...],
    outside: tuple[tuple[int, Result], ...],
    same: tuple[tuple[int, int], ...],
) -> Lines:
    """Return a standing; what this reads of events is told apart by their versions.

    A player is named by the key of a person.
    """
    heads = dict(same)
    persons: dict[int, set[int]] = defaultdict(set)
    best: dict[int, dict[int, Result]] = defaultdict(dict)
    for person, result in chain(_played(events), outside):
        player = heads.get(person, person)
        persons[player].add(person)
        own = best[player]
        known = own.get(result.event)
        if known is None or result.place < known.place:
            own[result.event] = result
    lines = ranked(rules, {player: list(own.values()) for player, own in best.items()})
    return lines, {player: tuple(sorted(each)) for player, each in persons.items()}


#: What was read of events: as what they counted, and who had which result.
_read: dict[int, tuple[Counted, list[tuple[int, Result]]]] = {}
#: Of so many events it is kept.
KEPT_EVENTS = 500


def _played(events: Sequence[Counted]) -> Iterator[tuple[int, Result]]:
    """Yield who had which result; what has changed since it was read is read (one query)."""
    known = {counted: _read.get(counted[0]) for counted in events}
    old = {counted[0]: counted for counted, kept in known.items() if not kept or kept[0] != counted}
    new: dict[int, list[tuple[int, Result]]] = {event: [] for event in old}
    if old:
        rows = EventPlace.objects.filter(event__in=list(old)).order_by("event", "place", "pk")
        for event, person, place, shared, heats, chicagos in rows.values_list(
            "event", "registration__person", "place", "shared", "heats_won", "chicagos"
        ):
            _event, index, size, _versions = old[event]
            result = Result(index, place, shared, size, heats, chicagos)
            new[event].append((person, result))
        if len(_read) + len(new) > KEPT_EVENTS:
            _read.clear()
        _read.update({event: (old[event], results) for event, results in new.items()})
    for counted, kept in known.items():
        yield from kept[1] if kept and kept[0] == counted else new[counted[0]]


def _outside(columns: Mapping[int, Column]) -> list[tuple[int, Result]]:
    if not columns:
        return []
    rows = list(
        OutsideResult.objects.filter(of__in=list(columns)).values_list(
            "of", "person", "person__merged_into", "place", "points"
        )
    )
    shared: dict[tuple[int, int], int] = defaultdict(int)
    sizes: dict[int, int] = defaultdict(int)
    for of, _person, _merged, place, _points in rows:
        shared[of, place] += 1
        sizes[of] += 1
    kept = _kept({merged or person for _of, person, merged, _place, _points in rows})
    return [
        (
            kept.get(merged or person, merged or person),
            Result(
                columns[of].number - 1,
                place,
                shared[of, place],
                sizes[of],
                given=Fraction(points) if points else None,
            ),
        )
        for of, person, merged, place, points in rows
    ]


def _kept(persons: Iterable[int]) -> dict[int, int]:
    """Return, for persons merged with others, who was kept in the end."""
    found: dict[int, int] = {}
    asked = set(persons)
    while asked:
        rows = Person.objects.filter(pk__in=asked, merged_into__isnull=False)
        merged = {
            row.pk: row.merged_into_id for row in rows.only("merged_into") if row.merged_into_id
        }
        found = {old: merged.get(new, new) for old, new in found.items()} | merged
        asked = set(merged.values())
    return found


def _same(series: Series) -> dict[int, int]:
    """Return, for each person who is one player with another, the key that stands for both."""
    pairs = list(SamePlayer.objects.filter(series=series).values_list("one", "other"))
    if not pairs:
        return {}
    kept = _kept({person for pair in pairs for person in pair})
    first: dict[int, int] = {}

    def head(person: int) -> int:
        while first.get(person, person) != person:
            person = first[person]
        return person

    for one, other in pairs:
        a, b = head(kept.get(one, one)), head(kept.get(other, other))
        first[max(a, b)] = min(a, b)
    return {person: head(person) for person in first}


def events_in(standing: Standing) -> list[int]:
    """Return the keys of the events whose results are in it."""
    return [
        column.joined.event_id for column in standing.columns if column.joined.event_id is not None
    ]


def shown_names(standing: Standing, lines: Iterable[Line]) -> dict[int, tuple[str, str]]:
    """Return name and club of players, as the strictest of their choices at these events shows."""
    wanted = {line.player: standing.persons[line.player] for line in lines}
    return person_names(wanted, events_in(standing))


def rows_of(standing: Standing, lines: Sequence[Line]) -> list[Row]:
    """Return lines as a page shows them (two queries)."""
    names = shown_names(standing, lines)
    return [_row(standing, line, names[line.player]) for line in lines]


def _row(standing: Standing, line: Line, name: tuple[str, str]) -> Row:
    places, points = {result.event: result.place for result in line.results}, line.gave
    rules, coming = standing.rules, standing.coming
    most = can_reach(rules, line, len(coming)) if coming else None
    wins = can_win(rules, line, standing.lines, coming)
    short = None if most is None or wins else standing.lines[0].total - most
    hidden = name[0] == hidden_name()

    def gave(column: Column) -> Gave | None:
        at = column.number - 1
        if at not in points:
            return None
        slug = "" if hidden else column.slug
        return Gave(points[at], places[at], at in line.dropped, slug)

    return Row(
        place=line.place,
        shared=line.shared,
        name=name[0],
        club=name[1],
        total=line.total,
        gave=tuple(map(gave, standing.columns)),
        can_win=bool(coming) and (wins or rules.has_no_limit),
        most=most,
        short=short,
        is_champion=standing.is_over and line.place == 1,
    )


def named(standing: Standing, text: str) -> list[Line]:
    """Return the lines of players whose shown name has every word of the text."""
    words = plain(text[:100]).split()
    if not words:
        return list(standing.lines)
    names = shown_names(standing, standing.lines)
    return [
        line
        for line in standing.lines
        if all(word in plain(names[line.player][0]) for word in words)
    ]


def champions_of(standing: Standing) -> list[str]:
    """Return the champions' names: several if nothing tells them apart, none before the end."""
    if not standing.is_over:
        return []
    first = [line for line in standing.lines if line.place == 1]
    names = shown_names(standing, first)
    return [names[line.player][0] for line in first]
