"""Findings for the staff; the public page of signed lines."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ..core.access import Request, staff_view
from ..core.answers import staff_action
from ..core.permissions import DIRECT, RUN_FLOOR
from ..models import Anchor, Event
from . import anchors
from .checks import check
from .queries import last_check, sentences_of

#: Lines on the public page.
MAX_LINES = 400


def _page(request: Request, event: Event) -> HttpResponse:
    context = {"event": event, "check": last_check(event), "line": Anchor.objects.last()}
    return render(request, "tournaments/verify/verification.html", context)


@staff_action(DIRECT, back="verification", page=_page, methods=("GET", "HEAD", "POST"))
def verification(request: Request, event: Event) -> HttpResponse | str:
    """Show the last check's findings, or recompute the whole event now."""
    found = sentences_of(event, [each.as_json() for each in check(event)])
    if not found:
        return _("Everything follows from the lines of the sheets.")
    context = {"event": event, "now": found, "check": last_check(event)}
    context["line"] = Anchor.objects.last()
    return render(request, "tournaments/verify/verification.html", context)


@require_safe
@staff_view(RUN_FLOOR)
def verification_banner(request: Request, event: Event) -> HttpResponse:
    """Return the banner for all staff pages when something does not match."""
    context = {"event": event, "check": last_check(event)}
    return render(request, "tournaments/verify/_banner.html", context)


@require_safe
def heads(request: HttpRequest) -> HttpResponse:
    """Return the signed lines for all sheets, and the public key."""
    lines = Anchor.objects.order_by("-pk").values_list("line", flat=True)[:MAX_LINES]
    text = "\n".join([f"key {anchors.public_key()}", *lines])
    return HttpResponse(f"{text}\n", content_type="text/plain; charset=utf-8")
