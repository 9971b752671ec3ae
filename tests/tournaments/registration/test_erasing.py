"""A player is erased: name, contacts and notes go, results stay under the number."""

from __future__ import annotations

import uuid

import pytest
from django.apps import apps
from django.db import connection, models
from django.test import Client
from django.urls import reverse

from scoring.models import Sheet
from scoring.reading.check import verify_sheet
from tests.tournaments.factories import (
    finished_heat,
    make_event,
    make_heats,
    make_maker,
    make_member,
    make_organiser,
    play_heat,
)
from tournaments.cash.commands import book, pay_entries, pay_prize
from tournaments.cash.queries.prizes import prizes_at
from tournaments.core.erased_names import ErasedName, digests_of
from tournaments.core.errors import Refused
from tournaments.core.names import registration_name, shown_text_of
from tournaments.core.queue import begin_again
from tournaments.documents.writing import event_document
from tournaments.draws.commands.seating_constraints import keep_apart
from tournaments.events.commands.events import set_event_status
from tournaments.floor.commands.penalties import give_penalty
from tournaments.heats.commands import close_heat
from tournaments.models import (
    Career,
    Event,
    Job,
    JobFile,
    LogEntry,
    Person,
    PushSubscription,
    Registration,
    SharedPicture,
    StagePlayer,
)
from tournaments.models.enums import (
    BookingKind,
    EventStatus,
    JobStatus,
    LogAction,
    PaymentMethod,
    RegistrationStatus,
    Role,
    Visibility,
)
from tournaments.notices.commands.announcements import announce
from tournaments.registration.commands.erasing import (
    ask_no_longer,
    ask_to_be_erased,
    erase_player,
)
from tournaments.registration.commands.merges import merge_persons, undo_merge
from tournaments.registration.commands.people import change_player, register_person, withdraw
from tournaments.registration.commands.player_links import choose_visibility
from tournaments.registration.queries.erasing import asking
from tournaments.registration.queries.my_data import my_data
from tournaments.registration.queries.player_links import registration_by_token, token_of
from tournaments.registration.queries.similar_names import suggestions

pytestmark = pytest.mark.django_db

NAME = "Xenia Quist-Zetterlöf"
WORDS = ("Xenia", "Quist", "Zetterl", "xenia", "XENIA")


@pytest.fixture
def xenia(event: Event) -> Registration:
    """A player of a finished heat whose name and contacts are in every place that takes text."""
    heat = finished_heat(event)
    player = event.registrations.order_by("number")[0]
    change_player(
        registration=player,
        by=None,
        given_name="Xenia",
        family_name="Quist-Zetterlöf",
        club="Xenias klubb",
        email="xenia@example.org",
        phone="070 123",
        note="Xenia is allergic to nuts",
    )
    assert heat.table_id
    return event.registrations.select_related("person").get(pk=player.pk)


