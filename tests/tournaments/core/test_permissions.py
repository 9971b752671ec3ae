"""Every address under every role in every state of an event, in one table."""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse

from scoring.enums import LinkRole
from scoring.models import Sheet
from scoring.reading.links import show_token
from scoring.writing import create_link
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import (
    finished_heat,
    make_event,
    make_heats,
    make_players,
    make_user,
    write,
)
from tournaments.draws.commands.drafts import draft_heats
from tournaments.events.commands.events import set_event_status
from tournaments.models import Event, Penalty, Registration, Screen
from tournaments.models.enums import EventStatus, Role
from tournaments.registration.queries.player_links import token_of
from tournaments.series.commands.series import create_series
from tournaments.urls import urlpatterns

WHO = ("public", "stranger", "cashier", "floor", "judge", "director", "owner", "admin")
#: Link holders have no account: a link opens no other addresses.
LINKS = ("auditor", "player")
STATES = (EventStatus.DRAFT, EventStatus.OPEN, EventStatus.FINISHED)
#: Answers by column: r = the page or its action, s = sign in, 4 = not found, 3 = forbidden.
ALL = "rrrrrrrr"
STAFF = "s4rrrrrr"
DESK = "s4r33rrr"
FLOOR = "s43rrrrr"
JUDGE = "s433rrrr"
DIRECTOR = "s4333rrr"
OWNER = "s43333rr"
CASHIER = "s4r333rr"
NOBODY = "44444444"
ADMIN = "s444444r"

