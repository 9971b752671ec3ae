"""Import a list of players: a preview shows what happens to each row, and exactly that is done."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from ...core.errors import Conflict, Refused
from ...core.locks import lock_event
from ...core.log import By, record
from ...models import Event, Registration
from ...models.enums import LogAction
from ...models.search import plain
from ..queries.import_preview import (
    NO_ANSWERS,
    Answers,
    RowPlan,
    decided,
    parts_by_name,
    persons_of,
    plan_rows,
)
from .people import OF_PERSON, change_person, keep_of_player, register_person


@transaction.atomic
def import_rows(
    *, event: Event, plans: Sequence[RowPlan], by: By, answers: Answers = NO_ANSWERS
) -> list[Registration]:
    """Do exactly what the preview showed, in one transaction; return the new registrations.

    ``answers`` as in :func:`decided`; without one a row is done as shown. Raises
    :class:`Conflict` (``changed``) if a plan has changed meanwhile; then nothing is done.
    """
    event = lock_event(event)
    rows = [plan.row for plan in plans]
    todo = decided(event, plans, answers)
    if not any(plan.registers or plan.changes for plan in todo):
        raise Refused("nothing_to_do", _("Nothing in this list is to be registered or changed."))
    if plan_rows(event, rows) != list(plans):
        raise Conflict(
            "changed",
            _("The registrations have changed since this preview. Nothing was done; look again."),
        )
    persons = persons_of(event, todo)
    made, changed, parts = [], [], parts_by_name(event)
    for plan in todo:
        if plan.registers:
            person = persons[plan.person] if plan.person else None
            fields: dict[str, Any] = dict(plan.row.fields())
            fields["part"] = parts.get(plain(fields["part"]))
            made.append(register_person(event=event, by=by, person=person, **fields))
        elif plan.changes and plan.other:
            changed.append(_change(event.registrations.get(number=plan.other), plan, by))
    record(
        LogAction.IMPORTED,
        event,
        by,
        after={
            "rows": len(rows),
            "numbers": [row.number for row in made],
            **({"changed": [row.number for row in changed]} if changed else {}),
        },
    )
    return made


def _change(registration: Registration, plan: RowPlan, by: By) -> Registration:
    """Change what the user has ticked."""
    new = {change.field: change.listed for change in plan.changes}
    if "legal_name" in new:
        del new["legal_name"]
        new |= {"given_name": plan.row.given_name, "family_name": plan.row.family_name}
    of_person = {name: new.pop(name) for name in OF_PERSON if name in new}
    if of_person:
        change_person(person=registration.person, by=by, event=registration.event, **of_person)
    if new:
        keep_of_player(registration=registration, by=by, **new)
    return registration
