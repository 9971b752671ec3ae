"""The choice of rules inside a form, and the checklist before the doors open."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from engine.messages.open_questions import open_questions
from scoring.words import lang

from ...core.access import Request, staff_view
from ...core.permissions import CHANGE_EVENT, MANAGE_ROLES, VIEW_DESK
from ...models import Event
from ..forms.rules import read_rules, spec_of
from ..queries.checklist import checklist, in_short

#: The right that each page linked from the list needs; others see the line without its link.
_NEEDED = {
    "": VIEW_DESK,
    "desk": VIEW_DESK,
    "series": VIEW_DESK,
    "event_settings": CHANGE_EVENT,
    "staff_invite": MANAGE_ROLES,
    "timetable": CHANGE_EVENT,
}


@require_safe
def rules_check(request: HttpRequest) -> HttpResponse:
    """Return what a choice of rules means, or why it is invalid."""
    spec = spec_of(request.GET).replace("\0", "")
    return render(request, "tournaments/events/_rules_reading.html", {"reading": read_rules(spec)})


@require_safe
def rules_open(request: HttpRequest) -> HttpResponse:
    """Show what the sources of the rules leave open, and what this program does there."""
    context = {"questions": open_questions(lang())}
    return render(request, "tournaments/events/rules_open.html", context)


@require_safe
@staff_view(VIEW_DESK)
def event_checklist(request: Request, event: Event) -> HttpResponse:
    checks = [
        check if request.user.has_perm(_NEEDED[check.page], event) else replace(check, url="")
        for check in checklist(event, request.build_absolute_uri("/").rstrip("/"))
    ]
    return render(
        request,
        "tournaments/events/checklist.html",
        {"event": event, "checks": checks, "in_short": in_short(checks)},
    )
