"""Listening to scoring's sheets."""

import logging
from typing import Any

from django.dispatch import receiver

from scoring.signals import sheet_changed, table_changed

from .heats.commands import close_signed
from .results.commands import refresh_sheet, refresh_table

logger = logging.getLogger(__name__)


@receiver(sheet_changed, dispatch_uid="tournaments.sheet_changed")
def on_sheet_changed(sender: Any, sheet_id: int, results: bool, **kwargs: Any) -> None:
    """Bring the results up to date; what fails here is made up for by ``catch_up``."""
    if not results:
        return
    try:
        refresh_sheet(sheet_id=sheet_id)
    except Exception:
        # The entry is written; whoever wrote it must not be told otherwise.
        logger.exception("results of sheet %s are behind", sheet_id)


@receiver(table_changed, dispatch_uid="tournaments.table_changed")
def on_table_changed(sender: Any, table_id: int, **kwargs: Any) -> None:
    """A Flip Flop at the table may have changed the ranking; a sign-off closes the heat."""
    try:
        refresh_table(table_id=table_id)
        close_signed(table_id=table_id)
    except Exception:
        logger.exception("results of table %s are behind", table_id)
