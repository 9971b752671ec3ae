"""View models of the pages behind a table's link."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.messages import (
    changes_text,
    loss_text,
    near_text,
    rules_lines,
    signed,
    stage_text,
)
from engine.sheet.losses import losses, near_target
from engine.sheet.state import OVER

from ..enums import Acceptance, LinkRole, SheetStatus
from ..errors import ScoringError
from ..host import AtTable, Clock, host
from ..models import Link, Sheet, Table
from ..reasons import coded, needs_director, reason_text
from ..words import lang
from .acceptance import (
    NO_ACCEPTANCE,
    TableAcceptance,
    acceptance_of,
    first_deal,
)
from .board import Cell, Field, cells_of, declared_in, fields_of, last_hand
from .games import CorrectionRow, EntryRow, Game, table_games
from .names import names_for, title_of_table
from .outlook import Need, needs_of
from .practice import PRACTICE, Lesson, lesson_of
from .protocol import ProtocolData, protocol_from
from .question import Question, question_of, title_of
from .race import Race, races_of
from .rules import rules_of
from .rulings import (
    RulingRow,
    answers_in,
    latest_games,
    rulings_in,
    unseen,
    warnings_in,
)
from .words import (
    declared_text,
    entry_text,
    short_names,
    stopped_text,
)


@dataclass(frozen=True, slots=True)
class SheetLine:
    """One entry as a line: its text, what it changed, and whether it was unusual.

    ``can_correct`` is whether the table may correct it; a ruling belongs to the director.
    """

    sequence: int
    text: str
    change: str
    replaced: bool
    unusual: bool
    can_correct: bool = True


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

    @property
    def corrected(self) -> list[tuple[CorrectionRow, int | None]]:
        """Recent corrections, to be shown to everybody at the table, with the line's deal."""
        deals = {line.sequence: deal.number for deal in self.deals for line in deal.lines}
        version = self.game.sheet.version
        late = [row for row in self.game.corrections if row.reason and version < row.told_until]
        return [(row, deals.get(row.sequence)) for row in late]


@dataclass(frozen=True, slots=True)
class Undo:
    """What "take back" would undo: an ``entry``, a ``declared`` Chicago, a ``game``.

    A ``ruling`` is only shown: the director takes it back.
    """

    kind: str
    text: str

    @property
    def form(self) -> str:
        """The id of the form that undoes it; empty if only the director can."""
        return {"entry": "undo", "declared": "undo", "game": "back"}.get(self.kind, "")

    @property
    def action(self) -> str:
        """The label of the button, if the text only says what is on the sheet."""
        return _("Take back") if self.form == "undo" else ""


@dataclass(frozen=True, slots=True)
class TiedGroup:
    """Players who need a flip-flop, as references and names."""

    players: list[tuple[str, str]]

    @property
    def orders(self) -> list[tuple[str, str]]:
        """Each player's name, and the order with that player first, one reference a line."""
        ids = [player_id for player_id, _name in self.players]
        return [
            (name, "\n".join([first, *(other for other in ids if other != first)]))
            for first, name in self.players
        ]

    @property
    def lots(self) -> str:
        """The references, one a line, for the program to draw lots."""
        return self.orders[0][1]


