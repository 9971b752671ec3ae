"""A table's document: what a phone holds besides the lines of its games.

Seats and games, and what the hall adds: who keeps the score, calls, acceptances, penalties, who is
away. It is in the reader's language and for one device; no link, key or token is in it. The lines
are those of :mod:`scoring.reading.log`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.utils import timezone

from .games import Game
from .pages import TablePage
from .practice import PRACTICE
from .ranking import chain_of
from .records import one_per_group
from .recover import decisions_of, heat_fingerprint, seating_of, statements_of, voids_of
from .words import short_names, softened


def document_of(page: TablePage) -> dict[str, Any]:
    """Return the document of a table as the page of one device shows it.

    ``heat`` is how a phone recognises the heat on another server. ``gone`` maps players who
    start a game out of it to the ruling; ``away`` lists players who fold each deal. ``told`` is
    what was decided and said, in words, for a server that loses it.
    """
    table, about = page.table, page.about
    directed = table.directed
    return {
        "heat": heat_fingerprint(table),
        "label": page.label,
        "practice": table.created_by == PRACTICE,
        "directed": directed,
        "planned": table.games_planned,
        "mode": page.mode,
        "now": page.game.number,
        "writes": page.writes,
        "lease": _lease(page),
        "seated": table.seated_at is not None,
        "signed": table.signed_at is not None,
        "closed": about.is_closed or (page.mode == "end" and not directed),
        "called": table.call_since is not None,
        "objected": bool(page.acceptance.open_objections),
        "rules": table.rules_digest,
        "chain": list(chain_of(table)),
        "advance": table.advance,
        "final": about.is_final,
        "shot": about.shot_seconds,
        "games": [_seated(game) for game in _games(page)],
        "declared": {"game": page.game.number, "deal": page.game.state.deal, "seat": page.declared}
        if page.declared is not None
        else None,
        "penalties": {
            page.names.get(who, who): str(points) for who, points in _penalties(page).items()
        },
        "away": [page.names.get(str(who), str(who)) for who in table.away or ()],
        "gone": {page.names.get(str(who), str(who)): "sit_out_game" for who in table.absent},
        "flips": _flips(page),
        "waits": page.waits_offline,
        "told": [
            *decisions_of(page.game, page.decided),
            *voids_of(page.voided),
            *statements_of(table, page.acceptance.open_objections),
        ]
        if directed
        else [],
    }


def _flips(page: TablePage) -> list[list[str]]:
    """Return the orders by Flip Flop or by lots that count, as names."""
    rows = one_per_group(page.table.flip_flops.all()) if page.mode == "end" else ()
    return [[page.names.get(who, who) for who in row.order] for row in rows]


def _games(page: TablePage) -> list[Game]:
    found = [*(part.game for part in page.earlier), page.game, *page.waiting, *page.voided]
    return sorted({game.number: game for game in found}.values(), key=lambda game: game.number)


def _seated(game: Game) -> dict[str, Any]:
    """Return a game's seats, and for a game from paper its result, which no lines lead to."""
    shorts = short_names(game.names)
    return {
        "game": game.number,
        "status": game.status,
        "seats": game.names,
        "ids": list(game.sheet.seats),
        "drawn": list(game.sheet.drawn_seats),
        "shorts": shorts,
        "labels": [softened(name) for name in shorts],
        "dealer": game.dealer,
        "seating": seating_of(game.sheet),
        "version": game.sheet.version,
        **({"result": game.state.as_json()} if game.from_paper else {}),
    }


def _lease(page: TablePage) -> str | None:
    """Return since when another device has kept the score: hours and minutes."""
    if page.lease != "other" or page.lease_since is None:
        return None
    return timezone.localtime(page.lease_since).strftime("%H:%M")


def _penalties(page: TablePage) -> Mapping[str, Fraction]:
    """Return the game points that players lose, by reference."""
    found: dict[str, Fraction] = {}
    for row in page.decided:
        if row.game_points:
            found[row.player_id] = found.get(row.player_id, Fraction()) + row.game_points
    return found
