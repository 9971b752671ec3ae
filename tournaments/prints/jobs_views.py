"""Prints of a whole event: asked for, made by the worker, fetched."""

from django.http import FileResponse, Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.reading.words import lang

from ..core.access import Request, staff_view
from ..core.addresses import public_address
from ..core.answers import staff_action
from ..core.permissions import RUN_FLOOR
from ..models import Event, Job
from ..models.enums import JobStatus
from .commands import ask_for, files
from .drawing import PRINTS

#: So many are listed; older files are gone.
LISTED = 6


@require_safe
@staff_view(RUN_FLOOR)
def jobs(request: Request, event: Event) -> HttpResponse:
    """Show what can be printed for the whole event, and what has been made.

    HTMX gets the list alone, which asks again as long as something is being made.
    """
    rows = list(event.jobs.select_related("made_by")[:LISTED])
    for row in rows:
        row.label = PRINTS[row.kind].LABEL if row.kind in PRINTS else row.kind  # type: ignore[attr-defined]
    there = {row.pk for row in rows if row.file and (files() / row.file).exists()}
    going_on = any(row.status in (JobStatus.WAITING, JobStatus.RUNNING) for row in rows)
    template = (
        "tournaments/prints/_job_list.html" if request.htmx else "tournaments/prints/job_list.html"
    )
    return render(
        request,
        template,
        {"event": event, "jobs": rows, "going_on": going_on, "kinds": PRINTS, "there": there},
    )


@staff_action(RUN_FLOOR, back="jobs")
def job_create(request: Request, event: Event) -> str:
    """Ask for a print of the whole event."""
    site = public_address(request, "/").rstrip("/")
    ask_for(
        event=event, kind=request.POST.get("kind", ""), by=request.user, language=lang(), site=site
    )
    return _("It is being made and will be listed here.")


@require_safe
@staff_view(RUN_FLOOR)
def job_file(request: Request, event: Event, number: int) -> HttpResponseBase:
    """Return the file of a job that is done."""
    job = get_object_or_404(Job, event=event, pk=number, status=JobStatus.DONE)
    path = files() / job.file
    if not path.exists():
        raise Http404(_("This file has been deleted; ask for it again."))
    return FileResponse(
        path.open("rb"),
        content_type="application/pdf",
        filename=f"{event.slug}-{job.kind}-{job.pk}.pdf",
    )
