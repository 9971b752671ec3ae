"""Public pages, rendered once per change and language instead of once per reader.

A view marked :func:`cached_page` shows the same to everybody without an account. For readers
without a session its page is cached, compressed and with an ETag, under event version, address and
language. The middleware comes before all others, so a cached page costs one small query. A reader
with any meaningful cookie gets a page of their own. Pages are rendered for the cache from a request
without cookies, so nothing personal can be in them.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache as once
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.cache import caches
from django.core.exceptions import DisallowedHost
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags

from .expiry import collect_expiry
from .versions import JOINED, OF_SERIES, SIMULATED, SUMS, joined_text, summed

View = Callable[..., HttpResponseBase]
#: Seconds for which a page is cached: without and with a query string. Shorter with one, so that
#: many queries do not fill the memory.
LIFETIME, LIFETIME_WITH_QUERY = 3600, 60
#: Seconds to wait for another process that is rendering the same page.
PATIENCE = 5.0
_PATH = re.compile(
    r"/(?:(?:e|api/v1/events|embed)/(?P<slug>[-\w]+)/(?:heats/(?P<heat>\d{1,9})/)?"
    r"[^/]*(?:/[^/]*)*|api/v1/(?:events|organisers)/|api/v1/organisers/[-\w]+/"
    r"|series/(?P<series>[-\w]+)/(?:statistics/|series\.json|standing\.\w+)?"
    r"|organisers/(?P<organiser>[-\w]+)/(?:statistics/|ratings/|players/[-\w]+/))?\Z"
)
#: Pages that show nothing of play in open heats: rendered again when a heat closes or a director
#: does something, not at each entry.
_CLOSED = re.compile(
    r"/(?:e|api/v1/events|embed)/[-\w]+/(?:(?:standings|qualified|result|champion)"
    r"|screens/[-\w]+/(?:seats|clock|standings|qualified|champion|notices|sponsors|sign_up|black)"
    r")/\Z"
)
#: Pages that compare with chance, which is simulated after play.
_WITH_CHANCE = re.compile(r"/(?:e/[-\w]+/hands|api/v1/events/[-\w]+/statistics)/\Z")
#: The part of an event's pages that shows a series.
_WITH_SERIES = re.compile(r"/e/[-\w]+/screens/\w+/series/\Z")
_OF_ALL = f"SELECT COUNT(*), {summed('number')} FROM tournaments_eventversion"
_OF_EVENT = (
    "SELECT %s FROM tournaments_eventversion v "
    "JOIN tournaments_event e ON e.id = v.event_id WHERE e.slug = %s"
)
_OF_HEAT = (
    "SELECT v.event_id, v.directed, h.table_id, t.revision "
    "FROM tournaments_event e JOIN tournaments_eventversion v ON v.event_id = e.id "
    "JOIN tournaments_heat h ON h.event_id = e.id AND h.number = %s "
    "LEFT JOIN scoring_table t ON t.id = h.table_id WHERE e.slug = %s"
)
_OF_EVENT_AND_SERIES = (
    f"SELECT {SUMS}, {summed('c.number')}, own.number FROM tournaments_event e "
    "JOIN tournaments_eventversion own ON own.event_id = e.id "
    "LEFT JOIN tournaments_seriesevent i ON i.event_id = e.id "
    f"LEFT JOIN tournaments_series s ON s.id = i.series_id {JOINED} "
    "WHERE e.slug = %s GROUP BY own.number"
)
_OF_ORGANISER = (
    f"SELECT {SUMS}, MAX(r.version) FROM tournaments_organiser o "
    "JOIN tournaments_event e ON e.organiser_id = o.id "
    "JOIN tournaments_eventversion v ON v.event_id = e.id "
    "LEFT JOIN tournaments_eventsummary y ON y.event_id = e.id "
    "LEFT JOIN tournaments_ratingstate r ON r.organiser_id = o.id WHERE o.slug = %s"
)
#: The headers of a page that "not modified" has, too. Without the last two, scripts of other sites
#: could not read the answer.
_OF_UNCHANGED = (
    *("Cache-Control", "Vary", "Content-Language"),
    *("Access-Control-Allow-Origin", "Access-Control-Expose-Headers"),
)
#: Cookies that make no page personal.
_HARMLESS = {settings.LANGUAGE_COOKIE_NAME, settings.CSRF_COOKIE_NAME}
#: The only HTTP headers that a cached page may depend on.
_HEADERS = {"HTTP_HOST", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_FOR"}


def cached_page(*query: str, empty: str = "") -> Callable[[View], View]:
    """Mark a view that shows the same to everybody without an account.

    ``query`` names the query parameters it may depend on; ``empty`` is one that a form sends, too,
    with a text to search for: only without any is the page cached. Otherwise its page depends only
    on address and language, and contains no CSRF token.
    """

    def mark(view: View) -> View:
        # Decorators around it copy this, too (functools.wraps).
        view.__dict__["cached_query"] = frozenset(query)
        view.__dict__["cached_empty"] = empty
        return view

    return mark


@dataclass(frozen=True)
class Page:
    """A cached response; ``until`` (Unix time) is when it expires even if nothing is written."""

    body: bytes
    headers: tuple[tuple[str, str], ...]
    etag: str
    until: float

    @property
    def is_true(self) -> bool:
        """Whether it is still up to date."""
        return self.until > time.time()

    def packed(self) -> bytes:
        """Return it as bytes for all processes, a line of JSON before its body."""
        head = {"headers": self.headers, "etag": self.etag, "until": self.until}
        return json.dumps(head).encode() + b"\n" + self.body

    @classmethod
    def unpacked(cls, stored: bytes) -> Page:
        """Return the page of :meth:`packed`."""
        line, _end, body = stored.partition(b"\n")
        head = json.loads(line)
        headers = tuple((name, value) for name, value in head["headers"])
        return cls(body, headers, head["etag"], head["until"])


@dataclass(frozen=True)
class Part:
    """A live part of a page: its HTML, its ETag, and the path from which it is fetched again."""

    html: str
    mark: str
    path: str


def part(request: HttpRequest, path: str, template: str, context: dict[str, Any]) -> Part:
    """Render a live part, for use both inside its page and on its own."""
    html = render_to_string(template, context, request)
    return Part(html, etag_of(html.encode()), path)


def etag_of(content: bytes) -> str:
    """Return a weak ETag (weak because the content is sent both compressed and plain)."""
    return f'W/"{hashlib.blake2b(content, digest_size=12).hexdigest()}"'


class CachePages:
    """Middleware that answers from the cache and fills it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer from the cache, or render it once for all readers who wait."""
        asked = _Asked.by(request)
        if asked is None:
            return _with_etag(self.get_response(request), request)
        page = _find(asked.key)
        if page is None:
            if not asked.may_be_cached(request):
                return _with_etag(self.get_response(request), request)
            with _alone(asked.key):
                page = _find(asked.key)
                if page is None:
                    response = self._make(request, asked)
                    if not isinstance(response, Page):
                        return response
                    page = response
        return _answer(page, asked)

    def _make(self, request: HttpRequest, asked: _Asked) -> Page | HttpResponse:
        """Render the page for an anonymous reader, and cache it if possible."""
        for name in [name for name in request.META if name.startswith("HTTP_")]:
            if name not in _HEADERS:
                del request.META[name]
        request.META["HTTP_ACCEPT_LANGUAGE"] = asked.language
        request.__dict__.pop("COOKIES", None)
        request.COOKIES = {}
        request.__dict__.pop("headers", None)
        with collect_expiry() as expiry:
            response = self.get_response(request)
        if response.status_code != 200 or response.streaming or response.cookies:
            return response
        patch_vary_headers(response, ("Accept-Encoding", "Accept-Language", "Cookie"))
        headers = dict(response.items()) | {"Cache-Control": "no-cache"}
        for name in ("Content-Length", "ETag"):
            headers.pop(name, None)
        longest = LIFETIME_WITH_QUERY if request.META.get("QUERY_STRING") else LIFETIME
        until = time.time() + longest
        if expiry.at is not None:
            until = min(until, expiry.at.timestamp())
        page = Page(
            gzip.compress(response.content, 6, mtime=0),
            tuple(headers.items()),
            response.get("ETag") or etag_of(response.content),
            until,
        )
        _keep(asked.key, page)
        return page


@dataclass(frozen=True)
class _Asked:
    """A request without a session, with its cache key."""

    key: str
    language: str
    method: str
    if_none_match: str
    accepts_gzip: bool

    @classmethod
    def by(cls, request: HttpRequest) -> _Asked | None:
        """Return the request's key and headers, or None if the answer may be personal."""
        found = _PATH.match(request.path_info)
        if found is None or request.method not in ("GET", "HEAD"):
            return None
        if not request.COOKIES.keys() <= _HARMLESS or "HTTP_AUTHORIZATION" in request.META:
            return None
        try:
            host = request.get_host()
        except DisallowedHost:
            return None
        if not _is_usual(host, request.META.get("SERVER_PORT", "")):
            return None
        version = _version(request.path_info, found.groupdict())
        if version is None:
            return None
        language = translation.get_language_from_request(request)
        parts = (
            release(),
            f"{request.scheme}://{host}{request.path}",
            request.META.get("QUERY_STRING", ""),
            language,
            version,
        )
        return cls(
            key=hashlib.sha256("\n".join(parts).encode()).hexdigest(),
            language=language,
            method=request.method,
            if_none_match=request.META.get("HTTP_IF_NONE_MATCH", ""),
            accepts_gzip="gzip" in request.META.get("HTTP_ACCEPT_ENCODING", ""),
        )

    def may_be_cached(self, request: HttpRequest) -> bool:
        """Return whether the view is marked as the same for everybody."""
        try:
            view = resolve(request.path_info).func
        except Resolver404:
            return False
        allowed = getattr(view, "cached_query", None)
        if self.method != "GET" or allowed is None:
            return False
        empty = getattr(view, "cached_empty", "")
        if empty and request.GET.getlist(empty) == [""]:
            allowed |= {empty}
        return bool(request.GET.keys() <= allowed)


