"""No page writes or contains a person's database id, and pages with contacts are not cached."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse

from scoring.enums import LinkRole
from scoring.models import Sheet
from scoring.reading.links import show_token
from scoring.writing import create_link
from tests.tournaments.core.test_links import BY_LINK
from tests.tournaments.core.test_permissions import TABLE, WITHOUT_EVENT
from tests.tournaments.factories import make_heats, make_person, make_players, make_user, write
from tests.tournaments.playoffs.factories import drafted, played_round, qualified_event
from tournaments.core.mail import MAIL
from tournaments.core.organisers import the_organiser
from tournaments.draws.commands.drafts import draft_heats
from tournaments.events.commands.invitations import invite
from tournaments.events.queries.accounts import token_of as token_of_invitation
from tournaments.models import Event, Job, Person, Screen
from tournaments.models.enums import DrawStatus, MailKind, Role
from tournaments.registration.commands.merges import merge_persons
from tournaments.registration.commands.people import change_player
from tournaments.registration.queries.import_preview import SPREADSHEET
from tournaments.registration.queries.player_links import token_of
from tournaments.registration.queries.sheets.text import read_text

pytestmark = [pytest.mark.django_db, pytest.mark.pages]

READS = re.compile(
    r"\s*(SELECT|DECLARE \S+ NO SCROLL CURSOR FOR SELECT"
    r"|SAVEPOINT|RELEASE SAVEPOINT|ROLLBACK TO SAVEPOINT)\b",
    re.IGNORECASE,
)
LOCKS = re.compile(r"\bFOR (NO KEY )?(UPDATE|SHARE)\b", re.IGNORECASE)
#: Written by any request, whatever its page: the session; and who looks at contacts.
OF_A_REQUEST = re.compile(
    r'\b(INTO|UPDATE|FROM) "(django_session|tournaments_contactsseen)"', re.IGNORECASE
)


def writes(client: Client, path: str) -> list[str]:
    """Return the statements of a GET that write; for a signed-in account the page must open."""
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(path)
    # A closed sheet can no longer be corrected (409).
    there = {200, 301, 302, 303, 409} | (set() if client.session.keys() else {403, 404})
    assert answer.status_code in there, (path, answer.status_code)
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
    # Files that were never made or uploaded, and a correction that nobody made.
    files = {"correction_back", "job_file", "import_spreadsheet", "event_picture", "screen_picture"}
    for name, (method, arguments, _row) in TABLE.items():
        if method != "get" or "token" in arguments or name in files:
            continue
        if name == "playoffs_round" and not event.stages.playoffs():
            continue
        # Nobody has agreed to a page over all events.
        if "series" in arguments or "person" in arguments:
            continue
        outside = name in WITHOUT_EVENT or "organiser" in arguments
        own = {} if outside else {"slug": event.slug}
        found.append(reverse(f"tournaments:{name}", kwargs=own | arguments | more.get(name, {})))
    token = token_of(event.registrations.order_by("number")[0])
    found += [reverse(f"tournaments:{n}", args=[token]) for n in ("player_page", "player_page_now")]
    for heat in event.heats.filter(number__in=[1, event.heats.count()]):
        found.append(reverse("tournaments:heat_desk", args=[event.slug, heat.number]))
        for role, column in zip((LinkRole.AUDITOR, LinkRole.READER), range(2), strict=True):
            link = show_token(link=create_link(table_id=heat.table_id or 0, role=role, by="test"))
            for name, (method, row) in BY_LINK.items():
                if method == "get" and row[column] == "r":
                    more = [1, 1] if name.startswith(("entry_correct", "deal_")) else []
                    found.append(reverse(f"scoring:{name}", args=[link, *more]))
    for to, role in ((event, Role.FLOOR), (event.organiser, None)):
        asked = invite(to=to, role=role, by=None)
        found.append(reverse("tournaments:invitation", args=[token_of_invitation(asked)]))
    return found + OUTSIDE


#: Addresses outside events. Without an account one is redirected to the sign-in.
OUTSIDE = ["/healthz", "/readyz", "/accounts/login/", "/accounts/sessions/", "/accounts/2fa/",
           "/accounts/password/change/", "/admin/", "/admin/tournaments/logentry/",
           "/admin/tournaments/registration/"]  # fmt: skip


def first_day(**fields: Any) -> Event:
    """Return an event with a closed heat, a running one, and the draft of a third."""
    event = qualified_event(1, **fields)
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
    Screen.objects.create(event=event, number=1, name="Bar", digest="bar")
    admin = Client()
    admin.force_login(make_user(is_staff=True, is_superuser=True))
    every = paths(event)
    for client in (admin, Client()):
        wrong = {path: found for path in every if (found := writes(client, path))}
        assert wrong == {}


EMAIL, PHONE, NOTE = "hemlig@example.org", "070-1234567", "said quietly"
#: No other number has this many digits.
FAR = 814_000_000_000


def far_away() -> None:
    """Make persons' ids start where nothing else is counted."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            name = "pg_get_serial_sequence('tournaments_person', 'id')"
            cursor.execute(f"SELECT setval({name}, {FAR})")
    # SQLite continues from here, and so does the query for the last id.
    Person.objects.create(pk=FAR, organiser=the_organiser(), legal_name="Nobody")


def test_contacts_are_not_cached_and_persons_ids_not_shown() -> None:
    far_away()
    # A new event: others may have been stored earlier.
    event = first_day(slug="far-away")
    players = list(event.registrations.select_related("person").order_by("-number"))
    for player in players:
        assert player.person_id > FAR
        contacts = {"email": EMAIL, "phone": PHONE, "note": NOTE}
        change_player(registration=player, by=None, club="Club", **contacts)
        Job.objects.create(
            kind=MAIL,
            what=MailKind.RESULT,
            event=event,
            registration=player,
            parameters={"address": EMAIL},
        )
    book = read_text(f"name;e-mail\nEva Ek;{EMAIL}").as_json()
    read = Job.objects.create(kind=SPREADSHEET, event=event, status="done", result=book)
    merge_persons(kept=players[0].person, merged=make_person("Somebody Else"), event=event, by=None)
    admin = Client()
    admin.force_login(make_user(is_staff=True, is_superuser=True))
    private, cached, numbered, with_contacts = set(), set(), set(), set()
    more = [
        reverse("tournaments:import_spreadsheet", args=[event.slug, read.pk]),
        f"/admin/tournaments/registration/{players[0].pk}/change/",
    ]
    for path in [*paths(event), *more]:
        answer = admin.get(path)
        content = b"".join(answer) if answer.streaming else answer.content
        text = content.decode(errors="replace")
        public = getattr(resolve(path).func, "cached_query", None) is not None
        if not public and "no-store" not in answer.get("Cache-Control", ""):
            private.add(path)
        if any(secret in text for secret in (EMAIL, PHONE, NOTE)):
            with_contacts.add(path)
            if "no-store" not in answer.get("Cache-Control", ""):
                cached.add(path)
        if str(FAR)[:7] in text:
            numbered.add(path)
    assert len(with_contacts) >= 4, with_contacts
    # The log only says that they were changed.
    assert not [path for path in with_contacts if path.endswith("/log/")]
    assert (cached, numbered) == (set(), set())
    # A heat's protocol shows what its public page shows, and a table's shell holds no data.
    kept = {"protocol_pdf", "table_detail", "casual_shell"}
    assert {resolve(path).url_name for path in private} <= kept
