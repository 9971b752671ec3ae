"""What screens show of play: tables, clocks, the bracket, the final, the champion."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.enums import SheetStatus
from scoring.models import Sheet
from scoring.pictures.svg import svg
from scoring.reading.games import games_of
from scoring.reading.outlook import Need, needs_of
from scoring.reading.protocol import protocol_from
from scoring.reading.race import Race, races_of
from scoring.reading.rules import rules_of

from ...core.clock import clock_of
from ...core.days import next_day
from ...core.expiry import expire_at
from ...heats.queries.cards import HeatCard, heat_cards, open_heats
from ...models import Event, Heat, HeatResult
from ...models.enums import HeatStatus, StageKind
from ...notices.queries.announcements import break_of
from ...playoffs.drawing import bracket as layout
from ...playoffs.drawing.sheet import address_of, title_of
from ...playoffs.queries.bracket import bracket_of
from ...registration.queries.about import picture_of
from ...results.queries.final import champions_of, full_ranking
from .pages import IN_A_TILE, TILES, TILES_BESIDE, Part, pages_of
from .short import Name, fitting
from .times import when

#: More of the bracket's tables nobody can read from afar.
BRACKET_TABLES = 16
#: So many tiles fit in two and in three columns.
FOUR_LARGE, NINE = 4, 9
#: How long the champion interrupts what screens show.
AFTER_THE_FINAL = timedelta(minutes=15)


@dataclass(frozen=True)
class Tile:
    """A table: its players with scores."""

    number: str
    what: str
    clock: Any
    seats: tuple[tuple[Name, str, bool, int], ...]


@dataclass(frozen=True)
class Coming:
    """What comes next, and when."""

    text: str
    when: str
    at: datetime


def _tile(card: HeatCard, names: Mapping[str, Name]) -> Tile:
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


def tables(event: Event, beside: bool) -> Part:
    """Return all tables with scores and clocks, by table."""
    cards = sorted(
        open_heats(event), key=lambda card: (card.heat.table_number or 9999, card.heat.number)
    )
    names = fitting({seat.player_id: seat.name for card in cards for seat in card.seats}, IN_A_TILE)
    tiles = [_tile(card, names) for card in cards]
    said = "" if tiles else _("No heat is being played.")
    pages = pages_of(tiles, TILES_BESIDE if beside else TILES)
    return Part(_("All tables"), pages, _tile_columns(pages), said)


def _tile_columns(pages: tuple[Sequence[Tile], ...]) -> int:
    """Return in how many columns tiles are as large as can be."""
    most = max(map(len, pages), default=0)
    if most <= FOUR_LARGE:
        return 2
    return 3 if most <= NINE else 4


def clock(event: Event, beside: bool) -> Part:
    """Return the clock that ends last, or a break, and what comes next."""
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
    return [Coming(text, when(at), at) for at, text in sorted(found)[:3]]


def bracket(event: Event, beside: bool) -> Part:
    """Return the bracket."""
    found = bracket_of(event, BRACKET_TABLES)
    if event.ends_with_heats or not found.rounds:
        return Part(_("The bracket"), said=_("There is no bracket yet."))
    picture = layout.wide(found, title_of(event), address_of(event))
    drawing = svg(picture, name="bracket")
    return Part(_("The bracket"), more={"drawing": drawing})


def final_heat(event: Event) -> Heat | None:
    """Return the heat of the final that is played (one query)."""
    heats = event.heats.open().select_related("table", "stage")
    return heats.filter(stage__kind=StageKind.FINAL).order_by("number").first()


def last_final(event: Event) -> Heat | None:
    """Return the heat of the final that is played, or was a moment ago (one query)."""
    lately = Q(status=HeatStatus.FINISHED, finished_at__gt=timezone.now() - AFTER_THE_FINAL)
    finals = event.heats.filter(stage__kind=StageKind.FINAL)
    return finals.filter(lately | Q(status=HeatStatus.OPEN)).order_by("-number").first()


@dataclass(frozen=True)
class FinalTile:
    """A finalist: score in this game, and game points before it."""

    name: Name
    score: str
    points: Any
    executed: bool
    asterisks: int
    need: str
    line: int


def final(event: Event, beside: bool) -> Part:
    """Return the table of the final."""
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


def champion(event: Event, beside: bool) -> Part:
    """Return the champion and the podium."""
    champions = champions_of(event)
    if not champions:
        return Part(_("The champion"), said=_("The event is not over."))
    ranking = full_ranking(event)
    podium = [row for row in ranking.rows[:4] if row.place is not None and row.place <= 3]
    return Part(
        _("The champion"),
        more={"champions": champions, "podium": podium, "picture": picture_of(event)},
    )