def _is_usual(host: str, port: str) -> bool:
    """Return whether pages are kept for this host: with ``port``, on which we listen, or without.

    Django allows every port, capital letters and a last dot, so that one address would fill the
    cache.
    """
    name, _theirs = split_domain_port(host)
    known = urlsplit(settings.PUBLIC_URL).netloc
    return host in {name, f"{name}:{port}", known}


def _version(path: str, named: Mapping[str, str | None]) -> str | None:
    """Return the version of the content; read before the content, so it is never too new."""
    slug, series, organiser = named["slug"], named["series"], named["organiser"]
    values: list[str | int | None] = [slug or series or organiser]
    if series:
        statement = OF_SERIES
    elif organiser:
        statement = _OF_ORGANISER
    elif slug is None:
        statement, values = _OF_ALL, []
    elif named["heat"]:
        statement, values = _OF_HEAT, [int(named["heat"]), slug]
    elif _WITH_SERIES.match(path):
        statement = _OF_EVENT_AND_SERIES
    elif _WITH_CHANCE.match(path):
        statement = _OF_EVENT % (f"v.number, {SIMULATED}", "%s")
    else:
        statement = _OF_EVENT % ("v.directed" if _CLOSED.match(path) else "v.number", "%s")
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        row = cursor.fetchone()
    return joined_text(row)


