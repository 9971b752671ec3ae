"""The floor: all open tables at a glance, those that need somebody first."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.messages import points_text
from scoring.enums import RowKind
from scoring.host import Clock
from scoring.models import Objection, SheetEntry
from scoring.reading.acceptance import ObjectionRow, objection_row
from scoring.reading.games import games_from_paper
from scoring.reasons import params_of
from scoring.words import lang

from ...core.names import staff_text_of
from ...draws.queries.plan import tables_of_room
from ...heats.queries.cards import HeatCard, Need, minutes_left, open_heats, with_needs
from ...heats.queries.codes import heats_with_blocked_codes
from ...models import Event, Heat, HeatResult, Penalty
from ...models.enums import RegistrationStatus
from .penalties import active_penalties, set_points_taken
from .warnings import SheetWarning, open_warnings

#: Further actions on all clocks: add minutes, and end heats whose time is up.
MORE, END = "more", "end"
STEP = 5


@dataclass(frozen=True)
class FloorCard:
    """An open table with everything that may need a director.

    ``left`` is in whole minutes, negative in overtime, None without a time limit. ``leads`` tells
    who leads the heat after its finished games.
    """

    card: HeatCard
    left: int | None = None
    warnings: tuple[SheetWarning, ...] = ()
    objections: tuple[ObjectionRow, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    leads: str = ""
    #: The numbers of games entered from paper, and whether each has been compared with it.
    from_paper: tuple[tuple[int, bool], ...] = ()
    #: Whether strangers have tried so many codes of the table that no more are taken.
    codes_blocked: bool = False

    @property
    def heat(self) -> Heat:
        return self.card.heat

    @property
    def away(self) -> list[str]:
        """The names of the players who are called away and fold each deal."""
        return self._named(self.heat.table.away if self.heat.table else None)

    @property
    def absent(self) -> list[str]:
        """The names of the players who are gone for the rest of the heat."""
        return self._named(self.heat.table.absent if self.heat.table else None)

    def _named(self, player_ids: Sequence[str] | None) -> list[str]:
        return [self.card.names.get(each, each) for each in player_ids or ()]

    @property
    def tone(self) -> str:
        """The CSS class of the card."""
        card = self.card
        if card.call_since is not None:
            return "is-call"
        if self.objections or self.warnings or card.silent or card.time_up or card.behind:
            return "is-silent"
        return "is-done" if self.card.all_games_finished else ""

    @property
    def auditor_label(self) -> str:
        """Who is to keep the score, and since when a device has."""
        words = {"name": self.card.auditor}
        if self.card.lease_since is None:
            if not self.card.auditor:
                return _("no Auditor")
            if self.card.last_entry_at is not None:
                return _("Auditor: %(name)s") % words
            return _("Auditor: %(name)s, has not begun") % words
        words["time"] = time_format(timezone.localtime(self.card.lease_since), "H:i")
        if not self.card.auditor:
            return _("score kept since %(time)s, no Auditor named") % words
        return _("%(name)s has kept the score since %(time)s") % words

    @property
    def auditor_tag(self) -> str:
        """The CSS class that marks a table that lacks somebody to keep the score."""
        return "tag tag-amber" if self.card.lacks_auditor else ""

    @property
    def penalties_by_ref(self) -> Mapping[str, list[Penalty]]:
        """Return the penalties in force by player reference."""
        found: dict[str, list[Penalty]] = {}
        for penalty in self.penalties:
            found.setdefault(penalty.registration.player_id, []).append(penalty)
        return found


def clock_button(clock: Clock | None) -> tuple[str, str] | None:
    """Return the code and label of the button for one clock, or None."""
    return {
        "ready": ("start", _("Start the clock")),
        "running": ("pause", _("Break: stop the clock")),
        "paused": ("go_on", _("Resume the clock")),
    }.get(clock.state if clock else "")


@dataclass(frozen=True)
class FloorTable:
    """A table of the room: free, or with its heat."""

    number: int
    card: FloorCard | None

    @property
    def tone(self) -> str:
        """The CSS class of the table."""
        return (self.card.tone or "is-played") if self.card else "is-free"

    @property
    def label(self) -> str:
        """The colour's meaning in words."""
        if self.card is None:
            return _("free")
        if self.card.card.call_since is not None:
            return _("calls the director")
        if self.card.card.behind:
            return _("behind the others")
        return self.card.card.label


