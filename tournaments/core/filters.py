from typing import Any

import django_filters
from django.utils.translation import gettext_lazy as _

from ..models import LogEntry
from ..models.enums import LogAction


class LogFilter(django_filters.FilterSet):
    """Filter the log by action, account, heat and day."""

    action = django_filters.ChoiceFilter(
        label=_("What"), choices=LogAction.choices, empty_label=_("Everything")
    )
    who = django_filters.CharFilter(
        label=_("Who"), field_name="actor", lookup_expr="icontains", max_length=100
    )
    of = django_filters.CharFilter(
        label=_("About whom or what"),
        field_name="object_label",
        lookup_expr="icontains",
        max_length=100,
    )
    heat = django_filters.NumberFilter(
        label=_("Heat"), field_name="heat_number", min_value=0, max_value=10**6
    )
    day = django_filters.DateFilter(label=_("Day"), field_name="at", lookup_expr="date")

    class Meta:
        model = LogEntry
        fields: list[str] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.form.fields["day"].widget.input_type = "date"
