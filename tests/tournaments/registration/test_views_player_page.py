from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.messages import advance_text
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import (
    finished_heat,
    make_event,
    make_heats,
    make_players,
    play_game_now,
)
from tests.tournaments.playoffs.factories import prepared, qualified_event
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.core.days import times_of
from tournaments.events.commands.events import set_timetable
from tournaments.models import Day, Event, LogEntry, Registration
from tournaments.models.enums import EventStatus, LogAction, Role
from tournaments.registration.commands.check_in import leave_queue
from tournaments.registration.commands.people import change_person, register_person
from tournaments.registration.commands.player_links import renew_link
from tournaments.registration.forms import PlayerSearchForm
from tournaments.registration.queries.player_links import token_of
from tournaments.registration.queries.player_page import own_page
from tournaments.results.queries.players import AT_THE_END, PLAYER_STATES


def page(player: Registration, name: str = "player_page") -> str:
    return reverse(f"tournaments:{name}", args=[token_of(player)])


def before_the_day(**fields: object) -> Event:
    later = timezone.localdate() + timedelta(days=7)
    return make_event(starts_on=later, ends_on=later, **fields)


def test_the_page_says_where_i_sit_and_what_i_need(event: Event, client: Client) -> None:
    heat = make_heats(event, 3).heats[0]
    mine = heat.entries.order_by("pk")[0].registration
    assert heat.table is not None
    play_game_now(heat.table.sheets.get(number=1), mine.player_id)
    text = text_of(client.get(page(mine)))
    assert f"Table {heat.table_number} · Heat 1" in text
    assert f"{mine.person} {advance_text('en')}" in text
    client.cookies["django_language"] = "sv"
    swedish = text_of(client.get(page(mine)))
    assert 'lang="sv"' in swedish
    assert advance_text("en") not in swedish


@pytest.mark.parametrize("index", [0, 1])
def test_the_page_shows_who_has_waited_longer(event: Event, client: Client, index: int) -> None:
    answer = client.get(page(make_players(event, 2)[index]))
    assert answer.context["own"].before_in_queue == index


def test_the_page_has_my_heats_with_links(event: Event, client: Client) -> None:
    heat = finished_heat(event, 3)
    for entry in heat.entries.select_related("registration"):
        text = text_of(client.get(page(entry.registration)))
        assert f'href="/e/fest/heats/{heat.number}/"' in text


def test_a_shared_place_is_marked(event: Event, client: Client) -> None:
    heat = make_heats(event, 3).heats[0]
    assert heat.table is not None
    play_game_now(heat.table.sheets.get(number=1), heat.table.players[0])
    marks = {
        entry.result.place: "2=" in text_of(client.get(page(entry.registration)))
        for entry in heat.entries.select_related("registration", "result")
    }
    assert marks == {1: False, 2: True}


def test_after_day_1_no_heat_is_offered(db: None, client: Client) -> None:
    event = qualified_event(3)
    loser = event.registrations.filter(qualifications=None).first()
    assert loser is not None
    director = client_of(event, Role.DIRECTOR)
    enter = f'action="/e/{event.slug}/desk/players/{loser.number}/enter/"'
    find = {"q": loser.number}
    assert "enter/" in text_of(client.get(page(loser)))
    assert enter in text_of(director.get(url(event, "desk_players"), find))
    prepared(event)
    text = text_of(client.get(page(loser)))
    assert "enter/" not in text
    assert "data-not-enter" in text
    assert enter not in text_of(director.get(url(event, "desk_players"), find))


def days_from(event: Event, *names: str) -> list[Day]:
    """Give the event a timetable of these days, from today at 12 on."""
    noon = timezone.localtime().replace(hour=12, minute=0, second=0, microsecond=0)
    days = [Day(name=name, starts_at=noon + timedelta(days=n)) for n, name in enumerate(names)]
    set_timetable(event=event, days=days, by=None)
    return list(event.timetable.all())


def test_a_registered_player_reads_when_it_begins(db: None, client: Client) -> None:
    event = before_the_day(venue="Folkets hus")
    [player] = make_players(event, 1, here=False)
    assert "Folkets hus" in client.get(page(player)).context["own"].when
    day, _second = days_from(event, "1", "2")
    assert times_of(day) in client.get(page(player)).context["own"].when
    assert times_of(day) in text_of(client.get(page(player)))


def test_whoever_sits_at_the_first_heat_is_not_told_of_none(event: Event, client: Client) -> None:
    waiting = make_players(event, 1)[0]
    assert 'id="own-heats"' in text_of(client.get(page(waiting)))
    seated = make_heats(event, 4).heats[0].entries.all()[0].registration
    assert 'id="own-heats"' not in text_of(client.get(page(seated)))


def test_after_the_end_nobody_is_told_to_come(event: Event, client: Client) -> None:
    (player,) = make_players(event, 1, here=False)
    (here,) = make_players(event, 1)
    leave_queue(registration=here, by=None)
    assert client.get(page(player)).context["own"].note
    assert client.get(page(here)).context["may_enter"]
    assert 'id="own-withdraw"' in text_of(client.get(page(here)))
    Event.objects.update(status=EventStatus.FINISHED)
    assert client.get(page(player)).context["own"].note == ""
    assert not client.get(page(here)).context["may_enter"]
    assert 'id="own-withdraw"' not in text_of(client.get(page(here)))


