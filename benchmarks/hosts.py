"""What a second host with pages adds: ``make bench ARGS=hosts`` (Linux, root).

    python -m benchmarks.hosts          each host has a quarter of a core
    python -m benchmarks.hosts 0.4      or another share

Hosts are network namespaces (tests/hosts/network.py): one with PostgreSQL, one with Redis, two with
pages, whose processor time is limited to the same share of a core each by a control group. So the
second host brings time of its own, as a second machine would, while database and clients have the
rest of this machine's cores; that the database bounds both is not hidden by that. Clients ask one
host or both in turn.

Then the tables of one event score at the first host, alone and while those of another event score
at the second: what is left to slow them is the database they share.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks import clients
from benchmarks.hall import HALL, PLAYED
from benchmarks.phone import Phone, Sheet
from tests.hosts.network import Host, Network, can_make_hosts, run, until

SHARE = 0.25
#: Tables for each host; clients that ask for pages; seconds of each measurement.
TABLES, READERS, SECONDS = 12, 8, 8.0
HOSTS = ("pages1", "pages2")
PERIOD = 100_000


def main(share: str = str(SHARE)) -> None:
    """Print the table, and append it to the file of past results."""
    table = figures(float(share))
    one, two, alone, beside = table.values()
    print(f"each host has {float(share):.0%} of a core\n")
    print("| | one host | two hosts | × |\n|---|---|---|---|")
    for word, number in one.items():
        print(f"| {word} | {number:.0f} | {two[word]:.0f} | {two[word] / number:.2f} |")
    print("\n| one event | alone | beside another | × |\n|---|---|---|---|")
    for word, number in alone.items():
        print(f"| {word} | {number:.0f} | {beside[word]:.0f} | {beside[word] / number:.2f} |")
    clients.keep("hosts", {"share": float(share)} | table)


def figures(share: float = SHARE) -> dict[str, dict[str, float]]:
    """Return what one host and two answer, and an event's tables alone and beside another's."""
    if not can_make_hosts():
        raise SystemExit("Network namespaces need Linux and root.")
    with Network() as network:
        settings = {
            "DATABASE_URL": network.start_database(),
            "REDIS_URL": network.start_redis(),
            "SECRET_KEY": "for-this-benchmark-only-" + "x" * 40,
            "ALLOWED_HOSTS": ",".join(network[name].address for name in HOSTS),
            "BACKUP_HOURS": "0",
            "DEMO": "0",
        }
        links, others = (
            prepared(settings, network.folder, slug, tables)
            for slug, tables in (("hall", 5 * TABLES), ("other", TABLES))
        )
        runs = iter([links[at : at + TABLES] for at in range(0, len(links), TABLES)])
        with limited(share) as limit:
            for name in HOSTS:
                network.start_part(name, "pages", settings)
            for name in HOSTS:
                until(lambda name=name: "Stop with Ctrl-C" in network[name].log(), 300, name)
                limit(network[name])
            first, second = (network[name] for name in HOSTS)
            one = asyncio.run(measured([first], next(runs)))
            two = asyncio.run(measured([first, second], next(runs) + next(runs)))
            alone = asyncio.run(entries([first], next(runs)))
            beside = asyncio.run(side_by_side(first, next(runs), second, others))
    return {"one": one, "two": two, "alone": alone, "beside": beside}


def prepared(settings: dict[str, str], folder: Path, slug: str, tables: int) -> list[str]:
    """Make an event; return the links of its tables."""
    environment = settings | {"DATA_DIR": str(folder / "here"), "PATH": os.environ["PATH"]}
    for command in (
        ["migrate", "-v0"],
        ["shell", "-v0", "-c", HALL.format(tables=tables, slug=slug)],
    ):
        run_here = [sys.executable, "manage.py", *command]
        done = subprocess.run(
            run_here, cwd=clients.ROOT, env=environment, check=True, stdout=subprocess.PIPE
        )
    return [score for score, _read in json.loads(done.stdout.splitlines()[-1])]


@contextmanager
def limited(share: float) -> Iterator[Callable[[Host], None]]:
    """Yield a function that gives a host this share of a core, and no more."""
    first, made = Path("/sys/fs/cgroup/cpu"), []

    def limit(host: Host) -> None:
        folder = (first if first.exists() else first.parent) / host.space
        folder.mkdir(exist_ok=True)
        made.append(folder)
        quota = str(int(share * PERIOD))
        if first.exists():
            (folder / "cpu.cfs_period_us").write_text(str(PERIOD))
            (folder / "cpu.cfs_quota_us").write_text(quota)
        else:
            (folder / "cpu.max").write_text(f"{quota} {PERIOD}")
        for pid in run("ip", "netns", "pids", host.space).split():
            (folder / "cgroup.procs").write_text(pid)

    try:
        yield limit
    finally:
        for folder in made:
            for pid in (folder / "cgroup.procs").read_text().split():
                (folder.parent / "cgroup.procs").write_text(pid)
            folder.rmdir()


async def measured(hosts: list[Host], links: list[str]) -> dict[str, float]:
    """Return what these hosts answer per second."""
    found: dict[str, float] = {}
    numbers = iter(range(10**9))

    def reader(at: int, anew: bool) -> Callable[[], Awaitable[Any]]:
        phone = Phone(8000, hosts[at % len(hosts)].address)

        async def read() -> None:
            query = f"?fresh={next(numbers)}" if anew else ""
            status, text = await phone.asks("GET", f"/e/hall/heats/1/{query}")
            assert status == 200, text[:200]

        return read

    for word, anew in (("a page again, per second", False), ("a page anew, per second", True)):
        taken = await busy([reader(at, anew) for at in range(READERS)])
        found[word] = len(taken) / SECONDS
    return found | await entries(hosts, links)


async def side_by_side(
    host: Host, links: list[str], second: Host, others: list[str]
) -> dict[str, float]:
    """Return what the first tables write while the others do at the second host."""
    found, _others = await asyncio.gather(entries([host], links), entries([second], others))
    return found


async def entries(hosts: list[Host], links: list[str]) -> dict[str, float]:
    """Return how many entries tables write per second, each as fast as it can."""
    sheets = [await opened(hosts[at % len(hosts)], link) for at, link in enumerate(links)]

    def table(sheet: Sheet) -> Callable[[], Awaitable[Any]]:
        async def write() -> None:
            status, text = await sheet.write()
            assert status == 200, text[:200]

        return write

    taken = await busy([table(sheet) for sheet in sheets])
    return {"entries per second": len(taken) / SECONDS, "an entry, p95 ms": clients.p95(taken)}


async def opened(host: Host, path: str) -> Sheet:
    """Open a table's page and play two deals: the first has extra questions."""
    phone = Phone(8000, host.address)
    sheet = await Sheet.opened(phone, path)
    for _entry in range(PLAYED):
        await sheet.write()
    return sheet


async def busy(what: list[Callable[[], Awaitable[Any]]]) -> list[float]:
    """Do each again and again, all at the same time; return how long each one took."""
    taken: list[float] = []
    end = time.monotonic() + SECONDS

    async def go_on(do: Callable[[], Awaitable[Any]]) -> None:
        while (began := time.monotonic()) < end:
            await do()
            taken.append(time.monotonic() - began)

    await asyncio.gather(*map(go_on, what))
    return taken


if __name__ == "__main__":
    main(*sys.argv[1:])
