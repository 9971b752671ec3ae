"""A Redis cache that works without Redis for a while."""

import logging
import time
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis import RedisError

logger = logging.getLogger(__name__)

#: Seconds to leave Redis alone after it has failed to answer.
PAUSE = 5.0


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
