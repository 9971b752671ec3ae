"""Heats as cards: what is happening at each table right now."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import IntEnum
from statistics import median
from typing import Any

from django.db.models import Min, QuerySet
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from scoring.enums import Acceptance, RowKind, SheetStatus
from scoring.host import Clock
from scoring.models import AskedOften, Blank, Objection, Sheet, SheetEntry
from scoring.reading.games import games_of
from scoring.reading.protocol import ProtocolData, protocol_from
from scoring.reading.ranking import heat_ranking
from scoring.reading.records import heat_penalties, latest_flip_flops
from scoring.reading.rules import rules_of
from scoring.reading.words import status_text

from ...core.clock import clock_of
from ...core.days import starts_later, times_of
from ...core.expiry import age_text, expire_at
from ...core.names import distinct_names, staff_name, staff_text_of
from ...models import Event, Heat, HeatEntry
from ...models.alphabet import name_key
from ...models.enums import HeatStatus
from .auditor import can_be_auditor

#: A table without entries for this long is worth a look.
SILENT = timedelta(minutes=10)
#: How long a table may take to sit down and open its card.
SITTING_DOWN = timedelta(minutes=5)

#: Used while there is no rule set to ask.
TARGET = 52


@dataclass(frozen=True)
class SeatNow:
    """A player at a table now."""

    player_id: str
    number: int
    name: str
    score: int
    executed: bool = False
    asterisks: int = 0
    discardless: bool = False
    status: str = "in"
    dealer: bool = False
    target: int = TARGET

    @property
    def out(self) -> str:
        """What is shown instead of the score of a player who is out."""
        return status_text(self.status)

    @property
    def share(self) -> int:
        """Return the score in percent of the target, 0 to 100, for a bar."""
        return max(0, min(100, self.score * 100 // self.target))


class Need(IntEnum):
    """What an open heat needs somebody for, most urgent first."""

    CALL = 0
    #: An objection, or an unusual line that nobody has looked at.
    REVIEW = 1
    #: Somebody who was registered twice also sits at another table.
    TWO_SEATS = 2
    CLOSING = 3
    SILENT = 4
    AUDITOR = 5
    TIME_UP = 6
    BEHIND = 7
    NOTHING = 8


@dataclass(frozen=True)
class HeatCard:
    """A heat now: game and deal, scores, and the time of the last entry.

    ``objection_since``, ``unusual_since``, ``elsewhere`` (who also sits at another table) and
    ``behind`` (half of the tables drawn with it are at least two games ahead) are filled by
    :func:`with_needs` only; so is ``tied``: a tie decides who advances, and no Flip Flop is
    recorded.
    """

    heat: Heat
    seats: tuple[SeatNow, ...]
    sheets: tuple[Sheet, ...] = ()
    game: int = 0
    deal: int = 0
    finished_games: int = 0
    #: Not played because time was up.
    void_games: int = 0
    last_entry_at: datetime | None = None
    call_since: datetime | None = None
    call_reason: str = ""
    auditor: str = ""
    #: Since when a device has kept the score.
    lease_since: datetime | None = None
    #: By reference; for the staff in the order of their lists.
    names: dict[str, str] = field(default_factory=dict)
    objection_since: datetime | None = None
    unusual_since: datetime | None = None
    elsewhere: str = ""
    behind: bool = False
    tied: bool = False

    @property
    def game_now(self) -> int:
        """The game that a penalty given now counts in: the running or next one, 0 if none is."""
        for status in (SheetStatus.RUNNING, SheetStatus.WAITING):
            for sheet in self.sheets:
                if sheet.status == status:
                    return sheet.number
        return 0

    @property
    def all_games_finished(self) -> bool:
        """Whether only closing is left to do."""
        return self.finished_games + self.void_games == self.heat.games_planned

    @property
    def clock(self) -> Clock | None:
        """The clock, unless all games are finished."""
        return None if self.all_games_finished else clock_of(self.heat, self.heat.event)

    @property
    def playing(self) -> list[str]:
        """The references of its players, without those who have gone."""
        table = self.heat.table
        return [each for each in table.players if each not in table.absent] if table else []

    @property
    def times(self) -> str:
        """The heat's own doors, start and end in words, if it has them."""
        return times_of(self.heat, dated=False)

    @property
    def is_later(self) -> bool:
        """Whether it was drawn for later and nobody has begun: no clock, no line, no call."""
        begun = self.heat.clock_started_at or self.last_entry_at or self.call_since
        is_open = self.heat.status == HeatStatus.OPEN
        return is_open and begun is None and starts_later(self.heat)

    @property
    def since(self) -> datetime | None:
        """When something last happened at the table."""
        return self.last_entry_at or self._seated_at

    @property
    def _seated_at(self) -> datetime | None:
        """When its players were to sit down."""
        opened, start = self.heat.opened_at, self.heat.starts_at
        return max(opened, start) if opened and start else opened

    @property
    def silent(self) -> bool:
        """Whether a game should be running but nothing has been entered for long."""
        return self._plays and _is_past(self.since, SILENT)

    @property
    def _plays(self) -> bool:
        """Whether a game should be running."""
        is_open = self.heat.status == HeatStatus.OPEN
        return is_open and not self.all_games_finished and not self.is_later

    @property
    def label(self) -> str:
        """What is happening at the table, for the staff."""
        if self.all_games_finished:
            return self._finished_label
        if self.silent:
            return _("nothing written for %(age)s") % {"age": age_text(self.since)}
        if self.last_entry_at:
            return _("last line: %(age)s") % {"age": age_text(self.last_entry_at)}
        if self.is_later and self.heat.starts_at:
            start = time_format(timezone.localtime(self.heat.starts_at), "H:i")
            return _("drawn for %(time)s") % {"time": start}
        return _("nothing written yet")

    @property
    def _finished_label(self) -> str:
        """What a table with all games finished is waiting for."""
        if self.tied:
            return _("a Flip Flop decides")
        return _("waits for the table's sign-off") if self.sign_off_closes else _("ready to close")

    @property
    def sign_off_closes(self) -> bool:
        """Whether the table has yet to sign off, and its sign-off closes the heat."""
        event, table = self.heat.event, self.heat.table
        directors = event.results_need_director or event.acceptance == Acceptance.DIRECTOR
        return not directors and table is not None and table.signed_at is None

    @property
    def progress(self) -> str:
        """Which game and deal the table has reached."""
        if self.all_games_finished:
            return _("all games finished")
        return _("game %(game)s of %(games)s, deal %(deal)s") % {
            "game": self.game,
            "games": self.heat.games_planned,
            "deal": self.deal,
        }

    @property
    def tag(self) -> str:
        """The CSS class of the label."""
        if self.tied or self.silent:
            return "tag tag-amber"
        return "tag" if self.all_games_finished else ""

    @property
    def status_tag(self) -> str:
        """The CSS class of the heat's status."""
        tags = {HeatStatus.VOID: "tag tag-red", HeatStatus.FINISHED: "tag tag-quiet"}
        return tags.get(HeatStatus(self.heat.status), "tag")

    @property
    def tone(self) -> str:
        """The CSS class of the card for the staff."""
        if self.call_since is not None:
            return "is-call"
        return "is-silent" if self.silent else ""

    @property
    def time_up(self) -> bool:
        """Whether the heat's time is up while games are left."""
        left = minutes_left(self.heat, self.heat.event)
        return left is not None and left <= 0 and not self.all_games_finished

    @property
    def has_auditor(self) -> bool:
        """Whether somebody is to keep the score, or a device does."""
        return bool(self.auditor or self.lease_since)

    @property
    def needs_somebody(self) -> bool:
        """Whether something here needs a director."""
        return self.need[0] < Need.NOTHING

    @property
    def lacks_auditor(self) -> bool:
        """Whether nobody keeps the score though the table has had time to sit down."""
        return self._plays and not self.has_auditor and _is_past(self._seated_at, SITTING_DOWN)

    @property
    def due(self) -> str:
        """What needs a director, in a few words."""
        if self.call_since is not None:
            words = _("calls the director, %(age)s") % {"age": age_text(self.call_since)}
            return f"{words}: {self.call_reason}" if self.call_reason else words
        if self.need[0] == Need.REVIEW:
            return _("an objection") if self.objection_since else _("an unusual line")
        if self.need[0] == Need.TWO_SEATS:
            return self.two_seats
        if self.need[0] == Need.TIME_UP:
            return _("time is up")
        return _("behind the others") if self.need[0] == Need.BEHIND else self.label

    @property
    def two_seats(self) -> str:
        """Who also sits at another table, in words."""
        return self.elsewhere and _("%(name)s also sits at another table") % {
            "name": self.elsewhere
        }

    @property
    def need(self) -> tuple[Need, float]:
        """What it needs somebody for, and the order of equals: longest first, or by number."""
        since = self.since.timestamp() if self.since else 0
        table = self.heat.table_number or self.heat.number
        if self.call_since is not None:
            return (Need.CALL, self.call_since.timestamp())
        if review_since := self.objection_since or self.unusual_since:
            return (Need.REVIEW, review_since.timestamp())
        if self.elsewhere:
            return (Need.TWO_SEATS, table)
        if self.all_games_finished:
            return (Need.CLOSING, since)
        if self.silent:
            return (Need.SILENT, since)
        if self.lacks_auditor:
            return (Need.AUDITOR, table)
        if self.time_up:
            return (Need.TIME_UP, minutes_left(self.heat, self.heat.event) or 0)
        return (Need.BEHIND if self.behind else Need.NOTHING, table)


