"""A heat's own doors, start and end: set on a draft or at the heat, and where they are shown."""

from __future__ import annotations

from datetime import datetime, timedelta
from io import BytesIO

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from tests.tournaments.factories import finished_heat, make_heats, make_players
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_desk import HTMX, text_of, url
from tournaments.core.days import times_of
from tournaments.core.times import TIMES, set_times
from tournaments.documents import event_document
from tournaments.documents.reading import BadDocument, import_event
from tournaments.draws.commands.drafts import (
    draft_heats,
    draw_again,
    publish,
    set_draft_times,
)
from tournaments.floor.commands.floor import set_heat_times
from tournaments.models import Draw, Event, Heat, LogEntry
from tournaments.prints.drawing import PRINTS
from tournaments.prints.drawing._lists import Order
from tournaments.registration.queries.player_links import token_of

pytestmark = pytest.mark.django_db

TYPED = ("2030-05-04T11:30", "2030-05-04T12:00", "2030-05-04T14:15")
SHOWN = "Saturday 4 May, doors 11:30, start 12:00, until 14:15"


def sent(doors: str = TYPED[0], start: str = TYPED[1], end: str = TYPED[2]) -> dict[str, str]:
    return dict(zip((f"times-{name}" for name in TIMES), (doors, start, end), strict=True))


def planned(hour: int = 12) -> dict[str, datetime]:
    """Return times: doors half an hour before this, then two hours of play."""
    start = timezone.make_aware(datetime(2030, 5, 4, hour))
    return dict(
        zip(TIMES, (start - timedelta(minutes=30), start, start + timedelta(hours=2)), strict=True)
    )


def a_draft(event: Event) -> Draw:
    make_players(event, 8)
    return draft_heats(event=event, by=None)


def a_print(event: Event, kind: str) -> str:
    return PdfReader(BytesIO(PRINTS[kind].pdf(Order(event)))).pages[0].extract_text()


def test_heats_take_over_the_times_of_their_draft(event: Event, director: Client) -> None:
    draw = a_draft(event)
    page = url(event, "draft", number=draw.number)
    assert "data-times" not in text_of(director.get(page))
    director.post(url(event, "draft_times", number=draw.number), sent() | {"version": 0})
    assert SHOWN in text_of(director.get(page))
    draw.refresh_from_db()
    publish(draw=draw, by=None)
    assert [times_of(heat) for heat in event.heats.all()] == [SHOWN, SHOWN]
    row = LogEntry.objects.get(action="heat_times")
    assert row.after["starts_at"].startswith("2030-05-04")


def test_a_repeated_draw_keeps_its_times(event: Event) -> None:
    draw = set_draft_times(draw=a_draft(event), planned=planned(), by=None)
    assert times_of(draw_again(draw=draw, by=None)) == times_of(draw) != ""


def test_times_for_a_draft_that_has_changed_are_refused_but_stay_in_the_form(
    event: Event, director: Client
) -> None:
    draw = set_draft_times(draw=a_draft(event), planned=planned(9), by=None)
    path = url(event, "draft_times", number=draw.number)
    answer = director.post(path, sent() | {"version": 0}, headers=HTMX)
    assert answer.status_code == 409
    assert codes_in(answer) == {"draft_changed"}
    assert TYPED[1] in text_of(answer)
    assert 'name="version" value="1"' in text_of(answer)


@pytest.mark.parametrize(
    "typed",
    [
        sent(start=""),
        sent(doors="", start=""),
        sent(doors="2030-05-04T12:01"),
        sent(end="2030-05-04T12:00"),
        sent(end="x"),
    ],
)
def test_invalid_times_are_refused_but_stay_in_the_form(
    event: Event, director: Client, typed: dict[str, str]
) -> None:
    heat = make_heats(event, 4).heats[0]
    draw = a_draft(event)
    for name, row in (("draft_times", draw), ("heat_times", heat)):
        path = url(event, name, number=row.number)
        answer = director.post(path, typed | {"version": 0}, headers=HTMX)
        assert answer.status_code == 422, name
        assert all(value in text_of(answer) for value in typed.values())
        row.refresh_from_db()
        assert row.starts_at is None


def test_the_database_refuses_times_in_the_wrong_order(event: Event) -> None:
    heat = make_heats(event, 4).heats[0]
    wrong = planned() | {"ends_at": planned()["doors_at"]}
    with pytest.raises(ValidationError):
        set_times(heat, wrong)
    with pytest.raises(IntegrityError), transaction.atomic():
        Heat.objects.update(**wrong)