def over(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(status=EventStatus.FINISHED)
    event.refresh_from_db()


def stored_texts(*but: type[models.Model]) -> list[str]:
    """Return every row of every table of ours in which a word of the name stands."""
    found = []
    for model in apps.get_models():
        if model._meta.app_label not in {"tournaments", "scoring"} or model in but:
            continue
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT * FROM "{model._meta.db_table}"')
            for row in cursor.fetchall():
                text = repr(row)
                if any(word in text for word in WORDS):
                    found.append(f"{model.__name__}: {text}")
    return found


def test_nothing_stored_knows_the_name(event: Event, xenia: Registration) -> None:
    assert stored_texts()
    over(event)
    erase_player(registration=xenia, by=None)
    assert stored_texts() == []
    row = Registration.objects.get(pk=xenia.pk)
    assert (row.email, row.phone, row.note, row.pin) == ("", "", "", "")
    assert registration_name(row) == f"Player {xenia.number}"
    assert str(row.person) == "Name erased"


def test_sheets_and_results_stay_true(event: Event, xenia: Registration) -> None:
    heat = event.heats.get()
    before = list(heat.results.order_by("pk").values())
    erase_player(registration=xenia, by=None)
    assert list(heat.results.order_by("pk").values()) == before
    for sheet in Sheet.objects.filter(table=heat.table):
        report, as_played = verify_sheet(sheet_id=sheet.pk)
        assert report.valid
        assert as_played


def test_devices_mails_prints_and_agreements_go(event: Event, xenia: Registration) -> None:
    PushSubscription.objects.create(
        registration=xenia, endpoint="https://push.example/1", p256dh="a", auth="b", language="en"
    )
    Career.objects.create(person=xenia.person)
    Job.objects.create(kind="mail", event=event, registration=xenia, parameters={"address": "x"})
    done = Job.objects.create(kind="print", event=event, status=JobStatus.DONE)
    JobFile.objects.create(job=done, name="list.pdf", content=b"Xenia")
    SharedPicture.objects.create(
        event=event, kind="heat", number=1, language="en", version=1, digest="1", content=b"Xenia"
    )
    being_made = Job.objects.create(
        kind="print", event=event, status=JobStatus.RUNNING, claimed_by="worker"
    )
    erase_player(registration=xenia, by=None)
    assert not PushSubscription.objects.exists()
    assert not Career.objects.exists()
    assert not Job.objects.filter(registration=xenia).exists()
    assert not JobFile.objects.exists()
    assert not SharedPicture.objects.exists()
    being_made.refresh_from_db()
    # It is made again, as it may have read the name already.
    assert being_made.status == JobStatus.WAITING


def test_the_link_ends(event: Event, xenia: Registration) -> None:
    token = token_of(xenia)
    erase_player(registration=xenia, by=None)
    assert registration_by_token(token) is None
    assert Client().get(f"/p/{token}/").status_code == 404


def test_typed_texts_are_shown_with_the_number(event: Event, xenia: Registration) -> None:
    erase_player(registration=xenia, by=None)
    shown = f"Player {xenia.number}"
    for staff in (False, True):
        text = shown_text_of(event, staff=staff)
        assert text("Xenias straight was a flush") == f"{shown}s straight was a flush"
        assert text("Quist-Zetterlöf, Xenia misheard") == f"{shown} misheard"
        assert text("XENIA QUIST-ZETTERLÖF misheard") == f"{shown} misheard"
        assert text("somebody else misheard") == "somebody else misheard"


def test_a_word_that_another_player_bears_stays(event: Event, xenia: Registration) -> None:
    register_person(event=event, by=None, legal_name="Xenia Ek")
    erase_player(registration=xenia, by=None)
    assert shown_text_of(event, staff=True)("Xenia misheard") == "Xenia misheard"
    text = shown_text_of(event, staff=True)("Xenia Quist-Zetterlöf misheard")
    assert text == f"Player {xenia.number} misheard"


def test_the_log_and_the_pages_have_the_number(
    event: Event, xenia: Registration, director: Client
) -> None:
    withdraw(registration=xenia, by=None, reason="Xenia is ill")
    log = reverse("tournaments:log", args=[event.slug])
    assert "Xenia is ill" in director.get(log).content.decode()
    erase_player(registration=xenia, by=None)
    page = director.get(log).content.decode()
    assert f"Player {xenia.number} is ill" in page
    assert f"{xenia.number}. Name erased" in page
    for path in (
        log,
        reverse("tournaments:desk", args=[event.slug]),
        reverse("tournaments:player_edit", args=[event.slug, xenia.number]),
        reverse("tournaments:heat", args=[event.slug, 1]),
        reverse("tournaments:heat_desk", args=[event.slug, 1]),
        reverse("tournaments:standings", args=[event.slug]),
        f"/api/v1/events/{event.slug}/players/",
    ):
        answer = director.get(path)
        assert answer.status_code == 200, path
        assert not any(word in answer.content.decode() for word in WORDS), path
    assert not any(word in str(event_document(event, history=True)) for word in WORDS)


def test_log_rows_hold_numbers_not_names(event: Event, xenia: Registration) -> None:
    choose_visibility(registration=xenia, visibility=Visibility.NICKNAME, display_name="Xena")
    rows = [repr(row) for row in LogEntry.objects.filter(event=event).values()]
    assert not [row for row in rows if any(word in row for word in (*WORDS, "Xena", "example.org"))]
    changed = LogEntry.objects.filter(action=LogAction.CONTACT_CHANGED).earliest("pk")
    assert changed.after == {"fields": ["email", "note", "phone"]}
    assert changed.object_label == f"№ {xenia.number}"


def test_the_log_is_still_searched_by_name(
    event: Event, xenia: Registration, director: Client
) -> None:
    log = reverse("tournaments:log", args=[event.slug])
    page = director.get(log, {"of": "zetterlöf"}).content.decode()
    assert "Contact, note or visibility changed" in page
    assert "Person changed" in page
    assert "Heats drawn" not in page.split("<tbody")[1]


def test_once_for_all_events_of_the_organiser(event: Event, xenia: Registration) -> None:
    other = make_event(slug="second")
    there = register_person(event=other, by=None, person=xenia.person, email="xenia@example.com")
    foreign = make_event(slug="foreign", organiser=make_organiser())
    elsewhere = register_person(event=foreign, by=None, legal_name=NAME)
    erase_player(registration=xenia, by=None)
    there.refresh_from_db()
    assert there.email == ""
    assert there.status == RegistrationStatus.WITHDRAWN
    assert registration_name(Registration.objects.get(pk=there.pk)) == f"Player {there.number}"
    # Another organiser's person is another person.
    assert registration_name(elsewhere) == NAME
    erased = LogEntry.objects.filter(action=LogAction.ERASED)
    assert {row.event for row in erased} == {event, other}


def test_again_changes_nothing(event: Event, xenia: Registration) -> None:
    erase_player(registration=xenia, by=None)
    person = Person.objects.values().get(pk=xenia.person_id)
    erase_player(registration=Registration.objects.get(pk=xenia.pk), by=None)
    assert Person.objects.values().get(pk=xenia.person_id) == person
    assert LogEntry.objects.filter(action=LogAction.ERASED).count() == 1


def test_who_is_erased_gets_no_name_again(event: Event, xenia: Registration) -> None:
    other = make_event(slug="second")
    erase_player(registration=xenia, by=None)
    row = Registration.objects.select_related("person").get(pk=xenia.pk)
    another = event.registrations.exclude(pk=row.pk)[0]
    with pytest.raises(Refused, match="has been erased"):
        change_player(registration=row, by=None, given_name="Xenia", family_name="Quist")
    with pytest.raises(Refused, match="has been erased"):
        register_person(event=other, by=None, person=row.person)
    for kept, merged in ((row.person, another.person), (another.person, row.person)):
        with pytest.raises(Refused, match="has been erased"):
            merge_persons(kept=kept, merged=merged, event=event, by=None)
    assert suggestions(event, NAME) == []


def test_merged_persons_are_erased_and_stay_so_when_separated(event: Event) -> None:
    one = register_person(event=event, by=None, legal_name="Xenia Quist")
    two = register_person(event=event, by=None, legal_name="Xenia Quiste")
    change_player(registration=two, by=None, note="Xenia", email="xenia@example.org")
    merge = merge_persons(kept=one.person, merged=two.person, event=event, by=None)
    withdraw(registration=Registration.objects.get(pk=one.pk), by=None)
    erase_player(registration=Registration.objects.get(pk=one.pk), by=None)
    assert stored_texts() == []
    undo_merge(merge=merge, event=event, by=None)
    assert stored_texts() == []
    assert (
        not Registration.objects.filter(event=event)
        .exclude(person__erased_at=None)
        .filter(person__visibility="public")
    )


def test_who_sits_at_a_table_is_erased_afterwards(event: Event) -> None:
    [heat] = make_heats(event).heats
    player = heat.entries.select_related("registration")[0].registration
    with pytest.raises(Refused) as refused:
        erase_player(registration=player, by=None)
    assert refused.value.code == "in_open_heat"
    player.refresh_from_db()
    assert player.person.erased_at is None


def test_at_once_when_all_is_over(event: Event, xenia: Registration) -> None:
    over(event)
    path = reverse("tournaments:player_page_erase", args=[token_of(xenia)])
    client = Client()
    assert "Erase me now" in client.get(path).content.decode()
    # Without the tick nothing happens.
    client.post(path)
    xenia.person.refresh_from_db()
    assert xenia.person.erased_at is None
    answer = client.post(path, {"sure": "1"})
    assert answer["Location"] == reverse("tournaments:event", args=[event.slug])
    xenia.person.refresh_from_db()
    assert xenia.person.erased_at is not None
    row = LogEntry.objects.get(action=LogAction.ERASED)
    assert row.actor == f"№ {xenia.number}"


def test_during_an_event_the_desk_does_it(
    event: Event, xenia: Registration, director: Client
) -> None:
    path = reverse("tournaments:player_page_erase", args=[token_of(xenia)])
    client = Client()
    client.post(path, {"sure": "1"})
    client.post(path, {"sure": "1", "more": "1"})
    xenia.person.refresh_from_db()
    assert xenia.person.erased_at is None
    assert LogEntry.objects.filter(action=LogAction.ERASE_ASKED).count() == 1
    desk = director.get(reverse("tournaments:desk", args=[event.slug])).content.decode()
    assert "Asks to be erased" in desk
    page = reverse("tournaments:player_erase", args=[event.slug, xenia.number])
    assert "The player has asked for it" in director.get(page).content.decode()
    director.post(page, {"sure": "1"})
    xenia.person.refresh_from_db()
    assert xenia.person.erased_at is not None
    desk = director.get(reverse("tournaments:desk", args=[event.slug])).content.decode()
    assert "Asks to be erased" not in desk


def test_what_was_asked_is_taken_back(event: Event, xenia: Registration) -> None:
    assert not ask_to_be_erased(registration=xenia)
    ask_no_longer(registration=xenia)
    xenia.person.refresh_from_db()
    assert xenia.person.erase_asked_at is None
    Client().post(reverse("tournaments:player_page_erase_back", args=[token_of(xenia)]))
    assert LogEntry.objects.filter(action=LogAction.ERASE_NOT_ASKED).count() == 1


def test_only_who_directs_where_the_player_is_expected(event: Event, xenia: Registration) -> None:
    other = make_event(slug="second")
    register_person(event=other, by=None, person=xenia.person)
    user = make_member(event, Role.DIRECTOR)
    with pytest.raises(Refused) as refused:
        erase_player(registration=xenia, by=user)
    assert refused.value.code == "erase_elsewhere"
    with pytest.raises(Refused) as refused:
        erase_player(registration=xenia, by=make_member(event, Role.CASHIER))
    assert refused.value.code == "not_allowed"
    owner = make_maker(is_owner=True)
    erase_player(registration=xenia, by=owner)
    assert Person.objects.get(pk=xenia.person_id).erased_at is not None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("de la Cruz", "de la Cruz"),
        ("Cruz!", "P!"),
        ("Maria de la Cruz", "P"),
        ("(Maria de la Cruz’s deal)", "(P’s deal)"),
        ("Marias", "Ps"),
        ("Maria de la Cruzs kort", "Ps kort"),
        ("maria", "maria"),
        ("Mariana", "Mariana"),
    ],
)
def test_digests_find_the_name(text: str, shown: str) -> None:
    name = ErasedName([digests_of(["Maria de la Cruz"])], "P")
    assert name.replaced(text) == (shown if "de la" not in shown else "de la P")


