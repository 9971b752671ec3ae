"""Import and export lists of players."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from ...core.access import Request, staff_view
from ...core.answers import SHOWN, FormRejected, path_of, reply, staff_action, valid
from ...core.errors import Refused
from ...core.listing import export
from ...core.permissions import EDIT_PERSON
from ...models import Event, Job
from ...results.queries.players import players_of, playoff_ends
from ..commands import spreadsheets
from ..commands.imports import import_rows
from ..forms import ImportForm
from ..queries import import_preview as preview
from ..queries.import_page import preview_of
from ..queries.import_preview import RowPlan
from ..tables import RegistrationsTable


def _page(
    request: Request,
    event: Event,
    *,
    form: ImportForm | None = None,
    status: int = 200,
    problem: Refused | None = None,
) -> HttpResponse:
    context = {"event": event, "form": form or ImportForm(), "problem": problem}
    return render(request, "tournaments/registration/import.html", context, status=status)


@staff_action(EDIT_PERSON, back="import_players", page=_page, methods=SHOWN)
def import_players(request: Request, event: Event) -> HttpResponse:
    """Read a list and show the preview; leave a file to the worker."""
    data = valid(form=ImportForm(request.POST, request.FILES))
    if not data["file"]:
        return _preview(request, event, preview.plan_rows(event, data["rows"]), 200)
    job = spreadsheets.send_in(
        event=event,
        name=data["file"].name,
        content=data["file"].read(),
        by=request.user,
    )
    return redirect("tournaments:import_spreadsheet", event.slug, job.pk)


@require_safe
@staff_view(EDIT_PERSON)
def import_spreadsheet(request: Request, event: Event, number: int) -> HttpResponse:
    """Show the preview of a file, once the worker has read it."""
    job = get_object_or_404(Job, kind=preview.SPREADSHEET, event=event, pk=number)
    if problem := preview.problem_of(job):
        return _page(request, event, problem=problem)
    if job.is_open:
        return render(request, "tournaments/registration/import_reading.html", {"event": event})
    return _preview(request, event, preview.plan_rows(event, preview.rows_of(job)), 200)


def _preview(
    request: Request,
    event: Event,
    plans: list[RowPlan],
    status: int,
    problem: Refused | None = None,
) -> HttpResponse:
    context = {"event": event, "preview": preview_of(event, plans), "problem": problem}
    template = "tournaments/registration/import_preview.html"
    return render(request, template, context, status=status)


def _again(
    request: Request, event: Event, *, status: int, plans: list[RowPlan], problem: Refused
) -> HttpResponse:
    """Show the preview again, as it is now."""
    return _preview(
        request, event, preview.plan_rows(event, [plan.row for plan in plans]), status, problem
    )


@staff_action(EDIT_PERSON, back="import_players", page=_again)
def import_do(request: Request, event: Event) -> HttpResponse:
    """Do exactly what the preview showed."""
    plans = preview.load_preview(event, request.POST.get("signed", ""))
    try:
        answers = {
            plan.row.line: request.POST.get(f"is-{plan.row.line}", "")
            for plan in plans
            if plan.asks
        }
        made = import_rows(event=event, plans=plans, by=request.user, answers=answers)
    except Refused as error:
        raise FormRejected(409, plans=plans, problem=error) from error
    text = ngettext(
        "%(count)s player is registered.", "%(count)s players are registered.", len(made)
    ) % {"count": len(made)}
    return reply(request, text, path_of("desk", event))


@require_safe
@staff_view(EDIT_PERSON)
def registrations_export(request: Request, event: Event, fmt: str) -> HttpResponse:
    """Return all registrations with what the staff knows, as CSV or XLSX."""
    table = RegistrationsTable(players_of(event).order_by("number"), ends=playoff_ends(event))
    return export(fmt, event, _("Players"), table)
