"""The penalties in a chicago-event document: written from the sheets' rulings, and read back."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

from scoring.models import HeatPenalty, Sheet, SheetEntry

from ..floor.commands.penalties import RULING_ACTIONS
from ..models import Event, Heat, HeatGame, Penalty
from ..models.enums import PenaltyLevel
from ..models.fields import as_number
from ..models.ladder import COUNTED

Row = dict[str, Any]
Games = Mapping[int, list[tuple[Sheet, Row]]]

#: As ``as_number`` writes them, and no longer than any that are played for.
_EXACT = re.compile(r"-?[0-9]{1,9}(/[0-9]{1,9})?", re.ASCII)
_LEVELS = {action: level for level, action in RULING_ACTIONS.items()}
#: Penalties without a ruling on a sheet; game points are taken off the heat's sum, and somebody
#: disqualified away from the tables is on none.
_BESIDE = (PenaltyLevel.WARNING, PenaltyLevel.GAME_POINTS, PenaltyLevel.DISQUALIFIED)


def penalty_rows(event: Event, heats: Iterable[Heat], games: Games) -> list[Row]:
    """Return the rulings against players on the sheets, then the penalties without one (one query).

    ``games`` are the records of each table, by primary key. Rows for penalties given by the
    director also have ``offence`` and ``note``, so that the player's next step is known after an
    import.
    """
    given: dict[tuple[int, str, str], list[Penalty]] = {}
    beside = []
    for penalty in (
        event.penalties.in_force().select_related("registration", "game__heat").order_by("pk")
    ):
        action = RULING_ACTIONS.get(PenaltyLevel(penalty.level))
        if penalty.game is None or action is None:
            beside.append(_beside(penalty))
            continue
        where = penalty.game.sheet_id
        given.setdefault((where, penalty.registration.player_id, action), []).append(penalty)
    rows: list[Row] = []
    for heat in heats:
        for sheet, record in games[heat.table_id] if heat.table_id is not None else ():
            for entry in record.get("entries", ()):
                if entry["kind"] != "ruling" or entry.get("seat") is None:
                    continue
                player_id = record["seats"][entry["seat"]]
                row: Row = {
                    "heat": str(heat.number),
                    "game": record["game"],
                    "id": player_id,
                    "action": entry["action"],
                    "points": entry.get("points"),
                    "reason": entry["reason"],
                }
                behind = given.get((sheet.pk, player_id, entry["action"]))
                if behind:
                    row.update(_given(behind.pop(0)))
                rows.append(row)
    return rows + beside


def _beside(penalty: Penalty) -> Row:
    game = penalty.game
    return {
        "heat": str(game.heat.number) if game else None,
        "game": game.number if game else None,
        "id": penalty.registration.player_id,
        "action": str(penalty.level),
        "points": as_number(-penalty.points) or None,
        "reason": penalty.reason,
        **_given(penalty),
    }


def _given(penalty: Penalty) -> Row:
    return {"offence": penalty.offence, "note": penalty.reason}


def restore_penalties(event: Event, rows: Iterable[Mapping[str, Any]]) -> None:
    """Make the director's penalties again, each linked to its ruling on the replayed sheet.

    Raises :class:`KeyError` or :class:`ValueError` if a row's heat, game, player, action or ruling
    does not exist.
    """
    games = {
        (str(game.heat.number), game.number): game
        for game in HeatGame.objects.filter(heat__event=event).select_related("heat", "sheet")
    }
    players = {each.player_id: each for each in event.registrations.select_related("person")}
    used: set[int] = set()
    taken: set[int] = set()
    for row in rows:
        if "offence" not in row:
            continue
        game = games[row["heat"], row["game"]] if row["heat"] is not None else None
        level = PenaltyLevel(row["action"]) if row["action"] in _BESIDE else _LEVELS[row["action"]]
        client_id = uuid.uuid4()
        if level == PenaltyLevel.GAME_POINTS:
            off = _game_points(game, row, taken)
            taken.add(off.pk)
            client_id = off.client_id
        elif row["action"] in _LEVELS:
            ruling = _ruling(game, row, used)
            used.add(ruling.pk)
            client_id = ruling.client_id
        penalty = Penalty(
            event=event,
            registration=players[row["id"]],
            game=game,
            level=level,
            offence=row["offence"],
            points=_points(row) if level in COUNTED else 0,
            reason=row.get("note", ""),
            client_id=client_id,
        )
        penalty.full_clean(exclude=["given_by"])
        penalty.save()


def _points(row: Mapping[str, Any]) -> Fraction:
    """Return how many points a row takes off; the row has a number, or a fraction as text."""
    return -exact(row["points"] or 0)


def exact(value: object) -> Fraction:
    """Read a whole number, or a fraction as text; ``ValueError`` for what is longer than any."""
    if type(value) is int or (isinstance(value, str) and _EXACT.fullmatch(value)):
        with suppress(ZeroDivisionError):
            return Fraction(value)
    raise ValueError(f"{str(value)[:40]!r} is not a number.")


def _ruling(game: HeatGame | None, row: Mapping[str, Any], used: set[int]) -> SheetEntry:
    if game is None:
        raise ValueError(f"the penalty {row['action']} of player {row['id']} names no game.")
    seat = game.sheet.seats.index(row["id"])
    for entry in game.sheet.entries.order_by("sequence"):
        reply = entry.entry or {}
        if (
            entry.pk not in used
            and reply.get("kind") == "ruling"
            and reply.get("action") == row["action"]
            and reply.get("seat") == seat
        ):
            return entry
    raise ValueError(f"the ruling {row['action']} of player {row['id']} is on no sheet.")


def _game_points(game: HeatGame | None, row: Mapping[str, Any], taken: set[int]) -> HeatPenalty:
    if game is not None:
        each: HeatPenalty
        for each in HeatPenalty.objects.in_force().filter(
            table=game.heat.table_id, player=row["id"]
        ):
            if each.pk not in taken and each.game_points == _points(row):
                return each
    raise ValueError(f"no heat takes these game points off player {row['id']}.")
