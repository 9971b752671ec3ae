"""Every address of the program, tried with another event's objects.

The table of roles (``test_permissions``) says who may open what at their own event. Here, accounts
with a role at one event try every address at events where they have none: with the other event's
address, and from their own event with numbers, keys and names of the other's objects. They must not
see anything of it, and none of its rows may change.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.tournaments.api.addresses import API
from tests.tournaments.core.another_event import (
    DAYS,
    OF_EVENT,
    OF_NOBODY,
    OF_ORGANISER,
    SECRETS,
    Other,
)
from tests.tournaments.core.test_links import BY_LINK
from tests.tournaments.core.test_permissions import (
    LINKS,
    OF_PUBLIC_EVENTS,
    TABLE,
    WITHOUT_EVENT,
    _client,
)
from tests.tournaments.factories import (
    make_event,
    make_heats,
    make_maker,
    make_organiser,
    make_user,
)
from tournaments.models import (
    Event,
)
from tournaments.models.enums import EventStatus, Role
from tournaments.series.commands.series import create_series

pytestmark = pytest.mark.django_db

#: Addresses outside the tournaments that name no event's objects; all others are in TABLE.
NO_EVENT = ("healthz", "readyz", "metrics", "docs/", "i18n/", "first-run/", "accounts/", "admin/")
#: What somebody who knows another event's objects could send: field -> value by :class:`Other`.
#: Every address that takes a form is listed, with the fields that name objects, if any.
FIELDS: dict[str, tuple[str, ...]] = {
    "casual": (),
    "casual_begin": (),
    "casual_blank": (),
    "casual_practice": (),
    "cash": ("number",),
    "cash_pay": ("number",),
    "cash_void": ("booking",),
    "cash_prize_return": ("number",),
    "cash_free": (),
    "part_begin": ("part",),
    "clocks": (),
    "cash_count": (),
    "cash_prize_pay": ("number",),
    "cash_refund": ("number",),
    "correct_apply": (),
    "correct_preview": (),
    "deal_preview": (),
    "deal_put_in": (),
    "correction_back_preview": (),
    "correction_back_do": (),
    "desk_draw": (),
    "draft_again": (),
    "draft_change": ("player",),
    "draft_discard": (),
    "draft_make": (),
    "draft_publish": (),
    "draft_times": (),
    "draw_take_back": (),
    "exchange_do": ("out", "into"),
    "event_create": ("like", "organiser"),
    "api_tokens": (),
    "webhooks": (),
    "webhook_end": ("hook",),
    "webhook_again": ("message",),
    "api_token_end": ("token",),
    "event_picture_remove": (),
    "picture_set": (),
    "event_two_factor": (),
    "event_settings": (),
    "event_staff": (),
    "event_staff_remove": ("username",),
    "event_status": (),
    "heat_auditor": ("auditor",),
    "heat_objection": ("objection",),
    "heat_call_clear": (),
    "heat_clock": (),
    "heat_close": (),
    "heat_swap": ("player", "other"),
    "heat_flip_flop": (),
    "heat_link": (),
    "heat_let_in": (),
    "heat_link_revoke": (),
    "heat_minutes": (),
    "heat_missing": ("player",),
    "heat_penalty": ("player",),
    "heat_players": ("out", "into"),
    "heat_review": (),
    "heat_ruling": (),
    "heat_seats": (),
    "heat_slow": (),
    "heat_table": (),
    "heat_time_up": (),
    "heat_times": (),
    "heat_void": (),
    "import_do": ("signed",),
    "import_players": (),
    "closed_penalty": ("player",),
    "disqualify": ("player",),
    "job_cancel": ("job",),
    "job_create": (),
    "announcements": (),
    "announce_break": (),
    "announcement_take_back": ("announcement",),
    "letter": (),
    "mail_again": ("mail",),
    "mail_all": (),
    "mail_set": (),
    "member_invite": (),
    "member_invite_revoke": ("invitation",),
    "member_remove": ("username",),
    "member_set": (),
    "merge_undo": ("merge",),
    "organiser": (),
    "organisers": (),
    "organiser_contacts": (),
    "organiser_series": (),
    "series_agree": ("row",),
    "series_events": (),
    "series_leave": ("row",),
    "series_outside": (),
    "series_remove": ("row",),
    "series_settings": (),
    "paper_compared": ("player",),
    "paper_deals": (),
    "paper_back_preview": (),
    "paper_take_back": (),
    "paper_enter": (),
    "paper_preview": (),
    "penalty_take_back": (),
    "player_check_in": (),
    "player_edit": (),
    "player_enter": (),
    "player_erase": (),
    "player_leave": (),
    "queue_empty": (),
    "player_admit": (),
    "player_link_renew": (),
    "player_merge": ("person",),
    "player_register": (),
    "player_reinstate": (),
    "player_undo_check_in": (),
    "player_withdraw": (),
    "register_known": ("person",),
    "round_absent": ("number",),
    "round_discard": (),
    "round_draft": (),
    "round_prepare": (),
    "round_present": ("number",),
    "room_table": (),
    "round_take_in": ("player",),
    "screen_end": (),
    "screen_now": (),
    "screen_set": (),
    "screens": ("instead",),
    "screens_steer": ("screen",),
    "sponsor_remove": ("picture",),
    "sponsors": (),
    "seating_apart": ("one", "other"),
    "seating_group": (),
    "seating_room": (),
    "seating_table": ("player",),
    "seating_together": ("pair",),
    "sign_ups_undo": ("player",),
    "sign_up": (),
    "lost_link": (),
    "staff_invite": (),
    "staff_invite_revoke": ("invitation",),
    "timetable": (),
    "verification": (),
    "warning_seen": ("game", "entry"),
}
#: Further fields that such forms need.
SENT = {
    "reason": "because",
    "kind": "fee",
    "amount": "50",
    "offence": "slow",
    "level": "warning",
    "what": "game",
    "version": 1,
    "to": "swap",
    "table": 1,
    "name": "Copy",
    "keep": "this",
}
#: The forms on a heat's page, and of the penalties.
PREFIXES = ("penalty", "closed", "missing", "players", "swap", "out")


def test_every_model_has_an_owner() -> None:
    models = {model.__name__ for model in apps.get_app_config("tournaments").get_models()}
    assert models - OF_NOBODY - {"PersonMerge"} <= OF_EVENT.keys() | OF_ORGANISER.keys()


@pytest.fixture
def own() -> Event:
    """The event at which the accounts have their roles: with a heat and a few players."""
    event = make_event(slug="fest", name="Festival", status=EventStatus.OPEN)
    make_heats(event, 4)
    create_series(organiser=event.organiser, name="Tour", by=None, **DAYS)
    return event


def addresses(
    patterns: list[URLPattern | URLResolver], prefix: str = "", space: str = ""
) -> Iterator[tuple[str, str, URLPattern]]:
    """Return every address of the program: path, name with namespace, pattern."""
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, path, pattern.namespace or space)
        else:
            yield path, f"{space}:{pattern.name}", pattern


def test_every_address_is_tried() -> None:
    known = {f"tournaments:{name}" for name in TABLE} | {f"scoring:{name}" for name in BY_LINK}
    # The last one answers whatever is none of the interface's addresses.
    known |= {f"api:{name}" for name in (*API, None)}
    forgotten = [
        path
        for path, name, _pattern in addresses(get_resolver().url_patterns)
        if name not in known and not path.removeprefix("^").startswith(NO_EVENT)
    ]
    assert forgotten == []


def at_home(name: str, kwargs: dict[str, Any], slug: str) -> str:
    """Return the address at the event with this slug, or outside events."""
    if name in WITHOUT_EVENT or {"organiser", "series", "token"} & kwargs.keys():
        return reverse(f"tournaments:{name}", kwargs=kwargs)
    return reverse(f"tournaments:{name}", kwargs={"slug": slug, **kwargs})


def kind_of(name: str) -> str:
    """Return what a number in an address refers to: a heat, draw, print, list or player."""
    path = next(p for p, n, _ in addresses(get_resolver().url_patterns) if n.endswith(f":{name}"))
    kinds = ("heat", "draw", "draft", "prints", "import", "screens")
    found = [kind for kind in kinds if f"/{kind}" in path]
    return {"draft": "draw"}.get(found[0], found[0]) if found else "player"


def named(name: str, other: Other) -> dict[str, Any]:
    """Return an address's arguments, all of them the other event's objects."""
    kwargs = {key: other.kwargs[key] for key in TABLE[name][1] if key in other.kwargs}
    if "number" in kwargs:
        kwargs["number"] = other.numbers.get(kind_of(name), other.kwargs["number"])
    if "fmt" in kwargs:
        kwargs["fmt"] = TABLE[name][1]["fmt"]
    return kwargs


def text_of(answer: HttpResponse) -> str:
    content = b"".join(answer) if answer.streaming else answer.content
    return content.decode(errors="replace")


def asked(client: Client, name: str, path: str) -> Iterator[HttpResponse]:
    """Open an address, and send its form."""
    if TABLE[name][0] == "get":
        yield client.get(path)
    if name in FIELDS:
        yield client.post(path, {})


#: Accounts without a role at the own event.
OTHERS = ("maker", "organiser owner", "account")
#: Accounts that are enough for make test: an owner has every right of the other roles (checked
#: below), an organiser's owner those of its other accounts, and a link none at these addresses. The
#: slow run tries all accounts.
ENOUGH = ("public", Role.OWNER, "organiser owner")
by_those_and_by_all = pytest.mark.parametrize(
    "those", [ENOUGH, pytest.param(("public", *Role, *LINKS, *OTHERS), marks=pytest.mark.slow)]
)


def test_an_owner_has_every_right() -> None:
    assert all(role.rights <= Role.OWNER.rights for role in Role)


def browsers(own: Event, those: Sequence[str]) -> Iterator[tuple[str, Client]]:
    """Return browsers of accounts with rights at the own event."""
    for who in those:
        client = Client()
        if who == "account":
            client.force_login(make_user())
        elif who in OTHERS:
            is_owner = who == "organiser owner"
            client.force_login(make_maker(organiser=own.organiser, is_owner=is_owner))
        else:
            client = _client(own, who)
        yield who, client


@by_those_and_by_all
@pytest.mark.parametrize("draft", [False, True])
def test_another_events_addresses_are_closed(own: Event, draft: bool, those: Sequence[str]) -> None:
    other = Other("other", make_organiser(), draft=draft)
    before = other.rows()
    wrong = []
    for who, client in browsers(own, those):
        for name, (_method, arguments, may) in TABLE.items():
            if name in WITHOUT_EVENT or "token" in arguments:
                continue
            if draft and those == ENOUGH and may[0] != "r":
                # The public pages are tried while the event is open.
                continue
            path = at_home(name, named(name, other), "other")
            # Whoever subscribed while the event was open is told that its days are cancelled.
            public = may[0] == "r" and (not draft or name == "organiser_calendar")
            for answer in asked(client, name, path):
                outside = answer.status_code in {404, 405} or (
                    answer.status_code == 302 and "/login/" in answer["Location"]
                )
                if not outside and not public:
                    wrong.append((who, name, answer.status_code))
                if any(secret in text_of(answer) for secret in SECRETS):
                    wrong.append((who, name, "shown"))
    assert wrong == []
    assert other.rows() == before


@by_those_and_by_all
def test_own_addresses_open_nothing_of_another_event(own: Event, those: Sequence[str]) -> None:
    other = Other("other", make_organiser())
    before = other.rows()
    wrong = []
    for who, client in browsers(own, those):
        for name in TABLE:
            kwargs = named(name, other)
            if not set(kwargs) & {"number", "pk", "key", "organiser"}:
                continue
            if name in OF_PUBLIC_EVENTS:
                # Everybody sees these of an organiser of an event that everybody sees.
                continue
            path = at_home(name, kwargs, own.slug)
            for answer in asked(client, name, path):
                refused = answer.status_code in {403, 404, 405} or (
                    answer.status_code == 302 and "/login/" in answer["Location"]
                )
                if not refused:
                    wrong.append((who, name, answer.status_code))
    assert wrong == []
    assert other.rows() == before


def test_every_address_that_takes_a_form_is_listed(own: Event) -> None:
    client = Client()
    client.force_login(make_user(is_superuser=True))
    takes = set()
    for name, (_method, arguments, _may) in TABLE.items():
        if "token" in arguments:
            continue
        path = at_home(name, dict(arguments), "none")
        if client.post(path, {}).status_code != 405:
            takes.add(name)
    assert takes == FIELDS.keys()


@by_those_and_by_all
def test_own_forms_do_not_affect_another_events_objects(own: Event, those: Sequence[str]) -> None:
    """Whatever object a form names is looked up at its own event only."""
    other = Other("other", make_organiser())
    before = other.rows()
    own.refresh_from_db()
    wrong = []
    for who, client in browsers(own, those):
        for name, fields in FIELDS.items():
            if not fields:
                continue
            arguments = {key: value for key, value in TABLE[name][1].items() if key != "organiser"}
            if "organiser" in TABLE[name][1]:
                arguments["organiser"] = own.organiser.slug
            data = SENT | {"client_id": str(uuid.uuid4())}
            data |= {field: other.fields.get(field) for field in fields if field != "invitation"}
            if "invitation" in fields:
                data["invitation"] = other.invitations[name]
            data |= {f"{prefix}-{key}": data[key] for prefix in PREFIXES for key in data}
            answer = client.post(at_home(name, arguments, own.slug), data, follow=True)
            if answer.status_code >= 500 or any(secret in text_of(answer) for secret in SECRETS):
                wrong.append((who, name, answer.status_code))
    assert wrong == []
    assert other.rows() == before
    # Nothing in the tested event refers to the other one.
    assert not own.registrations.exclude(person__organiser=own.organiser).exists()
    assert Event.objects.filter(organiser=other.organiser).count() == 1


def test_an_organisers_owner_has_its_own_events_only(own: Event) -> None:
    same = make_event(slug="same", organiser=own.organiser)
    foreign = make_event(slug="foreign", organiser=make_organiser())
    owner = make_maker(organiser=own.organiser, is_owner=True)
    client = Client()
    client.force_login(owner)
    statuses = [
        client.get(reverse("tournaments:event_staff", args=[event.slug])).status_code
        for event in (own, same, foreign)
    ]
    assert statuses == [200, 200, 404]
    assert User.objects.filter(tournament_roles__user=owner).count() == 0