#: name -> (method, arguments besides the event, who may)
TABLE: dict[str, tuple[str, dict[str, object], str]] = {
    "home": ("get", {}, ALL),
    "casual": ("get", {}, ALL),
    "casual_practice": ("post", {}, ALL),
    "casual_begin": ("post", {}, ALL),
    "casual_blank": ("post", {"rules": "sm"}, ALL),
    "casual_begun": ("get", {"begun": uuid.UUID(int=1)}, ALL),
    "casual_shell": ("get", {}, ALL),
    "casual_worker": ("get", {}, ALL),
    "casual_manifest": ("get", {}, ALL),
    "event_create": ("get", {}, "s333333r"),
    # The account's role with an organiser counts there, not a role at an event.
    "organisers": ("get", {}, "s333333r"),
    "organiser": ("get", {"organiser": "organiser"}, ADMIN),
    "member_set": ("post", {"organiser": "organiser"}, ADMIN),
    "member_remove": ("post", {"organiser": "organiser"}, ADMIN),
    "member_invite": ("post", {"organiser": "organiser"}, ADMIN),
    "member_invite_revoke": ("post", {"organiser": "organiser"}, ADMIN),
    "organiser_contacts": ("get", {"organiser": "organiser"}, ADMIN),
    "organiser_series": ("get", {"organiser": "organiser"}, ADMIN),
    "series_agree": ("post", {"organiser": "organiser"}, ADMIN),
    "series_leave": ("post", {"organiser": "organiser"}, ADMIN),
    "series_list": ("get", {}, ALL),
    "series": ("get", {"series": "tour"}, ALL),
    "series_statistics": ("get", {"series": "tour"}, ALL),
    "ratings": ("get", {"organiser": "organiser"}, ALL),
    "organiser_statistics": ("get", {"organiser": "organiser"}, ALL),
    "series_export": ("get", {"series": "tour", "fmt": "csv"}, ALL),
    "series_pdf": ("get", {"series": "tour"}, ALL),
    "series_document": ("get", {"series": "tour"}, ALL),
    "series_picture": ("get", {"series": "tour", "language": "sv"}, ALL),
    "series_settings": ("get", {"series": "tour"}, "s333333r"),
    "series_events": ("get", {"series": "tour"}, "s333333r"),
    "series_remove": ("post", {"series": "tour"}, "s333333r"),
    "series_outside": ("post", {"series": "tour"}, "s333333r"),
    "player_page_series": ("get", {"token": "forged"}, NOBODY),
    "player_page_apart": ("post", {"token": "forged"}, NOBODY),
    "player_page_career": ("get", {"token": "forged"}, NOBODY),
    "career": ("get", {"organiser": "organiser", "person": uuid.UUID(int=1)}, NOBODY),
    "event": ("get", {}, ALL),
    "event_now": ("get", {}, ALL),
    "event_find": ("get", {}, ALL),
    "standings": ("get", {}, ALL),
    "standings_export": ("get", {"fmt": "csv"}, ALL),
    "qualified": ("get", {}, ALL),
    "qualified_export": ("get", {"fmt": "xlsx"}, ALL),
    "draws": ("get", {}, ALL),
    "draw": ("get", {"number": 1}, ALL),
    "draw_script": ("get", {"number": 1}, ALL),
    "heat": ("get", {"number": 1}, ALL),
    "heat_live": ("get", {"number": 1}, ALL),
    "heat_game": ("get", {"number": 1, "game": 1}, ALL),
    "heat_deals": ("get", {"number": 1, "game": 1}, ALL),
    "room_table": ("get", {"number": 1}, ALL),
    "protocol_pdf": ("get", {"number": 1}, ALL),
    "empty_pdf": ("get", {"number": 1}, ALL),
    "desk": ("get", {}, STAFF),
    "desk_now": ("get", {}, STAFF),
    "desk_players": ("get", {}, STAFF),
    "check_in": ("get", {}, STAFF),
    "desk_draw": ("post", {}, DIRECTOR),
    "draft_make": ("post", {}, DIRECTOR),
    "draft": ("get", {"number": 1}, STAFF),
    "draft_state": ("get", {"number": 1}, STAFF),
    "draft_change": ("post", {"number": 1}, DIRECTOR),
    "draft_times": ("post", {"number": 1}, DIRECTOR),
    "draft_publish": ("post", {"number": 1}, DIRECTOR),
    "draft_discard": ("post", {"number": 1}, DIRECTOR),
    "draw_take_back": ("post", {"number": 1}, DIRECTOR),
    "draft_again": ("post", {"number": 1}, DIRECTOR),
    "playoffs": ("get", {}, ALL),
    "playoffs_now": ("get", {}, ALL),
    "playoffs_round": ("get", {"number": 1}, NOBODY),
    "playoffs_svg": ("get", {}, ALL),
    "playoffs_pdf": ("get", {}, ALL),
    "result": ("get", {}, ALL),
    "result_export": ("get", {"fmt": "csv"}, ALL),
    "games_export": ("get", {"fmt": "csv"}, ALL),
    "deals_export": ("get", {"fmt": "xlsx"}, ALL),
    "champion": ("get", {}, ALL),
    "hands": ("get", {}, ALL),
    "rounds": ("get", {}, STAFF),
    "round_prepare": ("post", {}, DIRECTOR),
    "round_absent": ("post", {}, DIRECTOR),
    "round_present": ("post", {}, DIRECTOR),
    "round_take_in": ("post", {}, DIRECTOR),
    "round_draft": ("post", {}, DIRECTOR),
    "round_discard": ("post", {}, DIRECTOR),
    "seating_constraints": ("get", {}, STAFF),
    "seating_apart": ("post", {}, STAFF),
    "seating_group": ("post", {}, STAFF),
    "seating_together": ("post", {}, STAFF),
    "seating_table": ("post", {}, STAFF),
    "seating_room": ("post", {}, DIRECTOR),
    "jobs": ("get", {}, FLOOR),
    "job_create": ("post", {}, FLOOR),
    "blank_pdf": ("get", {}, FLOOR),
    "job_cancel": ("post", {}, FLOOR),
    "job_file": ("get", {"number": 1}, "s4344444"),
    "log": ("get", {}, DIRECTOR),
    "verification": ("get", {}, DIRECTOR),
    "verification_banner": ("get", {}, FLOOR),
    "heads": ("get", {}, ALL),
    "event_settings": ("get", {}, DIRECTOR),
    "timetable": ("get", {}, DIRECTOR),
    "event_status": ("post", {}, DIRECTOR),
    "event_staff": ("get", {}, OWNER),
    "event_staff_remove": ("post", {}, OWNER),
    "event_two_factor": ("post", {}, OWNER),
    "sign_up": ("get", {}, ALL),
    "lost_link": ("get", {}, ALL),
    "rules_check": ("get", {}, ALL),
    "rules_open": ("get", {}, ALL),
    "api": ("get", {}, ALL),
    "robots": ("get", {}, ALL),
    "sitemap": ("get", {}, ALL),
    "privacy": ("get", {}, ALL),
    "site_manifest": ("get", {}, ALL),
    "embed_standings": ("get", {}, ALL),
    "embed_playoffs": ("get", {}, ALL),
    "embed_heat": ("get", {"number": 1}, ALL),
    "embed_timetable": ("get", {}, ALL),
    "event_calendar": ("get", {}, ALL),
    "event_feed": ("get", {}, ALL),
    "organiser_calendar": ("get", {"organiser": "organiser"}, ALL),
    "organiser_feed": ("get", {"organiser": "organiser"}, ALL),
    "player_calendar": ("get", {"token": "forged"}, NOBODY),
    "player_page_data": ("get", {"token": "forged"}, NOBODY),
    "player_page_erase": ("get", {"token": "forged"}, NOBODY),
    "player_page_erase_back": ("post", {"token": "forged"}, NOBODY),
    "player_erase": ("get", {"number": 1}, DIRECTOR),
    "api_description": ("get", {}, ALL),
    "api_tokens": ("get", {}, DIRECTOR),
    "webhooks": ("get", {}, DIRECTOR),
    # Whoever may is told that there is no such address, message or token.
    "webhook_end": ("post", {}, "s4333444"),
    "webhook_again": ("post", {}, "s4333444"),
    "api_token_end": ("post", {}, "s4333444"),
    "checklist": ("get", {}, STAFF),
    "register_alike": ("get", {}, STAFF),
    "register_known": ("post", {}, STAFF),
    "import_players": ("get", {}, DESK),
    "import_do": ("post", {}, DESK),
    "import_spreadsheet": ("get", {"number": 1}, "s4433444"),
    "registrations_export": ("get", {"fmt": "csv"}, DESK),
    "player_slip": ("get", {"number": 1}, STAFF),
    "player_link_renew": ("post", {"number": 1}, STAFF),
    "player_admit": ("post", {"number": 1}, DIRECTOR),
    "player_merge": ("get", {"number": 1}, DIRECTOR),
    "sign_up_sources": ("get", {}, DIRECTOR),
    "sign_ups_undo": ("post", {}, DIRECTOR),
    "merges": ("get", {}, DIRECTOR),
    "merge_undo": ("post", {}, DIRECTOR),
    "event_picture": ("get", {}, NOBODY),
    "shared_picture": ("get", {"kind": "event", "number": 0, "language": "sv"}, ALL),
    "picture_set": ("get", {}, DIRECTOR),
    "event_picture_remove": ("post", {}, DIRECTOR),
    "mail": ("get", {}, DIRECTOR),
    "mail_set": ("post", {}, DIRECTOR),
    "mail_all": ("post", {}, DIRECTOR),
    "mail_again": ("post", {}, DIRECTOR),
    "cash": ("get", {}, CASHIER),
    "cash_pay": ("post", {}, CASHIER),
    "cash_free": ("post", {"number": 1}, CASHIER),
    "cash_prize_return": ("post", {}, CASHIER),
    "cash_void": ("post", {}, CASHIER),
    "cash_count": ("post", {}, CASHIER),
    "cash_refund": ("post", {}, CASHIER),
    "cash_player": ("get", {"number": 1}, CASHIER),
    "cash_prizes": ("get", {}, CASHIER),
    "cash_prize_pay": ("post", {}, CASHIER),
    "closing_pdf": ("get", {}, CASHIER),
    "closing_xlsx": ("get", {}, CASHIER),
    "receipt_pdf": ("get", {"number": 1}, CASHIER),
    "receipts_pdf": ("get", {}, CASHIER),
    "cash_export": ("get", {"fmt": "xlsx"}, CASHIER),
    "staff_invite": ("get", {}, OWNER),
    "staff_invite_revoke": ("post", {}, OWNER),
    # Whoever has a valid token may; a forged one opens nothing, for any role.
    "invitation": ("get", {"token": "forged"}, NOBODY),
    "player_page": ("get", {"token": "forged"}, NOBODY),
    "player_page_now": ("get", {"token": "forged"}, NOBODY),
    "player_page_pictures": ("post", {"token": "forged"}, NOBODY),
    "player_page_name": ("post", {"token": "forged"}, NOBODY),
    "player_page_score": ("post", {"token": "forged"}, NOBODY),
    "player_page_accept": ("post", {"token": "forged"}, NOBODY),
    "player_page_compared": ("post", {"token": "forged"}, NOBODY),
    "player_page_rulings": ("post", {"token": "forged"}, NOBODY),
    "player_page_object": ("post", {"token": "forged"}, NOBODY),
    "player_page_object_back": ("post", {"token": "forged"}, NOBODY),
    "player_page_pin": ("post", {"token": "forged"}, NOBODY),
    "player_page_push": ("post", {"token": "forged"}, NOBODY),
    "player_page_push_try": ("post", {"token": "forged"}, NOBODY),
    "player_page_push_end": ("post", {"token": "forged"}, NOBODY),
    "player_page_worker": ("get", {"token": "forged"}, NOBODY),
    "player_page_manifest": ("get", {"token": "forged"}, NOBODY),
    "player_page_enter": ("post", {"token": "forged"}, NOBODY),
    "part_begin": ("post", {}, STAFF),
    "player_link_cut": ("get", {"token": "forged", "rest": ")"}, NOBODY),
    "player_page_part": ("post", {"token": "forged"}, NOBODY),
    "player_page_withdraw": ("post", {"token": "forged"}, NOBODY),
    "player_register": ("post", {}, STAFF),
    "player_check_in": ("post", {"number": 1}, STAFF),
    "player_undo_check_in": ("post", {"number": 1}, STAFF),
    "player_enter": ("post", {"number": 1}, STAFF),
    "player_leave": ("post", {"number": 1}, STAFF),
    "queue_empty": ("post", {}, DIRECTOR),
    "player_withdraw": ("post", {"number": 1}, DIRECTOR),
    "player_reinstate": ("post", {"number": 1}, DIRECTOR),
    "player_edit": ("get", {"number": 1}, DESK),
    "heat_desk": ("get", {"number": 1}, STAFF),
    "heat_desk_live": ("get", {"number": 1}, STAFF),
    "heat_qr": ("get", {"number": 1}, FLOOR),
    "heat_auditor": ("post", {"number": 1}, FLOOR),
    "heat_objection": ("post", {"number": 1}, FLOOR),
    "heat_table": ("post", {"number": 1}, FLOOR),
    "heat_link": ("post", {"number": 1}, FLOOR),
    "heat_let_in": ("post", {"number": 1}, FLOOR),
    "heat_link_revoke": ("post", {"number": 1}, FLOOR),
    "heat_call_clear": ("post", {"number": 1}, FLOOR),
    "heat_ruling": ("post", {"number": 1}, JUDGE),
    "heat_flip_flop": ("post", {"number": 1}, DIRECTOR),
    "heat_close": ("post", {"number": 1}, DIRECTOR),
    "heat_void": ("post", {"number": 1}, DIRECTOR),
    "player": ("get", {"number": 1}, ALL),
    "letter": ("get", {}, DIRECTOR),
    "announcements": ("get", {}, DIRECTOR),
    "announce_break": ("post", {}, DIRECTOR),
    "announcement_take_back": ("post", {}, DIRECTOR),
    "screen": ("get", {}, ALL),
    "screen_now": ("post", {}, ALL),
    "screen_worker": ("get", {}, ALL),
    "adopt": ("get", {"letters": "ABCDEF"}, "sr4rrrrr"),
    "screen_qr": ("get", {}, ALL),
    "screen_picture": ("get", {"number": 1}, NOBODY),
    "screen_part": ("get", {"language": "sv", "part": "tables"}, ALL),
    "overlay": ("get", {"language": "sv", "kind": "tiles"}, ALL),
    "overlay_now": ("get", {"language": "sv", "kind": "tiles"}, ALL),
    "screens": ("get", {}, FLOOR),
    "screens_now": ("get", {}, FLOOR),
    "screens_steer": ("post", {}, FLOOR),
    "sponsors": ("get", {}, FLOOR),
    "sponsor_remove": ("post", {}, FLOOR),
    "screen_set": ("get", {"number": 1}, FLOOR),
    "screen_view": ("get", {"number": 1}, FLOOR),
    "screen_state": ("get", {"number": 1}, FLOOR),
    "screen_card": ("get", {"number": 1}, FLOOR),
    # The last one, as it deletes it.
    "screen_end": ("post", {"number": 1}, FLOOR),
    "player_standings": ("get", {}, ALL),
    "player_standings_export": ("get", {"fmt": "csv"}, ALL),
    "floor": ("get", {}, STAFF),
    "floor_now": ("get", {}, STAFF),
    "warning_seen": ("post", {"number": 1}, FLOOR),
    "clocks": ("post", {}, JUDGE),
    "heat_clock": ("post", {"number": 1}, JUDGE),
    "heat_time_up": ("post", {"number": 1}, JUDGE),
    "heat_times": ("post", {"number": 1}, DIRECTOR),
    "heat_minutes": ("post", {"number": 1}, JUDGE),
    "heat_missing": ("post", {"number": 1}, FLOOR),
    "heat_players": ("post", {"number": 1}, DIRECTOR),
    "heat_swap": ("post", {"number": 1}, DIRECTOR),
    "heat_seats": ("post", {"number": 1}, DIRECTOR),
    "heat_review": ("post", {"number": 1}, DIRECTOR),
    "heat_slow": ("post", {"number": 1}, JUDGE),
    "heat_penalty": ("post", {"number": 1}, JUDGE),
    "closed_penalty": ("post", {"number": 1}, DIRECTOR),
    "penalties": ("get", {}, STAFF),
    "disqualify": ("post", {}, DIRECTOR),
    "penalty_take_back": ("post", {"pk": 1}, DIRECTOR),
    "exchange": ("get", {"number": 1}, DIRECTOR),
    "exchange_do": ("post", {"number": 1}, DIRECTOR),
    "correct_sheet": ("get", {"number": 1, "game": 1}, STAFF),
    "deal_forgotten": ("get", {"number": 1, "game": 1, "deal": 1}, DIRECTOR),
    "deal_preview": ("post", {"number": 1, "game": 1, "deal": 1}, DIRECTOR),
    "deal_put_in": ("post", {"number": 1, "game": 1, "deal": 1}, DIRECTOR),
    "correction_back": ("get", {"number": 1, "game": 1, "row": 1}, "s4333444"),
    "correction_back_preview": ("post", {"number": 1, "game": 1, "row": 1}, DIRECTOR),
    "correction_back_do": ("post", {"number": 1, "game": 1, "row": 1}, DIRECTOR),
    "correct_entry": ("get", {"number": 1, "game": 1, "entry": 1}, DIRECTOR),
    "correct_preview": ("post", {"number": 1, "game": 1, "entry": 1}, DIRECTOR),
    "correct_apply": ("post", {"number": 1, "game": 1, "entry": 1}, DIRECTOR),
    "paper_sheet": ("get", {"number": 1, "game": 1}, FLOOR),
    "paper_preview": ("post", {"number": 1, "game": 1}, FLOOR),
    "paper_enter": ("post", {"number": 1, "game": 1}, FLOOR),
    "paper_deals": ("post", {"number": 1, "game": 1}, FLOOR),
    "paper_back_preview": ("post", {"number": 1, "game": 1}, FLOOR),
    "paper_take_back": ("post", {"number": 1, "game": 1}, FLOOR),
    "paper_compared": ("post", {"number": 1, "game": 1}, FLOOR),
}

