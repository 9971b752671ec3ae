"""What the pages behind a table's link show."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.messages import changes_text, stage_text
from scoring.enums import LinkRole, SheetStatus
from scoring.host import Clock, host
from scoring.models import Link, Sheet, Table
from scoring.reading.games import Correction, EntryRow, Game, SeatRow, table_games
from scoring.reading.names import names_for
from scoring.reading.protocol import ProtocolData, protocol_from
from scoring.reading.question import Question, questions_of
from scoring.reading.words import entry_text, lang, short_names, status_text
from scoring.reasons import needs_director


@dataclass(frozen=True, slots=True)
class Cell:
    """One seat on the board: the seat, a name that fits, and why it cannot be picked now."""

    row: SeatRow
    short: str
    off: str = ""

    @property
    def score(self) -> str:
        """The score; nothing for who is out."""
        return str(self.row.score) if self.row.status == "in" else ""

    @property
    def out(self) -> tuple[str, str]:
        """What stands instead of the score of who is out: short to see, whole to hear."""
        return status_text(self.row.status, short=True), status_text(self.row.status)

    @property
    def long(self) -> bool:
        """Whether the short name is still long for a quarter of a phone."""
        return len(self.short) > 7


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One entry as a line: what it says and what it changed, and whether that was unusual.

    ``mends`` is whether it is the table's own: a ruling is its director's.
    """

    sequence: int
    text: str
    change: str
    replaced: bool
    unusual: bool
    mends: bool = True


@dataclass(frozen=True, slots=True)
class DealLines:
    """One deal for the list of deals."""

    number: int
    dealer: str
    lines: tuple[SheetLine, ...]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GamePart:
    """One game as the pages show it: the replayed game and its lines, latest deal first."""

    game: Game
    shorts: tuple[str, ...]
    deals: tuple[DealLines, ...]


@dataclass(frozen=True, slots=True)
class Undo:
    """What "take back" would take back: an ``entry``, or the opening of a ``game``.

    A ``ruling`` is only shown: the director takes it back.
    """

    kind: str
    text: str

    @property
    def form(self) -> str:
        """The id of the form that takes it back; none where the director does."""
        return {"entry": "undo", "game": "back"}.get(self.kind, "")

    @property
    def action(self) -> str:
        """What a tap does, where the text says only what stands there."""
        return _("Take back") if self.kind == "entry" else ""


@dataclass(frozen=True, slots=True)
class TablePage:
    """Everything a page behind a link shows.

    ``mode`` is ``play``, ``over`` (no game runs, another one waits) or ``end`` (all games are
    finished or void). ``lease`` is ``mine``, ``free`` or ``other``. ``public_page`` is where to go
    on reading when all is played.
    """

    table: Table
    role: str
    mode: str
    part: GamePart
    earlier: tuple[GamePart, ...]
    cells: tuple[Cell, ...]
    questions: tuple[Question, ...]
    question: Question | None
    phase: str
    undo: Undo | None
    lease: str
    lease_since: datetime | None
    #: The games that have not begun.
    waiting: tuple[Game, ...]
    #: Display names by the table's references.
    names: Mapping[str, str]
    protocol: ProtocolData | None
    auditor: str = ""
    voided: tuple[Game, ...] = ()
    public_page: str = ""
    clock: Clock | None = None

    @property
    def game(self) -> Game:
        """The game that is being played, or the one played last."""
        return self.part.game

    @property
    def sheet(self) -> Sheet:
        """The sheet of that game."""
        return self.part.game.sheet

    @property
    def next_game(self) -> Game | None:
        """The game that is opened next."""
        return self.waiting[0] if self.waiting else None

    @property
    def games_label(self) -> str:
        """Which game of how many; only how many when all are played."""
        games = self.table.games_planned
        if self.mode == "end":
            return ngettext("%(games)s game", "%(games)s games", games) % {"games": games}
        return _("Game %(number)s of %(all)s") % {"number": self.game.number, "all": games}

    @property
    def now_label(self) -> str:
        """What goes on: the deal and its phase, or why there is none."""
        if self.mode == "play":
            now = {"number": self.game.state.deal + 1, "phase": self.phase}
            return _("Deal %(number)s · %(phase)s") % now
        if self.mode == "end":
            return _("All games are played")
        if self.game.finished:
            return _("The game is over")
        return _("The next game has not begun")

    @property
    def asked(self) -> list[Cell]:
        """The seats in the order in which they are asked for Chicago."""
        order = next((question.order for question in self.questions if question.order), ())
        return [self.cells[seat] for seat in order]

    @property
    def stopped(self) -> list[Cell]:
        """Who may not exchange, where an exchange is what comes next."""
        if self.question is None or self.question.step != "hand" or self.question.final:
            return []
        return [cell for cell in self.cells if cell.row.discardless]

    @property
    def placed_seats(self) -> list[SeatRow]:
        """The seats of a finished game by their places."""
        return sorted(self.game.seats, key=lambda seat: seat.places or (0, 0))

    @property
    def tied_groups(self) -> list[list[tuple[str, str]]]:
        """The groups that need a flip-flop, as references and names."""
        if self.protocol is None:
            return []
        names = {row.player_id: row.name for row in self.protocol.ranking}
        return [
            [(player_id, names[player_id]) for player_id in group]
            for group in self.protocol.needs_flip_flop
        ]

    @property
    def mended(self) -> list[Correction]:
        """What was mended in this game since the last entry: everybody at the table is told."""
        return [row for row in self.game.corrections if row.fresh and row.reason]

    @property
    def mends(self) -> bool:
        """Whether a tap on a line of this game mends it."""
        return self.writes and not self.table.signed_at

    @property
    def writes(self) -> bool:
        """Whether this page may write: an Auditor's link, and no other device has the lease."""
        return self.role == LinkRole.AUDITOR and self.lease != "other"


