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
from scoring.web.urls import urlpatterns as scoring_urls
from scoring.writing import create_link, revoke_link
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
from tournaments.models import Event, Penalty, Registration
from tournaments.models.enums import EventStatus, Role
from tournaments.registration.commands import player_links
from tournaments.registration.queries.player_links import token_of
from tournaments.urls import urlpatterns

WHO = ("public", "stranger", "screen", "cashier", "floor", "director", "owner", "admin")
#: Link holders have no account: a link opens no other addresses.
LINKS = ("auditor", "player")
STATES = (EventStatus.DRAFT, EventStatus.OPEN, EventStatus.FINISHED)
#: Answers by column: r = the page or its action, s = sign in, 4 = not found, 3 = forbidden.
ALL = "rrrrrrrr"
SCREEN = "s4rrrrrr"
STAFF = "s43rrrrr"
DESK = "s43r3rrr"
FLOOR = "s433rrrr"
DIRECTOR = "s4333rrr"
OWNER = "s43333rr"
CASHIER = "s43r33rr"
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
    "seating_together": ("post", {}, STAFF),
    "seating_table": ("post", {}, STAFF),
    "seating_room": ("post", {}, DIRECTOR),
    "jobs": ("get", {}, FLOOR),
    "job_create": ("post", {}, FLOOR),
    "blank_pdf": ("get", {}, FLOOR),
    "job_cancel": ("post", {}, FLOOR),
    "job_file": ("get", {"number": 1}, "s4334444"),
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
    "rules_check": ("get", {}, ALL),
    "rules_open": ("get", {}, ALL),
    "checklist": ("get", {}, STAFF),
    "register_alike": ("get", {}, STAFF),
    "register_known": ("post", {}, STAFF),
    "import_players": ("get", {}, DESK),
    "import_do": ("post", {}, DESK),
    "import_spreadsheet": ("get", {"number": 1}, "s4343444"),
    "registrations_export": ("get", {"fmt": "csv"}, DESK),
    "player_slip": ("get", {"number": 1}, STAFF),
    "player_link_renew": ("post", {"number": 1}, STAFF),
    "player_admit": ("post", {"number": 1}, DIRECTOR),
    "player_merge": ("get", {"number": 1}, DIRECTOR),
    "merges": ("get", {}, DIRECTOR),
    "merge_undo": ("post", {}, DIRECTOR),
    "event_picture": ("get", {}, NOBODY),
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
    "player_page_name": ("post", {"token": "forged"}, NOBODY),
    "player_page_score": ("post", {"token": "forged"}, NOBODY),
    "player_page_accept": ("post", {"token": "forged"}, NOBODY),
    "player_page_compared": ("post", {"token": "forged"}, NOBODY),
    "player_page_rulings": ("post", {"token": "forged"}, NOBODY),
    "player_page_object": ("post", {"token": "forged"}, NOBODY),
    "player_page_object_back": ("post", {"token": "forged"}, NOBODY),
    "player_page_pin": ("post", {"token": "forged"}, NOBODY),
    "player_page_enter": ("post", {"token": "forged"}, NOBODY),
    "part_begin": ("post", {}, STAFF),
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
    "heat_ruling": ("post", {"number": 1}, DIRECTOR),
    "heat_flip_flop": ("post", {"number": 1}, DIRECTOR),
    "heat_close": ("post", {"number": 1}, DIRECTOR),
    "heat_void": ("post", {"number": 1}, DIRECTOR),
    "player_standings": ("get", {}, ALL),
    "player_standings_export": ("get", {"fmt": "csv"}, ALL),
    "floor": ("get", {}, SCREEN),
    "floor_now": ("get", {}, SCREEN),
    "warning_seen": ("post", {"number": 1}, FLOOR),
    "clocks": ("post", {}, DIRECTOR),
    "heat_clock": ("post", {"number": 1}, DIRECTOR),
    "heat_time_up": ("post", {"number": 1}, DIRECTOR),
    "heat_times": ("post", {"number": 1}, DIRECTOR),
    "heat_minutes": ("post", {"number": 1}, DIRECTOR),
    "heat_missing": ("post", {"number": 1}, FLOOR),
    "heat_players": ("post", {"number": 1}, DIRECTOR),
    "heat_swap": ("post", {"number": 1}, DIRECTOR),
    "heat_seats": ("post", {"number": 1}, DIRECTOR),
    "heat_review": ("post", {"number": 1}, DIRECTOR),
    "heat_slow": ("post", {"number": 1}, DIRECTOR),
    "heat_penalty": ("post", {"number": 1}, DIRECTOR),
    "closed_penalty": ("post", {"number": 1}, DIRECTOR),
    "penalties": ("get", {}, STAFF),
    "disqualify": ("post", {}, DIRECTOR),
    "penalty_take_back": ("post", {"pk": 1}, DIRECTOR),
    "correct_sheet": ("get", {"number": 1, "game": 1}, STAFF),
    "deal_forgotten": ("get", {"number": 1, "game": 1, "deal": 1}, DIRECTOR),
    "deal_preview": ("post", {"number": 1, "game": 1, "deal": 1}, DIRECTOR),
    "deal_put_in": ("post", {"number": 1, "game": 1, "deal": 1}, DIRECTOR),
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

