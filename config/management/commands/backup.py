"""``manage.py backup PATH``: everything that matters in one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from ...backup import BadBackup, backup, name_now


class Command(BaseCommand):
    """Make a backup and check it."""

    help = (
        "Writes database, secret key and files into one file, restores it elsewhere and checks it. "
        "The program can keep serving. Anybody who has the file has every link: keep it safe, or "
        "encrypt it with BACKUP_PASSPHRASE and keep the passphrase elsewhere."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="the file to write, or a folder for it")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make the backup; in a folder, its name contains the time."""
        path: Path = options["path"].resolve()
        if path.is_dir():
            path /= name_now()
        try:
            about = backup(path)
        except (BadBackup, OSError) as problem:
            raise CommandError(f"No backup was made. {problem}") from problem
        self.stdout.write(f"{path}: {sum(about['rows'].values())} rows, read back and complete.")
        if about["findings"]:
            raise CommandError(
                f"The backup matches the database, but something in it is wrong:\n"
                f"{about['findings']}"
            )
