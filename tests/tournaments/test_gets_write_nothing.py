"""No GET writes: whatever is shown was there before."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.enums import LinkRole
from scoring.models import Sheet
from scoring.writing import create_link, show_token
from tests.tournaments.core.test_permissions import TABLE, WITHOUT_EVENT
from tests.tournaments.factories import make_heats, make_players, make_user, write
from tests.tournaments.playoffs.factories import drafted, played_round, qualified_event
from tournaments.draws.commands.drafts import draft_heats
from tournaments.models import Event
from tournaments.models.enums import DrawStatus
from tournaments.registration.commands.player_links import token_of

pytestmark = [pytest.mark.django_db, pytest.mark.pages]

READS = re.compile(
    r"\s*(SELECT|SAVEPOINT|RELEASE SAVEPOINT|ROLLBACK TO SAVEPOINT)\b", re.IGNORECASE
)
LOCKS = re.compile(r"\bFOR (NO KEY )?(UPDATE|SHARE)\b", re.IGNORECASE)
#: What a request itself keeps, whatever its page shows: the session.
OF_A_REQUEST = re.compile(r'\b(INTO|UPDATE|FROM) "django_session"', re.IGNORECASE)


def writes(client: Client, path: str) -> list[str]:
    """Return the statements of a GET that are not reads; the page must be there."""
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(path)
    assert answer.status_code in {200, 301, 302}, (path, answer.status_code)
    return [
        query["sql"]
        for query in queries
        if (not READS.match(query["sql"]) or LOCKS.search(query["sql"]))
        and not OF_A_REQUEST.search(query["sql"])
    ]


def paths(event: Event) -> list[str]:
    """Return the addresses of all pages of an event and of the links into it."""
    found = []
    draft = {"number": event.draws.get(status=DrawStatus.DRAFT).number}
    running = {"number": event.heats.order_by("-number")[0].number}
    more = {"draft": draft, "draft_state": draft, "heat_qr": running}
    # Files that were never made or sent.
    files = {"job_file", "import_spreadsheet", "event_picture"}
    for name, (method, arguments, _row) in TABLE.items():
        if method != "get" or "token" in arguments or name in files:
            continue
        outside = name in WITHOUT_EVENT or "organiser" in arguments
        own = {} if outside else {"slug": event.slug}
        found.append(reverse(f"tournaments:{name}", kwargs=own | arguments | more.get(name, {})))
    token = token_of(event.registrations.order_by("number")[0])
    found += [reverse(f"tournaments:{n}", args=[token]) for n in ("player_page", "player_page_now")]
    for heat in event.heats.filter(number__in=[1, event.heats.count()]):
        found.append(reverse("tournaments:heat_desk", args=[event.slug, heat.number]))
        for role in LinkRole:
            link = show_token(link=create_link(table_id=heat.table_id or 0, role=role, by="test"))
            found += [reverse(f"scoring:{n}", args=[link]) for n in ("table_detail", "table_live")]
    return found


def first_day() -> Event:
    """Return an event with a closed heat, one that is played, and the draft of a third."""
    event = qualified_event(1)
    heat = make_heats(event, 4).heats[0]
    sheet = Sheet.objects.get(table=heat.table)
    write(sheet, {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"})
    make_players(event, 4)
    draft_heats(event=event, by=None)
    return event


def play_offs() -> Event:
    """Return an event whose next round of the play-offs is drafted."""
    event = qualified_event(9)
    played_round(event)
    drafted(event)
    return event


@pytest.mark.parametrize("make", [first_day, play_offs])
def test_no_get_writes(make: Callable[[], Event]) -> None:
    event = make()
    admin = Client()
    admin.force_login(make_user(is_staff=True, is_superuser=True))
    wrong = {path: found for path in paths(event) if (found := writes(admin, path))}
    assert wrong == {}