def test_the_digests_tell_no_name() -> None:
    one, two = digests_of([NAME]), digests_of([NAME])
    assert one["whole"] != two["whole"]
    assert not any(word in str(one) for word in WORDS)


def test_what_a_merge_that_was_undone_carried_goes_too(event: Event) -> None:
    one = register_person(event=event, by=None, legal_name="Bo Ek")
    two = register_person(event=event, by=None, legal_name="Xenia Quist", email="xenia@x.org")
    merge = merge_persons(kept=one.person, merged=two.person, event=event, by=None)
    undo_merge(merge=merge, event=event, by=None)
    erase_player(registration=Registration.objects.get(pk=two.pk), by=None)
    assert stored_texts() == []


def test_a_request_outlives_a_merge(event: Event) -> None:
    one = register_person(event=event, by=None, legal_name="Xenia Quist")
    two = register_person(event=event, by=None, legal_name="Xenia Quiste")
    ask_to_be_erased(registration=two)
    merge = merge_persons(kept=one.person, merged=two.person, event=event, by=None)
    assert list(asking(event)) == [one]
    undo_merge(merge=merge, event=event, by=None)
    assert list(asking(event)) == [two]
    merge = merge_persons(kept=one.person, merged=two.person, event=event, by=None)
    ask_no_longer(registration=Registration.objects.get(pk=one.pk))
    assert not asking(event).exists()
    undo_merge(merge=merge, event=event, by=None)
    assert not asking(event).exists()


