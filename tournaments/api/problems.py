"""Errors as documents for programs (RFC 9457), with a stable code and the reader's language."""

from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import set_rollback

from ..core.answers import REFUSALS, refusal_code, sentence

CONTENT_TYPE = "application/problem+json"
#: Titles by status, in words that are the same for every code.
TITLES = {
    400: gettext_lazy("The request is not as the interface reads it"),
    401: gettext_lazy("A token is needed"),
    403: gettext_lazy("This token may not do that"),
    404: gettext_lazy("Not found"),
    405: gettext_lazy("This address does not do that"),
    409: gettext_lazy("Refused by the rules of the event"),
    415: gettext_lazy("Send JSON"),
    429: gettext_lazy("Too many requests"),
}


class Problem(exceptions.APIException):
    """A refusal of the interface itself: its status, its code, and a sentence."""

    def __init__(self, number: int, code: str, text: Any, *, wait: int | None = None) -> None:
        super().__init__(text, code)
        self.status_code = number
        self.code = code
        self.wait = wait


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return the problem of an exception; None, and so a 500, for what is our fault."""
    found = _read(error)
    if found is None:
        return None
    number, code, detail, more = found
    set_rollback()
    title = str(TITLES.get(number, _("The request is not as the interface reads it")))
    document = {"type": "about:blank", "title": title, "status": number, "code": code}
    response = Response(
        document | {"detail": detail} | more, status=number, content_type=CONTENT_TYPE
    )
    if number == status.HTTP_401_UNAUTHORIZED:
        response["WWW-Authenticate"] = "Bearer"
    if wait := getattr(error, "wait", None):
        response["Retry-After"] = str(int(wait))
    return response


def _read(error: Exception) -> tuple[int, str, str, dict[str, Any]] | None:
    """Return status, code, sentence, and what else is told."""
    match error:
        case Problem():
            return error.status_code, error.code, str(error.detail), {}
        case exceptions.ValidationError():
            text = _("Look at the fields that are named.")
            return 400, "invalid", text, {"errors": list(_fields(error.get_full_details()))}
        case ValidationError():
            # Right in its form, but not for this event.
            return 409, "invalid", sentence(error), {"errors": _of_model(error)}
        case Http404() | exceptions.NotFound():
            return 404, "not_found", _("Nothing is found at this address."), {}
        case PermissionDenied():
            return 403, "forbidden", _("This token may not do that."), {}
        case exceptions.ParseError():
            return 400, "no_json", _("What was sent is no JSON document."), {}
        case exceptions.UnsupportedMediaType():
            return 415, "no_json", _("Send a JSON document, as application/json."), {}
        case exceptions.MethodNotAllowed():
            return 405, "method_not_allowed", _("This address does not take that method."), {}
        case _ if isinstance(error, REFUSALS):
            return 409, refusal_code(error), sentence(error), {}
    return None


def _fields(details: Any, path: str = "") -> Any:
    """Yield what is wrong with each field, as ``{"field", "code", "message"}``."""
    if isinstance(details, dict) and {"message", "code"} == details.keys():
        yield {"field": path, "code": details["code"], "message": details["message"]}
        return
    pairs = details.items() if isinstance(details, dict) else ((None, each) for each in details)
    for name, inner in pairs:
        here = path if name in (None, "non_field_errors") else f"{path}.{name}".strip(".")
        yield from _fields(inner, here)


def _of_model(error: ValidationError) -> list[dict[str, str]]:
    named = error.error_dict if hasattr(error, "error_dict") else {"": error.error_list}
    return [
        {
            "field": "" if name == "__all__" else name,
            "code": str(each.code or "invalid"),
            "message": " ".join(each.messages),
        }
        for name, errors in named.items()
        for each in errors
    ]
