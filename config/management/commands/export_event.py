"""``manage.py export_event``: write an event as a chicago-event document to standard output."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.documents import event_document
from tournaments.models import Event

from ...preparing import make_database


class Command(BaseCommand):
    """``manage.py export_event SLUG [--anonymous] [--history] [--heads]``."""

    help = "Write the whole event as one JSON document (chicago-event) to standard output."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the event's address, e.g. festival-2026")
        parser.add_argument("--anonymous", action="store_true", help="leave the names out")
        parser.add_argument(
            "--history",
            action="store_true",
            help="add every row ever written on the sheets, including corrected ones",
        )
        parser.add_argument(
            "--heads",
            action="store_true",
            help="add the number of rows and the last hash of each sheet, as an anchor",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the document and nothing else."""
        make_database()
        event = Event.objects.filter(slug=options["slug"]).first()
        if event is None:
            raise CommandError(f'There is no event "{options["slug"]}".')
        wanted = {name: options[name] for name in ("anonymous", "history", "heads")}
        document = event_document(event, **wanted)
        self.stdout.write(json.dumps(document, ensure_ascii=True, indent=1))
