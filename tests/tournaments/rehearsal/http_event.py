"""An event as its staff run it through the pages, for the festivals played over HTTP."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any
from urllib.parse import urlsplit

from django.core.management import call_command
from django.urls import reverse

from tests.tournaments.rehearsal.event_checker import check
from tests.tournaments.rehearsal.http_people import PASSWORD, Auditor, Person, sit_down
from tournaments.events.commands import first_run

STAFF = {"dirigent": "director", "golv": "floor", "kassa": "cashier"}


def errors_of(html: str) -> list[str]:
    """Return a page's form errors."""
    return re.findall(
        r'class="[^"]*(?:invalid-feedback|alert|notice-error)[^"]*"[^>]*>(.*?)</', html, re.DOTALL
    )


class Event:
    """An event with its staff, and its players by name: name -> number."""

    def __init__(self, format: str = "festival", **settings: Any) -> None:
        self.slug = str(settings["slug"])
        self.public = Person(self.slug)
        self.owner = Person(self.slug)
        self._installation()
        page = self.owner.goes("/events/new/", format=format)
        form = next(form for form in page.forms() if "slug" in form.fields)
        data = form.filled(**settings)
        answer = self.owner.client.post(form.action or page.path, data)
        assert answer.status_code == 303, errors_of(answer.content.decode())
        self.public.opens("event", 404)
        self.director, self.floor, self.cashier = (self._staff(name) for name in STAFF)
        self.owner.does(self.owner.opens("desk"), "event_status")
        assert self.slug in self.public.goes("/").html
        self.numbers: dict[str, int] = {}

    def _installation(self) -> None:
        """Create the first account with the code from the console."""
        path = reverse("first_run")
        form = self.owner.goes(path).form("")
        data = form.filled(
            code=first_run.setup_code(), username="tove", password1=PASSWORD, password2=PASSWORD
        )
        assert self.owner.client.post(path, data).status_code == 302

    def _staff(self, name: str) -> Person:
        """Have the owner invite somebody, who creates an account through the link."""
        page = self.owner.opens("staff_invite")
        form = next(form for form in page.forms() if "note" in form.fields)
        data = form.filled(role=STAFF[name], note=name)
        answer = self.owner.client.post(form.action or page.path, data, follow=True)
        link = re.findall(r"https?://\S+?/invitation/[^\s<\"]+", answer.content.decode())[0]
        person = Person(self.slug)
        path = urlsplit(link).path
        form = next(form for form in person.goes(path).forms() if "username" in form.fields)
        account = form.filled(username=name, password1=PASSWORD, password2=PASSWORD)
        welcome = person.page_of(path, person.client.post(path, account, follow=True), 200)
        assert "Welcome" in welcome.text
        # The link works only once.
        Person(self.slug).goes(path, 410)
        return person

    # --- the desk --------------------------------------------------------------------------

    def registers(self, players: list[str], *, here: bool = True) -> None:
        """Have the cashier register people as they arrive."""
        form = self.cashier.opens("desk").form(self.cashier.url("player_register"))
        for name in players:
            data = form.filled(legal_name=name, here=["on"] if here else [])
            answer = self.cashier.taps("player_register", data=data)
            found = re.search(rf"{name}\D+(\d+)", answer.text)
            assert found, answer.text
            self.numbers[name] = int(found[1])

    def known_as(self, number: int) -> str:
        """Return a player's name."""
        return next(name for name, each in self.numbers.items() if each == number)

    # --- the tables ------------------------------------------------------------------------

    def plays(self, heat: int) -> Auditor:
        """Play a heat; its first player by name wins, the second comes second."""
        auditor = sit_down(self.floor, heat)
        best, second = sorted(auditor.players)[:2]
        auditor.games([best, best, second])
        auditor.sign()
        return auditor

    def qualified(self) -> list[str]:
        """Return the qualified players in order, from the public download."""
        return [row["Player"] for row in self.table("qualified_export")]

    def table(self, name: str) -> list[dict[str, str]]:
        """Return a downloaded CSV table's rows."""
        answer = self.public.client.get(self.public.url(name, fmt="csv"))
        assert answer.status_code == 200
        return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))

    # --- the end ---------------------------------------------------------------------------

    def document(self) -> dict[str, Any]:
        """Return the event's exported document, after checking it with the second evaluation."""
        out = io.StringIO()
        call_command("export_event", self.slug, stdout=out)
        document: dict[str, Any] = json.loads(out.getvalue())
        check(document)
        return document
