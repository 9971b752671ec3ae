"""A simple limit on how often something may be done, kept in the cache that all workers share."""

import hashlib

from django.core.cache import cache


def too_often(what: str, whom: str, *, most: int, seconds: int) -> bool:
    """Count one more; tell whether it is more than ``most`` within about so many seconds.

    Without Redis every worker counts for itself: the limit is then that much higher.
    """
    digest = hashlib.sha256(whom.encode()).hexdigest()[:24]
    key = f"limit-{what}-{digest}"
    if cache.add(key, 1, seconds):
        return False
    try:
        return cache.incr(key) > most
    except ValueError:
        # It ran out between the two calls.
        cache.add(key, 1, seconds)
        return False
