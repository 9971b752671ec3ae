"""E-mail to players: queued in the same transaction as its cause, sent by the worker, retried."""

from __future__ import annotations

import re
from datetime import timedelta
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPSenderRefused
from typing import Any

import pytest
from django.core import mail as box
from django.test import Client
from django.utils import timezone, translation

from tests.tournaments.factories import finished_heat, make_event, make_players
from tests.tournaments.jobs import hurry, now_failed, run
from tests.tournaments.refusals import codes_in, refused
from tests.tournaments.registration.test_views_desk import url
from tournaments.core.mail import MAX_TO_ADDRESS, ask_for_mail
from tournaments.events.commands.events import change_event, set_event_status
from tournaments.mail.commands import set_mail, try_again, write_to_all
from tournaments.mail.queries import mails_to_all
from tournaments.mail.tasks import PAUSES
from tournaments.models import Event, Job, Registration, Throttle
from tournaments.models.enums import EventStatus, JobStatus, MailKind, RegistrationStatus
from tournaments.registration.commands.people import register_person, reinstate, withdraw
from tournaments.registration.commands.sign_up import sign_up
from tournaments.registration.queries.player_links import token_of

SITE = "https://chicago.example.org"


@pytest.fixture
def mailing(db: None) -> Event:
    """An event that e-mails its players, with an open sign-up."""
    event = make_event(
        sign_up_opens_at=timezone.now() - timedelta(hours=1), capacity=3, contact="Arne"
    )
    set_mail(event=event, on=True, site=SITE, by=None)
    return Event.objects.get(pk=event.pk)


def signed_up(event: Event, name: str) -> Registration:
    return sign_up(event=event, legal_name=name, email=f"{name.lower()}@example.org")


def test_a_sign_up_is_confirmed_with_the_players_own_link(mailing: Event) -> None:
    player = signed_up(mailing, "Anna")
    assert box.outbox == []
    run("mail")
    (letter,) = box.outbox
    assert letter.to == ["anna@example.org"]
    assert letter.body.count(SITE) == letter.body.count(token_of(player)) == 1
    row = Job.objects.get()
    assert (row.status, row.attempts, row.ended_at is not None) == (JobStatus.DONE, 1, True)
    run("mail")
    assert len(box.outbox) == 1


def test_a_typed_address_gets_three_confirmations_a_day(mailing: Event) -> None:
    for name in ("Anna", "Bo", "Cia", "Dag", "Eva"):
        sign_up(event=mailing, legal_name=name, email="Stranger@example.org")
    asked = mailing.jobs.filter(parameters__address__iexact="stranger@example.org")
    assert asked.count() == MAX_TO_ADDRESS
    asked.update(made_at=timezone.now() - timedelta(days=2))
    sign_up(event=mailing, legal_name="Finn", email="stranger@example.org")
    assert asked.count() == MAX_TO_ADDRESS + 1


def test_waiting_list_and_a_free_place_are_announced(mailing: Event) -> None:
    players = [signed_up(mailing, name) for name in ("Anna", "Bo", "Cia", "Dag")]
    withdraw(registration=players[0], by=None)
    kinds = players[3].jobs.order_by("pk").values_list("what", flat=True)
    assert list(kinds) == [MailKind.WAIT_LISTED, MailKind.PROMOTED]


def test_an_e_mail_that_had_to_wait_is_not_sent_if_it_is_no_longer_true(mailing: Event) -> None:
    players = [signed_up(mailing, name) for name in ("Anna", "Bo", "Cia", "Dag")]
    withdraw(registration=players[0], by=None)
    run("mail")
    sent = Job.objects.filter(status=JobStatus.DONE).order_by("pk")
    assert list(sent.values_list("registration__number", "what")) == [
        (2, MailKind.SIGNED_UP),
        (3, MailKind.SIGNED_UP),
        (1, MailKind.WITHDRAWN),
        (4, MailKind.PROMOTED),
    ]
    assert Job.objects.count() == len(box.outbox) == 4


def test_nobody_on_the_waiting_list_gets_an_e_mail_of_a_place(mailing: Event) -> None:
    player = signed_up(mailing, "Anna")
    Registration.objects.filter(pk=player.pk).update(status=RegistrationStatus.WAIT_LISTED)
    run("mail")
    assert not Job.objects.exists()


def test_what_waits_is_held_back_while_mail_is_off(mailing: Event) -> None:
    signed_up(mailing, "Anna")
    set_mail(event=mailing, on=False, site=SITE, by=None)
    run("mail")
    assert box.outbox == []
    set_mail(event=mailing, on=True, site=SITE, by=None)
    run("mail")
    assert len(box.outbox) == 1


