"""Queries of pages about one object with lists (a heat, a sheet, a player); no page is left out."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from scoring.models import Sheet
from tests.tournaments.conftest import client_of
from tests.tournaments.core.test_permissions import TABLE
from tests.tournaments.factories import (
    make_event,
    make_heats,
    make_players,
    make_user,
    play_heat,
    write,
)
from tests.tournaments.registration.test_views_desk import url
from tests.tournaments.test_play_query_counts import PLAYED
from tests.tournaments.test_query_counts import PAGES
from tournaments.heats.commands import close_heat, set_table_number
from tournaments.models import Event, Job, Registration
from tournaments.models.enums import JobStatus, Role
from tournaments.registration.commands.check_in import enter_heat
from tournaments.registration.queries.player_links import token_of

pytestmark = [pytest.mark.django_db, pytest.mark.pages]

#: Page -> the most queries it may take, session and sign-in included.
OWN = {
    "heat": 13,
    "heat_live": 13,
    "heat_game": 9,
    "heat_deals": 9,
    "protocol_pdf": 13,
    "empty_pdf": 12,
    "heat_desk": 26,
    "heat_desk_live": 17,
    "correct_sheet": 14,
    "correct_entry": 14,
    "deal_forgotten": 14,
    "paper_sheet": 16,
    "jobs": 24,  # Two of them for the number of table cards.
    "event_find": 12,
    "cash_player": 12,
    "receipt_pdf": 6,
    "player_edit": 16,
    "player_merge": 14,
    "player_erase": 20,
    "player_page": 16,
    "player_page_now": 16,
    "player_page_series": 6,
    "player": 12,
    "exchange": 13,
    "event_create": 6,
    "timetable": 9,
    "embed_heat": 13,
    "embed_playoffs": 12,
    "organiser_calendar": 8,
    "organiser_feed": 6,
    "sitemap": 4,
    "embed_standings": 12,
    "embed_timetable": 6,
    "event_calendar": 8,
    "event_feed": 8,
    "player_calendar": 10,
    "player_page_data": 20,
}
#: Counted in test_play_query_counts.py, with rows of their own.
DRAFTS = {"draft", "draft_state", "seating_constraints"}
#: Counted by tests of their own in test_query_counts.py and registration/test_views_sign_up.py.
HOME = {"home", "sign_up_sources"}
#: Counted in events/test_organisers.py and privacy/.
OF_ORGANISERS = {"organisers", "organiser", "organiser_contacts", "privacy"}
#: These show one object, whatever the event contains.
NO_LIST = {
    "shared_picture",
    "blank_pdf",
    "draw_script",
    "event_picture",
    "heat_qr",
    "correction_back",
    "heads",
    "import_players",
    "import_spreadsheet",
    "invitation",
    "job_file",
    "picture_set",
    "api",
    "api_description",
    "robots",
    "site_manifest",
    "api_tokens",  # At most twenty.
    "webhooks",  # At most ten.
    "player_slip",
    "room_table",
    "casual",  # At most five tables of this device.
    "casual_begun",
    "casual_manifest",
    "casual_shell",
    "casual_worker",
    "rules_check",
    "rules_open",
    "sign_up",
    "lost_link",
    "verification",
    "verification_banner",
    "adopt",
    "letter",
    "overlay",
    "overlay_now",
    "player_link_cut",
    "player_page_career",
    "player_page_erase",
    "player_page_manifest",
    "player_page_worker",
    "screen",
    "screen_card",
    "screen_picture",
    "screen_qr",
    "screen_set",
    "screen_state",
    "screen_view",
    "screen_worker",
    "series_settings",
}
#: Counted in series/test_series.py and statistics/.
OF_SERIES = {
    *(
        "series",
        "series_export",
        "series_pdf",
        "series_document",
        "series_picture",
        "series_list",
        "series_events",
        "organiser_series",
    ),
    *("series_statistics", "organiser_statistics", "ratings", "career"),
}


def test_every_page_is_counted() -> None:
    pages = {name for name, (method, *_rest) in TABLE.items() if method == "get"}
    listed = {name.split()[0] for name in PAGES}
    counted = set(OWN) | listed | set(PLAYED) | DRAFTS | HOME | OF_ORGANISERS | NO_LIST
    assert pages - counted - OF_SERIES == set()


def filled(size: int) -> tuple[Event, Registration]:
    """Return an event with lists of this length, and a player who has played that often."""
    event = make_event(games_per_heat=1)
    # A player who always loses and enters again, and so has a long history.
    player = make_players(event, 1)[0]
    for number in range(size):
        if number:
            enter_heat(registration=player, by=None)
        heat = make_heats(event, 3, seed=f"history {number}").heats[0]
        others = heat.entries.exclude(registration=player).order_by("pk")
        play_heat(heat, others[0].registration)
        close_heat(heat=heat, by=None)
    assert player.entries.count() == size
    heat = make_heats(event, 4 * size).heats[0]
    for number in range(size):
        set_table_number(heat=heat, table_number=500 + number, by=None)
    sheet = Sheet.objects.get(table=heat.table)
    for number in range(size):
        nobody: dict[str, Any] = {"kind": "none", "phase": number % 3 + 1}
        if number % 3 == 2:
            sheet = write(sheet, {"kind": "last_trick", "seat": number % 4})
            nobody = {"kind": "none", "phase": 3}
        sheet = write(sheet, nobody)
    for _ in range(size):
        Job.objects.create(event=event, kind="print", what="empty", status=JobStatus.FAILED)
    for number in range(size):
        event.timetable.create(name=f"1{number}", starts_at=timezone.now())
    return event, player


def path_of(name: str, event: Event, player: Registration) -> str:
    """Return the address of a page."""
    if name == "event_create":
        return reverse("tournaments:event_create")
    if name == "sitemap":
        return reverse("tournaments:sitemap")
    if name in ("organiser_calendar", "organiser_feed"):
        return reverse(f"tournaments:{name}", args=[event.organiser.slug])
    if name.startswith(("player_page", "player_calendar")):
        return reverse(f"tournaments:{name}", args=[token_of(player)])
    heat = event.heats.filter(status="open").order_by("number")[0]
    more: dict[str, dict[str, object]] = {
        "correct_sheet": {"number": heat.number, "game": 1},
        "heat_game": {"number": heat.number, "game": 1},
        "heat_deals": {"number": heat.number, "game": 1},
        "correct_entry": {"number": heat.number, "game": 1, "entry": 1},
        "deal_forgotten": {"number": heat.number, "game": 1, "deal": 1},
        "paper_sheet": {"number": heat.number, "game": 1},
        "cash_player": {"number": player.number},
        "receipt_pdf": {"number": player.number},
        "player": {"number": player.number},
        "player_edit": {"number": player.number},
        "player_merge": {"number": player.number},
        "player_erase": {"number": player.number},
        "jobs": {},
        "event_find": {},
        "timetable": {},
        "embed_playoffs": {},
        "embed_standings": {},
        "embed_timetable": {},
        "event_calendar": {},
        "event_feed": {},
    }
    return url(event, name, **more.get(name, {"number": heat.number}))


def counted(event: Event, player: Registration, client: Client) -> dict[str, int]:
    """Return how many queries each page takes."""
    found = {}
    for name in OWN:
        path = path_of(name, event, player)
        query = {"q": "a"} if name == "event_find" else {}
        client.get(path, query)
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(path, query)
        assert answer.status_code == 200, name
        found[name] = len(queries)
    return found


def test_queries_of_a_page_do_not_grow_with_its_lists() -> None:
    admin = Client()
    admin.force_login(make_user(is_staff=True, is_superuser=True))
    # Three, so that play-offs are planned in both.
    few = counted(*filled(3), admin)
    event, player = filled(6)
    lots = counted(event, player, admin)
    grown = [
        (name, few[name], lots[name], most)
        for name, most in OWN.items()
        if lots[name] > few[name] or lots[name] > most
    ]
    assert grown == []
    # A role's page takes no more than the administrator's, plus one query for the role.
    staff = counted_as(event, player, client_of(event, Role.DIRECTOR))
    assert staff <= lots["heat_desk"] + 2


def counted_as(event: Event, player: Registration, client: Client) -> int:
    """Return how many queries the director's page of a heat takes."""
    path = path_of("heat_desk", event, player)
    client.get(path)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200
    return len(queries)
