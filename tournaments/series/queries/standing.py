"""The standing of a series, from what is stored of each event."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.messages import points_text
from scoring.words import lang

from ...core.names import person_names
from ...models import (
    EventPlace,
    EventSummary,
    OutsideResult,
    Person,
    SamePlayer,
    Series,
    SeriesEvent,
)
from ...models.enums import EventStatus, SizeBy
from ...models.search import plain
from .points import Line, PointRules, Result, can_reach, ranked


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

    @property
    def elsewhere(self) -> bool:
        return not self.slug


@dataclass(frozen=True)
class Gave:
    """What an event gave a player, and whether it is dropped; ``place`` is the one there."""

    points: Fraction
    place: int
    dropped: bool


@dataclass(frozen=True)
class Row:
    """A line of the standing; ``outlook`` says whether the player can still win."""

    place: int
    shared: bool
    name: str
    club: str
    total: Fraction
    gave: tuple[Gave | None, ...]
    can_win: bool
    most: Fraction | None
    is_champion: bool

    @property
    def most_text(self) -> str:
        """The most points with which the player can end."""
        return "" if self.most is None else points_text(self.most, lang())


@dataclass(frozen=True)
class Standing:
    """A series as of its ``after``-th event; ``left`` are the joined events still to be played."""

    rules: PointRules
    columns: tuple[Column, ...]
    after: int
    lines: Sequence[Line]
    left: int
    is_over: bool
    #: The persons who are one player, by the key of the first of them.
    persons: Mapping[int, tuple[int, ...]]

    @property
    def is_stale(self) -> bool:
        return any(column.is_stale for column in self.columns)

    @property
    def played(self) -> int:
        """How many events count."""
        return sum(column.is_over for column in self.columns)


def joined_events(series: Series) -> list[Column]:
    """Return the events that are part of a series, in the order of play (one query)."""
    rows = (
        series.joined.filter(agreed_at__isnull=False)
        .exclude(event__status=EventStatus.DRAFT)
        .select_related("event__summary", "event__version")
    )
    ordered = sorted(rows, key=lambda row: (_day(row), row.pk))
    return [_column(number, row, series) for number, row in enumerate(ordered, start=1)]


def _day(row: SeriesEvent) -> object:
    return row.event.ends_on if row.event is not None else row.played_on


def _column(number: int, row: SeriesEvent, series: Series) -> Column:
    event = row.event
    if event is None:
        return Column(number, row, row.name, "", is_over=True, is_stale=False, size=0)
    summary: EventSummary | None = getattr(event, "summary", None)
    return Column(
        number,
        row,
        event.name,
        event.slug,
        is_over=summary is not None and summary.is_over,
        is_stale=summary is None or summary.version != event.version.directed,
        size=_size(summary, series.size_by),
    )


def _size(summary: EventSummary | None, size_by: str) -> int:
    if summary is None:
        return 0
    return summary.entries if size_by == SizeBy.ENTRIES else summary.players


def standing_of(series: Series, after: int | None = None) -> Standing:
    """Return the standing, or as it was after this many events (six queries, whatever its size)."""
    rules = PointRules.of(series)
    columns = joined_events(series)
    counted = [column for column in columns if column.is_over][:after]
    results, persons = _results(series, counted)
    left = sum(not column.is_over for column in columns)
    return Standing(
        rules=rules,
        columns=tuple(columns if after is None else counted),
        after=len(counted),
        lines=ranked(rules, results),
        left=left + (sum(column.is_over for column in columns) - len(counted)),
        is_over=series.is_finished and not left and after is None,
        persons=persons,
    )


def _results(
    series: Series, columns: Sequence[Column]
) -> tuple[dict[int, list[Result]], dict[int, tuple[int, ...]]]:
    """Return each player's results and persons; a player is named by the key of a person."""
    by_event = {column.joined.event_id: column for column in columns if not column.elsewhere}
    elsewhere = {column.joined.pk: column for column in columns if column.elsewhere}
    played = EventPlace.objects.filter(event__in=list(by_event)).order_by("event", "place", "pk")
    found: list[tuple[int, Result]] = []
    for event, person, place, shared, heats, chicagos in played.values_list(
        "event", "registration__person", "place", "shared", "heats_won", "chicagos"
    ):
        column = by_event[event]
        found.append(
            (person, Result(column.number - 1, place, shared, column.size, heats, chicagos))
        )
    found += _outside(elsewhere)
    same = _same(series, {person for person, _result in found})
    persons: dict[int, set[int]] = defaultdict(set)
    best: dict[int, dict[int, Result]] = defaultdict(dict)
    for person, result in found:
        player = same.get(person, person)
        persons[player].add(person)
        known = best[player].get(result.event)
        if known is None or result.place < known.place:
            best[player][result.event] = result
    return (
        {player: list(own.values()) for player, own in best.items()},
        {player: tuple(sorted(each)) for player, each in persons.items()},
    )


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


def _same(series: Series, persons: set[int]) -> dict[int, int]:
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
    best = standing.lines[0].total if standing.lines else Fraction(0)
    return [_row(standing, line, names[line.player], best) for line in lines]


def _row(standing: Standing, line: Line, name: tuple[str, str], best: Fraction) -> Row:
    places = {result.event: result.place for result in line.results}
    most = can_reach(standing.rules, line, standing.left)
    can_win = standing.rules.has_no_limit or most >= best
    return Row(
        place=line.place,
        shared=line.shared,
        name=name[0],
        club=name[1],
        total=line.total,
        gave=tuple(
            Gave(
                line.gave[column.number - 1],
                places[column.number - 1],
                column.number - 1 in line.dropped,
            )
            if column.number - 1 in line.gave
            else None
            for column in standing.columns
        ),
        can_win=bool(standing.left) and can_win,
        most=most if standing.left else None,
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