def test_when_it_begins_is_not_written_after_the_end(mailing: Event) -> None:
    finished_heat(mailing, 3)
    mailing.registrations.filter(number=1).update(email="one@example.org")
    assert write_to_all(event=mailing, kind=MailKind.TIMES, by=None) == 1
    set_event_status(event=mailing, to=EventStatus.FINISHED, by=None)
    run("mail")
    assert box.outbox == []


def test_an_e_mail_that_failed_is_not_tried_again_if_it_is_no_longer_true(mailing: Event) -> None:
    player = signed_up(mailing, "Anna")
    now_failed()
    failed = Job.objects.get()
    withdraw(registration=player, by=None)
    with refused("overtaken"):
        try_again(event=mailing, number=failed.pk, by=None)
    failed.refresh_from_db()
    assert failed.status == JobStatus.FAILED


def test_e_mails_are_in_the_language_of_the_sign_up(mailing: Event) -> None:
    with translation.override("sv"):
        player = signed_up(mailing, "Anna")
    with translation.override("en"):
        write_to_all(event=mailing, kind=MailKind.TIMES, by=None)
    assert set(player.jobs.values_list("language", flat=True)) == {"sv"}
    run("mail")
    assert all("Hej Anna" in letter.body for letter in box.outbox)


def test_no_e_mail_if_switched_off_or_without_an_address(mailing: Event) -> None:
    sign_up(event=mailing, legal_name="Bo", phone="070")
    set_mail(event=mailing, on=False, site="", by=None)
    signed_up(mailing, "Cia")
    assert not Job.objects.exists()
    with refused("no_mail"):
        write_to_all(event=mailing, kind=MailKind.TIMES, by=None)


def test_the_result_comes_with_the_protocols_of_the_players_own_heats(mailing: Event) -> None:
    finished_heat(mailing, 3)
    mailing.registrations.filter(number=1).update(email="one@example.org")
    assert mails_to_all(mailing) == [MailKind.TIMES]
    with refused("not_over"):
        write_to_all(event=mailing, kind=MailKind.RESULT, by=None)
    set_event_status(event=mailing, to=EventStatus.FINISHED, by=None)
    with refused("over"):
        write_to_all(event=mailing, kind=MailKind.TIMES, by=None)
    assert write_to_all(event=mailing, kind=MailKind.RESULT, by=None) == 1
    assert write_to_all(event=mailing, kind=MailKind.RESULT, by=None) == 1
    assert Job.objects.count() == 1
    run("mail")
    (letter,) = box.outbox
    ((_name, content, kind),) = letter.attachments
    assert (content[:5], kind) == (b"%PDF-", "application/pdf")


