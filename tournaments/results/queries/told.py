"""What the lines of a finished game tell beside its score: hands, Chicagos, deals, who fell."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.bots.chance import NO_CHICAGO, NOBODY, what_of
from engine.sheet.facts import ScoreChanged
from scoring.enums import RowKind
from scoring.reading.history import Step, play, slots_of
from scoring.reading.rows import rows_of
from scoring.reading.rules import rules_of

from ...models import HeatGame


@dataclass
class Told:
    """Counts of one game.

    ``came`` has hands and Chicagos, and how many deals and hands of each phase are known; ``own``
    has each seat's. ``zeroed``: how often each seat reached the target without the Chicago that it
    needed. ``length``: the deals of which something was written. ``seconds``: how long it took, 0
    if it was entered afterwards.
    """

    came: Counter[str] = field(default_factory=Counter)
    own: dict[int, Counter[str]] = field(default_factory=dict)
    zeroed: Counter[int] = field(default_factory=Counter)
    length: int = 0
    seconds: int = 0


def told_by(game: HeatGame, steps: Sequence[Step] | None = None) -> Told:
    """Return what a finished game's sheet tells.

    ``steps``: the game's if they are known; otherwise its rows are replayed (one query).
    """
    sheet = game.sheet
    afterwards = False
    if steps is None:
        rows = rows_of(sheet)
        slots, seats = slots_of(rows, sheet.drawn_seats)
        steps = play(rules_of(sheet.table), len(seats), sheet.dealer, slots).steps
        afterwards = any(row.kind == RowKind.FROM_PAPER for row in rows)
    told = Told(own={seat: Counter() for seat in range(len(sheet.seats))})
    deals: set[int] = set()
    for step in steps:
        for fact in step.after.facts:
            if isinstance(fact, ScoreChanged) and fact.cause == "no_chicago":
                told.zeroed[fact.seat] += 1
        what = what_of(step.slot.entry)
        if what is None:
            continue
        phase, name = what
        deals.add(step.before.deal)
        told.came[f"asked_{phase}" if phase else "deals"] += 1
        if name not in (NOBODY, NO_CHICAGO):
            told.came[name] += 1
            told.own[step.slot.entry["seat"]][name] += 1
    told.length = len(deals)
    if sheet.started_at and sheet.finished_at and not afterwards:
        told.seconds = max(0, round((sheet.finished_at - sheet.started_at).total_seconds()))
    return told
