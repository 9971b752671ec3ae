"""What an entry costs, shown before and after it is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from engine.sheet.facts import ScoreChanged, StatusChanged
from engine.sheet.state import IN, State

#: Larger losses need confirmation.
MOST_LOST = 10


@dataclass(frozen=True, slots=True)
class Loss:
    """A seat that loses points; ``target`` is set if it reaches that without a Chicago."""

    seat: int
    before: int
    after: int
    target: int | None = None
    out: bool = False


def losses(before: State, after: State) -> list[Loss]:
    """Return the seats set to 0 or losing more than ten points between two states.

    A declarer's lost Chicago is left out: the button has already shown its points.
    """
    facts = after.facts
    chicago = {f.seat for f in facts if isinstance(f, ScoreChanged) and f.cause == "chicago_lost"}
    out = {fact.seat for fact in facts if isinstance(fact, StatusChanged)}
    short = {f.seat for f in facts if isinstance(f, ScoreChanged) and f.cause == "no_chicago"}
    found = []
    for seat, (was, now) in enumerate(zip(before.scores, after.scores, strict=True)):
        zeroed = now == 0 and was > 0
        if seat in short or (seat not in chicago and (zeroed or was - now > MOST_LOST)):
            target = before.rules.target if seat in short else None
            found.append(Loss(seat, was, now, target, seat in out))
    return found


def loss_text(found: Sequence[Loss], names: Sequence[str]) -> str:
    """Return the losses as sentences."""
    return " ".join(_sentence(loss, names[loss.seat]) for loss in found)


def _sentence(loss: Loss, name: str) -> str:
    values = {"name": name, "before": loss.before, "after": loss.after, "target": loss.target}
    if loss.target is not None and loss.out:
        return (
            _("%(name)s reaches %(target)s without a Chicago: 0 points, out of this game.") % values
        )
    if loss.target is not None:
        return _("%(name)s reaches %(target)s without a Chicago: 0 points.") % values
    if loss.out:
        return _("%(name)s falls from %(before)s to %(after)s and is out of this game.") % values
    return _("%(name)s falls from %(before)s to %(after)s.") % values


def warning_text(state: State, names: Sequence[str]) -> str:
    """Return who would reach the target with the next few points but has no Chicago yet."""
    rules = state.rules
    need = rules.need_for(state.seats)
    near = [
        names[seat]
        for seat in range(state.seats)
        if state.status[seat] == IN
        and state.scores[seat] >= rules.target - rules.last_trick
        and need.lacks(state.executed[seat], state.asterisks[seat])
    ]
    values = {"names": ", ".join(near), "target": rules.target}
    return _("%(names)s: no Chicago yet, %(target)s would be 0.") % values if near else ""
