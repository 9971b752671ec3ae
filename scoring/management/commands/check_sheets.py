"""``manage.py check_sheets``: check that every stored sheet still says what was written on it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ...models import Sheet
from ...reading.check import verify_sheet
from ...writing import repair


class Command(BaseCommand):
    """Recompute every hash chain and replay every sheet; fail if one does not match."""

    help = "Recompute the hash chain of every score sheet and replay its entries."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--repair",
            action="store_true",
            help="store the replayed state where the rows are intact",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        bad = 0
        rows = 0
        sheets = Sheet.objects.select_related("table").order_by("table", "number")
        for sheet in sheets:
            report, as_played = verify_sheet(sheet_id=sheet.pk)
            rows += report.rows
            if not report.valid:
                where = f"row {report.broken_at}" if report.broken_at else "its end"
                self.stderr.write(f"{sheet.table}, game {sheet.number}: broken at {where}")
            elif not as_played:
                self.stderr.write(
                    f"{sheet.table}, game {sheet.number}: the state differs from the replay"
                )
                if options["repair"] and repair(sheet_id=sheet.pk):
                    self.stderr.write("  repaired")
                    continue
            else:
                continue
            bad += 1
        if bad:
            raise CommandError(f"{bad} of {len(sheets)} sheets are damaged.")
        self.stdout.write(f"{len(sheets)} sheets with {rows} rows are intact.")
