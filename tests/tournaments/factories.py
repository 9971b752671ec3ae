"""Objects for tests, made with the same commands that the pages use."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User

from scoring.models import Sheet
from scoring.writing import open_next_sheet, write_entry
from tournaments.core.organisers import the_organiser
from tournaments.draws.commands.drafts import Drawn, draw_heats
from tournaments.events.commands.events import create_event, set_role
from tournaments.events.commands.organisers import create_organiser, set_member
from tournaments.heats.commands import close_heat
from tournaments.models import Event, Heat, Organiser, Person, Registration
from tournaments.models.enums import EventStatus, Role
from tournaments.registration.commands.check_in import check_in
from tournaments.registration.commands.people import create_person, register_person
from tournaments.results.commands import refresh_heat

_count = itertools.count(1)
NAMES = [
    "Anna Åkerlund", "Bo Öström", "Cia Lindqvist", "Dag Sjöberg", "Eva Nyström", "Fia Ek",
    "Göran Hägg", "Hanna Ødegaard", "Ivar Strauß", "Jacek Łukasz", "Kim Berg", "Lo Falk",
]  # fmt: skip


def make_user(name: str = "", **fields: Any) -> User:
    """Return an account without a usable password."""
    return User.objects.create_user(name or f"user{next(_count)}", **fields)


def make_organiser(name: str = "Andra klubben") -> Organiser:
    """Return an organiser besides the default one."""
    the_organiser()
    return create_organiser(name=name, by=None)


def make_maker(
    name: str = "", *, organiser: Organiser | None = None, is_owner: bool = False
) -> User:
    """Return an account that may create events."""
    user = make_user(name)
    set_member(organiser=organiser or the_organiser(), user=user, is_owner=is_owner, by=None)
    return user


def make_person(name: str, organiser: Organiser | None = None, **fields: Any) -> Person:
    """Return a person known to the organiser and registered nowhere."""
    organiser = organiser or the_organiser()
    return create_person(organiser=organiser, by=None, legal_name=name, **fields)


def make_event(by: User | None = None, **fields: Any) -> Event:
    number = next(_count)
    fields = {"name": f"Festival {number}", "slug": f"festival-{number}"} | fields
    fields.setdefault("status", EventStatus.OPEN)
    return create_event(by=by or make_user(), **fields)


def make_member(event: Event, role: Role, name: str = "") -> User:
    user = make_user(name)
    set_role(event=event, user=user, role=role, by=None)
    return user


def make_players(event: Event, count: int, *, here: bool = True) -> list[Registration]:
    """Return registered players, waiting for a heat if ``here``."""
    players = []
    for index in range(count):
        name = NAMES[index % len(NAMES)]
        name = name if index < len(NAMES) else f"{name} {index}"
        player = register_person(event=event, by=None, legal_name=name)
        if here:
            player = check_in(registration=player, by=None)
        players.append(player)
    return players


def make_heats(event: Event, players: int = 4, seed: str = "test") -> Drawn:
    """Return a draw of this many new players."""
    make_players(event, players)
    return draw_heats(event=event, by=None, seed=seed)


def write(sheet: Sheet, *entries: dict[str, Any]) -> Sheet:
    """Write entries on a sheet as a scorekeeper who confirms every warning."""
    for entry in entries:
        sheet.refresh_from_db()
        write_entry(
            sheet_id=sheet.pk,
            client_id=uuid.uuid4(),
            seen_version=sheet.version,
            entry=entry,
            author="test",
            confirmed=True,
        )
    sheet.refresh_from_db()
    return sheet


def straight_flush(seat: int, phase: int = 1) -> dict[str, Any]:
    """Return the entry that wins a game at once."""
    return {"kind": "hand", "phase": phase, "seat": seat, "category": "straight_flush"}


def play_game(sheet: Sheet, winner: int = 0, before: Sequence[dict[str, Any]] = ()) -> Sheet:
    """Finish a game with a straight flush for that seat, after the entries ``before``."""
    return write(sheet, *before, straight_flush(winner))


def play_heat(heat: Heat, winner: Registration | None = None) -> Heat:
    """Finish all games of a heat; the winner (by default the first entry's player) wins each.

    The others get different sheet scores in game 1, so that there are no ties.
    """
    assert heat.table is not None
    player_ids = [entry.registration.player_id for entry in heat.entries.order_by("pk")]
    best = winner.player_id if winner else player_ids[0]
    others = [player_id for player_id in player_ids if player_id != best]
    for number in range(1, heat.games_planned + 1):
        sheet = Sheet.objects.get(table=heat.table, number=number)
        if sheet.status == "waiting":
            sheet = open_next_sheet(table_id=heat.table.pk, by="test")
        entries: list[dict[str, Any]] = []
        if number == 1:
            for phase, (player_id, category) in enumerate(
                zip(others, ["full_house", "pair", "flush"], strict=False), start=1
            ):
                if phase < 3:
                    entries.append(
                        {
                            "kind": "hand",
                            "phase": phase,
                            "seat": sheet.seats.index(player_id),
                            "category": category,
                        }
                    )
        write(sheet, *entries)
        play_game_now(sheet, best)
    refresh_heat(heat=heat)
    heat.refresh_from_db()
    return heat


def play_game_now(sheet: Sheet, player_id: str) -> Sheet:
    """Finish a game with a straight flush, whatever its current phase."""
    sheet.refresh_from_db()
    return write(sheet, straight_flush(sheet.seats.index(player_id), sheet.state["phase"]))


def finished_heat(event: Event, players: int = 4, seed: str = "test") -> Heat:
    """Return a heat that was drawn, played and closed."""
    heat = make_heats(event, players, seed).heats[0]
    play_heat(heat)
    close_heat(heat=heat, by=None)
    heat.refresh_from_db()
    return heat
