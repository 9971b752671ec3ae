"""Which addresses that somebody else chose may be asked; ``public_web`` asks them.

Apart from it, as every process needs this and only the worker what sends requests.
"""

import ipaddress
from urllib.parse import urlsplit

from django.conf import settings

#: IPv6 addresses that stand for an IPv4 one.
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Return whether an IP address is on the internet, and nobody's own network or machine.

    >>> [is_public(each) for each in ("9.9.9.9", "10.0.0.1", "127.0.0.1", "169.254.169.254")]
    [True, False, False, False]
    >>> [is_public(each) for each in ("::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "224.0.0.1")]
    [False, False, False, False]
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour
        if inner is None and found in _NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if found.teredo is not None:
            return False
    return found.is_global and not found.is_multicast


def may_be_asked(address: str) -> bool:
    """Return whether an address is https with a host, or one of the tests' own service."""
    if _is_tests(address):
        return True
    try:
        parts = urlsplit(address)
        return parts.scheme == "https" and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return False


def _is_tests(address: str) -> bool:
    own: str = settings.PUSH_TEST_SERVICE
    return bool(own) and address.startswith(own)
