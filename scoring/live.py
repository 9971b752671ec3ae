"""The live stream's topics: what a page may listen to, and waking those who listen.

A topic is a thing whose changes a page wants to hear of, such as ``event:5`` or ``table:17``. It
goes into a page signed, so that nobody listens to what no page of theirs has shown. The stream
itself (``tournaments/live/stream.py``) says only "changed"; the page then asks for what it shows.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest
from django.http.request import split_domain_port

if TYPE_CHECKING:
    from redis import Redis

#: Where the stream answers, below the address that ``LIVE_URL`` gives.
PATH = "/live/"
#: The Redis channel on which everybody who has written something says so.
CHANNEL = "chicago:changed"

logger = logging.getLogger(__name__)
_SALT = "chicago live"


@dataclass(frozen=True)
class Topic:
    """What a page listens to.

    ``who`` is the link or account that listens, ``""`` for everybody else: places are shared by
    it, for a whole hall is behind one address. ``part`` is the path of the part of a public page
    that is sent along, ``language`` its reader's.
    """

    kind: str
    pk: int
    who: str = ""
    part: str = ""
    language: str = ""

    @property
    def thing(self) -> tuple[str, int]:
        """What has a version."""
        return self.kind, self.pk

    def signed(self) -> str:
        """Return it as it goes into an address."""
        parts = (self.kind, str(self.pk), self.who, self.part, self.language)
        return Signer(salt=_SALT).sign("|".join(parts))


def read_topic(signed: str) -> Topic | None:
    """Return the topic of an address, ``None`` where the signature is wrong."""
    try:
        parts = Signer(salt=_SALT).unsign(signed).split("|")
    except BadSignature:
        return None
    if len(parts) != 5:
        # Signed by an earlier release; the page that holds it asks instead.
        return None
    kind, pk, *more = parts
    return Topic(kind, int(pk), *more)


def stream_url(request: HttpRequest, topic: Topic, seen: object = "") -> str:
    """Return where the reader of this page listens, ``""`` where there is no stream.

    ``seen`` is the version that the page shows: the first change after it is told at once.
    ``LIVE_URL`` is a path of the same server, ``:port`` of the same host, or a whole address.
    """
    base: str = settings.LIVE_URL
    if not base:
        return ""
    if base.startswith(":"):
        base = f"{stream_origin(request)}{PATH}"
    return f"{base}?{urlencode({'topic': topic.signed(), 'seen': seen})}"


def stream_origin(request: HttpRequest) -> str:
    """Return scheme, host and port of a stream that has a port of its own."""
    host, _port = split_domain_port(request.get_host())
    return f"{request.scheme}://{host}{settings.LIVE_URL}"


def wake() -> None:
    """Tell the stream that something was written; without Redis it looks every second anyway."""
    if not settings.REDIS_URL:
        return
    from redis import RedisError

    try:
        _redis().publish(CHANNEL, b"")
    except RedisError:
        # Nobody waits for this: the stream looks from time to time, and pages ask.
        logger.warning("the live stream could not be woken", exc_info=True)


@cache
def _redis() -> Redis:
    from redis import Redis

    return Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1)