def etag_of(link: Link, device: str) -> str:
    """Return what changes whenever the live part of a page would (no query).

    The table's revision counts every write; language, role and device change what is shown.
    """
    table = link.table
    text = f"{table.pk} {table.revision} {lang()} {link.role} {device}"
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:24]}"'


def table_page(link: Link, *, device: str, step: str = "") -> TablePage:
    """Return what the page behind ``link`` shows on ``device`` (a fixed number of queries).

    ``step`` chooses between "Chicago?" and the last trick.
    """
    table = link.table
    names = names_for([table])[table.pk]
    read = table_games(table, names=names)
    games = [game for game in read.games if game.status != SheetStatus.VOID]
    begun = [game for game in games if game.status != SheetStatus.WAITING]
    game = next((g for g in begun if g.status == SheetStatus.RUNNING), None)
    waiting = [g for g in games if g.status == SheetStatus.WAITING]
    if game is None:
        game = begun[-1] if begun else (games or list(read.games))[0]
    mode = "play" if game.status == SheetStatus.RUNNING else "over" if waiting else "end"
    questions: tuple[Question, ...] = ()
    if mode == "play":
        questions = questions_of(game.state, game.names, step, directed=table.directed)
    question = next((q for q in questions if not q.hidden), None)
    part = game_part(game, directed=table.directed)
    return TablePage(
        table=table,
        role=link.role,
        mode=mode,
        part=part,
        earlier=tuple(game_part(g) for g in reversed(begun) if g.number < game.number),
        cells=_cells(part, question),
        questions=questions,
        question=question,
        phase=stage_text(game.state.stage, game.state.phase, lang()),
        undo=_undo(game, begun, table.directed),
        lease=_lease(game.sheet, device),
        lease_since=game.sheet.lease_since,
        waiting=tuple(waiting),
        names=names,
        protocol=protocol_from(read) if mode == "end" else None,
        auditor=names.get(table.auditor, table.auditor),
        voided=tuple(g for g in read.games if g.status == SheetStatus.VOID),
        public_page=host().page(table.pk) if mode == "end" else "",
        clock=host().clock(table.pk) if mode != "end" else None,
    )


def game_part(game: Game, *, directed: bool = True) -> GamePart:
    """Return a game with its lines, the latest deal first."""
    shorts = short_names(game.names)
    deals = tuple(
        DealLines(
            number=deal.number,
            dealer=shorts[deal.dealer],
            lines=tuple(line_of(entry, shorts, directed) for entry in deal.entries),
            scores=deal.scores,
        )
        for deal in reversed(game.deals)
    )
    return GamePart(game, tuple(shorts), deals)


def line_of(entry: EntryRow, names: Sequence[str], directed: bool = True) -> SheetLine:
    """Return one entry as a line."""
    return SheetLine(
        sequence=entry.sequence,
        text=entry_text(entry.entry, names),
        change=change_text(entry, names),
        replaced=entry.replaced,
        unusual=bool(entry.warnings),
        mends=not (directed and needs_director(entry.entry)),
    )


def change_text(entry: EntryRow, names: Sequence[str]) -> str:
    """Return what an entry changed: "+5", or with names where others changed too."""
    changed = changes_text(entry.facts, lang())
    if list(changed) == [entry.entry.get("seat")]:
        return next(iter(changed.values()))
    return ", ".join(f"{names[seat]} {text}" for seat, text in changed.items())


def _lease(sheet: Sheet, device: str) -> str:
    if not sheet.lease_device:
        return "free"
    return "mine" if sheet.lease_device == device else "other"


def _cells(part: GamePart, question: Question | None) -> tuple[Cell, ...]:
    return tuple(
        Cell(
            row=row,
            short=part.shorts[row.seat],
            off=question.off(row.seat) if question else "",
        )
        for row in part.game.seats
    )


def _undo(game: Game, begun: Sequence[Game], directed: bool) -> Undo | None:
    last = game.last
    if last is not None and (game.sheet.version > 0):
        line = line_of(last, short_names(game.names))
        deal = game.deals[-1].number
        change = line.change and (" " if line.change[0] in "+−" else " · ") + line.change
        ruled = directed and needs_director(last.entry)
        return Undo(
            "ruling" if ruled else "entry",
            _("%(line)s (deal %(deal)s)") % {"line": f"{line.text}{change}", "deal": deal},
        )
    if game.sheet.version == 0 and any(g.number < game.number for g in begun):
        return Undo("game", _("Back to game %(number)s") % {"number": game.number - 1})
    return None


__all__ = ["TablePage", "etag_of", "game_part", "table_page"]
