"""``manage.py verify``: check that everything stored follows from the entries."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.models import Anchor, Event
from tournaments.verify.anchors import BadLine, broken_in, check_line, make_anchor, public_key
from tournaments.verify.checks import verify


class Command(BaseCommand):
    """Recompute sheets, heads, results and qualifications, and check the signed lines."""

    help = (
        "Recompute every sheet, hash, result and qualifier from the entries, check the database's "
        "guards, and compare with earlier signed lines. Changes nothing; check_sheets and "
        "check_results can repair with --repair."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--event", help="only the event with this slug")
        parser.add_argument("--line", help="compare with a signed line that was kept elsewhere")
        parser.add_argument(
            "--anchor", action="store_true", help="print a signed line of what is here now"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Check, and fail if anything is wrong."""
        event = None
        if options["event"]:
            event = Event.objects.filter(slug=options["event"]).first()
            if event is None:
                raise CommandError("There is no such event.")
        if options["line"]:
            self.compare(options["line"])
            return
        found = verify(event)
        for each in found:
            parts = [
                each.event,
                each.heat and f"heat {each.heat}",
                each.game and f"game {each.game}",
            ]
            where = ", ".join(str(part) for part in parts if part)
            self.stderr.write(f"{where or 'database'}: {each.what} {each.detail}".rstrip())
        if event is None:
            found += self.lines()
        if found:
            raise CommandError(f"{len(found)} findings.")
        self.stdout.write("Everything follows from the lines of the sheets.")
        if options["anchor"]:
            anchor = make_anchor() or Anchor.objects.last()
            self.stdout.write(f"{anchor}\nkey {public_key()}")

    def lines(self) -> list[Any]:
        """Check every signed line in the database; ``verify`` itself checks only the last."""
        bad = []
        previous = ""
        for anchor in Anchor.objects.order_by("pk").iterator(chunk_size=20):
            if anchor.previous != previous or list(broken_in(anchor)):
                self.stderr.write(f"The line of {anchor.at:%Y-%m-%d %H:%M} does not match.")
                bad.append(anchor)
            previous = anchor.digest
        return bad

    def compare(self, line: str) -> None:
        """Compare with a signed line that was kept elsewhere."""
        try:
            anchor = check_line(line)
        except BadLine as problem:
            raise CommandError(str(problem)) from problem
        if list(broken_in(anchor)):
            raise CommandError("The line does not match the database.")
        self.stdout.write(f"Everything that was here on {anchor.at:%Y-%m-%d %H:%M} is still here.")
