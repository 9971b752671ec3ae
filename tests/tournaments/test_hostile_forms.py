"""Every form of every staff page, filled in with what nobody should type, is answered by a page."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator

import pytest
from django.db import transaction
from django.test import Client

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import finished_heat, make_event, make_heats, make_players
from tests.tournaments.html_forms import posted_by
from tests.tournaments.playoffs.factories import prepared, qualified_event
from tests.tournaments.registration.test_views_desk import url
from tournaments.draws.commands.drafts import draft_heats
from tournaments.models import Event
from tournaments.models.enums import Role

pytestmark = [pytest.mark.django_db, pytest.mark.pages]

HOSTILE = ("", "\0", "\u202e\u200d😀", "x" * 5000, "-1", "9" * 30, "NaN", "9999-12-31T23:59", "²")


def day_1() -> Event:
    """Return an event with a closed heat, two open ones, and a draft."""
    event = make_event(
        buy_in=20000, minutes_per_heat=60, room_plan="1-4", prizes={"shares": [7000, 3000]}
    )
    finished_heat(event)
    make_heats(event, 7)
    make_players(event, 5)
    draft_heats(event=event, by=None)
    return event


def day_2() -> Event:
    """Return an event with a prepared round."""
    event = qualified_event(4)
    prepared(event)
    return event


def shape(address: str) -> str:
    return re.sub(r"\d+", "1", address)


def pages(event: Event, client: Client) -> Iterator[tuple[str, str]]:
    """Return the event's pages and their addresses, one of each kind, found by their links."""
    left, seen = [url(event, "desk")], set()
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


@pytest.mark.parametrize("make", [day_1, day_2])
def test_no_form_is_answered_by_an_error_page(make: Callable[[], Event]) -> None:
    event = make()
    client = client_of(event, Role.OWNER)
    forms = {
        (shape(action or address), *sorted(fields)): (action or address, fields)
        for address, page in pages(event, client)
        for action, fields in posted_by(page)
        if (action or address).startswith("/e/")
    }
    assert len(forms) > 20
    wrong = []
    for action, fields in forms.values():
        for value in HOSTILE:
            sent = dict.fromkeys(fields, value) | {"once": str(uuid.uuid4())}
            with transaction.atomic():
                client.raise_request_exception = False
                status = client.post(action, sent).status_code
                transaction.set_rollback(True)
            if status >= 500:
                wrong.append((action, value[:20]))
    assert wrong == []
