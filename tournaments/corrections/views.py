"""Pages of a correction: pick an entry, say what happened, preview it, then make it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from scoring.enums import RowKind, SheetStatus
from scoring.errors import ScoringError
from scoring.reading.correction import moved_entries
from scoring.reading.games import Game
from scoring.reading.slots import EntrySlot, as_value, grids_of, legal_values, slot_of
from scoring.reading.words import entry_text, short_names
from scoring.reasons import coded, with_words
from scoring.web.correct import is_written

from ..core.access import Request, heat_of, registration_of, staff_view
from ..core.answers import REFUSALS, put_errors, reply, sentence, taking, valid
from ..core.errors import Conflict, Refused
from ..core.permissions import DIRECT, VIEW_DESK
from ..floor.commands.penalties import give_penalty, take_back_penalty
from ..floor.queries.penalties import last_penalty
from ..floor.views.heat import heat_action, path_of_heat
from ..floor.views.heat_parts import closed_penalty_form
from ..heats.queries.cards import heat_cards
from ..models import Event, Heat
from ..models.enums import HeatStatus, PenaltyLevel
from ..models.money import show_amount
from .commands.correct import Correction, Decided, correct, decide
from .forms import RULING, DecisionForm, DirectorsCorrectionForm
from .queries import (
    Consequences,
    follows_text,
    game_changes,
    game_of,
    other_wins_text,
    ranking_changes,
    rulings_at,
)

_SENT = ("kind", "entry", "action", "seat", "points", "reason")


def _names(heat: Heat) -> dict[str, str]:
    return heat_cards([heat], staff=True)[0].names


@require_safe
@never_cache
@staff_view(VIEW_DESK)
def sheet(request: Request, event: Event, number: int, game: int) -> HttpResponse:
    """Show a game's sheet deal by deal; each entry links to its correction."""
    heat = heat_of(event, number)
    found = game_of(heat, game, _names(heat))
    if found is None:
        raise Http404
    return render(
        request,
        "tournaments/corrections/correct_sheet.html",
        {
            "event": event,
            "heat": heat,
            "game": found,
            "games": range(1, heat.games_planned + 1),
            "names": short_names(found.names),
            "correctable": found.status != SheetStatus.VOID,
        },
    )


def _slot(event: Event, number: int, game: int, entry: int) -> tuple[Heat, EntrySlot]:
    heat = heat_of(event, number)
    found = game_of(heat, game, _names(heat))
    slot = slot_of(found, entry) if found is not None else None
    if slot is None:
        raise Http404
    return heat, slot


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
            "stands": entry_text(slot.entry, slot.game.names),
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
def entry(request: Request, event: Event, number: int, game: int, entry: int) -> HttpResponse:
    """Ask what happened instead of an entry, or before it."""
    heat, slot = _slot(event, number, game, entry)
    typed = {key: request.GET[key][:400] for key in _SENT if request.GET.get(key)}
    if slot.entry.get("kind") == "ruling":
        keys = ("action", "seat", "points")
        typed = {key: slot.entry[key] for key in keys if key in slot.entry} | typed
    return _entry_page(request, heat, slot, _form(slot, **typed))


@require_POST
@staff_view(DIRECT)
def preview(request: Request, event: Event, number: int, game: int, entry: int) -> HttpResponse:
    """Preview a correction."""
    return _answer(request, event, number, game, entry, apply=False)


@require_POST
@staff_view(DIRECT)
def apply_correction(
    request: Request, event: Event, number: int, game: int, entry: int
) -> HttpResponse:
    """Make a correction, all or nothing."""
    return _answer(request, event, number, game, entry, apply=True)


def made_before(request: Request, heat: Heat) -> HttpResponse | None:
    """Answer a second click: the first has made the correction."""
    if not is_written(heat.table_id, request.POST.get("client_id", "")):
        return None
    return reply(request, _("This correction has already been made."), path_of_heat(heat))