@dataclass(frozen=True)
class Floor:
    """The floor page: open tables, warnings from closed heats, and what is due next."""

    cards: tuple[FloorCard, ...]
    closed_warnings: tuple[SheetWarning, ...] = ()
    due: str = ""
    due_heat: int | None = None
    room: tuple[FloorTable, ...] = ()
    counts: Mapping[int, int] = field(default_factory=dict)

    @property
    def clock_buttons(self) -> list[tuple[str, Any]]:
        """The codes and labels of the buttons for all clocks."""
        states = {
            each.card.clock.state
            for each in self.cards
            if each.card.clock and not each.card.is_later
        }
        more = [(MORE, _("+%(minutes)s min for all") % {"minutes": STEP})] if states else []
        if "over" in states:
            more.append((END, _("End those whose time is up")))
        return [
            (what, words)
            for state, what, words in (
                ("ready", "start", _("Start the clocks")),
                ("paused", "go_on", _("Resume the clocks")),
                ("running", "pause", _("Break: stop the clocks")),
            )
            if state in states
        ] + more

    @property
    def extra_minutes(self) -> str:
        """The extra minutes of each heat, by its number, as the form sends them back."""
        return " ".join(f"{card.heat.number}:{card.heat.extra_minutes}" for card in self.cards)

    @property
    def clock_states(self) -> str:
        """The state of each heat's clock, by its number, as the form sends them back."""
        clocks = [(card.heat.number, card.card.clock) for card in self.cards]
        return " ".join(f"{number}:{clock.state}" for number, clock in clocks if clock)

    @property
    def later(self) -> int:
        """How many tables were drawn for later."""
        return sum(each.card.is_later for each in self.cards)

    @property
    def playing(self) -> int:
        """How many tables are playing, or should be."""
        return len(self.cards) - self.later

    @property
    def calls(self) -> int:
        """How many tables call the director."""
        return self.counts.get(Need.CALL, 0)


def floor_of(event: Event) -> Floor:
    """Return the floor (at most sixteen queries, whatever the number of tables)."""
    found = open_heats(event, staff=True)
    tables = [card.heat.table_id for card in found if card.heat.table_id]
    penalties: dict[str, list[Penalty]] = {}
    shown = {seat.player_id for card in found for seat in card.seats}
    given = [row for row in active_penalties(event) if row.registration.player_id in shown]
    set_points_taken(given)
    for penalty in given:
        penalties.setdefault(penalty.registration.player_id, []).append(penalty)
    warnings: dict[int, list[SheetWarning]] = {}
    for warning in open_warnings(event):
        warnings.setdefault(warning.heat, []).append(warning)
    objections = open_objections(found)
    found = with_needs(
        found,
        objections={
            card.heat.pk: objections[card.heat.table_id][0].at
            for card in found
            if card.heat.table_id in objections
        },
        unusual={
            card.heat.pk: warnings[card.heat.number][0].at
            for card in found
            if card.heat.number in warnings
        },
    )
    leaders = _leaders(found)
    from_paper = _from_paper(tables)
    blocked = heats_with_blocked_codes([card.heat for card in found])
    cards = [
        FloorCard(
            card=card,
            left=minutes_left(card.heat, event),
            warnings=tuple(warnings.pop(card.heat.number, ())),
            objections=tuple(objections.get(card.heat.table_id or 0, ())),
            penalties=tuple(p for seat in card.seats for p in penalties.get(seat.player_id, ())),
            leads=leaders.get(card.heat.pk, ""),
            from_paper=tuple(sorted(from_paper.get(card.heat.table_id or 0, {}).items())),
            codes_blocked=card.heat.pk in blocked,
        )
        for card in found
    ]
    by_table = {card.heat.table_number: card for card in cards}
    due, heat = _due(cards)
    return Floor(
        cards=tuple(cards),
        closed_warnings=tuple(each for group in warnings.values() for each in group),
        due=due,
        due_heat=heat,
        room=tuple(FloorTable(number, by_table.get(number)) for number in tables_of_room(event)),
        counts=Counter(card.card.need[0] for card in cards),
    )


