"""A club evening: one table, one heat, and the event ends by itself."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from django.contrib.messages import get_messages
from django.test import Client

from scoring.writing import sign_off
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_heats, make_players, play_heat
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.events.commands.events import end_with_heats
from tournaments.events.queries.formats import FORMATS
from tournaments.floor.commands.penalties import disqualify
from tournaments.heats.commands import close_heat
from tournaments.models import Event, Heat, LogEntry, Registration
from tournaments.models.enums import EventStatus, LogAction, RegistrationStatus, Role
from tournaments.registration.commands.check_in import check_in, undo_check_in
from tournaments.registration.commands.people import withdraw
from tournaments.registration.forms import PlayerSearchForm
from tournaments.results.queries.final import winners_of
from tournaments.results.queries.phase import phase_of


@pytest.fixture
def evening(db: None) -> Event:
    return make_event(slug="klubb", **FORMATS["club"].fields)


def status_of(event: Event) -> str:
    return str(Event.objects.get(pk=event.pk).status)


def test_it_ends_when_its_table_signs_off(evening: Event) -> None:
    heat = play_heat(make_heats(evening, 4).heats[0])
    assert status_of(evening) == EventStatus.OPEN
    sign_off(table_id=heat.table_id or 0, by="test")
    assert status_of(evening) == EventStatus.FINISHED
    evening.refresh_from_db()
    assert winners_of(evening) == ["Anna Åkerlund"]
    ended = LogEntry.objects.filter(event=evening, action=LogAction.EVENT_STATUS).first()
    assert ended is not None
    assert ended.after == {"status": EventStatus.FINISHED}


def test_it_ends_when_the_director_closes_the_heat(evening: Event) -> None:
    evening.results_need_director = True
    evening.save()
    heat = play_heat(make_heats(evening, 3).heats[0])
    director = client_of(evening, Role.DIRECTOR)
    director.post(url(evening, "heat_close", number=heat.number))
    assert status_of(evening) == EventStatus.FINISHED


def test_the_first_of_several_heats_wins_whichever_is_closed_last(evening: Event) -> None:
    evening.capacity = None
    evening.save()
    best, other = make_heats(evening, 4).heats[0], make_heats(evening, 3).heats[0]
    close_heat(heat=play_heat(best), by=None)
    play_heat(other, other.entries.order_by("pk")[1].registration)
    director = client_of(evening, Role.DIRECTOR)
    answer = director.post(url(evening, "heat_close", number=other.number))
    [said] = get_messages(answer.wsgi_request)
    winner = str(best.results.get(place=1).entry.registration.person)
    assert winner in str(said)
    evening.refresh_from_db()
    assert winners_of(evening) == [winner]
    assert winner in phase_of(evening).winners
    assert 'class="advice"' in text_of(director.get(url(evening, "desk")))


def test_it_does_not_end_while_somebody_may_enter_again(evening: Event) -> None:
    heat = play_heat(make_heats(evening, 3).heats[0])
    [late] = make_players(evening, 1, here=False)
    check_in(registration=late, by=None)
    close_heat(heat=heat, by=None)
    assert not end_with_heats(event=evening)
    assert status_of(evening) == EventStatus.OPEN


def put_out(*, registration: Registration, by: None) -> None:
    disqualify(registration=registration, offence="cheating", by=by, client_id=uuid.uuid4())


@pytest.mark.parametrize("leave", [undo_check_in, withdraw, put_out])
def test_it_ends_when_the_last_who_waits_goes_home(
    evening: Event, leave: Callable[..., object]
) -> None:
    evening.capacity = None
    evening.save()
    heat = play_heat(make_heats(evening, 3).heats[0])
    late, later = make_players(evening, 2)
    close_heat(heat=heat, by=None)
    leave(registration=late, by=None)
    assert status_of(evening) == EventStatus.OPEN
    leave(registration=later, by=None)
    assert status_of(evening) == EventStatus.FINISHED


def test_a_disqualified_player_in_the_queue_does_not_hold_it_up(evening: Event) -> None:
    heat = play_heat(make_heats(evening, 3).heats[0])
    [late] = make_players(evening, 1)
    late.status = RegistrationStatus.DISQUALIFIED
    late.save()
    close_heat(heat=heat, by=None)
    assert end_with_heats(event=evening)


def test_an_event_with_play_offs_goes_on(event: Event) -> None:
    heat = play_heat(make_heats(event, 3).heats[0])
    close_heat(heat=heat, by=None)
    assert not end_with_heats(event=event)
    evening = make_event(ends_with_heats=True, reentry_limit=None)
    close_heat(heat=play_heat(make_heats(evening, 3).heats[0]), by=None)
    # Without a limit everybody may enter again.
    assert not end_with_heats(event=evening)


def test_it_has_no_pages_about_play_offs(evening: Event, client: Client) -> None:
    heat: Heat = make_heats(evening, 4).heats[0]
    for name in ("qualified", "playoffs", "playoffs_now", "playoffs_svg", "playoffs_pdf"):
        assert client.get(url(evening, name)).status_code == 404
    director = client_of(evening, Role.OWNER)
    assert director.get(url(evening, "rounds")).status_code == 404
    desk = text_of(director.get(url(evening, "desk")))
    for id_ in ("waiting-head", "qualified-head"):
        assert f'id="{id_}"' not in desk
    assert 'id="qualified"' not in text_of(client.get(url(evening, "event")))
    play_heat(heat)
    sign_off(table_id=heat.table_id or 0, by="test")
    by_heat = url(evening, "standings")
    assert 'value="out"' not in text_of(client.get(by_heat))
    assert text_of(client.get(by_heat, {"state": "qualified"})).count("<details") == 1
    champion = f'href="{url(evening, "champion")}"'
    assert champion in text_of(client.get(url(evening, "event")))
    for name in ("event", "result", "champion", "standings"):
        text = text_of(client.get(url(evening, name)))
        for gone in ("qualified", "playoffs"):
            assert f'href="{url(evening, gone)}"' not in text


def test_the_desk_searches_nobody_who_is_through(evening: Event, event: Event) -> None:
    def states(of: Event) -> set[str]:
        return {
            key for key, _ in PlayerSearchForm(event=of, in_playoffs=False).fields["state"].choices
        }

    assert states(event) - states(evening) == {"qualified"}
