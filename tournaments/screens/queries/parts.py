"""What screens show: each part as its pages, with everything decided."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from statistics import median
from typing import Any, TypeVar

from django.db.models import Max
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from scoring.enums import SheetStatus
from scoring.models import Sheet
from scoring.reading.games import games_of
from scoring.reading.outlook import Need, needs_of
from scoring.reading.protocol import protocol_from
from scoring.reading.race import Race, races_of
from scoring.reading.rules import rules_of

from ...core.clock import clock_of
from ...core.days import next_day
from ...core.expiry import expire_at
from ...core.names import distinct_names, in_order
from ...heats.queries.cards import HeatCard, heat_cards, open_heats
from ...models import Draw, Event, Heat, HeatEntry, HeatResult
from ...models.enums import DrawStatus, HeatStatus, ScreenPart, StageKind
from ...notices.queries.announcements import Shown, break_of, to_all
from ...playoffs.drawing import bracket as layout
from ...playoffs.drawing.sheet import address_of, title_of
from ...playoffs.drawing.svg import svg
from ...playoffs.queries.bracket import bracket_of
from ...registration.queries.about import picture_of
from ...registration.queries.queue import queue_of
from ...results.queries.final import champions_of, full_ranking
from ...results.queries.player_standings import player_standings_of
from ...results.queries.standings import qualified_of
from .short import fitting

#: How long a draw's seats interrupt what screens show.
AFTER_A_DRAW = timedelta(minutes=10)
#: Letters of a name that fit, and rows on a page: the style sheet gives each a fixed share of the
#: height (static/screens/screen.css).
IN_A_TILE, IN_A_THIRD, IN_A_HALF = 15, 20, 30
TILES, ROWS = 16, 15
#: With a line for announcements there is room for less.
TILES_BESIDE, ROWS_BESIDE = 12, 13
THIRDS, HALVES = 3, 2
#: Seconds for which a page is shown, at least and at most.
PAGE_SECONDS = (8, 20)
#: More of the bracket's tables nobody can read from afar.
BRACKET_TABLES = 16
#: So many finished heats tell how long one takes.
HEATS_FOR_LENGTH = 30

Item = TypeVar("Item")


@dataclass(frozen=True)
class Row:
    """A line: what is large at its end, and a tag."""

    name: str
    value: str
    lead: str = ""
    tag: str = ""


@dataclass(frozen=True)
class Tile:
    """A table: its players with scores."""

    number: str
    what: str
    clock: Any
    seats: tuple[tuple[str, str, bool, int], ...]


@dataclass(frozen=True)
class Coming:
    """What comes next, and when."""

    text: str
    when: str
    at: datetime


@dataclass(frozen=True)
class Part:
    """One part: the title, its pages, and what else its template shows."""

    title: str
    pages: tuple[Any, ...] = ()
    columns: int = 1
    said: str = ""
    more: dict[str, Any] = field(default_factory=dict)


def part_of(event: Event, code: ScreenPart, *, beside: bool) -> Part:
    """Return a part; ``beside``: a line of announcements needs room."""
    return _PARTS[code](event, beside)


def _pages(items: Sequence[Item], most: int) -> tuple[Sequence[Item], ...]:
    """Return the items in pages as equal as can be."""
    if not items:
        return ()
    number = -(-len(items) // most)
    size = -(-len(items) // number)
    return tuple(items[start : start + size] for start in range(0, len(items), size))


def _columns(rows: Sequence[Row], columns: int, beside: bool) -> tuple[Any, ...]:
    """Return pages of columns of rows, read down each column."""
    most = ROWS_BESIDE if beside else ROWS
    return tuple(
        [page[start : start + most] for start in range(0, len(page), most)]
        for page in _fill(rows, most * columns)
    )


def _fill(rows: Sequence[Row], most: int) -> list[Sequence[Row]]:
    return [rows[start : start + most] for start in range(0, len(rows), most)]


# --- seats -------------------------------------------------------------------------------------


def last_draw(event: Event) -> tuple[Draw, datetime] | None:
    """Return the last published draw whose heats are played or to come, and when (one query)."""
    open_ = event.draws.filter(status=DrawStatus.PUBLISHED, heats__status=HeatStatus.OPEN)
    found: Any = open_.annotate(at=Max("heats__created_at")).order_by("-number").first()
    return (found, found.at) if found is not None else None


def _seats(event: Event, beside: bool) -> Part:
    drawn = last_draw(event)
    title = _("Where do I sit?")
    if drawn is None:
        return Part(title, said=_("No heat is drawn."))
    entries = HeatEntry.objects.filter(heat__draw=drawn[0], heat__status=HeatStatus.OPEN)
    rows = sorted(
        entries.select_related("heat", "registration__person"),
        key=lambda entry: in_order(entry.registration),
    )
    names = fitting(distinct_names(entry.registration for entry in rows), IN_A_THIRD)
    lines = []
    for entry in rows:
        assert entry.heat is not None
        table = entry.heat.table_number
        lines.append(
            Row(names[entry.registration.player_id], str(table) if table else str(entry.heat))
        )
    return Part(title, _columns(lines, THIRDS, beside), THIRDS, more={"label": _("Table")})


# --- tables and clocks ---------------------------------------------------------------------------


def _tile(card: HeatCard, names: Mapping[str, str]) -> Tile:
    table = card.heat.table_number
    return Tile(
        number=str(table) if table else str(card.heat),
        what=_("game %(game)s") % {"game": card.game} if card.game else "",
        clock=card.clock,
        seats=tuple(
            (names[seat.player_id], seat.out or str(seat.score), seat.executed, seat.asterisks)
            for seat in card.seats
        ),
    )


def _tables(event: Event, beside: bool) -> Part:
    cards = sorted(
        open_heats(event), key=lambda card: (card.heat.table_number or 9999, card.heat.number)
    )
    names = fitting({seat.player_id: seat.name for card in cards for seat in card.seats}, IN_A_TILE)
    tiles = [_tile(card, names) for card in cards]
    said = "" if tiles else _("No heat is being played.")
    return Part(
        _("All tables"), _pages(tiles, TILES_BESIDE if beside else TILES), said=said, columns=4
    )


def _clock(event: Event, beside: bool) -> Part:
    heats = list(event.heats.open().order_by("number"))
    clocks = [clock for heat in heats if (clock := clock_of(heat, event)) is not None]
    running = [clock for clock in clocks if clock.state == "running" and clock.ends_at]
    paused = break_of(event)
    if paused is not None:
        expire_at(paused.ends_at)
    # The last one: until then nobody has to look up.
    main = max(running, key=lambda clock: clock.ends_at or timezone.now(), default=None)
    return Part(
        _("The clock"),
        more={
            "break": paused,
            "clock": main,
            "coming": coming(event, heats),
            "now": timezone.localtime(),
        },
    )


def coming(event: Event, heats: Iterable[Heat]) -> list[Coming]:
    """Return what comes next, soonest first."""
    now = timezone.now()
    found = []
    begins: dict[datetime, list[Heat]] = {}
    for heat in heats:
        if heat.starts_at is not None and heat.starts_at > now and not heat.clock_started_at:
            begins.setdefault(heat.starts_at, []).append(heat)
    for at, these in begins.items():
        first, last = these[0], these[-1]
        if len(these) > 1 and not any(heat.title for heat in these):
            text = _("Heats %(first)s–%(last)s begin") % {
                "first": first.number,
                "last": last.number,
            }
        else:
            text = _("%(heat)s begins") % {"heat": ", ".join(str(heat) for heat in these)}
        found.append((at, text))
    drafts = event.draws.drafts().filter(starts_at__gt=now).order_by("starts_at")
    found += [(draw.starts_at, _("Next draw")) for draw in drafts[:1] if draw.starts_at]
    day = next_day(list(event.timetable.all()))
    if day is not None and day.starts_at > now:
        found.append((day.starts_at, _("%(day)s begins") % {"day": day.title}))
    for at, _text in found:
        expire_at(at)
    return [Coming(text, _when(at), at) for at, text in sorted(found)[:3]]


def _when(at: datetime) -> str:
    local = timezone.localtime(at)
    time = time_format(local, "H:i")
    return time if local.date() == timezone.localdate() else f"{date_format(local, 'l')} {time}"


# --- lists of players ----------------------------------------------------------------------------


def _waiting(event: Event, beside: bool) -> Part:
    queue = queue_of(event)
    names = fitting(distinct_names(entry.registration for entry in queue.waiting), IN_A_THIRD)
    seated = {entry.pk for entry in queue.plan.seated}
    lines = [
        Row(
            names[entry.registration.player_id],
            "",
            lead=str(number),
            tag=_("next") if entry.pk in seated else "",
        )
        for number, entry in enumerate(queue.waiting, start=1)
    ]
    said = _("Nobody waits for a heat.")
    if lines:
        at = free_at(event)
        said = _("About %(time)s") % {"time": _when(at)} if at else ""
    return Part(_("Waiting for a heat"), _columns(lines, THIRDS, beside), THIRDS, said=said)


def free_at(event: Event) -> datetime | None:
    """Return when about the next table will be free, if that can be said (at most two queries).

    By the tables' clocks, otherwise by how long heats have taken.
    """
    now = timezone.now()
    heats = list(event.heats.open())
    ends = [clock.ends_at for heat in heats if (clock := clock_of(heat, event)) and clock.ends_at]
    if not ends:
        times = event.heats.finished().filter(opened_at__isnull=False, finished_at__isnull=False)
        taken = [
            finished - opened
            for opened, finished in times.order_by("-finished_at").values_list(
                "opened_at", "finished_at"
            )[:HEATS_FOR_LENGTH]
            if finished and opened
        ]
        if taken:
            long = timedelta(seconds=median(each.total_seconds() for each in taken))
            ends = [heat.opened_at + long for heat in heats if heat.opened_at]
    later = [end for end in ends if end > now]
    if not later:
        return None
    expire_at(min(later))
    # Nobody knows it to the minute.
    return min(later) + timedelta(minutes=-timezone.localtime(min(later)).minute % 5)


def _standings(event: Event, beside: bool) -> Part:
    rows = [row for row in player_standings_of(event) if row.result is not None]
    names = fitting({str(row.number): row.name for row in rows}, IN_A_HALF)
    lines = [
        Row(
            names[str(row.number)],
            f"{int((row.share or 0) * 100)} %",
            lead=str(place),
            tag="✓" if row.went_on else "",
        )
        for place, row in enumerate(rows, start=1)
    ]
    said = "" if lines else _("No heat is finished yet.")
    return Part(_("Standings"), _columns(lines, HALVES, beside), HALVES, said=said)


def _qualified(event: Event, beside: bool) -> Part:
    rows = list(qualified_of(event))
    names = fitting(distinct_names(row.registration for row in rows), IN_A_THIRD)
    lines = [Row(names[row.registration.player_id], "", lead=str(row.order)) for row in rows]
    said = "" if lines else _("Nobody has qualified yet.")
    return Part(_("Through"), _columns(lines, THIRDS, beside), THIRDS, said=said)


# --- the play-offs -------------------------------------------------------------------------------


def _bracket(event: Event, beside: bool) -> Part:
    found = bracket_of(event, BRACKET_TABLES)
    if event.ends_with_heats or not found.rounds:
        return Part(_("The bracket"), said=_("There is no bracket yet."))
    picture = layout.wide(found, title_of(event), address_of(event))
    # Safe: our own writer escapes all text.
    drawing: SafeString = mark_safe(svg(picture, name="bracket"))
    return Part(_("The bracket"), more={"drawing": drawing})


def final_heat(event: Event) -> Heat | None:
    """Return the heat of the final that is played (one query)."""
    heats = event.heats.open().select_related("table", "stage")
    return heats.filter(stage__kind=StageKind.FINAL).order_by("number").first()


@dataclass(frozen=True)
class FinalTile:
    """A finalist: score in this game, and game points before it."""

    name: str
    score: str
    points: Any
    executed: bool
    asterisks: int
    need: str
    line: int


def _final(event: Event, beside: bool) -> Part:
    heat = final_heat(event)
    if heat is None or heat.table is None:
        return Part(_("The final"), said=_("The final is not being played."))
    heat.event = event
    [card] = heat_cards([heat])
    sheets = list(Sheet.objects.filter(table=heat.table).order_by("number"))
    games = games_of(heat.table, sheets, card.names)
    results = dict(
        HeatResult.objects.filter(heat=heat).values_list(
            "entry__registration__number", "game_points"
        )
    )
    needs: dict[str, Need] = {}
    for need in needs_of(protocol_from(games), is_final=True, clock=card.clock):
        needs.setdefault(need.player_id, need)
    names = fitting({seat.player_id: seat.name for seat in card.seats}, IN_A_TILE)
    tiles = tuple(
        FinalTile(
            name=names[seat.player_id],
            score=seat.out or str(seat.score),
            points=results.get(seat.number),
            executed=seat.executed,
            asterisks=seat.asterisks,
            need=" ".join(needs[seat.player_id].sentences) if seat.player_id in needs else "",
            line=place,
        )
        for place, seat in enumerate(card.seats)
    )
    return Part(
        str(heat),
        more={"tiles": tiles, "race": _race(games, heat), "card": card, "clock": card.clock},
    )


def _race(games: Any, heat: Heat) -> Race | None:
    """Return the picture of the running game, otherwise of the last."""
    assert heat.table is not None
    played = [game for game in games.games if game.status != SheetStatus.VOID]
    races = races_of(played, rules_of(heat.table))
    return races[-1] if races else None


def _champion(event: Event, beside: bool) -> Part:
    champions = champions_of(event)
    if not champions:
        return Part(_("The champion"), said=_("The event is not over."))
    ranking = full_ranking(event)
    podium = [row for row in ranking.rows[:4] if row.place is not None and row.place <= 3]
    return Part(
        _("The champion"),
        more={"champions": champions, "podium": podium, "picture": picture_of(event)},
    )


# --- everything else -----------------------------------------------------------------------------


def _notices(event: Event, beside: bool) -> Part:
    shown: list[Shown] = to_all(event)
    said = "" if shown else _("There are no announcements.")
    return Part(_("Announcements"), _pages(shown, 4), said=said)


def _sponsors(event: Event, beside: bool) -> Part:
    pictures = tuple(
        (number, name, digest)
        for number, name, digest in event.screen_pictures.values_list("pk", "name", "digest")
    )
    return Part(_("Our sponsors"), pictures, said="" if pictures else event.name)


def _sign_up(event: Event, beside: bool) -> Part:
    return Part(event.name)


def _black(event: Event, beside: bool) -> Part:
    return Part("")


_PARTS: dict[ScreenPart, Callable[[Event, bool], Part]] = {
    ScreenPart.SEATS: _seats,
    ScreenPart.TABLES: _tables,
    ScreenPart.CLOCK: _clock,
    ScreenPart.WAITING: _waiting,
    ScreenPart.STANDINGS: _standings,
    ScreenPart.QUALIFIED: _qualified,
    ScreenPart.BRACKET: _bracket,
    ScreenPart.FINAL: _final,
    ScreenPart.CHAMPION: _champion,
    ScreenPart.NOTICES: _notices,
    ScreenPart.SPONSORS: _sponsors,
    ScreenPart.SIGN_UP: _sign_up,
    ScreenPart.BLACK: _black,
}
