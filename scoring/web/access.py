"""Opening tables by the token in an address, and the headers of such pages."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterable
from functools import wraps
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy as _

from ..enums import LinkRole
from ..errors import ScoringError
from ..models import Author, Link, Sheet, author_text
from ..reading.links import find_link

DEVICE_COOKIE = "scoring_device"
#: By this an answer is known to be the program's, and not that of a portal or a proxy: a field of
#: the answer to a call, and a header of every other.
MARK = "chicago-table"
#: The rulings that a device has shown: marks of eight letters, the latest last.
RULINGS_COOKIE = "scoring_rulings"
_MARK = re.compile(r"[0-9a-f]{8}")
#: More marks than any heat needs.
_MOST_MARKS = 60
_YEAR = 365 * 24 * 3600

#: Problem code -> HTTP status; all others are 409, because the current state does not allow it.
STATUS = {
    "malformed": 400,
    "missing_reason": 400,
    "not_a_tie": 422,
    "twice_in_order": 422,
    "seat_first": 422,
    "read_only": 403,
    "ruling_only_director": 403,
    "wrong_pin": 403,
    "too_many_pins": 429,
    "no_pin": 422,
    "bad_pin": 422,
    "no_such_deal": 422,
    "no_such_objection": 404,
    "link_unknown": 404,
    "unknown_entry": 404,
    "unknown_player": 422,
    "link_revoked": 410,
    "refused": 422,
    "needs_confirmation": 422,
}

LinkView = Callable[..., HttpResponse]


class LinkRequest(HttpRequest):
    """A request through a link, with its token, the device's mark and the rulings it has shown."""

    token: str
    device: str
    seen_rulings: tuple[str, ...]


def link_view(*, method: str, role: LinkRole | None = None) -> Callable[[LinkView], Any]:
    """Open a view by the token in its address.

    ``role`` is what the link must allow. An unknown or ended link, another role, another method or
    what the view refuses gets a coded answer. The view receives the link instead of the token.
    """

    def decorate(view: LinkView) -> Callable[..., HttpResponse]:
        @wraps(view)
        def opened(request: LinkRequest, token: str, **found: Any) -> HttpResponse:
            if request.method not in {method, "HEAD" if method == "GET" else method}:
                return _private(HttpResponseNotAllowed([method]))
            try:
                link = find_link(token=token)
                if role is not None and link.role != role:
                    raise ScoringError("read_only")
                request.token, request.device = token, device_of(request)
                request.seen_rulings = seen_rulings_of(request)
                response = _private(view(request, link, **found))
            except ScoringError as error:
                return _private(problem_answer(request, error))
            remember_device(request, response, request.device)
            return response

        return opened

    return decorate


def check_origin(request: HttpRequest) -> None:
    """Raise ``ScoringError("malformed")`` for what another site's page has sent.

    It is for what is sent without a token, as the Auditor's page has none.
    """
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    origin = request.headers.get("Origin")
    foreign = origin is not None and urlsplit(origin).netloc != request.get_host()
    if site != "same-origin" or foreign:
        raise ScoringError("malformed")


def device_of(request: HttpRequest) -> str:
    """Return the mark of the reader's device; a new one unless it brings one of ours."""
    try:
        return str(uuid.UUID(request.COOKIES.get(DEVICE_COOKIE, "")))
    except ValueError:
        return str(uuid.uuid4())


def remember_device(request: HttpRequest, response: HttpResponse, device: str) -> None:
    """Store the device's mark in a cookie."""
    if request.COOKIES.get(DEVICE_COOKIE) != device:
        response.set_cookie(
            DEVICE_COOKIE,
            device,
            max_age=_YEAR,
            httponly=True,
            secure=request.is_secure(),
            samesite="Lax",
        )


def author_of(request: LinkRequest, link: Link, sheet: Sheet) -> Author:
    """Return the account that keeps the score on this device (from paper), or else the link."""
    user = request.user
    if sheet.lease_device == request.device and user.is_authenticated:
        return user if author_text(user) == sheet.lease_author else link
    return link


def seen_rulings_of(request: HttpRequest) -> tuple[str, ...]:
    """Return the marks of the rulings that the reader's device has shown."""
    return _marks(request.COOKIES.get(RULINGS_COOKIE, "").split("."))


def with_seen(request: HttpRequest, sent: str) -> tuple[str, ...]:
    """Return those marks plus the ``sent`` ones; at most as many as fit into a cookie."""
    return _marks([*seen_rulings_of(request), *sent.split()])


def remember_rulings(request: HttpRequest, response: HttpResponse, seen: Iterable[str]) -> None:
    """Store the rulings that the device has shown in a cookie."""
    response.set_cookie(
        RULINGS_COOKIE,
        ".".join(seen),
        max_age=_YEAR,
        httponly=True,
        secure=request.is_secure(),
        samesite="Lax",
    )


def _marks(found: Iterable[str]) -> tuple[str, ...]:
    marks = dict.fromkeys(mark for mark in found if _MARK.fullmatch(mark))
    return tuple(marks)[-_MOST_MARKS:]


def wants_json(request: HttpRequest) -> bool:
    """Return whether the answer goes to the page's script rather than to a person."""
    return "application/json" in request.headers.get("Accept", "") or (
        request.content_type == "application/json"
    )


#: Title of a refusal's page, and advice for somebody with a code at hand.
_PAGES: dict[int, tuple[Any, Any]] = {
    HTTPStatus.GONE: (
        _("This link has been closed"),
        _(
            "The director closes a link when a heat is over or another Auditor takes over."
            " Ask the director for the new one."
        ),
    ),
    HTTPStatus.NOT_FOUND: (
        _("No table behind this link"),
        _(
            "Scan the code again, or compare the address letter by letter. A kitchen table that"
            " nobody has used for 30 days has been deleted."
        ),
    ),
}


def problem_answer(
    request: HttpRequest, error: ScoringError, names: list[str] | None = None, **more: object
) -> HttpResponse:
    """Return a refusal as JSON for a script, or as a page for a person."""
    status = STATUS.get(error.code, 409)
    if wants_json(request):
        problems = [error.as_json(None, names)]
        return JsonResponse(
            {"mark": MARK, "ok": False, "problems": problems, **more}, status=status
        )
    title, advice = _PAGES.get(status, (_("That is not possible"), ""))
    context = {
        "message": error.message(None, names),
        "title": title,
        "advice": advice,
        "is_closed": status == HTTPStatus.GONE,
    }
    return render(request, "scoring/problem.html", context, status=status)


def _private(response: HttpResponse) -> HttpResponse:
    """Keep the page out of caches and search engines, and its address out of other sites' logs.

    By the program's mark its page knows it from a portal or a proxy that answers in its place.
    """
    response.headers[MARK] = "1"
    response.headers.setdefault("Cache-Control", "no-store, private")
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    patch_vary_headers(response, ["Cookie", "Accept-Language", "Accept"])
    return response
