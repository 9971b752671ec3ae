"""``manage.py new_table``: create a table for a casual evening, without a tournament."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from engine.draws.draw import new_seed
from engine.errors import ChicagoError
from engine.messages import say

from ...errors import ScoringError
from ...reading.links import show_token
from ...writing import create_link, create_table


class Command(BaseCommand):
    """Create a table and print its two links, one for scoring and one for reading."""

    help = "Create a table for a casual evening and print its links."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--players", nargs="+", required=True, metavar="NAME")
        parser.add_argument("--rules", default="festival", help="e.g. festival or svensk+C+N")
        parser.add_argument("--games", type=int, default=3)
        parser.add_argument("--label", default="Chicago")
        parser.add_argument("--seed", default="", help="repeat an earlier draw of seats")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            table = create_table(
                label=options["label"],
                rules=options["rules"],
                players=options["players"],
                games_planned=options["games"],
                seed=options["seed"] or new_seed(),
                by="new_table",
                directed=False,
            )
        except ScoringError as error:
            raise CommandError(str(error)) from error
        except ChicagoError as error:
            raise CommandError(say(error)) from error
        address = settings.PUBLIC_URL or f"http://{settings.HOST}:{settings.PORT}"
        for role, words in (("auditor", "Score"), ("reader", "Read")):
            token = show_token(link=create_link(table_id=table.pk, role=role, by="new_table"))
            path = reverse("scoring:table_detail", args=[token])
            self.stdout.write(f"{words}: {address}{path}")
        self.stdout.write(f"Seed for the seats: {table.seed}")