def _answer(
    request: Request, event: Event, number: int, game: int, entry: int, *, apply: bool
) -> HttpResponse:
    heat = heat_of(event, number)
    found = game_of(heat, game, _names(heat))
    if found is None:
        raise Http404
    if apply and (answer := made_before(request, heat)):
        return answer
    slot = slot_of(found, entry)
    if slot is None:
        # Somebody has voided it meanwhile; the current sheet says more than "not found".
        gone = ScoringError("entry_gone")
        return reply(request, gone.message(), _sheet_page(heat, game), code=gone.code)
    form = _form(slot, request.POST)
    if not form.is_valid():
        return _entry_page(request, heat, slot, form, status=422)
    data = form.cleaned_data
    wanted = Correction(
        sheet=found.sheet,
        kind=RowKind(data["kind"]),
        sequence=entry,
        entry=data["what"],
        reason=data["reason"],
        seen_version=data["version"],
        client_id=data["client_id"],
    )
    try:
        answers = Answers(request, _names(heat))
        decided = decide(wanted=wanted, answers=answers, by=request.user)
        # Consequences depend on these decisions, so they are shown before the correction is made.
        if apply and decided.complete and request.POST.get("seen", "|") == decided.seen:
            correct(correction=decided.correction, by=request.user)
            text = _("The sheet is corrected. Everything that follows from it is done.")
            return reply(request, text, path_of_heat(heat))
    except REFUSALS as error:
        again = made_before(request, heat) if apply else None
        return again or _refused(request, heat, slot, form, error)
    missing = apply and not decided.complete
    return _preview_page(
        request, heat, slot, form, answers.form, decided, status=422 if missing else 200
    )


class Answers:
    """The director's answers to the preview's questions, read from the form."""

    def __init__(
        self,
        request: Request,
        names: dict[str, str],
        *,
        only: Sequence[str] = (),
        prefix: str = "d",
    ) -> None:
        self.sent = request.POST if only or "decided" in request.POST else None
        self.names = names
        self.only = only
        self.prefix = prefix
        self.group: tuple[str, ...] = ()
        self.possible: tuple[str, ...] = ()
        self.form = DecisionForm(self.sent, prefix=prefix)

    def __call__(self, asked: Sequence[str], found: Consequences) -> dict[str, Any]:
        """Return the decisions sent for these questions."""
        if "flip_flop" in found.needs:
            self.group = self.group or found.flip_flop_groups[0]
        if "instead" in found.needs:
            self.possible = self.possible or found.stand_ins
        self.form = DecisionForm(
            self.sent,
            group=self._named(self.group),
            possible=self._named(self.possible),
            prefix=self.prefix,
        )
        sent = self.form.answers(asked)
        return {key: value for key, value in sent.items() if not self.only or key in self.only}

    def _named(self, players: Sequence[str]) -> list[tuple[str, str]]:
        return [(player_id, self.names.get(player_id, player_id)) for player_id in players]


def _sheet_page(heat: Heat, game: int) -> str:
    return reverse("tournaments:correct_sheet", args=[heat.event.slug, heat.number, game])


def _refused(
    request: Request, heat: Heat, slot: EntrySlot, form: DirectorsCorrectionForm, error: Exception
) -> HttpResponse:
    """Show the form again with its input, against the sheet as it is now."""
    if isinstance(error, Conflict):
        typed = request.POST.copy()
        typed["version"] = str(slot.game.sheet.version)
        form = _form(slot, typed)
        form.is_valid()
    put_errors(form, error)
    return _entry_page(request, heat, slot, form, status=409)


@dataclass(frozen=True)
class Quote:
    """The correction in short.

    The entry struck out, the one written, and the kind of correction.
    """

    struck: str = ""
    written: str = ""
    label: str = ""
    note: str = ""


def _quote(slot: EntrySlot, kind: str, what: Any) -> Quote:
    stands = entry_text(slot.entry, slot.game.names)
    if kind == "void":
        return Quote(struck=stands, label=_("Taken back:"))
    written = entry_text(what, slot.game.names)
    if kind == "insert":
        before = _("before “%(stands)s”") % {"stands": stands}
        return Quote(written=written, label=_("Added:"), note=before)
    return Quote(struck=stands, written=written)


def _preview_page(
    request: Request,
    heat: Heat,
    slot: EntrySlot,
    form: DirectorsCorrectionForm,
    decisions: DecisionForm,
    decided: Decided,
    *,
    status: int,
) -> HttpResponse:
    what = form.cleaned_data["what"]
    back = {key: request.POST[key] for key in _SENT if request.POST.get(key)}
    sent = {**back, "version": form.cleaned_data["version"]}
    context = changes_context(request, heat, slot.game, decisions, decided, status) | {
        "slot": slot,
        "form": form,
        "quote": _quote(slot, form.cleaned_data["kind"], what),
        "sent": [*sent.items(), ("client_id", form.cleaned_data["client_id"])],
        "back": f"?{urlencode(back)}",
    }
    return render(request, "tournaments/corrections/correct_preview.html", context, status=status)


