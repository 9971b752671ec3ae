#!/usr/bin/env bash
# What icalendar writes where the clock changes.
#
# Guess:    Calendar.add_missing_timezones() makes a VTIMEZONE from which any reader gets the zone's times,
#           and a time with a zone is read back as the moment that it was.
# Behaviour: summer time begins an hour late in the VTIMEZONE: its DTSTART and RDATEs are the wall time after
#           the change (03:00) beside TZOFFSETFROM:+0100, but RFC 5545 (3.6.5) wants the wall time of
#           before (02:00). A reader that follows the file shows the hour from 01:00 UTC wrongly. And of the
#           hour that comes twice in October, the second one is written as the first: fold is dropped, and the
#           entry moves an hour without a warning.
# What to do: write the zone's changes yourself, in the time that held until then, and write the second of two
#           equal hours in UTC (local time means the first: RFC 5545, 3.3.5).
# Version:  icalendar 7.3.2, dateutil 2.9.0.post0; icalendar/cal/timezone.py.
# Seen:     the lines at the end of this script.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check \
    icalendar==7.3.2 python-dateutil==2.9.0.post0 tzdata==2026.6
cat > "$work/try.py" <<'PY'
import io
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import icalendar
from dateutil import tz

ZONE = ZoneInfo("Europe/Stockholm")


def written(moment):
    """Return a calendar with one entry at a moment, as text."""
    calendar, event = icalendar.Calendar(), icalendar.Event()
    event.add("uid", "one")
    event.add("dtstart", moment)
    calendar.add_component(event)
    calendar.add_missing_timezones()
    return calendar.to_ical().decode().replace("\r\n ", "").replace("\r\n", "\n")


text = written(datetime(2026, 7, 1, 12, tzinfo=ZONE))
summer = text.partition("BEGIN:DAYLIGHT")[2]
onset = next(each for each in summer.replace("\n", ",").split(",") if each.startswith("20260329"))
print("summer time of 2026 begins at", onset, summer.partition("TZOFFSETFROM")[2][:6])
moment = datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
print("really", moment.astimezone(ZONE).strftime("%H:%M %z"), end=", ")
read = tz.tzical(io.StringIO(text)).get("Europe/Stockholm")
print("by the file", moment.astimezone(read).strftime("%H:%M %z"))

second = datetime(2026, 10, 25, 2, 30, tzinfo=ZONE, fold=1)
[event] = icalendar.Calendar.from_ical(written(second)).walk("VEVENT")
print("given", second.astimezone(UTC).strftime("%H:%M UTC"), end=", ")
print("read back", event["dtstart"].dt.astimezone(UTC).strftime("%H:%M UTC"))
PY
"$work/venv/bin/python" "$work/try.py" | tee "$work/seen"
diff "$work/seen" - <<'SEEN'
summer time of 2026 begins at 20260329T030000 :+0100
really 03:30 +0200, by the file 02:30 +0100
given 01:30 UTC, read back 00:30 UTC
SEEN
