"""Calendar files, read back by another program in a calendar's way."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from io import StringIO

import icalendar
import pytest
from dateutil import tz
from hypothesis import given
from hypothesis import strategies as st

from tournaments.calendars.texts import CANCEL, CANCELLED, Entry, calendar_file

CHANGED = datetime(2026, 8, 1, 10, tzinfo=UTC)


def entry(starts: datetime | date, **fields: object) -> Entry:
    plain = {"uid": "one", "revision": 3, "changed_at": CHANGED, "title": "SM 2026 · 1A"}
    return Entry(starts=starts, **plain | fields)  # type: ignore[arg-type]


def lines_of(content: bytes) -> list[str]:
    """Return the unfolded lines (RFC 5545 §3.1)."""
    return content.replace(b"\r\n ", b"").decode().split("\r\n")


def moment_in(content: bytes, field: str = "DTSTART") -> datetime:
    """Return a field's moment by the zone that the file itself describes."""
    lines = lines_of(content)
    found = next(line for line in lines[lines.index("BEGIN:VEVENT") :] if line.startswith(field))
    value = found.partition(":")[2]
    if value.endswith("Z"):
        return datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    zone = tz.tzical(StringIO("\n".join(lines))).get("Europe/Stockholm")
    return datetime.strptime(value, "%Y%m%dT%H%M%S").replace(tzinfo=zone).astimezone(UTC)


@pytest.mark.parametrize(
    ("moment", "written"),
    [
        (datetime(2026, 11, 14, 11, 0, tzinfo=UTC), ";TZID=Europe/Stockholm:20261114T120000"),
        (datetime(2026, 7, 4, 10, 0, tzinfo=UTC), ";TZID=Europe/Stockholm:20260704T120000"),
        # 29 March 2026 has no 02:30; what follows 01:59 is 03:00.
        (datetime(2026, 3, 29, 0, 59, tzinfo=UTC), ";TZID=Europe/Stockholm:20260329T015900"),
        (datetime(2026, 3, 29, 1, 30, tzinfo=UTC), ";TZID=Europe/Stockholm:20260329T033000"),
        # 25 October 2026 has 02:30 twice; local time is the first.
        (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), ";TZID=Europe/Stockholm:20261025T023000"),
        (datetime(2026, 10, 25, 1, 30, tzinfo=UTC), ":20261025T013000Z"),
        (datetime(2026, 10, 25, 2, 30, tzinfo=UTC), ";TZID=Europe/Stockholm:20261025T033000"),
    ],
)
def test_times_are_local_and_mean_the_same_moment(moment: datetime, written: str) -> None:
    content = calendar_file([entry(moment)])
    assert f"DTSTART{written}" in lines_of(content)
    assert moment_in(content) == moment


@given(st.integers(0, 60 * 365 * 24 * 60))
def test_any_minute_is_read_back_as_itself(minutes: int) -> None:
    moment = datetime(2001, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    assert moment_in(calendar_file([entry(moment)])) == moment


def test_each_change_of_the_clock_is_where_stockholm_has_it() -> None:
    content = calendar_file([entry(datetime(2026, 11, 14, 11, 0, tzinfo=UTC))])
    onsets = [line for line in lines_of(content) if line.startswith("DTSTART:")]
    assert onsets == [
        "DTSTART:20250101T010000",
        *("DTSTART:20250330T020000", "DTSTART:20251026T030000"),
        *("DTSTART:20260329T020000", "DTSTART:20261025T030000"),
        *("DTSTART:20270328T020000", "DTSTART:20271031T030000"),
    ]


def test_whole_days_end_the_day_after() -> None:
    lines = lines_of(calendar_file([entry(date(2026, 11, 14), ends=date(2026, 11, 15))]))
    assert "DTSTART;VALUE=DATE:20261114" in lines
    assert "DTEND;VALUE=DATE:20261116" in lines
    assert not any(line.startswith("BEGIN:VTIMEZONE") for line in lines)


def test_lines_are_folded_by_octets_and_texts_are_escaped() -> None:
    title = "Åäö; " * 30 + "a, b\nc\\d"
    content = calendar_file([entry(date(2026, 11, 14), title=title)])
    assert all(len(line) <= 75 for line in content.split(b"\r\n"))
    [event] = icalendar.Calendar.from_ical(content).walk("VEVENT")
    assert str(event["SUMMARY"]) == title


def test_what_is_sent_says_who_sends_it() -> None:
    content = calendar_file(
        [entry(date(2026, 11, 14), status=CANCELLED)],
        method=CANCEL,
        organiser=("Club, of Chicago", "carin@example.org"),
    )
    lines = lines_of(content)
    assert {"METHOD:CANCEL", "STATUS:CANCELLED", "SEQUENCE:3", "UID:one"} <= set(lines)
    assert 'ORGANIZER;CN="Club, of Chicago":mailto:carin@example.org' in lines
    assert "DTSTAMP:20260801T100000Z" in lines


def test_a_feed_has_a_name_and_is_equal_to_the_byte() -> None:
    entries = [entry(datetime(2026, 11, 14, 11, tzinfo=UTC) + timedelta(days=n)) for n in (0, 1)]
    content = calendar_file(entries, name="SM 2026")
    assert content == calendar_file(entries, name="SM 2026")
    assert {"NAME:SM 2026", "REFRESH-INTERVAL;VALUE=DURATION:PT1H"} <= set(lines_of(content))
