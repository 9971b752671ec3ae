"""A table with its games replayed, for pages, prints and the tournament."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import QuerySet

from engine.rules.ruleset import RuleSet
from engine.sheet.facts import Fact, ScoreChanged
from engine.sheet.state import State

from ..enums import RowKind, SheetStatus
from ..models import AskedOften, Blank, Sheet, SheetEntry, Table
from ..reasons import is_away, reason_text
from .history import Played, Row, Slot, Step, marks_from_paper, play, slots_of
from .names import ShownText, names_for, shown_entry
from .rules import rules_of


@dataclass(frozen=True, slots=True)
class Zeroed:
    """A score that was set to 0.

    ``deal`` counts from 1. ``score_before`` is the score that was struck out. ``cause`` is
    ``no_chicago`` (the target was reached without the needed Chicago), ``reset``, ``royal_flush``,
    ``illegal_discard`` or ``sit_out_game``.
    """

    deal: int
    score_before: int
    cause: str = ""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat of one game: its sheet and its result.

    ``places`` is (first, last) of the shared places, from 1, once the game is finished.
    """

    seat: int
    player_id: str
    name: str
    score: int = 0
    executed: bool = False
    asterisks: int = 0
    status: str = "in"
    discardless: bool = False
    dealer: bool = False
    winner: bool = False
    sitting_out: bool = False
    sitting_out_next: bool = False
    places: tuple[int, int] | None = None
    game_points: Fraction | None = None
    zeroed: tuple[Zeroed, ...] = ()

    @property
    def plays(self) -> bool:
        """Whether the seat plays normally; otherwise its status is worth showing."""
        return self.status == "in"

    @property
    def tag(self) -> str:
        """How its status is highlighted."""
        return "tag tag-quiet" if self.status == "out" else "tag tag-red"


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One entry that counts.

    ``sequence`` is the row of its slot, ``facts`` are the engine's facts about it, ``warnings`` the
    engine's warning codes; ``replaced`` is whether it replaces a corrected entry.
    """

    sequence: int
    entry: Mapping[str, Any]
    facts: tuple[Fact, ...] = ()
    scores: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()
    at: datetime | None = None
    replaced: bool = False


@dataclass(frozen=True, slots=True)
class DealRow:
    """One deal: number (from 1), dealer (seat), entries, scores after it."""

    number: int
    dealer: int
    entries: tuple[EntryRow, ...] = ()
    scores: tuple[int, ...] = ()


#: For how many further rows a correction is announced at the table: those of a usual deal.
TOLD_FOR = 4


@dataclass(frozen=True, slots=True)
class CorrectionRow:
    """A row that was taken back, replaced, added or reseated: who did it, when and why.

    ``entry`` is what was there before (for an added one: the entry that it precedes). ``author`` is
    the account; for rows written at the table it is the Auditor's name, if known.
    """

    game: int
    kind: str
    sequence: int
    entry: Mapping[str, Any]
    replacement: Mapping[str, Any] | None = None
    author: str = ""
    at_table: bool = False
    reason: str = ""
    at: datetime | None = None
    seats: tuple[str, ...] = ()
    #: The sequence of the correction's own row.
    row: int = 0

    @property
    def told_until(self) -> int:
        """The version of the sheet at which the table's page stops showing its notice."""
        return self.row + TOLD_FOR


