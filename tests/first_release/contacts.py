"""What the migration to organisers makes of contacts, printed as one JSON document.

    DATA_DIR=FOLDER_OF_AN_EMPTY_DATABASE python -m tests.first_release.contacts

Writes persons with contacts in the old schema, migrates, and prints where the contacts are.
"""

from __future__ import annotations

import json
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["PLAIN_STATIC"] = "1"
django.setup()

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

BEFORE = ("tournaments", "0021_table_cards")


def write_as_before() -> None:
    """Write three persons, and one account of each kind.

    The persons: one at an event, one merged into that one, one at no event.
    """
    executor = MigrationExecutor(connection)
    executor.migrate([BEFORE])
    apps = executor.loader.project_state([BEFORE]).apps
    user, event, person, registration, merge = (
        apps.get_model(*name.split("."))
        for name in (
            "auth.User",
            "tournaments.Event",
            "tournaments.Person",
            "tournaments.Registration",
            "tournaments.PersonMerge",
        )
    )
    user.objects.create(username="boss", is_superuser=True, is_staff=True)
    user.objects.create(username="maker", is_staff=True)
    user.objects.create(username="floor")
    one, other = (event.objects.create(slug=slug, name=slug) for slug in ("one", "other"))
    anna = person.objects.create(legal_name="Anna", email="anna@example.org", note="wheelchair")
    ana = person.objects.create(legal_name="Ana", phone="070", merged_into=anna)
    person.objects.create(legal_name="Nobody", email="nobody@example.org")
    registration.objects.create(event=one, person=anna, number=1)
    moved = registration.objects.create(event=other, person=anna, number=1)
    merge.objects.create(kept=anna, merged=ana, registrations=[moved.pk])


def look() -> dict[str, object]:
    """Migrate to the end, and return what is there."""
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    from tournaments.models import LogEntry, OrganiserMember, Person, Registration

    return {
        "registrations": list(
            Registration.objects.order_by("pk").values_list("event__slug", "email", "phone", "note")
        ),
        "members": list(OrganiserMember.objects.values_list("user__username", "is_owner")),
        "logged": list(LogEntry.objects.values_list("object_label", "before")),
        "public_ids": Person.objects.values("public_id").distinct().count(),
    }


if __name__ == "__main__":
    write_as_before()
    print(json.dumps(look()))
