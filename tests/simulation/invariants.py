"""Invariants that hold whatever goes wrong."""

from __future__ import annotations

import io
import json
import uuid
from collections import Counter
from random import Random

from django.core.cache import caches
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from scoring.models import SheetEntry
from tests.simulation.people import Ledger
from tests.simulation.world import Broken
from tests.tournaments.rehearsal.event_checker import check
from tournaments.models import Event, HeatEntry, Qualification, Registration
from tournaments.verify.checks import verify

#: Pages cached for readers without an account.
PAGES = ("event", "standings", "qualified", "result", "player_standings", "playoffs", "draws")


def after_every_step(event: Event, ledger: Ledger) -> None:
    """Cheap checks: acknowledged entries, and who sits where."""
    rows = SheetEntry.objects.filter(sheet__in=ledger.marks).values_list("sheet", "client_id")
    stored = Counter[tuple[int, uuid.UUID]](rows)
    for sheet, marks in ledger.marks.items():
        missing = [mark for mark in marks if stored[sheet, mark] != 1]
        if missing:
            raise Broken(f"sheet {sheet}: {missing} acknowledged, and not stored once")
    seated = HeatEntry.objects.filter(registration__event=event, status__in=["waiting", "seated"])
    through = Qualification.objects.filter(event=event, revoked_at__isnull=True)
    persons = Registration.objects.filter(event=event)
    for what, found in {
        "waits or sits twice": seated.values_list("registration", flat=True),
        "is through twice": through.values_list("registration", flat=True),
        "is registered twice": persons.values_list("person__legal_name", flat=True),
    }.items():
        twice = [who for who, count in Counter(found).items() if count > 1]
        if twice:
            raise Broken(f"{twice} {what}")


def now_and_then(event: Event, chance: Random) -> None:
    """Expensive checks: everything follows from the entries, and cached pages are up to date."""
    found = verify(event)
    if found:
        raise Broken(f"does not follow from the entries: {found}")
    reader = Client()
    for name in chance.sample(PAGES, 3):
        path = reverse(f"tournaments:{name}", args=[event.slug])
        kept = reader.get(path)
        caches["pages"].clear()
        caches["default"].clear()
        made = reader.get(path)
        if (kept.status_code, kept.content) != (made.status_code, made.content):
            raise Broken(f"{path} was kept, and says what is not so any more")


def at_the_end(event: Event) -> None:
    """The event's document must agree with an independent evaluation of its games."""
    out = io.StringIO()
    call_command("export_event", event.slug, stdout=out)
    document = json.loads(out.getvalue())
    check(document)
    if not document["result"]:
        raise Broken("nobody has won")
