"""Choosing rules while a form is filled in, and the list of what is missing."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from engine.messages.open_questions import open_questions
from scoring.reading.words import lang

from ...core.access import Request, staff_view
from ...core.permissions import CHANGE_EVENT, MANAGE_ROLES, VIEW_DESK
from ...models import Event
from ..forms.rules import read_rules, spec_of
from ..queries import checklist, in_short

#: Who may open the pages that the list leads to; others read it without those links.
_NEEDED = {
    "": VIEW_DESK,
    "desk": VIEW_DESK,
    "event_settings": CHANGE_EVENT,
    "staff_invite": MANAGE_ROLES,
}


@require_safe
def rules_check(request: HttpRequest) -> HttpResponse:
    """Return what a choice of rules means, or why it is none."""
    spec = spec_of(request.GET).replace("\0", "")
    return render(request, "tournaments/events/_rules_reading.html", {"reading": read_rules(spec)})


@require_safe
def rules_open(request: HttpRequest) -> HttpResponse:
    """Show everybody what the sources of the rules leave open, and what holds here."""
    context = {"questions": open_questions(lang())}
    return render(request, "tournaments/events/rules_open.html", context)


@require_safe
@staff_view(VIEW_DESK)
def event_checklist(request: Request, event: Event) -> HttpResponse:
    """Show what is missing before the doors open."""
    checks = [
        check if request.user.has_perm(_NEEDED[check.page], event) else replace(check, url="")
        for check in checklist(event, request.build_absolute_uri("/").rstrip("/"))
    ]
    return render(
        request,
        "tournaments/events/checklist.html",
        {"event": event, "checks": checks, "in_short": in_short(checks)},
    )
