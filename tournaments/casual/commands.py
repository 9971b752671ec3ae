"""Start a table without a tournament."""

from collections.abc import Sequence

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from engine.draws.draw import new_seed
from scoring import writing as scoring
from scoring.enums import LinkRole
from scoring.reading.practice import PRACTICE

from ..core.errors import Refused
from ..core.limits import count, too_often

#: How many tables one address may start within how many seconds.
MOST, WITHIN = 20, 3600


@transaction.atomic
def start_table(
    *, players: Sequence[str], rules: str, games: int, address: str, practice: bool = False
) -> str:
    """Create a casual table; return the token of its scoring link.

    Refused with ``too_many_tables``; raises what :func:`scoring.writing.create_table` raises.
    """
    if too_often("casual_table", address, most=MOST, seconds=WITHIN):
        raise Refused("too_many_tables", _("Many tables have been started here. Wait an hour."))
    count("casual_table", address)
    by = PRACTICE if practice else "casual"
    table = scoring.create_table(
        label=", ".join(players)[:120],
        rules=rules,
        players=players,
        games_planned=games,
        seed=new_seed(),
        by=by,
        directed=False,
        seated=practice,
        seat_plan=[list(players)] if practice else None,
    )
    return scoring.show_token(
        link=scoring.create_link(table_id=table.pk, role=LinkRole.AUDITOR, by=by)
    )


def path_of_table(token: str) -> str:
    """Return the path of the table's scoring page."""
    return reverse("scoring:table_detail", args=[token])