@pytest.mark.parametrize("over", [False, True])
def test_who_is_through_reads_when_the_playoffs_go_on(db: None, client: Client, over: bool) -> None:
    event = qualified_event(3)
    through = event.qualifications.get(order=1).registration
    assert client.get(page(through)).context["own"].when == ""
    first, second, last = days_from(event, "1A", "1B", "2")
    if over:
        prepared(event)
        Day.objects.filter(pk=first.pk).update(starts_at=first.starts_at - timedelta(days=1))
    own = client.get(page(through)).context["own"]
    coming = second if over else last
    assert own.when == f"{coming.name}: {times_of(coming)}"


def test_players_choose_how_their_name_is_shown(event: Event, client: Client) -> None:
    player = make_players(event, 1)[0]
    bad = client.post(page(player, "player_page_name"), {"visibility": "nickname"})
    assert bad.status_code == 422
    client.post(
        page(player, "player_page_name"), {"visibility": "nickname", "display_name": "Nisse"}
    )
    player.person.refresh_from_db()
    assert (player.person.visibility, player.person.display_name) == ("nickname", "Nisse")
    row = LogEntry.objects.get(action=LogAction.PERSON_CHANGED)
    assert row.actor == f"№ {player.number}"
    assert "Nisse" in text_of(client.get(page(player)))


def test_withdrawing_before_the_day(db: None, client: Client) -> None:
    event = before_the_day(capacity=3)
    rows = make_players(event, 4, here=False)
    client.post(page(rows[0], "player_page_withdraw"), {"reason": "ill"})
    row = LogEntry.objects.get(action=LogAction.WITHDRAWN)
    assert (row.reason, row.actor) == ("ill", "№ 1")
    rows[3].refresh_from_db()
    assert rows[3].status == "registered"
    again = client.post(page(rows[0], "player_page_withdraw"), follow=True)
    assert codes_in(again) == {"not_registered"}


def test_no_withdrawal_on_the_day(event: Event, client: Client) -> None:
    player = make_players(event, 1)[0]
    assert page(player, "player_page_withdraw") not in text_of(client.get(page(player)))
    answer = client.post(page(player, "player_page_withdraw"), follow=True)
    assert codes_in(answer) == {"event_day"}
    player.refresh_from_db()
    assert player.status == "checked_in"


def test_nobody_withdraws_from_a_table(db: None, client: Client) -> None:
    event = before_the_day()
    player = make_heats(event, 3).heats[0].entries.order_by("pk")[0].registration
    client.post(page(player, "player_page_withdraw"))
    player.refresh_from_db()
    assert player.status == "checked_in"


def test_other_players_names_stay_hidden_on_the_page(event: Event, client: Client) -> None:
    heat = make_heats(event, 3).heats[0]
    mine, hidden, _third = [entry.registration for entry in heat.entries.order_by("pk")]
    change_person(person=hidden.person, by=None, visibility="hidden")
    text = text_of(client.get(page(mine)))
    assert hidden.person.legal_name not in text
    assert f"Player {hidden.number}" in text


def test_a_slip_has_a_code_and_the_link(event: Event) -> None:
    player = make_players(event, 1)[0]
    slip = url(event, "player_slip", number=player.number)
    text = text_of(client_of(event, Role.FLOOR).get(slip))
    assert page(player) in text
    assert "data:image/svg+xml" in text


def test_the_number_of_queries_is_limited(
    event: Event, client: Client, django_assert_max_num_queries: object
) -> None:
    heat = finished_heat(event, 3)
    make_players(event, 20)
    player = heat.entries.order_by("pk")[1].registration
    with django_assert_max_num_queries(22):
        client.get(page(player))


def test_who_is_out_before_the_play_offs_is_told_so(db: None) -> None:
    event = qualified_event(4)
    late = register_person(event=event, by=None, legal_name="Åke Sen")
    out = event.registrations.exclude(pk=late.pk).filter(qualifications=None).first()
    assert out is not None
    before = own_page(out).title
    prepared(event)
    assert own_page(late).title == AT_THE_END["registered"]
    form = PlayerSearchForm(event=event, in_playoffs=True)
    assert ("free", AT_THE_END["free"]) in form.fields["state"].choices
    assert own_page(out).title not in {before, PLAYER_STATES["free"], AT_THE_END["free"]}
    for each in (out, late):
        found = text_of(Client().get(url(event, "event_find"), {"q": str(each.number)}))
        assert own_page(each).title in found
        assert not own_page(each).note


@pytest.mark.parametrize("stray", [")", ".", ",", ">", ").", "%0A", "/)", "/>.", "/%0A"])
def test_a_link_with_something_behind_it_is_read(event: Event, client: Client, stray: str) -> None:
    address = page(make_players(event, 1)[0])
    answer = client.get(address.rstrip("/") + stray, follow=True)
    assert (answer.status_code, answer.request["PATH_INFO"].rstrip("/")[:3]) == (200, "/p/")
    assert "data-cut" not in text_of(answer)


def test_a_link_cut_short_is_said_to_be_incomplete(event: Event, client: Client) -> None:
    player = make_players(event, 1)[0]
    address = page(player)
    answer = client.get(address.rstrip("/")[:-5] + "/")
    assert (answer.status_code, "data-cut" in text_of(answer)) == (404, True)
    renew_link(registration=player, by=None)
    answer = client.get(address)
    assert (answer.status_code, "data-cut" in text_of(answer)) == (404, False)
