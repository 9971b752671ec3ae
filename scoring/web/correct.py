"""Correcting a line of the sheet at the table: first a preview, then the change."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from engine.messages import marks_text, say

from ..enums import LinkRole, RowKind, SheetStatus
from ..errors import ScoringError
from ..models import Link, Sheet
from ..reading.correction import Plan, moved_entries, plan_correction
from ..reading.games import Game, table_games
from ..reading.names import title_of_table
from ..reading.slots import (
    Change,
    EntrySlot,
    as_value,
    grids_of,
    legal_values,
    slot_of,
)
from ..reading.tables import has_row
from ..reading.words import entry_text, short_names, status_text
from ..reasons import coded, needs_director
from ..words import lang
from ..writing import correct_entry
from .access import STATUS, LinkRequest, author_of, link_view, problem_answer
from .correction_form import CorrectionForm


@link_view(method="GET", role=LinkRole.AUDITOR)
def entry_correct(request: LinkRequest, link: Link, game: int, sequence: int) -> HttpResponse:
    """Ask what is wrong with a line."""
    slot = _slot(link, game, sequence)
    return _page(request, link, slot, _form(slot))


@link_view(method="POST", role=LinkRole.AUDITOR)
def entry_corrected(request: LinkRequest, link: Link, game: int, sequence: int) -> HttpResponse:
    """Show what correcting a line changes; with ``sure``, correct it."""
    answer = _corrected(request, link, game, sequence)
    refused = answer.status_code >= 400 and "sure" in request.POST
    # Of two taps the second is refused, even if both were under way at once.
    if refused and has_row(link.table_id, request.POST.get("client_id", "")):
        return back_to_sheet(request)
    return answer


def back_to_sheet(request: LinkRequest) -> HttpResponse:
    return HttpResponseRedirect(reverse("scoring:table_detail", args=[request.token]), status=303)


def _corrected(request: LinkRequest, link: Link, game: int, sequence: int) -> HttpResponse:
    sent = request.POST
    try:
        slot = _slot(link, game, sequence)
    except ScoringError as error:
        return problem_answer(request, error)
    form = _form(slot, sent)
    if not form.is_valid():
        return _page(request, link, slot, form, status=422)
    data = form.cleaned_data
    what = data["what"] if data["kind"] != RowKind.VOID else None
    try:
        plan = plan_correction(
            slot.game.sheet, kind=RowKind(data["kind"]), sequence=sequence, entry=what
        )
        if "sure" not in sent:
            return _preview(request, link, slot, form, plan)
        correct_entry(
            sheet_id=slot.game.sheet.pk,
            client_id=data["client_id"],
            seen_version=data["version"],
            author=author_of(request, link, slot.game.sheet),
            device=request.device,
            kind=RowKind(data["kind"]),
            sequence=sequence,
            entry=what,
            reason=coded("mended_at_table"),
            with_later="with_later" in sent,
        )
    except ScoringError as error:
        refused = error.message(None, slot.game.names)
        status = STATUS.get(error.code, 409)
        return _page(request, link, slot, form, refused=refused, status=status)
    return back_to_sheet(request)


def correctable_game(link: Link, number: int) -> Game:
    """Return the game whose lines this link may correct: the one played last.

    Raises ``ScoringError`` ``signed_off`` or ``entry_gone``.
    """
    if link.table.signed_at:
        raise ScoringError("signed_off")
    begun = {SheetStatus.RUNNING, SheetStatus.FINISHED}
    latest = Sheet.objects.filter(table=link.table_id, status__in=begun).order_by("number").last()
    if latest is None or latest.number != number:
        raise ScoringError("entry_gone")
    return table_games(link.table, only=[number]).games[0]


def _slot(link: Link, number: int, sequence: int) -> EntrySlot:
    """Return a line that this link may correct.

    Raises ``ScoringError`` ``signed_off``, ``entry_gone`` or ``ruling_only_director``.
    """
    slot = slot_of(correctable_game(link, number), sequence)
    if slot is None:
        raise ScoringError("entry_gone")
    if link.table.directed and needs_director(slot.entry):
        raise ScoringError("ruling_only_director")
    return slot


def _form(slot: EntrySlot, data: Any = None) -> CorrectionForm:
    return CorrectionForm(
        data,
        legal=legal_values(grids_of(slot, "")),
        now=as_value(slot.entry),
        version=slot.game.sheet.version,
    )


def _page(
    request: LinkRequest,
    link: Link,
    slot: EntrySlot,
    form: CorrectionForm,
    *,
    refused: str = "",
    status: int = 200,
) -> HttpResponse:
    """Show the form; typed values are kept, with the sheet's current version."""
    if form.is_bound:
        typed = request.POST.copy()
        typed["version"] = str(slot.game.sheet.version)
        form = _form(slot, typed)
        form.is_valid()
        if refused:
            form.add_error(None, refused)
    chosen = form["entry"].value() or as_value(slot.entry)
    context = _context(link, slot) | {
        "form": form,
        "grids": grids_of(slot, chosen),
        "names": short_names(slot.game.names),
    }
    return render(request, "scoring/correct_entry.html", context, status=status)


def _preview(
    request: LinkRequest, link: Link, slot: EntrySlot, form: CorrectionForm, plan: Plan
) -> HttpResponse:
    game = slot.game
    what = form.cleaned_data["what"]
    context = _context(link, slot) | {
        "form": form,
        "kind": form.cleaned_data["kind"],
        "sent": [(name, request.POST[name]) for name in form.fields if name in request.POST],
        "instead": entry_text(what, game.names) if what else "",
        "moved": moved_entries(game, plan.deals),
        **effects_of(game, plan),
    }
    return render(request, "scoring/correct_preview.html", context)


def effects_of(game: Game, plan: Plan) -> dict[str, Any]:
    """Return the part of a preview's context that says what a plan changes."""
    later = {row.sequence: row.entry for deal in game.deals for row in deal.entries}
    return {
        "rows": changes_of(game, plan),
        "later": [
            (entry_text(later[number], game.names), say(problem, lang(), game.names))
            for number, problem in plan.voids.items()
        ],
        "ends": plan.state.finished and not game.finished,
        "reopens": game.finished and not plan.state.finished,
    }


def _context(link: Link, slot: EntrySlot) -> dict[str, Any]:
    return {
        "link": link,
        "title": title_of_table(link.table),
        "slot": slot,
        "stands": entry_text(slot.entry, slot.game.names),
    }


def changes_of(game: Game, plan: Plan) -> list[Change]:
    """Return each seat's score, Chicago and status before and after."""
    return [
        Change(
            seat.name,
            (seat.score, _marks(seat.executed, seat.asterisks), _status(seat.status)),
            (
                plan.state.scores[seat.seat],
                _marks(plan.state.executed[seat.seat], plan.state.asterisks[seat.seat]),
                _status(plan.state.status[seat.seat]),
            ),
        )
        for seat in game.seats
    ]


def _marks(executed: bool, asterisks: int) -> str:
    return marks_text(executed, asterisks, lang(), short=True) or "–"


def _status(status: str) -> str:
    return "–" if status == "in" else status_text(status)
