"""Responses to actions: a message, and the page the user came from or a fragment of it."""

import uuid
from collections.abc import Callable, Collection, Iterator, Mapping
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
from scoring.words import lang

from .access import Request, View, staff_view
from .errors import Refused
from .once import DuplicateSubmission, once

#: Exceptions by which a command refuses.
REFUSALS = (Refused, ScoringError, ChicagoError, ValidationError)

#: The page to go back to: the name of an event page, or a function that returns the path.
Back = str | Callable[..., str]

#: Methods of an action that also shows its page.
SHOWN = ("GET", "POST")


class FormRejected(Exception):
    """A form was refused; its page is shown again with what was typed."""

    def __init__(self, status: int, **forms: Any) -> None:
        super().__init__(status)
        self.http_status = status
        self.forms = forms


def sentence(error: Exception) -> str:
    """Return the refusal as a message in the reader's language."""
    if isinstance(error, ScoringError):
        return error.message()
    if isinstance(error, ChicagoError):
        return say(error, lang())
    if isinstance(error, ValidationError):
        return " ".join(error.messages)
    return str(error)


def refusal_code(error: Exception) -> str:
    """Return the refusal's stable code; the engine's if the rules refused."""
    return getattr(getattr(error, "problem", error), "code", None) or "invalid"


def valid(**named: Any) -> dict[str, Any]:
    """Return the form's cleaned data, or raise :class:`FormRejected`.

    Called as ``valid(form=form)``. The keyword is the form's name in the page's template.
    """
    (form,) = named.values()
    if not form.is_valid():
        raise FormRejected(422, **named)
    data: dict[str, Any] = form.cleaned_data
    return data


@contextmanager
def form_errors(
    *,
    field: str | None = None,
    now: Callable[[], Mapping[str, Any]] | None = None,
    gone: Collection[str] = (),
    **named: Any,
) -> Iterator[dict[str, Any]]:
    """Yield the form's cleaned data; put a refusal raised inside into the form.

    ``field``: the field that gets the error. ``now``: returns hidden fields as they are now, such
    as the sheet's version, so that the form is sent again against them. ``gone``: codes after which
    the page no longer has this form; these refusals are raised on.
    """
    (form,) = named.values()
    try:
        yield valid(**named)
    except REFUSALS as error:
        if refusal_code(error) in gone:
            raise
        put_errors(form, error, field)
        if now is not None:
            form.data = form.data.copy()
            for name, value in now().items():
                form.data[form.add_prefix(name)] = str(value)
        raise FormRejected(422 if isinstance(error, ValidationError) else 409, **named) from error


def put_errors(form: Any, error: Exception, field: str | None = None) -> None:
    """Add the refusal to its field, or above the form."""
    if isinstance(error, ValidationError) and hasattr(error, "error_dict"):
        shown: set[str] = set()
        # First those of its fields: what was put together from one field fails as that field does.
        for name in sorted(error.error_dict, key=lambda name: name not in form.fields):
            found = error.error_dict[name]
            texts = {text for each in found for text in each.messages}
            if name in form.fields or not texts <= shown:
                form.add_error(name if name in form.fields else None, found)
            shown |= texts
    else:
        form.add_error(field, ValidationError(sentence(error), refusal_code(error)))


def action(
    *, back: Back, page: View | None = None, idempotent: bool = False
) -> Callable[[Callable[..., Any]], View]:
    """Wrap the view of a button or form; it returns a message or a response of its own.

    Refusals become messages. A form that is refused is shown again by ``page``, which also answers
    GET. ``idempotent``: the command itself recognises a form that is sent again. It then runs in
    no transaction of ours, so that a wrong PIN counts although the form is refused.
    """

    def decorate(view: Callable[..., Any]) -> View:
        @wraps(view)
        def wrapper(request: Request, thing: Any, *args: Any) -> HttpResponseBase:
            if request.method == "GET" and page is not None:
                return page(request, thing, *args)

            def process() -> HttpResponseBase:
                done = view(request, thing, *args)
                if isinstance(done, HttpResponseBase):
                    return done
                return reply(request, done, path_of(back, thing, *args))

            try:
                return process() if idempotent else once(request, process)
            except DuplicateSubmission as before:
                text = _("This was sent twice, but done only once.")
                return reply(request, text, before.location or path_of(back, thing, *args))
            except FormRejected as bad:
                assert page is not None
                return page(request, thing, *args, status=bad.http_status, **bad.forms)
            except REFUSALS as error:
                text, code = sentence(error), refusal_code(error)
                return reply(request, text, path_of(back, thing, *args), code=code)

        return wrapper

    return decorate


def staff_action(
    permission: str,
    *,
    back: Back,
    page: View | None = None,
    of: Callable[..., Any] | None = None,
    methods: tuple[str, ...] = ("POST",),
    idempotent: bool = False,
) -> Callable[[Callable[..., Any]], View]:
    """Wrap an :func:`action` for staff; it receives the event, or what ``of`` returns."""

    def decorate(view: Callable[..., Any]) -> View:
        answered = action(back=back, page=page, idempotent=idempotent)(view)

        @require_http_methods(methods)
        @staff_view(permission)
        @wraps(view)
        def wrapper(request: Request, event: Any, **found: Any) -> HttpResponseBase:
            return answered(request, of(event, **found) if of else event)

        return wrapper

    return decorate


def path_of(back: Back, thing: Any, *args: Any) -> str:
    """Return the path to go back to; ``thing`` is an event or belongs to one."""
    if callable(back):
        return back(thing, *args)
    return reverse(f"tournaments:{back}", args=[getattr(thing, "event", thing).slug])


def reply(request: Request, text: Any, back: str, *, code: str = "") -> HttpResponse:
    """Answer an action: HTMX gets a notice, other requests are redirected with a message.

    With the notice comes the HTMX event ``desk-changed``, on which live parts reload. A refusal
    (with a ``code``) is a 409 for HTMX; the desk's script shows it all the same.
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
    """Return the form's ``next`` if it is an address of this site, otherwise ``default``."""
    target = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()})
    return target if target and safe else default


def uuid_in(request: Request, name: str) -> uuid.UUID | None:
    """Return the UUID that a form sent, or None if it is malformed."""
    try:
        return uuid.UUID(request.POST.get(name, ""))
    except ValueError:
        return None


def number_in(request: Request, name: str) -> int:
    """Return the number that a button sent, or 0 if it cannot be a row's number."""
    text = request.POST.get(name, "")
    return int(text) if is_number(text) else 0


def is_number(text: str) -> bool:
    """Return whether this can be a row's number."""
    return text.isascii() and text.isdigit() and len(text) < 10


def line_in(request: Request, name: str) -> str:
    """Return the line that a form sent, as it can be stored and shown: no invisible characters."""
    typed = request.POST.get(name, "")
    return " ".join("".join(c for c in typed if c.isprintable() or c.isspace()).split())[:200]
