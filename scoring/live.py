"""Topics of the live stream: what a page may listen to, and how listeners are woken.

A topic names something that can change, such as ``event:5`` or ``table:17``. Pages hold it signed,
so that nobody can listen to a topic that no page has given them. The stream itself
(``tournaments/live/stream.py``) says only "changed"; the page then fetches what it shows.
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

#: Path of the stream, below the address in ``LIVE_URL``.
PATH = "/live/"
#: The Redis channel on which every write is announced.
CHANNEL = "chicago:changed"

logger = logging.getLogger(__name__)
_SALT = "chicago live"


@dataclass(frozen=True)
class Topic:
    """What a page listens to.

    ``who`` is the listening link or account, ``""`` for everybody else. Connections are limited per
    listener, because a whole hall may share one address. ``part`` is the path of the public page's
    fragment to send along, in ``language``.
    """

    kind: str
    pk: int
    who: str = ""
    part: str = ""
    language: str = ""

    @property
    def thing(self) -> tuple[str, int]:
        """The kind and id of the thing whose version changes."""
        return self.kind, self.pk

    def signed(self) -> str:
        """Return the signed topic, for use in an address."""
        parts = (self.kind, str(self.pk), self.who, self.part, self.language)
        return Signer(salt=_SALT).sign("|".join(parts))


def read_topic(signed: str) -> Topic | None:
    """Return the topic of an address, or ``None`` for a bad signature."""
    try:
        parts = Signer(salt=_SALT).unsign(signed).split("|")
    except BadSignature:
        return None
    kind, pk, *more = parts
    return Topic(kind, int(pk), *more)


def stream_url(request: HttpRequest, topic: Topic, seen: object = "") -> str:
    """Return the address where this page listens, or ``""`` without a stream.

    ``seen`` is the version that the page shows; any later version is announced at once.
    ``LIVE_URL`` is a path on the same server, ``:port`` on the same host, or a full address.
    """
    base: str = settings.LIVE_URL
    if not base:
        return ""
    if base.startswith(":"):
        base = f"{stream_origin(request)}{PATH}"
    return f"{base}?{urlencode({'topic': topic.signed(), 'seen': seen})}"


def stream_origin(request: HttpRequest) -> str:
    """Return scheme, host and port of a stream with a port of its own."""
    host, _port = split_domain_port(request.get_host())
    return f"{request.scheme}://{host}{settings.LIVE_URL}"


def redis_url() -> str:
    """Return the address of the Redis that announces every write, or ``""`` without one."""
    return str(settings.REDIS_URL)


def wake() -> None:
    """Tell the stream that something was written; without Redis it polls four times a second."""
    if not redis_url():
        return
    from redis import RedisError

    try:
        _redis().publish(CHANNEL, b"")
    except RedisError:
        # Not critical: the stream checks from time to time, and pages poll.
        logger.warning("the live stream could not be woken", exc_info=True)


@cache
def _redis() -> Redis:
    from redis import Redis

    return Redis.from_url(redis_url(), socket_timeout=1, socket_connect_timeout=1)
