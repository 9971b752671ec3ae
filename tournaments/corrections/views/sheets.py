"""Pages of a correction: pick an entry, say what happened, preview it, then make it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from scoring.enums import RowKind, SheetStatus
from scoring.errors import ScoringError
from scoring.reading.correction import moved_deals, moved_entries
from scoring.reading.forgotten import ForgottenDeal, forgotten_deal
from scoring.reading.games import Game
from scoring.reading.slots import EntrySlot, as_value, grids_of, legal_values, slot_of
from scoring.reading.tables import has_row
from scoring.reading.words import entry_text, short_names
from scoring.reasons import coded, with_words
from scoring.web.forgotten import MOST

from ...core.access import Request, View, heat_of, registration_of, staff_view
from ...core.answers import REFUSALS, action, form_errors, reply, sentence, valid
from ...core.errors import Refused
from ...core.permissions import DIRECT, VIEW_DESK
from ...floor.commands.penalties import give_penalty, take_back_penalty
from ...floor.queries.penalties import last_penalty
from ...floor.views.heat import heat_action, path_of_heat
from ...floor.views.heat_parts import closed_penalty_form
from ...heats.queries.cards import heat_cards
from ...models import Event, Heat
from ...models.enums import HeatStatus, PenaltyLevel
from ...models.money import show_amount
from ..commands.correct import Correction, Decided, correct, decide
from ..forms import RULING, DecisionForm, DirectorsCorrectionForm, ForgottenDealForm
from ..queries.consequences import (
    Consequences,
    OtherWin,
    follows_text,
    game_changes,
    game_of,
    lost_by,
    other_wins,
    other_wins_text,
    ranking_changes,
    round_choices,
    rulings_at,
    takes_in,
)

_SENT = ("kind", "entry", "action", "seat", "points", "reason")


def _names(heat: Heat) -> dict[str, str]:
    return heat_cards([heat], staff=True)[0].names


def _game_view(view: View) -> View:
    """Wrap a view of one game; it receives the heat, the game, and the entry's number if any."""

    @wraps(view)
    def wrapper(
        request: Request, event: Event, number: int, game: int, **entry: int
    ) -> HttpResponseBase:
        heat = heat_of(event, number)
        found = game_of(heat, game, _names(heat))
        if found is None:
            raise Http404
        return view(request, heat, found, *entry.values())

    return wrapper


@require_safe
@never_cache
@staff_view(VIEW_DESK)
@_game_view
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
@_game_view
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


def made_before(request: Request, heat: Heat) -> HttpResponse | None:
    """Answer a second click: the first has made the correction."""
    if not has_row(heat.table_id, request.POST.get("client_id", "")):
        return None
    wins = other_wins(heat, lost_by(heat), after=True)
    text = _("This correction has already been made.")
    return _made(request, heat, wins, text, text)


def _made(
    request: Request, heat: Heat, wins: Sequence[OtherWin], text: str, done: str
) -> HttpResponse:
    """Answer that all is ``done``, or ``text`` and what is left, on the page where it is done."""
    if not takes_in(wins):
        return reply(request, done, path_of_heat(heat))
    back = reverse("tournaments:rounds", args=[heat.event.slug])
    return reply(request, f"{text} {other_wins_text(wins, _names(heat))}", back)


def answer_correction(
    request: Request,
    heat: Heat,
    game: Game,
    wanted: Correction,
    *,
    apply: bool,
    done: str,
    template: str,
    **context: Any,
) -> HttpResponse:
    """Make a correction that was seen and decided; otherwise show what it changes and asks.

    ``done`` says that it is made. A refusal is raised, unless another click has made it meanwhile.
    """
    answers = Answers(request, _names(heat))
    try:
        decided = decide(wanted=wanted, answers=answers, by=request.user)
        # Consequences depend on these decisions, so they are shown before the correction is made.
        if apply and decided.complete and request.POST.get("seen", "|") == decided.seen:
            found = correct(correction=decided.correction, by=request.user)
            return _made(request, heat, found.other_wins, _("The sheet is corrected."), done)
    except REFUSALS:
        if apply and (answer := made_before(request, heat)):
            return answer
        raise
    status = 422 if apply and not decided.complete else 200
    context |= changes_context(request, heat, game, answers.form, decided, status)
    return render(request, template, context, status=status)


def _sheet_page(heat: Heat, game: Game, entry: int) -> str:
    return reverse("tournaments:correct_sheet", args=[heat.event.slug, heat.number, game.number])


def _refused_page(
    request: Request, heat: Heat, game: Game, entry: int, *, form: Any, status: int
) -> HttpResponse:
    slot = slot_of(game, entry)
    assert slot is not None  # it had a form
    return _entry_page(request, heat, slot, form, status=status)


_taken = action(back=_sheet_page, page=_refused_page)


@require_POST
@staff_view(DIRECT)
@_game_view
@_taken
def preview(request: Request, heat: Heat, game: Game, entry: int) -> HttpResponse:
    """Preview a correction."""
    return _answer(request, heat, game, entry, apply=False)


@require_POST
@staff_view(DIRECT)
@_game_view
@_taken
def apply_correction(request: Request, heat: Heat, game: Game, entry: int) -> HttpResponse:
    """Make a correction, all or nothing."""
    return made_before(request, heat) or _answer(request, heat, game, entry, apply=True)


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
            quote=_quote(slot, data["kind"], data["what"]),
            sent=list(sent.items()),
            back=f"?{urlencode(back)}",
        )


