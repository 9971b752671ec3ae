"""The log page of an event."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django_tables2 import RequestConfig

from ..models import Event, LogEntry
from .access import Request, staff_view
from .filters import LogFilter
from .permissions import VIEW_LOG
from .tables import LogTable

PER_PAGE = 50


@require_safe
@staff_view(VIEW_LOG)
def event_log(request: Request, event: Event) -> HttpResponse:
    rows = LogEntry.objects.filter(event=event)
    filtered = LogFilter(request.GET, queryset=rows, event=event)
    table = LogTable(filtered.qs, event=event)
    RequestConfig(request, paginate={"per_page": PER_PAGE, "silent": True}).configure(table)
    return render(
        request, "tournaments/core/log.html", {"event": event, "table": table, "filter": filtered}
    )