def _is_past(since: datetime | None, long: timedelta) -> bool:
    """Return whether this time has gone by since then; the page holds until it has."""
    if since is None:
        return False
    if timezone.now() - since > long:
        return True
    expire_at(since + long)
    return False


_OPEN = AskedOften(
    lambda: (
        Heat.objects.filter(event=Blank())
        .open()
        .select_related("table", "stage")
        .order_by("table_number", "number")
    )
)


def open_heats(event: Event, *, by_need: bool = False, staff: bool = False) -> list[HeatCard]:
    """Return the event's open heats (three queries, whatever their number).

    ``by_need``: with what they need somebody for, most urgent first (three more queries).
    ``staff``: with names that only the event's own staff may see.
    """
    heats = _OPEN.rows(event.pk)
    for heat in heats:
        heat.event = event
    cards = heat_cards(heats, staff=staff)
    if not by_need:
        return cards
    here = [heat.pk for heat in heats]
    objections = Objection.objects.unanswered().filter(sheet__heat_game__heat__in=here)
    unusual = unusual_entries().filter(sheet__heat_game__heat__in=here)
    return with_needs(cards, objections=_first(objections), unusual=_first(unusual))


def with_needs(
    cards: Sequence[HeatCard],
    *,
    objections: Mapping[int, datetime],
    unusual: Mapping[int, datetime],
) -> list[HeatCard]:
    """Return the cards with what they need somebody for, most urgent first (three queries).

    ``objections`` and ``unusual`` give the times of the first ones by the heats' keys.
    """
    behind = _behind(cards)
    tied = _tied([card for card in cards if card.all_games_finished])
    seats = Counter(player for card in cards for player in card.playing)
    found = (
        replace(
            card,
            objection_since=objections.get(card.heat.pk),
            unusual_since=unusual.get(card.heat.pk),
            elsewhere=", ".join(card.names[each] for each in card.playing if seats[each] > 1),
            behind=card.heat.pk in behind,
            tied=card.heat.pk in tied,
        )
        for card in cards
    )
    return sorted(found, key=lambda card: card.need)