def changes_context(
    request: Request,
    heat: Heat,
    game: Game,
    decisions: DecisionForm,
    decided: Decided,
    status: int,
) -> dict[str, Any]:
    """Return the template context of a preview: the consequences, and the open questions."""
    found, names = decided.found, _names(heat)
    rows = {row.sequence: row for deal in game.deals for row in deal.entries}
    return {
        "event": heat.event,
        "heat": heat,
        "game": game,
        "found": found,
        "game_rows": game_changes(found, names),
        "ranking_rows": ranking_changes(found, names),
        "lost": [names.get(player_id, player_id) for player_id in found.lost],
        "won": [names.get(player_id, player_id) for player_id in found.won],
        "other_wins": other_wins_text(found, names),
        "lost_tag": _("no longer wins") if heat.nobody_goes_on else _("no longer through"),
        "won_tag": _("now wins") if heat.nobody_goes_on else _("now through"),
        "left_queue": [names.get(player_id, player_id) for player_id in found.left_queue],
        "playing_now": [
            (names.get(player_id, player_id), number) for player_id, number in found.playing_now
        ],
        "payouts": [
            (names.get(player_id, player_id), show_amount(amount, currency))
            for player_id, amount, currency in found.payouts
        ],
        "later": [
            (entry_text(rows[number].entry, game.names) if number in rows else number, why)
            for number, why in found.later
        ],
        "moved": moved_entries(game, found.deals),
        "decisions": decisions,
        "asked": decided.asked,
        "missing": found.needs,
        "pressed": status == 422,
        "error": sentence(decided.error) if decided.error else "",
        "seen": decided.seen,
        "again": request.POST.get("seen", decided.seen) != decided.seen and decided.complete,
        "round_out": [names.get(player_id, player_id) for player_id in found.round.out]
        if found.round
        else [],
        "round_into": [names.get(player_id, player_id) for player_id in found.round.into]
        if found.round
        else [],
    }


@heat_action(DIRECT)
def closed_penalty(request: Request, heat: Heat) -> str:
    """Take game points from a player of a closed heat, or give them back."""
    if heat.status != HeatStatus.FINISHED:
        raise Refused("heat_not_closed", _("%(heat)s has not been closed yet.") % {"heat": heat})
    card = heat_cards([heat], staff=True)[0]
    form = closed_penalty_form(heat, card, request.POST)
    data = valid(closed_penalty_form=form)
    back = form.given.get(data["player"])
    reason = with_words(coded(f"offence.{data['offence']}"), data["reason"])

    def change() -> None:
        if back is not None:
            take_back_penalty(penalty=back, by=request.user, reason=reason, closed=True)
            return
        give_penalty(
            heat=heat,
            registration=registration_of(heat.event, int(data["player"])),
            level=PenaltyLevel.GAME_POINTS,
            offence=data["offence"],
            by=request.user,
            client_id=data["client_id"],
            seen_version=0,
            points=data["points"] or 0,
            reason=data["reason"],
            closed=True,
            last_seen=data["last"],
        )

    def now() -> dict[str, int]:
        return {"last": last_penalty(heat.event)}

    wanted = Correction.of_change(heat=heat, change=change, reason=reason)
    answers = Answers(request, card.names, prefix="closed", only=("flip_flops", "lots", "instead"))
    with taking(closed_penalty_form=form, now=now):
        decided = decide(wanted=wanted, answers=answers, by=request.user)
    form.decide(answers.form.who_goes_on(decided.asked))
    seen = f"{data['player']}|{data['points']}|{decided.seen}"
    with taking(closed_penalty_form=form, now=now):
        if decided.error is not None:
            raise decided.error
        if not decided.complete:
            raise Refused("needs_decision", _("Decide first who goes on. Nothing changed."))
    if not data["sure"] or data["seen"] != seen:
        form.confirm(seen, follows_text(decided.found, card.names))
    with taking(closed_penalty_form=form, now=now):
        correct(correction=decided.correction, by=request.user)
    return _("The ranking of %(heat)s has been recomputed.") % {"heat": heat}