@once
def release() -> str:
    """Return a digest of the program's own files, so that a new release makes new pages."""
    digest = hashlib.sha256(settings.SECRET_KEY.encode())
    base: Path = settings.BASE_DIR
    for folder in ("config", "engine", "locale", "scoring", "static", "templates", "tournaments"):
        for path in sorted((base / folder).rglob("*")):
            if path.suffix in (".py", ".html", ".mo", ".js", ".css", ".svg"):
                digest.update(path.read_bytes())
    return digest.hexdigest()


# --- the cache: in the process, and in Redis for all processes ------------------------------------


def _find(key: str) -> Page | None:
    page: Page | None = caches["pages"].get(key)
    if page is None:
        stored = caches["shared"].get(f"page:{key}")
        page = Page.unpacked(stored) if stored is not None else None
        if page is not None and page.is_true:
            caches["pages"].set(key, page, max(1, page.until - time.time()))
    return page if page is not None and page.is_true else None


def _keep(key: str, page: Page) -> None:
    seconds = page.until - time.time()
    if seconds > 0:
        caches["pages"].set(key, page, seconds)
        caches["shared"].set(f"page:{key}", page.packed(), seconds)


_making: dict[str, threading.Lock] = {}
_waiting: dict[str, int] = {}
_guard = threading.Lock()