@dataclass(frozen=True, slots=True)
class TablePage:
    """Everything that a page behind a link shows.

    ``question`` is set for readers who may answer it; ``asked`` is its text. ``mode`` is ``play``,
    ``over`` (no game runs, another one waits) or ``end`` (all games are finished or void).
    ``lease`` is ``mine``, ``free`` or ``other``. ``public_page`` is where to read on when all games
    are over.
    """

    table: Table
    role: str
    mode: str
    part: GamePart
    earlier: tuple[GamePart, ...]
    cells: tuple[Cell, ...]
    question: Question | None
    asked: str
    fields: tuple[Field, ...]
    declared: int | None
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
    #: The numbers of the games that had not begun when the time was up.
    not_begun: tuple[int, ...] = ()
    #: The players' acceptances of finished games, and their objections.
    acceptance: TableAcceptance = NO_ACCEPTANCE
    #: Players who may still choose a PIN here: references and names. After the first deal the
    #: phone that keeps the score has none.
    without_pin: tuple[tuple[str, str], ...] = ()
    public_page: str = ""
    #: Between games and at the end: what players need, and the games as pictures.
    needs: tuple[Need, ...] = ()
    races: tuple[Race, ...] = ()
    about: AtTable = field(default_factory=AtTable)
    #: The director's rulings in the latest games, and penalties in game points.
    decided: tuple[RulingRow, ...] = ()
    #: Those that this device has not shown yet, and warnings and ended objections.
    rulings: tuple[RulingRow, ...] = ()

    @property
    def label(self) -> str:
        if self.table.created_by == PRACTICE:
            return _("Practice")
        return title_of_table(self.table, self.about.heat)

    @property
    def clock(self) -> Clock | None:
        """The clock, while there is something to play."""
        return self.about.clock if self.mode != "end" else None

    @property
    def game(self) -> Game:
        """The current game, or else the last one played."""
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
        """The number of the game and of all games; only the latter when all are played."""
        games = self.table.games_planned
        if self.mode == "end":
            games -= len(self.not_begun)
            return ngettext("%(games)s game", "%(games)s games", games) % {"games": games}
        return _("Game %(number)s of %(all)s") % {"number": self.game.number, "all": games}

    @property
    def now_label(self) -> str:
        """The current deal and phase, or why there is none."""
        if self.mode == "play":
            now = {"number": self.game.state.deal + 1, "phase": self.phase}
            return _("Deal %(number)s · %(phase)s") % now
        if self.mode == "end":
            return reason_text(coded("time_up")) if self.not_begun else _("All games are played")
        if self.game.finished:
            return capfirst(stage_text(OVER, None, lang()))
        return _("The next game has not begun")

    @property
    def news(self) -> str:
        """What the last entry cost, and who is near the target without a Chicago."""
        game, shorts = self.game, [cell.short for cell in self.cells]
        target = game.state.rules.target
        lost = losses(game.last_facts) if game.last is not None else []
        cost = loss_text(lost, target, lang(), shorts)
        near = near_text(near_target(game.state), target, lang(), shorts)
        return f"{cost} {near}".strip()

    @property
    def stopped(self) -> str:
        """The players who may not exchange, if an exchange comes next."""
        if self.question is None or not self.question.exchanged:
            return ""
        cells = [cell for cell in self.cells if cell.row.discardless and cell.row.status == "in"]
        names = ", ".join(cell.short for cell in cells)
        return stopped_text(names) if names else ""

    @property
    def tied_groups(self) -> list[TiedGroup]:
        """The groups that need a flip-flop."""
        if self.protocol is None:
            return []
        names = {row.player_id: row.name for row in self.protocol.ranking}
        return [
            TiedGroup([(player_id, names[player_id]) for player_id in group])
            for group in self.protocol.needs_flip_flop
        ]

    @property
    def practice(self) -> Lesson | None:
        """What to do next at a practice table; ``None`` at any other."""
        if self.table.created_by != PRACTICE:
            return None
        return lesson_of(self.game, rules_of(self.table))

    @property
    def begin(self) -> str:
        """Where another game is begun; empty in a tournament."""
        return "" if self.table.directed else host().begin()

    @property
    def can_correct(self) -> bool:
        """Whether tapping a line of this game corrects it."""
        return self.writes and not self.table.signed_at

    @property
    def sign_off_waits(self) -> str:
        """Why the table cannot sign off yet; empty if it can."""
        code = ""
        if self.table.call_since is not None:
            code = "call_open"
        elif self.acceptance.open_objections:
            code = "objection_open"
        elif self.acceptance.policy == Acceptance.DIRECTOR:
            code = "only_director_signs"
        if code:
            return ScoringError(code).message()
        return self._unchecked or self.acceptance.waits_for

    @property
    def waits_offline(self) -> str:
        """Why the end of the last game cannot be signed off offline; empty if it can."""
        return self._unchecked or self.acceptance.waits_offline

    @property
    def _unchecked(self) -> str:
        """Which game from paper has not been compared with it, in a sentence; empty if none."""
        for part in (*reversed(self.earlier), self.part):
            paper = part.game.from_paper
            if paper and not paper.checked_at:
                return ScoringError("paper_unchecked", game=part.game.number).message()
        return ""

    @property
    def objectors(self) -> tuple[tuple[str, str], ...]:
        """The players who can object to a deal here: those with a PIN, until the sign-off."""
        if self.table.signed_at is not None:
            return ()
        pins = self.acceptance.pins
        return tuple(
            (player_id, name) for player_id, name in self.names.items() if player_id in pins
        )

    @property
    def objects(self) -> str:
        """The id of the form that a tap on a deal opens, where a tap does not correct a line."""
        return "own-objection" if self.objectors and not self.writes else ""

    @property
    def rules_told(self) -> list[str]:
        """The table's rules as sentences."""
        return rules_lines(rules_of(self.table), len(self.game.seats), lang())

    @property
    def asks_seats(self) -> bool:
        """Whether the table must first confirm its seats, before its very first deal."""
        asked = self.mode == "play" and self.game.number == 1 and self.table.seated_at is None
        return asked and self.writes and not self.game.deals and self.game.from_paper is None

    @property
    def writes(self) -> bool:
        """Whether this page may write: an Auditor's link, and no other device has the lease."""
        return self.role == LinkRole.AUDITOR and self.lease != "other"


