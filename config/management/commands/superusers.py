"""``manage.py superusers``: list the superusers, or end one's rights."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management import BaseCommand, CommandError
from django.db import transaction

from tournaments.core.organisers import the_organiser, where_member
from tournaments.events.commands.events import give_role
from tournaments.events.commands.organisers import set_member
from tournaments.models import Event
from tournaments.models.enums import Role


class Command(BaseCommand):
    """List the superusers, or make one an ordinary director."""

    help = (
        "Lists the accounts that may do everything at all events. --end makes one an ordinary "
        "director, who keeps their own events and owns those that would have no owner."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--end", metavar="ACCOUNT", help="end this superuser's rights")

    def handle(self, *args: Any, **options: Any) -> None:
        superusers = User.objects.filter(is_superuser=True).order_by("username")
        if options["end"]:
            user = superusers.filter(username=options["end"]).first()
            if user is None:
                raise CommandError(f"{options['end']} is not a superuser.")
            self.end(user)
        for user in superusers.all():
            self.stdout.write(user.get_username())
        if not superusers.all():
            self.stdout.write("Nobody is a superuser; manage.py createsuperuser makes one.")

    @transaction.atomic
    def end(self, user: User) -> None:
        """Reduce the account to a director; it becomes the owner of events without one."""
        user.is_superuser = False
        user.save(update_fields=["is_superuser"])
        if not where_member(user).exists():
            set_member(organiser=the_organiser(), user=user, is_owner=False, by=user)
        for event in Event.objects.exclude(roles__role=Role.OWNER):
            give_role(event=event, user=user, role=Role.OWNER, by=user)
            self.stdout.write(f"{user.get_username()} owns {event.slug} now.")