@contextmanager
def _alone(key: str) -> Iterator[None]:
    """Let one thread render a page while the others wait; with Redis, across processes."""
    with _guard:
        lock = _making.setdefault(key, threading.Lock())
        _waiting[key] = _waiting.get(key, 0) + 1
    try:
        with lock:
            if _find(key) is None:
                deadline = time.monotonic() + PATIENCE
                while not caches["shared"].add(f"making:{key}", 1, PATIENCE):
                    time.sleep(0.01)
                    if _find(key) is not None or time.monotonic() > deadline:
                        break
                else:
                    try:
                        yield
                    finally:
                        caches["shared"].delete(f"making:{key}")
                    return
            yield
    finally:
        with _guard:
            _waiting[key] -= 1
            if not _waiting[key]:
                del _waiting[key], _making[key]


# --- answers ------------------------------------------------------------------------------------


def _matches(etag: str, if_none_match: str) -> bool:
    marks = parse_etags(if_none_match)
    return "*" in marks or etag.removeprefix("W/") in {mark.removeprefix("W/") for mark in marks}


def _answer(page: Page, asked: _Asked) -> HttpResponse:
    response: HttpResponse
    if asked.if_none_match and _matches(page.etag, asked.if_none_match):
        response = HttpResponseNotModified()
        del response["Content-Type"]
        for name, value in page.headers:
            if name in _OF_UNCHANGED:
                response[name] = value
    else:
        body = page.body if asked.accepts_gzip else gzip.decompress(page.body)
        shown = b"" if asked.method == "HEAD" else body
        response = HttpResponse(shown, headers=dict(page.headers))
        if asked.accepts_gzip:
            response["Content-Encoding"] = "gzip"
        response["Content-Length"] = str(len(body))
    response["ETag"] = page.etag
    return response


def answer_if_changed(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return the response with the ETag of its content, or 304 for a reader who has it."""
    etag = etag_of(response.content)
    wanted = request.META.get("HTTP_IF_NONE_MATCH", "")
    if wanted and _matches(etag, wanted):
        return HttpResponseNotModified(headers={"ETag": etag})
    response["ETag"] = etag
    return response


def _with_etag(response: HttpResponse, request: HttpRequest) -> HttpResponseBase:
    """Add an ETag for signed-in readers too, and answer 304 when it matches."""
    if "ETag" in response:
        return response
    view = getattr(request.resolver_match, "func", None)
    if (
        getattr(view, "cached_query", None) is None
        or response.status_code != 200
        or response.streaming
    ):
        return response
    # Nothing but the public's page with the reader's own menu: their browser may keep it and asks.
    response.headers.setdefault("Cache-Control", "no-cache, private")
    etag = etag_of(response.content)
    wanted = request.META.get("HTTP_IF_NONE_MATCH", "")
    if wanted and _matches(etag, wanted):
        kept = {name: response[name] for name in _OF_UNCHANGED if name in response}
        unchanged = HttpResponseNotModified(headers=kept | {"ETag": etag})
        unchanged.cookies = response.cookies
        return unchanged
    response["ETag"] = etag
    return response