#: What the addresses of one event begin with.
OF_EVENT = ("/e/", "/embed/")
#: Pages of an organiser that show its public events to everybody.
OF_PUBLIC_EVENTS = {"organiser_statistics", "ratings", "organiser_calendar", "organiser_feed"}
WITHOUT_EVENT = {
    "home",
    "privacy",
    "api",
    "api_description",
    "robots",
    "sitemap",
    "site_manifest",
    "event_create",
    "rules_check",
    "rules_open",
    "heads",
    "screen",
    "screen_now",
    "screen_worker",
    "adopt",
    "organisers",
    "series_list",
    "casual",
    "casual_practice",
    "casual_begin",
    "casual_blank",
    "casual_begun",
    "casual_shell",
    "casual_worker",
    "casual_manifest",
}


def names_of(patterns: list[URLPattern | URLResolver]) -> set[str]:
    found: set[str] = set()
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            found |= names_of(pattern.url_patterns)
        else:
            found.add(pattern.name or "")
    return found


def test_every_address_is_in_the_table() -> None:
    assert names_of(urlpatterns) - {"first_run"} == set(TABLE)


def _client(event: Event, who: str) -> Client:
    if who == "public":
        return Client()
    if who == "player":
        client = Client()
        token = token_of(event.registrations.get(number=1))
        client.get(reverse("tournaments:player_page", args=[token]))
        return client
    if who == "auditor":
        return _with_auditor_link(event)
    if who == "stranger":
        # Has a role at another event, so that only the event makes the difference.
        return client_of(make_event(), Role.OWNER)
    if who == "admin":
        client = Client()
        client.force_login(make_user(is_staff=True, is_superuser=True))
        return client
    return client_of(event, Role(who))