@dataclass(frozen=True, slots=True)
class FromPaper:
    """A game's entry from paper: by which account and when, and when it was compared.

    ``checked_by`` is the player who compared it, empty for staff. ``totals`` is whether only the
    totals were entered, in the row ``sequence``; ``ruled`` are the points that rulings gave or
    took, by seat.
    """

    by: str
    at: datetime
    checked_by: str = ""
    checked_at: datetime | None = None
    totals: bool = False
    sequence: int = 0
    ruled: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Game:
    """One replayed game of a table; seats are in that game's own order."""

    sheet: Sheet
    number: int
    status: str
    seats: tuple[SeatRow, ...]
    state: State
    #: What the last entry did that counts and was made by a person.
    last_facts: tuple[Fact, ...]
    deals: tuple[DealRow, ...]
    corrections: tuple[CorrectionRow, ...]
    points_sum: Fraction | None
    points_expected: Fraction
    void_reason: str
    from_paper: FromPaper | None = None

    @property
    def names(self) -> list[str]:
        """The players' names by seat, for the engine's sentences."""
        return [seat.name for seat in self.seats]

    @property
    def last(self) -> tuple[int, EntryRow] | None:
        """The last entry that counts and was made by a person, with the number of its deal."""
        made = (
            (deal.number, row)
            for deal in reversed(self.deals)
            for row in reversed(deal.entries)
            if not is_away(row.entry)
        )
        return next(made, None)

    @property
    def facts(self) -> list[Fact]:
        """The facts of all its entries, in the order in which they happened."""
        return [fact for deal in self.deals for row in deal.entries for fact in row.facts]

    @property
    def placed_seats(self) -> list[SeatRow]:
        """The seats of a finished game in the order of their places."""
        return sorted(self.seats, key=lambda seat: seat.places or (0, 0))

    @property
    def unwritten(self) -> bool:
        """Whether nothing was ever written in it, besides changed seats."""
        return not self.sheet.is_written

    @property
    def finished(self) -> bool:
        return self.state.finished

    @property
    def tag(self) -> str:
        """How its outcome is highlighted while there is none."""
        return {"running": "tag", "finished": "quiet"}.get(self.status, "tag tag-quiet")

    @property
    def winners(self) -> tuple[int, ...]:
        return self.state.winners

    @property
    def win(self) -> str | None:
        """How the game was won, as in docs/formats/facts.md."""
        return self.state.win

    @property
    def dealer(self) -> int:
        """The seat that dealt first."""
        return self.sheet.dealer

    @property
    def deal(self) -> int:
        """The current or last deal, from 1."""
        return self.state.deal + 1

    @property
    def deals_played(self) -> int:
        """How many deals were dealt: rulings may also stand where none was."""
        return sum(any(e.entry["kind"] != "ruling" for e in deal.entries) for deal in self.deals)


class Written(NamedTuple):
    """What pages show of a row; a page reads hundreds, and making objects of them takes longest."""

    id: int
    sheet_id: int
    sequence: int
    kind: str
    target_id: int | None
    entry: dict[str, Any] | None
    author: str
    author_link_id: int | None
    created_at: datetime
    reason: str

    @property
    def at_table(self) -> bool:
        """Whether it was written at the table itself, through its link."""
        return self.author_link_id is not None


_SHEETS = AskedOften(lambda: Sheet.objects.filter(table=Blank()).order_by("number"))
_ENTRIES = AskedOften(
    lambda: (
        SheetEntry.objects.filter(sheet__in=Blank(several=True))
        .order_by("sheet_id", "sequence")
        .values_list(*Written._fields)
    )
)


@dataclass(frozen=True, slots=True)
class TableGames:
    """A table, its rule set, its players' names by reference, and its games in order.

    ``text`` is the function applied to typed text.
    """

    table: Table
    rules: RuleSet
    names: Mapping[str, str]
    games: tuple[Game, ...]
    text: Callable[[str], str] = str


def table_games(
    table: Table, *, only: Iterable[int] | None = None, names: Mapping[str, str] | None = None
) -> TableGames:
    """Read and replay a table's games (two queries and the host's).

    ``only`` limits the replayed games to these numbers. Typed text is shown as everybody may read
    it.
    """
    sheets = _SHEETS.rows(table.pk)
    for sheet in sheets:
        sheet.table = table
    if only is not None:
        wanted = set(only)
        sheets = [sheet for sheet in sheets if sheet.number in wanted]
    names = names_for([table])[table.pk] if names is None else names
    return games_of(table, sheets, names, ShownText(table))


def games_of(
    table: Table,
    sheets: Sequence[Sheet],
    names: Mapping[str, str],
    text: Callable[[str], str] = str,
) -> TableGames:
    """Replay these sheets of a table (one query for all their rows).

    ``text`` is applied to typed text; without it, the result is for staff only.
    """
    rules = rules_of(table)
    entries: dict[int, list[Written]] = {sheet.pk: [] for sheet in sheets}
    for row in map(Written._make, _ENTRIES.rows(list(entries))):
        entries[row.sheet_id].append(row)
    auditor = names.get(table.auditor, table.auditor)
    games = tuple(_game(sheet, entries[sheet.pk], rules, names, auditor, text) for sheet in sheets)
    return TableGames(table, rules, names, games, text)


