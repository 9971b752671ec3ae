"""What pages cost when the database holds ten times as much.

    python -m benchmarks.growth              events of 60 and 600 players
    python -m benchmarks.growth 24 240       smaller

Bots play both events to the end. The larger installation also holds 200 other events and 20,000
other persons, the smaller one a tenth of that. The program renders every page several times in a
process that does nothing else, set up as one that serves: processor time and SQL statements, no
network.
"""

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import clients

PAGES = (
    "",
    "e/bench/",
    "e/bench/standings/",
    "e/bench/standings/heats/",
    "e/bench/qualified/",
    "e/bench/play-offs/",
    "e/bench/result/",
    "e/bench/hands/",
    "e/bench/heats/1/",
    "e/bench/desk/",
    "e/bench/desk/players/",
    "e/bench/desk/players/1/",
    "e/bench/desk/check-in/",
    "e/bench/desk/floor/",
    "e/bench/desk/cash/",
    "e/bench/desk/log/",
    "organisers/",
)
TIMES = 5
#: The two installations are measured in turns, so many times, as a machine is not always as fast.
TURNS = 3
#: Events and persons beside the measured event, in the smaller installation.
OTHERS = (20, 2_000)

FILL = """
from django.contrib.auth.models import User
from tournaments.models import Event, OrganiserMember, Person
organiser = Event.objects.get(slug="bench").organiser
for n in range({events}):
    names = {{"name": f"Other {{n}}", "slug": f"other-{{n}}"}}
    Event.objects.create(organiser=organiser, status="finished", **names)
people = [
    Person(organiser=organiser, legal_name=f"Player Other {{n}}", search_text=f"player other {{n}}")
    for n in range({persons})
]
Person.objects.bulk_create(people)
user = User.objects.create_superuser("bench", "bench@example.org", "x")
OrganiserMember.objects.create(organiser=organiser, user=user, is_owner=True)
"""

MEASURE = """
import gc, json, time
from statistics import median
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from scoring.models import SheetEntry
from tournaments.models import Event
event = Event.objects.get(slug="bench")
director = Client(SERVER_NAME="127.0.0.1")
director.force_login(User.objects.get(username="bench"))
reader = Client(SERVER_NAME="127.0.0.1")
# A cookie that could mean something: the page is made, not taken from the cache.
reader.cookies["sessionid"] = "x"
# As processes that serve do.
gc.freeze()
gc.set_threshold(5_000, 2, 2)
rows = {{}}
for page in {pages}:
    client = director if "desk" in page or "organisers" in page else reader
    taken = []
    for _time in range({times} + 1):
        with CaptureQueriesContext(connection) as asked:
            began = time.process_time()
            answer = client.get("/" + page)
            taken.append(time.process_time() - began)
    assert answer.status_code == 200, (page, answer.status_code)
    rows[page] = [round(1000 * median(taken[1:]), 1), len(asked), len(answer.content)]
print(json.dumps({{
    "players": event.registrations.count(),
    "heats": event.heats.count(),
    "entries": SheetEntry.objects.count(),
    "pages": rows,
}}))
"""


def main(few: str = "60", many: str = "600") -> None:
    """Print each page's milliseconds and statements, small and large, as in the README."""
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name, each) for each in ("small", "large")]
        fill(folders[0], int(few), *OTHERS)
        fill(folders[1], int(many), *(10 * each for each in OTHERS))
        turns = [[measure(clients.HERE, folder) for folder in folders] for _turn in range(TURNS)]
    small, large = (least(each) for each in zip(*turns, strict=True))
    for word in ("players", "heats", "entries"):
        print(f"{word}: {small[word]} and {large[word]}")
    print("| page | ms | ms, tenfold | × | statements | tenfold | bytes | tenfold |")
    print("|---|---|---|---|---|---|---|---|")
    for page, (ms, asked, size) in small["pages"].items():
        more, asked_more, larger = large["pages"][page]
        times = round(more / ms, 1)
        print(f"| /{page} | {ms} | {more} | {times} | {asked} | {asked_more} | {size} | {larger} |")
    clients.keep("growth", {"small": small, "large": large})


def fill(folder: Path, players: int, events: int, persons: int) -> None:
    """Play an event, and add others."""
    folder.mkdir()
    clients.HERE.rehearse(folder, players)
    clients.HERE.manage(folder, "collectstatic", "--no-input", "-v0")
    add(clients.HERE, folder, events, persons)


def add(program: clients.Program, folder: Path, events: int, persons: int) -> None:
    """Add other events and persons, and the account that sees the desk."""
    script = FILL.format(events=events, persons=persons)
    program.manage(folder, "shell", "-v0", "-c", script)


def measure(program: clients.Program, folder: Path) -> dict[str, Any]:
    """Request all pages in one process; return each one's milliseconds, statements and bytes."""
    script = MEASURE.format(pages=PAGES, times=TIMES)
    output = program.manage(folder, "shell", "-v0", "-c", script)
    found: dict[str, Any] = json.loads(output.splitlines()[-1])
    return found


def least(turns: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return what the turns found, each page with its least time."""
    pages = {page: min(turn["pages"][page] for turn in turns) for page in PAGES}
    return turns[0] | {"pages": pages}


if __name__ == "__main__":
    main(*sys.argv[1:])
