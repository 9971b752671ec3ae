"""The shot clock: the table gives a free first step, the floor whatever costs points."""

import uuid

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from scoring.enums import SheetStatus
from scoring.models import Sheet
from scoring.reading.names import names_of
from scoring.reasons import coded

from ...core.errors import Refused
from ...core.locks import lock_open_heat
from ...core.log import By
from ...core.permissions import JUDGE, needs
from ...heats.commands import clear_call
from ...models import Heat, Penalty, Registration
from ...models.enums import Offence, PenaltyLevel
from ...models.ladder import Step
from ..queries.open_tables import called_slow
from ..queries.penalties import next_step
from .penalties import give_penalty

#: Steps that cost nothing; the table itself may give them.
FREE = (PenaltyLevel.WARNING,)


def _next_of(heat: Heat, registration: Registration) -> Step:
    given = registration.penalties.in_force().order_by("pk")
    return next_step(heat.event, list(given), Offence.SLOW)


@transaction.atomic
def too_slow(*, heat: Heat, player_id: str, client_id: uuid.UUID) -> str:
    """Report, from the table, that a player's time ran out.

    Gives the next step if it costs nothing and returns an empty string; otherwise returns the
    reason for calling the director. A second tap on the same page, with its ``client_id``, does
    nothing.
    """
    heat = lock_open_heat(heat)
    assert heat.table is not None
    registration = heat.event.registrations.get(number=int(player_id))
    if registration.penalties.filter(client_id=client_id).exists():
        return ""
    step = _next_of(heat, registration)
    if step.level in FREE:
        give_penalty(
            heat=heat,
            registration=registration,
            level=step.level,
            offence=Offence.SLOW,
            by=None,
            client_id=client_id,
            seen_version=0,
        )
        return ""
    return coded("call_slow", player=player_id, name=names_of(heat.table)[player_id])


@transaction.atomic
@needs(JUDGE)
def give_slow_penalty(*, heat: Heat, by: By, game_seen: int | None = None) -> Penalty:
    """Give the step that the table called for, and answer the call, unless it says more.

    Refused with ``no_call`` if somebody has done so, with ``ask_first`` if it would disqualify the
    player, and with ``other_game`` as in :func:`give_penalty`.
    """
    heat = lock_open_heat(heat)
    called = called_slow(heat)
    if called is None:
        raise Refused("no_call", _("The table no longer calls for this."))
    player_id, reason = called
    registration = heat.event.registrations.select_related("person").get(number=int(player_id))
    step = _next_of(heat, registration)
    if step.level == PenaltyLevel.DISQUALIFIED:
        raise Refused(
            "ask_first",
            _("The next step puts %(name)s out of the event. Give it on the heat's page."),
            name=registration.person,
        )
    sheet = Sheet.objects.filter(table=heat.table_id, status=SheetStatus.RUNNING).first()
    penalty = give_penalty(
        heat=heat,
        registration=registration,
        level=step.level,
        offence=Offence.SLOW,
        by=by,
        client_id=uuid.uuid4(),
        seen_version=sheet.version if sheet else 0,
        game_seen=game_seen,
        points=step.points,
    )
    clear_call(heat=heat, by=by, reason=reason)
    return penalty
