"""Everything on one heat's protocol, for the public page and for print."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction

from ..chain import canonical
from ..enums import SheetStatus
from ..models import Table
from ..reasons import params_of
from .acceptance import NO_ACCEPTANCE, TableAcceptance, acceptance_of
from .games import CorrectionRow, Game, TableGames, table_games
from .ranking import heat_ranking, penalties_in_force


@dataclass(frozen=True, slots=True)
class RankingRow:
    """One player of the heat; ``decided_by`` is the step that put this player above the next.

    ``points_per_game`` holds ``None`` for unfinished games; ``game_points`` is their sum before the
    ``penalty``. ``own_value`` and ``next_value`` are the two players' numbers in the deciding step,
    if it compares numbers.
    """

    place: int
    player_id: str
    name: str
    game_points: Fraction
    points_per_game: tuple[Fraction | None, ...] = ()
    score_points: int = 0
    asterisks: int = 0
    decided_by: str | None = None
    shared: bool = False
    advances: bool = False
    disqualified: bool = False
    penalty: Fraction = Fraction(0)
    own_value: Fraction | int | None = None
    next_value: Fraction | int | None = None


@dataclass(frozen=True, slots=True)
class PenaltyRow:
    """Game points deducted from a player; ``reason`` is in stored form."""

    name: str
    game_points: Fraction
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ProtocolData:
    """A heat: head, games, ranking, checksum, corrections.

    ``provisional`` is true until all games are finished and the table has signed off. ``code`` is a
    short mark made from the sheets' hash chains: every new row changes it.
    """

    table: Table
    auditor: str
    rules: str
    target: int
    limit: int | None
    games_planned: int
    games: tuple[Game, ...]
    #: The numbers of the games that had not begun when the time was up.
    not_begun: tuple[int, ...]
    ranking: tuple[RankingRow, ...]
    needs_flip_flop: tuple[tuple[str, ...], ...]
    checksum: Fraction
    checksum_expected: Fraction
    provisional: bool
    code: str
    corrections: tuple[CorrectionRow, ...]
    penalties: tuple[PenaltyRow, ...] = ()
    #: Acceptances and objections.
    acceptance: TableAcceptance = NO_ACCEPTANCE

    @property
    def with_game_points(self) -> bool:
        """Whether places are worth game points; at tables of five and six they are not."""
        return bool(self.checksum_expected)


def protocol_of(table_id: int, *, policy: str | None = None) -> ProtocolData:
    """Return the protocol of a table (five queries and the host's).

    ``policy`` as in :func:`protocol_from`. Raises ``Table.DoesNotExist``.
    """
    return protocol_from(table_games(Table.objects.get(pk=table_id)), policy=policy)


def protocol_from(read: TableGames, *, policy: str | None = None) -> ProtocolData:
    """Return the protocol of a table whose games have been read.

    It takes four queries (flip-flops, penalties, acceptances, objections) and the host's, which
    ``policy`` (who confirms results) saves.
    """
    table, names = read.table, read.names
    sheets = [game.sheet for game in read.games]
    games = tuple(game for game in read.games if game.status != SheetStatus.VOID)
    taken = penalties_in_force(table)
    ranking = heat_ranking(table=table, sheets=sheets, penalties=taken)
    shared = [row.place for row in ranking.rows]
    finished = [game for game in games if game.status == SheetStatus.FINISHED]
    done = bool(finished) and len(finished) == len(games)
    rows = tuple(
        RankingRow(
            place=row.place,
            player_id=row.player,
            name=names.get(row.player, row.player),
            game_points=row.game_points,
            points_per_game=tuple(_points(game, row.player) for game in games),
            score_points=row.score_points,
            asterisks=row.asterisks,
            decided_by=row.decided_by,
            shared=shared.count(row.place) > 1,
            advances=done and row.player in ranking.advances,
            disqualified=row.disqualified,
            penalty=row.penalty,
            own_value=row.own_value,
            next_value=row.next_value,
        )
        for row in ranking.rows
    )
    to_decide = ranking.needs_flip_flop if done else ()
    acceptance = NO_ACCEPTANCE
    if table.directed:
        acceptance = acceptance_of(table, sheets, names, read.text, policy=policy)
    return ProtocolData(
        table=table,
        auditor=names.get(table.auditor, table.auditor),
        rules=table.rules,
        target=read.rules.target,
        limit=read.rules.discardless,
        games_planned=table.games_planned,
        games=games,
        not_begun=tuple(
            game.number for game in read.games if _is_not_begun(game.sheet.void_reason)
        ),
        ranking=rows,
        needs_flip_flop=to_decide,
        checksum=sum((game.points_sum or Fraction(0) for game in finished), Fraction(0)),
        checksum_expected=sum((game.points_expected for game in finished), Fraction(0)),
        provisional=table.signed_at is None or not done,
        acceptance=replace(acceptance, tied=bool(to_decide)),
        code=code_of([sheet.chain for sheet in sheets]),
        corrections=tuple(correction for game in read.games for correction in game.corrections),
        penalties=tuple(
            PenaltyRow(
                name=names.get(row.player, row.player),
                game_points=row.game_points,
                reason=read.text(row.reason),
                at=row.created_at,
            )
            for row in taken
        ),
    )


def code_of(chains: list[str]) -> str:
    """Return 12 letters and digits for these hashes, in groups of four."""
    digest = hashlib.sha256(canonical(chains)).digest()
    text = base64.b32encode(digest).decode("ascii")[:12]
    return "-".join((text[:4], text[4:8], text[8:]))


def _is_not_begun(void_reason: str) -> bool:
    return params_of(void_reason, "not_begun") is not None


def _points(game: Game, player_id: str) -> Fraction | None:
    if game.status != SheetStatus.FINISHED:
        return None
    return next((seat.game_points for seat in game.seats if seat.player_id == player_id), None)


__all__ = [
    "Game",
    "PenaltyRow",
    "ProtocolData",
    "RankingRow",
    "code_of",
    "protocol_from",
    "protocol_of",
]
