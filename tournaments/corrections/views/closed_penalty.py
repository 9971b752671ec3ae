"""Game points taken from a player of a closed heat, or given back, with who then advances."""

from django.utils.translation import gettext as _

from scoring.reasons import coded, with_words

from ...core.access import Request, registration_of
from ...core.answers import form_errors, valid
from ...core.errors import Refused
from ...core.permissions import DIRECT
from ...floor.commands.penalties import give_penalty, take_back_penalty
from ...floor.queries.penalties import last_penalty
from ...floor.views.heat import heat_action
from ...floor.views.heat_parts import closed_penalty_form
from ...heats.queries.cards import heat_cards
from ...models import Heat
from ...models.enums import HeatStatus, PenaltyLevel
from ..commands.correct import correct, decide
from ..commands.wanted import Correction
from ..queries.consequences import follows_text
from .answers import Answers


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
