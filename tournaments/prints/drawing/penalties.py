"""Penalties and corrections of the whole event, for the director's binder."""

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.enums import RowKind
from scoring.reading.games import table_games
from scoring.reading.words import correction_text

from ...core.names import staff_name
from ...floor.queries.penalties import set_points_taken
from ...models import Event, Penalty
from ._lists import AFTER, Column, Order, Section, heat_label, report
from .protocols import with_tables

LABEL = gettext_lazy("Penalties and corrections")
WHEN = AFTER


def can_print(event: Event) -> bool:
    """Return whether a heat has been drawn."""
    return event.heats.exists()


def _when(moment: datetime | None) -> str:
    return date_format(timezone.localtime(moment), "j/n H:i") if moment else ""


def _penalty_rows(event: Event) -> list[tuple[str, ...]]:
    rows = list(
        Penalty.objects.filter(event=event)
        .select_related("registration__person", "game__heat", "given_by")
        .order_by("pk")
    )
    set_points_taken(rows)
    return [
        (
            _when(row.given_at),
            str(row.registration.number),
            staff_name(row.registration.person),
            row.text,
            str(row.get_offence_display()),
            " · ".join(
                part for part in (row.reason, _("taken back") if row.taken_back_at else "") if part
            ),
        )
        for row in rows
    ]


def _correction_rows(order: Order) -> list[tuple[str, ...]]:
    """Return the corrections from the desk; a table's own are on its sheets."""
    return [
        (
            _when(row.at),
            heat_label(heat),
            str(row.game),
            str(RowKind(row.kind).label),
            correction_text(row),
            row.reason,
        )
        for heat in order.each(list(with_tables(order.event.heats.all())))
        if heat.table is not None
        for game in table_games(heat.table).games
        for row in game.corrections
        if not row.at_table
    ]


def pdf(order: Order) -> bytes:
    """Return both as tables."""
    sections = [
        Section(
            _("Penalties"),
            [
                Column(_("When"), 1.6),
                Column("№", 0.8, right=True),
                Column(_("Player"), 3.8, bold=True),
                Column(_("Penalty"), 4.6),
                Column(_("Offence"), 2.8),
                Column(_("Note"), 2.6),
            ],
            _penalty_rows(order.event),
            _("None."),
        ),
        Section(
            _("Corrections"),
            [
                Column(_("When"), 1.6),
                Column(_("Heat"), 1.6),
                Column(_("Game"), 0.9, right=True),
                Column(_("What"), 2),
                Column(_("Line"), 6.4, bold=True),
                Column(_("Why"), 4),
            ],
            _correction_rows(order),
            _("None."),
        ),
    ]
    return report(order, LABEL, sections)
