"""No role is shown a link that does not open, or a button that only refuses the role.

Each role follows every link on every page that it is shown, and presses every button once. Each
button's effect is rolled back, so that the next one finds the event as it was.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import transaction
from django.test import Client
from django.urls import resolve

from scoring.models import Sheet
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_heats, make_players, write
from tests.tournaments.html_forms import Page
from tests.tournaments.playoffs.factories import (
    drafted,
    finished_event,
    prepared,
    qualified_event,
)
from tournaments.draws.commands.drafts import draft_heats
from tournaments.models import Event
from tournaments.models.enums import EventStatus, Role

pytestmark = [pytest.mark.django_db, pytest.mark.pages]

WHO = ("public", *Role.values)
#: Every role in the slow run.
SOME = ("public", Role.CASHIER, Role.DIRECTOR)


def new_draft() -> Event:
    """An event that is being set up."""
    return make_event(status=EventStatus.DRAFT)


def first_day() -> Event:
    """Closed heats, an open one with entries, and players who wait or are not here."""
    event = qualified_event(1)
    heat = make_heats(event, 4).heats[0]
    sheet = Sheet.objects.get(table=heat.table)
    write(
        sheet,
        {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"},
        {"kind": "ruling", "action": "points", "seat": 1, "points": 2, "reason": "late"},
    )
    make_players(event, 6)
    make_players(event, 1, here=False)
    return event


def with_a_draft() -> Event:
    """Heats drawn, not published."""
    event = first_day()
    draft_heats(event=event, by=None)
    return event


def round_prepared() -> Event:
    """Five qualified players and a lucky loser."""
    event = qualified_event(5)
    prepared(event)
    return event


def round_drafted() -> Event:
    """The final is drawn, not published."""
    event = qualified_event(4)
    drafted(event)
    return event


def finished() -> Event:
    """Everything played."""
    event = finished_event(4)
    Event.objects.filter(pk=event.pk).update(status=EventStatus.FINISHED)
    return event


STATES: list[Any] = [
    new_draft,
    first_day,
    pytest.param(with_a_draft, marks=pytest.mark.slow),
    pytest.param(round_prepared, marks=pytest.mark.slow),
    pytest.param(round_drafted, marks=pytest.mark.slow),
    pytest.param(finished, marks=pytest.mark.slow),
]


def browser(event: Event, who: str) -> Client:
    """Return a role's browser; a crash is shown as its error page."""
    client = Client() if who == "public" else client_of(event, Role(who))
    client.raise_request_exception = False
    return client


def kind(path: str) -> str:
    """Return an address's kind of page, ignoring which heat or player it is about."""
    found = resolve(path)
    fmt = found.kwargs.get("fmt", "")
    return f"{found.view_name} {fmt}".strip()


def inside(path: str, event: Event) -> bool:
    """Whether an address belongs to the event."""
    return path.startswith((f"/e/{event.slug}/", "/s/", "/p/"))


def walk(event: Event, client: Client, who: str) -> tuple[dict[str, Page], list[Any]]:
    """Follow every link from the event's page and the desk; return the pages, and failed links."""
    waiting = [f"/e/{event.slug}/", f"/e/{event.slug}/desk/"]
    pages: dict[str, Page] = {}
    bad: list[Any] = []
    seen: set[str] = set()
    taken: Counter[str] = Counter()
    while waiting:
        path = waiting.pop()
        # One page of each kind is enough; of heats two, as one may be closed and one open.
        what = kind(urlsplit(path).path)
        if path in seen or taken[what] > ("heat" in what):
            continue
        seen.add(path)
        taken[what] += 1
        answer = client.get(path)
        if answer.status_code != 200:
            bad.append((path, answer.status_code))
            continue
        if "text/html" not in answer["Content-Type"]:
            continue
        text = answer.content.decode()
        pages[path] = Page(path, 200, text)
        links = [html.unescape(each) for each in re.findall(r'(?:href|hx-get)="([^"]*)"', text)]
        for link in links:
            parts = urlsplit(link)
            target = f"{parts.path}?{parts.query}" if parts.query else parts.path
            if not parts.path and parts.query:
                target = f"{urlsplit(path).path}?{parts.query}"
            if inside(target, event):
                waiting.append(target)
    return pages, bad


def press(event: Event, client: Client, pages: dict[str, Page]) -> list[Any]:
    """Press every button of these pages once; return those that crash or refuse the role."""
    bad: list[Any] = []
    pressed: set[tuple[str, str]] = set()
    for path, page in pages.items():
        for form in page.forms():
            target = form.action or urlsplit(path).path
            if form.method != "post" or not form.buttons or not inside(target, event):
                continue
            what = (kind(urlsplit(path).path), kind(target))
            if what in pressed:
                continue
            pressed.add(what)
            with transaction.atomic():
                answer = client.post(target, form.filled())
                transaction.set_rollback(True)
            if answer.status_code in {403, 404, 405} or answer.status_code >= 500:
                bad.append((path, target, answer.status_code))
    return bad


@pytest.mark.parametrize("roles", [SOME, pytest.param(WHO, marks=pytest.mark.slow)], ids=len)
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_every_link_opens_and_every_button_is_permitted(
    state: Callable[[], Event], roles: tuple[str, ...]
) -> None:
    event = state()
    failed = []
    for who in roles:
        if who == "public" and event.status == EventStatus.DRAFT:
            continue
        client = browser(event, who)
        if who == "public":
            assert client.get(f"/e/{event.slug}/desk/").status_code == 302
        pages, bad = walk(event, client, who)
        if who == "public":
            bad = [each for each in bad if each != (f"/e/{event.slug}/desk/", 302)]
        bad += press(event, client, pages)
        failed += [(who, *each) for each in bad]
    assert not failed, "\n".join(map(str, failed))
