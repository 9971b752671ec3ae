"""``manage.py load_demo``: load the demo festival."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError

from tournaments.rehearsal import demo


class Command(BaseCommand):
    """Load the demo festival into an empty database."""

    help = (
        "Loads the demo festival: an event half-way through its first day, with accounts. "
        "Only into a database without accounts and events."
    )
    # The checks load every page, and none is shown here.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--season",
            action="store_true",
            help="make the season before the festival, which the worker otherwise asks for",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Load it and print how to sign in."""
        if options["season"]:
            demo.load_season()
            return
        if not demo.may_load():
            raise CommandError(
                "There are already accounts or events; the demo needs an empty database. "
                "Choose another one with DATA_DIR=…"
            )
        demo.load()
        account = demo.account()
        assert account is not None
        for word, value in account.lines(""):
            self.stdout.write(f"{word:<20}{value}")
