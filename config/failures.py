"""Answers for requests that the program cannot carry out."""

import errno
import sys
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import (
    BadRequest,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.defaults import server_error as plain_server_error

from scoring.errors import ScoringError
from scoring.web.access import problem_answer, wants_json

#: What a fault means for the reader. None of these faults loses anything that was shown as saved.
SENTENCES = {
    "disk_full": gettext_lazy(
        "The server's disk is full, so nothing can be saved just now. Continue on paper and call "
        "the director; everything saved so far can still be read."
    ),
    "database_busy": gettext_lazy(
        "The server is too busy, and this was not saved. Wait a moment and try again."
    ),
    "database_away": gettext_lazy(
        "The database is not answering, so nothing can be saved just now. Continue on paper and "
        "call the director; nothing that was saved is lost."
    ),
}


class FormMiddleware:
    """Says that a form cannot be read, before anything else asks for its fields.

    Django's own answer is a line in English, or a server error if a view asks for the fields again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, with 413 or 400 if the form cannot be read."""
        if request.path_info.startswith("/api/v1/"):
            # It reads no forms, and tells so itself.
            return self.get_response(request)
        try:
            if int(request.META.get("CONTENT_LENGTH") or 0) >= settings.MAX_REQUEST:
                raise RequestDataTooBig
            _fields = request.POST
        except (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent):
            text = _("This is more than can be sent at once. Go back and send less.")
            return _unread(request, text, "too_much", 413)
        except (BadRequest, MultiPartParserError, SuspiciousOperation):
            text = _("This form cannot be read. Go back, reload the page and try again.")
            return _unread(request, text, "unreadable", 400)
        return self.get_response(request)


def _unread(request: HttpRequest, text: str, code: str, status: int) -> HttpResponse:
    if wants_json(request):
        return problem_answer(request, ScoringError("malformed"))
    if "HX-Request" in request.headers:
        context = {"text": text, "level": "error", "code": code}
        return render(None, "tournaments/core/_notice.html", context, status=422)
    context = {"fault": code, "text": text, "title": _("Nothing was saved")}
    return render(None, "503.html", context, status=status)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say that nothing was changed, with a link to a fresh copy of the page."""
    back = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(
        back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        back = ""
    return render(request, "403_csrf.html", {"back": back}, status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an exception: 503 with a sentence for a fault of the machine, 500 for our own."""
    fault = fault_of(sys.exc_info()[1])
    if not fault:
        return plain_server_error(request)
    text = str(SENTENCES[fault])
    response: HttpResponse
    if "application/json" in request.headers.get("Accept", ""):
        response = JsonResponse({"ok": False, "fault": fault, "text": text}, status=503)
    elif "HX-Request" in request.headers:
        context = {"text": text, "level": "error", "code": fault}
        response = render(None, "tournaments/core/_notice.html", context, status=503)
    else:
        # Ask nothing of the database, not even who is signed in.
        context = {"fault": fault, "text": text, "title": _("Not now")}
        response = render(None, "503.html", context, status=503)
    response.headers["Retry-After"] = "10"
    response.headers["Cache-Control"] = "no-store"
    return response


def fault_of(error: BaseException | None) -> str:
    """Return which fault of the machine caused an exception, or nothing."""
    while error is not None:
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            return "disk_full"
        if isinstance(error, OperationalError | InterfaceError):
            state = getattr(error.__cause__, "sqlstate", None)
            text = str(error).lower()
            if state == "53100" or "is full" in text or "no space left" in text:
                return "disk_full"
            if "is locked" in text or state in {"55P03", "57014"}:
                return "database_busy"
            return "database_away" if state is None or state[:2] in {"08", "53", "57"} else ""
        error = error.__cause__ or error.__context__
    return ""
