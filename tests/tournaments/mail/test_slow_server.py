"""A mail server that is slow, refuses or falls silent; its minutes are simulated."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.tournaments.factories import make_players
from tests.tournaments.jobs import KIND
from tests.tournaments.mail.smtp import MailServer
from tests.tournaments.refusals import codes_in
from tests.tournaments.registration.test_views_desk import url
from tournaments.core.mail import MAIL
from tournaments.core.queue import claim, run_due
from tournaments.mail.commands import set_mail, write_to_all
from tournaments.models import Event, Job, Registration, Throttle
from tournaments.models.enums import JobStatus, MailKind

#: Django's own waits in reality this long for what is simulated as half a minute.
TIMEOUT, TIMEOUT_SIMULATED = 0.2, timedelta(seconds=30)


class Clock:
    """The time in a test."""

    def __init__(self) -> None:
        # Later than what the database's defaults call now.
        self.now = timezone.now() + timedelta(hours=1)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(timezone, "now", clock)
    return clock


class Slow:
    """Takes ten mails a minute, refuses some addresses for good, and is silent for a time."""

    def __init__(self, clock: Clock, bad: set[str], silent_after: int) -> None:
        self.clock, self.bad, self.silent_after = clock, bad, silent_after
        self.silent_until: datetime | None = None
        self.last: deque[datetime] = deque(maxlen=10)
        self.asked: list[datetime] = []

    def __call__(self, address: str) -> str:
        now = self.clock.now
        if self.silent_until is None and len(self.asked) >= self.silent_after:
            self.silent_until = now + timedelta(minutes=5)
        if self.silent_until is not None and now < self.silent_until:
            self.clock.now += TIMEOUT_SIMULATED
            return ""
        if address in self.bad:
            return "550 no such user"
        if len(self.last) == 10 and now - self.last[0] < timedelta(minutes=1):
            return "451 too many, try later"
        self.last.append(now)
        self.asked.append(now)
        return "250 ok"


def mail_to(event: Event, count: int) -> None:
    """Queue a mail to each of so many players."""
    for player in make_players(event, count):
        Registration.objects.filter(pk=player.pk).update(email=f"p{player.number}@example.org")
    set_mail(event=event, on=True, site="https://chicago.example.org", by=None)
    assert write_to_all(event=event, kind=MailKind.TIMES, by=None) == count


@pytest.fixture
def mailed(event: Event, clock: Clock) -> Event:
    mail_to(event, 10)
    return event


@pytest.fixture
def smtp(settings: Any) -> Iterator[MailServer]:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_TIMEOUT = TIMEOUT
    with MailServer() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
        settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
        yield server


def statuses() -> Counter[str]:
    return Counter(Job.objects.filter(kind=MAIL).values_list("status", flat=True))


@pytest.mark.parametrize(("rate", "minutes"), [(10, 20), (0, 35)])
def test_a_slow_server_gets_every_mail(
    event: Event, clock: Clock, smtp: MailServer, settings: Any, rate: int, minutes: int
) -> None:
    mail_to(event, 120)
    settings.MAIL_PER_MINUTE = rate
    bad = {f"p{number}@example.org" for number in (5, 60, 119)}
    smtp.reply_to = Slow(clock, bad, silent_after=42)
    began, worker, restarted = clock.now, "first", False
    while statuses()[JobStatus.WAITING] or statuses()[JobStatus.RUNNING]:
        run_due(KIND[MAIL], worker)
        if not restarted and statuses()[JobStatus.DONE] >= 60:
            # Killed when the server had taken the mail, before that was stored.
            clock.now += timedelta(minutes=1)
            job = claim(KIND[MAIL], worker)
            assert job is not None
            KIND[MAIL].work(job)
            KIND[MAIL].after()
            worker, restarted = "second", True
        clock.now += timedelta(seconds=5)
        assert clock.now - began < timedelta(minutes=minutes)
    assert statuses() == {JobStatus.DONE: 117, JobStatus.FAILED: 3}
    failed = Job.objects.filter(kind=MAIL, status=JobStatus.FAILED)
    assert {job.parameters["address"] for job in failed} == bad
    # Refused or unanswered for the moment counts as no attempt.
    assert set(failed.values_list("attempts", flat=True)) == {1}
    taken = Counter((address, message["Message-ID"]) for address, message in smtp.taken)
    assert (len(taken), sorted(taken.values())[-2:]) == (117, [1, 2])
    assert Throttle.objects.get().refusals == 0


def test_a_batch_takes_one_connection(mailed: Event, smtp: MailServer) -> None:
    smtp.reply_to = lambda address: "550 no" if address == "p7@example.org" else "250 ok"
    assert run_due(KIND[MAIL]) == 10
    assert (smtp.connections, len(smtp.taken)) == (1, 9)


def test_pauses_double_and_the_page_says_that_mails_wait(
    mailed: Event, clock: Clock, smtp: MailServer, director: Client
) -> None:
    smtp.reply_to = lambda _address: "421 not now"
    pauses = []
    for _refusal in range(7):
        assert run_due(KIND[MAIL]) == 1
        assert run_due(KIND[MAIL]) == 0
        free_at = Throttle.objects.get().free_at
        pauses.append((free_at - clock.now).total_seconds())
        clock.now = free_at
    assert pauses == [15, 30, 60, 120, 240, 300, 300]
    page = director.get(url(mailed, "mail"))
    assert page.context["server"].reason.endswith("421, b'not now')}")
    assert codes_in(page) == {"server_away"}
    # Another mail is tried first each time: one address may be what is refused.
    assert Job.objects.filter(kind=MAIL, started_at__isnull=False).count() == 7
    assert not Job.objects.filter(kind=MAIL, attempts__gt=0).exists()
    smtp.reply_to = lambda _address: "250 ok"
    assert run_due(KIND[MAIL]) == 10
    assert director.get(url(mailed, "mail")).context["server"] is None


def test_a_server_that_is_away_keeps_its_mails(
    mailed: Event, clock: Clock, smtp: MailServer, settings: Any
) -> None:
    settings.EMAIL_PORT = 1
    assert run_due(KIND[MAIL]) == 1
    assert statuses() == {JobStatus.WAITING: 10}
    # The clock is set back while the outbox pauses.
    clock.now -= timedelta(days=1)
    settings.EMAIL_PORT = smtp.port
    assert run_due(KIND[MAIL]) == 10


def test_one_worker_at_a_time_sends(mailed: Event) -> None:
    first = claim(KIND[MAIL], "first")
    assert first is not None
    assert claim(KIND[MAIL], "second") is None
