"""Pages on which a correction is taken back: why, what that changes, then it is done."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.enums import RowKind
from scoring.errors import ScoringError
from scoring.reading.games import CorrectionRow, Game
from scoring.reading.take_back import Standing, corrections_standing, taking_back

from ...core.access import Request, staff_view
from ...core.answers import form_errors
from ...core.permissions import DIRECT
from ...models import Heat
from ..commands.wanted import Correction
from ..forms import ReasonForm
from .answers import answer_correction, game_view, in_two_steps


def _rows_of(game: Game, standing: Standing) -> list[CorrectionRow]:
    """Return what a correction changed."""
    return [each for each in game.corrections if each.row in standing.rows]


def _page(
    request: Request,
    heat: Heat,
    game: Game,
    row: int,
    *,
    form: ReasonForm | None = None,
    status: int = 200,
) -> HttpResponse:
    standing = corrections_standing(game.sheet).get(row)
    if standing is None:
        raise Http404
    context = {
        "event": heat.event,
        "heat": heat,
        "game": game,
        "row": row,
        "made": _rows_of(game, standing),
        "form": form or ReasonForm(initial={"version": game.sheet.version}),
    }
    return render(request, "tournaments/corrections/take_back.html", context, status=status)


@require_safe
@never_cache
@staff_view(DIRECT)
@game_view
def take_back_page(request: Request, heat: Heat, game: Game, row: int) -> HttpResponse:
    """Show what a correction changed, and ask why it is taken back."""
    return _page(request, heat, game, row)


def _answer(request: Request, heat: Heat, game: Game, row: int, *, apply: bool) -> HttpResponse:
    standing = corrections_standing(game.sheet).get(row)
    if standing is None:
        raise ScoringError("already_void")
    form = ReasonForm(request.POST)
    with form_errors(form=form, now=lambda: {"version": game.sheet.version}) as data:
        wanted = Correction(
            sheet=game.sheet,
            kind=RowKind.VOID,
            sequence=row,
            entry=None,
            back=True,
            reason=data["reason"],
            seen_version=data["version"],
            client_id=taking_back(standing.client_id),
        )
        sent = {**data, "client_id": wanted.client_id}
        return answer_correction(
            request,
            heat,
            game,
            wanted,
            apply=apply,
            done=_("The correction is taken back. Everything that follows from it is done."),
            template="tournaments/corrections/take_back_preview.html",
            row=row,
            made=_rows_of(game, standing),
            form=form,
            sent=list(sent.items()),
        )


preview_take_back, take_back = in_two_steps(_answer, _page)
