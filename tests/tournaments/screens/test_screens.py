"""Screens of the hall: adopting, steering, and what they show."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_heats, make_players, write
from tests.tournaments.playoffs.factories import close, played_round, qualified_event
from tests.tournaments.series.test_series import make_series, played, refresh
from tournaments.core.errors import Refused
from tournaments.models import Event, LogEntry, Screen, ScreenContact
from tournaments.models.enums import EventStatus, LogAction, Role, ScreenPart, Visibility
from tournaments.notices.commands.announcements import announce
from tournaments.screens.commands import adopt, end_screen, forget_unadopted, make_screen
from tournaments.screens.queries import lists
from tournaments.screens.queries.short import fitting
from tournaments.series.commands.series import add_event

pytestmark = pytest.mark.django_db


def ask(client: Client, **fields: Any) -> dict[str, Any]:
    """Return what a screen is told."""
    path = reverse("tournaments:screen_now")
    response = client.post(path, json.dumps(fields), content_type="application/json")
    assert response.status_code == 200
    answer: dict[str, Any] = response.json()
    return answer


def adopted(event: Event, television: Client, name: str = "Bar") -> Screen:
    """Make a browser one of the event's screens."""
    return adopt(event=event, letters=ask(television)["letters"], name=name, by=None)


def part(event: Event, code: str, language: str = "en", client: Client | None = None) -> str:
    path = reverse("tournaments:screen_part", args=[event.slug, language, code])
    response = (client or Client()).get(path)
    assert response.status_code == 200
    return response.content.decode()


def shown(event: Event, code: str) -> dict[str, Any]:
    """Return the interruptions that a part tells."""
    import html
    import re

    found = re.search(r'data-interruptions="([^"]*)"', part(event, code))
    assert found is not None
    return {each["kind"]: each for each in json.loads(html.unescape(found[1]))}


def test_a_screen_keeps_its_letters_until_it_is_adopted_and_its_name_after(event: Event) -> None:
    television, other = Client(), Client()
    first = ask(television)
    assert first["event"] == ""
    assert len(first["letters"]) == 6
    assert ask(television)["letters"] == first["letters"]
    assert ask(other)["letters"] != first["letters"]
    desk = client_of(event, Role.FLOOR)
    page = reverse("tournaments:screens", args=[event.slug])
    response = desk.post(page, {"letters": f" {first['letters'].lower()} ", "name": "Bar"})
    assert response.status_code == 303
    state = ask(television, shows="tables")
    assert (state["event"], state["name"]) == (event.name, "Bar")
    assert ScreenContact.objects.get().shows == "tables"
    assert ask(other)["event"] == ""
    assert LogEntry.objects.filter(action=LogAction.SCREEN_SET).count() == 1


