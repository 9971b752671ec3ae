"""Coverage-guided damage to documents: ``python -m tests.fuzz.records SECONDS``.

Unlike the random damage in ``tests/engine/conformance/test_damage.py``, inputs evolve towards code
that no input has reached yet. This uses atheris (libFuzzer for Python), which exists for Linux and
is not among the locked packages: ``pip install atheris``. Every reader of a document is tested; the
first byte of the input chooses which. Anything but a coded error ends the run and saves the input.
"""

from __future__ import annotations

import importlib
import json
import sys
import tempfile
from pathlib import Path

from engine.errors import ERROR_CODES, WARNING_CODES

KEYS = (
    *("kind", "phase", "seat", "category", "reset", "suit", "won", "breaker", "blind", "deuce"),
    *("action", "points", "reason", "id", "at", "by", "note", "rules", "seats", "dealer", "meta"),
    *("entries", "format", "version", "\ud800", ""),
)
SCRAPS = (
    *('"', "{", "}", "[", "]", ",", ":", "\\", "\\u", "\\ud800", "e", "E", "-", "+", ".", "0", "1"),
    *("NaN", "Infinity", "-Infinity", "null", "true", "1e400", "9" * 30, "\x00", "\ufeff", "é"),
    *("\n", "//", "/**/", "'", '"kind":', '"kind":"hand",', "[[[[", "}}}}"),
)


def main(seconds: int) -> None:
    """Fuzz for this many seconds; exit with status 77 or higher if something was found."""
    try:
        atheris = importlib.import_module("atheris")
    except ImportError:
        sys.exit("atheris is not installed here (Linux only): pip install atheris")
    with atheris.instrument_imports(include=["engine"]):
        from engine.answers import (
            check_totals,
            outlook_of,
            rank_heat,
            replay_card_record,
            replay_record,
            settle_record,
        )
        from engine.sheet.record import dump_json, load_json

    def replayed(text: bytes) -> tuple[object, int]:
        result = replay_record(text)
        return result, 0 if result["valid"] else 1

    def cards(text: bytes) -> tuple[object, int]:
        result = replay_card_record(text)
        return result, 0 if result["valid"] else 1

    readers = (replayed, rank_heat, outlook_of, settle_record, check_totals, cards)

    def one(data: bytes) -> None:
        if not data:
            return
        document, status = readers[data[0] % len(readers)](data[1:])
        assert status in (0, 1, 2)
        assert dump_json(document).isascii()
        load_json(dump_json(document))
        if isinstance(document, dict) and data[0] % len(readers) in (0, 4):
            for problem in document.get("problems", ()):
                assert problem["code"] in ERROR_CODES + WARNING_CODES
                assert problem["message"]

    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(seeds()):
            (Path(folder) / str(number)).write_bytes(text)
        options = [f"-max_total_time={seconds}", "-max_len=4000", "-timeout=20", "-rss_limit_mb=0"]
        words = Path(folder) / "words"
        atheris.Setup([sys.argv[0], *options, f"-dict={dictionary(words)}", folder], one)
        atheris.Fuzz()


def good_records() -> list[dict[str, object]]:
    """Return a few games of every preset, as documents."""
    from engine.rules.presets import PRESETS
    from tests.engine.sheet.test_sheet_properties import random_game

    records: list[dict[str, object]] = []
    for number, spec in enumerate([*PRESETS, "svensk+K+Q+B4", "wikipedia+S+W", "festival+D"]):
        seats = 2 + number % 3
        first, entries, _ = random_game(spec, seats, number, rulings=0.2, most=12)
        records.append(
            {
                "format": "chicago-game-record",
                "version": 1,
                "rules": spec,
                "seats": ["Anna", "Bo", "Cia", "Dag"][:seats],
                "dealer": first.dealer,
                "entries": [entry.as_json() for entry in entries],
            }
        )
    return records


def seeds() -> list[bytes]:
    """Return valid documents of every kind, each with the byte that chooses its reader."""
    from engine.bots.events import simulate_heat
    from engine.bots.simulation import play_game

    found = [(number, record) for record in good_records() for number in (0, 3)]
    found.append((5, play_game("festival", ["A", "B"], "x", max_deals=1).card_record()))
    heat = simulate_heat("festival", ["A", "B", "C"], "x", games=1, max_deals=3)
    found += [(1, heat), (2, heat)]
    seat = {"name": "A", "score": 53, "executed": True, "asterisks": 1, "out": False}
    head = {"format": "chicago-totals", "version": 1, "rules": "festival"}
    seats = [seat, {**seat, "name": "B", "score": 3}]
    found.append((4, {**head, "seats": seats, "winner": 0, "win": "target"}))
    return [bytes([number]) + json.dumps(document).encode() for number, document in found]


def dictionary(path: Path) -> Path:
    """Write the documents' keywords in libFuzzer's dictionary format."""
    from engine.rules.presets import PRESETS
    from engine.rules.variants import VARIANTS

    words = [
        *KEYS,
        *PRESETS,
        *VARIANTS,
        *SCRAPS,
        "pair",
        "four_of_a_kind",
        "royal_flush",
        "disqualify",
    ]
    encoded = {word.encode("utf-8", "surrogatepass") for word in words} - {b""}
    lines = ['"' + "".join(f"\\x{byte:02x}" for byte in word) + '"' for word in sorted(encoded)]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return path


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
