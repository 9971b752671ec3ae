"""Contacts are deleted after the event, announced before, and it is noted who looks at them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_maker, make_organiser, make_players
from tests.tournaments.jobs import run
from tournaments.core.contacts import NOTICE, contacts_until
from tournaments.core.organisers import the_organiser
from tournaments.models import (
    ContactsSeen,
    Event,
    Job,
    LogEntry,
    Organiser,
    PushSubscription,
    Registration,
)
from tournaments.models.enums import EventStatus, LogAction, Role
from tournaments.privacy.commands import forget_contacts, keep_contacts_for
from tournaments.registration.commands.merges import merge_persons, undo_merge
from tournaments.registration.commands.people import change_player
from tournaments.registration.queries.player_links import token_of

pytestmark = pytest.mark.django_db


def known(event: Event, count: int = 1) -> list[Registration]:
    """Return players with contacts."""
    players = make_players(event, count, here=False)
    for player in players:
        change_player(registration=player, by=None, email="a@example.org", phone="1", note="nuts")
    return list(event.registrations.select_related("person").order_by("number"))


def ended(days: int, **fields: object) -> Event:
    """Return an event whose last day was so many days ago."""
    day = timezone.localdate() - timedelta(days=days)
    return make_event(starts_on=day, ends_on=day, **{"status": EventStatus.FINISHED, **fields})


def kept_for(months: int, *, since: int = 100, organiser: Organiser | None = None) -> Organiser:
    """Let an organiser keep contacts so many months, since so many days ago."""
    organiser = organiser or the_organiser()
    keep_contacts_for(organiser=organiser, months=months, by=None)
    day = timezone.localdate() - timedelta(days=since)
    Organiser.objects.filter(pk=organiser.pk).update(contacts_set_on=day)
    return Organiser.objects.get(pk=organiser.pk)


def test_a_worker_deletes_them_when_their_time_is_over() -> None:
    old, young = ended(40), ended(20)
    foreign = ended(400, organiser=make_organiser())
    for event in (old, young, foreign):
        known(event)
    Job.objects.create(
        kind="mail", event=old, registration=old.registrations.get(), parameters={"address": "a@b"}
    )
    run("contacts")
    assert old.registrations.get().email
    kept_for(1)
    Job.objects.update(due_at=timezone.now())
    run("contacts")
    player = old.registrations.get()
    assert (player.email, player.phone, player.note) == ("", "", "")
    assert player.person.legal_name == "Anna Åkerlund"
    assert not Job.objects.filter(kind="mail").exists()
    assert young.registrations.get().email
    assert foreign.registrations.get().email
    [row] = LogEntry.objects.filter(action=LogAction.CONTACTS_FORGOTTEN)
    assert (row.event, row.after, row.actor) == (old, {"players": 1}, "")


def test_an_open_event_keeps_them() -> None:
    """Its last day may have been typed wrong."""
    event = ended(400, status=EventStatus.OPEN)
    known(event)
    kept_for(1)
    run("contacts")
    assert event.registrations.get().email
    Event.objects.update(status=EventStatus.FINISHED)
    Job.objects.update(due_at=timezone.now())
    run("contacts")
    assert not event.registrations.get().email


def test_again_changes_nothing() -> None:
    event = ended(40)
    known(event, 2)
    assert [forget_contacts(event=event) for _time in range(2)] == [2, 0]
    assert LogEntry.objects.filter(action=LogAction.CONTACTS_FORGOTTEN).count() == 1


def test_a_shorter_time_is_announced_first() -> None:
    event = ended(400)
    known(event)
    organiser = the_organiser()
    keep_contacts_for(organiser=organiser, months=1, by=None)
    event = Event.objects.select_related("organiser").get(pk=event.pk)
    assert contacts_until(event) == timezone.localdate() + NOTICE
    run("contacts")
    assert event.registrations.get().email
    # A longer one needs no notice.
    keep_contacts_for(organiser=organiser, months=2, by=None)
    assert Organiser.objects.get().contacts_set_on == timezone.localdate()
    rows = LogEntry.objects.filter(action=LogAction.ORGANISER_CHANGED).order_by("pk")
    assert [row.after for row in rows] == [{"contacts_months": 1}, {"contacts_months": 2}]


def test_what_a_merge_has_kept_goes_too() -> None:
    event = ended(40)
    one, two = known(event, 2)
    merge = merge_persons(kept=one.person, merged=two.person, event=event, by=None)
    forget_contacts(event=event)
    undo_merge(merge=merge, event=event, by=None)
    assert not any(row.email or row.phone or row.note for row in event.registrations.all())


@pytest.mark.parametrize(
    ("last", "months", "until"),
    [
        (date(2026, 11, 30), 3, date(2027, 2, 28)),
        (date(2026, 12, 31), 2, date(2027, 2, 28)),
        (date(2026, 1, 15), 12, date(2027, 1, 15)),
    ],
)
def test_months_are_those_of_the_calendar(last: date, months: int, until: date) -> None:
    event = Event(ends_on=last, organiser=Organiser(contacts_months=months))
    assert contacts_until(event) == until


def test_players_read_when_theirs_are_deleted(client: Client) -> None:
    event = make_event(
        slug="fest",
        starts_on=date(2031, 5, 1),
        ends_on=date(2031, 5, 2),
        sign_up_opens_at=timezone.now() - timedelta(hours=1),
    )
    kept_for(3)
    [player] = known(event)
    for path in (
        reverse("tournaments:sign_up", args=[event.slug]),
        reverse("tournaments:player_page", args=[token_of(player)]),
    ):
        text = client.get(path).content.decode()
        assert "telephone number are deleted on 2 August 2031" in " ".join(text.split()), path
    desk = client_of(event, Role.DIRECTOR)
    page = desk.get(reverse("tournaments:player_edit", args=[event.slug, player.number]))
    assert "are deleted on 2031-08-02" in page.content.decode()


def test_looks_are_noted_once_an_hour(event: Event) -> None:
    player, other = known(event, 2)
    client = client_of(event, Role.CASHIER)
    page = reverse("tournaments:player_edit", args=[event.slug, player.number])
    for path in (
        page,
        page,
        reverse("tournaments:player_edit", args=[event.slug, other.number]),
        reverse("tournaments:registrations_export", args=[event.slug, "csv"]),
    ):
        assert client.get(path).status_code == 200
    rows = ContactsSeen.objects.order_by("pk")
    assert [(row.registration, row.where) for row in rows] == [
        (player, "player"), (other, "player"), (None, "list"),
    ]  # fmt: skip
    ContactsSeen.objects.update(at=timezone.now() - timedelta(hours=2))
    client.get(page)
    assert ContactsSeen.objects.count() == 4


def test_staff_that_opens_a_players_file_is_noted(event: Event) -> None:
    [player] = known(event, 1)
    path = reverse("tournaments:player_page_data", args=[token_of(player)])
    assert Client().get(path).status_code == 200
    assert not ContactsSeen.objects.exists()
    assert client_of(event, Role.DIRECTOR).get(path).status_code == 200
    row = ContactsSeen.objects.get()
    assert (row.registration, row.where) == (player, "own")
    assert str(row.get_where_display()) == "The player’s own data as a file"


def test_where_nothing_is_known_nothing_is_noted(event: Event) -> None:
    [player] = make_players(event, 1)
    client = client_of(event, Role.DIRECTOR)
    client.get(reverse("tournaments:player_edit", args=[event.slug, player.number]))
    client.get(reverse("tournaments:registrations_export", args=[event.slug, "csv"]))
    client.get(reverse("tournaments:mail", args=[event.slug]))
    assert not ContactsSeen.objects.exists()


def test_old_looks_are_forgotten(event: Event) -> None:
    for days in (10, 400):
        at = timezone.now() - timedelta(days=days)
        ContactsSeen.objects.create(event=event, actor="bo", where="list", at=at)
    run("contacts")
    assert ContactsSeen.objects.count() == 1


@pytest.fixture
def owner() -> Client:
    client = Client()
    client.force_login(make_maker("owner", is_owner=True))
    return client


def test_the_owner_sets_the_time_and_reads_who_looked(owner: Client, event: Event) -> None:
    [player] = known(event)
    note = client_of(event, Role.DIRECTOR)
    note.get(reverse("tournaments:player_edit", args=[event.slug, player.number]))
    path = reverse("tournaments:organiser_contacts", args=[the_organiser().slug])
    page = owner.get(path).content.decode()
    actor = ContactsSeen.objects.get().actor
    assert actor in page
    assert "The player’s page at the desk" in page
    for wrong in ("0", "121", "x"):
        assert owner.post(path, {"contacts_months": wrong}).status_code == 422
    owner.post(path, {"contacts_months": "6"})
    assert the_organiser().contacts_months == 6
    assert "deleted on" in owner.get(path).content.decode()
    owner.post(path, {"contacts_months": ""})
    assert the_organiser().contacts_months is None


def test_only_the_owner(event: Event) -> None:
    path = reverse("tournaments:organiser_contacts", args=[the_organiser().slug])
    member, stranger = Client(), client_of(event, Role.OWNER)
    member.force_login(make_maker("member"))
    assert member.get(path).status_code == 403
    assert member.post(path, {"contacts_months": "1"}).status_code == 403
    assert stranger.get(path).status_code == 404
    foreign = Client()
    foreign.force_login(make_maker("foreign", organiser=make_organiser(), is_owner=True))
    assert foreign.get(path).status_code == 404
    assert Client().get(path).status_code == 302


def test_queries_of_the_owners_page_do_not_grow(owner: Client, event: Event) -> None:
    path = reverse("tournaments:organiser_contacts", args=[the_organiser().slug])
    counts = []
    for _round in range(2):
        players = known(make_event(), 2)
        for player in players:
            ContactsSeen.objects.create(
                event=player.event, registration=player, actor="bo", where="player"
            )
        owner.get(path)
        with CaptureQueriesContext(connection) as queries:
            owner.get(path)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 10


def test_devices_and_mails_of_players_without_contacts_go_too() -> None:
    event = ended(40)
    [player] = make_players(event, 1, here=False)
    PushSubscription.objects.create(
        registration=player, endpoint="https://push.example/1", p256dh="a", auth="b", language="en"
    )
    mailed = ended(40)
    Job.objects.create(
        kind="mail", event=mailed, registration=make_players(mailed, 1, here=False)[0],
        parameters={"address": "taken-away@example.org"},
    )  # fmt: skip
    kept_for(1)
    run("contacts")
    assert not PushSubscription.objects.exists()
    assert not Job.objects.filter(kind="mail").exists()


def test_a_list_that_is_compared_with_known_contacts_is_a_look(event: Event) -> None:
    [player] = known(event)
    client = client_of(event, Role.CASHIER)
    path = reverse("tournaments:import_players", args=[event.slug])
    client.post(path, {"text": "Nobody Known"})
    assert not ContactsSeen.objects.exists()
    page = client.post(path, {"text": f"namn;e-post\n{player.person.legal_name};b@example.org"})
    assert "a@example.org" in page.content.decode()
    assert [row.where for row in ContactsSeen.objects.all()] == ["import"]
