"""Every form of every staff page, filled in with what nobody should type, is answered by a page."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterable, Iterator

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.conftest import client_of
from tests.tournaments.core.test_links import PLAYERS_OWN
from tests.tournaments.core.test_permissions import TABLE, WITHOUT_EVENT
from tests.tournaments.factories import (
    finished_heat,
    make_event,
    make_heats,
    make_players,
    play_game,
)
from tests.tournaments.html_forms import posted_by
from tests.tournaments.playoffs.factories import prepared, qualified_event
from tests.tournaments.registration.test_views_desk import url
from tournaments.draws.commands.drafts import draft_heats
from tournaments.models import Event, HeatEntry
from tournaments.models.enums import Role
from tournaments.registration.queries.player_links import token_of

pytestmark = [pytest.mark.django_db, pytest.mark.pages]

HOSTILE = ("", "\0", "\u202e\u200d😀", "x" * 5000, "-1", "9" * 30, "NaN", "9999-12-31T23:59", "²")


def day_1() -> Event:
    """Return an event with a closed heat, two open ones, of which one has a game, and a draft."""
    event = make_event(
        buy_in=20000,
        minutes_per_heat=60,
        room_plan="1-4",
        prizes={"shares": [7000, 3000]},
        acceptance="majority",
        sign_up_opens_at=timezone.now(),
    )
    finished_heat(event)
    table = make_heats(event, 7).heats[0].table
    assert table is not None
    play_game(table.sheets.get(number=1))
    make_players(event, 5)
    draft_heats(event=event, by=None)
    return event


def day_2() -> Event:
    """Return an event with a prepared round."""
    event = qualified_event(4, sign_up_opens_at=timezone.now())
    prepared(event)
    return event


def shape(address: str) -> str:
    return re.sub(r"\d+", "1", re.sub("^/p/[^/]+", "/p/own", address))


def pages(event: Event, client: Client, first: str) -> Iterator[tuple[str, str]]:
    """Return pages and their addresses, one of each kind, found by their links from the first."""
    left, seen = [url(event, first)], set()
    while left:
        address = left.pop()
        answer = client.get(address)
        if answer.status_code != 200 or "html" not in answer["Content-Type"]:
            continue
        page = answer.content.decode()
        yield address, page
        for link in re.findall(r'href="([^"#?]+)"', page):
            kind = shape(link)
            ours = link.startswith(f"/e/{event.slug}/") and not re.search(r"\.\w+$", link)
            if ours and kind not in seen:
                seen.add(kind)
                left.append(link)


Forms = dict[tuple[str, ...], tuple[str, set[str]]]


def forms_of(found: Iterable[tuple[str, str]]) -> Forms:
    """Return the forms of these pages, one of each kind: where they are sent, and their fields."""
    return {
        (shape(action or address), *sorted(fields)): (action or address, fields)
        for address, page in found
        for action, fields in posted_by(page)
    }


def error_pages(client: Client, forms: Forms) -> list[tuple[str, str]]:
    """Fill in each form with each hostile value; return those answered by an error page."""
    client.raise_request_exception = False
    wrong = []
    for action, fields in forms.values():
        for value in HOSTILE:
            sent = dict.fromkeys(fields, value) | {"once": str(uuid.uuid4())}
            # No atomic block: attempts are counted in transactions of their own.
            before = transaction.savepoint()
            status = client.post(action, sent).status_code
            transaction.savepoint_rollback(before)
            if status >= 500:
                wrong.append((action, value[:20]))
    return wrong


@pytest.mark.parametrize("make", [day_1, day_2])
def test_no_form_of_the_staff_is_answered_by_an_error_page(make: Callable[[], Event]) -> None:
    event = make()
    client = client_of(event, Role.OWNER)
    forms = forms_of(pages(event, client, "desk"))
    assert len([key for key in forms if key[0].startswith("/e/")]) > 20
    assert error_pages(client, forms) == []


@pytest.mark.parametrize("make", [day_1, day_2])
def test_no_form_of_players_or_the_public_is_answered_by_an_error_page(
    make: Callable[[], Event], client: Client
) -> None:
    event = make()
    own = {
        reverse("tournaments:player_page", args=[token_of(player)])
        for player in event.registrations.all()
    }
    found = [(address, client.get(address).content.decode()) for address in own]
    forms = forms_of([*pages(event, client, "event"), *found])
    forms = {key: form for key, form in forms.items() if key[0].startswith(("/e/", "/p/"))}
    shown = {address for address, *_fields in forms}
    assert {"/p/own/name/", "/p/own/pin/"} <= shown
    # The sign-up closes with the play-offs.
    assert (shape(url(event, "sign_up")) in shown) == (make is day_1)
    # What the pages do not show just now can be sent all the same.
    fields = {field for _action, names in forms.values() for field in names}
    forms[("sign_up",)] = (url(event, "sign_up"), fields)
    # Of somebody at a table, if there is one.
    entry = HeatEntry.objects.filter(heat__event=event).order_by("-heat__status", "pk")[0]
    token = token_of(entry.registration)
    for name, (method, *_rest) in TABLE.items():
        if name in PLAYERS_OWN and method == "post":
            forms[(name,)] = (reverse(f"tournaments:{name}", args=[token]), fields)
    assert error_pages(client, forms) == []


def test_no_number_in_an_address_is_too_long() -> None:
    """SQLite takes 64 bits only."""
    event = day_1()
    client = client_of(event, Role.OWNER)
    client.raise_request_exception = False
    found = {}
    for name, (method, arguments, _row) in TABLE.items():
        numbers = {key for key, value in arguments.items() if isinstance(value, int)}
        if numbers and name not in WITHOUT_EVENT:
            long = dict.fromkeys(numbers, 10**30)
            address = url(event, name, **(arguments | long))
            found[name] = getattr(client, method)(address).status_code
    assert len(found) > 50
    assert {name: status for name, status in found.items() if status >= 500} == {}