@lru_cache(maxsize=32)
def _replayed(
    rules: RuleSet, dealer: int, drawn: tuple[str, ...], written: str
) -> tuple[list[Row], list[Slot], Played]:
    """Replay the rows of a game (JSON); games that have ended are the same at every reading."""
    rows = [Row(*row) for row in json.loads(written)]
    slots, seats = slots_of(rows, drawn)
    return rows, slots, play(rules, len(seats), dealer, slots)


def _game(
    sheet: Sheet,
    entries: Sequence[Written],
    rules: RuleSet,
    names: Mapping[str, str],
    auditor: str,
    text: Callable[[str], str],
) -> Game:
    sequences = {row.id: row.sequence for row in entries}
    written = [
        (row.sequence, row.kind, row.entry, sequences[row.target_id] if row.target_id else None)
        for row in entries
    ]
    drawn = tuple(sheet.drawn_seats)
    rows, slots, played = _replayed(rules, sheet.dealer, drawn, json.dumps(written))
    state = played.state
    zeroed = _zeroed(played.steps)
    points = state.game_points
    return Game(
        sheet=sheet,
        number=sheet.number,
        status=sheet.status,
        seats=tuple(
            SeatRow(
                seat=seat,
                player_id=player_id,
                name=names.get(player_id, player_id),
                score=state.scores[seat],
                executed=state.executed[seat],
                asterisks=state.asterisks[seat],
                status=state.status[seat],
                discardless=state.discardless[seat],
                dealer=seat == state.dealer and sheet.status == SheetStatus.RUNNING,
                winner=seat in state.winners,
                sitting_out=state.sitting_out[seat],
                sitting_out_next=state.sitting_out_next[seat],
                places=_places(state, seat),
                game_points=points[seat] if points is not None else None,
                zeroed=tuple(zeroed.get(seat, ())),
            )
            for seat, player_id in enumerate(sheet.seats)
        ),
        state=state,
        last_facts=next(
            (s.after.facts for s in reversed(played.steps) if not is_away(s.slot.entry)), ()
        ),
        deals=_deals(played, {row.sequence: row for row in entries}, text),
        corrections=_corrections(sheet, entries, names, auditor, text),
        points_sum=sum(points, Fraction(0)) if points is not None else None,
        points_expected=sum(rules.place_points(len(sheet.seats)), Fraction(0)),
        void_reason=text(reason_text(sheet.void_reason)),
        from_paper=_from_paper(entries, marks_from_paper(rows), slots, names),
    )


def _from_paper(
    entries: Sequence[Written],
    sequences: Collection[int],
    slots: Sequence[Slot],
    names: Mapping[str, str],
) -> FromPaper | None:
    marks = [row for row in entries if row.sequence in sequences]
    totals = next((slot for slot in slots if slot.totals and not slot.voided), None)
    if not marks:
        return None
    last = entries[-1]
    checked = last.kind == RowKind.CHECKED
    player = (last.entry or {}).get("player", "") if checked else ""
    return FromPaper(
        by=marks[-1].author,
        at=marks[-1].created_at,
        checked_by=names.get(player, player),
        checked_at=last.created_at if checked else None,
        totals=totals is not None,
        sequence=totals.sequence if totals else 0,
        ruled=tuple(seat.get("ruled", 0) for seat in totals.entry["seats"]) if totals else (),
    )


def unchecked_games(sheets: Iterable[Sheet]) -> list[int]:
    """Return the numbers of games from paper that nobody has compared with it (one query)."""
    numbers = {sheet.pk: sheet.number for sheet in sheets if sheet.status == SheetStatus.FINISHED}
    found = games_from_paper(SheetEntry.objects.filter(sheet__in=list(numbers)))
    return sorted(numbers[sheet] for sheet, compared in found.items() if not compared)


def games_from_paper(entries: QuerySet[SheetEntry]) -> dict[int, bool]:
    """Return the sheets that were entered from paper, and whether each was compared with it.

    ``entries`` are all rows of some sheets (one query).
    """
    rows: dict[int, list[Row]] = {}
    values = ("sheet", "sequence", "kind", "target__sequence")
    for sheet, sequence, kind, target in entries.order_by("sheet", "sequence").values_list(*values):
        rows.setdefault(sheet, []).append(Row(sequence, kind, None, target))
    return {
        sheet: own[-1].kind == RowKind.CHECKED
        for sheet, own in rows.items()
        if marks_from_paper(own)
    }


