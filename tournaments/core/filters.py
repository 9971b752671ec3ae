from typing import Any

import django_filters
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from ..models import Event, LogEntry
from ..models.enums import LogAction
from .queries import about


class LogFilter(django_filters.FilterSet):
    """Filter the log by action, account, heat and day."""

    action = django_filters.ChoiceFilter(
        label=_("What"), choices=LogAction.choices, empty_label=_("Everything")
    )
    who = django_filters.CharFilter(
        label=_("Who"), field_name="actor", lookup_expr="icontains", max_length=100
    )
    of = django_filters.CharFilter(label=_("About whom or what"), method="about", max_length=100)
    heat = django_filters.NumberFilter(
        label=_("Heat"), field_name="heat_number", min_value=0, max_value=10**6
    )
    day = django_filters.DateFilter(label=_("Day"), field_name="at", lookup_expr="date")

    class Meta:
        model = LogEntry
        fields: list[str] = []

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        self._event = event
        super().__init__(*args, **kwargs)
        self.form.fields["day"].widget.input_type = "date"

    def about(self, rows: QuerySet[LogEntry], name: str, typed: str) -> QuerySet[LogEntry]:
        """Return the rows about what or whom was typed."""
        return rows.filter(about(self._event, typed))
