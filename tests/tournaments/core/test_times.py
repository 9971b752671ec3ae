"""Times in the nights in which clocks are changed: 25 October and 29 March 2026 in Stockholm."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.http import QueryDict
from django.utils import timezone

from tests.tournaments.factories import make_event, make_heats
from tournaments.core.clock import clock_of
from tournaments.core.forms import MomentField, TimesForm
from tournaments.core.times import moments_of
from tournaments.events.forms.timetable import timetable_forms
from tournaments.models import Day

TWICE = "2026-10-25T02:30"
NEVER = "2026-03-29T02:30"
FIRST = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
SECOND = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


def form(**sent: str) -> TimesForm:
    data = QueryDict(mutable=True)
    data.update(sent)
    return TimesForm(data)


def test_how_often_clocks_show_a_time() -> None:
    assert [len(moments_of(datetime.fromisoformat(each))) for each in (TWICE, NEVER)] == [2, 0]
    assert moments_of(datetime(2026, 10, 25, 3, 0)) == [datetime(2026, 10, 25, 2, tzinfo=UTC)]


def test_a_time_that_does_not_exist_is_explained() -> None:
    refused = form(starts_at=NEVER)
    assert refused.errors["starts_at"].as_data()[0].code == "no_such_time"
    (text,) = refused.errors["starts_at"]
    assert "There is no 02:30 on 29 March 2026" in text
    assert "What would be 02:30 is 03:30" in text
    # What was typed is still there.
    assert f'value="{NEVER}"' in str(refused["starts_at"])


def test_of_a_time_that_comes_twice_one_is_chosen() -> None:
    asked = form(starts_at=TWICE)
    assert asked.errors["starts_at"].as_data()[0].code == "comes_twice"
    assert 'name="starts_at_which"' in str(asked["starts_at"])
    for which, moment in (("0", FIRST), ("1", SECOND)):
        chosen = form(starts_at=TWICE, starts_at_which=which)
        assert chosen.is_valid()
        assert chosen.cleaned_data["starts_at"].astimezone(UTC) == moment
        assert f'<option value="{which}" selected>' in str(chosen["starts_at"])


def test_play_may_end_at_an_earlier_time_of_day() -> None:
    ends = {"ends_at": "2026-10-25T02:10"}
    starts = {"starts_at": TWICE, "starts_at_which": "0"}
    assert form(**starts, **ends, ends_at_which="1").is_valid()
    assert "ends_at" in form(**starts, **ends, ends_at_which="0").errors


def test_other_times_ask_nothing() -> None:
    usual = form(starts_at="2026-10-25T12:00")
    assert usual.is_valid()
    assert "_which" not in str(usual["starts_at"])
    assert MomentField().clean("2026-10-25T12:00") == datetime(2026, 10, 25, 11, tzinfo=UTC)
    assert form(starts_at="soon").errors["starts_at"].as_data()[0].code == "invalid"


def test_the_stored_one_of_the_two_is_shown_again(db: None) -> None:
    event = make_event()
    Day.objects.create(event=event, name="Night", starts_at=SECOND)
    row = str(timetable_forms(event).forms[0]["starts_at"])
    assert f'value="{TWICE}"' in row
    assert '<option value="1" selected>' in row


def test_a_clock_runs_over_the_hour(db: None) -> None:
    """Sixty minutes from the first 02:40 end when the clocks show 02:40 again."""
    heat = make_heats(make_event(minutes_per_heat=60), 4).heats[0]
    heat.clock_started_at = FIRST + timedelta(minutes=10)
    clock = clock_of(heat, heat.event)
    assert clock is not None
    assert clock.ends_at == datetime(2026, 10, 25, 1, 40, tzinfo=UTC)
    assert clock.ends_at is not None
    shown = [timezone.localtime(each) for each in (heat.clock_started_at, clock.ends_at)]
    assert [f"{each:%H:%M}" for each in shown] == ["02:40", "02:40"]


@pytest.mark.parametrize("month", [3, 10])
def test_a_clock_is_as_long_in_any_night(db: None, month: int) -> None:
    day = {3: 29, 10: 25}[month]
    heat = make_heats(make_event(minutes_per_heat=90), 4).heats[0]
    started = timezone.make_aware(datetime(2026, month, day, 1, 30)).astimezone(UTC)
    heat.clock_started_at = started
    clock = clock_of(heat, heat.event)
    assert clock is not None
    assert clock.ends_at is not None
    assert clock.ends_at - started == timedelta(minutes=90)
