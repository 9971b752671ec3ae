"""Formats, copies, choosing rules, and what is missing before the doors open."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.rules.presets import PRESETS
from engine.rules.variants import VARIANTS
from tests.tournaments.conftest import client_of
from tests.tournaments.events.test_views_settings import form
from tests.tournaments.factories import (
    make_event,
    make_maker,
    make_member,
    make_organiser,
    make_players,
)
from tests.tournaments.html_forms import form_with
from tests.tournaments.playoffs.factories import qualified_event
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.events.commands.events import set_event_status, set_timetable
from tournaments.events.forms.event import EventForm
from tournaments.events.forms.rules import OWN_FIELD
from tournaments.events.queries.checklist import Check, checklist
from tournaments.events.queries.fitting import fit, fit_text
from tournaments.events.queries.formats import FORMATS, fields_like
from tournaments.models import Day, Event, EventRole, Series, SeriesEvent
from tournaments.models.enums import EventStatus, Role
from tournaments.playoffs.commands import prepare_round
from tournaments.series.commands.series import add_event, create_series

OUTSIDE = "https://chicago.example.org"


@pytest.fixture
def maker(db: None) -> Client:
    client = Client()
    client.force_login(make_maker("maker"))
    return client


def whole(**more: object) -> dict[str, object]:
    """Return the form as the page sends it, with every field."""
    return (
        form(
            whole="1",
            table_size=4,
            room_plan="1-12",
            keep_turn_minutes="20",
            minutes_per_heat="90",
            time_rule="deal",
            acceptance="auditor",
            results_need_director="on",
            playoff_games=5,
            final_games=7,
            playoff_advance="2 1",
            playoff_grouping="snake",
            no_show_rule="nobody",
            sign_up_opens_at="2026-09-01T18:00",
            sign_up_closes_at="2026-10-01T18:00",
            capacity="40",
            currency="sek",
            paper_size="a4",
            buy_in="200,50",
        )
        | more
    )


def test_every_number_of_the_format_has_a_field(maker: Client) -> None:
    data = whole(
        rules="svensk",
        rules_variants=["N", "", "V42", "C"],
        points_4="30 20 10 0",
        tie_order_game_points=2,
        tie_order_score_points=1,
        tie_order_asterisks=3,
        tie_order_flip_flop=4,
    )
    answer = maker.post("/events/new/", data)
    assert answer.status_code == 303, answer.context["form"].errors
    event = Event.objects.get()
    assert event.rules == "svensk+C+N+V42"
    assert event.game_points == {"4": [30, 20, 10, 0], "3": [20, 15, 12]}
    assert event.tie_chain == ["score_points", "game_points", "asterisks", "flip_flop"]
    assert (event.playoff_games, event.final_games, event.playoff_advance) == (5, 7, [2, 1])
    assert (event.playoff_grouping, event.no_show_rule) == ("snake", "nobody")
    assert (event.room_plan, event.minutes_per_heat) == ("1-12", 90)
    assert (event.capacity, event.currency, event.buy_in) == (40, "SEK", 20050)
    assert event.results_need_director
    assert event.sign_up_opens_at is not None
    assert timezone.localtime(event.sign_up_opens_at).hour == 18


#: What is typed, and the field that is wrong.
BAD: list[tuple[dict[str, object], str]] = [
    ({"playoff_advance": "3"}, "playoff_advance"),
    ({"playoff_advance": "x"}, "playoff_advance"),
    ({"playoff_advance": "²"}, "playoff_advance"),
    ({"buy_in": "-5"}, "buy_in"),
    ({"buy_in": "1,234"}, "buy_in"),
    ({"currency": "kronor"}, "currency"),
    ({"currency": "k1"}, "currency"),
    ({"room_plan": "a-b"}, "room_plan"),
    ({"capacity": 1}, "capacity"),
    ({"minutes_per_heat": 1}, "minutes_per_heat"),
    ({"sign_up_closes_at": "2026-08-01T18:00"}, "sign_up_closes_at"),
    ({"rules_variants": ["C", "D"]}, "rules"),
    ({"rules": "svensk", "rules_variants": ["B2", "B3"]}, "rules"),
    ({"tie_order_flip_flop": "0", "tie_order_game_points": "9"}, "tie_chain"),
    ({"playoff_games": 0}, "playoff_games"),
]


def test_impossible_numbers_are_reported(maker: Client) -> None:
    for change, field in BAD:
        answer = maker.post("/events/new/", whole(venue="Typed") | change)
        assert answer.status_code == 422, change
        assert [*answer.context["form"].errors] == [field], change
        assert 'value="Typed"' in text_of(answer)
    assert not Event.objects.exists()


def test_the_address_is_derived_from_the_name(maker: Client) -> None:
    for slug in ("hostfesten", "hostfesten-2", "hostfesten-3"):
        maker.post("/events/new/", whole(slug=""))
        assert Event.objects.filter(slug=slug).exists()
    answer = maker.post("/events/new/", whole(slug="", name="!?"))
    assert answer.status_code == 422
    assert [*answer.context["form"].errors] == ["slug"]
    # Without a name only the name is reported as missing.
    answer = maker.post("/events/new/", whole(slug="", name=""))
    assert [*answer.context["form"].errors] == ["name"]


@pytest.mark.parametrize("key", FORMATS)
def test_formats_fill_in_the_form(maker: Client, key: str) -> None:
    answer = maker.get(f"/events/new/?format={key}")
    made: EventForm = answer.context["form"]
    fields = FORMATS[key].fields
    for name, value in fields.items():
        assert made[name].value() == value or made[name].initial == value, name
    assert 'aria-current="true"' in text_of(answer)


def test_swedish_championship(maker: Client) -> None:
    shown = form_with(text_of(maker.get("/events/new/?format=sm")), "whole")
    maker.post("/events/new/", shown | {"name": "SM", "slug": "sm"})
    event = Event.objects.get(slug="sm")
    assert (event.rules, event.advance_per_heat, event.reentry_limit) == ("sm", 2, 1)
    assert event.game_points["4"] == [20, 12, 8, 5]
    assert event.playoff_advance == [2, 1]


def test_a_copy_takes_format_and_staff_but_no_players(maker: Client) -> None:
    user = EventRole._meta.get_field("user").related_model.objects.get(username="maker")
    old = make_event(user, slug="old", rules="svensk", room_plan="3-9", buy_in=15000, capacity=20)
    make_players(old, 3)
    floor = make_member(old, Role.FLOOR)
    page = maker.get("/events/new/?like=old")
    assert "3-9" in text_of(page)
    assert 'value="150"' in text_of(page)
    data = whole(like="old", with_staff="on", slug="new", rules="svensk")
    maker.post("/events/new/", data)
    new = Event.objects.get(slug="new")
    assert set(new.roles.values_list("user__username", "role")) == {
        ("maker", "owner"), (floor.username, "floor"),
    }  # fmt: skip
    assert not new.registrations.exists()
    assert not new.heats.exists()
    maker.post("/events/new/", data | {"slug": "alone", "with_staff": ""})
    assert Event.objects.get(slug="alone").roles.count() == 1


def test_only_ones_own_events_can_be_copied(maker: Client) -> None:
    other = make_event(slug="secret", room_plan="77")
    form = maker.get("/events/new/?like=secret").context["form"]
    assert form["room_plan"].value() != "77"
    maker.post("/events/new/", whole(like="secret", with_staff="on", slug="new"))
    assert (
        not Event.objects.get(slug="new")
        .roles.filter(role=Role.OWNER)
        .exclude(user__username="maker")
    )
    assert other.roles.count() == 1


def test_what_a_copy_takes_over_is_on_its_form() -> None:
    copied = set(fields_like(Event(slug="x", name="x")))
    assert {"rules", "room_plan", "fee", "contact"} <= copied
    assert copied - {"game_points"} <= set(EventForm.Meta.fields)


@pytest.mark.parametrize(("rules", "shown"), [("festival", "20 15 12 8"), ("sm", "20 12 8 5")])
def test_default_game_points_are_shown_with_the_rule_set(
    maker: Client, rules: str, shown: str
) -> None:
    assert shown in text_of(maker.get("/events/new/", {"format": rules}))
    fragment = maker.get(reverse("tournaments:rules_check"), {"rules": rules})
    assert shown in text_of(fragment)


def test_playoff_numbers_are_fixed_once_the_first_round_is_drawn(db: None) -> None:
    event = qualified_event(4)
    prepare_round(event=event, by=None)
    client = client_of(event, Role.DIRECTOR)
    for change in (
        {"playoff_games": 7},
        {"final_games": 7},
        {"playoff_advance": "1"},
        {"no_show_rule": "lucky_loser"},
    ):
        data = _as_shown(client, event) | change
        answer = client.post(url(event, "event_settings"), data)
        assert answer.status_code == 409
        assert codes_in(answer) == {"format_fixed"}
    fine = _as_shown(client, event) | {"minutes_per_heat": "45"}
    assert client.post(url(event, "event_settings"), fine).status_code == 303


def _as_shown(client: Client, event: Event) -> dict[str, object]:
    """Return the settings form as a browser would send it back unchanged."""
    return dict(form_with(text_of(client.get(url(event, "event_settings"))), "whole"))


def test_saving_unchanged_settings_changes_nothing(event: Event, director: Client) -> None:
    before = Event.objects.filter(pk=event.pk).values().get()
    answer = director.post(url(event, "event_settings"), _as_shown(director, event))
    assert answer.status_code == 303
    assert Event.objects.filter(pk=event.pk).values().get() == before


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ({"rules": "festival"}, "festival"),
        ({"rules": "svensk", "rules_variants": ["N", "C"]}, "svensk+C+N"),
        ({"rules": "svensk", "rules_variants": ["C", "D"]}, "notice-error"),
        *(
            ({"rules": "basic", "rules_variants": [name]}, f">basic+{name}<")
            for name in (
                "no-open",
                "final-hand-never",
                "quads52",
                "reset-one",
                "sf52",
                "royal-wins",
                "declarer-leads",
            )
        ),
        *(
            ({"rules": "basic", "rules_variants": list(pair)}, "notice-error")
            for pair in (
                ("reset-one", "reset"),
                ("reset-one", "quads-end"),
                ("reset-one", "J"),
                ("quads52", "D"),
                ("sf52", "B3"),
                ("sf52", "sf10"),
                ("final-hand-never", "Q"),
                ("no-open", "G"),
                ("declarer-leads", "M"),
            )
        ),
        ({"rules": "festival", "rules_variants": ["reset-one"]}, "notice-error"),
        ({"rules": "x" * 500}, "notice-error"),
        ({"rules": "\x00"}, "notice-error"),
        ({}, "notice-error"),
        ({"rules": "svensk", "rules_variants": ["G"]}, "svensk+G"),
    ],
)
def test_rules_are_validated_while_choosing(
    maker: Client, asked: dict[str, object], shown: str
) -> None:
    answer = maker.get("/rules/check/", asked)
    assert answer.status_code == 200
    assert shown in text_of(answer)


def test_the_rules_field_has_every_preset_and_variant_in_the_readers_language(
    maker: Client,
) -> None:
    maker.cookies["django_language"] = "sv"
    text = text_of(maker.get("/events/new/"))
    for name in {*PRESETS, *VARIANTS} - OWN_FIELD:
        assert f'value="{name}"' in text, name
    assert "Spelet" not in text
    assert "Fyrtal" in text


def states(event: Event, address: str = OUTSIDE) -> dict[str, str]:
    return {check.key: check.state for check in checklist(event, address)}


def check_of(event: Event, key: str, address: str = OUTSIDE) -> Check:
    return next(check for check in checklist(event, address) if check.key == key)


def test_a_ready_event_has_nothing_missing(db: None) -> None:
    event = make_event(venue="Folkets hus", room_plan="1-4", capacity=16)
    make_member(event, Role.DIRECTOR)
    make_players(event, 4)
    set_timetable(event=event, days=[Day(name="1", starts_at=timezone.now())], by=None)
    assert set(states(event).values()) == {"ok"}
    page = client_of(event, Role.FLOOR).get(url(event, "checklist"), headers={"host": "localhost"})
    assert [check.key for check in page.context["checks"] if check.state == "missing"] == ["reach"]


def test_a_new_draft_lists_what_is_missing(db: None) -> None:
    event = make_event(status=EventStatus.DRAFT)
    found = states(event, "http://127.0.0.1:8000")
    assert found == {
        "dates": "warning", "rules": "ok", "staff": "warning", "room": "ok", "sign_up": "ok",
        "players": "missing", "reach": "missing", "status": "missing", "timetable": "warning",
    }  # fmt: skip


def test_after_the_event_only_its_status_is_left(db: None) -> None:
    event = set_event_status(event=make_event(), to=EventStatus.FINISHED, by=None)
    assert states(event, "http://127.0.0.1:8000") == {"status": "warning"}


@pytest.mark.parametrize(
    ("fields", "key", "state"),
    [
        ({"ends_on": -1, "starts_on": -2}, "dates", "missing"),
        ({"room_plan": "1-2", "capacity": 9}, "room", "warning"),
        ({"room_plan": "1-2", "capacity": 8}, "room", "ok"),
        ({"game_points": {"3": [3, 2, 1], "4": [4, 3, 2, 1]}}, "rules", "warning"),
    ],
)
def test_each_line_of_the_checklist(
    db: None, fields: dict[str, object], key: str, state: str
) -> None:
    for name in ("starts_on", "ends_on"):
        if name in fields:
            fields = fields | {name: timezone.localdate() + timedelta(days=fields[name])}
    assert check_of(make_event(venue="x", **fields), key).state == state


def test_who_fits_where(db: None) -> None:
    """126 people on 14 tables in six parts: five have chosen too many for the first part."""
    starts = timezone.now()
    parts = [
        Day(pk=number, name=f"1{letter}", starts_at=starts + timedelta(hours=number), places=places)
        for number, (letter, places) in enumerate(zip("ABCDEF", [60, 56, 8, 4, 4, 4], strict=True))
    ]
    fitted = fit(parts, 14, {0: 57, 1: 40, 2: 8, None: 21})
    assert [(row.chosen, row.more, row.is_over) for row in fitted] == [
        (57, 3, True),
        (40, 16, False),
        (8, 0, False),
        (0, 2, False),
        (0, 0, False),
        (0, 0, False),
    ]
    text = fit_text(fitted, 14, 126)
    assert text.startswith("126 people, 14 tables, 6 parts. 1A: 60 of 60 (4 wait for a free table)")
    assert "1B: 56 of 56; 1C: 8 of 8; 1D: 2 of 4; 1E: 0 of 4; 1F: 0 of 4." in text
    over = fit_text(fit(parts, 14, {None: 140}), 14, 140)
    assert over.endswith("There is no room for 4.")


def test_the_checklist_says_who_fits_where(db: None) -> None:
    event = make_event(venue="x", room_plan="1-2")
    make_players(event, 9)
    starts = timezone.now()
    days = [
        Day(name=name, starts_at=starts + timedelta(hours=2 * n)) for n, name in enumerate("AB")
    ]
    set_timetable(event=event, days=days, by=None)
    found = check_of(event, "room")
    assert found.state == "ok"
    assert "9 people, 2 tables, 2 parts. A: 8 of 8; B: 1 of 8." in found.text
    make_players(event, 8)
    assert check_of(event, "room").state == "warning"


def test_the_checklist_names_the_series(db: None) -> None:
    event = make_event()
    days = {"starts_on": event.starts_on, "ends_on": event.ends_on}

    def line() -> str:
        return check_of(event, "series").text

    assert "series" not in {check.key for check in checklist(event, OUTSIDE)}
    own = create_series(organiser=event.organiser, by=None, name="Klubbserien", **days)
    assert line().startswith("It counts in none. Of these days is Klubbserien;")
    add_event(series=own, event=event, by=None)
    assert line() == "It counts in Klubbserien."
    assert not check_of(event, "series").url
    Series.objects.filter(pk=own.pk).update(is_public=True)
    page = client_of(event, Role.DIRECTOR).get(f"{event.get_absolute_url()}desk/checklist/")
    assert own.get_absolute_url() in page.content.decode()
    theirs = create_series(organiser=make_organiser(), by=None, name="Touren", **days)
    SeriesEvent.objects.create(series=theirs, event=event)
    assert check_of(event, "series").state == "warning"
    assert line().startswith("Touren asks for this event;")


def test_rules_whose_meaning_changed(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(rules_digest="0" * 64)
    event.refresh_from_db()
    assert check_of(event, "rules").state == "missing"


def test_a_sign_up_that_closes_too_late(db: None) -> None:
    now = timezone.now()
    event = make_event(sign_up_opens_at=now, sign_up_closes_at=now + timedelta(days=30))
    assert check_of(event, "sign_up").state == "warning"


@pytest.mark.parametrize(
    ("public", "address", "state"),
    [
        ("", "http://localhost:8000", "missing"),
        ("", "http://[::1]:8000", "missing"),
        ("http://127.0.0.1", "http://192.168.1.5:8000", "missing"),
        # Without https a phone cannot reopen its page offline.
        ("", "http://192.168.1.5:8000", "warning"),
        ("", "https://hall.test:8443", "ok"),
        ("http://192.168.1.5:8000", "http://localhost:8000", "warning"),
        (OUTSIDE, "http://localhost:8000", "warning"),
        (OUTSIDE, OUTSIDE, "ok"),
    ],
)
def test_phones_must_be_able_to_reach_the_program(
    event: Event, settings: object, public: str, address: str, state: str
) -> None:
    settings.PUBLIC_URL = public
    check = check_of(event, "reach", address)
    assert check.state == state
    # It says what phones keep where they can open the page.
    assert ("iPhone" in check.text) == (state != "missing")
    plain = state != "missing" and not (public or address).startswith("https")
    assert ("TLS_CERTIFICATE" in check.text) == plain


@pytest.mark.parametrize("role", Role)
def test_the_checklist_links_only_to_permitted_pages(event: Event, role: Role) -> None:
    client = client_of(event, role)
    checks = client.get(url(event, "checklist")).context["checks"]
    paths = {check.url for check in checks if check.url}
    assert url(event, "desk") in paths
    assert [path for path in paths if client.get(path).status_code != 200] == []
    assert (url(event, "staff_invite") in paths) is (role == Role.OWNER)


def test_the_checklists_queries_do_not_grow(
    event: Event, director: Client, django_assert_max_num_queries: object
) -> None:
    make_players(event, 30)
    with django_assert_max_num_queries(10):
        director.get(url(event, "checklist"))
