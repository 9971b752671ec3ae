"""Import and export lists of players."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from ...core.access import Request, staff_view
from ...core.answers import SHOWN, NotTaken, path_of, reply, staff_action, valid
from ...core.errors import Refused
from ...core.listing import export
from ...core.names import staff_name
from ...core.permissions import EDIT_PERSON
from ...models import Event, Person, Spreadsheet
from ...results.queries.players import players_of
from ..commands import spreadsheets
from ..commands.imports import import_rows
from ..forms import ImportForm
from ..queries import import_preview as preview
from ..queries.import_preview import Fate, FateKind
from ..tables import RegistrationsTable

_FATES = {
    FateKind.NEW: (gettext_lazy("New person"), ""),
    FateKind.KNOWN: (gettext_lazy("Known person"), ""),
    FateKind.AGAIN: (gettext_lazy("Was withdrawn, registered again"), ""),
    FateKind.REGISTERED: (gettext_lazy("Registered already"), "tag-quiet"),
    FateKind.DUPLICATE: (gettext_lazy("Twice in this list"), "tag-quiet"),
    FateKind.UNCLEAR: (gettext_lazy("Same name as somebody"), "tag-amber"),
    FateKind.UNREADABLE: (gettext_lazy("Cannot be read"), "tag-red"),
}


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
        return _preview(request, event, preview.fates_of(event, data["rows"]), 200)
    sheet = spreadsheets.send_in(
        event=event,
        name=data["file"].name,
        content=data["file"].read(),
        by=request.user,
    )
    return redirect("tournaments:import_spreadsheet", event.slug, sheet.key)


@require_safe
@staff_view(EDIT_PERSON)
def import_spreadsheet(request: Request, event: Event, key: UUID) -> HttpResponse:
    """Show the preview of a file, once the worker has read it."""
    sheet = get_object_or_404(Spreadsheet, event=event, key=key)
    try:
        if preview.gave_up(sheet):
            raise Refused("not_read", _("This file could not be read. Paste its rows instead."))
        if not sheet.is_read:
            return render(request, "tournaments/registration/import_reading.html", {"event": event})
        rows = preview.rows_of(sheet)
    except Refused as error:
        return _page(request, event, problem=error)
    return _preview(request, event, preview.fates_of(event, rows), 200)


def _preview(
    request: Request, event: Event, fates: list[Fate], status: int, problem: Refused | None = None
) -> HttpResponse:
    persons = preview.persons_asked(event, fates)
    counts: dict[FateKind, int] = {}
    for fate in fates:
        counts[fate.kind] = counts.get(fate.kind, 0) + 1
    return render(
        request,
        "tournaments/registration/import_preview.html",
        {
            "event": event,
            "rows": [(fate, *_words(fate), _choices(fate, persons)) for fate in fates],
            "unclear": sum(fate.kind == FateKind.UNCLEAR for fate in fates),
            "alike": sum(bool(fate.asks) and fate.kind != FateKind.UNCLEAR for fate in fates),
            "counts": [(_FATES[kind][0], counts[kind]) for kind in FateKind if kind in counts],
            "taken": sum(fate.taken for fate in fates),
            "waits": sum(fate.waits for fate in fates),
            "sealed": preview.sealed(event, fates),
            "problem": problem,
        },
        status=status,
    )


def _words(fate: Fate) -> tuple[Any, str, str]:
    """Return the fate's label, its CSS class, and further details."""
    name, colour = _FATES[fate.kind]
    colour = "tag-amber" if fate.asks else colour
    more = str(fate.row.problem or "")
    if fate.kind == FateKind.DUPLICATE:
        more = _("Line %(line)s counts.") % {"line": fate.other}
    elif fate.kind in (FateKind.REGISTERED, FateKind.AGAIN):
        more = _("Number %(number)s.") % {"number": fate.other}
    elif fate.kind == FateKind.UNCLEAR and fate.other:
        more = _("Same name as line %(line)s, with another contact.") % {"line": fate.other}
    elif fate.kind == FateKind.UNCLEAR or (fate.asks and not fate.waits):
        more = _("Somebody by this name is known: the same person?")
    elif fate.waits:
        more = _("The event is full: onto the waiting list.")
    return name, colour, " ".join(filter(None, (more, *map(str, fate.row.hints))))


def _choices(fate: Fate, persons: dict[str, Person]) -> list[tuple[str, str]]:
    """Return the choices for a row that is asked about as (value, text)."""
    if not fate.asks:
        return []
    known = [
        (each, " · ".join(filter(None, (staff_name(persons[each]), persons[each].club))))
        for each in fate.asks
        if each in persons
    ]
    # Who is taken to be a known person is one without an answer, too.
    left_out = [] if fate.person else [("", _("Leave out"))]
    return [*left_out, *known, (preview.NEW_PERSON, _("Another person with this name"))]


def _again(
    request: Request, event: Event, *, status: int, fates: list[Fate], problem: Refused
) -> HttpResponse:
    """Show the preview again, as it is now."""
    return _preview(
        request, event, preview.fates_of(event, [fate.row for fate in fates]), status, problem
    )


@staff_action(EDIT_PERSON, back="import_players", page=_again)
def import_do(request: Request, event: Event) -> HttpResponse:
    """Do exactly what the preview showed."""
    fates = preview.unsealed(event, request.POST.get("sealed", ""))
    try:
        answers = {
            fate.row.line: request.POST.get(f"is-{fate.row.line}", "")
            for fate in fates
            if fate.asks
        }
        made = import_rows(event=event, fates=fates, by=request.user, answers=answers)
    except Refused as error:
        raise NotTaken(409, fates=fates, problem=error) from error
    text = ngettext(
        "%(count)s player is registered.", "%(count)s players are registered.", len(made)
    ) % {"count": len(made)}
    return reply(request, text, path_of("desk", event))


@require_safe
@staff_view(EDIT_PERSON)
def registrations_export(request: Request, event: Event, fmt: str) -> HttpResponse:
    """Return all registrations with what the staff knows, as CSV or XLSX."""
    table = RegistrationsTable(players_of(event).order_by("number"))
    return export(fmt, f"{event.slug}-registrations", table)