def test_the_secret_is_the_devices_own_and_stays_below_its_page() -> None:
    television = Client()
    answer = ask(television)
    cookie = television.cookies["screen"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/screen/", True, "Lax")
    stored = Screen.objects.get()
    assert cookie.value not in (stored.digest, stored.letters, json.dumps(answer))


def test_other_sites_cannot_make_or_hear_a_screen() -> None:
    path = reverse("tournaments:screen_now")
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.example"}):
        asked = Client().post(path, "{}", content_type="application/json", headers=headers)
        assert asked.status_code == 400
    assert Client().post(path, {"shows": "x"}).status_code == 400
    assert not Screen.objects.exists()


def test_wrong_letters_are_refused_and_nothing_typed_is_lost(event: Event) -> None:
    adopted(event, taken := Client())
    desk = client_of(event, Role.FLOOR)
    page = reverse("tournaments:screens", args=[event.slug])
    for letters in ("ZZZZZZ", ask(taken)["letters"]):
        response = desk.post(page, {"letters": letters, "name": "Bar"})
        assert response.status_code == 409
        assert f'value="{letters}"' in response.content.decode()
    assert desk.post(page, {"letters": "ABCDEF", "name": ""}).status_code == 422


def test_a_screen_that_forgot_who_it_was_takes_its_place_again(event: Event) -> None:
    former = adopted(event, Client())
    Screen.objects.filter(pk=former.pk).update(dark=True, shows="clock")
    again = Client()
    letters = ask(again)["letters"]
    adopt(event=event, letters=letters, name="", instead=former, by=None)
    state = ask(again)
    assert (state["name"], state["dark"], state["shows"]) == ("Bar", True, "clock")
    assert [each.number for each in event.screens.all()] == [former.number]


def test_an_ended_screen_shows_letters_again(event: Event) -> None:
    television = Client()
    end_screen(screen=adopted(event, television), by=None)
    assert ask(television)["event"] == ""
    with pytest.raises(Refused):
        end_screen(screen=Screen(pk=1, event=event), by=None)


def test_the_desk_steers_one_screen_or_all(event: Event) -> None:
    bar, door = Client(), Client()
    adopted(event, bar, "Bar")
    adopted(event, door, "Door")
    desk = client_of(event, Role.FLOOR)
    steer = reverse("tournaments:screens_steer", args=[event.slug])
    before = ask(bar)["orders"]
    desk.post(steer, {"screen": "1", "shows": "clock"})
    assert [ask(each)["shows"] for each in (bar, door)] == ["clock", ""]
    # Each part of the event tells all its screens that there is something new to do.
    assert ask(bar)["orders"] != before
    assert f'data-orders="{ask(bar)["orders"]}"' in part(event, "tables")
    desk.post(steer, {"screen": "all", "shows": "black"})
    assert [ask(each)["shows"] for each in (bar, door)] == ["black", "black"]
    desk.post(steer, {"screen": "all", "shows": ""})
    assert [ask(each)["shows"] for each in (bar, door)] == ["", ""]
    desk.post(steer, {"screen": "all", "shows": "nonsense"})
    assert ask(bar)["shows"] == ""


def test_a_programme_is_parts_with_seconds(event: Event) -> None:
    television = Client()
    screen = adopted(event, television)
    desk = client_of(event, Role.FLOOR)
    page = reverse("tournaments:screen_set", args=[event.slug, screen.number])
    fields = {"name": "Bar", "language": "sv", "takes_over": ["draw"], "part_2": "seats"}
    assert desk.post(page, fields | {"seconds_2": "1"}).status_code == 422
    assert desk.post(page, {"name": "Bar"}).status_code == 422
    assert desk.post(page, fields | {"seconds_2": "25"}).status_code == 303
    state = ask(television)
    assert (state["programme"], state["languages"]) == ([["seats", 25]], ["sv"])
    assert state["takes_over"] == ["draw"]


def test_the_desk_frames_what_a_screen_shows_and_nobody_else_does(event: Event) -> None:
    screen = adopted(event, Client())
    desk = client_of(event, Role.FLOOR)
    view = desk.get(reverse("tournaments:screen_view", args=[event.slug, screen.number]))
    assert view["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in view["Content-Security-Policy"]
    state = desk.get(reverse("tournaments:screen_state", args=[event.slug, screen.number]))
    assert state.json()["name"] == "Bar"
    assert not ScreenContact.objects.exists()
    device = Client().get(reverse("tournaments:screen"))
    assert "frame-ancestors 'none'" in device["Content-Security-Policy"]


def test_a_draft_shows_only_its_name() -> None:
    event = make_event(status=EventStatus.DRAFT)
    television = Client()
    adopted(event, television)
    assert ask(television)["open"] is False
    path = reverse("tournaments:screen_part", args=[event.slug, "sv", "tables"])
    assert television.get(path).status_code == 404


@pytest.mark.parametrize("code", ScreenPart.values)
def test_every_part_is_a_page_before_during_and_after(event: Event, code: str) -> None:
    for language in ("sv", "en"):
        assert f'data-part="{code}"' in part(event, code, language)
    make_heats(event, 7)
    make_players(event, 2)
    assert f'data-part="{code}"' in part(event, code)
    for language, wrong in (("xx", code), ("sv", "nonsense")):
        path = reverse("tournaments:screen_part", args=[event.slug, language, wrong])
        assert Client().get(path).status_code == 404


def test_a_part_says_that_it_has_nothing_to_show(event: Event) -> None:
    codes = ("seats", "tables", "waiting", "qualified", "final", "champion", "sponsors", "clock")
    codes += ("series",)
    assert [code for code in codes if "data-empty" not in part(event, code)] == ["clock"]
    make_heats(event, 8)
    make_players(event, 1)
    here = [code for code in codes if "data-empty" not in part(event, code)]
    assert here == ["seats", "tables", "waiting", "clock"]


def test_seats_and_tables_show_shown_names_only(event: Event) -> None:
    heats = make_heats(event, 8).heats
    heats[1].table_number = 7
    heats[1].save()
    hidden = heats[0].entries.first().registration
    hidden.visibility = Visibility.HIDDEN
    hidden.save()
    write(
        heats[0].table.sheets.first(), {"kind": "hand", "phase": 1, "seat": 0, "category": "flush"}
    )
    for code in ("seats", "tables"):
        found = part(event, code)
        assert f"Player {hidden.number}" in found
        assert hidden.person.legal_name not in found
        assert ">7</b>" in found
    assert ">5</b>" in part(event, "tables")


def test_a_draw_interrupts_for_ten_minutes(event: Event) -> None:
    assert shown(event, "tables") == {}
    make_heats(event, 8)
    drawn = shown(event, "tables")["draw"]
    assert drawn["part"] == "seats"
    left = drawn["until"] / 1000 - timezone.now().timestamp()
    assert 590 < left <= 600
    event.heats.update(created_at=timezone.now() - timedelta(minutes=11))
    assert shown(event, "tables") == {}


def test_the_final_interrupts_and_then_the_champion() -> None:
    event = qualified_event(3)
    played_round(event, finish=False)
    [final] = event.heats.open()
    assert final.stage.kind == "final"
    assert shown(event, "tables")["final"]["part"] == "final"
    close(final)
    over = shown(event, "tables")["final"]
    assert over["part"] == "champion"
    assert 0 < over["until"] / 1000 - timezone.now().timestamp() <= 15 * 60
    event.heats.update(finished_at=timezone.now() - timedelta(minutes=16))
    assert "final" not in shown(event, "tables")


def test_a_call_to_all_comes_before_a_draw(event: Event) -> None:
    make_heats(event, 8)
    announce(event=event, texts={"sv": "Maten är klar"}, by=None)
    assert list(shown(event, "clock")) == ["call", "draw"]
    assert "Maten är klar" in part(event, "notices")
    assert "Maten är klar" in part(event, "tables")


def test_screens_that_nobody_adopts_are_forgotten(event: Event) -> None:
    adopted(event, Client())
    old, _secret = make_screen()
    Screen.objects.update(made_at=timezone.now() - timedelta(days=2))
    fresh, _secret = make_screen()
    assert forget_unadopted() == 1
    assert set(Screen.objects.values_list("letters", flat=True)) >= {fresh.letters}
    assert not Screen.objects.filter(pk=old.pk).exists()


def test_the_code_on_a_screen_leads_to_the_desk(event: Event) -> None:
    letters = ask(Client())["letters"]
    path = reverse("tournaments:adopt", args=[letters])
    assert "/accounts/login/" in Client().get(path)["Location"]
    desk = client_of(event, Role.FLOOR)
    page = desk.get(path, follow=True).content.decode()
    assert f'value="{letters}"' in page
    assert client_of(event, Role.CASHIER).get(path).status_code == 404


def test_the_overlays_are_public_and_transparent(event: Event) -> None:
    for kind in ("tiles", "lower", "bracket"):
        page = Client().get(reverse("tournaments:overlay", args=[event.slug, "sv", kind]))
        assert "is-overlay" in page.content.decode()
        now = Client().get(reverse("tournaments:overlay_now", args=[event.slug, "sv", kind]))
        assert "overlay-part" in now.content.decode()


def test_long_names_stay_tellable_apart() -> None:
    names = {str(each): f"Maximiliana Elisabeth von Lindström {each}" for each in range(40)}
    names |= {"a": "Bo Ek", "b": "Maximiliana El…1"}
    short = fitting(names, 16)
    assert {key: str(name) for key, name in short.items()} == names
    # Cut to as little as fits, each is still another one.
    cut = {(name.head[: 15 - len(name.tail)], name.tail) for name in short.values()}
    assert len(cut) == len(names)
    assert short["a"].tail == ""


def test_the_series_of_the_event_is_on_a_screen() -> None:
    event, series = played(), make_series()
    add_event(series=series, event=event, by=None)
    refresh()
    shown = part(event, "series")
    assert series.name in shown
    assert "data-empty" not in shown
    winner = event.registrations.get(event_place__place=1).person.legal_name
    assert winner.split()[0] in shown
    type(series).objects.filter(pk=series.pk).update(is_public=False)
    assert lists.series(event, beside=False).said
