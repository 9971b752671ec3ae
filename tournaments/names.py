"""The one way in which a person's name reaches anything that other people see.

Pages, prints, exports and scoring's pages all ask here; nothing public reads the name columns.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _

from .enums import Visibility
from .models import HeatEntry, Person, Registration


def display_name(person: Person, number: int | None = None) -> str:
    """Return what others may read of a person.

    ``number`` is the player's number in the event: all that is shown of somebody hidden.
    """
    if person.visibility == Visibility.HIDDEN:
        if number is None:
            return _("Hidden player")
        return _("Player %(number)s") % {"number": number}
    return person.display_name or person.legal_name


def registration_name(registration: Registration) -> str:
    """Return the display name of a registration; its person should be read along."""
    return display_name(registration.person, registration.number)


def club_of(person: Person) -> str:
    """Return the club, which only those show whose name is shown."""
    return person.club if person.visibility == Visibility.PUBLIC else ""


def staff_name(person: Person) -> str:
    """Return both names, for the event's own staff only."""
    if person.display_name and person.display_name != person.legal_name:
        return f"{person.legal_name} ({person.display_name})"
    return person.legal_name


def distinct_names(registrations: Iterable[Registration]) -> dict[str, str]:
    """Return display names by reference; those that several share get the player's number."""
    rows = list(registrations)
    names = {row.ref: registration_name(row) for row in rows}
    count = Counter(names.values())
    return {
        row.ref: names[row.ref]
        if count[names[row.ref]] == 1
        else f"{names[row.ref]} ({row.number})"
        for row in rows
    }


def names_for_tables(table_ids: Iterable[int]) -> Mapping[int, Mapping[str, str]]:
    """Return ``{table id: {reference: display name}}``: scoring's ``SCORING_NAME_RESOLVER``."""
    entries = HeatEntry.objects.filter(heat__table__in=list(table_ids)).select_related(
        "heat", "registration__person"
    )
    tables: dict[int, list[Registration]] = {}
    for entry in entries:
        if entry.heat is not None and entry.heat.table_id is not None:
            tables.setdefault(entry.heat.table_id, []).append(entry.registration)
    return {table: distinct_names(rows) for table, rows in tables.items()}
