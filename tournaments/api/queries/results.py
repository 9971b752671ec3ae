"""Standings, the qualified, the play-offs, the result and what came up, as documents."""

from collections.abc import Sequence
from typing import Any

from engine.bots import chance
from engine.cards.categories import SCORING

from ...core.names import club_of, registration_name
from ...models import Event, Qualification
from ...playoffs.queries.bracket import Round, Seat, bracket_of
from ...results.queries.final import full_ranking
from ...results.queries.hands import Compared, hands_of
from ...results.queries.player_standings import STATES, PlayerStandingsRow, player_standings_of
from ...results.queries.tally import tally_of
from .events import Document


def standings_document(event: Event) -> Document:
    """Return the whole standing of the qualifying (six queries)."""
    return {"players": [_standing(row) for row in player_standings_of(event)]}


def _standing(row: PlayerStandingsRow) -> Document:
    return {
        "number": row.number,
        "name": row.name,
        "state": row.state,
        "state_text": str(STATES[row.state]),
        "qualified_as": row.order,
        "entries": row.entries,
        "entries_left": row.left,
        "heat_now": row.heat_now,
        "table_now": row.table_now,
        "best_heat": row.best_heat,
        "game_points": row.result.game_points if row.result else None,
        "share": row.share,
        "place": row.place or None,
    }


def qualified_document(row: Qualification) -> Document:
    """Return a row of ``qualified_of``."""
    return {
        "order": row.order,
        "number": row.registration.number,
        "name": registration_name(row.registration),
        "club": club_of(row.registration),
        "heat": row.heat.number if row.heat else None,
        "qualified_at": row.qualified_at,
        # Annotated by the query.
        "no_show": row.no_show,  # type: ignore[attr-defined]
    }


def playoffs_document(event: Event) -> Document:
    """Return the bracket, rounds to come included (five queries)."""
    bracket = bracket_of(event)
    return {
        "has_begun": bracket.has_begun,
        "is_over": bracket.is_over,
        "champions": _players(bracket.champions),
        "rounds": [_round(each) for each in bracket.rounds],
    }


def _players(seats: Sequence[Seat]) -> list[Document]:
    return [{"number": int(seat.player_id), "name": seat.name} for seat in seats]


def _round(found: Round) -> Document:
    return {
        "title": found.title,
        "is_final": found.is_final,
        "is_planned": found.is_planned,
        "advance": found.advance,
        "when": found.when,
        "tables": [
            {
                "title": table.title,
                "heat": table.heat,
                "table": table.room_table,
                "status": table.status,
                "size": table.size,
                "seats": [_seat(seat) for seat in table.seats],
            }
            for table in found.tables
        ],
        "waiting": _players(found.waiting),
        "absent": [{"name": each.name, "instead": each.instead} for each in found.absent],
    }


def _seat(seat: Seat) -> Document:
    return {
        "number": int(seat.player_id),
        "name": seat.name,
        "place": seat.place,
        "game_points": seat.points,
        "goes_on": seat.goes_on,
        "disqualified": seat.disqualified,
        "mark": seat.mark,
    }


def result_document(event: Event) -> Document:
    """Return the whole ranking with its reasons (six queries)."""
    ranking = full_ranking(event)
    return {
        "is_final": ranking.is_final,
        "winners": [{"number": each.number, "name": each.name} for each in ranking.winners],
        "players": [
            {
                "number": int(row.player_id),
                "name": row.name,
                "place": row.place,
                "shared": row.shared,
                "club": row.club,
                "section": row.section,
                "how_far": row.how_far,
                "why": row.why,
                "game_points": row.points,
                "share": row.share,
                "score_points": row.score_points,
                "asterisks": row.asterisks,
                "heat": row.heat,
            }
            for row in ranking.rows
        ],
    }


def statistics_document(event: Event) -> Document:
    """Return what came at all tables, beside what chance expects (four queries at most)."""
    hands = hands_of(tally_of(event))
    return {
        "games": hands.games,
        "deals": hands.deals,
        "hands": _came([category.key for category in SCORING], hands.hands),
        "chicagos": _came([chance.WON, chance.BROKEN], hands.chicagos),
    }


def _came(codes: Sequence[str], rows: Sequence[Compared]) -> list[dict[str, Any]]:
    return [
        {
            "code": code,
            "label": row.label,
            "came": row.came,
            "expected": None if row.expected is None else row.expected.times,
        }
        for code, row in zip(codes, rows, strict=True)
    ]
