"""What today's program makes of the first release's database, printed as one JSON document.

    DATA_DIR=FOLDER_OF_THE_DATABASE python -m tests.first_release.opened

Migrates the database and then uses it as people do: checks sheets, exports events, downloads lists
as a director. It is a separate process, because a test's database is not the one in ``DATA_DIR``.
"""

from __future__ import annotations

import csv
import io
import json
import os
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["PLAIN_STATIC"] = "1"
django.setup()

from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from tournaments.verify.guards import broken

#: The lists' addresses in the first release, and now.
LISTS = {
    "result": "result",
    "standings": "standings/heats",
    "qualified": "qualified",
    "players": "standings",
    "desk/registrations": "desk/registrations",
    "desk/cash": "desk/cash",
}


def printed(*command: str) -> str:
    """Return what a command prints."""
    out = io.StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def chains() -> dict[str, str]:
    """Return the last hash of every sheet."""
    rows = apps.get_model("scoring", "SheetEntry").objects.order_by("sheet", "sequence")
    return {f"sheet {row.sheet_id}": row.hash for row in rows}


def counts() -> dict[str, int]:
    """Return the number of rows in each of the program's tables."""
    return {
        model._meta.label: model._default_manager.count()
        for app in ("scoring", "tournaments")
        for model in apps.get_app_config(app).get_models()
    }


def lists(slug: str, director: Client) -> dict[str, list[list[str]]]:
    """Return the cells of everything that a director can download, without headings."""
    found = {}
    for name, path in LISTS.items():
        answer = director.get(f"/e/{slug}/{path}.csv")
        assert answer.status_code == 200, (slug, name, answer.status_code)
        found[name] = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))[1:]
    return found


def organisers() -> list[dict[str, Any]]:
    """Return who owns events and persons, and who may create more."""
    return [
        {
            "events": organiser.events.count(),
            "persons": organiser.persons.count(),
            "members": {row.user.username: row.is_owner for row in organiser.members.all()},
        }
        for organiser in apps.get_model("tournaments", "Organiser").objects.all()
    ]


def look() -> dict[str, Any]:
    """Migrate, and return what is there."""
    call_command("migrate", verbosity=0)
    sheets = printed("check_sheets")
    results = printed("check_results")
    director = Client(headers={"host": "localhost"})
    director.force_login(User.objects.get(username="arne"))
    slugs = [event.slug for event in apps.get_model("tournaments", "Event").objects.order_by("pk")]
    return {
        "sheets": sheets,
        "results": results,
        "chains": chains(),
        "counts": counts(),
        "broken_guards": broken(),
        "organisers": organisers(),
        "lists": {slug: lists(slug, director) for slug in slugs},
        "documents": {slug: printed("export_event", slug) for slug in slugs},
    }


if __name__ == "__main__":
    print(json.dumps(look()))
