"""Every address under every role, in one table."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse

from scoring.models import Sheet
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import finished_heat, make_event, make_heats, make_user, write
from tournaments.enums import EventStatus, Role
from tournaments.models import Event, Penalty, Registration
from tournaments.urls import urlpatterns

WHO = ("public", "stranger", "cashier", "floor", "director", "owner", "admin")
#: Answers by column: r = the page or its action, s = sign in, 4 = not found, 3 = forbidden.
ALL = "rrrrrrr"
STAFF = "s4rrrrr"
DESK = "s4r3rrr"
FLOOR = "s43rrrr"
DIRECTOR = "s433rrr"
OWNER = "s4333rr"
CASHIER = "s4r33rr"
NOBODY = "4444444"

#: name -> (method, arguments besides the event, who may)
TABLE: dict[str, tuple[str, dict[str, object], str]] = {
    "home": ("get", {}, ALL),
    "event_create": ("get", {}, "s33333r"),
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
    "protocol_pdf": ("get", {"number": 1}, ALL),
    "empty_pdf": ("get", {"number": 1}, ALL),
    "desk": ("get", {}, STAFF),
    "desk_now": ("get", {}, STAFF),
    "desk_players": ("get", {}, STAFF),
    "desk_draw": ("post", {}, DIRECTOR),
    "draft_make": ("post", {}, DIRECTOR),
    "draft": ("get", {"number": 1}, STAFF),
    "draft_state": ("get", {"number": 1}, STAFF),
    "draft_change": ("post", {"number": 1}, DIRECTOR),
    "draft_publish": ("post", {"number": 1}, DIRECTOR),
    "draft_discard": ("post", {"number": 1}, DIRECTOR),
    "draft_again": ("post", {"number": 1}, DIRECTOR),
    "playoffs": ("get", {}, ALL),
    "playoffs_now": ("get", {}, ALL),
    "playoffs_svg": ("get", {}, ALL),
    "playoffs_pdf": ("get", {}, ALL),
    "result": ("get", {}, ALL),
    "result_export": ("get", {"fmt": "csv"}, ALL),
    "champion": ("get", {}, ALL),
    "rounds": ("get", {}, STAFF),
    "round_prepare": ("post", {}, DIRECTOR),
    "round_absent": ("post", {}, DIRECTOR),
    "round_present": ("post", {}, DIRECTOR),
    "round_take_in": ("post", {}, DIRECTOR),
    "round_draft": ("post", {}, DIRECTOR),
    "round_discard": ("post", {}, DIRECTOR),
    "wishes": ("get", {}, STAFF),
    "wish_apart": ("post", {}, STAFF),
    "wish_together": ("post", {}, STAFF),
    "wish_table": ("post", {}, STAFF),
    "wish_room": ("post", {}, DIRECTOR),
    "jobs": ("get", {}, FLOOR),
    "job_create": ("post", {}, FLOOR),
    "job_file": ("get", {"number": 1}, "s434444"),
    "log": ("get", {}, DIRECTOR),
    "event_settings": ("get", {}, DIRECTOR),
    "event_status": ("post", {}, DIRECTOR),
    "event_staff": ("get", {}, OWNER),
    "event_staff_remove": ("post", {}, OWNER),
    "sign_up": ("get", {}, ALL),
    "rules_check": ("get", {}, "srrrrrr"),
    "checklist": ("get", {}, STAFF),
    "register_alike": ("get", {}, STAFF),
    "register_known": ("post", {}, STAFF),
    "import_players": ("get", {}, DESK),
    "import_do": ("post", {}, DESK),
    "registrations_export": ("get", {"fmt": "csv"}, DESK),
    "player_slips": ("get", {}, STAFF),
    "player_slip": ("get", {"number": 1}, STAFF),
    "player_link_renew": ("post", {"number": 1}, STAFF),
    "player_let_in": ("post", {"number": 1}, DIRECTOR),
    "player_merge": ("get", {"number": 1}, DIRECTOR),
    "merges": ("get", {}, DIRECTOR),
    "merge_undo": ("post", {}, DIRECTOR),
    "cash": ("get", {}, CASHIER),
    "cash_pay": ("post", {}, CASHIER),
    "cash_void": ("post", {}, CASHIER),
    "cash_export": ("get", {"fmt": "xlsx"}, CASHIER),
    "staff_invite": ("get", {}, OWNER),
    "staff_invite_revoke": ("post", {}, OWNER),
    # Whoever has a valid token may; a forged one opens nothing, whoever one is.
    "invitation": ("get", {"token": "forged"}, NOBODY),
    "player_page": ("get", {"token": "forged"}, NOBODY),
    "player_page_now": ("get", {"token": "forged"}, NOBODY),
    "player_page_name": ("post", {"token": "forged"}, NOBODY),
    "player_page_withdraw": ("post", {"token": "forged"}, NOBODY),
    "player_register": ("post", {}, STAFF),
    "player_check_in": ("post", {"number": 1}, STAFF),
    "player_undo_check_in": ("post", {"number": 1}, STAFF),
    "player_enter": ("post", {"number": 1}, STAFF),
    "player_leave": ("post", {"number": 1}, STAFF),
    "player_withdraw": ("post", {"number": 1}, DIRECTOR),
    "player_reinstate": ("post", {"number": 1}, DIRECTOR),
    "player_edit": ("get", {"number": 1}, DESK),
    "heat_desk": ("get", {"number": 1}, STAFF),
    "heat_desk_live": ("get", {"number": 1}, STAFF),
    "heat_qr": ("get", {"number": 1}, FLOOR),
    "heat_auditor": ("post", {"number": 1}, FLOOR),
    "heat_table": ("post", {"number": 1}, FLOOR),
    "heat_link": ("post", {"number": 1}, FLOOR),
    "heat_link_revoke": ("post", {"number": 1}, FLOOR),
    "heat_call_clear": ("post", {"number": 1}, FLOOR),
    "heat_ruling": ("post", {"number": 1}, DIRECTOR),
    "heat_flip_flop": ("post", {"number": 1}, DIRECTOR),
    "heat_close": ("post", {"number": 1}, DIRECTOR),
    "heat_void": ("post", {"number": 1}, DIRECTOR),
    "day_one": ("get", {}, ALL),
    "day_one_export": ("get", {"fmt": "csv"}, ALL),
    "floor": ("get", {}, STAFF),
    "floor_now": ("get", {}, STAFF),
    "warning_seen": ("post", {"number": 1}, FLOOR),
    "heat_minutes": ("post", {"number": 1}, DIRECTOR),
    "heat_missing": ("post", {"number": 1}, DIRECTOR),
    "heat_exchange": ("post", {"number": 1}, DIRECTOR),
    "heat_seats": ("post", {"number": 1}, DIRECTOR),
    "heat_review": ("post", {"number": 1}, DIRECTOR),
    "heat_penalty": ("post", {"number": 1}, DIRECTOR),
    "penalties": ("get", {}, STAFF),
    "penalty_take_back": ("post", {"pk": 1}, DIRECTOR),
    "correct_sheet": ("get", {"number": 1, "game": 1}, STAFF),
    "correct_entry": ("get", {"number": 1, "game": 1, "entry": 1}, DIRECTOR),
    "correct_preview": ("post", {"number": 1, "game": 1, "entry": 1}, DIRECTOR),
    "correct_do": ("post", {"number": 1, "game": 1, "entry": 1}, DIRECTOR),
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
    if who == "stranger":
        # Runs another event, so that only the event makes the difference.
        return client_of(make_event(), Role.OWNER)
    if who == "admin":
        client = Client()
        client.force_login(make_user(is_staff=True, is_superuser=True))
        return client
    return client_of(event, Role(who))


def _path(name: str, arguments: dict[str, object]) -> str:
    if name in {"home", "event_create", "rules_check"}:
        return reverse(f"tournaments:{name}")
    if "token" in arguments:
        return reverse(f"tournaments:{name}", kwargs=arguments)
    if arguments.get("pk") == 1:
        arguments = {**arguments, "pk": _penalty().pk}
    return reverse(f"tournaments:{name}", kwargs={"slug": "fest", **arguments})


def _penalty() -> Penalty:
    """Return the penalty of player 1, made when it is first asked for."""
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


@pytest.mark.parametrize("who", WHO)
def test_who_may_what(event: Event, who: str) -> None:
    heat = make_heats(event, 4).heats[0]
    sheet = Sheet.objects.get(table=heat.table, number=1)
    write(sheet, {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"})
    client = _client(event, who)
    wrong = []
    for name, (method, arguments, row) in TABLE.items():
        answer = getattr(client, method)(_path(name, arguments))
        got = _allowed(answer.status_code, answer.get("Location", ""))
        # Without a link there is no QR code: for those who may see it, too.
        if name == "heat_qr" and got == "4" and row[WHO.index(who)] == "r":
            got = "r"
        if answer.status_code >= 500 or got != row[WHO.index(who)]:
            wrong.append((name, who, answer.status_code))
    assert wrong == []


@pytest.mark.parametrize("who", WHO)
def test_draft_is_there_for_its_staff_only(db: None, who: str) -> None:
    event = make_event(slug="fest", status=EventStatus.DRAFT)
    client = _client(event, who)
    expected = 404 if who in {"public", "stranger"} else 200
    for name in ("event", "event_now", "event_find", "standings", "qualified"):
        assert client.get(_path(name, {})).status_code == expected, name


def test_wrong_method_is_405(event: Event, director: Client) -> None:
    make_heats(event, 4)
    for name, (method, arguments, row) in TABLE.items():
        if method == "post" and name != "player_register" and row[4] == "r":
            assert director.get(_path(name, arguments)).status_code == 405, name


def test_unknown_things_are_404(event: Event, director: Client) -> None:
    finished_heat(event)
    for name, (method, arguments, row) in TABLE.items():
        if "number" in arguments and row[4] == "r":
            path = _path(name, {**arguments, "number": 99})
            assert getattr(director, method)(path).status_code == 404, name
    assert director.get("/e/none/").status_code == 404
    assert director.get("/e/fest/standings.exe").status_code == 404