def test_errors_of_our_own_are_retried_and_then_given_up(
    mailing: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_up(mailing, "Anna")

    def broken(_mail: Job) -> None:
        raise KeyError("text")

    with monkeypatch.context() as fault:
        fault.setattr("tournaments.mail.tasks.content_of", broken)
        for attempt in range(1, len(PAUSES) + 2):
            run("mail")
            row = Job.objects.get()
            assert (row.attempts, row.failure) == (attempt, "KeyError: 'text'")
            hurry("mail")
    assert row.status == JobStatus.FAILED
    assert run("mail") == [0]
    try_again(event=mailing, number=row.pk, by=None)
    assert run("mail") == [1]
    assert len(box.outbox) == 1
    with refused("no_mail"):
        try_again(event=mailing, number=row.pk, by=None)


def test_an_e_mail_is_not_tried_for_ever(mailing: Event) -> None:
    signed_up(mailing, "Anna")
    Job.objects.update(expires_at=timezone.now())
    assert run("mail") == [0]
    assert (Job.objects.get().status, Job.objects.get().failure) == (JobStatus.FAILED, "too late")


@pytest.mark.parametrize(
    "error",
    [
        SMTPRecipientsRefused({"anna@example.org": (550, b"no such user: anna@example.org")}),
        SMTPSenderRefused(550, b"not to anna@example.org", "chicago@example.org"),
        ConnectionRefusedError("anna@example.org"),
    ],
)
def test_the_log_names_the_error_without_the_address(
    mailing: Event,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    settings: Any,
    error: Exception,
) -> None:
    signed_up(mailing, "Anna")

    def refuse(*_args: Any, **_kwargs: Any) -> None:
        raise error

    monkeypatch.setattr(f"{settings.EMAIL_BACKEND}.send_messages", refuse)
    run("mail")
    assert type(error).__name__ in caplog.text
    assert ("550" in caplog.text) is isinstance(error, SMTPException)
    assert "anna" not in caplog.text.lower()
    # The mail's own row goes with the player; the other is of all mails.
    told, of_all = Job.objects.get().failure, Throttle.objects.get().reason
    assert "anna@example.org" in (told or "anna@example.org")
    assert bool(told) is not bool(of_all)
    assert "anna" not in of_all
    assert not of_all or "…" in of_all


def test_the_page_counts_e_mails_by_status(event: Event, director: Client) -> None:
    assert not director.get(url(event, "mail")).context["event"].mails_players
    director.post(url(event, "mail_set"), {"on": "1"})
    player = make_players(event, 1)[0]
    Registration.objects.filter(pk=player.pk).update(email="a@example.org")
    director.post(url(event, "mail_all"), {"kind": "times"})
    assert director.get(url(event, "mail")).context["counts"] == [("Waiting", 1)]
    answer = director.post(url(event, "mail_all"), {"kind": "x"}, follow=True)
    assert codes_in(answer) == {"no_kind"}
    answer = director.post(url(event, "mail_again"), {"mail": "1"}, follow=True)
    assert codes_in(answer) == {"no_mail"}


def calendar_in(letter: Any) -> tuple[str, str]:
    """Return the method and the text of the calendar file of a letter."""
    [part] = [p for p in letter.message().walk() if p.get_content_type() == "text/calendar"]
    return part.get_param("method"), part.get_payload(decode=True).decode()


def test_a_family_with_one_address_can_tell_its_mails_apart(mailing: Event) -> None:
    address = "familjen@example.org"
    mailing.capacity = None
    mailing.save()
    family = [
        sign_up(event=mailing, legal_name=name, email=address) for name in ("Anna", "Bo", "Cia")
    ]
    family.append(register_person(event=mailing, by=None, legal_name="Dag", email=address))
    withdraw(registration=family[1], by=None)
    run("mail")
    # The confirmation that Bo is signed up had not gone yet and is not true any more.
    assert {letter.subject for letter in box.outbox} == {
        f"{mailing.name}: You are signed up (Anna)",
        f"{mailing.name}: You are signed up (Cia)",
        f"{mailing.name}: You are no longer signed up (Bo)",
    }


def test_answers_reach_the_contact(mailing: Event) -> None:
    change_event(event=mailing, by=None, contact="Carin Ek, carin@klubben.example.org.")
    signed_up(mailing, "Anna")
    run("mail")
    assert box.outbox[0].reply_to == ["carin@klubben.example.org"]
    change_event(event=mailing, by=None, contact="Carin Ek, 070-123 45 67")
    signed_up(mailing, "Bo")
    run("mail")
    assert box.outbox[1].reply_to == []


def test_a_withdrawal_is_confirmed_and_takes_the_day_out_of_the_calendar(mailing: Event) -> None:
    player = signed_up(mailing, "Anna")
    run("mail")
    withdraw(registration=player, by=None)
    run("mail")
    (method, came), (ended, left) = map(calendar_in, box.outbox)
    assert (method, ended) == ("PUBLISH", "CANCEL")
    assert "STATUS:CONFIRMED" in came
    assert "STATUS:CANCELLED" in left
    [before], [after] = (re.findall(r"UID:(.+?)\r", text) for text in (came, left))
    assert before == after
    sequences = [int(re.findall(r"SEQUENCE:(\d+)", text)[0]) for text in (came, left)]
    assert sequences == sorted(set(sequences))
    reinstate(registration=player, by=None)
    run("mail")
    assert "STATUS:CONFIRMED" in calendar_in(box.outbox[2])[1]


def test_a_letter_has_no_calendar(mailing: Event) -> None:
    player = signed_up(mailing, "Anna")
    ask_for_mail(player, MailKind.LETTER, subject="Lunch", text="At noon.")
    run("mail")
    letter = next(each for each in box.outbox if "Lunch" in each.subject)
    assert letter.attachments == []
    assert letter.subject == f"{mailing.name}: Lunch (Anna)"


def test_a_confirmation_says_what_to_pay_and_how(mailing: Event) -> None:
    change_event(event=mailing, by=None, buy_in=30000, fee=5000, swish_number="1231231231")
    player = signed_up(mailing, "Anna")
    run("mail")
    assert "350" in box.outbox[0].body
    assert f"“{mailing.name}, {player.number} Anna”" in box.outbox[0].body
