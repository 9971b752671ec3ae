"""Every address of the program, tried with another event's objects.

The table of roles (``test_permissions``) says who may open what at their own event. Here, accounts
with a role at one event try every address at events where they have none: with the other event's
address, and from their own event with numbers, keys and names of the other's objects. They must not
see anything of it, and none of its rows may change.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core import serializers
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from scoring.models import Sheet
from scoring.writing import object_to_deal
from tests.tournaments.conftest import client_of
from tests.tournaments.core.test_permissions import (
    BY_LINK,
    LINKS,
    TABLE,
    WITHOUT_EVENT,
    _client,
)
from tests.tournaments.factories import (
    make_event,
    make_heats,
    make_maker,
    make_organiser,
    make_person,
    make_players,
    make_user,
    write,
)
from tests.tournaments.registration.lists import rows_from_text
from tournaments.cash.commands import book
from tournaments.core.mail import MAIL
from tournaments.draws.commands.drafts import draft_heats
from tournaments.draws.commands.seating_constraints import keep_apart
from tournaments.events.commands.invitations import invite
from tournaments.models import (
    Day,
    Event,
    Job,
    KeepApart,
    Organiser,
    Penalty,
    Screen,
    ScreenPicture,
)
from tournaments.models.enums import Audience, BookingKind, EventStatus, MailKind, Role
from tournaments.notices.commands.announcements import announce
from tournaments.prints.commands import PRINT
from tournaments.registration.commands.merges import merge_persons
from tournaments.registration.commands.people import register_person
from tournaments.registration.queries.import_preview import SPREADSHEET, plan_rows, signed_preview
from tournaments.series.commands.series import add_event, create_series

pytestmark = pytest.mark.django_db

#: Addresses outside the tournaments that name no event's objects; all others are in TABLE.
NO_EVENT = ("healthz", "readyz", "metrics", "i18n/", "first-run/", "accounts/", "admin/")
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
    "seating_room": (),
    "seating_table": ("player",),
    "seating_together": ("pair",),
    "sign_up": (),
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
#: The path from each model to its event; what belongs to no event is an organiser's.
OF_EVENT = {
    "Announcement": "event",
    "PushSubscription": "registration__event",
    "Screen": "event",
    "ScreenContact": "screen__event",
    "ScreenPicture": "event",
    "EventPlace": "event",
    "EventSummary": "event",
    "Event": "pk",
    "Day": "event",
    "EventRole": "event",
    "EventVersion": "event",
    "Stage": "event",
    "Registration": "event",
    "KeepApart": "event",
    "Heat": "event",
    "HeatEntry": "stage__event",
    "Draw": "event",
    "Booking": "event",
    "TillCount": "event",
    "EventPicture": "event",
    "LogEntry": "event",
    "Penalty": "event",
    "Invitation": "event",
    "Job": "event",
    "JobFile": "job__event",
    "Qualification": "event",
    "HeatResult": "heat__event",
    "HeatGame": "heat__event",
    "GameHands": "game__heat__event",
    "GameResult": "game__heat__event",
    "StagePlayer": "stage__event",
    "WarningReview": "event",
}
OF_ORGANISER = {
    "Organiser": "pk",
    "OrganiserMember": "organiser",
    "Person": "organiser",
    "Series": "organiser",
    "SeriesEvent": "series__organiser",
    "OutsideResult": "of__series__organiser",
    "SamePlayer": "series__organiser",
}
#: Shared by all events, or belonging to objects that are counted above.
OF_NOBODY = {"Anchor", "Attempt", "ProcessedForm", "Throttle"}


def test_every_model_has_an_owner() -> None:
    models = {model.__name__ for model in apps.get_app_config("tournaments").get_models()}
    assert models - OF_NOBODY - {"PersonMerge"} <= OF_EVENT.keys() | OF_ORGANISER.keys()


class Other:
    """An event of another organiser, with objects of every kind, and how they are named."""

    def __init__(self, slug: str, organiser: Organiser, *, draft: bool = False) -> None:
        self.owner = make_maker(organiser=organiser, is_owner=True)
        self.helper = make_maker(organiser=organiser)
        event = make_event(self.owner, slug=slug, name="Other", organiser=organiser)
        # More than the own event has, so that each number exists at this event only.
        heats = make_heats(event, 12).heats
        sheet = Sheet.objects.get(table=heats[0].table, number=1)
        write(sheet, {"kind": "hand", "phase": 1, "seat": 0, "category": "pair"})
        make_players(event, 8)
        draw = draft_heats(event=event, by=None)
        one, other = event.registrations.filter(number__in=(13, 14)).order_by("number")
        keep_apart(event=event, one=one, other=other, by=None)
        secret = register_person(
            event=event,
            by=None,
            legal_name="Hemlig Hansson",
            visibility="hidden",
            email="hemlig@example.org",
            note="secret note",
        )
        merge = merge_persons(
            kept=secret.person,
            merged=make_person("Hemlig Hanson", organiser),
            event=event,
            by=None,
        )
        kind = BookingKind.FEE
        booking = book(event=event, kind=kind, amount=100, registration=secret, by=None)
        penalty = Penalty.objects.create(
            event=event,
            registration=secret,
            level="warning",
            offence="slow",
            client_id=uuid.uuid4(),
        )
        job = Job.objects.create(kind=PRINT, what="empty", event=event)
        mail = Job.objects.create(
            kind=MAIL,
            what=MailKind.RESULT,
            event=event,
            registration=secret,
            parameters={"address": "hemlig@example.org"},
        )
        screens = [
            Screen.objects.create(
                event=event, number=number, name="Hemlig", digest=f"{slug} {number}"
            )
            for number in (1, 2)
        ]
        picture = ScreenPicture.objects.create(
            event=event, name="Hemlig", content=b"", width=1, height=1, digest="x"
        )
        announcement = announce(
            event=event, texts={"sv": "Hemlig"}, audience=Audience.TABLE, table=99, by=None
        )
        listed = Job.objects.create(kind=SPREADSHEET, event=event, status="done", result=None)
        objection = object_to_deal(
            table_id=heats[0].table_id or 0,
            game=1,
            deal=1,
            player_id=sheet.seats[0],
            text="",
            client_id=uuid.uuid4(),
            by="test",
        )
        client_of(event, Role.FLOOR)
        series = create_series(organiser=organiser, name="Hemlig", by=None, **DAYS)
        row = add_event(series=series, event=event, by=None)
        self.event, self.organiser = event, organiser
        #: Values in addresses.
        self.kwargs: dict[str, Any] = {
            "number": secret.number,
            "game": 1,
            "entry": 1,
            "deal": 1,
            "fmt": "csv",
            "language": "sv",
            "part": "tables",
            "kind": "tiles",
            "pk": penalty.pk,
            "organiser": organiser.slug,
            "series": series.slug,
        }
        #: Values in addresses for one kind of object.
        self.numbers = {"heat": heats[-1].number, "draw": draw.number}
        self.numbers |= {"prints": job.pk, "import": listed.pk, "screens": screens[-1].number}
        part = Day.objects.create(event=event, name="1A", starts_at=event.created_at)
        #: Values in forms.
        preview = signed_preview(event, plan_rows(event, rows_from_text("Ny Nilsson")))
        self.fields: dict[str, Any] = {
            "part": part.pk,
            "number": secret.number,
            "player": str(secret.number),
            "out": str(secret.number),
            "into": str(secret.number),
            "one": one.number,
            "other": str(other.number),
            "pair": KeepApart.objects.get(event=event).pk,
            "booking": booking.pk,
            "job": job.pk,
            "mail": mail.pk,
            "announcement": announcement.pk,
            "instead": screens[-1].pk,
            "screen": screens[-1].number,
            "picture": picture.pk,
            "like": slug,
            "organiser": organiser.slug,
            "auditor": str(secret.number),
            "signed": preview,
            "merge": merge.pk,
            "row": row.pk,
            "objection": objection.pk,
            "person": str(secret.person.public_id),
            "game": 1,
            "entry": 1,
            "username": self.helper.username,
        }
        self.invitations = {
            "staff_invite_revoke": invite(to=event, role=Role.FLOOR, by=None).pk,
            "member_invite_revoke": invite(to=organiser, role=None, by=None).pk,
        }
        if draft:
            Event.objects.filter(pk=event.pk).update(status=EventStatus.DRAFT)

    def rows(self) -> str:
        """Return every row that belongs to this event or its organiser."""
        found: list[Any] = []
        for ways, thing in ((OF_EVENT, self.event.pk), (OF_ORGANISER, self.organiser.pk)):
            for model, way in ways.items():
                rows = apps.get_model("tournaments", model)._base_manager
                found += rows.filter(**{way: thing}).order_by("pk")
        found += apps.get_model("tournaments", "PersonMerge").objects.order_by("pk")
        tables = self.event.heats.values("table")
        ways = {
            "Table": "pk",
            "Sheet": "table",
            "SheetEntry": "sheet__table",
            "Link": "table",
            "Objection": "sheet__table",
            "ObjectionAnswer": "objection__sheet__table",
            "GameAcceptance": "sheet__table",
        }
        for model, way in ways.items():
            rows = apps.get_model("scoring", model)._base_manager
            found += rows.filter(**{f"{way}__in": tables}).order_by("pk")
        return serializers.serialize("json", found)


DAYS = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
SECRETS = ("Hemlig", "hemlig@example.org", "secret note", "list.xlsx")


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
            public = may[0] == "r" and not draft
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
