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
from ..queries.import_preview import Fate, decided, fates_of
from .people import register_person


@transaction.atomic
def import_rows(
    *, event: Event, fates: Sequence[Fate], by: By, answers: Mapping[int, str] | None = None
) -> list[Registration]:
    """Do exactly what the preview showed, in one transaction; return the registrations.

    ``answers`` as in :func:`decided`; without one a row has the fate shown. Raises
    :class:`Conflict` (``changed``) if a row's fate has changed meanwhile; then nothing is done.
    """
    event = lock_event(event)
    rows = [fate.row for fate in fates]
    todo = decided(event, fates, answers or {})
    if not any(fate.taken for fate in todo):
        raise Refused("nothing_to_do", _("No row of this list can be registered."))
    if fates_of(event, rows) != list(fates):
        raise Conflict(
            "changed",
            _("The registrations have changed since this preview. Nothing was done; look again."),
        )
    fates = todo
    known = [fate.person for fate in fates if fate.person]
    persons = {str(row.public_id): row for row in Person.objects.filter(public_id__in=known)}
    made = []
    for fate in fates:
        if not fate.taken:
            continue
        person = persons[fate.person] if fate.person else None
        fields: dict[str, Any] = dict(fate.row.fields())
        made.append(register_person(event=event, by=by, person=person, **fields))
    record(
        LogAction.IMPORTED,
        event,
        by,
        after={"rows": len(rows), "numbers": [row.number for row in made]},
    )
    return made
