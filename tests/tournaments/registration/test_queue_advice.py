"""The queue's advice in words, for both sizes of tables."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import finished_heat, make_event, make_players
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.draws.commands.drafts import draw_heats
from tournaments.draws.queries.drafts import seats_to_draw
from tournaments.models.enums import Role
from tournaments.registration.commands.check_in import enter_heat
from tournaments.registration.queries.queue import advice, queue_of


@pytest.mark.parametrize(
    ("waiting", "size", "words"),
    [
        (0, 4, "3 more are needed for a heat."),
        (2, 4, "1 more is needed for a heat."),
        (3, 4, "1 more makes 1×4; now it would be 1×3."),
        (22, 4, "2 more make 6×4; now it would be 4×4 + 2×3."),
        (24, 4, "Now it would be 6×4."),
        (3, 3, "Now it would be 1×3."),
        (4, 3, "2 more make 2×3; now it would be 1×4."),
        (8, 3, "1 more makes 3×3; now it would be 2×4."),
    ],
)
def test_advice(waiting: int, size: int, words: str) -> None:
    assert advice(waiting, size) == words


@pytest.mark.parametrize("size", [3, 4])
def test_five_are_explained(size: int) -> None:
    text = advice(5, size)
    assert text.startswith("Five cannot be split")
    assert text.endswith("3 more make 2×4." if size == 4 else "1 more makes 2×3.")


def test_advice_is_what_the_draw_then_does(db: None) -> None:
    for size in (3, 4):
        event = make_event(table_size=size)
        make_players(event, 8)
        queue = queue_of(event)
        assert list(queue.sizes) == seats_to_draw(8, size)
        drawn = draw_heats(event=event, by=None)
        assert [heat.entries.count() for heat in drawn.heats] == list(queue.sizes)


def test_tables_of_three_are_counted_for_the_staff(db: None, client: Client) -> None:
    event = make_event(games_per_heat=1)
    heat = finished_heat(event, 3)
    loser = heat.entries.order_by("-pk")[0].registration
    enter_heat(registration=loser, by=None)
    page = text_of(client_of(event, Role.FLOOR).get(url(event, "desk")))
    assert "1 table of three" in page
    assert "1 table of three" not in text_of(client.get(url(event, "event")))
