"""What a season costs: a series of many events, from nothing, after one more, and its pages.

    python -m benchmarks.season              20 events of 375 players, of 2,000 people
    python -m benchmarks.season 4 24 60      smaller

Bots play one event; the others are copies of it with other people, without the lines of their
sheets, which none of these pages reads. Processor time, in a process that does nothing else.
"""

import json
import sys
import tempfile
from pathlib import Path

from benchmarks import clients

FILL = """
import uuid
from datetime import date, timedelta
from django.db import transaction
from scoring.models import Sheet, Table
from tournaments.models import *
from tournaments.models import (
    Event, GameHands, GameResult, Heat, HeatEntry, HeatGame, HeatResult, Person, Registration, Stage
)
from tournaments.series.commands.series import add_event, create_series
base = Event.objects.get(slug="bench")
organiser = base.organiser
people = list(Person.objects.filter(organiser=organiser).order_by("pk"))
more = [
    Person(organiser=organiser, legal_name=f"Player Other {{n}}", search_text=f"player other {{n}}")
    for n in range({persons} - len(people))
]
people += Person.objects.bulk_create(more)

def copied(rows, **changes):
    # Return new rows by the keys of the old ones.
    old = list(rows)
    new = []
    for row in old:
        key = row.pk
        values = {{f.attname: getattr(row, f.attname) for f in row._meta.concrete_fields}}
        values = {{name: value for name, value in values.items() if name != "id"}}
        for name, change in changes.items():
            values[name] = change(row) if callable(change) else change[getattr(row, name)]
        new.append(type(row)(**values))
    made = type(old[0]).objects.bulk_create(new, 500) if old else []
    return {{row.pk: each.pk for row, each in zip(old, made)}}

for k in range(1, {events}):
    with transaction.atomic():
        day = base.starts_on - timedelta(days=7 * k)
        values = {{f.attname: getattr(base, f.attname) for f in base._meta.concrete_fields}}
        values = {{name: value for name, value in values.items() if name != "id"}}
        event = Event.objects.create(**values | {{
            "slug": f"bench-{{k}}", "name": f"Bench {{k}}", "starts_on": day, "ends_on": day,
        }})
        own = lambda row: event.pk
        stages = copied(base.stages.all(), event_id=own)
        numbers = iter(range(len(people)))
        registrations = copied(
            base.registrations.order_by("pk"), event_id=own,
            person_id=lambda row: people[(90 * k + next(numbers)) % len(people)].pk,
        )
        tables = copied(Table.objects.filter(heat__event=base), **{{
            name: (lambda row: uuid.uuid4())
            for name in ("public_id",) if name in {{f.attname for f in Table._meta.concrete_fields}}
        }})
        heats = copied(
            base.heats.all(), event_id=own, stage_id=stages, draw_id=lambda row: None,
            table_id=lambda row: tables.get(row.table_id),
        )
        entries = copied(
            HeatEntry.objects.filter(registration__event=base), registration_id=registrations,
            stage_id=stages, heat_id=lambda row: heats.get(row.heat_id),
            replaces_id=lambda row: None,
        )
        sheets = copied(
            Sheet.objects.filter(table__heat__event=base), table_id=tables,
            public_id=lambda row: uuid.uuid4(),
        )
        games = copied(HeatGame.objects.filter(heat__event=base), heat_id=heats, sheet_id=sheets)
        copied(GameResult.objects.filter(game__heat__event=base), game_id=games, entry_id=entries)
        copied(GameHands.objects.filter(game__heat__event=base), game_id=games)
        copied(
            HeatResult.objects.filter(heat__event=base), heat_id=heats, entry_id=entries,
            ahead_of_id=lambda row: registrations.get(row.ahead_of_id),
        )
series = create_series(
    organiser=organiser, name="Bench", by=None, is_public=True, best_of=8,
    starts_on=date(2020, 1, 1), ends_on=date(2030, 1, 1),
)
for event in Event.objects.filter(slug__startswith="bench"):
    add_event(series=series, event=event, by=None)
Career.objects.create(person=people[100 % len(people)])
"""

MEASURE = """
import json, time
from statistics import median
from django.db import connection
from django.db.models import Sum
from django.test import Client
from django.test.utils import CaptureQueriesContext
from config.memory import tune_garbage_collection
from config.tasks import KINDS
from tournaments.models import Career, Event, GameHands, Person, Series
from tournaments.series.queries import standing
tune_garbage_collection()
by_name = {kind.name: kind for kind in KINDS}

def work():
    found = {}
    for name in ("season", "rating"):
        began = time.process_time()
        by_name[name].work(type("Job", (), {"each": lambda self, parts: iter(parts)})())
        found[name] = round(time.process_time() - began, 2)
    return found

nothing = work()
event = Event.objects.filter(slug__startswith="bench").order_by("ends_on").last()
event.save()
changed = work()
career = Career.objects.select_related("person__organiser").get()
series = Series.objects.get().slug
organiser = f"organisers/{career.person.organiser.slug}"
pages = [
    "rules/open/", f"series/{series}/", f"series/{series}/?q=player", f"series/{series}/?after=12",
    f"series/{series}/standing.csv", f"series/{series}/series.json", f"series/{series}/statistics/",
    f"{organiser}/statistics/", f"{organiser}/ratings/",
    f"{organiser}/players/{career.person.public_id}/",
]

reader = Client(SERVER_NAME="127.0.0.1")

def asked(page):
    # A reader without an account.
    with CaptureQueriesContext(connection) as found:
        began = time.process_time()
        answer = reader.get("/" + page)
        taken = 1000 * (time.process_time() - began)
    assert answer.status_code == 200, (page, answer.status_code)
    return taken, len(found)

rows = {page.replace(str(career.person.public_id), "…"): ([], [], set()) for page in pages}
for _round in range(7):
    # Somebody has just written, and the worker has taken it in.
    event.save()
    work()
    # Which is another process, and keeps nothing for the pages.
    standing._ranked.cache_clear()
    standing._read.pop(event.pk)
    for page, (first, again, statements) in zip(pages, rows.values()):
        taken, count = asked(page)
        first.append(taken)
        statements.add(count)
        again.append(asked(page)[0])
# Not the first time: the process has just begun.
rows = {
    page: [round(median(first[1:]), 1), round(median(again[1:]), 2), max(statements)]
    for page, (first, again, statements) in rows.items()
}
print(json.dumps({
    "events": Event.objects.count(),
    "people": Person.objects.count(),
    "deals": GameHands.objects.aggregate(sum=Sum("deals"))["sum"],
    "from nothing": nothing,
    "after one event": changed,
    "pages": rows,
}))
"""


def main(events: str = "20", players: str = "375", persons: str = "2000") -> None:
    """Print seconds of the worker, and milliseconds of each page, first and again.

    First: something has been written since the last reader, whose statements are counted.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clients.HERE.rehearse(folder, int(players))
        clients.HERE.manage(folder, "collectstatic", "--no-input", "-v0")
        fill = FILL.format(events=int(events), persons=int(persons))
        clients.HERE.manage(folder, "shell", "-v0", "-c", fill)
        output = clients.HERE.manage(folder, "shell", "-v0", "-c", MEASURE)
    found = json.loads(output.splitlines()[-1])
    for word in ("events", "people", "deals", "from nothing", "after one event"):
        print(f"{word}: {found[word]}")
    print("| page | first, ms | again, ms | statements |")
    print("|---|---|---|---|")
    for page, (first, again, asked) in found["pages"].items():
        print(f"| /{page} | {first} | {again} | {asked} |")
    clients.keep("season", found)


if __name__ == "__main__":
    main(*sys.argv[1:])
