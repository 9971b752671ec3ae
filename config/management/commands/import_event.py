"""``manage.py import_event``: read a chicago-event document back."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from engine.errors import ChicagoError
from engine.sheet.record import load_json
from tournaments.core.answers import sentence
from tournaments.documents import BadDocument, import_event
from tournaments.models import Organiser

from ...preparing import make_database


class Command(BaseCommand):
    """``manage.py import_event FILE|- [--slug NAME] [--owner USERNAME] [--organiser SLUG]``."""

    help = "Create an event from a chicago-event document, replaying all its games."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the document's path, or - for standard input")
        parser.add_argument("--slug", help="the event's address, if not the document's")
        parser.add_argument("--owner", help="user name of the account that is to own the event")
        parser.add_argument("--organiser", help="address of the organiser; else the owner's")

    def handle(self, *args: Any, **options: Any) -> None:
        """Import the event and report it."""
        make_database()
        owner = None
        if options["owner"]:
            owner = User.objects.filter(username=options["owner"]).first()
            if owner is None:
                raise CommandError(f'There is no account "{options["owner"]}".')
        organiser = None
        if options["organiser"]:
            organiser = Organiser.objects.filter(slug=options["organiser"]).first()
            if organiser is None:
                raise CommandError(f'There is no organiser "{options["organiser"]}".')
        try:
            raw = (
                sys.stdin.buffer.read()
                if options["file"] == "-"
                else Path(options["file"]).read_bytes()
            )
            document = load_json(raw)
        except OSError as error:
            raise CommandError(f"The file cannot be read: {error.strerror}.") from error
        except ChicagoError as error:
            raise CommandError(sentence(error)) from error
        try:
            event = import_event(document, slug=options["slug"], owner=owner, organiser=organiser)
        except BadDocument as error:
            raise CommandError(f"Nothing was imported ({error.code}). In {error}") from error
        self.stdout.write(f"{event.name}: {event.heats.count()} heats.")
