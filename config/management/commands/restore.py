"""``manage.py restore PATH``: restore everything as it was, including links."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import BaseCommand, CommandError, call_command
from django.db import DatabaseError
from django.utils import timezone

from tournaments.models import Event

from ... import preparing
from ...backup import BadBackup, backup, opened, restore, restore_files


class Command(BaseCommand):
    """Restore a backup and check it."""

    help = (
        "Restores a backup into an empty database, brings its tables up to date, and checks "
        "every sheet and result."
    )
    requires_system_checks: list[str] = []
    outcome, kept = "Nothing was restored.", ""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="the file that backup has written")
        parser.add_argument(
            "--replace",
            action="store_true",
            help="also replace existing data; a backup of it is kept in DATA_DIR",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore, migrate, check."""
        try:
            with preparing.claim_data():
                preparing.check_alone()
                self.restore(options["path"].resolve(), replace=options["replace"])
        except (BadBackup, preparing.CannotServe, OSError) as problem:
            raise CommandError(f"{self.outcome} {problem}{self.kept}") from problem
        call_command("verify", stdout=self.stdout, stderr=self.stderr)
        self.stdout.write("Restored. Start the program as usual.")

    def restore(self, path: Path, *, replace: bool) -> None:
        """Look whether the backup can be used, back existing data up, and replace it."""
        with opened(path) as (about, folder):
            preparing.check_backup(about)
            if has_data():
                if not replace:
                    raise BadBackup(
                        "There is already data here. --replace replaces it, after making a backup."
                    )
                kept = settings.DATA_DIR / f"before-restore-{timezone.now():%Y%m%d-%H%M%S}.zip"
                backup(kept, verify=False)
            else:
                kept = None
            try:
                restore(about, folder)
            except (BadBackup, OSError):
                if kept is not None:
                    kept.unlink()
                raise
            self.outcome = "The database is restored, but not all of the rest."
            if kept is not None:
                self.kept = f"\nThe previous data is kept in {kept}."
                self.stdout.write(self.kept.strip())
            restore_files(about, folder)
        # No copy of it as it is now: that would hold this process's key instead of the backup's.
        preparing.make_database(back_up=False)
        self.stdout.write(f"The backup of {about['made_at']} is in place.")
        if os.environ.get("SECRET_KEY"):
            self.stdout.write("SECRET_KEY is set: links work only if it is unset or the backup's.")


def has_data() -> bool:
    """Return whether there is any account or event."""
    try:
        return get_user_model().objects.exists() or Event.objects.exists()
    except DatabaseError:
        # There are no tables yet.
        return False
