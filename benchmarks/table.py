"""The Auditor's page: taps per deal, bytes, and the time from a tap to the score on the board.

`make bench ARGS=table`. Taps are counted over games of bots by asking the page's own view model
which buttons write each entry. Bytes are those sent to a browser on its first visit, headers
included. Times are from the tap to the frame that shows the score, on a processor slowed down
four times; beside them those of the smallest page, in the same browser.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlsplit

import django

from benchmarks import clients
from benchmarks.hall import HALL
from engine.bots.simulation import simulate_game
from engine.cards.categories import Category
from engine.rules.variants import parse_rules
from engine.sheet.entries import Chicago, Entry, Hand, entry_from_json
from engine.sheet.losses import losses
from engine.sheet.sheet import start, step, warnings
from engine.sheet.state import State
from scoring.reading.question import question_of

NAMES = ["Anna", "Bo", "Cia", "Dag"]

#: The same numbers at the first commit that was measured (d7b65e5).
BEFORE = {
    "taps a deal": 7.88,
    "first load, bytes": 139651,
    "an entry's answer, bytes": 18878,
    "the longest one, bytes": 22214,
    "tap to score, ms": 243,
    "95 of 100 within, ms": 496,
}
GAMES = 150
#: Deals without a Chicago; nobody comes near the target.
ENTRIES = [
    {"kind": kind, **({"phase": phase} if phase else {}), "seat": (deal + at) % 4, **more}
    for deal in range(10)
    for at, (kind, phase, more) in enumerate(
        [
            ("hand", 1, {"category": "pair"}),
            ("hand", 2, {"category": "two_pair"}),
            ("last_trick", 0, {}),
            ("hand", 3, {"category": "pair"}),
        ]
    )
]
KINDS = {
    "page and words": "/",
    "scripts": ".js",
    "styles": ".css",
    "signs": (".svg", ".webmanifest"),
}
#: In the page: from the tap to the frame in which the score has changed. The frame is asked for
#: before the page's own script does: the message comes right after it, before the page's timers.
WATCH = """() => {
  window.shown = [];
  const scores = () => [...document.querySelectorAll('.cell-score')]
    .map((cell) => cell.textContent.trim()).join();
  let before = scores();
  let tapped = 0;
  const look = (from) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      if (from !== tapped) return;
      if (scores() === before) return look(from);
      before = scores();
      window.shown.push(performance.now() - from);
    };
    requestAnimationFrame(() => port2.postMessage(null));
  };
  window.addEventListener('click', ({ target, timeStamp }) => {
    if (target.closest('button')) look(tapped = timeStamp);
  }, true);
}"""
#: What the browser needs by itself: the smallest page whose button changes a number.
SMALLEST = """<button style="width: 9em; height: 9em"><span class="cell-score">0</span></button>
<script>
  document.querySelector('button').onclick = ({ currentTarget }) => {
    currentTarget.firstChild.textContent = Number(currentTarget.textContent) + 1;
  };
