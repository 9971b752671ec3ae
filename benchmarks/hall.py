"""A hall full of phones: tables that score and people who watch, against a freshly started server.

    python -m benchmarks.hall                       200 tables, 2 watchers each, 60 seconds
    python -m benchmarks.hall 20 2 15               fewer
    python -m benchmarks.hall 200 2 60 1            the server on a core of its own, as on a small
                                                    old laptop, all clients on another (Linux)

First single tables play a game, one entry after the other, in turn with the smallest answer. Then
each table sends an entry every ten seconds, evenly spread, with the result its page has counted.
Its watchers keep the stream open and fetch the table when it changes, as the page's script does.
Then they score as long again beside screens, open pages and phones that are told
(:mod:`benchmarks.audience`), and 120 people are drawn.
Then the same number of watchers, but at least 1,000, keep the stream of a heat's public page open
while single entries are made. Tables and watchers are separate processes on the same machine.
With DATABASE_URL (an empty database) and REDIS_URL, the same on PostgreSQL and Redis.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import clients
from benchmarks.audience import PAGES, SCREENS, SUBSCRIPTIONS, audience, audience_script
from benchmarks.phone import Phone, Sheet, events, stream_of, version_of

PERIOD = 10.0
MAX_CROWD = 1000
SINGLE = 12
#: Tables that score in an idle hall, one after the other, and their entries that are plain.
LONELY, ALONE = 3, 60
#: What clients print when all their pages are open, and how many open at the same moment.
READY, OPENING = "ready\n", 4
#: Tells the tables to start scoring.
GO = "go\n"
#: Each table starts with this many entries: two deals, as the first deal has extra questions.
PLAYED = 8

HALL = """
import json, sys
from scoring import writing as scoring
from scoring.reading.links import show_token
from scoring.models import Link
from scoring.writing import create_link
from tournaments.draws.commands.drafts import draw_heats
from tournaments.events.commands.events import create_event, set_event_status
from tournaments.heats.commands import make_link
from tournaments.models import Event
from tournaments.registration.commands.check_in import check_in
from tournaments.registration.commands.people import register_person
event = create_event(name="Hall", slug="{slug}", by=None, status="open")
for number in range(4 * {tables}):
    player = register_person(event=event, by=None, legal_name=f"Player Number {{number}}")
    check_in(registration=player, by=None)
found = []
for heat in draw_heats(event=event, by=None, seed="hall").heats:
    score = show_token(link=make_link(heat=heat, by=None))
    read = show_token(link=create_link(table_id=heat.table_id, role="reader", by="hall"))
    found.append([f"/s/{{score}}/", f"/s/{{read}}/"])
