"""``manage.py rehearse``: play a whole event with bots."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from tournaments.rehearsal import FORMATS, Rehearsal, rehearse
from tournaments.results.queries.ranking import final_ranking

from ...preparing import make_database


class Command(BaseCommand):
    """``manage.py rehearse --players N --seed S [--format festival|sm] [--slug NAME]``."""

    help = "Play a whole event with bots, from registration to champion, and keep it."
    # They load every page, and none is shown here.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", type=int, required=True, help="8 to 1000")
        parser.add_argument("--seed", required=True, help="the same seed plays the same event")
        parser.add_argument("--format", choices=sorted(FORMATS), default="festival")
        parser.add_argument("--slug", default="", help="the event's address")
        parser.add_argument("--owner", help="user name of the account that is to own the event")
        parser.add_argument(
            "--pace",
            type=float,
            default=0.0,
            help="seconds between the entries of each table, to watch the pages meanwhile",
        )
        parser.add_argument(
            "--until-final",
            action="store_true",
            help="stop in the final's last game, to look at the hall's screens",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Play, and name the champion if there is one."""
        make_database()
        # A power cut may take the last seconds of a rehearsal, which nobody relies on. It cannot be
        # set within a transaction.
        early = {"sqlite": "PRAGMA synchronous=NORMAL", "postgresql": "SET synchronous_commit=off"}
        if not connection.in_atomic_block:
            with connection.cursor() as cursor:
                cursor.execute(early[connection.vendor])
        owner = None
        if options["owner"]:
            owner = User.objects.filter(username=options["owner"]).first()
            if owner is None:
                raise CommandError(f'There is no account "{options["owner"]}".')
        try:
            event = rehearse(
                Rehearsal(
                    players=options["players"],
                    seed=options["seed"],
                    format=options["format"],
                    slug=options["slug"],
                    owner=owner,
                    pace=options["pace"],
                    stops_in_final=options["until_final"],
                    tell=self.stdout.write,
                )
            )
        except ValueError as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from error
        if options["until_final"]:
            self.stdout.write(f"{event.name} ({event.slug}): the final is being played.")
            return
        champion = final_ranking(event)[0]
        person = event.registrations.get(number=int(champion.player_id)).person
        self.stdout.write(f"{event.name} ({event.slug}): {person} is the champion.")
