"""A correction answered: what it changes is shown, its questions are asked, then it is made."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from scoring.reading.correction import moved_deals, moved_entries
from scoring.reading.games import Game
from scoring.reading.tables import has_row
from scoring.reading.words import entry_text

from ...core.access import Request, View, heat_of, staff_view
from ...core.answers import REFUSALS, action, reply, sentence
from ...core.permissions import DIRECT
from ...floor.views.heat import path_of_heat
from ...heats.queries.cards import heat_cards
from ...models import Event, Heat
from ...models.money import show_amount
from ..commands.correct import Decided, correct, decide
from ..commands.wanted import Correction
from ..forms import DecisionForm
from ..queries.consequences import (
    Consequences,
    OtherWin,
    game_changes,
    game_of,
    lost_by,
    other_wins,
    other_wins_text,
    ranking_changes,
    round_choices,
    takes_in,
)


def names_in(heat: Heat) -> dict[str, str]:
    return heat_cards([heat], staff=True)[0].names


def game_view(view: View) -> View:
    """Wrap a view of one game; it receives the heat, the game, and the entry's number if any."""

    @wraps(view)
    def wrapper(
        request: Request, event: Event, number: int, game: int, **entry: int
    ) -> HttpResponseBase:
        heat = heat_of(event, number)
        found = game_of(heat, game, names_in(heat))
        if found is None:
            raise Http404
        return view(request, heat, found, *entry.values())

    return wrapper


def sheet_page(heat: Heat, game: Game, *_which: int) -> str:
    """Return the path of the director's page of a game's sheet."""
    return reverse("tournaments:correct_sheet", args=[heat.event.slug, heat.number, game.number])


def in_two_steps(answer: Callable[..., HttpResponse], page: View) -> tuple[View, View]:
    """Return the views that show what a correction changes, and that make it.

    ``answer`` gets ``apply``: whether it is to be made. ``page`` shows a refused form again.
    """

    def posted(view: Callable[..., HttpResponse]) -> View:
        taken = action(back=sheet_page, page=page)(view)
        return require_POST(staff_view(DIRECT)(game_view(taken)))

    def preview(request: Request, heat: Heat, game: Game, which: int) -> HttpResponse:
        return answer(request, heat, game, which, apply=False)

    def make(request: Request, heat: Heat, game: Game, which: int) -> HttpResponse:
        return made_before(request, heat) or answer(request, heat, game, which, apply=True)

    return posted(preview), posted(make)


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
    return reply(request, f"{text} {other_wins_text(wins, names_in(heat))}", back)


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
    answers = Answers(request, names_in(heat))
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


def changes_context(
    request: Request,
    heat: Heat,
    game: Game,
    decisions: DecisionForm,
    decided: Decided,
    status: int,
) -> dict[str, Any]:
    """Return the template context of a preview: the consequences, and the open questions."""
    found, names = decided.found, names_in(heat)
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
