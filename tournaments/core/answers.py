"""How an action answers: a sentence, and the page it came from or a fragment of it."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme

from engine.errors import ChicagoError
from engine.messages import say
from scoring.errors import ScoringError
from scoring.reading.words import lang

from .access import Request
from .errors import Refused

#: What a domain function may raise to say no.
NO = (Refused, ScoringError, ChicagoError, ValidationError)


def sentence(error: Exception) -> str:
    """Return the refusal in the reader's language."""
    if isinstance(error, ScoringError):
        return error.message()
    if isinstance(error, ChicagoError):
        return say(error, lang())
    if isinstance(error, ValidationError):
        return " ".join(error.messages)
    return str(error)


def said(request: Request, text: Any, back: str, *, error: bool = False) -> HttpResponse:
    """Answer an action: to HTMX with a notice, otherwise by going back with a message.

    The notice's answer carries the event ``desk-changed``, on which the page's live parts fetch
    themselves again. A refusal is 409 for HTMX; the desk's script shows it all the same.
    """
    if request.htmx:
        response = render(
            request,
            "tournaments/core/_notice.html",
            {"text": text, "level": "error" if error else "success"},
            status=409 if error else 200,
        )
        response["HX-Trigger"] = "desk-changed"
        return response
    (messages.error if error else messages.success)(request, text)
    return HttpResponseRedirect(back_to(request, back), status=303)


def back_to(request: Request, default: str) -> str:
    """Return the page to go back to: the form's ``next`` if it is one of ours."""
    target = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()})
    return target if target and safe else default


def put_errors(form: Any, error: Exception) -> None:
    """Put a refusal where its field is, or above the form."""
    if isinstance(error, ValidationError) and hasattr(error, "error_dict"):
        for field, found in error.message_dict.items():
            form.add_error(field if field in form.fields else None, found)
    else:
        form.add_error(None, sentence(error))
