"""The queue: every job is done, whatever becomes of workers and clocks, and by one worker each."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, connections
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tournaments.core import queue
from tournaments.core.queue import (
    LOST,
    MAX_PAUSE,
    File,
    Kind,
    Runner,
    TryLater,
    ask,
    claim,
    run_due,
)
from tournaments.models import Job, JobFile, Throttle
from tournaments.models.enums import JobStatus

EVERY = timedelta(minutes=5)


def nothing(_job: Job) -> None:
    pass


def wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def together(*calls: Callable[[], Any]) -> None:
    """Call these in threads of their own."""

    def call(one: Callable[[], Any]) -> None:
        try:
            one()
        finally:
            connections.close_all()

    threads = [threading.Thread(target=call, args=[one]) for one in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_many_workers_do_each_job_once(transactional_db: None) -> None:
    done: list[int] = []
    kind = Kind("plain", lambda job: done.append(job.pk))
    made = [ask("plain", nudge=False).pk for _ in range(40)]
    together(*(lambda name=f"w{n}": run_due(kind, name) for n in range(4)))
    assert sorted(done) == made
    assert set(Job.objects.values_list("status", "attempts")) == {(JobStatus.DONE, 1)}


def test_of_many_workers_one_does_a_periodic_task(transactional_db: None) -> None:
    done: list[int] = []
    kind = Kind("task", lambda job: done.append(job.pk), every=EVERY)
    for round_ in range(1, 3):
        together(*(lambda name=f"w{n}": run_due(kind, name) for n in range(4)))
        assert len(done) == round_
        Job.objects.update(due_at=timezone.now())
    assert Job.objects.count() == 1


def test_one_at_a_time_does_what_is_throttled(transactional_db: None) -> None:
    at_once, most = [0], [0]

    def work(_job: Job) -> None:
        at_once[0] += 1
        most[0] = max(most[0], at_once[0])
        time.sleep(0.01)
        at_once[0] -= 1

    kind = Kind("mails", work, per_minute=lambda: 0)
    for _ in range(12):
        ask("mails", nudge=False)

    def until_done(name: str) -> None:
        while Job.objects.exclude(status=JobStatus.DONE).exists():
            run_due(kind, name)

    together(*(lambda name=f"w{n}": until_done(name) for n in range(3)))
    assert most == [1]
    assert set(Job.objects.values_list("attempts", flat=True)) == {1}


def test_two_taps_make_one_job(transactional_db: None) -> None:
    together(*(lambda: ask("plain", key="same", nudge=False) for _ in range(4)))
    job = Job.objects.get()
    run_due(Kind("plain", nothing))
    assert ask("plain", key="same", nudge=False) != job


# --- killed workers, and clocks ---------------------------------------------------------------


def test_a_killed_workers_job_is_claimed_again_and_its_late_outcome_is_dropped(db: None) -> None:
    kind = Kind("plain", lambda _job: "new")
    made = ask("plain", nudge=False)
    late = claim(kind, "killed")
    assert late is not None
    assert claim(kind, "other") is None
    Job.objects.update(claimed_at=timezone.now() - LOST)
    assert run_due(kind, "other") == 1
    queue._do(Kind("plain", lambda _job: "old"), late)
    made.refresh_from_db()
    assert (made.result, made.attempts) == ("new", 2)
    with pytest.raises(queue.JobTaken):
        list(late.each([1]))


def test_a_job_that_kills_workers_is_given_up(db: None) -> None:
    kind = Kind("plain", nothing)
    made = ask("plain", nudge=False, file=File("list", b"x"))
    for _worker in range(kind.attempts):
        assert claim(kind, "killed")
        Job.objects.update(claimed_at=timezone.now() - LOST)
    assert claim(kind, "other") is None
    made.refresh_from_db()
    assert (made.status, made.failure) == (JobStatus.FAILED, "worker killed")
    assert not JobFile.objects.exists()


def test_a_task_that_kills_workers_waits_for_its_next_time(db: None) -> None:
    kind = Kind("task", nothing, every=EVERY)
    for _worker in range(kind.attempts):
        assert claim(kind, "killed")
        Job.objects.update(claimed_at=timezone.now() - LOST)
    assert run_due(kind) == 0
    Job.objects.update(due_at=timezone.now())
    assert run_due(kind) == 1
    assert Job.objects.get().failure == ""


def test_a_worker_takes_up_what_it_could_not_store(db: None) -> None:
    kind = Kind("plain", nothing)
    ask("plain", nudge=False)
    assert claim(kind, "same")
    assert run_due(kind, "same") == 1


@pytest.mark.parametrize(
    "kind",
    [
        Kind("task", nothing, every=EVERY),
        Kind("plain", nothing, pauses=(timedelta(hours=6),)),
        Kind("mails", nothing, per_minute=lambda: 10),
    ],
)
def test_a_clock_set_back_stops_nothing(db: None, kind: Kind) -> None:
    ahead = timezone.now() + timedelta(days=400)
    if kind.every is None:
        ask(kind.name, nudge=False, due_at=ahead)
    else:
        Job.objects.create(kind=kind.name, key=kind.name, due_at=ahead)
    Throttle.objects.create(kind=kind.name, free_at=ahead)
    Job.objects.create(kind=kind.name, status=JobStatus.DONE, ended_at=ahead)
    assert run_due(kind) == 1


def test_what_fails_is_tried_again_after_its_pauses(db: None) -> None:
    def fail(_job: Job) -> None:
        raise KeyError("x")

    hour = timedelta(hours=1)
    kind = Kind("plain", fail, pauses=(hour, 2 * hour), attempts=3)
    ask("plain", nudge=False)
    for pause in (hour, 2 * hour):
        assert [run_due(kind), run_due(kind)] == [1, 0]
        job = Job.objects.get()
        assert job.status == JobStatus.WAITING
        assert pause - timedelta(minutes=1) < job.due_at - timezone.now() <= pause
        Job.objects.update(due_at=timezone.now())
    run_due(kind)
    assert Job.objects.get().status == JobStatus.FAILED


def test_a_task_that_fails_says_so_and_goes_on(db: None) -> None:
    outcome: list[Any] = [["found"], KeyError("x"), []]

    def work(_job: Job) -> Any:
        one = outcome.pop(0)
        if isinstance(one, Exception):
            raise one
        return one

    kind = Kind("task", work, every=EVERY)
    for failure, result in (("", ["found"]), ("KeyError: 'x'", ["found"]), ("", [])):
        assert [run_due(kind), run_due(kind)] == [1, 0]
        job = Job.objects.get()
        assert (job.failure, job.result, job.attempts) == (failure, result, 0)
        Job.objects.update(due_at=timezone.now())


# --- a worker's threads -----------------------------------------------------------------------


def test_no_kind_waits_for_another(transactional_db: None) -> None:
    silent, done = threading.Event(), threading.Event()
    kinds = [
        Kind("mails", lambda _job: silent.wait(30) and None, per_minute=lambda: 0),
        Kind("plain", lambda _job: done.set()),
        Kind("task", nothing, every=EVERY),
    ]
    mail = ask("mails", nudge=False)
    runner = Runner(kinds)
    runner.start()
    wait_for(lambda: Job.objects.filter(pk=mail.pk, status=JobStatus.RUNNING).exists())
    ask("plain", nudge=False)
    runner.wake("plain")
    assert done.wait(30)
    wait_for(lambda: Job.objects.filter(kind="task", ended_at__isnull=False).exists())
    assert Job.objects.get(pk=mail.pk).status == JobStatus.RUNNING
    # What is not done when the worker stops is given back at once.
    runner.stop(patience=0.1)
    mail.refresh_from_db()
    assert (mail.status, mail.claimed_by) == (JobStatus.WAITING, "")
    silent.set()
    for thread in runner._threads:
        thread.join()
    mail.refresh_from_db()
    assert mail.status == JobStatus.WAITING


def test_a_worker_that_works_for_long_gives_signs_of_life(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "HEARTBEAT", 0.05)
    released = threading.Event()
    kind = Kind("plain", lambda _job: released.wait(30) and None)
    made = ask("plain", nudge=False)
    runner = Runner([kind])
    runner.start()
    wait_for(lambda: Job.objects.filter(status=JobStatus.RUNNING).exists())
    Job.objects.update(claimed_at=timezone.now() - LOST)
    wait_for(lambda: claimed_at() > timezone.now() - LOST / 2)
    assert claim(kind, "other") is None
    # A job that hangs is nobody's any more.
    Job.objects.update(started_at=timezone.now() - queue.MAX_RUN)
    Job.objects.update(claimed_at=timezone.now() - LOST)
    assert claim(kind, "other") is not None
    released.set()
    runner.stop(patience=30)
    made.refresh_from_db()
    assert made.claimed_by == "other"


def claimed_at() -> datetime:
    return Job.objects.values_list("claimed_at", flat=True).get()


# --- any order of events ----------------------------------------------------------------------

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), st.sampled_from(["plain", "mails"])),
        st.tuples(st.just("run"), st.sampled_from(["plain", "mails", "task"])),
        st.tuples(st.just("kill"), st.sampled_from(["plain", "mails", "task"])),
        st.tuples(st.just("refuse"), st.just("mails")),
        st.tuples(st.just("fail"), st.just("plain")),
        st.tuples(st.just("clock"), st.sampled_from([-90_000, -70, 1, 20, 61, 400, 90_000])),
    ),
    max_size=30,
)


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=STEPS)
def test_whatever_happens_every_job_ends(
    db: None, monkeypatch: pytest.MonkeyPatch, steps: list[tuple[str, Any]]
) -> None:
    now = [timezone.now()]
    mood: list[type[Exception]] = []
    ended: Counter[int] = Counter()

    def work(job: Job) -> None:
        if mood:
            raise mood.pop()()
        ended[job.pk] += 1

    kinds = {
        "plain": Kind("plain", work, pauses=(timedelta(minutes=1),) * 40, attempts=100),
        "mails": Kind("mails", work, per_minute=lambda: 5, attempts=100),
        "task": Kind("task", work, every=EVERY),
    }
    with monkeypatch.context() as clock:
        clock.setattr(timezone, "now", lambda: now[0])
        Job.objects.all().delete()
        Throttle.objects.all().delete()
        for number, (what, value) in enumerate(steps):
            if what == "ask":
                ask(value, nudge=False)
            elif what == "clock":
                now[0] += timedelta(seconds=value)
            elif what == "kill":
                claim(kinds[value], f"killed {number}")
            else:
                mood[:] = [] if what == "run" else [TryLater if what == "refuse" else KeyError]
                run_due(kinds[value])
        mood.clear()
        for _ in range(8):
            now[0] += LOST + MAX_PAUSE
            for kind in kinds.values():
                run_due(kind)
    jobs = list(Job.objects.all())
    assert all(job.status == JobStatus.DONE for job in jobs if job.kind != "task")
    assert all(ended[job.pk] == 1 for job in jobs if job.kind != "task")
    (task,) = (job for job in jobs if job.kind == "task")
    assert task.status == JobStatus.WAITING
    assert ended[task.pk] >= 5


def test_an_idle_worker_writes_nothing(db: None, django_assert_num_queries: Any) -> None:
    kind = Kind("plain", nothing)
    with django_assert_num_queries(1) as asked:
        run_due(kind)
    assert asked[0]["sql"].startswith("SELECT"), connection.vendor
