"""Import a list of players: a preview shows what happens to each row, and exactly that is done."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from ...core.errors import Conflict, Refused
from ...core.locks import lock_event
from ...core.log import By, record
from ...models import Event, Person, Registration
from ...models.enums import LogAction
from ...models.search import plain
from ..queries.import_preview import RowPlan, decided, parts_by_name, plan_rows
from .people import register_person


@transaction.atomic
def import_rows(
    *, event: Event, plans: Sequence[RowPlan], by: By, answers: Mapping[int, str] | None = None
) -> list[Registration]:
    """Do exactly what the preview showed, in one transaction; return the registrations.

    ``answers`` as in :func:`decided`; without one a row is done as shown. Raises
    :class:`Conflict` (``changed``) if a plan has changed meanwhile; then nothing is done.
    """
    event = lock_event(event)
    rows = [plan.row for plan in plans]
    todo = decided(event, plans, answers or {})
    if not any(plan.registers for plan in todo):
        raise Refused("nothing_to_do", _("No row of this list can be registered."))
    if plan_rows(event, rows) != list(plans):
        raise Conflict(
            "changed",
            _("The registrations have changed since this preview. Nothing was done; look again."),
        )
    plans = todo
    known = [plan.person for plan in plans if plan.person]
    persons = {str(row.public_id): row for row in Person.objects.filter(public_id__in=known)}
    made, parts = [], parts_by_name(event)
    for plan in plans:
        if not plan.registers:
            continue
        person = persons[plan.person] if plan.person else None
        fields: dict[str, Any] = dict(plan.row.fields())
        fields["part"] = parts.get(plain(fields["part"]))
        made.append(register_person(event=event, by=by, person=person, **fields))
    record(
        LogAction.IMPORTED,
        event,
        by,
        after={"rows": len(rows), "numbers": [row.number for row in made]},
    )
    return made
