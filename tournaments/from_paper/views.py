"""From paper: enter the whole sheet as totals with a preview, or deal by deal; then compare."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.forms import Form
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from scoring.enums import RowKind, SheetStatus
from scoring.errors import ImpossibleTotals, ScoringError
from scoring.reading.games import Game
from scoring.reading.rows import has_entries
from scoring.reading.rules import rules_of
from scoring.web.access import device_of, remember_device

from ..core.access import Request, heat_of, staff_view
from ..core.answers import (
    REFUSALS,
    action,
    number_in,
    put_errors,
    refusal_code,
    reply,
    sentence,
    uuid_in,
)
from ..core.errors import Conflict
from ..core.once import FIELD
from ..core.permissions import DIRECT, RUN_FLOOR
from ..corrections.commands.correct import Correction, correct, decide
from ..corrections.queries import game_of
from ..corrections.views import Answers, changes_context, made_before
from ..floor.views.heat import path_of_heat
from ..heats.queries.cards import heat_cards
from ..models import Event, Heat, Registration
from ..models.enums import HeatStatus
from ..registration.views.player_page import by_link, path_of_player
from .commands import begin_deals, compare_as_player, compare_on_device
from .forms import CompareForm, TakeBackForm, TotalsForm
from .queries import players_with_pin


def _game(request: Request, event: Event, number: int, game: int) -> tuple[Heat, Game]:
    """Return the heat and the game; only the director may change a closed heat."""
    heat = heat_of(event, number)
    names = heat_cards([heat], staff=True)[0].names
    found = game_of(heat, game, names)
    if found is None or heat.status == HeatStatus.VOID or found.status == SheetStatus.VOID:
        raise Http404
    if heat.status == HeatStatus.FINISHED and not request.user.has_perm(DIRECT, event):
        raise PermissionDenied
    return heat, found


def _form(game: Game, data: Any = None) -> TotalsForm:
    sheet = game.sheet
    return TotalsForm(data, game=game, rules=rules_of(sheet.table), replaces=has_entries(sheet))


def _compare_form(heat: Heat, game: Game, data: Any = None) -> CompareForm:
    return CompareForm(data, game=game, with_pin=players_with_pin(heat))


def _page(
    request: Request,
    heat: Heat,
    game: Game,
    *,
    form: TotalsForm | None = None,
    compare_form: CompareForm | None = None,
    back_form: TakeBackForm | None = None,
    status: int = 200,
) -> HttpResponse:
    return render(
        request,
        "tournaments/from_paper/paper_sheet.html",
        {
            "event": heat.event,
            "heat": heat,
            "game": game,
            "form": form or _form(game),
            "compare_form": compare_form or _compare_form(heat, game),
            "back_form": back_form or TakeBackForm(game=game),
            "comparing": game.from_paper is not None and game.finished,
            "deals": heat.status == HeatStatus.OPEN and not game.finished,
            "typing": form is not None,
        },
        status=status,
    )


@require_safe
@never_cache
@staff_view(RUN_FLOOR)
def sheet(request: Request, event: Event, number: int, game: int) -> HttpResponse:
    """Show the page for entering a paper sheet."""
    return _page(request, *_game(request, event, number, game))


@require_POST
@staff_view(RUN_FLOOR)
def preview(request: Request, event: Event, number: int, game: int) -> HttpResponse:
    """Preview the totals."""
    return _answer(request, *_game(request, event, number, game), apply=False)


@require_POST
@staff_view(RUN_FLOOR)
def enter(request: Request, event: Event, number: int, game: int) -> HttpResponse:
    heat, found = _game(request, event, number, game)
    return made_before(request, heat) or _answer(request, heat, found, apply=True)


def _answer(request: Request, heat: Heat, game: Game, *, apply: bool) -> HttpResponse:
    form = _form(game, request.POST)
    if not form.is_valid():
        return _page(request, heat, game, form=form, status=422)
    wanted = _wanted(game, form, RowKind.FROM_PAPER, entry=form.totals())
    try:
        return _decided(request, heat, game, wanted, apply=apply, form=form)
    except REFUSALS as error:
        again = made_before(request, heat) if apply else None
        return again or _refused(request, heat, game, form, error)


@require_POST
@staff_view(RUN_FLOOR)
def back_preview(request: Request, event: Event, number: int, game: int) -> HttpResponse:
    """Preview taking totals back."""
    return _back(request, *_game(request, event, number, game), apply=False)


@require_POST
@staff_view(RUN_FLOOR)
def take_back(request: Request, event: Event, number: int, game: int) -> HttpResponse:
    """Take totals back; what was on the sheet before them counts again."""
    heat, found = _game(request, event, number, game)
    return made_before(request, heat) or _back(request, heat, found, apply=True)


def _back(request: Request, heat: Heat, game: Game, *, apply: bool) -> HttpResponse:
    form = TakeBackForm(request.POST, game=game)
    if game.from_paper is None or not game.from_paper.totals:
        text = _("There are no totals on this sheet.")
        return reply(request, text, _path(heat, game), code="no_totals")
    if not form.is_valid():
        return _page(request, heat, game, back_form=form, status=422)
    wanted = _wanted(game, form, RowKind.VOID, sequence=game.from_paper.sequence)
    try:
        return _decided(request, heat, game, wanted, apply=apply, form=form)
    except REFUSALS as error:
        if apply and (again := made_before(request, heat)):
            return again
        put_errors(form, error)
        return _page(request, heat, game, back_form=form, status=409)


def _wanted(game: Game, form: Form, kind: RowKind, **more: Any) -> Correction:
    data = form.cleaned_data
    return Correction(
        sheet=game.sheet,
        kind=kind,
        reason=data.get("reason", ""),
        seen_version=data["version"],
        client_id=data["client_id"],
        **{"sequence": 0, "entry": None, **more},
    )


def _decided(
    request: Request, heat: Heat, game: Game, wanted: Correction, *, apply: bool, form: Form
) -> HttpResponse:
    """Make the correction, or show its consequences and open decisions; may raise refusals."""
    back = wanted.kind == RowKind.VOID
    answers = Answers(request, heat_cards([heat], staff=True)[0].names)
    decided = decide(wanted=wanted, answers=answers, by=request.user)
    if apply and decided.complete and request.POST.get("seen", "|") == decided.seen:
        correct(correction=decided.correction, by=request.user)
        text = _("The totals are taken back.") if back else _("The sheet is entered.")
        return reply(request, text, path_of_heat(heat))
    status = 422 if apply and not decided.complete else 200
    context = changes_context(request, heat, game, answers.form, decided, status)
    context |= {
        "form": form,
        "kind": str(wanted.kind),
        "sent": _sent(request),
        "does": "tournaments:paper_take_back" if back else "tournaments:paper_enter",
        "preview_view": "tournaments:paper_back_preview" if back else "tournaments:paper_preview",
        "is_back": back,
    }
    return render(request, "tournaments/from_paper/paper_preview.html", context, status=status)


def _sent(request: Request) -> list[tuple[str, str]]:
    """Return the form's fields, so that the preview can send them again."""
    fields = request.POST
    return [
        (key, value)
        for key in fields
        if key not in {"csrfmiddlewaretoken", "decided", "seen"} and not key.startswith("d-")
        for value in fields.getlist(key)
    ]


