"""A hundred rehearsals of 8 to 200 players, each checked by the second evaluation.

CI plays REHEARSALS=20 of the same sizes.
"""

from __future__ import annotations

import json
import os

import pytest

from engine.ranking.event import check_event
from tests.tournaments.rehearsal.event_checker import check
from tournaments.documents import event_document
from tournaments.rehearsal import Rehearsal, rehearse

RUNS = int(os.environ.get("REHEARSALS", "100"))


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("run", range(RUNS))
def test_the_rehearsals_result_follows_from_its_games(run: int) -> None:
    # Many small ones, where odd sizes matter, and a few of the largest.
    players = 8 + run**5 * 192 // (RUNS - 1) ** 5
    plan = Rehearsal(
        players=players, seed=f"many {run}", format="sm" if run % 5 == 0 else "festival"
    )
    document = json.loads(json.dumps(event_document(rehearse(plan))))
    check(document)
    check_event(document)
