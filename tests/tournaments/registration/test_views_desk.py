"""The director's desk: register, check in, queue, draw."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import finished_heat, make_event, make_heats, make_players
from tests.tournaments.refusals import codes_in
from tournaments.events.commands.events import set_event_status
from tournaments.models import Event, Heat, HeatEntry, LogEntry, Registration
from tournaments.models.enums import EntryStatus, EventStatus, LogAction, RegistrationStatus
from tournaments.registration.commands.check_in import check_in, leave_queue
from tournaments.registration.queries.queue import waiting_count
from tournaments.results.queries.players import AT_THE_END, PLAYER_STATES

HTMX = {"HX-Request": "true"}


def url(event: Event, name: str, **more: object) -> str:
    return reverse(f"tournaments:{name}", kwargs={"slug": event.slug, **more})


def text_of(response: object) -> str:
    return response.content.decode()


def test_nothing_can_be_drawn_at_an_empty_desk(event: Event, director: Client) -> None:
    answer = director.get(url(event, "desk"))
    assert answer.context["rows"] == []
    assert not answer.context["queue"].can_draw
    assert "disabled" in text_of(answer)


def test_a_finished_events_desk_offers_what_can_still_be_done(
    event: Event, director: Client
) -> None:
    make_players(event, 1)
    make_players(event, 1, here=False)
    Event.objects.update(status="finished")
    page = text_of(director.get(url(event, "desk")))
    for name in ("player_register", "draft_make"):
        assert f'action="{url(event, name)}"' not in page
    for name in ("player_enter", "player_check_in"):
        for number in (1, 2):
            assert f'action="{url(event, name, number=number)}"' not in page
    assert url(event, "registrations_export", fmt="xlsx") in page


def test_register_and_check_in_at_once(event: Event, director: Client) -> None:
    answer = director.post(
        url(event, "player_register"), {"legal_name": " Åsa   Öberg ", "club": "", "here": "on"}
    )
    assert answer.status_code == 303
    player = event.registrations.get()
    assert player.person.legal_name == "Åsa Öberg"
    assert player.status == RegistrationStatus.CHECKED_IN
    assert player.entries.get().status == EntryStatus.WAITING


def test_register_only(event: Event, director: Client) -> None:
    director.post(url(event, "player_register"), {"legal_name": "Bo Ek"})
    assert event.registrations.get().status == RegistrationStatus.REGISTERED


def test_what_is_wrong_with_a_name_is_said_once(event: Event, director: Client) -> None:
    answer = director.post(url(event, "player_register"), {"legal_name": "\u202eAnna"})
    assert answer.status_code == 422
    assert text_of(answer).count("U+202E") == 1


def test_registering_without_a_name_loses_nothing(event: Event, director: Client) -> None:
    answer = director.post(url(event, "player_register"), {"legal_name": " ", "club": "Norrköping"})
    assert answer.status_code == 422
    assert 'value="Norrköping"' in text_of(answer)
    assert not event.registrations.exists()


def test_an_equal_name_is_asked_about_once(event: Event, director: Client) -> None:
    known = make_players(event, 1)[0].person
    form = {"legal_name": known.legal_name, "club": "Norrköping", "here": "on"}
    asked = director.post(url(event, "player_register"), form)
    assert asked.status_code == 409
    assert codes_in(asked) == {"same_name"}
    page = text_of(asked)
    assert 'name="somebody_else"' in page
    assert 'value="Norrköping"' in page
    assert event.registrations.count() == 1
    director.post(url(event, "player_register"), form | {"somebody_else": "on"})
    assert event.registrations.count() == 2


def test_a_players_unusable_address_is_kept_as_a_note(event: Event, director: Client) -> None:
    player = make_players(event, 1)[0]
    form = {
        "given_name": "Åke",
        "visibility": "public",
        "email": "åke@exempel.se",
        "note": "Comes late",
    }
    answer = director.post(url(event, "player_edit", number=player.number), form)
    assert answer.status_code == 303
    player.refresh_from_db()
    assert (player.email, player.note) == ("", "Comes late\nåke@exempel.se")


def test_registering_while_the_event_is_a_draft_keeps_what_was_typed(director: Client) -> None:
    from tests.tournaments.conftest import client_of
    from tournaments.models.enums import Role

    draft = make_event(status=EventStatus.DRAFT)
    client = client_of(draft, Role.DIRECTOR)
    answer = client.post(url(draft, "player_register"), {"legal_name": "Bo Ek", "here": "on"})
    assert answer.status_code == 409
    assert codes_in(answer) == {"event_not_open"}
    assert 'value="Bo Ek"' in text_of(answer)


def test_any_name_is_accepted_or_refused_without_a_500(event: Event, director: Client) -> None:
    for name in (
        "x" * 500, "\x00", "=cmd()", "<script>alert(1)</script>", "𝕬𝖓𝖓𝖆", "'; drop table",
    ):  # fmt: skip
        answer = director.post(url(event, "player_register"), {"legal_name": name})
        assert answer.status_code in {303, 422}, name
    page = text_of(director.get(url(event, "desk")))
    assert "<script>alert" not in page


def test_search_ignores_accents(event: Event, director: Client) -> None:
    director.post(url(event, "player_register"), {"legal_name": "Åsa Öberg"})
    typed = ("asa", "ÅSA", "oberg åsa", "1", "2", "ake")
    found = [
        word
        for word in typed
        if "Åsa Öberg"
        in text_of(director.get(url(event, "desk_players"), {"q": word}, headers=HTMX))
    ]
    assert found == ["asa", "ÅSA", "oberg åsa", "1"]


def test_the_filter_matches_what_is_shown(event: Event, director: Client) -> None:
    from tournaments.results.queries.players import (
        PLAYER_STATES,
        player_state,
        players_of,
        with_state,
    )

    finished_heat(event)
    make_heats(event, 3, seed="more")
    make_players(event, 2)
    make_players(event, 1, here=False)
    for state in ("registered", "free", "waiting", "playing", "qualified", "x"):
        rows = with_state(players_of(event), state)
        if state in PLAYER_STATES:
            assert {player_state(row) for row in rows} == {state}
        else:
            assert rows.count() == event.registrations.count()
        assert director.get(url(event, "desk_players"), {"state": state}).status_code == 200


def test_check_in_toggles(event: Event, director: Client) -> None:
    player = make_players(event, 1, here=False)[0]
    director.post(url(event, "player_check_in", number=player.number))
    player.refresh_from_db()
    assert player.status == RegistrationStatus.CHECKED_IN
    director.post(url(event, "player_undo_check_in", number=player.number))
    player.refresh_from_db()
    assert player.status == RegistrationStatus.REGISTERED
    assert not player.entries.filter(status=EntryStatus.WAITING).exists()


def test_who_was_there_stays_so_after_the_end(event: Event, director: Client) -> None:
    player = make_players(event, 1)[0]
    undo = url(event, "player_undo_check_in", number=player.number)
    assert undo in text_of(director.get(url(event, "desk_players")))
    leave_queue(registration=player, by=None)
    set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    page = text_of(director.get(url(event, "desk_players")))
    assert undo not in page
    assert str(PLAYER_STATES["free"]) not in page
    assert str(AT_THE_END["free"]) in page
    assert codes_in(director.post(undo, follow=True)) == {"event_not_open"}


def test_an_action_answers_htmx_with_a_notice(event: Event, director: Client) -> None:
    player = make_players(event, 1, here=False)[0]
    path = url(event, "player_check_in", number=player.number)
    answer = director.post(path, headers=HTMX)
    assert answer.status_code == 200
    assert answer["HX-Trigger"] == "desk-changed"
    assert "notice-success" in text_of(answer)
    again = director.post(path, headers=HTMX)
    assert again.status_code == 409
    assert codes_in(again) == {"already_checked_in"}


def test_a_refused_action_says_why_and_returns(event: Event, director: Client) -> None:
    player = make_players(event, 1)[0]
    answer = director.post(
        url(event, "player_enter", number=player.number),
        {"next": url(event, "desk_players")},
        follow=True,
    )
    assert answer.redirect_chain == [(url(event, "desk_players"), 303)]
    assert codes_in(answer) == {"already_waiting"}


def test_next_does_not_redirect_elsewhere(event: Event, director: Client) -> None:
    player = make_players(event, 1, here=False)[0]
    answer = director.post(
        url(event, "player_check_in", number=player.number), {"next": "https://example.org/"}
    )
    assert answer["Location"] == url(event, "desk")


def test_leaving_and_entering_the_queue_keeps_the_number(event: Event, director: Client) -> None:
    player = make_players(event, 1)[0]
    director.post(url(event, "player_leave", number=player.number))
    director.post(url(event, "player_enter", number=player.number))
    entry = player.entries.get(status=EntryStatus.WAITING)
    assert entry.number == 1


def test_the_queue_is_emptied_at_once(event: Event, director: Client) -> None:
    one, other = make_players(event, 2)
    assert url(event, "queue_empty") in director.get(url(event, "desk")).content.decode()
    answer = director.post(url(event, "queue_empty"), follow=True)
    assert re.search(r"notice-success[^>]*>\s*2 ", text_of(answer))
    assert not waiting_count(event)
    assert LogEntry.objects.filter(event=event, action=LogAction.LEFT_QUEUE).count() == 2
    director.post(url(event, "player_enter", number=other.number))
    assert one.entries.get().status == EntryStatus.WITHDRAWN
    assert other.entries.waiting().get().number == 1
    assert waiting_count(event) == 1


def test_withdraw_and_reinstate(event: Event, director: Client) -> None:
    player = make_players(event, 1)[0]
    director.post(url(event, "player_withdraw", number=player.number))
    player.refresh_from_db()
    assert player.status == RegistrationStatus.WITHDRAWN
    assert not HeatEntry.objects.filter(status=EntryStatus.WAITING).exists()
    director.post(url(event, "player_reinstate", number=player.number))
    player.refresh_from_db()
    assert player.status == RegistrationStatus.REGISTERED


def test_a_player_in_an_open_heat_cannot_withdraw(event: Event, director: Client) -> None:
    make_heats(event, 4)
    answer = director.post(url(event, "player_withdraw", number=1), headers=HTMX)
    assert answer.status_code == 409
    assert codes_in(answer) == {"in_open_heat"}


def test_draw_button(event: Event, director: Client) -> None:
    make_players(event, 7)
    director.post(url(event, "desk_draw"))
    assert event.heats.count() == 2
    assert LogEntry.objects.filter(event=event, action="drawn").count() == 1


def test_five_waiting_are_explained_and_one_keeps_waiting(event: Event, director: Client) -> None:
    players = make_players(event, 5)
    assert "2×4" in text_of(director.get(url(event, "desk")))
    answer = director.post(url(event, "desk_draw"), headers=HTMX)
    assert str(players[-1].person) in text_of(answer)


def test_too_few_players_are_refused(event: Event, director: Client) -> None:
    make_players(event, 2)
    answer = director.post(url(event, "desk_draw"), headers=HTMX)
    assert answer.status_code == 409
    assert codes_in(answer) == {"too_few_waiting"}
    assert not Heat.objects.exists()


@pytest.mark.parametrize("seed", ["x" * 101, "\x00"])
def test_bad_seed_is_refused(event: Event, director: Client, seed: str) -> None:
    make_players(event, 3)
    answer = director.post(url(event, "desk_draw"), {"seed": seed}, headers=HTMX)
    assert answer.status_code in {409, 422}


def test_live_part_answers_304_until_something_happens(event: Event, director: Client) -> None:
    make_players(event, 3)
    path = url(event, "desk_now")
    first = director.get(path)
    assert first.status_code == 200
    etag = first["ETag"]
    # The ETag includes the minute: at the very end of one, ask once more.
    second = director.get(path, headers={"If-None-Match": etag})
    if second.status_code == 200:
        etag = second["ETag"]
        second = director.get(path, headers={"If-None-Match": etag})
    assert second.status_code == 304
    director.post(url(event, "desk_draw"))
    assert director.get(path, headers={"If-None-Match": etag}).status_code == 200


def test_the_players_page_changes_a_person(event: Event, director: Client) -> None:
    make_players(event, 1)
    path = url(event, "player_edit", number=1)
    answer = director.post(
        path,
        {
            "given_name": "Anna",
            "family_name": "Ny",
            "display_name": "Annie",
            "visibility": "nickname",
            "club": "",
        },
    )
    assert answer.status_code == 303
    player = Registration.objects.get()
    assert player.person.display_name == "Annie"
    assert LogEntry.objects.filter(action="person_changed").count() == 1
    assert "Annie" in text_of(director.get(path))


@pytest.mark.parametrize(
    "data",
    [
        {"given_name": " ", "family_name": "", "visibility": "public"},
        {"given_name": "Anna", "visibility": "nickname", "display_name": ""},
        {"given_name": "Anna", "visibility": "nonsense"},
    ],
)
def test_a_bad_person_is_refused_and_keeps_what_was_typed(
    event: Event, director: Client, data: dict[str, str]
) -> None:
    make_players(event, 1)
    path = url(event, "player_edit", number=1)
    answer = director.post(path, {**data, "club": "My typed club"})
    assert answer.status_code == 422
    assert "My typed club" in text_of(answer)
    assert Registration.objects.get().person.legal_name == "Anna Åkerlund"


def test_reentry_limit(director: Client) -> None:
    from tests.tournaments.conftest import client_of
    from tournaments.models.enums import Role

    event = make_event(reentry_limit=1)
    client = client_of(event, Role.DIRECTOR)
    heat = finished_heat(event)
    loser = heat.entries.order_by("-pk")[0].registration
    answer = client.post(url(event, "player_enter", number=loser.number), headers=HTMX)
    assert answer.status_code == 409
    assert codes_in(answer) == {"no_entries_left"}


def test_checking_in_again_after_a_heat_does_not_enter(event: Event) -> None:
    from tournaments.registration.commands.check_in import undo_check_in

    heat = finished_heat(event)
    loser = heat.entries.order_by("-pk")[0].registration
    undo_check_in(registration=loser, by=None)
    check_in(registration=loser, by=None)
    assert not loser.entries.filter(status=EntryStatus.WAITING).exists()


def test_an_expired_session_redirects_the_whole_page_to_the_sign_in(event: Event) -> None:
    headers = {**HTMX, "HX-Current-URL": f"http://testserver{url(event, 'desk')}?q=anna"}
    answer = Client().get(url(event, "desk_now"), headers=headers)
    assert answer.status_code == 401
    assert answer["HX-Redirect"] == "/accounts/login/?next=/e/fest/desk/%3Fq%3Danna"
    assert answer.content == b""
