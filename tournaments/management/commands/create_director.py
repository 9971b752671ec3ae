"""Make an account for somebody who directs tournaments here."""

import getpass
import os
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management import BaseCommand, CommandError

from ...events.commands import first_run


class Command(BaseCommand):
    """Create a director's account, asking for what was not given."""

    help = (
        "Makes an account that may create and direct events. The password is asked for, or read "
        "from the environment variable DIRECTOR_PASSWORD."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the options."""
        parser.add_argument("username", nargs="?", help="the name to sign in with")

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the account."""
        try:
            username = options["username"] or input("Name to sign in with: ").strip()
            password = os.environ.get("DIRECTOR_PASSWORD") or self.ask_password()
        except (EOFError, KeyboardInterrupt) as problem:
            raise CommandError("Nothing was created.") from problem
        try:
            validate_password(password)
            first_run.create_director(username=username, password=password)
        except ValidationError as problem:
            raise CommandError(" ".join(problem.messages)) from problem
        self.stdout.write(f"{username} can sign in now.")

    def ask_password(self) -> str:
        """Ask twice, so that a slip of the finger is found."""
        password = getpass.getpass("Password: ")
        if getpass.getpass("Password again: ") != password:
            raise CommandError("The two passwords differ. Nothing was created.")
        return password
