"""Two directors at the same draft or round: one succeeds, the other is told.

These run against the configured database: SQLite in a file, or PostgreSQL.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_players
from tests.tournaments.playoffs.factories import prepared, qualified_event
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_desk import HTMX, text_of, url
from tournaments.draws.commands.drafts import draft_heats
from tournaments.models import Draw, Event, Heat, HeatEntry, Stage
from tournaments.models.enums import DrawStatus, Role

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(jobs: list[Callable[[], Any]]) -> list[Any]:
    """Run the jobs in threads that start together; return what each returned or raised."""
    barrier = threading.Barrier(len(jobs))
    outcomes: list[Any] = [None] * len(jobs)

    def run(index: int, job: Callable[[], Any]) -> None:
        try:
            barrier.wait(timeout=30)
            outcomes[index] = job()
        except Exception as error:  # noqa: BLE001 - the outcome is what the test checks
            outcomes[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(i, job)) for i, job in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert not any(thread.is_alive() for thread in threads)
    return outcomes


def directors(event: Event, count: int = 2) -> list[Client]:
    return [client_of(event, Role.DIRECTOR) for _ in range(count)]


def posts(clients: list[Client], path: str, *data: dict[str, Any]) -> list[Any]:
    """Send the same form or one each, all at once, as HTMX does."""
    forms = data if len(data) > 1 else data * len(clients)
    return at_once(
        [
            lambda client=client, form=form: client.post(path, form, headers=HTMX)
            for client, form in zip(clients, forms, strict=True)
        ]
    )


def test_a_draft_is_published_once() -> None:
    event = make_event()
    make_players(event, 7)
    draw = draft_heats(event=event, by=None)
    answers = posts(
        directors(event, 3), url(event, "draft_publish", number=draw.number), {"version": 0}
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409]
    loser = next(answer for answer in answers if answer.status_code == 409)
    assert "Published" in text_of(loser)
    assert Heat.objects.count() == 2
    assert HeatEntry.objects.filter(heat__isnull=False).count() == 7


def test_of_two_changes_of_the_same_draft_one_is_refused() -> None:
    event = make_event()
    make_players(event, 8)
    draw = draft_heats(event=event, by=None)
    one, other = draw.groups
    answers = posts(
        directors(event),
        url(event, "draft_change", number=draw.number),
        {"player": [one[0], other[0]], "to": "swap", "version": 0},
        {"player": [one[1], other[1]], "to": "swap", "version": 0},
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    told = next(answer for answer in answers if answer.status_code == 409)
    assert codes_in(told) == {"draft_changed"}
    draw.refresh_from_db()
    assert (draw.version, len(draw.adjustments)) == (1, 1)
    assert sorted(player_id for group in draw.groups for player_id in group) == sorted(
        draw.candidates
    )


def test_publishing_and_discarding_at_once() -> None:
    event = make_event()
    make_players(event, 4)
    draw = draft_heats(event=event, by=None)
    first, second = directors(event)
    answers = at_once(
        [
            lambda: first.post(
                url(event, "draft_publish", number=draw.number), {"version": 0}, headers=HTMX
            ),
            lambda: second.post(
                url(event, "draft_discard", number=draw.number), {"version": 0}, headers=HTMX
            ),
        ]
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    draw.refresh_from_db()
    assert (draw.status == DrawStatus.PUBLISHED) == bool(Heat.objects.count())


def test_a_queue_gets_one_draft() -> None:
    event = make_event()
    make_players(event, 7)
    answers = posts(directors(event, 3), url(event, "draft_make"), {})
    assert sorted(answer.status_code for answer in answers) == [302, 409, 409]
    assert Draw.objects.count() == 1


def test_draft_and_draw_at_once_seat_everybody_once() -> None:
    event = make_event()
    make_players(event, 8)
    first, second = directors(event)
    at_once(
        [
            lambda: first.post(url(event, "draft_make"), headers=HTMX),
            lambda: second.post(url(event, "desk_draw"), headers=HTMX),
        ]
    )
    seated = HeatEntry.objects.filter(heat__isnull=False).count()
    assert seated in {0, 8}
    assert event.draws.filter(status=DrawStatus.DRAFT).count() == (0 if seated else 1)


def test_a_round_is_prepared_once() -> None:
    event = qualified_event(5)
    answers = posts(directors(event), url(event, "round_prepare"), {})
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert Stage.objects.filter(event=event).count() == 2


def test_a_no_show_is_replaced_once() -> None:
    event = qualified_event(4)
    stage = prepared(event)
    place = stage.players.order_by("order")[0]
    answers = posts(
        directors(event), url(event, "round_absent"), {"number": place.registration.number}
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert stage.players.filter(replaces=place).count() == 1
    assert stage.players.filter(absent=False).count() == 4


def test_a_pair_is_kept_apart_once() -> None:
    event = make_event()
    make_players(event, 2)
    answers = posts(directors(event), url(event, "seating_apart"), {"one": 1, "other": 2})
    assert sorted(answer.status_code for answer in answers) == [200, 409]