def open_objections(cards: Iterable[HeatCard]) -> dict[int, list[ObjectionRow]]:
    """Return the open objections by table (one query)."""
    here = {card.heat.table_id: card for card in cards if card.heat.table_id}
    found: dict[int, list[ObjectionRow]] = {}
    rows = Objection.objects.unanswered().filter(sheet__table__in=list(here))
    for row in rows.select_related("sheet", "answer"):
        card = here[row.sheet.table_id]
        shown = objection_row(row, card.names, staff_text_of(card.heat.event))
        found.setdefault(row.sheet.table_id, []).append(shown)
    return found


def _from_paper(tables: Sequence[int]) -> dict[int, dict[int, bool]]:
    """Return, by table, the games from paper and whether compared (two queries, one if none)."""
    marks = SheetEntry.objects.filter(kind=RowKind.FROM_PAPER, sheet__table__in=tables)
    sheets = {
        pk: (table, number)
        for pk, table, number in marks.values_list("sheet", "sheet__table", "sheet__number")
    }
    found: dict[int, dict[int, bool]] = {}
    if sheets:
        rows = SheetEntry.objects.filter(sheet__in=list(sheets))
        for sheet, compared in games_from_paper(rows).items():
            table, number = sheets[sheet]
            found.setdefault(table, {})[number] = compared
    return found


def called_slow(heat: Heat) -> tuple[str, str] | None:
    """Return the reference of the player whom the table calls too slow, with the call's reason."""
    for reason in heat.table.call_reasons if heat.table else ():
        params = params_of(reason, "call_slow")
        if params and "player" in params:
            return params["player"], reason
    return None


def _leaders(cards: Sequence[HeatCard]) -> dict[int, str]:
    """Return who leads each heat after its finished games, with the points (one query)."""
    rows = (
        HeatResult.objects.filter(heat__in=[card.heat.pk for card in cards if card.finished_games])
        # A disqualified player leads nobody.
        .exclude(entry__registration__status=RegistrationStatus.DISQUALIFIED)
        .select_related("entry__registration")
        .order_by("order")
    )
    first: dict[int, list[HeatResult]] = {}
    for row in rows:
        level = first.setdefault(row.heat_id, [])
        if not level or row.place == level[0].place:
            level.append(row)
    names = {card.heat.pk: card.names for card in cards}
    return {
        heat: ngettext(
            "%(name)s leads with %(points)s", "%(name)s lead with %(points)s", len(level)
        )
        % {
            "name": ", ".join(
                names[heat].get(row.entry.registration.player_id, "") for row in level
            ),
            "points": points_text(level[0].game_points, lang()),
        }
        for heat, level in first.items()
    }


def _due(cards: Sequence[FloorCard]) -> tuple[str, int | None]:
    """Return what a director should look at next, and in which heat."""
    needs = cards[0].card.need[0] if cards else Need.NOTHING
    if needs not in (Need.TIME_UP, Need.NOTHING):
        first = cards[0]
        words = {
            Need.CALL: _("%(heat)s calls"),
            Need.REVIEW: _("%(heat)s: an objection")
            if first.objections
            else _("%(heat)s: an unusual line"),
            Need.TWO_SEATS: "%(heat)s: %(two_seats)s",
            Need.CLOSING: "%(heat)s: %(label)s",
            Need.SILENT: _("%(heat)s is silent"),
            Need.AUDITOR: _("%(heat)s has no Auditor"),
            Need.BEHIND: _("%(heat)s is behind the others"),
        }
        values = {
            "heat": first.heat.at_table,
            "two_seats": first.card.two_seats,
            "label": first.card.label,
        }
        return words[needs] % values, first.heat.number
    timed = [c for c in cards if c.left is not None and not c.card.all_games_finished]
    if timed:
        first = min(timed, key=lambda card: (card.left or 0, card.heat.number))
        left = first.left or 0
        if left > 0:
            text = ngettext(
                "%(heat)s: time is up in %(left)s minute",
                "%(heat)s: time is up in %(left)s minutes",
                left,
            )
        else:
            text = ngettext(
                "%(heat)s: %(left)s minute over time",
                "%(heat)s: %(left)s minutes over time",
                -left,
            )
        return text % {"heat": first.heat.at_table, "left": abs(left)}, first.heat.number
    return "", None


def not_ended(heats: Iterable[Heat]) -> str:
    """Return the sentence that names the heats whose time is up, but which may not end yet."""
    return _(
        "Not ended yet: %(heats)s. They finish their deal or game first, or need a decision."
    ) % {"heats": ", ".join(heat.at_table for heat in heats)}