def test_who_is_merged_meanwhile_is_erased_as_one(event: Event) -> None:
    one = register_person(event=event, by=None, legal_name="Xenia Quist")
    two = register_person(event=make_event(), by=None, legal_name="Xenia Quiste", email="x@x.org")
    # Read before the merge, as a request does that waits for its lock.
    stale = Registration.objects.select_related("person", "event").get(pk=two.pk)
    merge_persons(kept=one.person, merged=two.person, event=event, by=None)
    erase_player(registration=stale, by=None)
    assert stored_texts() == []
    assert Registration.objects.get(pk=two.pk).email == ""


def test_texts_lose_the_name_and_numbers_stay(event: Event, xenia: Registration) -> None:
    """A nickname may look like a player's number or like what the program stores."""
    change_player(registration=xenia, by=None, display_name="7")
    draw = event.draws.get()
    draw.adjustments = [{"out": "7", "in": "2", "reason": "Xenia left"}]
    draw.save()
    place = StagePlayer.objects.create(
        stage=event.stages.get(),
        registration=xenia,
        source="lucky_loser",
        order=1,
        basis={"by_hand": "Xenia was first", "share": "7/12"},
    )
    erase_player(registration=Registration.objects.get(pk=xenia.pk), by=None)
    draw.refresh_from_db()
    place.refresh_from_db()
    shown = f"Player {xenia.number}"
    assert draw.adjustments == [{"out": "7", "in": "2", "reason": f"{shown} left"}]
    assert place.basis == {"by_hand": f"{shown} was first", "share": "7/12"}