@require_safe
@never_cache
@staff_view(DIRECT)
@_game_view
def forgotten_deal_page(request: Request, heat: Heat, game: Game, deal: int) -> HttpResponse:
    """Ask the next question of a forgotten deal; once all is answered, why it is put in."""
    found = forgotten_deal(game, deal, request.GET.getlist("entry")[:MOST])
    if found is None:
        raise Http404
    form = ForgottenDealForm(initial={"version": game.sheet.version})
    return _deal_page(request, heat, found, form)


def _deal_page(
    request: Request,
    heat: Heat,
    found: ForgottenDeal,
    form: ForgottenDealForm,
    *,
    status: int = 200,
) -> HttpResponse:
    context = {
        "event": heat.event,
        "heat": heat,
        "game": found.game,
        "forgotten": found,
        "form": form,
        "names": short_names(found.game.names),
        "unanswered": request.GET.get("asked") == str(len(found.entries)) and not found.refused,
    }
    return render(request, "tournaments/corrections/forgotten_deal.html", context, status=status)


def _refused_deal(
    request: Request, heat: Heat, game: Game, deal: int, *, form: Any, status: int
) -> HttpResponse:
    return _deal_page(request, heat, _deal_of(request, game, deal), form, status=status)


_deal_taken = action(back=_sheet_page, page=_refused_deal)


@require_POST
@staff_view(DIRECT)
@_game_view
@_deal_taken
def preview_deal(request: Request, heat: Heat, game: Game, deal: int) -> HttpResponse:
    """Preview what putting the deal in changes."""
    return _answer_deal(request, heat, game, deal, apply=False)


@require_POST
@staff_view(DIRECT)
@_game_view
@_deal_taken
def put_deal_in(request: Request, heat: Heat, game: Game, deal: int) -> HttpResponse:
    """Put the deal in, all or nothing."""
    return made_before(request, heat) or _answer_deal(request, heat, game, deal, apply=True)


def _deal_of(request: Request, game: Game, deal: int) -> ForgottenDeal:
    found = forgotten_deal(game, deal, request.POST.getlist("entry")[:MOST])
    if found is None or found.refused or not found.is_whole:
        # The sheet has changed meanwhile; the current one says more than "not found".
        raise ScoringError("entry_gone")
    return found


def _answer_deal(
    request: Request, heat: Heat, game: Game, deal: int, *, apply: bool
) -> HttpResponse:
    found = _deal_of(request, game, deal)
    form = ForgottenDealForm(request.POST)
    with form_errors(form=form, now=lambda: {"version": game.sheet.version}) as data:
        first, *also = found.entries
        wanted = Correction(
            sheet=game.sheet,
            kind=RowKind.INSERT,
            sequence=found.sequence,
            entry=first,
            also=tuple(also),
            reason=data["reason"],
            seen_version=data["version"],
            client_id=data["client_id"],
        )
        fields = ("reason", "version", "client_id")
        sent = [*(("entry", value) for value in found.values), *((f, data[f]) for f in fields)]
        return answer_correction(
            request,
            heat,
            game,
            wanted,
            apply=apply,
            done=_("The deal is put in. Everything that follows from it is done."),
            template="tournaments/corrections/forgotten_preview.html",
            forgotten=found,
            form=form,
            sent=sent,
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
        self.rounds: tuple[tuple[str, str], ...] = ()
        self.form = DecisionForm(self.sent, prefix=prefix)

    def __call__(self, asked: Sequence[str], found: Consequences) -> dict[str, Any]:
        """Return the decisions sent for these questions."""
        if "flip_flop" in found.needs:
            self.group = self.group or found.flip_flop_groups[0]
        if "instead" in found.needs:
            self.possible = self.possible or found.stand_ins
        if "round" in found.needs and found.round is not None:
            self.rounds = self.rounds or tuple(round_choices(found.round))
        self.form = DecisionForm(
            self.sent,
            group=self._named(self.group),
            possible=self._named(self.possible),
            rounds=self.rounds,
            prefix=self.prefix,
        )
        sent = self.form.answers(asked)
        return {key: value for key, value in sent.items() if not self.only or key in self.only}

    def _named(self, players: Sequence[str]) -> list[tuple[str, str]]:
        return [(player_id, self.names.get(player_id, player_id)) for player_id in players]


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
    forgotten = decided.correction.also
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
        "stood": found.stood.sentence() if found.stood else "",
        "other_wins": other_wins_text(found.other_wins, names),
        "lost_tag": _("no longer wins") if heat.nobody_goes_on else _("no longer qualified"),
        "won_tag": _("now wins") if heat.nobody_goes_on else _("now qualified"),
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
        "moved": moved_entries(game, found.plan.deals) if found.plan and not forgotten else [],
        "moved_deals": moved_deals(game, found.plan, decided.correction.sequence)
        if found.plan and forgotten
        else [],
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
    with form_errors(closed_penalty_form=form, now=now):
        decided = decide(wanted=wanted, answers=answers, by=request.user)
    form.decide(answers.form.who_goes_on(decided.asked))
    seen = f"{data['player']}|{data['points']}|{decided.seen}"
    with form_errors(closed_penalty_form=form, now=now):
        if decided.error is not None:
            raise decided.error
        if not decided.complete:
            raise Refused("needs_decision", _("Decide first who advances. Nothing was changed."))
    if not data["sure"] or data["seen"] != seen:
        form.confirm(seen, follows_text(decided.found, card.names))
    with form_errors(closed_penalty_form=form, now=now):
        correct(correction=decided.correction, by=request.user)
    return _("The ranking of %(heat)s has been recomputed.") % {"heat": heat}
