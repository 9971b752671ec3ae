"""Tables and entries for the tests of scoring, made with its own commands."""

import uuid

from scoring.models import Sheet
from scoring.reading.links import show_token
from scoring.writing import create_link, create_table, give_heat_penalty, write_entry

FOUR = ("Anna", "Bo", "Cia", "Dag")


def make_table(
    players=FOUR,
    *,
    games=3,
    rules="festival",
    seed="seed",
    label="Heat 12",
    plan=True,
    seated=True,
    **more,
):
    """Return a table; with ``plan`` every game is seated in the order of ``players``.

    ``seated``: the table has confirmed its seats.
    """
    if plan:
        more.setdefault("seat_plan", [list(players)] * games)
    return create_table(
        label=label,
        rules=rules,
        players=list(players),
        games_planned=games,
        seed=seed,
        by="test",
        seated=seated,
        **more,
    )


def running(table):
    """Return the table's running sheet, freshly read."""
    return Sheet.objects.get(table=table, status="running")


def sheet_of(table, number=1):
    """Return one sheet of the table, freshly read."""
    return Sheet.objects.get(table=table, number=number)


def hand(phase, seat, category="pair", **more):
    return {"kind": "hand", "phase": phase, "seat": seat, "category": category, **more}


def none(phase):
    """Return an entry for a phase in which nobody scores."""
    return {"kind": "none", "phase": phase}


def trick(seat, **more):
    return {"kind": "last_trick", "seat": seat, **more}


def chicago(seat, won=True, **more):
    return {"kind": "chicago", "seat": seat, "won": won, **more}


def ruling(action, seat=None, **more):
    entry = {"kind": "ruling", "action": action, "reason": "because", **more}
    return entry if seat is None else {**entry, "seat": seat}


def write(sheet, entry, **more):
    """Write an entry on the sheet's current version, confirming warnings."""
    version = Sheet.objects.values_list("version", flat=True).get(pk=sheet.pk)
    return write_entry(
        **{
            "sheet_id": sheet.pk,
            "client_id": uuid.uuid4(),
            "seen_version": version,
            "entry": entry,
            "author": "test",
            "confirmed": True,
            **more,
        }
    )


def play(sheet, *entries):
    """Write several entries; return the last result."""
    return [write(sheet, entry) for entry in entries][-1]


def quick_win(seat=0):
    """Return the single entry that wins a game at once."""
    return hand(1, seat, "straight_flush")


def penalise(table, player_id, game_points=5, reason="late"):
    """Deduct game points from a player; return the row."""
    return give_heat_penalty(
        table_id=table.pk,
        player_id=player_id,
        game_points=game_points,
        reason=reason,
        by="test",
        client_id=uuid.uuid4(),
    )


def auditor_link(table, role="auditor"):
    """Return the address of a new link for the table."""
    return f"/s/{show_token(link=create_link(table_id=table.pk, role=role, by='test'))}/"
