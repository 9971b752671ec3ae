"""Import and export lists of players."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from ...core.access import Request, staff_view
from ...core.answers import SHOWN, FormRejected, path_of, reply, staff_action, valid
from ...core.contacts import CONTACTS, note_look
from ...core.errors import Refused
from ...core.listing import export
from ...core.permissions import BOOK, EDIT_PERSON, REGISTER
from ...models import Event, Job
from ...models.enums import ContactsWhere
from ...results.queries.players import players_of, playoff_ends
from ..commands import spreadsheets
from ..commands.imports import import_rows
from ..forms import ImportForm, WhereForm
from ..queries import import_preview as preview
from ..queries.import_page import preview_of, reading_of
from ..queries.import_preview import Answers, RowPlan
from ..queries.offers import NUMBER, PAID, SEED, TABLE
from ..queries.player_list import list_of
from ..queries.sheets.book import Book
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
        return _read(request, event, data["book"], data, text=data["text"])
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
    try:
        return _read(request, event, preview.book_of(job), WhereForm.chosen(request.GET))
    except Refused as error:
        return _page(request, event, problem=error)


def _read(
    request: Request,
    event: Event,
    book: Book,
    where: Mapping[str, Any],
    *,
    text: str | None = None,
) -> HttpResponse:
    """Show the preview of a list and how it was read; a page sends a pasted one again."""
    found = list_of(book, sheet=where["sheet"], header=where["header"])
    plans = preview.plan_rows(event, found.rows)
    return _preview(request, event, plans, 200, reading=reading_of(book, found), text=text)


def _preview(
    request: Request, event: Event, plans: list[RowPlan], status: int, **more: Any
) -> HttpResponse:
    answers = more.pop("answers", preview.NO_ANSWERS)
    changes = (change for plan in plans for change in plan.changes)
    if any(change.field in CONTACTS and change.known for change in changes):
        note_look(event=event, by=request.user, where=ContactsWhere.IMPORT)
    shown = preview_of(event, plans, answers, _may_take(request, event))
    context = {"event": event, "preview": shown, **more}
    template = "tournaments/registration/import_preview.html"
    return render(request, template, context, status=status)


def _again(
    request: Request,
    event: Event,
    *,
    status: int,
    plans: list[RowPlan],
    problem: Refused,
    answers: Answers,
) -> HttpResponse:
    """Show the preview again, as it is now, with what was answered."""
    plans = preview.plan_rows(event, [plan.row for plan in plans])
    return _preview(request, event, plans, status, problem=problem, answers=answers)


@staff_action(EDIT_PERSON, back="import_players", page=_again)
def import_do(request: Request, event: Event) -> HttpResponse:
    """Do exactly what the preview showed."""
    plans = preview.load_preview(event, request.POST.get("signed", ""))
    lines = [plan.row.line for plan in plans]
    answers = _answers(request.POST, lines, _may_take(request, event))
    try:
        made = import_rows(event=event, plans=plans, by=request.user, answers=answers)
    except Refused as error:
        raise FormRejected(409, plans=plans, problem=error, answers=answers) from error
    text = ngettext(
        "%(count)s player is registered.", "%(count)s players are registered.", len(made)
    ) % {"count": len(made)}
    return reply(request, text, path_of("desk", event))


def _may_take(request: Request, event: Event) -> set[str]:
    """Return what of a list's further columns this user may take: money is for the cash desk."""
    rights = {PAID: BOOK, TABLE: REGISTER, NUMBER: EDIT_PERSON, SEED: EDIT_PERSON}
    return {name for name, right in rights.items() if request.user.has_perm(right, event)}


def _answers(data: QueryDict, lines: Iterable[int], may: Collection[str]) -> Answers:
    told: dict[str, Any] = {"who": {}, "names": {}, "ticked": {}}
    for line in lines:
        told["who"][line] = data.get(f"is-{line}", "")
        told["names"][line] = data.get(f"name-{line}", "")
        told["ticked"][line] = data.getlist(f"set-{line}")
    hidden = {"take": True, "leave": False}.get(data.get("hidden", ""))
    taken = frozenset(name for name in data.getlist("take") if name in may)
    return Answers(**told, hidden=hidden, taken=taken, means=data.get("means", ""))


@require_safe
@staff_view(EDIT_PERSON)
def registrations_export(request: Request, event: Event, fmt: str) -> HttpResponse:
    """Return all registrations with what the staff knows, as CSV or XLSX."""
    note_look(event=event, by=request.user, where=ContactsWhere.LIST)
    table = RegistrationsTable(players_of(event).order_by("number"), ends=playoff_ends(event))
    return export(request, fmt, event, _("Players"), table)
