"""From paper: enter the whole sheet as totals with a preview, or deal by deal; then compare."""

from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.forms import Form
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
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

from ..core.access import Request, View, heat_of, staff_view
from ..core.answers import FormRejected, action, form_errors, number_in, reply, uuid_in, valid
from ..core.errors import Refused
from ..core.once import FIELD
from ..core.permissions import DIRECT, RUN_FLOOR
from ..corrections.commands.wanted import Correction
from ..corrections.queries.consequences import game_of
from ..corrections.views.answers import answer_correction, made_before
from ..floor.views.heat import path_of_heat
from ..heats.queries.cards import heat_cards
from ..models import Event, Heat, Registration
from ..models.enums import HeatStatus
from ..registration.views.player_page import by_link, path_of_player
from .commands import begin_deals, compare_as_player, compare_on_device
from .forms import CompareForm, TakeBackForm, TotalsForm
from .queries import entered_meanwhile, players_with_pin


def _game_view(view: View) -> View:
    """Wrap a view of a game's paper sheet; it receives the heat and the game.

    Only the director may change a closed heat.
    """

    @wraps(view)
    def wrapper(request: Request, event: Event, number: int, game: int) -> HttpResponseBase:
        heat = heat_of(event, number)
        names = heat_cards([heat], staff=True)[0].names
        found = game_of(heat, game, names)
        if found is None or heat.status == HeatStatus.VOID or found.status == SheetStatus.VOID:
            raise Http404
        if heat.status == HeatStatus.FINISHED and not request.user.has_perm(DIRECT, event):
            raise PermissionDenied
        return view(request, heat, found)

    return staff_view(RUN_FLOOR)(wrapper)


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
            "kept_since": game.sheet.scored_since
            if game.sheet.lease_device != device_of(request)
            else None,
            "typing": form is not None,
            "meanwhile": entered_meanwhile(game, request.POST) if form is not None else None,
        },
        status=status,
    )


def _path(heat: Heat, game: Game) -> str:
    return reverse("tournaments:paper_sheet", args=[heat.event.slug, heat.number, game.number])


_taken = action(back=_path, page=_page)


@require_safe
@never_cache
@_game_view
def sheet(request: Request, heat: Heat, game: Game) -> HttpResponse:
    """Show the page for entering a paper sheet."""
    return _page(request, heat, game)


@require_POST
@_game_view
@_taken
def preview(request: Request, heat: Heat, game: Game) -> HttpResponse:
    """Preview the totals."""
    return _answer(request, heat, game, apply=False)


@require_POST
@_game_view
@_taken
def enter(request: Request, heat: Heat, game: Game) -> HttpResponse:
    return made_before(request, heat) or _answer(request, heat, game, apply=True)


def _answer(request: Request, heat: Heat, game: Game, *, apply: bool) -> HttpResponse:
    form = _form(game, request.POST)
    with form_errors(form=form, now=lambda: {"version": game.sheet.version}):
        try:
            return answer_correction(
                request,
                heat,
                game,
                _wanted(game, form, RowKind.FROM_PAPER, entry=form.totals()),
                apply=apply,
                done=_("The sheet is entered."),
                template="tournaments/from_paper/paper_preview.html",
                sent=_sent(request),
                does="tournaments:paper_enter",
                preview_view="tournaments:paper_preview",
            )
        except Refused as error:
            if not isinstance(error.__cause__, ImpossibleTotals):
                raise
            form.put_problems(error.__cause__.problems)
            raise FormRejected(409, form=form) from error


@require_POST
@_game_view
@_taken
def back_preview(request: Request, heat: Heat, game: Game) -> HttpResponse:
    """Preview taking totals back."""
    return _back(request, heat, game, apply=False)


@require_POST
@_game_view
@_taken
def take_back(request: Request, heat: Heat, game: Game) -> HttpResponse:
    """Take totals back; what was on the sheet before them counts again."""
    return made_before(request, heat) or _back(request, heat, game, apply=True)


def _back(request: Request, heat: Heat, game: Game, *, apply: bool) -> HttpResponse:
    form = TakeBackForm(request.POST, game=game)
    if game.from_paper is None or not game.from_paper.totals:
        raise Refused("no_totals", _("There are no totals on this sheet."))
    with form_errors(back_form=form):
        return answer_correction(
            request,
            heat,
            game,
            _wanted(game, form, RowKind.VOID, sequence=game.from_paper.sequence),
            apply=apply,
            done=_("The totals are taken back."),
            template="tournaments/from_paper/paper_preview.html",
            sent=_sent(request),
            does="tournaments:paper_take_back",
            preview_view="tournaments:paper_back_preview",
            is_back=True,
        )


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


def _sent(request: Request) -> list[tuple[str, str]]:
    """Return the form's fields, so that the preview can send them again."""
    fields = request.POST
    return [
        (key, value)
        for key in fields
        if key not in {"csrfmiddlewaretoken", "decided", "seen"} and not key.startswith("d-")
        for value in fields.getlist(key)
    ]


@require_POST
@_game_view
@_taken
def deals(request: Request, heat: Heat, game: Game) -> HttpResponse:
    """Go to the scoring page to enter the sheet deal by deal."""
    data = valid(compare_form=_compare_form(heat, game, request.POST))
    device = device_of(request)
    path = begin_deals(
        heat=heat,
        sheet=game.sheet,
        by=request.user,
        client_id=data["client_id"],
        seen_version=data["version"],
        device=device,
    )
    response = HttpResponseRedirect(path, status=303)
    remember_device(request, response, device)
    return response


@require_POST
@_game_view
@action(back=_path, page=_page, idempotent=True)
def compared(request: Request, heat: Heat, game: Game) -> HttpResponse:
    """Note that a second person has compared the sheet with the paper."""
    form = _compare_form(heat, game, request.POST)
    with form_errors(compare_form=form) as data:
        compare_on_device(
            heat=heat,
            sheet=game.sheet,
            by=request.user,
            client_id=data["client_id"],
            seen_version=data["version"],
            player=form.who,
            pin=data.get("pin", ""),
        )
    return reply(request, _("The sheet is compared with the paper."), path_of_heat(heat))


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