def _refused(
    request: Request, heat: Heat, game: Game, form: TotalsForm, error: Exception
) -> HttpResponse:
    """Show the form again with its input, and with impossible totals marked at their seats."""
    if isinstance(error, Conflict):
        typed = request.POST.copy()
        typed["version"] = str(game.sheet.version)
        form = _form(game, typed)
        form.is_valid()
    cause = error.__cause__
    if isinstance(cause, ImpossibleTotals):
        form.put_problems(cause.problems)
    else:
        put_errors(form, error)
    return _page(request, heat, game, form=form, status=409)


@require_POST
@staff_view(RUN_FLOOR)
def deals(request: Request, event: Event, number: int, game: int) -> HttpResponse:
    """Go to the scoring page to enter the sheet deal by deal."""
    heat, found = _game(request, event, number, game)
    form = _compare_form(heat, found, request.POST)
    device = device_of(request)
    if not form.is_valid():
        return _page(request, heat, found, compare_form=form, status=422)
    try:
        path = begin_deals(
            heat=heat,
            sheet=found.sheet,
            by=request.user,
            client_id=form.cleaned_data["client_id"],
            seen_version=form.cleaned_data["version"],
            device=device,
        )
    except REFUSALS as error:
        return reply(request, sentence(error), _path(heat, found), code=refusal_code(error))
    response = HttpResponseRedirect(path, status=303)
    remember_device(request, response, device)
    return response


@require_POST
@staff_view(RUN_FLOOR)
def compared(request: Request, event: Event, number: int, game: int) -> HttpResponse:
    """Note that a second person has compared the sheet with the paper."""
    heat, found = _game(request, event, number, game)
    form = _compare_form(heat, found, request.POST)
    try:
        if form.is_valid():
            compare_on_device(
                heat=heat,
                sheet=found.sheet,
                by=request.user,
                client_id=form.cleaned_data["client_id"],
                seen_version=form.cleaned_data["version"],
                player=form.who,
                pin=form.cleaned_data.get("pin", ""),
            )
            return reply(request, _("The sheet is compared with the paper."), path_of_heat(heat))
    except REFUSALS as error:
        put_errors(form, error)
        return _page(request, heat, found, compare_form=form, status=409)
    return _page(request, heat, found, compare_form=form, status=422)


@require_POST
@by_link
@action(back=path_of_player)
def player_page_compared(request: Request, registration: Registration) -> str:
    """Note on a player's own page that the player has compared a game with the paper."""
    client_id = uuid_in(request, FIELD)
    if client_id is None:
        raise ScoringError("malformed")
    compare_as_player(
        player=registration,
        game=number_in(request, "game"),
        client_id=client_id,
        seen_version=number_in(request, "version"),
    )
    return _("You have compared it with the paper. Thank you.")


def _path(heat: Heat, game: Game) -> str:
    return reverse("tournaments:paper_sheet", args=[heat.event.slug, heat.number, game.number])
