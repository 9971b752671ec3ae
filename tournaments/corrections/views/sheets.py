"""Pages of a correction: pick an entry, say what happened, preview it, then make it."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.enums import RowKind, SheetStatus
from scoring.errors import ScoringError
from scoring.reading.games import Game
from scoring.reading.names import shown_entry
from scoring.reading.slots import EntrySlot, as_value, grids_of, legal_values, slot_of
from scoring.reading.take_back import corrections_standing
from scoring.reading.words import entry_text, short_names

from ...core.access import Request, staff_view
from ...core.answers import form_errors
from ...core.names import staff_text_of
from ...core.permissions import DIRECT, VIEW_DESK
from ...models import Heat
from ..commands.wanted import Correction
from ..forms import RULING, DirectorsCorrectionForm
from ..queries.consequences import rulings_at
from .answers import answer_correction, game_view, in_two_steps

_SENT = ("kind", "entry", "action", "seat", "points", "reason")


@require_safe
@never_cache
@staff_view(VIEW_DESK)
@game_view
def sheet(request: Request, heat: Heat, game: Game) -> HttpResponse:
    """Show a game's sheet deal by deal; each entry links to its correction."""
    return render(
        request,
        "tournaments/corrections/correct_sheet.html",
        {
            "event": heat.event,
            "heat": heat,
            "game": game,
            "games": range(1, heat.games_planned + 1),
            "names": short_names(game.names),
            "correctable": game.status != SheetStatus.VOID,
            "standing": corrections_standing(game.sheet),
        },
    )


def _form(slot: EntrySlot, data: Any = None, **initial: Any) -> DirectorsCorrectionForm:
    grids = grids_of(slot, "")
    return DirectorsCorrectionForm(
        data,
        legal=legal_values(grids),
        rulings=rulings_at(slot),
        names=slot.game.names,
        now=as_value(slot.entry),
        version=slot.game.sheet.version,
        initial=initial,
    )


def _entry_page(
    request: Request,
    heat: Heat,
    slot: EntrySlot,
    form: DirectorsCorrectionForm,
    *,
    status: int = 200,
) -> HttpResponse:
    ruling = slot.entry.get("kind") == "ruling"
    chosen = form["entry"].value() or (RULING if ruling else as_value(slot.entry))
    return render(
        request,
        "tournaments/corrections/correct_entry.html",
        {
            "event": heat.event,
            "heat": heat,
            "slot": slot,
            "game": slot.game,
            "stands": _stands(heat, slot),
            "form": form,
            "grids": grids_of(slot, chosen),
            "ruling_chosen": chosen == RULING,
            "names": short_names(slot.game.names),
        },
        status=status,
    )


@require_safe
@never_cache
@staff_view(DIRECT)
@game_view
def entry(request: Request, heat: Heat, game: Game, entry: int) -> HttpResponse:
    """Ask what happened instead of an entry, or before it."""
    slot = slot_of(game, entry)
    if slot is None:
        raise Http404
    typed = {key: request.GET[key][:400] for key in _SENT if request.GET.get(key)}
    if slot.entry.get("kind") == "ruling":
        keys = ("action", "seat", "points")
        typed = {key: slot.entry[key] for key in keys if key in slot.entry} | typed
    return _entry_page(request, heat, slot, _form(slot, **typed))


def _refused_page(
    request: Request, heat: Heat, game: Game, entry: int, *, form: Any, status: int
) -> HttpResponse:
    slot = slot_of(game, entry)
    assert slot is not None  # it had a form
    return _entry_page(request, heat, slot, form, status=status)


def _answer(request: Request, heat: Heat, game: Game, entry: int, *, apply: bool) -> HttpResponse:
    slot = slot_of(game, entry)
    if slot is None:
        # Somebody has voided it meanwhile; the current sheet says more than "not found".
        raise ScoringError("entry_gone")
    form = _form(slot, request.POST)
    with form_errors(form=form, now=lambda: {"version": game.sheet.version}) as data:
        wanted = Correction(
            sheet=game.sheet,
            kind=RowKind(data["kind"]),
            sequence=entry,
            entry=data["what"],
            reason=data["reason"],
            seen_version=data["version"],
            client_id=data["client_id"],
        )
        back = {key: request.POST[key] for key in _SENT if request.POST.get(key)}
        sent = {**back, "version": data["version"], "client_id": data["client_id"]}
        return answer_correction(
            request,
            heat,
            game,
            wanted,
            apply=apply,
            done=_("The sheet is corrected. Everything that follows from it is done."),
            template="tournaments/corrections/correct_preview.html",
            slot=slot,
            form=form,
            quote=_quote(heat, slot, data["kind"], data["what"]),
            sent=list(sent.items()),
            back=f"?{urlencode(back)}",
        )


preview, apply_correction = in_two_steps(_answer, _refused_page)


@dataclass(frozen=True)
class Quote:
    """The correction in short.

    The entry struck out, the one written, and the kind of correction.
    """

    struck: str = ""
    written: str = ""
    label: str = ""
    note: str = ""


def _stands(heat: Heat, slot: EntrySlot) -> str:
    """Return what the sheet says, as staff may read it."""
    return entry_text(shown_entry(slot.entry, staff_text_of(heat.event)), slot.game.names)


def _quote(heat: Heat, slot: EntrySlot, kind: str, what: Any) -> Quote:
    stands = _stands(heat, slot)
    if kind == "void":
        return Quote(struck=stands, label=_("Taken back:"))
    written = entry_text(what, slot.game.names)
    if kind == "insert":
        before = _("before “%(stands)s”") % {"stands": stands}
        return Quote(written=written, label=_("Added:"), note=before)
    return Quote(struck=stands, written=written)