def test_a_heats_own_times_are_shown_where_its_players_look(event: Event, director: Client) -> None:
    heat = make_heats(event, 4).heats[0]
    player = heat.entries.order_by("pk")[0].registration
    pages = {
        "heat": url(event, "heat", number=heat.number),
        "desk": url(event, "heat_desk", number=heat.number),
        "floor": url(event, "floor"),
        "event": url(event, "event"),
        "player": reverse("tournaments:player_page", args=[token_of(player)]),
    }
    for name, path in pages.items():
        assert "doors 11:30" not in text_of(director.get(path)), name
    director.post(url(event, "heat_times", number=heat.number), sent())
    for name, path in pages.items():
        assert SHOWN in text_of(director.get(path)), name
    # Without times nothing is shown.
    director.post(url(event, "heat_times", number=heat.number), sent("", "", ""))
    assert "doors 11:30" not in text_of(director.get(pages["heat"]))
    assert LogEntry.objects.filter(action="heat_times").count() == 2


def test_times_of_today_have_a_date_on_paper_only(event: Event) -> None:
    now = timezone.localtime().replace(hour=12, minute=0)
    heat = Heat(starts_at=now)
    assert times_of(heat, dated=False) == "start 12:00"
    assert times_of(heat).endswith(", start 12:00")
    heat.starts_at = now + timedelta(days=1)
    assert times_of(heat, dated=False) == times_of(heat)


def test_times_of_a_closed_heat_are_refused(event: Event, director: Client) -> None:
    heat = finished_heat(event, 4)
    answer = director.post(url(event, "heat_times", number=heat.number), sent(), headers=HTMX)
    assert answer.status_code == 409
    heat.refresh_from_db()
    assert heat.starts_at is None


def test_seat_lists_show_the_times(event: Event) -> None:
    one, other = make_heats(event, 8).heats
    for kind in ("seats_by_name", "seats_by_table"):
        assert "12:00" not in a_print(event, kind)
    for heat in (one, other):
        set_heat_times(heat=heat, planned=planned(), by=None)
    for kind in ("seats_by_name", "seats_by_table"):
        assert a_print(event, kind).count("doors 11:30, start 12:00") == 1
    set_heat_times(heat=other, planned=planned(15), by=None)
    for kind, times in (("seats_by_table", 1), ("seats_by_name", 4)):
        assert a_print(event, kind).count("14:30 Sat 15:00 17:00") == times


def test_the_check_in_list_shows_when_a_seated_player_starts(event: Event) -> None:
    heat = make_heats(event, 4).heats[0]
    make_players(event, 1)
    assert "12:00" not in a_print(event, "check_in")
    set_heat_times(heat=heat, planned=planned(), by=None)
    assert a_print(event, "check_in").count("Sat 12:00") == 4


def test_a_document_keeps_the_times_and_has_no_fields_without_them(event: Event) -> None:
    draw = set_draft_times(draw=a_draft(event), planned=planned(), by=None)
    publish(draw=draw, by=None)
    set_heat_times(heat=event.heats.get(number=2), planned={}, by=None)
    document = event_document(event)
    timed, plain = document["stages"][0]["heats"]
    assert set(TIMES) <= timed.keys()
    assert not set(TIMES) & plain.keys()
    again = import_event(document, slug="again")
    assert [times_of(heat) for heat in again.heats.all()] == [times_of(draw), ""]
    assert event_document(again) == document | {"slug": "again"}


def test_a_document_with_times_in_the_wrong_order_is_refused(event: Event) -> None:
    make_heats(event, 4)
    document = event_document(event)
    early = {"starts_at": "2030-05-04T12:00:00+00:00", "ends_at": "2030-05-04T11:00:00+00:00"}
    document["stages"][0]["heats"][0] |= early
    with pytest.raises(BadDocument):
        import_event(document, slug="again")


def test_a_document_with_a_time_of_no_zone_is_refused(event: Event) -> None:
    make_heats(event, 4)
    document = event_document(event)
    document["stages"][0]["heats"][0]["starts_at"] = "2030-05-04T12:00:00"
    with pytest.raises(BadDocument, match="starts_at has no offset"):
        import_event(document, slug="again")
    document["stages"][0]["heats"][0]["starts_at"] += "+02:00"
    document["settings"]["sign_up_opens_at"] = "2030-05-01T12:00:00"
    with pytest.raises(BadDocument, match="sign_up_opens_at has no offset"):
        import_event(document, slug="again")
