"""What the tables of an event share, and the log as one."""

from typing import Any

import django_tables2 as tables
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from ..models import Event, LogEntry
from .queries import things_of


class EventTable(tables.Table):
    """A table of one event; its rows link to the event's pages."""

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        self.event = event
        super().__init__(*args, **kwargs)

    def heat_link(self, number: int) -> SafeString:
        """Return a link to a heat's page."""
        return format_html(
            '<a class="cell-link" href="{}">{}</a>',
            reverse("tournaments:heat", args=[self.event.slug, number]),
            number,
        )


class LogTable(tables.Table):
    """Who did what, newest first."""

    at = tables.DateTimeColumn(verbose_name=gettext_lazy("When"), format="Y-m-d H:i:s")
    actor = tables.Column(gettext_lazy("Who"))
    action = tables.Column(gettext_lazy("What"))
    object_label = tables.Column(gettext_lazy("Of"), empty_values=())
    details = tables.Column(gettext_lazy("Details"), empty_values=(), orderable=False)

    class Meta:
        model = LogEntry
        fields = ["at", "actor", "action", "object_label"]
        caption = gettext_lazy("Log")
        attrs = {"class": "table sheet-table log-table"}
        empty_text = gettext_lazy("Nothing in the log fits.")

    def before_render(self, request: Any) -> None:
        """Read what the rows of this page are about, all at once."""
        rows = self.paginated_rows if hasattr(self, "page") else self.rows
        self._things = things_of(row.record for row in rows)

    def render_actor(self, value: str) -> str:
        """Return the account's name then."""
        return value

    def render_object_label(self, record: LogEntry) -> str:
        """Return what it was done to, in the reader's language."""
        return self._things[record.pk]

    def render_details(self, record: LogEntry) -> str:
        """Return the reason, and what was before and after, to unfold."""
        return render_to_string("tournaments/core/_log_details.html", {"row": record})
