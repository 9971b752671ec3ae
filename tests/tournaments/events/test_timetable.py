"""The timetable, and the event's first page, which follows it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from scoring.writing import call_td
from tests.tournaments.factories import finished_heat, make_event, make_heats, make_players
from tests.tournaments.playoffs.factories import finished_event, played_round, qualified_event
from tests.tournaments.registration.test_views_desk import text_of, url
from tournaments.core.days import day_of, next_day
from tournaments.documents import event_document
from tournaments.documents.reading import import_event
from tournaments.events.commands.events import set_timetable
from tournaments.events.forms.timetable import EXTRA_ROWS
from tournaments.heats.commands import set_auditor
from tournaments.models import Day, Event, LogEntry
from tournaments.models.enums import SessionKind
from tournaments.results.queries.phase import phase_of

pytestmark = pytest.mark.django_db


def rows(*days: tuple[str, str, str, str]) -> dict[str, str]:
    """Return the form data of these rows."""
    data = {"day-TOTAL_FORMS": str(len(days)), "day-INITIAL_FORMS": "0"}
    for index, day in enumerate(days):
        for name, value in zip(("name", "doors_at", "starts_at", "ends_at"), day, strict=True):
            data[f"day-{index}-{name}"] = value
    return data


ONE_A = ("1A", "2030-05-04T11:00", "2030-05-04T12:00", "2030-05-04T18:00")


def test_days_are_saved_changed_and_removed(event: Event, director: Client) -> None:
    page = url(event, "timetable")
    assert director.get(page).status_code == 200
    said = {"day-0-session_kind": "heats", "day-1-session_kind": "semi"}
    director.post(page, rows(ONE_A, ("2", "", "2030-05-05T12:00", ""), ("", "", "", "")) | said)
    assert [day.title for day in event.timetable.all()] == [
        f"1A · {SessionKind.HEATS.label}",
        f"2 · {SessionKind.SEMI_FINALS.label}",
    ]
    director.post(page, rows(ONE_A, ("", "", "2030-05-05T12:00", "")))
    assert [day.name for day in event.timetable.all()] == ["1A"]
    assert LogEntry.objects.filter(event=event, action="timetable").count() == 2


def test_empty_rows_begin_when_the_row_before_does(event: Event, director: Client) -> None:
    page = url(event, "timetable")
    noon = f'value="{event.starts_on}T12:00"'
    assert text_of(director.get(page)).count(noon) == EXTRA_ROWS
    director.post(page, rows(ONE_A, ("2", "", "2030-05-05T13:30", "")))
    again = text_of(director.get(page))
    assert again.count('value="2030-05-05T13:30"') == 1 + EXTRA_ROWS
    # A row without a name is none, whatever its time says.
    director.post(page, rows(ONE_A, ("", "", "2030-05-05T13:30", "")))
    assert event.timetable.count() == 1


@pytest.mark.parametrize(
    "day",
    [
        ("1A", "", "", ""),
        ("1A", "2030-05-04T13:00", "2030-05-04T12:00", ""),
        ("1A", "", "2030-05-04T12:00", "2030-05-04T12:00"),
        ("1A", "", "nonsense", ""),
        ("x" * 21, "", "2030-05-04T12:00", ""),
    ],
)
def test_a_bad_day_keeps_what_was_typed(
    event: Event, director: Client, day: tuple[str, str, str, str]
) -> None:
    answer = director.post(url(event, "timetable"), rows(day))
    assert answer.status_code == 422
    assert f'value="{day[0]}"' in text_of(answer)
    assert not event.timetable.exists()


def test_a_name_is_used_once(event: Event, director: Client) -> None:
    assert director.post(url(event, "timetable"), rows(ONE_A, ONE_A)).status_code == 422
    assert director.post(url(event, "timetable"), {"nothing": "1"}).status_code == 422


def day(name: str, hours: float, doors: float | None = None) -> Day:
    now = timezone.now()
    return Day(
        name=name,
        starts_at=now + timedelta(hours=hours),
        doors_at=None if doors is None else now + timedelta(hours=doors),
    )


@pytest.mark.parametrize(
    ("day_and_time", "name"),
    [
        ((3, 23), None),
        ((4, 9), "1A"),
        ((4, 12), "1A"),
        ((4, 16), "1A"),
        ((4, 17), "1B"),
        ((5, 1), "1B"),
        # The timetable does not go on.
        ((5, 12), None),
        ((6, 11), "2"),
        ((7, 3), "2"),
        ((9, 12), None),
    ],
)
def test_a_time_belongs_to_the_day_whose_doors_opened_last(
    day_and_time: tuple[int, int], name: str | None
) -> None:
    def at(day: int, hour: int) -> datetime:
        return timezone.make_aware(datetime(2030, 5, day, hour))

    days = [
        Day(name="2", starts_at=at(6, 12)),
        Day(name="1A", doors_at=at(4, 10), starts_at=at(4, 11), ends_at=at(4, 16)),
        Day(name="1B", doors_at=at(4, 17), starts_at=at(4, 18), ends_at=at(5, 0)),
    ]
    found = day_of(days, at(*day_and_time))
    assert (found and found.name) == name


def test_the_next_day_is_the_one_to_come() -> None:
    assert next_day([day("1A", -50), day("2", 40)]).name == "2"


def test_of_two_parts_of_a_date_the_one_whose_doors_have_opened_is_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noon = timezone.make_aware(datetime(2030, 5, 4, 12))
    parts = [
        Day(
            name=name,
            starts_at=noon + timedelta(hours=begins),
            ends_at=noon + timedelta(hours=ends),
        )
        for name, begins, ends in (("1A", -2, 2), ("1B", 4, 8))
    ]
    for hours, name in ((0, "1A"), (3, "1A"), (5, "1B"), (9, "1B")):
        now = noon + timedelta(hours=hours)
        monkeypatch.setattr(timezone, "now", lambda now=now: now)
        coming = next_day(parts)
        assert coming is not None
        assert coming.name == name


def test_the_document_keeps_the_timetable(event: Event) -> None:
    planned = day("1A", 5, doors=4)
    planned.session_kind = "heats"
    set_timetable(event=event, days=[planned], by=None)
    again = import_event(event_document(event), slug="again")
    columns = ("name", "session_kind", "doors_at", "starts_at")
    assert list(again.timetable.values_list(*columns)) == list(
        event.timetable.values_list(*columns)
    )


# --- the first page ---------------------------------------------------------------------------


def first_page(event: Event) -> str:
    return text_of(Client().get(url(event, "event_now")))


def test_before_the_doors_open_times_and_players(event: Event) -> None:
    set_timetable(event=event, days=[day("1A", 5)], by=None)
    make_players(event, 3, here=False)
    page = first_page(event)
    assert phase_of(event).is_before
    assert "1A" in page
    assert 'data-registered="3"' in page
    for part in ("playing", "qualified", "latest"):
        assert f'id="{part}"' not in page, part


def test_day_1_shows_tables_then_qualified_players(event: Event) -> None:
    make_heats(event, 4)
    assert 'id="playing"' in first_page(event)
    assert 'id="qualified"' not in first_page(event)
    finished_heat(event, 3)
    assert 'id="qualified"' in first_page(event)


def test_day_2_starts_with_its_round() -> None:
    event = qualified_event(6)
    played_round(event, finish=False)
    page = first_page(event)
    assert page.index("Semi-finals") < page.index('id="playing"')
    assert 'id="qualified"' not in page
    assert phase_of(event).tables == 2


def test_the_end_shows_the_champion() -> None:
    event = finished_event(6)
    phase = phase_of(event)
    page = first_page(event)
    assert phase.winners[0] in page
    assert 'id="playing"' not in page


def test_the_desk_starts_with_what_needs_attention_and_knows_day_2(
    event: Event, director: Client
) -> None:
    heat = make_heats(event, 4).heats[0]
    set_auditor(heat=heat, registration=heat.entries.all()[0].registration, by=None)
    assert "needs-head" not in text_of(director.get(url(event, "desk_now")))
    call_td(table_id=heat.table_id or 0, reason="")
    page = text_of(director.get(url(event, "desk_now")))
    assert page.index("needs-head") < page.index('class="strip"')


def test_a_heats_page_names_its_day(event: Event) -> None:
    set_timetable(event=event, days=[day("1A", -1)], by=None)
    heat = make_heats(event, 4).heats[0]
    assert "1A ·" in text_of(Client().get(url(event, "heat", number=heat.number)))
    assert make_event().timetable.count() == 0
