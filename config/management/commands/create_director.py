"""``manage.py create_director``: create an account for somebody who directs tournaments here."""

import getpass
import os
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management import BaseCommand, CommandError
from django.db import transaction
from django.db.models import Q

from tournaments.events.commands import first_run
from tournaments.events.commands.organisers import create_organiser
from tournaments.models import Organiser

from ...preparing import make_database


def organiser_called(name: str | None) -> Organiser | None:
    """Return the organiser with this name or slug, creating one if needed; None without a name."""
    if not name:
        return None
    found = Organiser.objects.filter(Q(name=name) | Q(slug=name)).order_by("pk").first()
    return found or create_organiser(name=name, by=None)


class Command(BaseCommand):
    """Create a director's account, asking for what was not given."""

    help = (
        "Creates an account that may create events; the first one owns the organiser. Asks for the "
        "password, or reads it from the environment variable DIRECTOR_PASSWORD."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", nargs="?", help="the name to sign in with")
        parser.add_argument(
            "--organiser", help="the name of the club or federation; a new name is a new organiser"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        make_database()
        try:
            username = options["username"] or input("Name to sign in with: ").strip()
            password = os.environ.get("DIRECTOR_PASSWORD") or self.ask_password()
        except (EOFError, KeyboardInterrupt) as problem:
            raise CommandError("Nothing was created.") from problem
        try:
            validate_password(password)
            with transaction.atomic():
                first_run.create_director(
                    username=username,
                    password=password,
                    organiser=organiser_called(options["organiser"]),
                )
        except ValidationError as problem:
            raise CommandError(" ".join(problem.messages)) from problem
        self.stdout.write(f"{username} can sign in now.")

    def ask_password(self) -> str:
        """Ask twice, to catch typing errors."""
        password = getpass.getpass("Password: ")
        if getpass.getpass("Password again: ") != password:
            raise CommandError("The two passwords differ. Nothing was created.")
        return password