print(json.dumps(found))
"""


def main(tables: int = 200, each: int = 2, seconds: int = 60, one_core: int = 0) -> None:
    """Print the results, and append them to the file of past results."""
    table = figures(clients.HERE, tables, each, seconds, one_core=bool(one_core), told=True)
    for word, number in table.items():
        print(f"{word:45} {number}")
    clients.keep("hall on one core" if one_core else "hall", table)


def figures(
    program: clients.Program, tables: int, each: int, seconds: int, *, one_core: bool, told: bool
) -> dict[str, Any]:
    """Return the results of a hall, whose clients are those of the measured checkout.

    ``one_core``: the server on one, the clients on another. ``told``: then score as long again
    beside screens, open pages and phones that are told. Raises AssertionError if clients cannot go
    on, and OSError where processes cannot be given a core.
    """
    with tempfile.TemporaryDirectory() as name, _on_core(1 if one_core else None):
        folder = Path(name)
        program.manage(folder, "migrate", "-v0")
        service = clients.free_port()
        push = {
            "PUSH_CONTACT": "mailto:bench@example.org",
            "PUSH_TEST_SERVICE": f"http://127.0.0.1:{service}",
        }
        script = HALL.format(tables=tables + LONELY, slug="hall")
        if told:
            script += audience_script(service)
        made = program.manage(folder, "shell", "-v0", "-c", script).splitlines()
        links, *found = map(json.loads, made[-1 - told :])
        # Tables of their own: another phone could not go on with them.
        lonely = [links.pop()[0] for _table in range(LONELY)]
        begin = partial(_begin, program)
        with program.serve(folder, core=0 if one_core else None, **push) as (port, _, _said):
            alone = [_end(begin("alone", port, path)) for path in lonely]
            scoring = begin("tables", port, links, each, seconds)
            watched = 2 * seconds + 45 if told else seconds + 15
            watching = begin("watchers", port, links, each, watched)
            _go(scoring)
            sent = _said_by(scoring)
            beside = {}
            if told:
                before = clients.memory(port)
                around = begin("audience", port, service, *found, READY)
                _go(scoring)
                again = _said_by(scoring)
                grown = clients.memory(port) - before
                _go(around)
                beside = _beside(sent, again, grown, _end(around))
            scoring.communicate()
            seen = _end(watching)
            crowd = max(MAX_CROWD, tables * each)
            public = begin("crowd", port, links, crowd, SINGLE)
            waves = _end(public)
            megabytes = clients.memory(port)
    return (
        _alone(alone)
        | _table(tables, each, sent, seen)
        | beside
        | {
            f"an entry to {crowd} screens, p50 ms": _ms(waves["taken"], 0.5),
            f"an entry to {crowd} screens, p95 ms": _ms(waves["taken"], 0.95),
            "missed by screens": waves["missed"],
            "MB in all processes": megabytes,
        }
    )


@contextmanager
def _on_core(core: int | None) -> Iterator[None]:
    """Give this process, and those that it starts, one core."""
    if core is None:
        yield
        return
    had = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, had)


def _alone(found: list[dict[str, list[float]]]) -> dict[str, Any]:
    """Return what entries at tables of an idle hall took.

    Clients of an earlier program tell of plain entries only.
    """
    taken = {name: [each for one in found for each in one[name]] for name in found[0]}
    floor, plain = median(taken.pop("floor")), taken.pop("entries")
    return {
        "an entry alone, p50 ms": _ms(plain, 0.5),
        "an entry alone, × the smallest answer": round(median(plain) / floor, 1),
        **{
            f"{name}, × the smallest answer": round(median(each) / floor, 1)
            for name, each in taken.items()
        },
    }


def _table(tables: int, each: int, sent: Any, seen: Any) -> dict[str, Any]:
    taken = [entry["taken"] for entry in sent["entries"]]
    at = {(entry["table"], entry["version"]): entry["at"] for entry in sent["entries"]}
    delays, missed = [], 0
    for watcher in seen["watchers"]:
        for (table, version), began in at.items():
            if table != watcher["table"]:
                continue
            later = [when for number, when in watcher["versions"] if number >= version]
            if later:
                delays.append(max(0.0, min(later) - began))
            else:
                missed += 1
    return {
        "tables": tables,
        "watchers": tables * each,
        "entries": len(taken),
        "an entry, p50 ms": _ms(taken, 0.5),
        "an entry, p95 ms": _ms(taken, 0.95),
        "errors": sent["errors"] + seen["errors"],
        "an entry to its watchers, p50 ms": _ms(delays, 0.5),
        "an entry to its watchers, p95 ms": _ms(delays, 0.95),
        "missed by watchers": missed,
    }


def _beside(sent: Any, beside: Any, grown: int, drawn: Any) -> dict[str, Any]:
    alone, now = ([entry["taken"] for entry in each["entries"]] for each in (sent, beside))
    return {
        "screens, open pages, phones": f"{SCREENS}, {PAGES}, {SUBSCRIPTIONS}",
        "an entry beside them, p50 ms": _ms(now, 0.5),
        "an entry beside them, p95 ms": _ms(now, 0.95),
        "... × without them": round(_ms(now, 0.95) / _ms(alone, 0.95), 2),
        "errors beside them": beside["errors"],
        "MB more with them": grown,
        "a draw to the last screen, ms": round(1000 * max(drawn["screens"], default=-1)),
        "its last push handed over, ms": round(1000 * max(drawn["pushes"], default=-1)),
        "screens without it, pushes not sent": f"{drawn['dark']}, {drawn['untold']}",
    }


def _ms(taken: list[float], share: float) -> float:
    """Return the percentile of the times, in milliseconds."""
    if not taken:
        return -1.0
    if share == 0.5:
        return round(1000 * median(taken), 1)
    return round(1000 * sorted(taken)[int(share * (len(taken) - 1))], 1)


def _begin(program: clients.Program, what: str, *arguments: Any) -> subprocess.Popen[str]:
    """Start a checkout's clients; return when all their pages are open."""
    command = [program.python, "-m", "benchmarks.hall", what, *map(json.dumps, arguments)]
    process = subprocess.Popen(
        command, cwd=program.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == READY, what
    return process


def _go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write(GO)
    process.stdin.flush()


def _said_by(process: subprocess.Popen[str]) -> Any:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


def _end(process: subprocess.Popen[str]) -> Any:
    out, _nothing = process.communicate()
    assert process.returncode == 0
    return json.loads(out)


# --- the clients ---------------------------------------------------------------------------------


async def alone(port: int, path: str) -> dict[str, list[float]]:
    """Play a game at one table of an idle hall, and ask for the smallest answer in turn.

    Of entries whose answer says that there is more: that answer, and all until the phone has it.
    """
    phone = Phone(port)
    sheet = await Sheet.opened(phone, path)
    print(READY, end="", flush=True)
    taken: dict[str, list[float]] = {"entries": [], "floor": []}
    while not sheet.state.finished:
        began = time.perf_counter()
        status, text = await sheet.write()
        spent = time.perf_counter() - began
        assert status == 200, (status, text[:200])
        if sheet.asking is not None:
            await sheet.asking
            kind = "a game's last entry" if sheet.state.finished else "an entry of a first deal"
            taken.setdefault(f"{kind} until it is answered", []).append(spent)
            whole = time.perf_counter() - began
            taken.setdefault(f"{kind} until all is there", []).append(whole)
        elif PLAYED < sheet.version <= PLAYED + ALONE:
            taken["entries"].append(spent)
        began = time.perf_counter()
        await phone.asks("GET", "/healthz")
        taken["floor"].append(time.perf_counter() - began)
    return taken


async def tables(port: int, links: list[list[str]], _each: int, seconds: int) -> Any:
    """Score at all tables, one entry every ten seconds each, so many seconds whenever told to.

    ``_each``: as for watchers; clients of an earlier program take it, too.
    """
    door = asyncio.Semaphore(OPENING)

    async def open_page(path: str) -> Sheet:
        phone = Phone(port)
        async with door:
            sheet = await Sheet.opened(phone, path)
            for _entry in range(PLAYED):
                await sheet.write()
        return sheet

    sheets = await asyncio.gather(*(open_page(link[0]) for link in links))
    print(READY, end="", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await score_all(sheets, seconds)), flush=True)
    return None


