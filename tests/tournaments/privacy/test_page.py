"""The public page says what this installation keeps, in both languages."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from config import backup
from tests.tournaments.conftest import client_of
from tests.tournaments.factories import make_event, make_organiser, make_players
from tournaments.core.organisers import the_organiser
from tournaments.models import Event, LogEntry, Registration
from tournaments.models.enums import EventStatus, LogAction, Role
from tournaments.privacy.commands import keep_contacts_for
from tournaments.privacy.queries import BACKUPS_KEPT
from tournaments.registration.commands.merges import merge_persons, undo_merge
from tournaments.registration.queries.player_links import token_of

pytestmark = pytest.mark.django_db

PATH = "/privacy/"


def text_of(client: Client, **headers: str) -> str:
    answer = client.get(PATH, headers=headers)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_it_says_what_the_settings_say(client: Client, settings: Any) -> None:
    make_event()
    make_event(organiser=make_organiser("Andra klubben"))
    make_organiser("Hemliga klubben")
    keep_contacts_for(organiser=the_organiser(), months=7, by=None)
    settings.PRIVACY_CONTACT = "Kortklubben, kort@example.org"
    settings.BACKUP_HOURS, settings.PRINTS_EMAIL = 1.0, False
    text = text_of(client)
    assert "Kortklubben, kort@example.org" in text
    assert "7 months after an event" in text
    assert "Andra klubben: until a player asks to be erased" in text
    assert "deleted after 31 days" in text
    assert "mail server" in text
    # Whoever has no public event is nobody's business.
    assert "Hemliga klubben" not in text
    settings.PRIVACY_CONTACT, settings.BACKUP_HOURS, settings.PRINTS_EMAIL = "", 0, True
    text = text_of(client)
    assert "This program makes none by itself" in text
    assert "mail server" not in text


def test_drafts_tell_nothing(client: Client) -> None:
    make_event(organiser=make_organiser("Andra klubben"), status=EventStatus.DRAFT)
    assert "Andra klubben" not in text_of(client)


def test_it_is_there_in_swedish(client: Client) -> None:
    text = text_of(client, accept_language="sv")
    assert "Vad som sparas om människor" in text
    assert "Integritetsskyddsmyndigheten" in text


def test_backups_are_kept_as_long_as_it_says() -> None:
    assert backup._DAILY_FOR == BACKUPS_KEPT


def test_its_queries_do_not_grow(client: Client) -> None:
    counts = []
    for number in range(2):
        make_event(organiser=make_organiser(f"Klubb {number}"))
        with CaptureQueriesContext(connection) as queries:
            client.get(PATH)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 2


def test_every_page_leads_there(client: Client, event: Event) -> None:
    for path in ("/", reverse("tournaments:event", args=[event.slug])):
        assert f'href="{PATH}"' in client.get(path).content.decode()


def test_players_say_whether_pictures_may_be_published(client: Client) -> None:
    event = make_event(slug="open", sign_up_opens_at=timezone.now() - timedelta(hours=1))
    sign_up = reverse("tournaments:sign_up", args=[event.slug])
    form = {"legal_name": "Bo Ek", "visibility": "public"}
    client.post(sign_up, form)
    client.post(sign_up, form | {"legal_name": "Cia Ek", "pictures": "on"})
    bo, cia = event.registrations.order_by("number")
    assert (bo.pictures, cia.pictures) == (False, True)
    page = reverse("tournaments:player_page_pictures", args=[token_of(cia)])
    client.post(page, {"may": "0"})
    cia.refresh_from_db()
    assert cia.pictures is False
    row = LogEntry.objects.filter(action=LogAction.CONTACT_CHANGED).latest("pk")
    assert (row.actor, row.after) == ("№ 2", {"fields": ["pictures"]})


def test_the_desk_sees_who_wants_no_pictures(event: Event) -> None:
    player, _other = make_players(event, 2)
    Registration.objects.filter(pk=player.pk).update(pictures=False)
    director = client_of(event, Role.DIRECTOR)
    desk = director.get(reverse("tournaments:desk", args=[event.slug])).content.decode()
    assert desk.count("no pictures") == 1
    page = reverse("tournaments:player_edit", args=[event.slug, player.number])
    form = {"given_name": "Anna", "family_name": "Ek", "visibility": "public"}
    director.post(page, form | {"pictures": "true"})
    player.refresh_from_db()
    assert player.pictures is True


def test_of_two_that_are_one_the_no_holds(event: Event) -> None:
    one, two = make_players(event, 2, here=False)
    Registration.objects.filter(pk=one.pk).update(pictures=True)
    Registration.objects.filter(pk=two.pk).update(pictures=False)
    merge = merge_persons(kept=one.person, merged=two.person, event=event, by=None)
    one.refresh_from_db()
    assert one.pictures is False
    undo_merge(merge=merge, event=event, by=None)
    one.refresh_from_db()
    assert one.pictures is True
