"""One heat played by bots: the Auditor's entries, the director's rulings, the Flip Flop."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from django.db import transaction

from engine.bots.players import Bot, bot
from engine.bots.simulation import MAX_DEALS, TIME_IS_UP, next_action
from engine.rules.ruleset import RuleSet
from engine.sheet.entries import Entry, Ruling, entry_from_json
from engine.sheet.sheet import start, step
from engine.table.actions import Rule
from engine.table.state import Stage, new_table
from engine.table.table import apply, carry_out
from scoring import writing as scoring
from scoring.enums import RowKind, SheetStatus
from scoring.models import Link, Sheet, Table
from scoring.reading.ranking import heat_ranking
from scoring.reading.rules import rules_of
from scoring.reasons import coded
from scoring.writing.locks import locked_sheet
from scoring.writing.write import enter_game

from ..core.errors import Refused
from ..core.log import By
from ..heats.commands import close_heat, enter_ruling, make_link, record_flip_flop, set_auditor
from ..models import Heat
from ..results.queries.from_sheets import entries_in

#: Fixed events at a table, by game (from 1) and deal (from 0): entries written when that deal would
#: begin, without cards.
Script = Mapping[tuple[int, int], Sequence[Entry]]

_BETWEEN_DEALS = frozenset({Stage.DECK, Stage.FINISHED})


@dataclass(frozen=True)
class Chances:
    """How often something unusual happens, per game."""

    taken_back: float = 0.1
    penalty: float = 0.02
    disqualified: float = 0.006


def play_heat(
    heat: Heat,
    generator: Random,
    chances: Chances,
    bots: Sequence[str],
    *,
    by: By = None,
    script: Script | None = None,
    at_once: bool = False,
) -> Iterator[None]:
    """Play a heat to its end and close it; yields after every entry.

    ``at_once``: nobody watches, so what one writer enters in a row is written together.
    """
    assert heat.table is not None
    entries = sorted(entries_in(heat), key=lambda entry: entry.pk)
    set_auditor(heat=heat, registration=generator.choice(entries).registration, by=by)
    author = make_link(heat=heat, by=by)
    table = _Heat(heat, heat.table, generator, chances, bots, by, script or {}, author, at_once)
    yield from table.games()
    try:
        close_heat(heat=heat, by=by)
    except Refused as refused:
        if refused.code != "needs_flip_flop":
            raise
        sheets = list(Sheet.objects.filter(table=heat.table).order_by("number"))
        for group in heat_ranking(table=heat.table, sheets=sheets).needs_flip_flop:
            order = list(group)
            generator.shuffle(order)
            record_flip_flop(heat=heat, order=order, by=by)
        close_heat(heat=heat, by=by)


@dataclass(frozen=True)
class _Heat:
    heat: Heat
    table: Table
    generator: Random
    chances: Chances
    bots: Sequence[str]
    by: By
    script: Script
    author: Link
    at_once: bool

    def games(self) -> Iterator[None]:
        """Play game after game; at once, those in which nothing unusual happens are one write."""
        together: list[tuple[Sheet, Sequence[Entry]]] = []
        for sheet in Sheet.objects.filter(table=self.table).order_by("number"):
            if not together and sheet.number > 1:
                sheet = self.opened(sheet.number)
            if sheet.status not in (SheetStatus.RUNNING, SheetStatus.WAITING):
                continue
            written, played = self.planned(sheet)
            take_back_at = -1
            if self.generator.random() < self.chances.taken_back:
                take_back_at = self.generator.randrange(written, len(played))
            ruled = any(isinstance(entry, Ruling) for entry in played)
            if self.at_once and take_back_at < 0 and not ruled:
                together.append((sheet, played))
                continue
            if together:
                self.write_together(together)
                together = []
                sheet = self.opened(sheet.number)
            yield from self.entered(sheet, written, played, take_back_at)
        if together:
            self.write_together(together)
            yield

    def opened(self, number: int) -> Sheet:
        """Open a game as its Auditor does."""
        return scoring.open_next_sheet(table_id=self.table.pk, by=self.author, number=number)

    def planned(self, sheet: Sheet) -> tuple[int, Sequence[Entry]]:
        """Return how many entries a game has already, and all that it is to have."""
        # A player disqualified in an earlier game is so from the start, by rulings already on the
        # sheet.
        rows = sheet.entries.all() if sheet.version else ()
        written = [entry_from_json(row.entry or {}) for row in rows]
        scripted = {
            deal: reply for (game, deal), reply in self.script.items() if game == sheet.number
        }
        played = self.played(
            rules_of(self.table),
            len(sheet.seats),
            sheet.dealer,
            {**scripted, 0: [*written, *scripted.get(0, ())]},
        )
        return len(written), played

    def entered(
        self, sheet: Sheet, written: int, played: Sequence[Entry], take_back_at: int
    ) -> Iterator[None]:
        """Write a game's entries; one may be taken back and written again."""
        version, together = sheet.version, []
        for index, entry in enumerate(played[written:], start=written):
            together.append(entry)
            following = played[index + 1 : index + 2]
            rulings = isinstance(entry, Ruling) or any(isinstance(e, Ruling) for e in following)
            if self.at_once and following and index != take_back_at and not rulings:
                continue
            version = self.write(sheet, version, together)
            together = []
            if index == take_back_at and following:
                version = scoring.correct_entry(
                    kind=RowKind.VOID,
                    sheet_id=sheet.pk,
                    client_id=uuid.uuid4(),
                    seen_version=version,
                    author=self.author,
                ).version
                version = self.write(sheet, version, [entry])
            yield

    def write_together(self, games: Sequence[tuple[Sheet, Sequence[Entry]]]) -> None:
        """Write whole games at once; their results are written when the heat is closed."""
        with transaction.atomic():
            locked = {sheet.pk: sheet for sheet in scoring.locked_sheets(self.table.pk)}
            sheets = [locked[sheet.pk] for sheet, _played in games]
            waited = sum(sheet.status == SheetStatus.WAITING for sheet in sheets)
            rows = []
            for sheet, (_sheet, played) in zip(sheets, games, strict=True):
                entries = [{**entry.as_json()} for entry in played]
                rows += enter_game(sheet=sheet, entries=entries, author=self.author)
            scoring.write_games(sheets=sheets, rows=rows, begun=waited)

    def played(
        self, rules: RuleSet, seats: int, dealer: int, script: Mapping[int, Sequence[Entry]]
    ) -> Sequence[Entry]:
        """Return a game's entries, played card by card where the script has nothing."""
        ruling = self.ruling(seats)
        players = [bot(self.generator.choice(self.bots)) for _ in range(seats)]
        left = dict(script)
        table = new_table(start(rules, seats, dealer))
        ruling_deal = self.generator.randrange(1, 12)
        # What the program's own bots choose is possible.
        follow = carry_out if all(type(player) is Bot for player in players) else apply
        while not table.sheet.finished:
            if table.sheet.deal in left:
                reply = left.pop(table.sheet.deal)
                sheet = table.sheet
                for entry in reply:
                    sheet = step(sheet, entry)
                table = new_table(sheet)._replace(entries=(*table.entries, *reply))
            elif table.sheet.deal >= MAX_DEALS:
                table = apply(table, Rule(TIME_IS_UP))
            elif ruling is not None and table.sheet.deal == ruling_deal:
                if table.sheet.status[ruling.seat or 0] == "in":
                    table = apply(table, Rule(ruling))
                ruling = None
            else:
                table = follow(table, next_action(table, players, self.generator))
                while table.stage not in _BETWEEN_DEALS:
                    table = follow(table, next_action(table, players, self.generator))
        return table.entries

    def ruling(self, seats: int) -> Ruling | None:
        """Return a ruling for this game, or None."""
        luck = self.generator.random()
        seat = self.generator.randrange(seats)
        if luck < self.chances.disqualified:
            return Ruling("disqualify", seat=seat, reason="had a card up the sleeve")
        if luck < self.chances.disqualified + self.chances.penalty:
            return Ruling("points", seat=seat, points=-5, reason=coded("offence.showed_cards"))
        return None

    def write(self, sheet: Sheet, version: int, entries: Sequence[Entry]) -> int:
        """Write as the real writer would: the Auditor entries, or the director one ruling."""
        first = entries[0]
        reply: dict[str, Any] = {**first.as_json()}
        if len(entries) > 1:
            with transaction.atomic():
                scoring.write_game(
                    sheet=locked_sheet(sheet.pk),
                    entries=[{**entry.as_json()} for entry in entries],
                    author=self.author,
                )
            return version + len(entries)
        if isinstance(first, Ruling):
            enter_ruling(
                heat=self.heat,
                ruling=reply,
                by=self.by,
                client_id=uuid.uuid4(),
                seen_version=version,
            )
            return version + 1
        return scoring.write_entry(
            sheet_id=sheet.pk,
            client_id=uuid.uuid4(),
            seen_version=version,
            entry=reply,
            author=self.author,
            confirmed=True,
        ).version
