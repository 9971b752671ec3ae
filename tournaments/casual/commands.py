"""Start a table without a tournament."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.db import transaction

from engine.draws.draw import new_seed
from scoring import writing as scoring
from scoring.enums import LinkRole
from scoring.reading.links import show_token
from scoring.reading.practice import PRACTICE


@transaction.atomic
def start_table(
    *,
    players: Sequence[str],
    rules: str,
    games: int,
    seated: bool = False,
    practice: bool = False,
) -> str:
    """Create a casual table; return the token of its scoring link.

    ``seated`` players sit as they are named, and in each next game the next one deals first;
    otherwise seats are drawn. Raises what :func:`scoring.writing.create_table` raises.
    """
    return _make(players, rules, games, seated=seated, by=PRACTICE if practice else "casual")


def _make(players: Sequence[str], rules: str, games: int, *, seated: bool, by: str) -> str:
    turns = [number % len(players) for number in range(games)]
    table = scoring.create_table(
        label=", ".join(players)[:120],
        rules=rules,
        players=players,
        games_planned=games,
        seed=new_seed(),
        by=by,
        directed=False,
        seated=seated,
        seat_plan=[[*players[turn:], *players[:turn]] for turn in turns] if seated else None,
    )
    return show_token(link=scoring.create_link(table_id=table.pk, role=LinkRole.AUDITOR, by=by))


@contextmanager
def sample_table(*, players: Sequence[str], rules: str) -> Iterator[str]:
    """Make a table that lasts as long as the context; yield the token of its link."""
    with transaction.atomic():
        yield _make(players, rules, 1, seated=True, by="casual")
        transaction.set_rollback(True)