</script>"""


def taps(games: int = GAMES) -> float:
    """Return the average number of taps per deal over games of bots."""
    rules, tapped, deals = parse_rules("festival"), 0, 0
    for seed in range(games):
        record = simulate_game("festival", ["Anna", "Bo", "Cia", "Dag"], seed)
        state = start(rules, 4)
        last: tuple[int, Category] | None = None
        for document in record["entries"]:
            entry = entry_from_json(document)
            tapped += taps_of(state, entry, last)
            after = step(state, entry)
            if isinstance(entry, Hand):
                last = entry.seat, entry.category
            if after.deal != state.deal or after.finished:
                deals, last = deals + 1, None
            state = after
    return round(tapped / deals, 2)


def taps_of(state: State, entry: Entry, last: tuple[int, Category] | None) -> int:
    """Return how many taps write an entry, including unfolding a panel and confirming."""
    sure = 1 if warnings(state, entry) or losses(step(state, entry).facts) else 0
    question = question_of(state, NAMES, last=last)
    if isinstance(entry, Chicago):
        sure += 1  # It is declared before its outcome is asked for.
        question = question_of(state, NAMES, declared=entry.seat)
    assert question is not None
    what = entry.as_json()
    without = {key: value for key, value in what.items() if key != "seat"}
    nobody = (question.nobody,) if question.nobody else ()
    open_ones = [*question.again, *nobody, *(b for p in question.asked for b in p.buttons)]
    folded = [button for panel in question.folded for button in panel.buttons]
    for buttons, more in ((open_ones, 0), (folded, 1)):
        for button in buttons:
            if button.what == what and not button.reason:
                # What the question itself has named is not asked about again.
                return 1 + more + sure - button.told
        if any(button.who and button.what == without for button in buttons):
            return 2 + more + sure
    raise AssertionError(what)


def wire(address: str) -> dict[str, float]:
    """Return bytes and milliseconds of a few deals on a phone."""
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import ARGUMENTS, find_chromium

    with sync_playwright() as playwright:
        # The browser that people have; the tests prefer its shell.
        path = os.environ.get("CHROMIUM") or shutil.which("chromium") or find_chromium()
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        context = browser.new_context(
            viewport={"width": 360, "height": 640}, has_touch=True, locale="en-GB"
        )
        page = context.new_page()
        network = context.new_cdp_session(page)
        network.send("Network.enable")
        network.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        paths: dict[str, str] = {}
        sizes: list[tuple[str, int]] = []
        network.on(
            "Network.requestWillBeSent",
            lambda e: paths.update({e["requestId"]: e["request"]["url"]}),
        )
        network.on(
            "Network.loadingFinished",
            lambda e: sizes.append((paths.get(e["requestId"], ""), int(e["encodedDataLength"]))),
        )
        page.goto(address)
        page.locator("#live[data-version]").wait_for()
        page.wait_for_timeout(1500)
        first = list(sizes)
        page.locator(".seats-asked > .btn-next").click()
        page.locator(".nobody-slot button").wait_for()
        page.wait_for_timeout(1200)
        page.evaluate(WATCH)
        for version, entry in enumerate(ENTRIES, 1):
            _tap(page, entry)
            page.wait_for_selector(f"#live[data-version='{version}']")
            page.wait_for_selector("#saving[data-state=saved]")
            page.wait_for_timeout(1200)
        answers = [size for path, size in sizes if path.endswith("/sync/")]
        times = page.evaluate("window.shown")
        assert len(times) == len(ENTRIES)
        page.goto("about:blank")
        page.set_content(SMALLEST)
        page.evaluate(WATCH)
        for _tap_number in ENTRIES:
            page.locator("button").click()
            page.wait_for_timeout(300)
        smallest = page.evaluate("window.shown")
        browser.close()
    return {
        "first load, bytes": sum(size for _path, size in first),
        **{
            f"… {name}": sum(size for path, size in first if urlsplit(path).path.endswith(ends))
            for name, ends in KINDS.items()
        },
        "an entry's answer, bytes": round(median(answers)),
        "the longest one, bytes": max(answers),
        "tap to score, ms": round(median(times)),
        "95 of 100 within, ms": round(quantiles(times, n=20)[-1]),
        "the smallest page's tap, ms": round(median(smallest)),
        "95 of 100 of those, ms": round(quantiles(smallest, n=20)[-1]),
    }


def _tap(page: Any, entry: dict[str, Any]) -> None:
    whole = json.dumps(entry, separators=(",", ":"))
    at_once = page.locator(f".answers button[name=what][value='{whole}']")
    if at_once.count():
        at_once.first.click()
        return
    what = json.dumps({k: v for k, v in entry.items() if k != "seat"}, separators=(",", ":"))
    page.locator("label.cell").nth(entry["seat"]).click()
    page.locator(f".answers button[name=what][value='{what}']").first.click()


def main() -> None:
    """Print the table, and append it to the file of past results."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    table: dict[str, float] = {"taps a deal": taps()}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clients.HERE.manage(folder, "migrate", "-v0")
        with clients.HERE.serve(folder) as (port, _live, _said):
            made = HALL.format(tables=1, slug="hall")
            output = clients.HERE.manage(folder, "shell", "-v0", "-c", made)
            [[path, _reading]] = json.loads(output.splitlines()[-1])
            table |= wire(f"http://127.0.0.1:{port}{path}")
    print("| | before | now |\n|---|---|---|")
    for each, value in table.items():
        print(f"| {each} | {BEFORE.get(each, '')} | {value} |")
    clients.keep("table", table)


if __name__ == "__main__":
    main(*sys.argv[1:])