def etag_of(link: Link, device: str, seen_rulings: Sequence[str] = ()) -> str:
    """Return a tag that changes whenever the live part of the page does (no query).

    The table's revision counts every write. What is shown also depends on language, role and the
    rulings seen by the device, and for the Auditor on whether this device has the lease.
    """
    table = link.table
    own = device if link.role == LinkRole.AUDITOR else ""
    text = f"{table.pk} {table.revision} {lang()} {link.role} {own} {seen_rulings}"
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:24]}"'


def table_page(link: Link, *, device: str, seen_rulings: Sequence[str] = ()) -> TablePage:
    """Return what the page behind ``link`` shows on ``device`` (a fixed number of queries).

    ``seen_rulings`` are the marks of the rulings that the device has shown.
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
    declared = declared_in(game)
    about = host().at_table(table.pk)
    lease = _lease(game.sheet, device)
    question: Question | None = None
    writes = link.role == LinkRole.AUDITOR and lease != "other"
    if mode == "play" and writes:
        question = question_of(
            game.state,
            game.names,
            directed=table.directed,
            shot_clock=about.shot_seconds is not None,
            last=last_hand(game),
            declared=declared,
        )
    part = game_part(game, directed=table.directed)
    latest = latest_games(begun)
    decided = rulings_in(table, latest, names)
    warned = warnings_in(table, latest, names)
    ended = mode == "end" or (mode == "over" and begun)
    protocol = protocol_from(read) if ended else None
    not_begun = protocol.not_begun if protocol else ()
    sheets = [each.sheet for each in read.games]
    acceptance = NO_ACCEPTANCE
    if protocol is not None:
        acceptance = protocol.acceptance
    elif table.directed:
        acceptance = acceptance_of(table, sheets, names, read.text)
    answered = answers_in(table, latest, acceptance.objections)
    return TablePage(
        table=table,
        role=link.role,
        mode=mode,
        part=part,
        earlier=tuple(game_part(g) for g in reversed(begun) if g.number < game.number),
        cells=cells_of(game, part.shorts, question),
        question=question,
        asked=title_of(game.state, part.shorts, declared),
        fields=fields_of(game, declared),
        declared=declared,
        phase=stage_text(game.state.stage, game.state.phase, lang()),
        undo=_undo(game, begun, table.directed, declared),
        lease=lease,
        lease_since=game.sheet.lease_since,
        waiting=tuple(waiting),
        names=names,
        protocol=protocol if mode == "end" else None,
        needs=needs_of(protocol, is_final=about.is_final, clock=about.clock) if protocol else (),
        races=races_of(begun, read.rules) if mode != "play" else (),
        auditor=names.get(table.auditor, table.auditor),
        acceptance=acceptance,
        without_pin=tuple(
            (player_id, name)
            for player_id, name in names.items()
            if player_id not in acceptance.pins | acceptance.heard
        )
        if acceptance.asks and (first_deal(sheets) or not (writes or table.signed_at))
        else (),
        voided=tuple(
            g for g in read.games if g.status == SheetStatus.VOID and g.number not in not_begun
        ),
        not_begun=not_begun,
        public_page=host().page(table.pk) if mode == "end" else "",
        about=about,
        decided=decided,
        rulings=unseen((*decided, *warned, *answered), seen_rulings),
    )


def game_part(game: Game, *, directed: bool = True) -> GamePart:
    """Return a game with its lines, latest deal first."""
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
        can_correct=not (directed and needs_director(entry.entry)),
    )


def change_text(entry: EntryRow, names: Sequence[str]) -> str:
    """Return what an entry changed: "+5", or with names if others changed too."""
    changed = changes_text(entry.facts, lang())
    if list(changed) == [entry.entry.get("seat")]:
        change = next(iter(changed.values()))
        # A ruling in points already says how many.
        ruled = entry.entry.get("points")
        return "" if ruled and change == signed(ruled) else change
    return ", ".join(f"{names[seat]} {text}" for seat, text in changed.items())


def _lease(sheet: Sheet, device: str) -> str:
    if not sheet.lease_device:
        return "free"
    return "mine" if sheet.lease_device == device else "other"


def _undo(game: Game, begun: Sequence[Game], directed: bool, declared: int | None) -> Undo | None:
    if declared is not None:
        name = short_names(game.names)[declared]
        return Undo("declared", declared_text(name))
    last = game.last
    if last is not None:
        deal, row = last
        line = line_of(row, short_names(game.names))
        change = line.change and (" " if line.change[0] in "+−" else " · ") + line.change
        ruled = directed and needs_director(row.entry)
        return Undo(
            "ruling" if ruled else "entry",
            _("%(line)s (deal %(deal)s)") % {"line": f"{line.text}{change}", "deal": deal},
        )
    before = [each.number for each in begun if each.number < game.number]
    if game.unwritten and before:
        return Undo("game", _("Back to game %(number)s") % {"number": before[-1]})
    return None


__all__ = ["TablePage", "Undo", "etag_of", "game_part", "table_page"]
