"""One heat played by bots: the Auditor's taps, the director's rulings, the Flip Flop."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from engine.bots.players import bot
from engine.bots.simulation import MAX_DEALS, TIME_IS_UP, next_action
from engine.rules.ruleset import RuleSet
from engine.sheet.entries import Entry, Ruling, entry_from_json
from engine.table.actions import Rule
from engine.table.state import Stage as Moment
from engine.table.table import apply, start_table
from scoring import writing as scoring
from scoring.enums import RowKind, SheetStatus
from scoring.models import Sheet
from scoring.reading.ranking import heat_ranking
from scoring.reading.records import game_records
from scoring.reading.rules import rules_of

from ..heats.commands import close_heat, enter_ruling, record_flip_flop, set_auditor
from ..models import Heat


@dataclass(frozen=True)
class Chances:
    """How often something out of the ordinary happens, per game."""

    taken_back: float = 0.1
    penalty: float = 0.02
    disqualified: float = 0.006


def play_heat(
    heat: Heat, generator: Random, chances: Chances, bots: Sequence[str]
) -> Iterator[None]:
    """Play a heat to its end and close it; pauses after every entry."""
    assert heat.table is not None
    entries = list(heat.entries.select_related("registration").order_by("pk"))
    set_auditor(heat=heat, registration=generator.choice(entries).registration, by=None)
    for number in range(1, heat.games_planned + 1):
        if number > 1:
            scoring.open_next_sheet(table_id=heat.table.pk, by="auditor")
        yield from _game(heat, number, generator, chances, bots)
    sheets = list(Sheet.objects.filter(table=heat.table).order_by("number"))
    for group in heat_ranking(table=heat.table, sheets=sheets).needs_flip_flop:
        order = list(group)
        generator.shuffle(order)
        record_flip_flop(heat=heat, order=order, by=None)
    close_heat(heat=heat, by=None)
    heat.refresh_from_db()


def _game(
    heat: Heat, number: int, generator: Random, chances: Chances, bots: Sequence[str]
) -> Iterator[None]:
    assert heat.table is not None
    sheet = Sheet.objects.select_related("table").get(table=heat.table, number=number)
    if sheet.status != SheetStatus.RUNNING:
        return
    records = {each.pk: record for each, record in game_records([heat.table])[heat.table.pk]}
    # Whoever was disqualified in an earlier game is so from the start, by rulings on the sheet.
    written = [_ruling_from(entry) for entry in records[sheet.pk]["entries"]]
    played = _played(
        rules_of(heat.table),
        len(sheet.seats),
        sheet.dealer,
        written,
        _ruling(generator, chances, len(sheet.seats)),
        [generator.choice(bots) for _ in sheet.seats],
        generator,
    )
    take_back_at = -1
    if generator.random() < chances.taken_back:
        take_back_at = generator.randrange(len(written), len(played))
    version = sheet.version
    for index, entry in enumerate(played[len(written) :], start=len(written)):
        version = _write(heat, sheet, version, entry)
        if index == take_back_at and index < len(played) - 1:
            version = scoring.revise_entry(
                kind=RowKind.VOID,
                sheet_id=sheet.pk,
                client_id=uuid.uuid4(),
                seen_version=version,
                author="auditor",
            ).version
            version = _write(heat, sheet, version, entry)
        yield


def _played(
    rules: RuleSet,
    seats: int,
    dealer: int,
    written: Sequence[Ruling],
    ruling: Ruling | None,
    bots: Sequence[str],
    generator: Random,
) -> Sequence[Entry]:
    """Return a game's entries, card by card; ``written`` are the rulings it begins with."""
    table = start_table(rules, seats, dealer)
    players = [bot(name) for name in bots]
    for entry in written:
        table = apply(table, Rule(entry))
    ruling_deal = generator.randrange(1, 12)
    while table.stage is not Moment.FINISHED:
        between = table.stage is Moment.DECK
        if between and table.sheet.deal >= MAX_DEALS:
            table = apply(table, Rule(TIME_IS_UP))
        elif between and ruling is not None and table.sheet.deal == ruling_deal:
            if table.sheet.status[ruling.seat or 0] == "in":
                table = apply(table, Rule(ruling))
            ruling = None
        else:
            table = apply(table, next_action(table, players, generator))
    return table.entries


def _ruling_from(said: dict[str, Any]) -> Ruling:
    entry = entry_from_json(said)
    assert isinstance(entry, Ruling)
    return entry


def _ruling(generator: Random, chances: Chances, seats: int) -> Ruling | None:
    luck = generator.random()
    seat = generator.randrange(seats)
    if luck < chances.disqualified:
        return Ruling("disqualify", seat=seat, reason="had a card up the sleeve")
    if luck < chances.disqualified + chances.penalty:
        return Ruling("points", seat=seat, points=-5, reason="looked at another player's cards")
    return None


def _write(heat: Heat, sheet: Sheet, version: int, entry: Entry) -> int:
    """Write an entry as its writer would: the Auditor, or for a ruling the director."""
    said: dict[str, Any] = entry.as_json()
    if isinstance(entry, Ruling):
        enter_ruling(heat=heat, ruling=said, by=None, client_id=uuid.uuid4(), seen_version=version)
        return version + 1
    return scoring.write_entry(
        sheet_id=sheet.pk,
        client_id=uuid.uuid4(),
        seen_version=version,
        entry=said,
        author="auditor",
        confirmed=True,
    ).version