def _places(state: State, seat: int) -> tuple[int, int] | None:
    first = 1
    for group in state.places or ():
        if seat in group:
            return first, first + len(group) - 1
        first += len(group)
    return None


def _deals(
    played: Played,
    rows: Mapping[int, Written],
    text: Callable[[str], str],
) -> tuple[DealRow, ...]:
    deals: list[DealRow] = []
    entries: list[EntryRow] = []
    steps = played.steps
    for index, step in enumerate(steps):
        row = rows[step.slot.written]
        entries.append(
            EntryRow(
                sequence=step.slot.sequence,
                entry=shown_entry(step.slot.entry, text),
                facts=step.after.facts,
                scores=step.after.scores,
                warnings=tuple(problem.code for problem in step.warnings),
                at=row.created_at,
                replaced=step.slot.replaced,
            )
        )
        last = index + 1 == len(steps) or steps[index + 1].before.deal != step.before.deal
        if last:
            before = step.before
            deals.append(DealRow(before.deal + 1, before.dealer, tuple(entries), step.after.scores))
            entries = []
    return tuple(_ended_between_deals(deals))


def _ended_between_deals(deals: list[DealRow]) -> list[DealRow]:
    """Add what ended a game before the next deal began to the deal before it."""
    if len(deals) < 2:
        return deals
    *earlier, played, last = deals
    entries = [row.entry for row in last.entries]
    if entries[-1].get("action") != "end_game" or any(e["kind"] != "ruling" for e in entries):
        return deals
    return [*earlier, replace(played, entries=played.entries + last.entries, scores=last.scores)]


def _zeroed(steps: Sequence[Step]) -> dict[int, list[Zeroed]]:
    found: dict[int, list[Zeroed]] = {}
    for step in steps:
        for fact in step.after.facts:
            if isinstance(fact, ScoreChanged) and fact.zeroed and fact.before > 0:
                zeroed = Zeroed(step.before.deal + 1, fact.before, fact.cause)
                found.setdefault(fact.seat, []).append(zeroed)
    return found


def _corrections(
    sheet: Sheet,
    entries: Sequence[Written],
    names: Mapping[str, str],
    auditor: str,
    text: Callable[[str], str],
) -> tuple[CorrectionRow, ...]:
    sequences = {row.id: row.sequence for row in entries}
    entries_now: dict[int, Mapping[str, Any]] = {}
    found: list[CorrectionRow] = []
    seats = tuple(names.get(player_id, player_id) for player_id in sheet.drawn_seats)
    for row in entries:
        if row.kind == RowKind.ENTRY:
            entries_now[row.sequence] = row.entry or {}
            continue
        if row.kind == RowKind.FROM_PAPER:
            entries_now[row.sequence] = row.entry or {}
        if row.kind == RowKind.CHECKED or (row.kind == RowKind.FROM_PAPER and not row.reason):
            continue
        if row.kind == RowKind.RESEAT:
            before: Mapping[str, Any] = {"seats": list(seats)}
            seats = tuple(
                names.get(player_id, player_id) for player_id in (row.entry or {})["seats"]
            )
            target = row.sequence
        elif row.kind == RowKind.FROM_PAPER:
            before, target = row.entry or {}, row.sequence
        else:
            target = sequences[row.target_id] if row.target_id else row.sequence
            before = entries_now.get(target, {})
            if row.kind == RowKind.AMEND:
                entries_now[target] = row.entry or {}
            elif row.kind == RowKind.INSERT:
                entries_now[row.sequence] = row.entry or {}
        found.append(
            CorrectionRow(
                game=sheet.number,
                kind=row.kind,
                sequence=target,
                entry=shown_entry(before, text),
                replacement=shown_entry(row.entry, text) if row.entry else row.entry,
                author=auditor if row.at_table else row.author,
                at_table=row.at_table,
                reason=text(reason_text(row.reason)),
                at=row.created_at,
                seats=seats,
                row=row.sequence,
            )
        )
    return tuple(found)
