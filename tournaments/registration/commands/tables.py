"""The tables' pages that people have open, after a change at the desk."""

from collections.abc import Iterable

from django.db import transaction

from scoring import writing as scoring

from ...models import HeatEntry, Registration


@transaction.atomic
def show_tables_again(*, registrations: Iterable[Registration]) -> None:
    """Make the pages of all tables at which these players sit or sat refresh."""
    tables = HeatEntry.objects.filter(registration__in=registrations).exclude(heat__table=None)
    for table_id in sorted(set(tables.values_list("heat__table", flat=True))):
        scoring.show_again(table_id=table_id)
