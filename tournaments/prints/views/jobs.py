"""Prints of a whole event: ordered, made by the worker, fetched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from io import BytesIO
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef
from django.http import FileResponse, Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from engine.rules.variants import parse_rules
from scoring import paper
from scoring.words import lang

from ...core.access import Request, staff_view
from ...core.addresses import public_address
from ...core.answers import number_in, staff_action
from ...core.listing import file_name
from ...core.permissions import RUN_FLOOR
from ...models import Event, Job, JobFile
from ...models.enums import JobStatus
from ..commands import KEPT, PRINT, ask_for, cancel
from ..drawing import PRINTS, by_time, days_of_print
from ..drawing.blank_protocols import blank_labels
from ..forms import BlankForm

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class JobRow:
    """A print in the list: its file's address, or its state and how that is marked."""

    job: Job
    label: StrOrPromise
    style: str = ""
    status: str = ""
    address: str = ""
    can_cancel: bool = False
    #: Whether it is the newest of several of its kind; when a newer one was made.
    is_newest: bool = False
    newer_at: datetime | None = None


@require_safe
@staff_view(RUN_FLOOR)
def jobs(request: Request, event: Event) -> HttpResponse:
    """Show what can be printed for the whole event, and the prints made.

    HTMX gets only the list, which reloads as long as something is being made.
    """
    return _page(request, event)


def _page(
    request: Request, event: Event, *, blank: BlankForm | None = None, status: int = 200
) -> HttpResponse:
    stored = Exists(JobFile.objects.filter(job=OuterRef("pk")))
    prints = event.jobs.filter(kind=PRINT).select_related("made_by").annotate(stored=stored)
    found = list(prints[:KEPT])
    days = {
        (kind, day): name
        for kind in {job.what for job in found if job.parameters.get("day")}
        for day, name in days_of_print(PRINTS[kind], event)
    }
    template = (
        "tournaments/prints/_job_list.html" if request.htmx else "tournaments/prints/job_list.html"
    )
    return render(
        request,
        template,
        {
            "event": event,
            "jobs": _by_age([_row(event, job, days, stored=job.stored) for job in found]),
            "going_on": any(job.is_open for job in found),
            "groups": [] if request.htmx else by_time(event),
            "blank": blank or BlankForm(initial={"rules": event.rules}),
        },
        status=status,
    )


@require_safe
@staff_view(RUN_FLOOR)
def blank_pdf(request: Request, event: Event) -> HttpResponse:
    """Return a blank protocol for three or four, for any rule set, with or without names."""
    form = BlankForm(request.GET)
    if not form.is_valid():
        return _page(request, event, blank=form, status=422)
    heat = paper.PaperHeat(
        labels=blank_labels(event),
        names=form.names_of_seats(),
        rules=parse_rules(form.cleaned_data["rules"] or event.rules),
        games=event.games_per_heat,
    )
    content = paper.empty_protocols_pdf([heat], language=lang())
    response = HttpResponse(content, content_type="application/pdf")
    name = file_name(event, _("Empty protocol"), "pdf")
    response["Content-Disposition"] = f'inline; filename="{name}"'
    return response


def _row(event: Event, job: Job, days: Mapping[tuple[str, str], str], *, stored: bool) -> JobRow:
    label = PRINTS[job.what].LABEL if job.what in PRINTS else job.what
    if day := job.parameters.get("day"):
        label = f"{label}: {days.get((job.what, day), day)}"
    if stored:
        address = reverse("tournaments:job_file", args=[event.slug, job.pk])
        return JobRow(job, label, address=address)
    if job.status == JobStatus.DONE:
        return JobRow(job, label, "quiet", _("Deleted; request it again."))
    if job.status == JobStatus.FAILED:
        return JobRow(job, label, "tag tag-red", _("This could not be made. Request it again."))
    if job.status == JobStatus.CANCELLED:
        return JobRow(job, label, "quiet", str(job.get_status_display()))
    status = f"{job.get_status_display()} …"
    return JobRow(job, label, "tag tag-amber", status, can_cancel=True)


def _by_age(rows: list[JobRow]) -> list[JobRow]:
    """Return the rows, newest first, with which of a kind is the newest and which are older."""
    kinds = [(row.job.what, row.job.parameters.get("day")) for row in rows]
    made = [row.job.status == JobStatus.DONE for row in rows]
    newest: dict[object, JobRow] = {}
    found = []
    for row, kind, done in zip(rows, kinds, made, strict=True):
        if done and kind in newest:
            found.append(replace(row, newer_at=newest[kind].job.made_at))
            continue
        if done:
            newest[kind] = row
        several = sum(each == kind and also for each, also in zip(kinds, made, strict=True)) > 1
        found.append(replace(row, is_newest=done and several))
    return found


@staff_action(RUN_FLOOR, back="jobs")
def job_create(request: Request, event: Event) -> str:
    """Order a print of the whole event."""
    site = public_address(request, "/").rstrip("/")
    kind = request.POST.get("kind", "")
    ask_for(
        event=event,
        kind=kind,
        by=request.user,
        language=lang(),
        site=site,
        plain="plain" in request.POST,
        day=request.POST.get(f"day-{kind}", ""),
    )
    return _("It is being made and will be listed here.")


@staff_action(RUN_FLOOR, back="jobs")
def job_cancel(request: Request, event: Event) -> str:
    """Cancel a print that is not done yet."""
    cancel(event=event, number=number_in(request, "job"), by=request.user)
    return _("It will not be made.")


@require_safe
@staff_view(RUN_FLOOR)
def job_file(request: Request, event: Event, number: int) -> HttpResponseBase:
    """Return the file of a finished job."""
    file = JobFile.objects.filter(job__kind=PRINT, job__event=event, job__pk=number).first()
    if file is None:
        raise Http404(_("This file has been deleted; request it again."))
    return FileResponse(BytesIO(file.content), content_type="application/pdf", filename=file.name)
