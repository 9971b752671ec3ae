"""Run by test_kill: writes entries continuously and prints those acknowledged."""

import sys
import uuid

import django

if __name__ == "__main__":
    django.setup()
    from scoring.models import Sheet
    from scoring.writing import create_table, write_entry

    table = create_table(
        label="x", rules="festival", players=["A", "B", "C"], games_planned=1, seed="s", by="x"
    )
    sheet = Sheet.objects.get(table=table)
    entries = [
        {"kind": "none", "phase": 1},
        {"kind": "none", "phase": 2},
        {"kind": "last_trick", "seat": 0},
        {"kind": "ruling", "action": "points", "seat": 0, "points": -5, "reason": "again"},
        {"kind": "none", "phase": 3},
    ]
    for version in range(100_000):
        mark = uuid.uuid4()
        write_entry(
            sheet_id=sheet.pk,
            client_id=mark,
            seen_version=version,
            entry=entries[version % len(entries)],
            author="x",
        )
        sys.stdout.write(f"{mark}\n")
        sys.stdout.flush()