def _tied(cards: Iterable[HeatCard]) -> set[int]:
    """Return the finished heats of these cards that need a Flip Flop (two queries)."""
    tables = {card.heat.table: card for card in cards if card.heat.table}
    orders, penalties = latest_flip_flops(tables), heat_penalties(tables)
    return {
        card.heat.pk
        for table, card in tables.items()
        if heat_ranking(
            table=table,
            sheets=card.sheets,
            flip_flops=[row.order for row in orders.get(table.pk, ())],
            penalties=penalties.get(table.pk, ()),
        ).needs_flip_flop
    }


def _first(rows: QuerySet[Any]) -> dict[int, datetime]:
    """Return when the first of these rows was made, by heat (one query)."""
    heats = rows.order_by().values_list("sheet__heat_game__heat")
    return dict(heats.annotate(first=Min("created_at")))


def unusual_entries() -> QuerySet[SheetEntry]:
    """Return confirmed unusual entries that nobody has reviewed.

    Leaves out entries voided or replaced since, and void games.
    """
    return (
        SheetEntry.objects.filter(confirmed=True, kind=RowKind.ENTRY, review__isnull=True)
        .exclude(sheet__status=SheetStatus.VOID)
        .exclude(corrections__kind__in=[RowKind.VOID, RowKind.AMEND])
    )


def _behind(cards: Sequence[HeatCard]) -> set[int]:
    """Return the heats that are two games behind half of those drawn with them (one query).

    Closed heats count with all their games. Heats without a draw are compared with each other.
    """

    def group(card: HeatCard) -> tuple[int, int | None]:
        return card.heat.stage_id, card.heat.draw_id

    games: dict[tuple[int, int | None], list[int]] = {}
    cards = [card for card in cards if not card.is_later]
    for card in cards:
        games.setdefault(group(card), []).append(card.game)
    closed = Heat.objects.finished().filter(draw__in={draw for _stage, draw in games if draw})
    for stage, draw, planned in closed.values_list("stage", "draw", "games_planned"):
        games.setdefault((stage, draw), []).append(planned)
    return {
        card.heat.pk for card in cards if card.game and median(games[group(card)]) >= card.game + 2
    }


