"""``manage.py purge_casual_tables``: delete abandoned casual tables."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from ...reading.tables import unused_tables
from ...writing.purge import purge_table


class Command(BaseCommand):
    """Delete tables that belong to no event and have not been used for some days."""

    help = "Delete casual tables, with their sheets, that have not been used for some days."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, default=30, help="days without use (30)")
        parser.add_argument("--dry-run", action="store_true", help="only list them")

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete each table in a transaction of its own."""
        tables = unused_tables(since=timezone.now() - timedelta(days=options["days"]))
        for table in tables:
            if not options["dry_run"]:
                purge_table(table_id=table.pk)
            self.stdout.write(f"{table.title}, created on {table.created_at:%Y-%m-%d}")
        done = "would be deleted" if options["dry_run"] else "deleted"
        self.stdout.write(f"{len(tables)} tables {done}.")
