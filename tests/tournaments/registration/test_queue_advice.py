"""The queue's advice in words, for both table sizes."""

from __future__ import annotations

import re

import pytest

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import finished_heat, make_event, make_players
from tests.tournaments.registration.test_views_desk import url
from tournaments.draws.commands.drafts import draw_heats
from tournaments.draws.queries.plan import seats_to_draw
from tournaments.models.enums import Role
from tournaments.registration.commands.check_in import enter_heat
from tournaments.registration.queries.queue import advice, queue_of

NUMBERS = re.compile(r"\d+(?:×\d)?")


@pytest.mark.parametrize(
    ("waiting", "size", "numbers"),
    [
        (0, 4, ["3"]),
        (2, 4, ["1"]),
        (3, 4, ["1", "1×4", "1×3"]),
        (22, 4, ["2", "6×4", "4×4", "2×3"]),
        (24, 4, ["6×4"]),
        (3, 3, ["1×3"]),
        (4, 3, ["2", "2×3", "1×4"]),
        (8, 3, ["1", "3×3", "2×4"]),
    ],
)
def test_advice(waiting: int, size: int, numbers: list[str]) -> None:
    """How many more players are needed for which tables, and what a draw would give now."""
    assert NUMBERS.findall(advice(waiting, size)) == numbers


@pytest.mark.parametrize("size", [3, 4])
def test_five_waiting_are_explained(size: int) -> None:
    numbers = NUMBERS.findall(advice(5, size))
    assert numbers[-2:] == (["3", "2×4"] if size == 4 else ["1", "2×3"])


def test_one_free_table_is_one_table(db: None) -> None:
    event = make_event(room_plan="1")
    make_players(event, 8)
    assert "tables" not in queue_of(event).advice


def test_the_draw_follows_the_advice(db: None) -> None:
    for size in (3, 4):
        event = make_event(table_size=size)
        make_players(event, 8)
        queue = queue_of(event)
        assert list(queue.sizes) == seats_to_draw(8, size)
        drawn = draw_heats(event=event, by=None)
        assert [heat.entries.count() for heat in drawn.heats] == list(queue.sizes)


def test_staff_see_the_number_of_tables_of_three(db: None) -> None:
    event = make_event(games_per_heat=1)
    heat = finished_heat(event, 3)
    loser = heat.entries.order_by("-pk")[0].registration
    enter_heat(registration=loser, by=None)
    page = client_of(event, Role.FLOOR).get(url(event, "desk"))
    assert page.context["queue"].tables_of_three[loser.player_id] == 1
    assert queue_of(event).tables_of_three == {}
