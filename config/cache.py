"""A Redis cache that works without Redis for a while, and holds no pickles."""

import json
import logging
import time
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis import RedisError

logger = logging.getLogger(__name__)

#: Seconds to leave Redis alone after it has failed to answer.
PAUSE = 5.0


class PlainSerializer:
    """Stores numbers as they are, bytes and JSON: reading them back runs no code, as pickles can.

    Whoever gets at Redis would otherwise have every process of the program.
    """

    def dumps(self, value: Any) -> int | bytes:
        """Return what Redis stores."""
        # As it is, so that Redis can add to it.
        if type(value) is int:
            return value
        return b"b" + value if isinstance(value, bytes) else b"j" + json.dumps(value).encode()

    def loads(self, stored: bytes) -> Any:
        """Return the value."""
        if stored[:1] == b"b":
            return stored[1:]
        return json.loads(stored[1:] if stored[:1] == b"j" else stored)


def _surviving(name: str) -> Any:
    def method(self: "SurvivingRedisCache", *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() >= self.away_until:
            try:
                return getattr(RedisCache, name)(self, *args, **kwargs)
            except RedisError:
                logger.warning("Redis does not answer; the cache is local meanwhile")
                self.away_until = time.monotonic() + PAUSE
        return getattr(self.local, name)(*args, **kwargs)

    return method


class SurvivingRedisCache(RedisCache):
    """The Redis cache, which falls back to a cache in this process while Redis is away."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self.local = LocMemCache("redis-is-away", params)
        self.away_until = 0.0

    add, get, set, touch, delete, has_key, incr, clear = map(
        _surviving, ("add", "get", "set", "touch", "delete", "has_key", "incr", "clear")
    )
    get_many, set_many, delete_many = map(_surviving, ("get_many", "set_many", "delete_many"))
