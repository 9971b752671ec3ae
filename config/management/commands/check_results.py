"""``manage.py check_results``: check that results and qualifications match the sheets."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.heats.checks import check_heat
from tournaments.models import Heat


class Command(BaseCommand):
    """Recompute all results from the sheets and report heats whose stored ones differ."""

    help = (
        "Recompute the results of all heats from their sheets, and compare them and the "
        "qualifications with what is stored; run check_sheets first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--event", help="only the event with this slug")
        parser.add_argument("--repair", action="store_true", help="store what the sheets say")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check all heats that have sheets."""
        heats = Heat.objects.filter(table__isnull=False).select_related("event", "stage", "table")
        if options["event"]:
            heats = heats.filter(event__slug=options["event"])
        left = 0
        for heat in heats.order_by("event", "number"):
            for finding in check_heat(heat=heat, repair=options["repair"]):
                repaired = options["repair"] and finding.what != "through_without_a_win"
                left += not repaired
                players = (
                    f" (players {', '.join(finding.player_ids)})" if finding.player_ids else ""
                )
                self.stderr.write(
                    f"{heat.event.slug}, heat {heat.number}: {finding.what}{players}"
                    f"{', repaired' if repaired else ''}"
                )
        if left:
            raise CommandError(f"{left} findings remain; --repair fixes what can be fixed.")
        self.stdout.write(f"{len(heats)} heats agree with their sheets.")