WITHOUT_EVENT = {
    "home",
    "event_create",
    "rules_check",
    "rules_open",
    "heads",
    "organisers",
    "casual",
    "casual_practice",
    "casual_begin",
    "casual_blank",
    "casual_begun",
    "casual_shell",
    "casual_worker",
    "casual_manifest",
}


def _names(patterns: list[URLPattern | URLResolver]) -> set[str]:
    found: set[str] = set()
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            found |= _names(pattern.url_patterns)
        else:
            found.add(pattern.name or "")
    return found


def test_every_address_is_in_the_table() -> None:
    assert _names(urlpatterns) - {"first_run"} == set(TABLE)


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
    if name in WITHOUT_EVENT or "token" in arguments or "organiser" in arguments:
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


def _in_state(state: EventStatus) -> Event:
    """Return an event in this state; an open one has a running heat, a finished one none."""
    event = make_event(slug="fest", name="Festival", status=EventStatus.DRAFT)
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
    outside = who in LINKS or who in {"public", "stranger"}
    if outside and path.startswith("/e/"):
        return {"4"}
    # Those who may are told that there is no such heat, draw or entry yet.
    return {"r", "4"} if re.search(r"/(heats|draws|drafts?)/", path) else {"r"}


def _asked_at_once(who: str, state: EventStatus) -> bool:
    """Return whether the quick run tries this: each role in an open event, outsiders in a draft.

    Owners and administrators have every right of a director, links have none at these addresses.
    """
    outsiders = {"public", "stranger"}
    if state == EventStatus.OPEN:
        return who in outsiders | {"screen", "cashier", "floor", "director"}
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
    event = _in_state(state)
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
    event = _in_state(EventStatus.OPEN)
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
        if not path.startswith("/e/"):
            continue
        answer = getattr(owner, method)(path)
        if TABLE[name][2][0] == "s":
            right = answer.get("Location", "") == reverse("mfa_activate_totp")
        else:
            right = answer.status_code == getattr(public, method)(path).status_code
        if not right:
            wrong.append((name, answer.status_code))
    assert wrong == []


#: A page by a table's link -> (method, answers to an Auditor's, reader's, revoked, forged link).
BY_LINK: dict[str, tuple[str, str]] = {
    "table_detail": ("get", "rr44"),
    "table_read": ("get", "rr44"),
    "table_live": ("get", "rr44"),
    "table_sync": ("post", "rr44"),
    "table_share": ("post", "r344"),
    "table_worker": ("get", "r344"),
    "table_manifest": ("get", "r344"),
    "table_protocol": ("get", "rr44"),
    "entry_correct": ("get", "r344"),
    "entry_corrected": ("post", "r344"),
    "deal_forgotten": ("get", "r344"),
    "deal_inserted": ("post", "r344"),
}
PLAYERS_OWN = ("player_page", "player_page_now", "player_page_name", "player_page_score",
               "player_page_accept", "player_page_compared", "player_page_rulings",
               "player_page_object", "player_page_object_back",
               "player_page_pin", "player_page_enter", "player_page_part",
               "player_page_withdraw")  # fmt: skip


def test_every_page_by_link_is_in_the_table() -> None:
    assert _names(scoring_urls) == set(BY_LINK)
    assert set(PLAYERS_OWN) == {name for name in TABLE if name.startswith("player_page")}


@pytest.mark.usefixtures("db", "unrendered")
@pytest.mark.parametrize("state", [EventStatus.OPEN, EventStatus.FINISHED])
def test_what_a_tables_link_opens(state: EventStatus) -> None:
    heat = _in_state(state).heats.get()
    links = [
        create_link(table_id=heat.table_id or 0, role=role, by="test")
        for role in (LinkRole.AUDITOR, LinkRole.READER, LinkRole.AUDITOR)
    ]
    tokens = [show_token(link=link) for link in links] + ["forged"]
    revoke_link(link_id=links[2].pk, by="test")
    wrong = []
    for name, (method, row) in BY_LINK.items():
        for token, expected in zip(tokens, row, strict=True):
            where = [token, 1, 1] if name.startswith(("entry_correct", "deal_")) else [token]
            answer = getattr(Client(), method)(reverse(f"scoring:{name}", args=where))
            got = {403: "3", 404: "4", 410: "4"}.get(answer.status_code, "r")
            if answer.status_code >= 500 or got != expected:
                wrong.append((name, tokens.index(token), answer.status_code))
    assert wrong == []


@pytest.mark.parametrize("state", STATES)
def test_what_a_players_link_opens(db: None, state: EventStatus) -> None:
    event = _in_state(state)
    player = event.registrations.get(number=1)
    token = token_of(player)
    client = Client()
    for name in PLAYERS_OWN:
        path = reverse(f"tournaments:{name}", args=[token])
        answer = getattr(client, TABLE[name][0])(path)
        expected = {404} if state == EventStatus.DRAFT else {200, 302, 303, 409, 422}
        assert answer.status_code in expected, name
    player_links.renew_link(registration=player, by=None)
    for name in PLAYERS_OWN:
        path = reverse(f"tournaments:{name}", args=[token])
        assert getattr(client, TABLE[name][0])(path).status_code == 404, name


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
