"""Where a table's results stand for everybody; scoring itself has no such page."""

from __future__ import annotations

from django.conf import settings
from django.utils.module_loading import import_string


def page_of(table_id: int) -> str:
    """Return the path of the page that shows the table to everybody; empty where there is none.

    ``SCORING_PAGE_RESOLVER`` names the function that knows, given the table's id.
    """
    path = getattr(settings, "SCORING_PAGE_RESOLVER", "")
    return str(import_string(path)(table_id)) if path else ""
