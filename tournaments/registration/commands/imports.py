"""Import a list of players: a preview shows what happens to each row, and exactly that is done."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from ...cash.commands import pay_entries
from ...cash.queries.ledger import owed_by
from ...core.errors import Conflict, Refused
from ...core.locks import lock_event
from ...core.log import By, record
from ...core.permissions import EDIT_PERSON, needs
from ...draws.commands.seating_constraints import set_fixed_table
from ...models import Event, Registration
from ...models.enums import LogAction, PaymentMethod, RegistrationStatus
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
from ..queries.offers import NUMBER, PAID, PAID_SOMEHOW, SEED, TABLE
from .people import OF_PERSON, change_person, keep_of_player, register_person


@transaction.atomic
@needs(EDIT_PERSON)
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
            if NUMBER in answers.taken:
                fields["number"] = plan.row.number
            if SEED in answers.taken and plan.row.seed:
                fields["note"] = _with_seed(fields["note"], plan.row.seed)
            registration = register_person(event=event, by=by, person=person, **fields)
            made.append(registration)
            _take_offers(registration, plan, answers, by)
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


def _with_seed(note: str, seed: int) -> str:
    return "\n".join(filter(None, (note, _("Seed %(text)s.") % {"text": seed})))


def _take_offers(registration: Registration, plan: RowPlan, answers: Answers, by: By) -> None:
    """Book what is paid, and set the fixed table, as far as the user takes them from the list."""
    if TABLE in answers.taken and plan.row.table:
        set_fixed_table(registration=registration, table=plan.row.table, by=by)
    waits = registration.status == RegistrationStatus.WAIT_LISTED
    if PAID in answers.taken and plan.row.paid and not waits and registration.event.price:
        means = answers.means if plan.row.paid == PAID_SOMEHOW else plan.row.paid
        if means not in PaymentMethod.values:
            raise Refused(
                "no_means", _("Say how those have paid of whom the list does not say it.")
            )
        owes = owed_by(registration.event, [registration.pk]).get(registration.pk, 0)
        ahead = 0 if owes > 0 else 1
        pay_entries(registration=registration, by=by, method=PaymentMethod(means), ahead=ahead)


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
