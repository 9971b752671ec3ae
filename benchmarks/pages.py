"""Public pages compared with the same server's smallest response, alternating in one run.

The baseline is `/healthz`, a bare Django view. "Again": nothing has changed since the last reader;
"first": somebody has just written, so the page is rendered. Uses Python's own client on the same
machine; its time is part of the baseline, too.
"""

import sys
import tempfile
from http.client import HTTPConnection
from pathlib import Path
from statistics import median

from benchmarks import clients

PAGES = (
    "",
    "standings/",
    "standings/heats/",
    "qualified/",
    "play-offs/",
    "result/",
    "heats/1/",
    "now/",
)
SECONDS = 2.0
#: How often a page is rendered afresh.
FIRSTS = 16


def main(players: str = "88") -> None:
    """Print the table, and append it to the file of past results."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clients.HERE.rehearse(folder, int(players))
        with clients.HERE.serve(folder) as (port, _live, _said):
            table = measure(port)
            megabytes = clients.memory(port)
    print(f"| page | {' | '.join(next(iter(table.values())))} |")
    for page, row in table.items():
        print(f"| {page} | {' | '.join(str(each) for each in row.values())} |")
    print(f"\n{megabytes} MB in all processes")
    clients.keep("pages", table | {"memory": megabytes})


def measure(port: int, seconds: float = SECONDS) -> dict[str, dict[str, float]]:
    """Request each page for some seconds; return each one's times, the floor's first."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    table: dict[str, dict[str, float]] = {}
    for page in ("healthz", *(f"e/bench/{each}" for each in PAGES)):
        firsts = []
        for number in range(FIRSTS):
            # A different address each time forces a rendering without a second process that writes.
            kept = page if page == "healthz" else f"{page}?fresh={number}"
            status, _bytes, _seconds = clients.ask(connection, f"/{page}")
            assert status == 200, page
            firsts.append(clients.ask(connection, f"/{kept}")[2])
        size = clients.ask(connection, f"/{page}")[1]
        floor = clients.rate(port, "/healthz", 1, seconds)[0]
        one, wrong = clients.rate(port, f"/{page}", 1, seconds)
        eight, more_wrong = clients.rate(port, f"/{page}", 8, seconds)
        table[page] = {
            "again, p50 ms": round(1000 * median(one), 2),
            "p95 ms": round(clients.p95(one), 2),
            "× floor": round(median(one) / median(floor), 2),
            "first × floor": round(min(firsts) / median(floor), 1),
            "per second, 1": round(len(one) / seconds),
            "per second, 8": round(len(eight) / seconds),
            "bytes": size,
            "errors": wrong + more_wrong,
        }
    return table


if __name__ == "__main__":
    main(*sys.argv[1:])
