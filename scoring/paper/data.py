"""Printouts as plain values: rows as scoring reads them, and their labels.

The rows are those of :mod:`scoring.reading`. A :class:`Printout` adds what scoring does not know
(event, day, names of heat and table) and needs no database, so that a protocol can be drawn and
tested without one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction

from engine.rules.ruleset import RuleSet

from ..host import host
from ..reading.acceptance import AcceptedGame
from ..reading.games import CorrectionRow, DealRow, EntryRow, FromPaper, Game, SeatRow, Zeroed
from ..reading.protocol import PenaltyRow, ProtocolData, RankingRow
from ..reading.rules import rules_of
from ..reading.rulings import RulingRow, rulings_on

__all__ = [
    "CorrectionRow",
    "DealRow",
    "EntryRow",
    "Labels",
    "PaperHeat",
    "PenaltyRow",
    "PrintedGame",
    "Printout",
    "RankingRow",
    "RulingRow",
    "SeatRow",
    "Zeroed",
    "paper_heat",
    "printout",
]


@dataclass(frozen=True, slots=True)
class Labels:
    """What the caller knows about a heat but scoring does not; unknown fields are empty.

    ``public_url`` is the heat's public page, for the QR code. ``days`` of an event with several are
    for a blank protocol, whose ``day`` is yet to be written. ``sheet`` is one of the
    ``SHEETS`` of ``paper.py``.
    """

    event_name: str = ""
    day: str = ""
    days: str = ""
    heat_label: str = ""
    table_label: str = ""
    public_url: str = ""
    sheet: str = "a4"


@dataclass(frozen=True, slots=True)
class PrintedGame:
    """One game of the heat; seats are in that game's own order, ``deal`` counts from 1."""

    number: int
    seats: tuple[SeatRow, ...]
    status: str = "finished"
    dealer: int = 0
    winners: tuple[int, ...] = ()
    win: str | None = None
    deal: int = 1
    points_sum: Fraction | None = None
    points_expected: Fraction = Fraction(0)
    deals: tuple[DealRow, ...] = ()
    from_paper: FromPaper | None = None


@dataclass(frozen=True, slots=True)
class Printout:
    """Everything on one heat's protocol."""

    games: tuple[PrintedGame, ...]
    labels: Labels = Labels()
    auditor: str = ""
    rules: str = "festival"
    target: int = 52
    limit: int | None = 45
    provisional: bool = False
    ranking: tuple[RankingRow, ...] = ()
    needs_flip_flop: tuple[tuple[str, ...], ...] = ()
    #: The numbers of the games that had not begun when the time was up.
    not_begun: tuple[int, ...] = ()
    code: str = ""
    corrections: tuple[CorrectionRow, ...] = ()
    penalties: tuple[PenaltyRow, ...] = ()
    rulings: tuple[RulingRow, ...] = ()
    #: Whether nobody advances from here.
    is_final: bool = False
    accepted: tuple[AcceptedGame, ...] = ()
    protest: str = ""
    by_director_at: datetime | None = None
    #: Whether there is a director to sign.
    directed: bool = True


@dataclass(frozen=True, slots=True)
class PaperHeat:
    """A heat to be scored with a pencil.

    ``names`` has one for each seat, empty where the row is to be left blank. ``seating`` holds one
    such list per game, in that game's seat order, if seats are drawn.
    """

    labels: Labels
    names: tuple[str, ...]
    rules: RuleSet
    games: int
    seating: tuple[tuple[str, ...], ...] = ()
    auditor: str = ""

    def row_names(self, game: int) -> tuple[str, ...]:
        """Return the names printed in the rows of a game (from 1)."""
        return self.seating[game - 1] if game <= len(self.seating) else self.names


def _labels(protocol: ProtocolData, labels: Labels, heat: str) -> Labels:
    if labels.heat_label:
        return labels
    table = protocol.table
    return replace(labels, heat_label=heat or str(table.heat_number or table.label))


def paper_heat(protocol: ProtocolData, labels: Labels) -> PaperHeat:
    """Return a heat with its drawn seats, for scoring with a pencil."""
    seating = tuple(tuple(seat.name for seat in game.seats) for game in protocol.games)
    return PaperHeat(
        labels=_labels(protocol, labels, host().at_table(protocol.table.pk).heat),
        names=seating[0],
        rules=rules_of(protocol.table),
        games=protocol.games_planned,
        seating=seating,
        auditor=protocol.auditor,
    )


def _game(game: Game) -> PrintedGame:
    return PrintedGame(
        number=game.number,
        seats=game.seats,
        status=str(game.status),
        dealer=game.dealer,
        winners=game.winners,
        win=game.win,
        deal=game.deal,
        points_sum=game.points_sum,
        points_expected=game.points_expected,
        deals=game.deals,
        from_paper=game.from_paper,
    )


def printout(protocol: ProtocolData, labels: Labels) -> Printout:
    """Return a heat's protocol for printing."""
    names = {seat.player_id: seat.name for game in protocol.games for seat in game.seats}
    names |= {row.player_id: row.name for row in protocol.ranking}
    finished = any(game.status == "finished" for game in protocol.games)
    about = host().at_table(protocol.table.pk)
    ranking = protocol.ranking
    going_on = host().goes_on(protocol.table.pk)
    if going_on is not None:
        ranking = tuple(replace(row, advances=row.player_id in going_on) for row in ranking)
    return Printout(
        games=tuple(_game(game) for game in protocol.games),
        labels=_labels(protocol, labels, about.heat),
        auditor=protocol.auditor,
        rules=protocol.rules,
        target=protocol.target,
        limit=protocol.limit,
        provisional=protocol.provisional,
        # Before the first result everybody is level at nothing, which is no ranking.
        ranking=ranking if finished else (),
        needs_flip_flop=tuple(
            tuple(names.get(player_id, player_id) for player_id in group)
            for group in protocol.needs_flip_flop
        ),
        not_begun=protocol.not_begun,
        code=protocol.code,
        corrections=protocol.corrections,
        penalties=protocol.penalties,
        rulings=rulings_on(protocol.table, protocol.games) if protocol.table.directed else (),
        is_final=about.is_final,
        accepted=protocol.acceptance.games,
        protest=protocol.acceptance.protest,
        by_director_at=protocol.acceptance.by_director_at,
        directed=protocol.table.directed,
    )