def _with_auditor_link(event: Event) -> Client:
    client = Client()
    heat = event.heats.first()
    if heat is not None:
        link = create_link(table_id=heat.table_id or 0, role=LinkRole.AUDITOR, by="test")
        client.get(reverse("scoring:table_detail", args=[show_token(link=link)]))
    return client


def _path(name: str, arguments: dict[str, object]) -> str:
    if name in WITHOUT_EVENT or {"token", "organiser", "series"} & arguments.keys():
        return reverse(f"tournaments:{name}", kwargs=arguments)
    if arguments.get("pk") == 1:
        arguments = {**arguments, "pk": _penalty().pk}
    return reverse(f"tournaments:{name}", kwargs={"slug": "fest", **arguments})


def _penalty() -> Penalty:
    """Return player 1's penalty, made on the first call."""
    player = Registration.objects.get(event__slug="fest", number=1)
    return player.penalties.first() or Penalty.objects.create(
        event=player.event,
        registration=player,
        level="warning",
        offence="slow",
        client_id=uuid.uuid4(),
    )


def _allowed(status: int, location: str) -> str:
    if status == 302 and "/accounts/login/" in location:
        return "s"
    return {403: "3", 404: "4"}.get(status, "r")


def in_state(state: EventStatus) -> Event:
    """Return an event in this state; an open one has a running heat, a finished one none."""
    event = make_event(slug="fest", name="Festival", status=EventStatus.DRAFT)
    Screen.objects.create(event=event, number=1, name="Bar", digest="fest")
    days = {"starts_on": event.starts_on, "ends_on": event.ends_on}
    create_series(organiser=event.organiser, name="Tour", is_public=True, by=None, **days)
    if state == EventStatus.DRAFT:
        # Nothing is played before the doors open, but there are players.
        make_players(event, 1, here=False)
        return event
    set_event_status(event=event, to=EventStatus.OPEN, by=None)
    if state == EventStatus.OPEN:
        heat = make_heats(event, 4).heats[0]
        sheet = Sheet.objects.get(table=heat.table, number=1)
        write(sheet, {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"})
    else:
        finished_heat(event)
        set_event_status(event=event, to=EventStatus.FINISHED, by=None)
    event.refresh_from_db()
    return event


def _expected(name: str, path: str, who: str, state: EventStatus) -> set[str]:
    row = TABLE[name][2]
    may = row[WHO.index("public" if who in LINKS else who)]
    if name.startswith("paper_") and state == EventStatus.FINISHED:
        # The sheets of a closed heat are the director's.
        may = DIRECTOR[WHO.index("public" if who in LINKS else who)]
    if may != "r" or state != EventStatus.DRAFT:
        # Without a link there is no QR code, even for those who may see it.
        return {may, "4"} if name == "heat_qr" and may == "r" else {may}
    if name in OF_PUBLIC_EVENTS:
        # Of an organiser of drafts only there is nothing to be seen; the stranger's event is open.
        return {"r" if who == "stranger" else "4"}
    outside = who in LINKS or who in {"public", "stranger"}
    if outside and path.startswith(OF_EVENT):
        return {"4"}
    # Those who may are told that there is no such heat, draw or entry yet.
    return {"r", "4"} if re.search(r"/(heats|draws|drafts?)/", path) else {"r"}


def _asked_at_once(who: str, state: EventStatus) -> bool:
    """Return whether the quick run tries this: each role in an open event, outsiders in a draft.

    Owners and administrators have every right of a director, links have none at these addresses.
    """
    outsiders = {"public", "stranger"}
    if state == EventStatus.OPEN:
        return who in outsiders | {"cashier", "floor", "judge", "director"}
    return state == EventStatus.DRAFT and who in outsiders


@pytest.mark.usefixtures("db", "unrendered")
@pytest.mark.parametrize(
    ("who", "state"),
    [(who, state) for state in STATES for who in (*WHO, *LINKS) if _asked_at_once(who, state)],
)
def test_permissions(who: str, state: EventStatus) -> None:
    _ask_everything(who, state)


@pytest.mark.slow
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("who", [*WHO, *LINKS])
def test_permissions_with_rendered_pages(db: None, who: str, state: EventStatus) -> None:
    _ask_everything(who, state)


def _ask_everything(who: str, state: EventStatus) -> None:
    event = in_state(state)
    client = _client(event, who)
    wrong = []
    for name, (method, arguments, _row) in TABLE.items():
        path = _path(name, arguments)
        answer = getattr(client, method)(path)
        got = _allowed(answer.status_code, answer.get("Location", ""))
        if answer.status_code >= 500 or got not in _expected(name, path, who, state):
            wrong.append((name, who, answer.status_code))
    assert wrong == []


@pytest.mark.usefixtures("db", "unrendered")
def test_staff_without_the_required_two_factor_is_the_public() -> None:
    event = in_state(EventStatus.OPEN)
    make_players(event, 4)
    draft = draft_heats(event=event, by=None)
    event.staff_two_factor = True
    event.save(update_fields=["staff_two_factor"])
    owner, public = client_of(event, Role.OWNER), Client()
    asked = [(name, method, arguments) for name, (method, arguments, _row) in TABLE.items()]
    asked += [(name, "get", {"number": draft.number}) for name in ("draw", "draw_script")]
    wrong = []
    for name, method, arguments in asked:
        path = _path(name, arguments)
        if not path.startswith(OF_EVENT):
            continue
        answer = getattr(owner, method)(path)
        if TABLE[name][2][0] == "s":
            right = answer.get("Location", "") == reverse("mfa_activate_totp")
        else:
            right = answer.status_code == getattr(public, method)(path).status_code
        if not right:
            wrong.append((name, answer.status_code))
    assert wrong == []


def test_a_wrong_method_is_405(event: Event, director: Client) -> None:
    make_heats(event, 4)
    # Refused forms stay at these addresses, where a reload shows the page.
    shown = {"player_register", "draft_make", "desk_draw"}
    for name, (method, arguments, row) in TABLE.items():
        if method == "post" and name not in shown and row[WHO.index("director")] == "r":
            assert director.get(_path(name, arguments)).status_code == 405, name


def test_unknown_objects_are_404(event: Event, director: Client) -> None:
    finished_heat(event)
    for name, (method, arguments, row) in TABLE.items():
        if "number" in arguments and row[WHO.index("director")] == "r":
            path = _path(name, {**arguments, "number": 99})
            assert getattr(director, method)(path).status_code == 404, name
    assert director.get("/e/none/").status_code == 404
    assert director.get("/e/fest/standings.exe").status_code == 404
