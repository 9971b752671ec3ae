"""``manage.py backup PATH``: everything that matters in one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from config.backup import BadBackup, backup, name_now


class Command(BaseCommand):
    """Write a backup and check it."""

    help = (
        "Writes database, secret key and files into one file, restores it aside and checks it. The "
        "program may go on serving meanwhile. Whoever has the file has every link: keep it safe, "
        "or set BACKUP_PASSPHRASE, without which nobody opens it, and keep that elsewhere."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the options."""
        parser.add_argument("path", type=Path, help="the file to write, or a folder for it")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write it; into a folder under a name with the time."""
        path: Path = options["path"].resolve()
        if path.is_dir():
            path /= name_now()
        try:
            about = backup(path)
        except (BadBackup, OSError) as problem:
            raise CommandError(f"There is no backup. {problem}") from problem
        self.stdout.write(f"{path}: {sum(about['rows'].values())} rows, read again and whole.")
        if about["findings"]:
            raise CommandError(
                f"The backup is what the database is, but something in it does not hold:\n"
                f"{about['findings']}"
            )
