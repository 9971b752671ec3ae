from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from ...core.access import Request
from ...core.answers import SHOWN, form_errors, staff_action
from ...core.permissions import CHANGE_EVENT
from ...models import Event
from ..commands.timetable import set_timetable
from ..forms.timetable import timetable_forms


def _page(request: Request, event: Event, *, status: int = 200, days: Any = None) -> HttpResponse:
    context = {"event": event, "days": days or timetable_forms(event)}
    return render(request, "tournaments/events/timetable.html", context, status=status)


@staff_action(CHANGE_EVENT, back="timetable", page=_page, methods=SHOWN)
def timetable(request: Request, event: Event) -> str:
    """Set the event's days and their times."""
    days = timetable_forms(event, request.POST)
    with form_errors(days=days):
        set_timetable(event=event, days=days.days(), by=request.user)
    return _("The timetable is saved.")
