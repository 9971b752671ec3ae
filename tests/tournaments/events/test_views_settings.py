"""Creating an event, its settings, its staff, its log."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import translation

from engine.ranking.heat import STEPS
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import finished_heat, make_heats, make_maker, make_user
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_desk import HTMX, text_of, url
from tournaments.cash.commands import book
from tournaments.events.forms.event import EventForm
from tournaments.models import Event, LogEntry
from tournaments.models.enums import BookingKind, EventStatus, Role


@pytest.fixture
def maker(db: None) -> Client:
    """An account that may create events."""
    client = Client()
    client.force_login(make_maker("maker"))
    return client


def form(**more: object) -> dict[str, object]:
    data: dict[str, object] = {
        "name": "Höstfesten",
        "slug": "hosten",
        "venue": "Folkets hus",
        "starts_on": "2026-10-03",
        "ends_on": "2026-10-04",
        "rules": "festival",
        "games_per_heat": 3,
        "advance_per_heat": 1,
        "out_points": "last_place",
        "tie_chain": ["game_points", "score_points", "asterisks", "flip_flop"],
        "reentry_limit": "",
        "points_3": "",
        "points_4": "",
    }
    return data | more


def test_an_event_is_created_and_owned_by_its_creator(maker: Client) -> None:
    answer = maker.post("/events/new/", form())
    assert (answer.status_code, answer["Location"]) == (303, "/e/hosten/desk/")
    event = Event.objects.get(slug="hosten")
    assert event.roles.get().role == Role.OWNER
    assert event.status == EventStatus.DRAFT
    assert event.stages.get().games == 3
    assert event.game_points["4"] == [20, 15, 12, 8]


#: What is typed, and the field that is wrong.
BAD: list[tuple[dict[str, object], str]] = [
    ({"name": ""}, "name"),
    ({"slug": "å ä"}, "slug"),
    ({"rules": "svenska"}, "rules"),
    ({"rules": "svensk+C+C"}, "rules"),
    ({"points_4": "20 15 12"}, "points_4"),
    ({"points_4": "8 12 15 20"}, "__all__"),
    ({"points_3": "a b c"}, "points_3"),
    ({"tie_chain": []}, "tie_chain"),
    ({"ends_on": "2026-10-01"}, "__all__"),
    ({"starts_on": "soon"}, "starts_on"),
    ({"games_per_heat": 0}, "games_per_heat"),
    ({"games_per_heat": "9" * 30}, "games_per_heat"),
    ({"reentry_limit": -1}, "reentry_limit"),
    ({"name": "\x00"}, "name"),
]


def test_a_bad_event_keeps_what_was_typed(maker: Client) -> None:
    for change, field in BAD:
        answer = maker.post("/events/new/", form(venue="Typed in vain?", **change))
        assert answer.status_code == 422, change
        assert [*answer.context["form"].errors] == [field], change
        assert "Typed in vain?" in text_of(answer)
    assert not Event.objects.exists()


def test_an_address_that_is_no_web_address_is_told_how_one_is_written(maker: Client) -> None:
    answer = maker.post("/events/new/", form(slug="Storgatan 5, Örebro"))
    [error] = answer.context["form"].errors["slug"]
    assert "sm-2026" in error


def test_the_tie_break_chain_has_an_order(maker: Client) -> None:
    answer = maker.post("/events/new/", form(tie_chain=["flip_flop", "game_points"]))
    assert answer.status_code == 303
    assert Event.objects.get().tie_chain == ["game_points", "flip_flop"]


def test_every_tie_break_can_be_chosen_and_the_flip_flop_comes_last(maker: Client) -> None:
    rows = EventForm(instance=Event(tie_chain=["flip_flop"])).tie_rows()
    assert [key for key, *_rest in rows] == [*STEPS]
    wanted = [*reversed(STEPS[:-1]), "flip_flop"]
    orders = {f"tie_order_{step}": number for number, step in enumerate(wanted, start=1)}
    maker.post("/events/new/", form(tie_chain=[*STEPS], **orders))
    assert Event.objects.get().tie_chain == wanted


def test_an_address_is_used_once(maker: Client) -> None:
    maker.post("/events/new/", form())
    answer = maker.post("/events/new/", form(name="Again"))
    assert answer.status_code == 422
    assert [*answer.context["form"].errors] == ["slug"]


def test_settings_are_changed_and_logged(event: Event, director: Client) -> None:
    answer = director.post(url(event, "event_settings"), form(slug="fest", games_per_heat=2))
    assert answer.status_code == 303
    event.refresh_from_db()
    assert event.games_per_heat == 2
    assert event.stages.get().games == 2
    row = LogEntry.objects.get(action="event_changed")
    assert row.before["games_per_heat"] == 3
    assert row.after["games_per_heat"] == 2
    assert "rules" not in row.after


def test_the_format_is_fixed_once_heats_are_drawn(event: Event, director: Client) -> None:
    make_heats(event, 3)
    answer = director.post(
        url(event, "event_settings"), form(slug="fest", rules="sm", name="New name")
    )
    assert answer.status_code == 409
    assert "New name" in text_of(answer)
    event.refresh_from_db()
    assert (event.rules, event.name) == ("festival", "Festival")
    same = director.post(url(event, "event_settings"), form(slug="fest", name="New name"))
    assert same.status_code == 303


@pytest.mark.parametrize(
    ("to", "status"), [("finished", 200), ("draft", 200), ("open", 409), ("x", 409), ("", 409)]
)
def test_status_changes(event: Event, director: Client, to: str, status: int) -> None:
    answer = director.post(url(event, "event_status"), {"to": to}, headers=HTMX)
    assert answer.status_code == status


def test_an_event_with_open_heats_cannot_be_finished(event: Event, director: Client) -> None:
    make_heats(event, 3)
    for to in ("finished", "draft"):
        answer = director.post(url(event, "event_status"), {"to": to}, headers=HTMX)
        assert answer.status_code == 409
    event.refresh_from_db()
    assert event.status == EventStatus.OPEN


def test_the_owner_names_staff(event: Event) -> None:
    owner = client_of(event, Role.OWNER)
    make_user("ny")
    answer = owner.post(url(event, "event_staff"), {"username": "ny", "role": "floor"})
    assert answer.status_code == 303
    assert event.roles.get(user__username="ny").role == Role.FLOOR
    assert "ny" in text_of(owner.get(url(event, "event_staff")))
    owner.post(url(event, "event_staff_remove"), {"username": "ny"})
    assert not event.roles.filter(user__username="ny").exists()
    gone = owner.post(url(event, "event_staff_remove"), {"username": "ny"}, headers=HTMX)
    assert gone.status_code == 409


@pytest.mark.parametrize(
    "data", [{"username": "nobody", "role": "floor"}, {"username": "ny", "role": "king"}, {}]
)
def test_a_bad_role_is_refused(event: Event, data: dict[str, str]) -> None:
    make_user("ny")
    owner = client_of(event, Role.OWNER)
    assert owner.post(url(event, "event_staff"), data).status_code == 422


def test_the_last_owner_stays(event: Event) -> None:
    role = event.roles.get()
    client = Client()
    client.force_login(role.user)
    name = role.user.get_username()
    taken = client.post(url(event, "event_staff_remove"), {"username": name}, headers=HTMX)
    assert taken.status_code == 409
    lowered = client.post(url(event, "event_staff"), {"username": name, "role": "floor"})
    assert lowered.status_code == 409
    assert codes_in(lowered) == {"last_owner"}
    role.refresh_from_db()
    assert role.role == Role.OWNER


FILTERS: list[tuple[dict[str, str], bool]] = [
    ({"action": "heat_closed"}, True),
    ({"action": "booked"}, False),
    ({"action": "nonsense"}, True),
    ({"heat": "1"}, True),
    ({"heat": "7"}, False),
    ({"heat": "x" * 30}, True),
    ({"of": "Heat 1"}, True),
    ({"of": "zzz"}, False),
    ({"who": "nobody"}, False),
    ({"day": "2001-01-01"}, False),
    ({"day": "never"}, True),
    ({"sort": "actor", "page": "x"}, True),
]


def test_the_log_can_be_filtered(event: Event, director: Client) -> None:
    finished_heat(event)
    for query, there in FILTERS:
        page = text_of(director.get(url(event, "log"), query))
        assert ("<td>Heat closed</td>" in page.replace(" >", ">")) is there, query


def test_the_log_is_in_the_readers_language(event: Event, director: Client) -> None:
    with translation.override("sv"):
        heat = finished_heat(event)
        book(event=event, kind=BookingKind.PAYOUT, amount=123450, by=None)
    page = text_of(director.get(url(event, "log"))).replace(" >", ">")
    assert "<td>Draw 1</td>" in page
    assert "Lottning" not in page
    assert "Payout −1\xa0234.50\xa0SEK" in page
    assert f"<td>{heat}</td>" in page
    stored = set(event.log_entries.values_list("object_type", "object_label"))
    assert {("draw", "draw 1"), ("heat", f"heat {heat.number}"), ("booking", "")} <= stored


def test_another_events_log_is_not_shown(event: Event, director: Client) -> None:
    from tests.tournaments.factories import make_event

    finished_heat(make_event())
    assert "Heat closed</td>" not in text_of(director.get(url(event, "log")))


def test_fixed_settings_are_disabled_and_left_as_they_are(event: Event, director: Client) -> None:
    make_heats(event, 3)
    page = url(event, "event_settings")
    text = text_of(director.get(page))
    locked = set(re.findall(r'<fieldset class="field field-(\w+)" id="\w+" disabled', text))
    assert {"rules", "games_per_heat", "points_4", "tie_chain"} <= locked
    assert not {"name", "venue", "capacity"} & locked
    # A browser does not send disabled fields.
    sent = {name: value for name, value in form(slug="fest").items() if name not in locked}
    before = Event.objects.get(pk=event.pk)
    assert director.post(page, sent).status_code == 303
    after = Event.objects.get(pk=event.pk)
    assert after.venue == "Folkets hus"
    assert (after.rules, after.game_points, after.tie_chain) == (
        before.rules, before.game_points, before.tie_chain,
    )  # fmt: skip
