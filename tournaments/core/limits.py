"""Rate limits, counted in the database, so that all processes share them."""

import hashlib
import ipaddress
import math
from collections.abc import Iterable
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from ..models import Attempt

#: Older attempts are deleted, as no limit looks further back.
_KEPT = timedelta(days=1)
#: How far hosts' clocks may differ. Later attempts are of a clock that was set back, and count no
#: more.
_SKEW = timedelta(minutes=1)


def counted(what: str, whom: str, *, most: int, seconds: int) -> Attempt | None:
    """Count an attempt and return it, or None if there were ``most`` within the last ``seconds``.

    It is counted and committed before it is checked, so attempts sent at once see each other. What
    should not count after all, such as a right password, the caller deletes.
    """
    if too_often(what, whom, most=most, seconds=seconds):
        return None
    with transaction.atomic(durable=True):
        attempt = count(what, whom)
    if too_often(what, whom, most=most + 1, seconds=seconds):
        attempt.delete()
        return None
    return attempt


def too_often(what: str, whom: str, *, most: int, seconds: int) -> bool:
    """Return whether it was counted at least ``most`` times within the last ``seconds``.

    With :func:`count`, under a lock; :func:`counted` needs none.
    """
    return _recent(what, seconds).filter(whom=digest_of(whom)).count() >= most


def _recent(what: str, seconds: int) -> QuerySet[Attempt]:
    now = timezone.now()
    since = now - timedelta(seconds=seconds)
    return Attempt.objects.filter(what=what, at__gt=since, at__lte=now + _SKEW)


def seconds_left(what: str, whom: str, *, most: int, seconds: int) -> int:
    """Return after how many seconds :func:`too_often` will say no again; at least one."""
    now = timezone.now()
    since = now - timedelta(seconds=seconds)
    found = _recent(what, seconds).filter(whom=digest_of(whom)).order_by("-at")
    times = list(found.values_list("at", flat=True)[most - 1 : most])
    return max(1, math.ceil((times[0] - since).total_seconds())) if times else 1


def over_limit(what: str, whoms: Iterable[str], *, most: int, seconds: int) -> set[str]:
    """Return those for whom :func:`too_often` would say yes (one query)."""
    digests = {digest_of(whom): whom for whom in whoms}
    found = _recent(what, seconds).filter(whom__in=digests)
    counts = found.values_list("whom").annotate(times=Count("pk")).filter(times__gte=most)
    return {digests[digest] for digest, _times in counts}


def count(what: str, whom: str) -> Attempt:
    """Count one attempt and delete old ones."""
    Attempt.objects.filter(at__lt=timezone.now() - _KEPT).delete()
    return Attempt.objects.create(what=what, whom=digest_of(whom))


def digest_of(whom: str) -> str:
    """Return a mark of an address by which it can be compared, but not read."""
    return hashlib.sha256(f"{settings.SECRET_KEY} {whom}".encode()).hexdigest()


def client_address(request: HttpRequest) -> str:
    """Return the client's address, as :func:`address_of` reads it."""
    return address_of(
        request.META.get("REMOTE_ADDR", ""), request.headers.get("X-Forwarded-For", "")
    )


def address_of(remote: str, forwarded: str) -> str:
    """Return the client's address, looking through the number of proxies that is trusted.

    ``forwarded`` is the header X-Forwarded-For; entries further left in it were written by the
    client and may be false. A port does not count. An IPv6 /64 network counts as one.
    """
    hops = forwarded.split(",")
    trusted = settings.TRUST_PROXY
    address = remote
    if 0 < trusted <= len(hops):
        address = hops[-trusted].strip() or address
    try:
        parsed = ipaddress.ip_address(_without_port(address))
    except ValueError:
        return str(address)
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    # A socket for both versions names an IPv4 client like this; all of them are in one network.
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def _without_port(address: str) -> str:
    """Return an address that a proxy may have written with the client's port."""
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address
