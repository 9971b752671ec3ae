"""Pages of a forgotten deal: its questions, why it is put in, what that changes."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.enums import RowKind
from scoring.errors import ScoringError
from scoring.reading.forgotten import ForgottenDeal, forgotten_deal
from scoring.reading.games import Game
from scoring.reading.words import short_names
from scoring.web.forgotten import MOST

from ...core.access import Request, staff_view
from ...core.answers import form_errors
from ...core.permissions import DIRECT
from ...models import Heat
from ..commands.wanted import Correction
from ..forms import ForgottenDealForm
from .answers import answer_correction, game_view, in_two_steps


@require_safe
@never_cache
@staff_view(DIRECT)
@game_view
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


preview_deal, put_deal_in = in_two_steps(_answer_deal, _refused_deal)