_SHEETS = AskedOften(lambda: Sheet.objects.filter(table__in=Blank(several=True)).order_by("number"))
_ENTRIES = AskedOften(
    lambda: (
        HeatEntry.objects.filter(heat__in=Blank(several=True))
        .select_related("registration__person")
        .order_by("pk")
    )
)


def heat_cards(heats: Iterable[Heat], *, staff: bool = False) -> list[HeatCard]:
    """Return cards for these heats, in their order (two queries besides the heats')."""
    heats = list(heats)
    sheets: dict[int, list[Sheet]] = {}
    for sheet in _SHEETS.rows([heat.table_id for heat in heats if heat.table_id]):
        sheets.setdefault(sheet.table_id, []).append(sheet)
    entries: dict[int, list[HeatEntry]] = {}
    for entry in _ENTRIES.rows([heat.pk for heat in heats]):
        entries.setdefault(entry.heat_id or 0, []).append(entry)
    return [
        _card(heat, sheets.get(heat.table_id or 0, []), entries.get(heat.pk, []), staff)
        for heat in heats
    ]


def _card(heat: Heat, sheets: list[Sheet], entries: list[HeatEntry], staff: bool) -> HeatCard:
    registrations = {entry.registration.player_id: entry.registration for entry in entries}
    names = distinct_names(registrations.values())
    if staff:
        rows = sorted(registrations.values(), key=lambda row: name_key(row.person.filed_name))
        names = {row.player_id: staff_name(row.person) for row in rows}
    shown = _shown(sheets)
    state: dict[str, Any] = shown.state if shown else {}
    player_ids = shown.seats if shown else list(registrations)
    target = rules_of(heat.table).target if heat.table else TARGET
    seats = tuple(
        SeatNow(
            player_id=player_id,
            number=registrations[player_id].number if player_id in registrations else 0,
            name=names.get(player_id, player_id),
            score=state["scores"][seat] if state else 0,
            executed=bool(state) and state["executed"][seat],
            asterisks=state["asterisks"][seat] if state else 0,
            discardless=bool(state) and state["discardless"][seat],
            status=state["status"][seat] if state else "in",
            dealer=bool(state) and not state["finished"] and state["dealer"] == seat,
            target=target,
        )
        for seat, player_id in enumerate(player_ids)
    )
    table = heat.table
    auditor = registrations.get(table.auditor) if table else None
    # A player who is disqualified or gone cannot keep the score: the table needs another Auditor.
    if table and auditor is not None and not can_be_auditor(table, auditor):
        auditor = None
    return HeatCard(
        heat=heat,
        seats=seats,
        sheets=tuple(sheets),
        game=shown.number if shown else 0,
        deal=state["deal"] + 1 if state else 0,
        finished_games=sum(sheet.status == SheetStatus.FINISHED for sheet in sheets),
        void_games=sum(sheet.status == SheetStatus.VOID for sheet in sheets),
        last_entry_at=max(
            (sheet.last_entry_at for sheet in sheets if sheet.last_entry_at), default=None
        ),
        call_since=table.call_since if table else None,
        call_reason=table.call_text if table else "",
        auditor=names[auditor.player_id] if auditor else "",
        lease_since=shown.scored_since if shown else None,
        names=names,
    )


def _shown(sheets: list[Sheet]) -> Sheet | None:
    """Return the running game's sheet, else the last finished one, else the first."""
    running = [sheet for sheet in sheets if sheet.status == SheetStatus.RUNNING]
    finished = [sheet for sheet in sheets if sheet.status == SheetStatus.FINISHED]
    best = running or finished[-1:] or sheets[:1]
    return best[0] if best else None


def protocol_for(heat: Heat, names: Mapping[str, str]) -> ProtocolData | None:
    """Return a heat's protocol with these (staff) names, or None without sheets."""
    if heat.table is None:
        return None
    sheets = list(Sheet.objects.filter(table=heat.table).order_by("number"))
    return protocol_from(games_of(heat.table, sheets, names, staff_text_of(heat.event)))


def minutes_left(heat: Heat, event: Event) -> int | None:
    """Return the whole minutes left, negative in overtime; None until the clock has started."""
    clock = clock_of(heat, event)
    if clock is None or clock.state == "ready":
        return None
    left = -(-clock.left // 60)
    if clock.ends_at is not None:
        expire_at(clock.ends_at - timedelta(minutes=left - 1))
    return left