async def score_all(sheets: list[Sheet], seconds: int) -> dict[str, Any]:
    """Let each table make an entry every ten seconds; return when each was made."""
    entries: list[dict[str, float]] = []
    errors = 0
    began = time.monotonic()

    async def score(number: int, sheet: Sheet) -> None:
        nonlocal errors
        await asyncio.sleep(PERIOD * number / len(sheets))
        while time.monotonic() - began < seconds:
            due = time.monotonic()
            at = time.time()
            status, text = await sheet.write()
            if status == 200:
                row = {"table": number, "version": sheet.version, "at": at}
                entries.append(row | {"taken": time.time() - at})
            else:
                errors += 1
                print(status, text[:200], file=sys.stderr)
            await asyncio.sleep(max(0.0, due + PERIOD - time.monotonic()))

    await asyncio.gather(*(score(number, sheet) for number, sheet in enumerate(sheets)))
    return {"entries": entries, "errors": errors}


async def watchers(port: int, links: list[list[str]], each: int, seconds: int) -> Any:
    """Watch all tables, several watchers each."""
    found: list[dict[str, Any]] = []
    errors = opened = 0
    door = asyncio.Semaphore(OPENING)

    async def watch(number: int, path: str) -> None:
        nonlocal errors, opened
        row: dict[str, Any] = {"table": number, "versions": []}
        found.append(row)
        phone = Phone(port)
        async with door:
            _status, page = await phone.asks("GET", path)
        opened += 1
        if opened == each * len(links):
            print(READY, end="", flush=True)

        async def fetch(_kind: str) -> None:
            nonlocal errors
            status, text = await phone.asks("GET", f"{path}live/")
            errors += status not in (200, 304)
            row["versions"].append([version_of(text), time.time()])

        await events(stream_of(page), port, fetch)

    jobs = [
        asyncio.create_task(watch(number, link[1]))
        for number, link in enumerate(links)
        for _one in range(each)
    ]
    await asyncio.wait(jobs, timeout=seconds)
    for job in jobs:
        job.cancel()
    await asyncio.gather(*jobs, return_exceptions=True)
    return {"watchers": found, "errors": errors}


async def crowd(port: int, links: list[list[str]], many: int, single: int) -> Any:
    """Open a heat's public stream many times, make an entry, and wait until every stream has it."""
    print(READY, end="", flush=True)
    page = (await Phone(port).asks("GET", "/e/hall/heats/1/"))[1]
    heard: list[float] = []

    async def hear(_kind: str) -> None:
        heard.append(time.time())

    jobs = [asyncio.create_task(events(stream_of(page), port, hear)) for _one in range(many)]
    await asyncio.sleep(10)
    phone, path = Phone(port), links[0][0]
    await phone.asks("GET", path)
    take = {"id": str(uuid.uuid4()), "act": "take", "at": 1}
    await phone.sends(f"{path}sync/", {"taps": [take]})
    sheet = await Sheet.opened(phone, path)
    await asyncio.sleep(5)
    taken: list[float] = []
    missed = 0
    for _number in range(single):
        heard.clear()
        at = time.time()
        status, text = await sheet.write()
        assert status == 200, (status, text[:200])
        deadline = time.monotonic() + 15
        while len(heard) < many and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        taken += [when - at for when in heard]
        missed += max(0, many - len(heard))
        await asyncio.sleep(2)
    for job in jobs:
        job.cancel()
    await asyncio.gather(*jobs, return_exceptions=True)
    return {"taken": taken, "missed": missed}


if __name__ == "__main__":
    import resource  # not on Windows, where other benchmarks use this module

    _soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (_hard, _hard))
    roles: dict[str, Callable[..., Awaitable[Any]]] = {
        "alone": alone,
        "tables": tables,
        "watchers": watchers,
        "crowd": crowd,
        "audience": audience,
    }
    if len(sys.argv) > 1 and sys.argv[1] in roles:
        own = [json.loads(each) for each in sys.argv[2:]]
        print(json.dumps(asyncio.run(roles[sys.argv[1]](*own))))
    else:
        main(*map(int, sys.argv[1:]))
