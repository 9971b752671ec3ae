"""Whether a heat whose time is up can be ended now."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from engine.sheet.state import EXCHANGE
from scoring.enums import SheetStatus
from scoring.models import Sheet

from ...core.errors import Refused
from ...models import Heat
from ...models.enums import TimeRule


def why_not_ended(heat: Heat, sheets: Sequence[Sheet]) -> Refused | None:
    """Return why the event's time rule does not let the heat end now, or None.

    ``deal_running`` or ``game_running``: the rule lets that be finished first. ``games_over``:
    nothing is left to end. ``nothing_played``: there would be nothing to rank.
    """
    running = next((each for each in sheets if each.status == SheetStatus.RUNNING), None)
    if running is not None and running.is_written:
        what = {"heat": heat, "game": running.number}
        if heat.event.time_rule == TimeRule.FINISH_GAME:
            return Refused("game_running", _("Finish game %(game)s of %(heat)s first."), **what)
        if (running.state["phase"], running.state["stage"]) != (1, EXCHANGE):
            return Refused(
                "deal_running",
                _("Game %(game)s of %(heat)s is in the middle of a deal. Finish the deal first."),
                **what,
            )
        return None
    statuses = {each.status for each in sheets}
    if not statuses & {SheetStatus.WAITING, SheetStatus.RUNNING}:
        return Refused("games_over", _("All games of %(heat)s are over."), heat=heat)
    if SheetStatus.FINISHED not in statuses:
        return Refused(
            "nothing_played",
            _("Nothing has been played in %(heat)s. Void it, or give it more time."),
            heat=heat,
        )
    return None
