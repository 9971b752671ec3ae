"""A list of players: read, looked at row by row, then registered; and the list as a file."""

from collections.abc import Iterable
from typing import Any, cast

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ...core.access import Request, staff_view
from ...core.answers import REFUSALS, said, sentence
from ...core.listing import export
from ...core.names import registration_name
from ...core.permissions import EDIT_PERSON
from ...models import Event
from ...results.queries.players import players_of, standing_text
from ..commands import import_rows as reading
from ..commands import imports as domain
from ..commands.imports import Fate, FateKind
from ..forms import ImportForm

_FATES = {
    FateKind.NEW: (gettext_lazy("New person"), ""),
    FateKind.KNOWN: (gettext_lazy("Known person"), ""),
    FateKind.AGAIN: (gettext_lazy("Was withdrawn, registered again"), ""),
    FateKind.REGISTERED: (gettext_lazy("Registered already"), "tag-quiet"),
    FateKind.DUPLICATE: (gettext_lazy("Twice in this list"), "tag-quiet"),
    FateKind.UNCLEAR: (gettext_lazy("Several persons of this name"), "tag-amber"),
    FateKind.UNREADABLE: (gettext_lazy("Cannot be read"), "tag-red"),
}


@require_http_methods(["GET", "POST"])
@staff_view(EDIT_PERSON)
def import_players(request: Request, event: Event) -> HttpResponse:
    """Take a list and show what would become of every row."""
    if request.method != "POST":
        return _page(request, event, ImportForm(), 200)
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, event, form, 422)
    try:
        file = form.cleaned_data["file"]
        if file:
            if file.size > reading.MOST_BYTES:
                raise reading.too_much()
            rows = reading.rows_from_file(file.name, file.read())
        else:
            rows = reading.rows_from_text(form.cleaned_data["text"])
    except REFUSALS as error:
        form.add_error(None, sentence(error))
        return _page(request, event, form, 422)
    return _preview(request, event, domain.fates_of(event, rows), 200)


def _page(request: Request, event: Event, form: ImportForm, status: int) -> HttpResponse:
    return render(
        request,
        "tournaments/registration/import.html",
        {"event": event, "form": form},
        status=status,
    )


def _preview(
    request: Request, event: Event, fates: list[Fate], status: int, problem: str = ""
) -> HttpResponse:
    counts: dict[FateKind, int] = {}
    for fate in fates:
        counts[fate.kind] = counts.get(fate.kind, 0) + 1
    return render(
        request,
        "tournaments/registration/import_preview.html",
        {
            "event": event,
            "rows": [(fate, *_words(fate)) for fate in fates],
            "counts": [(_FATES[kind][0], counts[kind]) for kind in FateKind if kind in counts],
            "taken": sum(fate.taken for fate in fates),
            "waits": sum(fate.waits for fate in fates),
            "sealed": domain.sealed(event, fates),
            "problem": problem,
        },
        status=status,
    )


def _words(fate: Fate) -> tuple[Any, str, str]:
    """Return the fate's name, its colour, and what more there is to say."""
    name, colour = _FATES[fate.kind]
    more = fate.row.problem
    if fate.kind == FateKind.DUPLICATE:
        more = _("Line %(line)s counts.") % {"line": fate.other}
    elif fate.kind in (FateKind.REGISTERED, FateKind.AGAIN):
        more = _("Number %(number)s.") % {"number": fate.other}
    elif fate.kind == FateKind.UNCLEAR:
        more = _("Register the right one at the desk.")
    elif fate.waits:
        more = _("All places are taken: onto the waiting list.")
    return name, colour, more


@require_POST
@staff_view(EDIT_PERSON)
def import_do(request: Request, event: Event) -> HttpResponse:
    """Do exactly what the preview said."""
    page = reverse("tournaments:import_players", args=[event.slug])
    try:
        fates = domain.unsealed(event, request.POST.get("sealed", ""))
    except REFUSALS as error:
        return said(request, sentence(error), page, error=True)
    try:
        made = domain.import_rows(event=event, fates=fates, by=request.user)
    except REFUSALS as error:
        # The rows are not lost: they are shown again with what would become of them now.
        again = domain.fates_of(event, [fate.row for fate in fates])
        return _preview(request, event, again, 409, sentence(error))
    text = ngettext(
        "%(count)s player is registered.", "%(count)s players are registered.", len(made)
    ) % {"count": len(made)}
    return said(request, text, reverse("tournaments:desk", args=[event.slug]))


@require_safe
@staff_view(EDIT_PERSON)
def registrations_export(request: Request, event: Event, fmt: str) -> HttpResponse:
    """Return all registrations with what the staff knows, as CSV or XLSX."""
    return export(
        fmt,
        f"{event.slug}-registrations",
        [
            "№",
            _("Name"),
            _("Nickname"),
            _("Others read"),
            _("Club"),
            _("E-mail"),
            _("Telephone"),
            _("Status"),
            _("Now"),
            _("Entries"),
            _("Registered"),
        ],
        (
            [
                row.number,
                row.person.legal_name,
                row.person.display_name,
                registration_name(row),
                row.person.club,
                row.person.email,
                row.person.phone,
                row.get_status_display(),
                standing_text(row),
                row.entries_used,
                row.registered_at.isoformat(timespec="minutes"),
            ]
            for row in cast(Iterable[Any], players_of(event).order_by("number"))
        ),
    )
