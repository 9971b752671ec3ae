"""How an action answers: a sentence, and the page it came from or a fragment of it."""

import uuid
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from engine.errors import ChicagoError
from engine.messages import say
from scoring.errors import ScoringError
from scoring.reading.words import lang

from .access import Request, View, staff_view
from .errors import Refused
from .once import TakenBefore, once

#: What a command may raise to say no.
REFUSALS = (Refused, ScoringError, ChicagoError, ValidationError)

#: The page an action came from: the name of one of the event's, or what finds its path.
Back = str | Callable[[Any], str]

#: The methods of an action whose address shows its page, too.
SHOWN = ("GET", "POST")


class NotTaken(Exception):
    """A form that cannot be taken: its page shows it again, as it was typed."""

    def __init__(self, status: int, **forms: Any) -> None:
        super().__init__(status)
        self.http_status = status
        self.forms = forms


def sentence(error: Exception) -> str:
    """Return the refusal in the reader's language."""
    if isinstance(error, ScoringError):
        return error.message()
    if isinstance(error, ChicagoError):
        return say(error, lang())
    if isinstance(error, ValidationError):
        return " ".join(error.messages)
    return str(error)


def refusal_code(error: Exception) -> str:
    """Return the refusal's code; where the rules of the game said no, the engine's."""
    return getattr(getattr(error, "problem", error), "code", None) or "invalid"


def valid(**named: Any) -> dict[str, Any]:
    """Return what a form holds: ``valid(form=form)``, by the name that the page knows it by."""
    (form,) = named.values()
    if not form.is_valid():
        raise NotTaken(422, **named)
    data: dict[str, Any] = form.cleaned_data
    return data


@contextmanager
def taking(
    *,
    field: str | None = None,
    version: Callable[[], int] | None = None,
    gone: Collection[str] = (),
    **named: Any,
) -> Iterator[dict[str, Any]]:
    """Give what is :func:`valid`; what is refused then stands in the form.

    ``field`` is where it stands.
    ``version``: what was typed is shown against the sheet as it is now. ``gone``: the codes with
    which the page has no such form any more, so that they are said above it.
    """
    (form,) = named.values()
    try:
        yield valid(**named)
    except REFUSALS as error:
        if refusal_code(error) in gone:
            raise
        put_errors(form, error, field)
        if version is not None:
            form.data = {**form.data.dict(), form.add_prefix("version"): str(version())}
        raise NotTaken(422 if isinstance(error, ValidationError) else 409, **named) from error


def put_errors(form: Any, error: Exception, field: str | None = None) -> None:
    """Put a refusal where its field is, or above the form."""
    if isinstance(error, ValidationError) and hasattr(error, "error_dict"):
        for name, found in error.error_dict.items():
            form.add_error(name if name in form.fields else None, found)
    else:
        form.add_error(field, ValidationError(sentence(error), refusal_code(error)))


def action(*, back: Back, page: View | None = None) -> Callable[[Callable[..., Any]], View]:
    """Wrap what a button or a form does; it returns what is to be said, or an answer of its own.

    A refusal is said instead. A form that cannot be taken is shown again by ``page``, which is
    also what a GET of the same address shows.
    """

    def decorate(view: Callable[..., Any]) -> View:
        @wraps(view)
        def wrapper(request: Request, thing: Any, *args: Any) -> HttpResponseBase:
            if request.method == "GET" and page is not None:
                return page(request, thing, *args)

            def take() -> HttpResponseBase:
                done = view(request, thing, *args)
                if isinstance(done, HttpResponseBase):
                    return done
                return reply(request, done, path_of(back, thing))

            try:
                return once(request, take)
            except TakenBefore as before:
                text = _("This was sent twice; it is done once.")
                return reply(request, text, before.location or path_of(back, thing))
            except NotTaken as bad:
                assert page is not None
                return page(request, thing, *args, status=bad.http_status, **bad.forms)
            except REFUSALS as error:
                text, code = sentence(error), refusal_code(error)
                return reply(request, text, path_of(back, thing), code=code)

        return wrapper

    return decorate


def staff_action(
    permission: str,
    *,
    back: Back,
    page: View | None = None,
    of: Callable[..., Any] | None = None,
    methods: tuple[str, ...] = ("POST",),
) -> Callable[[Callable[..., Any]], View]:
    """Wrap an :func:`action` of an event's staff; it gets the event, or what ``of`` finds there."""

    def decorate(view: Callable[..., Any]) -> View:
        answered = action(back=back, page=page)(view)

        @require_http_methods(methods)
        @staff_view(permission)
        @wraps(view)
        def wrapper(request: Request, event: Any, **found: Any) -> HttpResponseBase:
            return answered(request, of(event, **found) if of else event)

        return wrapper

    return decorate


def path_of(back: Back, thing: Any) -> str:
    """Return the path of the page to go back to from an event, or from something of an event."""
    if callable(back):
        return back(thing)
    return reverse(f"tournaments:{back}", args=[getattr(thing, "event", thing).slug])


def reply(request: Request, text: Any, back: str, *, code: str = "") -> HttpResponse:
    """Answer an action: to HTMX with a notice, otherwise by going back with a message.

    The notice's answer carries the event ``desk-changed``, on which the page's live parts fetch
    themselves again. A refusal, which has a ``code``, is 409 for HTMX; the desk's script shows it
    all the same.
    """
    if request.htmx:
        response = render(
            request,
            "tournaments/core/_notice.html",
            {"text": text, "level": "error" if code else "success", "code": code},
            status=409 if code else 200,
        )
        response["HX-Trigger"] = "desk-changed"
        return response
    level = messages.ERROR if code else messages.SUCCESS
    messages.add_message(request, level, text, extra_tags=code)
    return HttpResponseRedirect(back_to(request, back), status=303)


def back_to(request: Request, default: str) -> str:
    """Return the page to go back to: the form's ``next`` if it is one of ours."""
    target = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()})
    return target if target and safe else default


def uuid_in(request: Request, name: str) -> uuid.UUID | None:
    """Return the opaque name of a thing that a form sent, None where it is none."""
    try:
        return uuid.UUID(request.POST.get(name, ""))
    except ValueError:
        return None


def number_in(request: Request, name: str) -> int:
    """Return a number that a button sent, 0 where it is none that a row could have."""
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