def test_announcements_have_the_number_in_their_own_language(
    event: Event, xenia: Registration
) -> None:
    texts = {"en": "Xenia wins", "sv": "Xenia vinner"}
    said = announce(event=event, texts=texts, by=None)
    erase_player(registration=xenia, by=None)
    said.refresh_from_db()
    number = xenia.number
    assert said.texts == {"en": f"Player {number} wins", "sv": f"Spelare {number} vinner"}


def test_what_a_merge_of_others_carried_loses_the_name(event: Event, xenia: Registration) -> None:
    one = register_person(event=event, by=None, legal_name="Bo Ek")
    two = register_person(event=event, by=None, legal_name="Bo Eek", note="Brother of Xenia")
    keep_apart(event=event, one=two, other=xenia, by=None, reason="Xenia asked")
    merge_persons(kept=one.person, merged=two.person, event=event, by=None)
    erase_player(registration=xenia, by=None)
    assert not [row for row in stored_texts() if row.startswith("PersonMerge")]


def test_a_file_that_is_stored_meanwhile_goes_too(
    event: Event, xenia: Registration, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = Job.objects.create(
        kind="print", event=event, status=JobStatus.RUNNING, claimed_by="worker"
    )

    def ended_just_now(jobs: models.QuerySet[Job]) -> None:
        Job.objects.filter(pk=running.pk).update(status=JobStatus.DONE, claimed_by="")
        JobFile.objects.create(job=running, name="list.pdf", content=b"Xenia")
        begin_again(jobs)

    monkeypatch.setattr("tournaments.registration.commands.erasing.begin_again", ended_just_now)
    erase_player(registration=xenia, by=None)
    assert not JobFile.objects.exists()


def test_a_prize_is_paid_before(db: None) -> None:
    paid = make_event(buy_in=20000, prizes={"shares": [10000]})
    finished_heat(paid, 4)
    for player in paid.registrations.all():
        pay_entries(registration=player, by=None, method=PaymentMethod.CASH)
    paid = set_event_status(event=paid, to=EventStatus.FINISHED, by=None)
    [prize] = prizes_at(paid).rows
    winner = paid.registrations.get(number=prize.number)
    assert not ask_to_be_erased(registration=winner)
    pay_prize(event=paid, number=prize.number, method=PaymentMethod.CASH, by=None)
    assert ask_to_be_erased(registration=paid.registrations.get(number=prize.number))


def test_names_of_merged_persons_go_from_texts_of_their_events(event: Event) -> None:
    one = register_person(event=event, by=None, legal_name="Bo Ek")
    there = make_event()
    two = register_person(event=there, by=None, legal_name="Xenia Quist")
    said = announce(event=there, texts={"en": "Xenia wins"}, by=None)
    withdraw(registration=two, by=None, reason="Quist is ill")
    merge_persons(kept=one.person, merged=two.person, event=event, by=None)
    erase_player(registration=Registration.objects.get(pk=one.pk), by=None)
    said.refresh_from_db()
    assert said.texts == {"en": f"Player {two.number} wins"}
    shown = f"Player {two.number} is ill"
    assert shown_text_of(there, staff=True)("Quist is ill") == shown


@pytest.mark.parametrize("typed", ["xenia von quist", "XENIA VON QUIST"])
def test_a_name_typed_without_capitals_is_found(event: Event, typed: str) -> None:
    player = register_person(event=event, by=None, legal_name=typed)
    erase_player(registration=player, by=None)
    text = shown_text_of(event, staff=True)("Xenia and Quist, Von hier xenia")
    assert text == "Player 1 and Player 1, Von hier xenia"


def test_what_was_typed_about_others_is_shown_with_the_number(
    event: Event, director: Client
) -> None:
    [heat] = make_heats(event).heats
    xenia, other, *_rest = event.registrations.order_by("number")
    change_player(registration=xenia, by=None, given_name="Xenia", family_name="Quist")
    give_penalty(
        heat=heat,
        registration=other,
        level="game_points",
        offence="slow",
        by=None,
        client_id=uuid.uuid4(),
        seen_version=0,
        points=1,
        reason="Xenia waited",
    )
    book(
        event=event,
        kind=BookingKind.BUY_IN,
        amount=100,
        registration=other,
        by=None,
        note="paid by Xenia",
    )
    play_heat(heat)
    close_heat(heat=heat, by=None)
    erase_player(registration=Registration.objects.get(pk=xenia.pk), by=None)
    number = xenia.number
    page = director.get(reverse("tournaments:heat_desk", args=[event.slug, 1])).content.decode()
    assert f"Player {number} waited" in page
    assert "Xenia" not in page
    [payment] = my_data(other)["payments"]
    assert payment["note"] == f"paid by Player {number}"


def test_the_pages_of_corrections_have_the_number(event: Event, director: Client) -> None:
    [heat] = make_heats(event).heats
    xenia, other, *_rest = event.registrations.order_by("number")
    change_player(registration=xenia, by=None, given_name="Xenia", family_name="Quist")
    give_penalty(
        heat=heat,
        registration=other,
        level="points",
        offence="slow",
        by=None,
        client_id=uuid.uuid4(),
        seen_version=Sheet.objects.get(table=heat.table, number=1).version,
        points=5,
        reason="Xenia waited",
    )
    play_heat(heat)
    close_heat(heat=heat, by=None)
    erase_player(registration=Registration.objects.get(pk=xenia.pk), by=None)
    for name, where in (("correct_sheet", [1, 1]), ("correct_entry", [1, 1, 1])):
        path = reverse(f"tournaments:{name}", args=[event.slug, *where])
        page = director.get(path).content.decode()
        assert f"Player {xenia.number} waited" in page, name
        assert "Xenia" not in page, name
