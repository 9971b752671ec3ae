"""On PostgreSQL two tables, or two events, are written without waiting for each other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection, transaction
from psycopg.errors import LockNotAvailable

from scoring.models import Sheet
from tests.tournaments.factories import make_event, make_heats, play_game
from tournaments.models import Event

pytestmark = [
    pytest.mark.services,
    pytest.mark.django_db(transaction=True),
]

#: Milliseconds that a write waits for another's lock before it is refused.
PATIENCE = 400


def games_of(event: Event) -> list[Sheet]:
    """Draw four heats; return the first game of each."""
    heats = make_heats(event, 16).heats
    return [Sheet.objects.get(table=heat.table, number=1) for heat in heats]


def waits(sheet: Sheet) -> bool:
    """Play a whole game on another connection; return whether it had to wait for a lock."""

    def play() -> bool:
        try:
            with connection.cursor() as cursor:
                cursor.execute(f"SET lock_timeout = {PATIENCE}")
            play_game(Sheet.objects.get(pk=sheet.pk))
        except OperationalError as error:
            if not isinstance(error.__cause__, LockNotAvailable):
                raise
            return True
        finally:
            connection.close()
        return False

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(play).result(timeout=60)


def test_an_uncommitted_game_holds_up_no_other_table() -> None:
    own, others = games_of(make_event()), games_of(make_event())
    with transaction.atomic():
        play_game(own[0])
        assert not waits(own[1])
        assert not waits(others[1])
        # The version's row comes last, at the commit; only the same event waits for it.
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        assert waits(own[2])
        assert not waits(others[2])
    assert not waits(own[2])
