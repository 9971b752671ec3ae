"""What scoring asks of tournaments (see ``scoring.host``)."""

from collections.abc import Callable, Iterable, Mapping

from django.urls import reverse

from scoring.host import Clock, Host

from .core.clock import clock_of
from .core.locks import lock_heat
from .core.names import names_for_tables, text_for_table
from .models import Heat


class TournamentHost(Host):
    """Answers for the tables of heats; all others stand for themselves."""

    def names(self, table_ids: Iterable[int]) -> Mapping[int, Mapping[str, str]]:
        """Return the players' display names by table and reference."""
        return names_for_tables(table_ids)

    def text(self, table_id: int) -> Callable[[str], str]:
        """Return what takes the names of hidden players out of a text."""
        return text_for_table(table_id)

    def page(self, table_id: int) -> str:
        """Return the path of the heat's public page."""
        heat = Heat.objects.filter(table=table_id).select_related("event").first()
        return reverse("tournaments:heat", args=[heat.event.slug, heat.number]) if heat else ""

    def clock(self, table_id: int) -> Clock | None:
        """Return the clock of an open heat."""
        heat = Heat.objects.filter(table=table_id).select_related("event").first()
        return clock_of(heat, heat.event) if heat else None

    def lock(self, table_id: int) -> None:
        """Lock event and heat: a sign-off closes the heat, and its winner is through."""
        heat = Heat.objects.filter(table=table_id).select_related("event").first()
        if heat is not None:
            lock_heat(heat)
