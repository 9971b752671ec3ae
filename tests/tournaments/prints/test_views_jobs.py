"""Prints of a whole event: requested on a page, made by the worker, downloaded as a file."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from tests.tournaments.conftest import client_of
from tests.tournaments.factories import finished_heat, make_heats
from tests.tournaments.jobs import run
from tests.tournaments.registration.test_views_desk import url
from tournaments.core.days import days_of
from tournaments.models import Event, Job, JobFile
from tournaments.models.enums import JobStatus, Role
from tournaments.prints import commands as jobs
from tournaments.prints.drawing._lists import Order

URL = reverse("tournaments:jobs", args=["fest"])
MAKE = reverse("tournaments:job_create", args=["fest"])


def newest() -> Job:
    """Return the latest job; no worker runs here, so the test does the jobs itself."""
    return Job.objects.latest("pk")


def ask(client: Client, capture: Any, kind: str = "protocols") -> Any:
    with capture(execute=True):
        return client.post(MAKE, {"kind": kind}, follow=True)


@pytest.mark.parametrize(
    ("view", "args", "name"),
    [
        ("qualified_export", {"fmt": "csv"}, "fest-har-gatt-vidare.csv"),
        ("result_export", {"fmt": "xlsx"}, "fest-resultat.xlsx"),
        ("protocol_pdf", {"number": 1}, "fest-heat-1.pdf"),
        ("empty_pdf", {"number": 1}, "fest-heat-1-tomt-protokoll.pdf"),
    ],
)
def test_files_are_named_in_the_readers_language(
    event: Event, director: Client, view: str, args: dict[str, Any], name: str
) -> None:
    finished_heat(event)
    path = reverse(f"tournaments:{view}", kwargs={"slug": "fest", **args})
    answer = director.get(path, headers={"Accept-Language": "sv"})
    assert f'filename="{name}"' in answer["Content-Disposition"]


def test_protocols_of_all_heats_in_one_file(
    event: Event,
    director: Client,
    django_capture_on_commit_callbacks: Any,
    settings: Any,
    tmp_path: Any,
) -> None:
    settings.DATA_DIR = tmp_path
    finished_heat(event)
    finished_heat(event, 3)
    page = ask(director, django_capture_on_commit_callbacks)
    assert "Waiting" in page.content.decode()
    assert 'hx-trigger="load' in page.content.decode()
    run("print")
    page = director.get(URL)
    job = Job.objects.get()
    address = reverse("tournaments:job_file", args=["fest", job.pk])
    assert address in page.content.decode()
    answer = director.get(address)
    assert answer["Content-Type"] == "application/pdf"
    assert f"fest-all-finished-protocols-{job.pk}.pdf" in answer["Content-Disposition"]
    reader = PdfReader(BytesIO(b"".join(answer.streaming_content)))
    assert len(reader.pages) == 2
    assert director.get(URL, headers={"HX-Request": "true"}).content.decode().count("panel") == 1


def test_blank_protocols_of_the_open_heats(
    event: Event,
    director: Client,
    django_capture_on_commit_callbacks: Any,
    settings: Any,
    tmp_path: Any,
) -> None:
    settings.DATA_DIR = tmp_path
    make_heats(event, 7)
    ask(director, django_capture_on_commit_callbacks, "empty")
    run("print")
    assert newest().status == JobStatus.DONE


def test_two_directors_get_one_job(
    event: Event, director: Client, django_capture_on_commit_callbacks: Any
) -> None:
    finished_heat(event)
    for client in (director, client_of(event, Role.DIRECTOR)):
        ask(client, django_capture_on_commit_callbacks)
    assert Job.objects.count() == 1


@pytest.fixture
def job(event: Event, settings: Any, tmp_path: Any) -> Job:
    """A job that waits."""
    settings.DATA_DIR = tmp_path
    finished_heat(event)
    return jobs.ask_for(event=event, kind="protocols", by=None, language="en", site="")


def later(job: Job, **fields: Any) -> Job:
    """Change the stored job, and return it."""
    Job.objects.filter(pk=job.pk).update(**fields)
    job.refresh_from_db()
    return job


def test_progress_is_told(job: Job) -> None:
    assert run("print") == [1]
    assert later(job).status == JobStatus.DONE
    assert (job.parts_done, job.parts, job.attempts) == (1, 1, 1)


def test_a_job_is_cancelled_while_waiting_or_running(
    job: Job, director: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = reverse("tournaments:job_cancel", args=["fest"])
    director.post(address, {"job": job.pk})
    assert later(job).status == JobStatus.CANCELLED
    assert 'class="notice notice-error' in (
        director.post(address, {"job": job.pk}, follow=True).content.decode()
    )
    again = jobs.ask_for(event=job.event, kind="protocols", by=None, language="en", site="")
    assert again != job
    make = jobs.PRINTS["protocols"].pdf

    def cancelled_meanwhile(order: Order) -> bytes:
        director.post(address, {"job": again.pk})
        return make(order)

    monkeypatch.setattr(jobs.PRINTS["protocols"], "pdf", cancelled_meanwhile)
    run("print")
    assert later(again).status == JobStatus.CANCELLED
    assert not JobFile.objects.exists()


def test_files_expire(job: Job, director: Client) -> None:
    run("print")
    address = reverse("tournaments:job_file", args=["fest", job.pk])
    assert b"".join(director.get(address).streaming_content)
    later(job, ended_at=timezone.now() - jobs.KEPT_FOR)
    jobs.forget_old()
    assert director.get(address).status_code == 404


def test_nothing_to_print_and_unknown_kinds_are_reported(event: Event, director: Client) -> None:
    for kind in ("protocols", "empty", "everything", ""):
        page = director.post(MAKE, {"kind": kind}, follow=True)
        assert 'class="notice notice-error' in page.content.decode()
    assert not Job.objects.exists()


def test_a_club_evening_has_no_prints_of_play_offs(event: Event, director: Client) -> None:
    for ends in (False, True):
        Event.objects.filter(pk=event.pk).update(ends_with_heats=ends)
        page = director.get(URL).content.decode()
        assert ('value="bracket"' in page) is not ends
        assert 'value="result"' in page


def test_a_failed_job_is_reported_and_can_be_requested_again(
    event: Event,
    director: Client,
    django_capture_on_commit_callbacks: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    finished_heat(event)
    ask(director, django_capture_on_commit_callbacks)

    def out_of_memory(order: Order) -> bytes:
        raise MemoryError

    with monkeypatch.context() as broken:
        broken.setattr(jobs.PRINTS["protocols"], "pdf", out_of_memory)
        run("print")
    assert newest().status == JobStatus.FAILED
    run("print")
    assert newest().status == JobStatus.FAILED
    assert "tag-red" in director.get(URL).content.decode()
    ask(director, django_capture_on_commit_callbacks)
    run("print")
    assert newest().status == JobStatus.DONE


def test_making_every_print_loses_none() -> None:
    assert len(jobs.PRINTS) <= jobs.KEPT


def test_old_files_are_deleted_and_the_page_says_so(
    event: Event, director: Client, django_capture_on_commit_callbacks: Any
) -> None:
    finished_heat(event)
    for _ in range(jobs.KEPT + 1):
        ask(director, django_capture_on_commit_callbacks)
        run("print")
    assert JobFile.objects.count() == jobs.KEPT
    oldest = Job.objects.order_by("pk")[0]
    assert (
        director.get(reverse("tournaments:job_file", args=["fest", oldest.pk])).status_code == 404
    )


@pytest.mark.parametrize(("role", "offered"), [(Role.FLOOR, True), (Role.CASHIER, False)])
def test_the_menu_offers_prints_to_those_who_may_print(
    event: Event, role: Role, offered: bool
) -> None:
    desk = reverse("tournaments:desk", args=[event.slug])
    page = client_of(event, role).get(desk).content.decode()
    assert (f'href="{reverse("tournaments:jobs", args=[event.slug])}"' in page) is offered


def test_blank_protocol_for_any_rules_and_names(event: Event, director: Client) -> None:
    path = url(event, "blank_pdf")
    asked = {"seats": "3", "rules": "svensk+C", "names": "Anna, Bo"}
    text = PdfReader(BytesIO(director.get(path, asked).content)).pages[0].extract_text()
    assert "Anna" in text
    assert "svensk" in text
    assert event.name in text
    assert days_of(event) in text
    assert director.get(path)["Content-Type"] == "application/pdf"


@pytest.mark.parametrize(
    "asked", [{"rules": "poker"}, {"seats": "5"}, {"seats": "3", "names": "A,B,C,D"}]
)
def test_impossible_blank_protocols_are_reported(
    event: Event, director: Client, asked: dict[str, str]
) -> None:
    answer = director.get(url(event, "blank_pdf"), asked)
    assert answer.status_code == 422
    assert answer.context["blank"].errors


def test_the_newest_of_a_kind_is_marked_and_older_ones_say_so(
    event: Event, director: Client, django_capture_on_commit_callbacks: Any
) -> None:
    make_heats(event, 8)
    for kind in ("seats_by_name", "empty", "seats_by_name"):
        ask(director, django_capture_on_commit_callbacks, kind)
        run("print")
    rows = director.get(URL).context["jobs"]
    assert [(row.job.what, row.is_newest, row.newer_at is not None) for row in rows] == [
        ("seats_by_name", True, False),
        ("empty", False, False),
        ("seats_by_name", False, True),
    ]
    texts = [
        PdfReader(BytesIO(JobFile.objects.get(job=row.job).content)).pages[0].extract_text()
        for row in rows
    ]
    assert ["replaces the list of" in text for text in texts] == [True, False, False]
