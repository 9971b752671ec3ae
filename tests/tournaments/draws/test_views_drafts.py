"""A draft of a draw: made, viewed, changed, published, discarded, drawn again."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_heats, make_players, play_heat
from tests.tournaments.playoffs.factories import drafted, qualified_event
from tests.tournaments.registration.test_views_desk import HTMX, text_of, url
from tournaments.draws.commands.drafts import draft_heats, swap_players
from tournaments.draws.commands.seating_constraints import keep_apart, set_fixed_table
from tournaments.heats.commands import close_heat
from tournaments.models import Draw, Event, Heat, LogEntry
from tournaments.models.enums import DrawStatus, LogAction, Role
from tournaments.registration.commands.check_in import enter_heat, leave_queue


def a_draft(event: Event, players: int = 7) -> Draw:
    make_players(event, players)
    return draft_heats(event=event, by=None, seed="test")


REFUSED, STALE = "notice-error", "notice-warning"
REASON = r'class="seating-reason seating-reason-(\w+)"'


def change(client: Client, draw: Draw, *players: str, to: str = "swap", **more: object) -> object:
    data = {"player": list(players), "to": to, "version": draw.version} | more
    path = url(draw.event, "draft_change", number=draw.number)
    return client.post(path, data)


def test_the_desk_makes_a_draft_and_opens_it(event: Event, director: Client) -> None:
    make_players(event, 7)
    at_once = f'action="{url(event, "desk_draw")}"'
    assert at_once in text_of(director.get(url(event, "desk")))
    answer = director.post(url(event, "draft_make"))
    draw = event.draws.get()
    assert answer["Location"] == url(event, "draft", number=draw.number)
    assert draw.status == DrawStatus.DRAFT
    assert not Heat.objects.exists()
    page = text_of(director.get(url(event, "desk")))
    assert url(event, "draft", number=draw.number) in page
    assert at_once not in page


def test_too_few_players_make_no_draft(event: Event, director: Client) -> None:
    make_players(event, 2)
    answer = director.post(url(event, "draft_make"), follow=True)
    assert REFUSED in text_of(answer)
    assert not event.draws.exists()


def test_draft_shows_tables_with_reasons_and_warnings(director: Client) -> None:
    event = make_event(games_per_heat=1)
    client = client_of(event, Role.DIRECTOR)
    heats = make_heats(event, 7).heats
    for heat in heats:
        play_heat(heat)
        close_heat(heat=heat, by=None)
    lost = list(event.registrations.filter(qualifications__isnull=True).order_by("number"))
    for player in lost:
        enter_heat(registration=player, by=None)
    make_players(event, 1)
    three = [e.registration for e in heats[1].entries.all() if e.registration in lost]
    keep_apart(event=event, one=lost[0], other=lost[1], by=None, reason="brothers")
    draw = draft_heats(event=event, by=None, seed="x")
    assert draw.sizes == [3, 3]
    # Put two who have met and two who are kept apart together, by hand.
    groups = draw.groups
    for one, other in ((three[0], three[1]), (lost[0], lost[1])):
        draw.refresh_from_db()
        groups = draw.groups
        here = next(g for g in groups if one.player_id in g)
        if other.player_id not in here:
            out = next(player_id for player_id in here if player_id != one.player_id)
            draw = swap_players(draw=draw, one=out, other=other.player_id, by=None)
    page = text_of(client.get(url(event, "draft", number=draw.number)))
    assert "brothers" in page
    # Who has met, in which heats, who is kept apart, and second tables of three.
    assert len(re.findall(REASON, page)) == 5
    assert '<span class="tag">' in page  # Moved by hand.


def test_two_players_swap_places(event: Event, director: Client) -> None:
    draw = a_draft(event)
    one, other = draw.groups[0][0], draw.groups[1][0]
    answer = change(director, draw, one, other, reason="asked to")
    assert answer.status_code == 303
    draw.refresh_from_db()
    assert (draw.groups[0][0], draw.groups[1][0]) == (other, one)
    assert draw.adjustments == [{"swap": [one, other], "reason": "asked to"}]
    row = LogEntry.objects.get(action=LogAction.DRAFT_CHANGED)
    assert row.reason == "asked to"


def test_a_player_swaps_places_with_one_in_the_queue(event: Event, director: Client) -> None:
    draw = a_draft(event, 5)
    outside = next(player_id for player_id in draw.queue if player_id not in draw.groups[0])
    page = text_of(director.get(url(event, "draft", number=draw.number)))
    assert "draft-waiting" in page
    change(director, draw, draw.groups[0][0], outside)
    draw.refresh_from_db()
    assert outside in draw.groups[0]


def test_player_moves_to_a_smaller_table(event: Event, director: Client) -> None:
    draw = a_draft(event)
    player = draw.groups[0][0]
    change(director, draw, player, to="1")
    draw.refresh_from_db()
    assert player in draw.groups[1]
    assert [len(group) for group in draw.groups] == [3, 4]


def test_htmx_gets_the_updated_draft(event: Event, director: Client) -> None:
    draw = a_draft(event)
    path = url(event, "draft_change", number=draw.number)
    data = {
        "player": [draw.groups[0][0], draw.groups[1][0]],
        "to": "swap",
        "version": draw.version,
    }
    answer = director.post(path, data, headers=HTMX)
    assert answer.status_code == 200
    assert text_of(answer).lstrip().startswith('<div id="draft">')
    assert "notice-success" in text_of(answer)
    # The same tap again comes too late.
    again = director.post(path, data, headers=HTMX)
    assert again.status_code == 409
    assert REFUSED in text_of(again)


@pytest.mark.parametrize(
    ("players", "to", "status"),
    [
        ([0], "swap", 422),
        ([0, 1, 2], "swap", 422),
        ([], "1", 422),
        ([0, 1], "1", 422),
        ([0], "9", 409),
        ([0], "0", 409),
        ([0], "x", 422),
        ([0], "-1", 422),
        ([0, 1], "swap", 409),
        ([4], "0", 409),
    ],
)
def test_a_bad_change_is_refused(
    event: Event, director: Client, players: list[int], to: str, status: int
) -> None:
    draw = a_draft(event)
    player_ids = [player_id for group in draw.groups for player_id in group]
    path = url(event, "draft_change", number=draw.number)
    data = {"player": [player_ids[index] for index in players], "to": to, "version": draw.version}
    answer = director.post(path, data, headers=HTMX)
    assert answer.status_code == status
    assert REFUSED in text_of(answer)
    fresh = Draw.objects.get(pk=draw.pk)
    assert (fresh.groups, fresh.version) == (draw.groups, draw.version)


def test_publish_opens_the_heats(event: Event, director: Client) -> None:
    draw = a_draft(event)
    answer = director.post(
        url(event, "draft_publish", number=draw.number), {"version": draw.version}, follow=True
    )
    assert answer.redirect_chain[0][0] == url(event, "desk")
    draw.refresh_from_db()
    assert draw.status == DrawStatus.PUBLISHED
    assert [
        {entry.registration.player_id for entry in heat.entries.all()} for heat in draw.heats.all()
    ] == [set(group) for group in draw.groups]
    # The draft's page now redirects to the draw's public page.
    page = director.get(url(event, "draft", number=draw.number))
    assert page["Location"] == url(event, "draw", number=draw.number)


def test_publishing_needs_the_current_version(event: Event, director: Client) -> None:
    draw = a_draft(event)
    swap_players(draw=draw, one=draw.groups[0][0], other=draw.groups[1][0], by=None)
    path = url(event, "draft_publish", number=draw.number)
    answer = director.post(path, {"version": 0}, follow=True)
    assert REFUSED in text_of(answer)
    assert not Heat.objects.exists()


def test_a_draft_is_marked_stale_when_somebody_joins(event: Event, director: Client) -> None:
    draw = a_draft(event)
    path = url(event, "draft_state", number=draw.number)
    first = director.get(path, {"seen": "0"})
    assert STALE not in text_of(first)
    etag = first["ETag"]
    assert director.get(path, headers={"If-None-Match": etag}).status_code == 304
    (new,) = make_players(event, 1)
    answer = director.get(path, headers={"If-None-Match": etag})
    assert STALE in text_of(answer)
    assert str(new.person) in text_of(answer)
    page = text_of(director.get(url(event, "draft", number=draw.number)))
    assert 'name="accept"' in page
    refused = director.post(
        url(event, "draft_publish", number=draw.number), {"version": 0}, follow=True
    )
    assert REFUSED in text_of(refused)
    assert not Heat.objects.exists()
    director.post(url(event, "draft_publish", number=draw.number), {"version": 0, "accept": "1"})
    assert Heat.objects.count() == 2


def test_a_draft_whose_player_left_cannot_be_published(event: Event, director: Client) -> None:
    draw = a_draft(event)
    gone = event.registrations.get(number=int(draw.groups[0][0]))
    leave_queue(registration=gone, by=None)
    page = text_of(director.get(url(event, "draft", number=draw.number)))
    assert REFUSED in page
    assert str(gone.person) in page
    answer = director.post(
        url(event, "draft_publish", number=draw.number),
        {"version": draw.version, "accept": "1"},
        follow=True,
    )
    assert REFUSED in text_of(answer)
    assert not Heat.objects.exists()


def test_others_are_told_that_the_draft_changed(event: Event, director: Client) -> None:
    draw = a_draft(event)
    swap_players(draw=draw, one=draw.groups[0][0], other=draw.groups[1][0], by=None)
    answer = director.get(url(event, "draft_state", number=draw.number), {"seen": "0"})
    assert STALE in text_of(answer)
    bad = director.get(url(event, "draft_state", number=draw.number), {"seen": "²"})
    assert bad.status_code == 200


def test_a_discarded_draft_stays_in_the_list(event: Event, director: Client) -> None:
    draw = a_draft(event)
    director.post(
        url(event, "draft_discard", number=draw.number),
        {"version": draw.version, "reason": "dinner first"},
    )
    draw.refresh_from_db()
    assert draw.status == DrawStatus.DISCARDED
    assert url(event, "draw", number=draw.number) in text_of(Client().get(url(event, "draws")))
    assert LogEntry.objects.get(action=LogAction.DRAFT_DISCARDED).reason == "dinner first"
    state = text_of(director.get(url(event, "draft_state", number=draw.number)))
    assert STALE in state


def test_drawing_again_uses_the_current_queue(event: Event, director: Client) -> None:
    draw = a_draft(event)
    make_players(event, 2)
    answer = director.post(url(event, "draft_again", number=draw.number), {"version": draw.version})
    fresh = event.draws.get(status=DrawStatus.DRAFT)
    assert answer["Location"] == url(event, "draft", number=fresh.number)
    assert len(fresh.candidates) == 9
    assert fresh.seed != draw.seed


def test_drawing_again_keeps_the_draft_if_nothing_can_be_drawn(
    event: Event, director: Client
) -> None:
    draw = a_draft(event, 3)
    for player in event.registrations.all():
        leave_queue(registration=player, by=None)
    answer = director.post(
        url(event, "draft_again", number=draw.number), {"version": draw.version}, follow=True
    )
    assert REFUSED in text_of(answer)
    draw.refresh_from_db()
    assert draw.status == DrawStatus.DRAFT


def test_fixed_tables_are_respected_and_their_clashes_shown(event: Event, director: Client) -> None:
    players = make_players(event, 8)
    set_fixed_table(registration=players[0], table=7, by=None)
    draw = draft_heats(event=event, by=None, seed="test")
    page = text_of(director.get(url(event, "draft", number=draw.number)))
    assert re.findall(REASON, page) == ["note"]
    other = next(
        event.registrations.get(number=int(player_id))
        for group in draw.groups
        if players[0].player_id not in group
        for player_id in group
    )
    set_fixed_table(registration=other, table=7, by=None)
    page = text_of(director.get(url(event, "draft", number=draw.number)))
    assert "error" in re.findall(REASON, page)
    assert REFUSED in page
    answer = director.post(
        url(event, "draft_publish", number=draw.number), {"version": draw.version}, follow=True
    )
    assert REFUSED in text_of(answer)
    assert not Heat.objects.exists()


def test_a_fixed_table_that_is_occupied_is_shown(event: Event, director: Client) -> None:
    make_heats(event, 4)
    players = make_players(event, 4)
    draw = draft_heats(event=event, by=None)
    set_fixed_table(registration=players[0], table=1, by=None)
    page = text_of(director.get(url(event, "draft", number=draw.number)))
    assert re.findall(REASON, page) == ["error"]


def test_a_rounds_draft_links_back_to_the_play_offs(db: None) -> None:
    event = qualified_event(4)
    client = client_of(event, Role.DIRECTOR)
    draw = drafted(event)
    page = text_of(client.get(url(event, "draft", number=draw.number)))
    assert url(event, "rounds") in page
    answer = client.post(url(event, "draft_publish", number=draw.number), {"version": draw.version})
    assert answer["Location"] == url(event, "rounds")


def test_a_draft_is_visible_to_staff_only_until_published(event: Event, director: Client) -> None:
    draw = a_draft(event)
    path = url(event, "draw", number=draw.number)
    assert Client().get(path).status_code == 404
    assert Client().get(url(event, "draw_script", number=draw.number)).status_code == 404
    assert f"draws/{draw.number}/" not in text_of(Client().get(url(event, "draws")))
    assert director.get(path).status_code == 200


def test_floor_staff_can_view_but_not_change(event: Event) -> None:
    draw = a_draft(event)
    client = client_of(event, Role.FLOOR)
    page = text_of(client.get(url(event, "draft", number=draw.number)))
    assert "Publish" not in page
    assert 'name="player"' not in page
