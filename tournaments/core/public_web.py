"""Requests to addresses that somebody else chose: https, to public addresses only."""

import ipaddress
import socket
from typing import Any
from urllib.parse import urlsplit

import requests
from django.conf import settings
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPSConnection
from urllib3.connectionpool import HTTPSConnectionPool
from urllib3.exceptions import NewConnectionError

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


class _PublicConnection(HTTPSConnection):
    """Connects to the very address that was checked, so that a name cannot change in between."""

    def _new_conn(self) -> socket.socket:
        found = socket.getaddrinfo(self._dns_host, self.port, type=socket.SOCK_STREAM)
        addresses = [str(each[4][0]) for each in found]
        for address in addresses:
            if not is_public(address):
                raise NewConnectionError(self, f"{self._dns_host} is not a public address")
        timeout: Any = self.timeout
        return socket.create_connection((addresses[0], self.port or 443), timeout)


class _PublicPool(HTTPSConnectionPool):
    ConnectionCls = _PublicConnection


class _PublicAdapter(HTTPAdapter):
    """Sends https to public addresses only."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"https": _PublicPool}

    def send(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Send a request unless its address is not https."""
        if not may_be_asked(str(request.url)):
            raise requests.exceptions.InvalidURL("only https is asked")
        return super().send(request, *args, **kwargs)


def private_session() -> requests.Session:
    """Return a session as :func:`public_session` does that also reaches the own network."""
    session = requests.Session()
    session.trust_env = False
    session.max_redirects = 0
    return session


def public_session() -> requests.Session:
    """Return a session that follows no redirects, uses no proxy and reaches no private address."""
    session = requests.Session()
    session.trust_env = False
    session.max_redirects = 0
    adapter = _PublicAdapter(pool_maxsize=20)
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    if settings.PUSH_TEST_SERVICE:
        session.mount(settings.PUSH_TEST_SERVICE, HTTPAdapter(pool_maxsize=20))
    return session
